#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# The shared library exports what jaxpr.h declares, all of it and nothing else.
#
#     symbols.sh LIBRARY HEADER
declared=$(sed -n 's/^JX_API .*\b\(jx_[a-z_]*\)(.*/\1/p' "$2" | sort)
exported=$(nm -D --defined-only "$1" | awk '{ print $3 }' | sort)
[ -n "$declared" ] || exit 2
if [ "$declared" != "$exported" ]; then
    echo 'declared:' $declared
    echo 'exported:' $exported
    exit 1
fi

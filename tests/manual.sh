#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# The manual pages are sound mdoc, and name every option of their verb and every function of the library.
#
#     manual.sh JAXPR SOURCE_ROOT
jaxpr=$(realpath "$1")
cd "$2" || exit 2
wrong=0

if command -v mandoc > /dev/null; then
    mandoc -Tlint -Wwarning man/*.[1-9] || wrong=1
else
    echo 'mandoc is not here: pages not linted'
fi

verbs=$("$jaxpr" --help | sed -n '/^verbs:/,/^$/s/^  \([a-z]*\) .*/\1/p')
[ -n "$verbs" ] || wrong=1
for verb in $verbs; do
    for option in $("$jaxpr" "$verb" --help | sed -n 's/^  .*--\([a-z-]*\)[= ].*/\1/p'); do
        grep -Eq "(Fl -|, -)$option( |$)" "man/jaxpr-$verb.1" || {
            echo "man/jaxpr-$verb.1: --$option is missing"
            wrong=1
        }
    done
    grep -q "jaxpr-$verb 1" man/jaxpr.1 || {
        echo "man/jaxpr.1: $verb is missing"
        wrong=1
    }
done

for function in $(sed -n 's/^JX_API .*\b\(jx_[a-z_]*\)(.*/\1/p' src/jaxpr.h); do
    grep -Eq "F[no] $function( |$)" man/libjaxpr.3 || {
        echo "man/libjaxpr.3: $function is missing"
        wrong=1
    }
done
exit $wrong

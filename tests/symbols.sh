#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# The shared library exports what its headers declare, all of it and nothing else, and says its soname. What the library
# takes from outside is memory, strings, numbers, digests and readers of JSON and YAML: nothing that prints, reads, exits
# or asks the environment. It has no data that can be written to.
#
#     symbols.sh SHARED_LIBRARY STATIC_LIBRARY HEADER...
again="$0 $*"
shared=$1 archive=$2
shift 2
declared=$(sed -n 's/^JX_API .*\b\(jx_[a-z_]*\)(.*/\1/p' "$@" | sort)
exported=$(nm -D --defined-only "$shared" | awk '{ print $3 }' | sort)
wrong=0
[ -n "$declared" ] || exit 2
if [ "$declared" != "$exported" ]; then
    echo 'declared:' $declared
    echo 'exported:' $exported
    wrong=1
fi

objdump -p "$shared" | grep -q 'SONAME  *libjaxpr\.so\.[0-9]' || {
    echo 'no soname'
    wrong=1
}

# names with two underscores are the compiler's own
defined=$(nm --defined-only "$archive" 2> /dev/null | awk 'NF == 3 { print $3 }' | sort -u)
taken=$(nm -u "$archive" 2> /dev/null | awk '$1 == "U" && $2 !~ /^_(_|GLOBAL_OFFSET_TABLE_)/ { print $2 }' | sort -u)
[ -n "$taken" ] || exit 2
foreign=$(printf '%s\n%s\n%s\n' "$defined" "$defined" "$taken" | sort | uniq -u |
    grep -Evx 'free|realloc|madvise|(_set|long)jmp|mem(chr|cmp|cpy|mem|move|rchr|set)|bcmp|str(chr|cmp|cspn|len|spn)|qsort|v?snprintf|str(tod|tod_l|tol)|(new|free)locale|(nettle_sha256|yajl|yaml_event|yaml_parser)_[a-z_]+')
if [ -n "$foreign" ]; then
    echo 'taken from outside:' $foreign
    wrong=1
fi

written=$(size -A "$archive" 2> /dev/null | awk '/\(ex / { file = $1 } ($1 == ".data" || $1 == ".bss") && $2 > 0 { print file }')
if [ -n "$written" ]; then
    echo 'can be written to:' $written
    wrong=1
fi
[ $wrong = 0 ] || echo "repeat: $again"
exit $wrong

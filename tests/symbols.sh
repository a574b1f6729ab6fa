#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# The shared library exports exactly what its headers declare, under one version, and has a soname; Debian's list of
# symbols is the same. The library imports functions for memory, strings, numbers, digests, JSON and YAML, and none that
# prints, reads files, exits or reads the environment. It has no writable data.
#
#     symbols.sh SHARED_LIBRARY STATIC_LIBRARY DEBIAN_SYMBOLS HEADER...
again="$0 $*"
shared=$1 archive=$2 debian=$3
shift 3
declared=$(sed -n 's/^JX_API .*\b\(jx_[a-z_]*\)(.*/\1/p' "$@" | sort)
exported=$(nm -D --defined-only "$shared" | awk '$2 != "A" { sub(/@@LIBJAXPR_1$/, "", $3); print $3 }' | sort)
listed=$(sed -n 's/^ \(jx_[a-z_]*\)@LIBJAXPR_1 [0-9.]*$/\1/p' "$debian" | sort)
wrong=0
[ -n "$declared" ] || exit 2
if [ "$declared" != "$exported" ]; then
    echo 'declared:' $declared
    echo 'exported:' $exported
    wrong=1
fi

if [ "$declared" != "$listed" ]; then
    echo "$debian: a function FUNCTION that the release N adds is a line \` FUNCTION@LIBJAXPR_1 N\`; these differ:"
    printf '%s\n%s\n' "$declared" "$listed" | sort | uniq -u
    wrong=1
fi

objdump -p "$shared" | grep -q 'SONAME  *libjaxpr\.so\.[0-9]' || {
    echo 'no soname'
    wrong=1
}

# names with two underscores are the compiler's; objects of subprojects in the archive are left out
own=$(mktemp)
trap 'rm -f "$own"' EXIT
nm -A "$archive" 2> /dev/null | sed 's/^[^:]*://; s/:/ /' | awk '
    $NF ~ /^(_?nettle_|yajl_|yaml_)/ && $(NF - 1) != "U" { foreign[$1] }
    { line[NR] = $0; member[NR] = $1 }
    END { for (i = 1; i <= NR; i++) if (!(member[i] in foreign)) print line[i] }' > "$own"
defined=$(awk '$(NF - 1) != "U" { print $NF }' "$own" | sort -u)
taken=$(awk '$(NF - 1) == "U" && $NF !~ /^_(_|GLOBAL_OFFSET_TABLE_)/ { print $NF }' "$own" | sort -u)
[ -n "$taken" ] || exit 2
foreign=$(printf '%s\n%s\n%s\n' "$defined" "$defined" "$taken" | sort | uniq -u |
    grep -Evx 'free|realloc|madvise|mmap(64)?|mremap|munmap|(_set|long)jmp|mem(chr|cmp|cpy|mem|move|rchr|set)|bcmp|str(chr|cmp|cspn|len|spn)|qsort|v?snprintf|str(tod|tod_l|tol)|(new|free)locale|(nettle_sha256|yajl|yaml_event|yaml_parser)_[a-z_]+')
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

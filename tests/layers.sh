#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Every #include keeps to the corridor: a room includes only the rooms named here, the command line nothing but jaxpr.h.
#
#     layers.sh SOURCE_ROOT
cd "$1/src" || exit 2
wrong=0

# allow ROOM PATTERN: files of ROOM may include "PATTERN" (a regular expression over the quoted path)
allow()
{
    room=$1 pattern=$2
    for file in $room; do
        [ -e "$file" ] || continue
        found=$(grep -Hn '^ *# *include "' "$file" | grep -Ev "include \"($pattern)\"")
        if [ -n "$found" ]; then
            echo "$found"
            wrong=1
        fi
    done
}

allow 'base/*'    'base/[a-z0-9_]+\.h'
allow 'diag/*'    '(base|diag)/[a-z0-9_]+\.h|diagnostics\.def'
allow 'ir/*'      '(base|ir)/[a-z0-9_]+\.h|(dtypes|eras)\.def'
allow 'parse/*'   '(base|diag|ir|parse)/[a-z0-9_]+\.h|[a-z]+\.tab\.h|primitives\.def'
allow 'extract/*' '(base|diag|ir|parse|extract)/[a-z0-9_]+\.h'
allow 'check/*'   '(base|diag|ir|check)/[a-z0-9_]+\.h|[a-z]+\.def|slot\.h'
# what programs cost is measured, not judged: lint and the report read it, so it stands left of both
allow 'cost/*'    '(base|ir|check|cost)/[a-z0-9_]+\.h|[a-z]+\.def'
allow 'rewrite/*' '(base|ir|check|rewrite)/[a-z0-9_]+\.h|[a-z]+\.def'
allow 'print/*'   '(base|ir|print)/[a-z0-9_]+\.h|eras\.def'
allow 'diff/*'    '(base|ir|check|rewrite|print|diff)/[a-z0-9_]+\.h|[a-z]+\.def'
allow 'lint/*'    '(base|diag|ir|check|cost|lint)/[a-z0-9_]+\.h|[a-z]+\.def'
# a page shows what others found and worked out: it stands right of them
allow 'report/*'  '(base|diag|ir|check|cost|report)/[a-z0-9_]+\.h'
allow 'command/*' 'command/[a-z0-9_]+\.h|jaxpr\.h|options\.def'
allow 'main.c'    'command/command\.h|jaxpr\.h|options\.def'
allow 'jaxpr*.h'  'jaxpr(_tools)?\.h'
allow 'lib*'      '(base|diag|ir|parse|extract|check|cost|rewrite|print|diff|lint|report)/[a-z0-9_]+\.h|(jaxpr|lib)\.h'
allow '../grammar/*.[ly]' '(base|parse)/[a-z0-9_]+\.h'

# there is no other room
for room in */; do
    case $room in
    base/ | diag/ | ir/ | parse/ | extract/ | check/ | cost/ | rewrite/ | print/ | diff/ | lint/ | report/ | command/) ;;
    *)
        echo "src/$room is no room of the house"
        wrong=1
        ;;
    esac
done

# the library never prints, exits or reads the environment
found=$(grep -nE '\b(printf|puts|putchar|exit|abort|getenv|setlocale)\(|\bstd(out|err)\b' \
    base/*.c diag/*.c ir/*.c parse/*.c extract/*.c check/*.c cost/*.c rewrite/*.c print/*.c diff/*.c lint/*.c report/*.c lib*.c 2>/dev/null)
if [ -n "$found" ]; then
    echo "$found"
    wrong=1
fi

# nor does it keep anything that can be written to between calls
found=$(find . -name '*.c' ! -path './command/*' -exec grep -nHE '^(static )?[a-z][a-z_ ]*[ *][a-z_]+(\[[^]]*\])*( = .*)?;$' {} + |
    grep -vE ':(static )?const |\bconst\b|:typedef |\(|:extern ')
if [ -n "$found" ]; then
    echo "$found"
    wrong=1
fi
exit $wrong

#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# The files of a release show that it is hardened: addresses change from run to run, tables of addresses are read-only,
# the stack is guarded and not executable, and sizes of library calls are checked.
#
#     hardened.sh PROGRAM LIBRARY STATIC      STATIC: `true` if the program needs no library
again="$0 $*"
program=$1 library=$2 static=$3 wrong=0

# must WHAT PATTERN COMMAND...: prints WHAT if the command's output does not match the pattern
must()
{
    what=$1 pattern=$2
    shift 2
    "$@" 2> /dev/null | grep -Eq "$pattern" || {
        echo "$what: no /$pattern/ in $*"
        wrong=1
    }
}

must 'not at a random address' 'Type: *DYN' readelf -hW "$program"
for file in "$program" "$library"; do
    must 'no RELRO' 'GNU_RELRO' readelf -lW "$file"
    must 'the stack can be executed' 'GNU_STACK.* RW ' readelf -lW "$file"
    must 'not bound at once' '\(FLAGS.*NOW' readelf -dW "$file"
done
must 'no stack protector' '__stack_chk_fail' readelf -sW "$library"
must 'sizes are not checked' '__(mem(cpy|move|set)|vsnprintf|snprintf)_chk' readelf -sW "$library"
if [ "$static" = true ]; then
    readelf -dlW "$program" | grep -Eq 'NEEDED|INTERP' && {
        echo 'the static program needs libraries'
        wrong=1
    }
else
    must 'no stack protector' '__stack_chk_fail' readelf -sW "$program"
fi
[ -n "$("$program" --version)" ] || wrong=1
[ $wrong = 0 ] || echo "repeat: $again"
exit $wrong

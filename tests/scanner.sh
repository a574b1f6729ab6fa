#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# The scanner never backs up, so it reads each byte once.
#
#     scanner.sh GRAMMAR
again="$0 $*"
directory=$(mktemp -d)
trap 'status=$?; rm -rf "$directory"; [ $status = 0 ] || [ $status = 77 ] || echo "repeat: $again"' EXIT
cd "$directory" || exit 2
flex -b -Cfa -o scanner.c "$1" || exit 1
cat lex.backup
grep -q '^No backing up' lex.backup

#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# An unknown verb runs the program `jaxpr-VERB` of PATH, and passes on its arguments, exit status and help.
#
#     external.sh JAXPR
again="$0 $*"
jaxpr=$(realpath "$1")
place=$(mktemp -d) || exit 2
trap 'rm -rf "$place"' EXIT
mkdir "$place/bin" "$place/other"
cat > "$place/bin/jaxpr-show" << 'END'
#!/bin/sh
echo "$(basename "$0")" "$#" "$@"
exit 7
END
chmod +x "$place/bin/jaxpr-show"
printf 'not a program' > "$place/bin/jaxpr-locked"
cp "$place/bin/jaxpr-show" "$place/bin/jaxpr-check" # never run: verbs of the program come first
cp "$place/bin/jaxpr-show" "$place/other/jaxpr-check"
cd "$place/other" || exit 2
wrong=0

# expect STATUS OUTPUT ARGUMENT..: runs the program, and compares what it prints
expect()
{
    want_status=$1 want=$2
    shift 2
    out=$(PATH="$place/bin:$PATH" "$jaxpr" "$@" 2>&1 < /dev/null)
    status=$?
    [ "$status" = "$want_status" ] && [ "$out" = "$want" ] || {
        printf 'jaxpr %s: status %s, expected %s; printed\n%s\nexpected\n%s\n' "$*" "$status" "$want_status" "$out" "$want"
        wrong=1
    }
}

expect 7 'jaxpr-show 0' show
expect 7 'jaxpr-show 3 --color=x a b  c' show --color=x a 'b  c'
expect 7 'jaxpr-show 1 --help' help show
expect 2 'jaxpr: jaxpr-locked: Permission denied' locked
expect 2 'jaxpr: `shwo` is not a verb; try `jaxpr --help`' shwo
expect 2 'jaxpr: `chekc` is not a verb; did you mean `check`?' chekc
expect 2 'jaxpr: `../bin/jaxpr-show` is a file; name a verb first, as in `jaxpr check ../bin/jaxpr-show`' ../bin/jaxpr-show
expect 2 'jaxpr: unknown option `--shwo`; try `jaxpr --help`' --shwo
expect 0 "$("$jaxpr" explain S012)" explain S012
[ $wrong = 0 ] || echo "repeat: $again"
exit $wrong

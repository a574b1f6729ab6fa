# --exit-zero changes exit status 1 to 0 for every verb that takes it; output and failures stay as they are
printf '{ lambda ; a:f32[]. let b:f32[] = log a; _:f32[] = sin a in (b,) }\n' > a
printf '{ lambda ; a:f32[]. let b:f32[] = exp q in (b,) }\n' > b
printf '{ lambda ; a:f32[]. let b:f32[] = = a in (b,) }\n' > broken
printf '{ lambda ; a:f32[]. let\n    b:f32[] = sin a\n  in (b,) }\n' > loose
sed 's/log/cos/' a > c
"$JAXPR" hash a | sed 's/:[0-9a-f]/:0/' > list
printf "contracts:\n  - {forbid: [log]}\n" > strict.yaml
try() {
    "$JAXPR" "$@" > out 2> err
    before=$?
    "$JAXPR" "$@" --exit-zero > out0 2> err0
    echo "$before $? $*"
    cmp out out0
    cmp err err0
}
for verb in $("$JAXPR" --help | sed -n '/^verbs:/,/^$/s/^  \([a-z]*\) .*/\1/p'); do
    "$JAXPR" $verb --help | grep -q -e --exit-zero || continue
    case $verb in
    eq | diff) try $verb a c; try $verb a a; try $verb a b; try $verb a broken; try $verb a nowhere ;;
    contract) try contract check --config=strict.yaml a; try contract check --config=nowhere a ;;
    *) try $verb broken; try $verb b; try $verb nowhere ;;
    esac
done
try hash -c list
try fmt --check loose
try fmt -l loose
try fmt -d loose
try lint --select=ALL a
try graph --focus=z a
try eq -v a c
try eq --exact a c
try eq -q a c
try diff --sig a b
try diff -q a c

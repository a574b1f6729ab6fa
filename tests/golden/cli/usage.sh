# help goes to standard output, errors go to standard error
for verb in '' check fmt stats json sig norm eq hash dups diff explain; do
    "$JAXPR" $verb --help
    echo
done
"$JAXPR"
"$JAXPR" help fmt | head -1
"$JAXPR" help nonsense
"$JAXPR" nonsense
: > program.jaxpr
"$JAXPR" program.jaxpr
"$JAXPR" fmt --nonsense
"$JAXPR" chek
"$JAXPR" --hepl
"$JAXPR" fmt --widht=60
"$JAXPR" fmt --width
"$JAXPR" fmt --width=wide
"$JAXPR" fmt --width=4294967296
"$JAXPR" check --max-findings=99999999999999999999
"$JAXPR" stats --format=xml
"$JAXPR" fmt -w < /dev/null
echo '{ lambda ; k:key<fry>[] a:f32[3]. let b:f32[3] = sin a in (k,) }' > lists.jaxpr
"$JAXPR" lint --format=gcc --select=N --select=P309,P308 --ignore= --ignore=P309 lists.jaxpr
"$JAXPR" norm -p dce -p constants lists.jaxpr
"$JAXPR" hash --ignore
"$JAXPR" fmt --check=3
"$JAXPR" fmt -x
"$JAXPR" norm -p constnats
"$JAXPR" norm -p dce,foo
"$JAXPR" eq
"$JAXPR" eq lists.jaxpr
"$JAXPR" diff lists.jaxpr lists.jaxpr lists.jaxpr
"$JAXPR" --help check | head -1
# no line of help is wider than a terminal or ends in blanks
for verb in check fmt stats json sig norm eq hash dups diff lint contract rules graph report extract explain; do
    "$JAXPR" $verb --help | grep -E '^.{81}| $'
done
"$JAXPR" lint --select=P308 --select=nonsense lists.jaxpr

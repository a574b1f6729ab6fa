# help goes to standard output, complaints to standard error
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
"$JAXPR" stats --format=xml
"$JAXPR" fmt -w < /dev/null
echo '{ lambda ; k:key<fry>[] a:f32[3]. let b:f32[3] = sin a in (k,) }' > lists.jaxpr
"$JAXPR" lint --format=gcc --select=N --select=P309,P308 --ignore= --ignore=P309 lists.jaxpr
"$JAXPR" norm -p dce -p constants lists.jaxpr
"$JAXPR" lint --select=P308 --select=nonsense lists.jaxpr

# help goes to standard output, complaints to standard error
for verb in '' check fmt stats json sig norm eq hash dups diff explain; do
    "$JAXPR" $verb --help
    echo
done
"$JAXPR"
"$JAXPR" nonsense
"$JAXPR" fmt --nonsense
"$JAXPR" fmt --width=wide
"$JAXPR" stats --format=xml
"$JAXPR" fmt -w < /dev/null

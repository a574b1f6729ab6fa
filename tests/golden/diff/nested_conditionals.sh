# nested conditionals, each with one more branch on the right: the output grows linearly with the depth
nest() {
    awk -v depth="$1" -v more="$2" 'BEGIN {
        for (i = 0; i < depth; i++) printf "{ lambda ; a:f32[]. let b:f32[] = cond[branches=("
        printf "{ lambda ; a:f32[]. let b:f32[] = sin a in (b,) }"
        for (i = 0; i < depth; i++)
            printf "\n{ lambda ; a:f32[]. let b:f32[] = cos a in (b,) }%s)] 0:i32[] a in (b,) }", more
        print ""
    }'
}
more='\n{ lambda ; a:f32[]. let b:f32[] = tan a in (b,) }'
nest 2 '' > a
nest 2 "$more" > b
"$JAXPR" diff a b
"$JAXPR" diff --format=json a b
for depth in 100 200; do
    nest $depth '' > a
    nest $depth "$more" > b
    "$JAXPR" diff --format=json a b > hunks$depth
done
test $(wc -c < hunks200) -lt $((3 * $(wc -c < hunks100))) && echo linear

# the output does not depend on the number of jobs
i=0
while [ $i -lt 60 ]; do
    if [ $((i % 7)) = 0 ]; then q=q; else q=a; fi
    printf '{ lambda ; a:f32[%d]. let b:f32[%d] = sin %s in (b,) }\n' $i $i $q > file$i
    i=$((i + 1))
done
for verb in check 'check --format=json' 'check --format=sarif' 'check --max-findings=3' fmt 'fmt -d' stats json 'stats --format=json'; do
    "$JAXPR" $verb file* nowhere > one 2> one.err; one=$?
    "$JAXPR" $verb -j 7 file* nowhere > seven 2> seven.err; seven=$?
    cmp one seven && cmp one.err seven.err && [ $one = $seven ] && echo "$verb: exit $one, the same"
done

# the formats of findings, and limits of their number
printf '{ lambda ; a:f32[]. let b:f32[] = sin q in (b,) }\n' > one
printf '{ lambda ; a:f32[]. let b:f32[] = add r s in (b,) }\n' > two
printf '{ lambda ; a:f32[]. let b:f32[] = sin a in (b,) }\n' > clean
for format in text gcc json jsonl github gitlab junit; do
    echo "== $format"
    "$JAXPR" check --format=$format one two clean
    echo "exit $?"
done
echo '== one finding at most'
"$JAXPR" check --max-findings=1 one two; echo "exit $?"
echo '== no findings'
"$JAXPR" check --format=json clean; echo "exit $?"
"$JAXPR" check clean; echo "exit $?"
echo '== filters report on standard error'
"$JAXPR" fmt --format=gcc two clean 2> err; echo "exit $?"
printf '{ lambda ; a:f32[]. let b:f32[] = = a in (b,) }\n' > broken
"$JAXPR" fmt --format=gcc broken clean 2> err; echo "exit $?"; cat err

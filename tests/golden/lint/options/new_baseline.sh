# a baseline that does not exist is written; one that exists is not
echo '{ lambda ; a:f32[]. let b:f32[] = sin a; _:f32[] = cos a in (b,) }' > f.jaxpr
"$JAXPR" lint --select=P308 --baseline=base --write-baseline f.jaxpr 2> /dev/null; echo "exit $?"
cat base
"$JAXPR" lint --select=P308 --baseline=base f.jaxpr && echo clean
echo '{ lambda ; a:f32[]. let b:f32[] = sin a; _:f32[] = tan a in (b,) }' > g.jaxpr
cp base kept
"$JAXPR" lint --select=P308 --baseline=base --write-baseline f.jaxpr g.jaxpr 2> /dev/null
cmp base kept && echo kept
"$JAXPR" lint --baseline=missing f.jaxpr; echo "exit $?"

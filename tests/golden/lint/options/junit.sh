# a test case fails if the exit status would, for rules of any level
printf '{ lambda ; a:f32[3]. let b:f32[3] = sin a; c:f32[3] = cos a in (c,) }\n' > unneeded
printf '{ lambda ; a:f32[3]. let b:f32[3] = sin a in (b,) }\n' > clean
"$JAXPR" lint --select=P308 --format=junit unneeded clean
echo "exit $?"
"$JAXPR" check --format=junit unneeded
echo "exit $?"

# files compressed with gzip are read, also those in folders
mkdir -p dumps/inner
printf '{ lambda ; a:f32[]. let b:f32[] = sin a in (b,) }\n' > dumps/b.jaxpr
printf '{ lambda ; a:f32[]. let b:f32[] = sin c in (b,) }\n' | gzip -n > dumps/inner/a.jaxpr.txt.gz
"$JAXPR" check --format=gcc -j 2 dumps; echo "exit $?"
"$JAXPR" hash dumps; echo "exit $?"
"$JAXPR" contract check dumps; echo "exit $?"
cd dumps/inner
"$JAXPR" fmt -w a.jaxpr.txt.gz; echo "exit $?"
"$JAXPR" fmt --diff a.jaxpr.txt.gz; echo "exit $?"
cat a.jaxpr.txt.gz a.jaxpr.txt.gz | "$JAXPR" sig --format=json; echo "exit $?"
(cat a.jaxpr.txt.gz; head -c 512 /dev/zero) | "$JAXPR" sig; echo "exit $?"
(cat a.jaxpr.txt.gz; printf 'and more') | "$JAXPR" sig; echo "exit $?"
head -c 30 a.jaxpr.txt.gz | "$JAXPR" sig; echo "exit $?"
(for i in 1 2 3; do head -c $i a.jaxpr.txt.gz | tail -c 1; sleep 0.1; done; tail -c +4 a.jaxpr.txt.gz) | "$JAXPR" sig; echo "exit $?"
printf '\037' | "$JAXPR" sig; echo "exit $?"

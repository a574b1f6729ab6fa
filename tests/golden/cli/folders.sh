# a folder means all programs below it
mkdir -p dumps/inner dumps/.git none
printf '{ lambda ; a:f32[]. let b:f32[] = sin a in (b,) }\n' > dumps/b.jaxpr
printf '{ lambda ; a:f32[]. let b:f32[] = sin c in (b,) }\n' > dumps/inner/a.jaxpr.txt
printf 'module @jit_f {\n' > dumps/a.mlir
printf 'a log without a program\n' > none/log.txt
printf 'hidden files are not read\n' > dumps/.draft.jaxpr
printf 'hidden folders are not read, either\n' > dumps/.git/d.jaxpr
"$JAXPR" check --format=gcc -j 2 dumps; echo "exit $?"
"$JAXPR" hash dumps; echo "exit $?"
"$JAXPR" check none; echo "exit $?"
"$JAXPR" check --extract none; echo "exit $?"
"$JAXPR" eq dumps dumps/b.jaxpr; echo "exit $?"
"$JAXPR" contract check dumps; echo "exit $?"

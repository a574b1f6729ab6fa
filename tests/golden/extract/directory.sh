# a folder of dumps, each program written to a file of its own; standard input; a path that does not exist
mkdir -p dumps/inner
printf '{ lambda ; a:f32[]. let b:f32[] = sin a in (b,) }\n' > dumps/jax_000001_jit_f.jaxpr.txt
printf 'module @jit_f { }\n' > dumps/jax_000001_jit_f.mlir
printf 'x { lambda ; a:f32[]. let b:f32[] = cos q in (b,) }\n{ lambda ; a:f32[]. let in\n' > dumps/inner/jax_000002_jit_g.jaxpr.txt
"$JAXPR" extract -o found dumps; echo "exit $?"
for f in found/*; do echo "== $f"; cat "$f"; done
echo '== in place'
"$JAXPR" check --extract --format=gcc -j 2 dumps dumps/inner; echo "exit $?"
"$JAXPR" extract --in-place --format=gcc -j 2 dumps dumps/inner; echo "exit $?"
"$JAXPR" extract --in-place -q < dumps/inner/jax_000002_jit_g.jaxpr.txt; echo "exit $?"
"$JAXPR" extract --in-place -o found dumps; echo "exit $?"
"$JAXPR" extract --in-place --format=xml dumps; echo "exit $?"
"$JAXPR" lint --extract --select=P308 dumps; echo "exit $?"
printf 'log\n\n{ lambda ; a:f32[]. let b:f32[] = cos a in (b,) }' | "$JAXPR" extract --format=json --stdin-filename=run.log; echo "exit $?"
echo 'nothing here' | "$JAXPR" extract --format=json; echo "exit $?"
"$JAXPR" extract missing; echo "exit $?"
"$JAXPR" extract -o dumps/jax_000001_jit_f.mlir/x dumps; echo "exit $?"
"$JAXPR" check --extract --format=junit dumps
echo '== the nearest configuration of each file'
printf 'select: [P308]\n' > dumps/inner/.jaxpr.yaml
printf '{ lambda ; a:f32[]. let b:f32[] = sin a in (a,) }\n' > dumps/inner/jax_000002_jit_g.jaxpr.txt
cp dumps/inner/jax_000002_jit_g.jaxpr.txt dumps/jax_000003_jit_h.jaxpr.txt
"$JAXPR" lint --extract --format=gcc dumps; echo "exit $?"

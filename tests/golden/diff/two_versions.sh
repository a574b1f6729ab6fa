# the same training step traced by JAX 0.7.1 and 0.12: the numbers of lines of diff and jaxpr diff that README gives
cd "$HERE/../../../samples" || exit 2
set -- "$(diff step_jax_0.7.jaxpr step_jax_0.12.jaxpr | wc -l)" "$("$JAXPR" diff step_jax_0.7.jaxpr step_jax_0.12.jaxpr | wc -l)"
grep -o "\`diff\` prints $1 lines, \`jaxpr diff\` $2" ../README.md || echo "README.md does not say: diff $1, jaxpr diff $2"
"$JAXPR" diff --stat step_jax_0.7.jaxpr step_jax_0.12.jaxpr

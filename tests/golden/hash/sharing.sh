# a program that would hold 2^64 copies of its innermost program if none were shared
awk 'BEGIN {
    print "let f0 = { lambda ; a:f32[]. let b:f32[] = sin a in (b,) } in"
    for (i = 1; i <= 64; i++)
        printf "let f%d = { lambda ; a:f32[]. let b:f32[] = jit[name=f jaxpr=f%d] a; c:f32[] = jit[name=f jaxpr=f%d] b in (c,) } in\n", i, i - 1, i - 1
    print "{ lambda ; a:f32[]. let b:f32[] = jit[name=f jaxpr=f64] a in (b,) }"
}' > a
"$JAXPR" hash a
"$JAXPR" norm a > b
"$JAXPR" hash b
"$JAXPR" norm --share=never a | cmp - b && echo as long
"$JAXPR" norm -p dce --jax=0.10.1 a | tail -n 1
"$JAXPR" norm -p dce --jax=0.8.1 a | wc -l
"$JAXPR" dups a | head -n 1

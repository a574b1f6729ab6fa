# one program as several versions of JAX print it
cat > a <<'X'
{ lambda ; a:f32[3]. let
    b:f32[3,4] = broadcast_in_dim[broadcast_dimensions=(0,)] a
    c:f32[] = reduce_sum[axes=(0,) out_sharding=None] a
    d:f32[3] = jit[name=f jaxpr={ lambda ; a:f32[3]. let d:f32[3] = mul a 2.0:f32[] in (d,) }] a
    e:f32[3] = jit[name=f jaxpr={ lambda ; a:f32[3]. let d:f32[3] = mul a 2.0:f32[] in (d,) }] d
  in (b, c, e) }
X
for v in 0.4.28 0.5.3 0.7.1 0.12.0; do
    "$JAXPR" fmt --jax=$v a
    "$JAXPR" norm --jax=$v a > b
    "$JAXPR" eq a b && echo same
done
"$JAXPR" norm --era=none --share=never a
"$JAXPR" norm --era=0.4.28 --share=always a
"$JAXPR" norm --era=new a
"$JAXPR" norm --share=often a || echo "exit $?"
# counts of a scan, which its trees give; parameters that a printing rule hides; the position of `name`
cat > a <<'X'
{ lambda ; a:i32[] b:f32[5]. let
    c:f32[] d:f32[5] = scan[
      ft_in=((None,), (None,), (None,))
      ft_out=((None,), (None,))
      jaxpr={ lambda ; e:i32[] f:f32[] g:f32[]. let
          h:f32[] = convert_element_type[new_dtype=float32 sharding=None weak_type=False] e
          i:f32[] = jit[name=f jaxpr={ lambda ; g:f32[]. let i:f32[] = mul g 2.0:f32[] in (i,) }] g
        in (h, i) }
      length=5
      reverse=False
      unroll=1
    ] a 0.0:f32[] b
  in (c, d) }
X
for v in 0.4.13 0.10.2 0.12.0; do
    "$JAXPR" fmt --jax=$v a > b
    cat b
    "$JAXPR" eq a b && echo same
done

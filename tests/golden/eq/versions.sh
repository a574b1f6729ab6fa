# one function as two versions of JAX print it
cat > a <<'X'
{ lambda ; a:f32[3,4]. let
    b:f32[3] = reduce_max[axes=(1,)] a
    c:f32[3,1] = broadcast_in_dim[broadcast_dimensions=(0,) shape=(3, 1)] b
    d:f32[3,4] = sub a c
    e:f32[3,4] = pjit[name=half jaxpr={ lambda ; f:f32[3,4]. let g:f32[3,4] = mul 0.1 f in (g,) }] d
  in (e,) }
X
cat > b <<'X'
{ lambda ; a:f32[3,4]. let
    b:f32[3] = reduce_max[axes=(np.int64(1),) out_sharding=None] a
    c:f32[3,1] = broadcast_in_dim[broadcast_dimensions=(0,)] b
    d:f32[3,4] = sub a c
    e:f32[3,4] = jit[
      name=other
      jaxpr={ lambda ; d:f32[3,4]. let e:f32[3,4] = mul 0.10000000149011612:f32[] d in (e,) }
    ] d
  in (e,) }
X
"$JAXPR" eq a b && echo same
sed 's/sub a c/sub c a/' b > c
"$JAXPR" eq a c || echo other
"$JAXPR" eq -v a c

# names that are not variables of this program: sizes of jax.export, and `_`, which JAX prints for a dropped value
printf '{ lambda ; a:f32[3,8]. let b:f32[3,8] = cumsum[axis=1 reverse=True] a in (b,) }\n' > a
printf '{ lambda ; a:f32[b,8]. let b:f32[b,8] = cumprod[axis=1 reverse=True] a; c:f32[b+1,8] = other b in (c,) }\n' > b
"$JAXPR" diff a b
cat > a <<'Y'
{ lambda ; a:f32[3]. let
    b:f32[] = jit[name=f jaxpr={ lambda ; a:f32[3]. let
        b:f32[] _:f32[3] = unknown a
        c:f32[] = reduce_sum[axes=(0,)] _
        _:f32[] = neg c
      in (b, _) }
    ] a
  in (b,) }
Y
cat > b <<'Y'
{ lambda ; a:f32[3]. let
    b:f32[] = jit[name=f jaxpr={ lambda ; a:f32[3]. let
        b:f32[] d:f32[3] = unknown a
        c:f32[] = reduce_sum[axes=(0,)] d
      in (b,) }
    ] a
  in (b,) }
Y
"$JAXPR" diff a b
"$JAXPR" diff b a
# one side has the keys of an older version, and their names do not show what changed, so the hunk has both texts
cat > a <<'Y'
{ lambda ; a:f32[4]. let
    b:f32[4] = shard_map[auto=frozenset() check_rep=False in_names=({0: ('i',)},) jaxpr={ lambda ; c:f32[1]. let
        d:f32[1] = sin c
      in (d,) } mesh=Mesh('i': 4, axis_types=(Auto,)) out_names=({0: ('i',)},) rewrite=False] a
  in (b,) }
Y
cat > b <<'Y'
{ lambda ; a:f32[4]. let
    b:f32[4] = shard_map[check_vma=True in_specs=(P('x',),) jaxpr={ lambda ; c:f32[1]. let
        d:f32[1] = cos c
      in (d,) } manual_axes=frozenset({'x'}) mesh=Mesh('x': 4, axis_types=(Auto,)) out_specs=(P('x',),)] a
  in (b,) }
Y
"$JAXPR" diff a b
"$JAXPR" diff --format=json a b

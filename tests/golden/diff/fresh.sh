# a name of the left never gets another meaning: an equation of another kind in place of one is new, and so is a
# variable with the name of a size of the left
cat > a <<'X'
{ lambda ; a:f32[8] n:f32[k,8]. let
    b:f32[8] = exp a
    c:f32[8] = sin b
    d:f32[8] = cos c
  in (d, n) }
X
cat > b <<'X'
{ lambda ; a:f32[8] n:f32[k,8]. let
    b:f32[8] = exp a
    c:f32[8] = jit[name=f jaxpr={ lambda ; a:f32[8]. let c:f32[8] = sin a; d:f32[8] = cos c in (d,) }] b
    k:f32[k,8] = tan n
  in (c, k) }
X
"$JAXPR" diff a b
"$JAXPR" diff b a
# an equation with other parameters is new, too; one whose nested programs can be compared is the same one, changed
cat > a <<'X'
{ lambda ; a:f32[8,4]. let
    b:f32[8] = reduce_sum[axes=(1,) out_sharding=None] a
    c:f32[8] = neg b
    d:f32[8] = jit[name=relu jaxpr={ lambda ; a:f32[8]. let b:f32[8] = max a 0.0:f32[] in (b,) }] b
  in (c, d) }
X
cat > b <<'X'
{ lambda ; a:f32[8,4]. let
    b:f32[8] = reduce_max[axes=(1,)] a
    c:f32[8] = integer_pow[y=2] b
    d:f32[8] = checkpoint[jaxpr={ lambda ; a:f32[8]. let b:f32[8] = max a 1.0:f32[] in (b,) } prevent_cse=True] b
  in (c, d) }
X
"$JAXPR" diff a b

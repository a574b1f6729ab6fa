# what a reviewer calls one change is one: a new branch, whose program is shown; a call in place of the equations that
# it contains; another primitive in the same place; two equations without a common primitive or operand are two changes
cat >a.jaxpr <<'J'
{ lambda ; a:i32[] b:f32[4] c:f32[]. let
    d:f32[4] = cond[
      branches=(
        { lambda ; e:f32[4]. let f:f32[4] = sin e in (f,) }
        { lambda ; g:f32[4]. let h:f32[4] = cos g in (h,) }
      )
    ] a b
    i:f32[4] = tanh d
    j:f32[4] = mul i 2.0:f32[]
    k:f32[4] = tanh j
    l:f32[4] = mul k 2.0:f32[]
    m:f32[] = reduce_sum[axes=(0,) out_sharding=None] l
    n:f32[] = add m c
    o:f32[] = sqrt n
    p:f32[] = div o 3.0:f32[]
  in (p,) }
J
cat >b.jaxpr <<'J'
let half = { lambda ; a:f32[4] b:f32[]. let c:f32[4] = tanh a; d:f32[4] = mul c 2.0:f32[] in (d,) } in
{ lambda ; a:i32[] b:f32[4] c:f32[]. let
    d:f32[4] = cond[
      branches=(
        { lambda ; e:f32[4]. let f:f32[4] = sin e in (f,) }
        { lambda ; g:f32[4]. let h:f32[4] = exp g in (h,) }
        { lambda ; i:f32[4]. let j:f32[4] = cos i in (j,) }
      )
    ] a b
    k:f32[4] = jit[name=half jaxpr=half] d c
    l:f32[4] = jit[name=half jaxpr=half] k c
    m:f32[] = reduce_sum[axes=(0,) out_sharding=None] l
    n:f32[] = sub m c
    o:f32[] = rsqrt n
    p:f32[] = div o 3.0:f32[]
  in (p,) }
J
"$JAXPR" diff a.jaxpr b.jaxpr
"$JAXPR" diff --stat a.jaxpr b.jaxpr

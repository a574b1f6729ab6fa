# a scan gets a constant, and JAX renames everything: the arguments of the body are matched by operand, not by name
cat > a <<'X'
{ lambda ; a:f32[4] b:f32[4] c:f32[5,4]. let
    d:f32[4] e:f32[5,4] = scan[
      jaxpr={ lambda ; f:f32[4] g:f32[4] h:f32[4]. let
          i:f32[4] = mul f g
          j:f32[4] = add i h
          k:f32[4] = tanh j
        in (k, k) }
      length=5
      linear=(False, False, False)
      num_carry=1
      num_consts=1
      reverse=False
      unroll=1
    ] b a c
  in (d, e) }
X
cat > b <<'X'
{ lambda ; a:f32[4] b:f32[4] c:f32[4] d:f32[5,4]. let
    e:f32[4] f:f32[5,4] = scan[
      jaxpr={ lambda ; g:f32[4] h:f32[4] i:f32[4] j:f32[4]. let
          k:f32[4] = mul h i
          l:f32[4] = add k j
          m:f32[4] = mul l g
          n:f32[4] = tanh m
        in (n, n) }
      length=5
      linear=(False, False, False, False)
      num_carry=1
      num_consts=2
      reverse=False
      unroll=1
    ] c b a d
  in (e, f) }
X
"$JAXPR" diff a b
# the same in a branch, whose arguments begin after the index
cat > a <<'X'
{ lambda ; a:i32[] b:f32[4] c:f32[4]. let
    d:f32[4] = cond[
      branches=(
        { lambda ; e:f32[4]. let f:f32[4] = sin e in (f,) }
        { lambda ; g:f32[4]. let h:f32[4] = cos g in (h,) }
      )
    ] a c
  in (d,) }
X
cat > b <<'X'
{ lambda ; a:i32[] b:f32[4] c:f32[4]. let
    d:f32[4] = cond[
      branches=(
        { lambda ; e:f32[4] f:f32[4]. let g:f32[4] = sin f; h:f32[4] = add g e in (h,) }
        { lambda ; e:f32[4] f:f32[4]. let g:f32[4] = cos f in (g,) }
      )
    ] a b c
  in (d,) }
X
"$JAXPR" diff a b

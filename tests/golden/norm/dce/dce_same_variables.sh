# programs made of one another hold the same variables, which keep one name wherever they are bound: what is eliminated
# elsewhere changes that name in both, though the second program is passed something else
cat > twice <<'J'
{ lambda ; a:f32[3]. let
    b:f32[3] = cos a
    _:f32[3] = neg b
    c:f32[3] = jit[
      name=f
      jaxpr={ lambda ; a:f32[3]. let d:f32[3] = exp a; c:f32[3] = add d a in (c,) }
    ] a
    e:f32[3] f:f32[3] = cond[
      branches=(
        { lambda ; g:f32[3]. let
            h:f32[3] = jit[
              name=f
              jaxpr={ lambda ; a:f32[3]. let d:f32[3] = exp a; c:f32[3] = add d a in (c,) }
            ] g
          in (h, g) }
        { lambda ; i:f32[3]. let  in (i, i) }
      )
    ] 1:i32[] c
    j:f32[3] = add c e
  in (j,) }
J
for version in 0.7.1 0.12.0; do
    "$JAXPR" norm --jax=$version -p dce twice > once
    cat once
    "$JAXPR" norm --jax=$version -p dce once | cmp - once
done

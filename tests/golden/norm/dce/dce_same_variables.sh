# a program and the one JAX derived from it hold the same variables, each with one name in both: eliminating an equation
# before them changes that name in both, though other values are passed to the second
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

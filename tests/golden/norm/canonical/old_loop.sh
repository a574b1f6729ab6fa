# a loop over refs (`for`), which newer versions of JAX do not have, keeps the parameters of its version
cat > a <<'X'
{ lambda ; a:Ref{float32[5]}. let
    b:f32[5] = broadcast_in_dim[
      broadcast_dimensions=()
      shape=(5,)
      sharding=None
    ] 0.0:f32[]
    c:Ref{float32[5]} d:f32[5] = for[
      jaxpr={ lambda ; e:i32[] f:Ref{float32[5]} g:Ref{float32[5]}. let
          h:f32[] <- f[e]
          g[e] <- h
        in () }
      nsteps=5
      reverse=False
      unroll=1
      which_linear=(False, False)
    ] a b
  in (c, d) }
X
"$JAXPR" check a
"$JAXPR" norm a | "$JAXPR" check -
"$JAXPR" norm a | "$JAXPR" fmt --jax=0.6.2 -

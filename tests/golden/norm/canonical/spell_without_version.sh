# without a version, spell renames variables only: a primitive of a class stays, which shows the version that names them
cat > once <<'END'
{ lambda ; a:f32[]. let
    c:f32[] = call_hi_primitive[
      _prim=Traced[{'traced': <jax._src.stages.Traced object at 0x1>, 'symbolic_zeros': False}]
    ] a
    d:f32[] = cos c
    e:f32[] = sin c
  in (d,) }
END
"$JAXPR" norm -p spell once | tee twice
"$JAXPR" norm -p spell twice | cmp - twice
"$JAXPR" norm -p spell --jax=0.12.0 once

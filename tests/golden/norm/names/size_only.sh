# a result that only sizes name is used: a version that prints `_` for unused results prints its name
cat > loop <<'J'
{ lambda ; a:i32[] b:f32[a]. let
    c:i32[] d:f32[c] = for_loop[
      abstract_shapes_slice=slice(0, 1, None)
      args_slice=slice(1, None, None)
      consts_slice=slice(0, 0, None)
      jaxpr_body_fn={ lambda ; e:i32[] f:i32[] g:f32[e]. let h:f32[e] = add g g in (e, h) }
    ] 0 3 1 a b
  in (d,) }
J
"$JAXPR" norm -p spell --era=0.10.2 loop | tee out
"$JAXPR" check -q out

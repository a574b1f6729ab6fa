# a program that would mix what versions print, and have an error then, stays as it is
cat > a <<'X'
{ lambda ; a:f32[3,4]. let
    b:f32[3,4] = ffi_call[
      attributes=()
      custom_call_api_version=4
      has_side_effect=False
      input_layouts=((1, 0),)
      input_output_aliases=()
      legacy_backend_config=None
      output_layouts=None
      result_avals=(ShapedArray(float32[3,4]),)
      target_name=foo
      vmap_method=None
    ] a
  in (b,) }
{ lambda ; a:f32[3]. let b:f32[3] = sin a in (b,) }
X
"$JAXPR" norm --era=0.4.28 a
"$JAXPR" fmt --jax=0.4.28 a | "$JAXPR" check
# so does one with an error that check does not find before calls are inlined
cat > b <<'X'
let f = { lambda ; c d. let e = add c d in (e,) } in
{ lambda ; a:f32[3] b:f32[2]. let
    x:f32[3] = pjit[name=f jaxpr=f] a a
    y:f32[2] = pjit[name=f jaxpr=f] a b
  in (x, y) }
X
"$JAXPR" check -q b && echo checked
"$JAXPR" norm -p inline b 2> log
grep error: log

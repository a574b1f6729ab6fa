# a program without errors stays as it is where the version that is requested does not accept it
cat > a <<'X'
{ lambda ; a:f32[4] b:f32[4]. let
    c:f32[4] = scan[
      jaxpr={ lambda ; d:f32[4] e:f32[4]. let f:f32[4] = mul e d; g:f32[4] = mul f 2.0:f32[] in (g,) }
      length=3
      num_carry=1
      num_consts=1
      reverse=False
      unroll=0
    ] a b
  in (c,) }
{ lambda ; a:f32[3]. let b:f32[3] = sin a in (b,) }
X
"$JAXPR" check a && "$JAXPR" norm --era=0.4.28 a
"$JAXPR" fmt -w --jax=0.4.28 -q a
"$JAXPR" check a
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
# and one that lacks what the version that is shown by types of literals prints
cat > d <<'X'
{ lambda ; a:f32[4]. let
    b:f32[4] = mul 1.0 a
    c:bf16[4] = convert_element_type[new_dtype=bfloat16] b
  in (c,) }
X
"$JAXPR" check -q d && "$JAXPR" norm d 2> log
grep error: log
# the canonical form keeps a None that check requires
cat > c <<'X'
{ lambda ; a:f32[5] b:i32[2,1] c:f32[2]. let
    d:f32[5] = scatter-add[
      dimension_numbers=ScatterDimensionNumbers(update_window_dims=(), inserted_window_dims=(0,), scatter_dims_to_operand_dims=(0,))
      indices_are_sorted=False
      mode=GatherScatterMode.FILL_OR_DROP
      unique_indices=False
      update_consts=()
      update_jaxpr=None
    ] a b c
    e:f32[5] = mul d 2.0
  in (e,) }
X
"$JAXPR" check c && "$JAXPR" norm c | "$JAXPR" check

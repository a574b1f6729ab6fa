# a parameter that both sides print is not a difference, although their types make it meaningless on one side
cat >a.jaxpr <<'END'
{ lambda ; a:f32[8,20] b:f32[20,32]. let
    c:f32[8,32] = dot_general[
      dimension_numbers=(([1], [0]), ([], []))
      preferred_element_type=float32
    ] a b
  in (c,) }
END
sed 's/a:f32/a:bf16/' a.jaxpr >b.jaxpr
"$JAXPR" diff a.jaxpr b.jaxpr
"$JAXPR" diff --stat b.jaxpr a.jaxpr
sed 's/=float32/=bfloat16/; s/c:f32/c:bf16/' a.jaxpr >c.jaxpr
"$JAXPR" diff a.jaxpr c.jaxpr

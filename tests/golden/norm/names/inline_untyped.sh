# a result without a type gets that of the call's result, so that annotating again adds nothing
cat > untyped <<'J'
{ lambda ; a:i32[] b:f32[a] c:f32[a]. let
    d:f32[a] = pjit[
      name=f
      jaxpr={ lambda ; e:i32[] f:f32[e] g. let h = sin g; i = add f h in (i,) }
    ] a b c
  in (d,) }
J
"$JAXPR" norm -q -p inline untyped | tee out
"$JAXPR" check -q out
"$JAXPR" norm -q -p annotate,inline untyped > once
"$JAXPR" norm -q -p annotate,inline once | cmp - once

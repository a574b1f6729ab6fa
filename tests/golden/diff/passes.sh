# passes come first where they are asked for
cat > a <<'X'
{ lambda ; a:f32[8]. let
    b:f32[8] = exp a
    c:f32[8] = jit[name=f jaxpr={ lambda ; a:f32[8]. let c:f32[8] = sin a; d:f32[8] = cos c in (d,) }] b
    d:f32[8] = tan c
  in (c,) }
X
cat > b <<'X'
{ lambda ; x:f32[8]. let b:f32[8] = exp x; c:f32[8] = sin b; d:f32[8] = neg c; e:f32[8] = cos c in (e,) }
X
"$JAXPR" diff --stat a b
"$JAXPR" diff -p inline,dce a b && echo equal
sed 's/sin b/sinh b/' b > c
"$JAXPR" diff -p inline,dce a c
"$JAXPR" diff --pass=inline --stat a c
"$JAXPR" diff -p inlin a c

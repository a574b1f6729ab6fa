# the canonical text of a program does not depend on how its lines were laid out: widths count bytes, not code points
cat > flat <<'P'
{ lambda ; a:f32[]. let b:f32[] = foo[k=ééééééééééééééééééééééé] a in (b,) }
P
cat > broken <<'P'
{ lambda ; a:f32[]. let
    b:f32[] = foo[k=ééééééééééééééééééééééé] a
  in (b,) }
P
"$JAXPR" norm flat | tee one
"$JAXPR" norm broken | cmp - one

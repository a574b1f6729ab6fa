cat > a <<'X'
{ lambda ; a:f32[8] b:f32[8]. let
    c:f32[8] = sin a
    d:f32[8] = cos b
    e:f32[8] = exp b
    f:f32[8] = mul c d
    g:f32[8] = add f e
  in (g,) }
X
cat > b <<'X'
{ lambda ; a:f32[8] b:f32[8]. let
    d:f32[8] = cos b
    e:f32[8] = exp b
    c:f32[8] = sin a
    f:f32[8] = mul c d
    g:f32[8] = sub f e
  in (g,) }
X
"$JAXPR" diff a b

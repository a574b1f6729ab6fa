# equations that move together are one line, a block; JSON has its length
cat > a <<'X'
{ lambda ; a:f32[8] b:f32[8]. let
    c:f32[8] = sin a
    d:f32[8] = cos c
    e:f32[8] = exp d
    f:f32[8] = tan e
    g:f32[8] = log b
    h:f32[8] = abs g
    i:f32[8] = neg h
    j:f32[8] = sqrt i
    k:f32[8] = rsqrt j
    l:f32[8] = mul f k
  in (l,) }
X
cat > b <<'X'
{ lambda ; a:f32[8] b:f32[8]. let
    g:f32[8] = log b
    h:f32[8] = abs g
    i:f32[8] = neg h
    j:f32[8] = sqrt i
    k:f32[8] = rsqrt j
    c:f32[8] = sin a
    d:f32[8] = cos c
    e:f32[8] = exp d
    f:f32[8] = tan e
    l:f32[8] = div f k
  in (l,) }
X
"$JAXPR" diff a b
"$JAXPR" diff --all a b
"$JAXPR" diff --color=always --context=0 a b
"$JAXPR" diff --format=json a b

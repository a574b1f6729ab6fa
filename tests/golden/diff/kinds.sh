cat > a <<'X'
{ lambda ; a:f32[8] b:f32[8]. let
    c:f32[8] = sin a
    d:f32[8] = mul c 2.0:f32[]
    e:f32[8] = cumsum[axis=0 reverse=False] d
    f:f32[8] = jit[
      name=inner
      jaxpr={ lambda ; g:f32[8]. let
          h:f32[8] = exp g
          i:f32[8] = neg h
        in (i,) }
    ] e
    j:f32[8] = add f b
    k:f32[8] = tanh j
  in (k,) }
X
sed -e 's/reverse=False/reverse=True/' -e 's/= exp g/= log g/' -e 's/mul c 2.0/mul c 3.0/' \
    -e 's/    k:f32\[8\] = tanh j/    l:f32[8] = abs j\n    k:f32[8] = tanh l/' a > b
"$JAXPR" diff a b
"$JAXPR" diff --stat a b
"$JAXPR" diff --first a b
"$JAXPR" diff --format=json a b
"$JAXPR" diff --sig a b
"$JAXPR" diff a a && echo same

# an equation lost its first result, another got one before the first: the other results keep their pairs
cat > a <<'Y'
{ lambda ; a:f32[4] b:f32[4]. let
    c:f32[4] d:f32[4] e:f32[4] = jit[
      name=f
      jaxpr={ lambda ; a:f32[4] b:f32[4]. let
          c:f32[4] = sin a
          d:f32[4] = cos b
          e:f32[4] = tan b
        in (c, d, e) }
    ] a b
    f:f32[4] = mul d e
    g:f32[4] = add c f
  in (f, g) }
Y
cat > b <<'Y'
{ lambda ; a:f32[4] b:f32[4]. let
    c:f32[4] d:f32[4] = jit[
      name=f
      jaxpr={ lambda ; a:f32[4]. let
          b:f32[4] = cos a
          c:f32[4] = tan a
        in (b, c) }
    ] b
    e:f32[4] = mul c d
  in (e, a) }
Y
"$JAXPR" diff a b
"$JAXPR" diff b a
"$JAXPR" diff --format=json a b
# several results of one type: their uses show which one was removed
cat > a <<'Y'
{ lambda ; a:f32[]. let
    b:f32[] c:f32[] d:f32[] = unknown a
    e:f32[] = exp b
    f:f32[] = sin c
    g:f32[] = neg d
  in (e, f, g) }
Y
cat > b <<'Y'
{ lambda ; a:f32[]. let
    b:f32[] c:f32[] = unknown a
    d:f32[] = exp b
    e:f32[] = neg c
  in (d, e) }
Y
"$JAXPR" diff a b
"$JAXPR" diff -y --columns=80 a b

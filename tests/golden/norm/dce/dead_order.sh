# unused equations are sorted by content, whatever their order and names were: a small edit changes few lines
cat >a.jaxpr <<'END'
{ lambda ; a:f32[4] b:f32[4]. let
    c:f32[4] = sin a
    d:f32[4] = cos b
    e:f32[4] = mul c d
    f:f32[4] = tanh e
    g:f32[4] = exp c
    h:f32[4] = log d
    i:f32[4] = neg a
    j:f32[4] = add h 1.0
    k:f32[4] = sub e c
  in (e,) }
END
cat >b.jaxpr <<'END'
{ lambda ; x:f32[4] y:f32[4]. let
    n:f32[4] = neg x
    d:f32[4] = cos y
    l:f32[4] = log d
    c:f32[4] = sin x
    p:f32[4] = add l 1.0
    e:f32[4] = mul c d
    q:f32[4] = sub e c
    t:f32[4] = tanh e
    g:f32[4] = exp c
  in (e,) }
END
sed 's/tanh e/logistic e/' a.jaxpr >edited.jaxpr
"$JAXPR" norm a.jaxpr
"$JAXPR" eq a.jaxpr b.jaxpr && "$JAXPR" norm b.jaxpr >b.norm && "$JAXPR" norm a.jaxpr | cmp - b.norm && echo same text
"$JAXPR" norm edited.jaxpr | diff b.norm - | grep -c '^[<>]'

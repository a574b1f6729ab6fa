cat > a.jaxpr <<'A'
{ lambda ; a:f32[4]. let
    b:f32[4] = sin a
    c:f32[4] = cos b
    d:f32[4] = jit[name=f jaxpr={ lambda ; e:f32[4]. let f:f32[4] = neg e in (f,) }] c
  in (d,) }
A
sed 's/cos b/tan b/; s/neg e/abs e/; s/in (d,)/  g:f32[4] = exp d\n  in (g,)/' a.jaxpr > b.jaxpr
"$JAXPR" graph --highlight-diff b.jaxpr a.jaxpr
echo "--- what cannot be read"
echo '{ lambda ; a:f32[4]. let b:f32[4] = = in (b,) }' > c.jaxpr
"$JAXPR" graph --highlight-diff c.jaxpr a.jaxpr
"$JAXPR" graph --highlight-diff nowhere.jaxpr a.jaxpr
"$JAXPR" graph --focus=zz a.jaxpr | tail -1
"$JAXPR" graph --radius=3 a.jaxpr
"$JAXPR" graph --focus=zz --radius=0 a.jaxpr

# -v shows the first difference that counts under the given options
cat > a <<'Y'
{ lambda ; a:f32[4] b:f32[4]. let
    c:f32[4] = add a b
    d:f32[4] = sin a
    e:f32[4] = custom_call[name=f] c
    g:f32[4] = exp e
  in (g,) }
Y
cat > b <<'Y'
{ lambda ; a:f32[4] b:f32[4]. let
    c:f32[4] = add b a
    d:f32[4] = custom_call[name=g] c
    e:f32[4] = log d
  in (e,) }
Y
"$JAXPR" eq -v a b
"$JAXPR" eq -v --commute a b
"$JAXPR" eq -v --commute --dce a b
"$JAXPR" eq -v --commute --dce --ignore-names a b

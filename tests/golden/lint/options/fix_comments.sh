# --fix removes an equation with the comment on its line, and neither comments out what follows nor removes other comments
cat > f.jaxpr << 'END'
{ lambda ; a:f32[]. let b:f32[] = sin a # one
    c:f32[] = cos a in (b,) }
{ lambda ; a:f32[]. let b:f32[] = sin a # one
    c:f32[] = cos a; d:f32[] = tan b in (d,) }
{ lambda ; a:f32[]. let # one
    c:f32[] = cos a in (a,) }
{ lambda ; a:f32[]. let
    b:f32[] = sin a # one
    c:f32[] = cos a # two
  in (b,) }
{ lambda ; a:f32[]. let
    c:f32[] = cos a # two
    # three
    b:f32[] = sin a # one
  in (b,) }
{ lambda ; a:f32[]. let
    # three
    c:f32[] = cos a # two
    # four
  in (a,) }
{ lambda ; a:f32[]. let b:f32[] = jit[name=f jaxpr={ lambda ; a:f32[]. let b:f32[] = sin a # one
    c:f32[] = cos a in (b,) }] a # three
    c:f32[] = cos a in (b,) }
{ lambda ; a:f32[]. let c:f32[] = cos a # two
    d:f32[] = tan a in (d,) }
{ lambda ; a:f32[]. let b:f32[] = sin a; c:f32[] = cos a # two
    d:f32[] = tan b in (d,) }
{ lambda ; a:f32[]. let b:f32[] = sin a; c:f32[] = cos a # two
  in (b,) }
{ lambda ; a:f32[]. let c:f32[] = cos a; b:f32[] = sin a; d:f32[] = cos a in (b,) }
END
"$JAXPR" lint --select=P308 --fix -q f.jaxpr
cat f.jaxpr
"$JAXPR" check f.jaxpr

# a new equation names a shared program: what only the right has of those is shown, and what they share in turn
cat >a.jaxpr <<'X'
let relu = { lambda ; a:f32[2]. let b:f32[2] = max a 0.0:f32[] in (b,) } in
{ lambda ; a:f32[2]. let
    b:f32[2] = jit[name=relu jaxpr=relu] a
    c:f32[2] = jit[name=relu jaxpr=relu] b
  in (c,) }
X
cat >b.jaxpr <<'X'
let relu = { lambda ; a:f32[2]. let b:f32[2] = max a 0.0:f32[] in (b,) } in
let bound = { lambda ; a:f32[2] b:f32[]. let c:f32[2] = min a b in (c,) } in
let clip = { lambda ; a:f32[2] b:f32[]. let
    c:f32[2] = max a 0.0:f32[]
    d:f32[2] = jit[name=bound jaxpr=bound] c b
  in (d,) } in
{ lambda ; a:f32[2]. let
    b:f32[2] = jit[name=relu jaxpr=relu] a
    c:f32[2] = jit[name=relu jaxpr=relu] b
    d:f32[2] = jit[name=clip jaxpr=clip] c 1.0:f32[]
    e:f32[2] = jit[
      name=outer
      jaxpr={ lambda ; a:f32[2]. let
          b:f32[2] = jit[name=clip jaxpr=clip] a 2.0:f32[]
          c:f32[2] = jit[name=relu jaxpr=relu] b
        in (c,) }
    ] d
  in (e,) }
X
"$JAXPR" diff a.jaxpr b.jaxpr
"$JAXPR" diff --side-by-side --columns=100 a.jaxpr b.jaxpr
# what goes is in the file one has; what changes inside needs no other
"$JAXPR" diff b.jaxpr a.jaxpr
sed 's/max a 0.0/max a 0.5/' b.jaxpr >c.jaxpr
"$JAXPR" diff b.jaxpr c.jaxpr
# as JSON, and where the first difference is all that is shown, those of that equation
"$JAXPR" diff --format=json a.jaxpr b.jaxpr
"$JAXPR" diff --first a.jaxpr b.jaxpr

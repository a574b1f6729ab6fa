# a new equation uses a shared program: shared programs that only the right file has are shown, with those they use
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
# a removed program is in the left file and is not shown, nor is one whose equations are compared
"$JAXPR" diff b.jaxpr a.jaxpr
sed 's/max a 0.0/max a 0.5/' b.jaxpr >c.jaxpr
"$JAXPR" diff b.jaxpr c.jaxpr
# as JSON; and if only the first difference is shown, the shared programs of that equation
"$JAXPR" diff --format=json a.jaxpr b.jaxpr
"$JAXPR" diff --first a.jaxpr b.jaxpr

# a program within a let is a later let if this names what the former contains in full, but not if it names another one
cat > sines <<'P'
let outer = { lambda ; x:f32[]. let
    y:f32[] = pjit[
      name=f
      jaxpr={ lambda ; a:f32[]. let
          b:f32[] = pjit[
            name=g
            jaxpr={ lambda ; c:f32[]. let d:f32[] = pjit[name=h jaxpr={ lambda ; e:f32[]. let f:f32[] = sin e in (f,) }] c in (d,) }
          ] a
        in (b,) }
    ] x
  in (y,) } in
let h = { lambda ; e:f32[]. let f:f32[] = sin e in (f,) } in
let g = { lambda ; c:f32[]. let d:f32[] = pjit[name=h jaxpr=h] c in (d,) } in
let f = { lambda ; a:f32[]. let
    b:f32[] = pjit[
      name=g
      jaxpr=g
    ] a
  in (b,) } in
{ lambda ; m:f32[]. let
    n:f32[] = pjit[name=outer jaxpr=outer] m
    o:f32[] = pjit[name=outer jaxpr=outer] n
    p:f32[] = pjit[name=f jaxpr=f] o
    q:f32[] = pjit[name=g jaxpr=g] p
    r:f32[] = pjit[name=h jaxpr=h] q
  in (r,) }
P
sed '/^let h/s/sin/cos/' sines > both
for file in sines both; do
    "$JAXPR" norm -q -p spell $file | grep -c '^let'
    "$JAXPR" norm -q -p inline $file
done

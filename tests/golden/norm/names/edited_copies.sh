# before 0.10.1, a shared program is printed in full inside those printed before it; if one of these copies lost a type
# or got a comment, it is the same program still, and if its own `let` is lost, all copies are one
cat > printed <<'P'
let f = { lambda ; a:f32[4]. let
    b:f32[4] = pjit[name=g jaxpr={ lambda ; a:f32[4]. let c:f32[4] = tanh a; b:f32[4] = add c 1.0:f32[] in (b,) }] a
    k:f32[4] = pjit[name=g jaxpr={ lambda ; a:f32[4]. let c:f32[4] = tanh a; b:f32[4] = add c 1.0:f32[] in (b,) }] a
    l:f32[4] = add b k
  in (l,) } in
let g = { lambda ; a:f32[4]. let
    c:f32[4] = tanh a
    b:f32[4] = add c 1.0:f32[]
  in (b,) } in
{ lambda ; m:f32[4]. let
    n:f32[4] = pjit[name=f jaxpr=f] m
    o:f32[4] = pjit[name=f jaxpr=f] m
  in (n, o) }
P
sed '7s/c:f32\[4\]/c/' printed > untyped-let
sed '2s/c:f32\[4\]/c/' printed > untyped-copy
sed '7s/$/ # no {/' printed > commented
sed '6,9d' printed > lost-let
"$JAXPR" norm -q -p inline printed > once
for edited in untyped-let untyped-copy commented lost-let; do
    for passes in spell inline annotate,spell; do
        "$JAXPR" norm -q -p $passes $edited > once
        "$JAXPR" norm -q -p $passes once | cmp once - && echo $edited $passes $(grep -c '^let' once)
    done
done

# --fix leaves everything else byte for byte, and a second --fix changes nothing
cat > f.jaxpr << 'END'
# jaxpr: ignore-file[N]
{ lambda ; a:f32[2,3]  b:f32[3].   let
    c:f32[2,3] = reshape[dimensions=None new_sizes=(2, 3)] a
    d:f32[2,3] = sin c;   e:f32[2,3] = sin a
    f:f32[2,3] = add d e  # here
    g:f32[3] = pjit[name=f jaxpr={ lambda ; x:f32[3]. let y:f32[3] = neg x; z:f32[3] = neg y in (z,) }] b
    debug_callback[callback=<function f at 0x7f0011223344> effect=Debug partitioned=False] f
    u:f32[3] = named[axes=frozenset({'y', 'x'})] b
    v:f32[3] = cos b
  in (f, g) }
END
cp f.jaxpr g.jaxpr
"$JAXPR" lint --select=ALL --ignore=G606 --diff f.jaxpr 2> messages
echo "exit $?"
cmp f.jaxpr g.jaxpr
"$JAXPR" lint --select=ALL --ignore=G606 --fix --format=gcc f.jaxpr
echo "exit $?"
cp f.jaxpr g.jaxpr
"$JAXPR" lint --select=ALL --ignore=G606 --fix -q f.jaxpr
cmp f.jaxpr g.jaxpr
"$JAXPR" lint --select=G606 --fix -q f.jaxpr
cat f.jaxpr
"$JAXPR" lint --select=P304 --fix -q < g.jaxpr | cmp - g.jaxpr

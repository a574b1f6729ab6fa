# one equation among many equal ones; sizes that follow from a change; programs of a stream paired by name, then content
{
    echo '{ lambda ; a:f32[4]. let'
    v=a
    for w in b c d e f g h; do echo "    $w:f32[4] = sin $v"; v=$w; done
    echo '  in (h,) }'
} > a
sed 's/    e:f32\[4\] = sin d/    z:f32[4] = cos d\n    e:f32[4] = sin z/' a > b
"$JAXPR" diff a b
sed 's/f32\[4\]/f32[8]/' a > b
"$JAXPR" diff a b
cat > a <<'X'
{ lambda ; a:f32[4]. let
    b:f32[4] = jit[name=f jaxpr={ lambda ; c:f32[4]. let d:f32[4] = sin c; e:f32[4] = mul d 2.0:f32[] in (e,) }] a
    f:f32[4] = jit[name=g jaxpr={ lambda ; g:f32[4]. let h:f32[4] = cos g; i:f32[4] = mul h 2.0:f32[] in (i,) }] b
  in (f,) }
X
cat > b <<'X'
{ lambda ; a:f32[4]. let
    b:f32[4] = jit[name=f jaxpr={ lambda ; c:f32[4]. let d:f32[4] = sin c; e:f32[4] = mul d 3.0:f32[] in (e,) }] a
    f:f32[4] = jit[name=g jaxpr={ lambda ; g:f32[4]. let h:f32[4] = cos g; i:f32[4] = mul h 2.0:f32[] in (i,) }] b
  in (f,) }
X
"$JAXPR" diff a b
"$JAXPR" diff --stat a b
# other spellings, addresses and sharing are not differences, as in eq
cat > a <<'X'
{ lambda ; a:f32[4]. let
    b:f32[4] = pjit[name=f jaxpr={ lambda ; c:f32[4]. let d:f32[4] = mul c 2.0 in (d,) }] a
    e:f32[4] = foo[axes=(np.int64(0),) fun=<function f at 0x7f306f84ce00> out=P(None, reduced={'y', 'x'})] b
  in (e,) }
X
cat > b <<'X'
let f = { lambda ; x:f32[4]. let y:f32[4] = mul x 2.0:f32[] in (y,) } in
{ lambda ; u:f32[4]. let
    v:f32[4] = jit[name=g jaxpr=f] u
    w:f32[4] = foo[axes=[0] fun=<function f at 0xXXXXXXXXXXXX> out=PartitionSpec(None, reduced={'x', 'y'})] v
  in (w,) }
X
"$JAXPR" eq a b && "$JAXPR" diff a b && echo same

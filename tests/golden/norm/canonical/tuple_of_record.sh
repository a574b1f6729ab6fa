# a value that newer versions hold in a tuple is spelled as inside of one, so that norm of norm is norm
cat > a <<'X'
{ lambda ; a:key<fry>[]. let
    b:key<fry>[2] = random_split[shape=ClosedJaxpr(jaxpr=(2,), consts=[])] a
    c:f32[2] = device_put[device=[cpu(id=0),[1, 2]] src=np.array([1,2])] b
  in (b, c) }
X
"$JAXPR" norm -q a > b
cat b
"$JAXPR" norm -q b | cmp - b && echo same

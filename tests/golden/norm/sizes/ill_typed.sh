# a pass that depends on types leaves a program with errors unchanged unless it repairs them, and continues with the
# next
cat > stream <<'J'
{ lambda ; a:i64[] b:f64[a] c:f64[3] d:f64[4]. let
    _:i64[] e:f64[OutDBIdx(val=0)] = quantum_kernel[qnode=f] a
    f:f64[3] = add c d
  in (e, f) }
{ lambda ; a:i64[]. let
    _:i64[] b:f64[OutDBIdx(val=0)] = quantum_kernel[qnode=f] a
  in (b,) }
{ lambda ; a:f64[3] b:f64[4]. let c = sin a; d:f64[3] = add a b in (c, d) }
J
for pass in repair annotate collapse expand repair,dce; do
    echo "== $pass"
    "$JAXPR" norm -q -p $pass stream
    echo "exit $?"
done
echo "== its errors, not those that were cured"
"$JAXPR" norm --format=gcc -p repair stream 2>&1 >out
echo "== structure is taken as it is printed"
printf '{ lambda a:f64[3]; b:f64[4]. let c:f64[3] = add a b; d:f64[3] = sin a in (d,) }\n' > structure
"$JAXPR" norm -p constants,dce structure

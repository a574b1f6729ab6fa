# a program that would be very long without sharing is refused before anything is written
python3 - << 'END' > doubling
n = 24
for i in range(n):
    print("let f%d = { lambda ; a:f32[]. let c:f32[] = jit[jaxpr=f%d] a; b:f32[] = jit[jaxpr=f%d] c in (b,) } in" % (i, i + 1, i + 1))
print("let f%d = { lambda ; a:f32[]. let b:f32[] = sin a in (b,) } in" % n)
print("{ lambda ; a:f32[]. let b:f32[] = jit[name=f jaxpr=f0] a in (b,) }")
END
cp doubling kept
for old in "fmt --jax=0.4.13" "fmt -w --jax=0.4.13" "norm --era=0.4.13" "norm -p spell --jax=0.4.13" "norm -p dce --jax=0.4.13"; do
    "$JAXPR" $old doubling 2>&1 | head -1
done
cmp doubling kept
# a program with few calls is written, unless --max-output is smaller
cat > few << 'END'
let f = { lambda ; a:f32[]. let b:f32[] = sin a in (b,) } in
{ lambda ; a:f32[]. let b:f32[] = jit[name=f jaxpr=f] a; c:f32[] = jit[name=f jaxpr=f] b in (c,) }
END
"$JAXPR" fmt --jax=0.4.13 --max-output=4 few
"$JAXPR" fmt --jax=0.4.13 --max-output=3 few || echo "exit $?"
# a file is not overwritten unless all of its programs can be written
printf '{ lambda ; a:f32[]. let b:f32[] = sin q in (b,) }\n' > unbound
"$JAXPR" fmt -w --jax=0.4.13 unbound || echo "exit $?"
cat unbound

printf '{ lambda ; a:f32[] b:f32[]. let c:f32[] = add a b; d:f32[] = mul c c in (c,) }\n' > a
printf '{ lambda ; a:f32[] b:f32[]. let c:f32[] = add b a in (c,) }\n' > b
"$JAXPR" eq -q a b || echo other
"$JAXPR" eq -q --dce a b || echo still other
"$JAXPR" eq --dce --commute a b && echo same
printf '{ lambda ; a:f32[]. let b:f32[] = sin a; c:f32[] = cos a; d:f32[] = add b c; e:f32[] = mul c b in (d,) }\n' > a2
sed 's/add b c/add c b/; s/mul c b/mul b c/' a2 > b2
"$JAXPR" eq --commute a2 b2 && echo the same, although other operands come first
sed 's/mul c b/sub c b/' a2 > a3
sed 's/sub c b/sub b c/' a3 > b3
"$JAXPR" eq -q --commute a3 b3 || echo other
printf '{ lambda ; a:f32[2]. let b:f32[2] = cumsum[axis=0 reverse=True] a in (b,) }\n' > c
sed 's/True/False/' c > d
"$JAXPR" eq -q c d || echo other
"$JAXPR" eq --ignore-params=reverse c d && echo same
printf '{ lambda ; a:c64[] b:c64[]. let c:c64[] = mul a b in (c,) }\n' > f
sed 's/mul a b/mul b a/' f > g
"$JAXPR" eq -q --commute f g || echo other: the last bit depends on the order
cat c a > e
"$JAXPR" eq c e

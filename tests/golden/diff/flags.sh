# options together: very few columns; the counts of all differences beside the first one; no difference of the interface
cat > a <<'X'
{ lambda ; a:f32[8]. let b:f32[8] = sin a; c:f32[8] = mul b 2.0:f32[]; d:f32[8] = exp c in (d,) }
X
sed 's/sin/cos/; s/2.0/3.0/' a > b
"$JAXPR" diff -y --columns=0 -U 0 a b
"$JAXPR" diff --first --stat a b
"$JAXPR" diff --first -U 0 a b
"$JAXPR" diff --sig a b && "$JAXPR" diff --sig --stat a b && echo 'the same interface'
"$JAXPR" diff -q --format=json a b

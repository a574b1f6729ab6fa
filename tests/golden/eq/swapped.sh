# the value that swap returns has the type of the ref, also if the number that is stored has no type
cat > a <<'X'
{ lambda ; a:Ref{float32[]}. let b:f32[], a[] <- a[], 0.0 in (b,) }
X
sed 's/b:f32\[\], a/b:f16[], a/' a > b
"$JAXPR" eq -q a b 2>/dev/null
echo $?
"$JAXPR" diff -q a b 2>/dev/null
echo $?

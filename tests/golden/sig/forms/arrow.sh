# types with an arrow between them; JAX's tuples where sizes refer to positions, and on request; both forms can be read
cat > step <<'EOF'
{ lambda ; w:f32[16,16] x:f32[8,16]. let y:f32[8,16] = dot_general[dimension_numbers=(([1], [0]), ([], []))] x w in (y,) }
EOF
"$JAXPR" sig step | tee arrow
"$JAXPR" sig --in-type step | tee tuples
"$JAXPR" sig --read arrow tuples
"$JAXPR" sig --read --in-type arrow
echo '{ lambda ; . let  in () }' | "$JAXPR" sig | tee empty
"$JAXPR" sig --read empty
echo '{ lambda ; a:i32[] b:f32[a]. let  in (a, b) }' | "$JAXPR" sig
"$JAXPR" sig --explicit=0 step
echo '(f32[8] -> f32[3]' | "$JAXPR" sig --read
echo '(f32[8]) ->' | "$JAXPR" sig --read
printf '(f32[8]) -> (f32[3], f32[])\n-> f32[3]\n(f32[8]) -> (f32[3]]\n' | "$JAXPR" sig --read
echo '-> DBIdx(0)]' | "$JAXPR" sig --read
echo '((i64[],false),(f64[DBIdx(0)],true))' | "$JAXPR" sig --read
true

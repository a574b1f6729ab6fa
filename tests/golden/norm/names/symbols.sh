# passes name variables as JAX does, but none like a symbol if the symbol would then be read as a variable
cat > bound_later <<'J'
{ lambda ; e:f64[d] f:i64[] g:f64[d]. let
    h:i64[] = add f 1
    i:f64[d] = add g e
  in (h, i) }
J
cat > bound_before <<'J'
{ lambda ; b:f64[1] c:f64[a]. let d:f64[a] = add b c in (d,) }
J
cat > harmless <<'J'
{ lambda ; c:f32[b]. let d:f32[b] = sin c in (d,) }
J
for file in bound_later bound_before harmless; do
    "$JAXPR" check -q $file
    "$JAXPR" norm -p spell $file | tee out
    "$JAXPR" check -q out
done

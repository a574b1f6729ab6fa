# literals keep their types in versions that print none, if one would be read as another number without
cat > a <<'X'
{ lambda ; a:f64[3]. let
    b:f64[3] = add a 0.1:f64[]
    c:bool[] = is_finite 0.1:f64[]
  in (b, c) }
{ lambda ; a:f64[3]. let b:f64[3] = add a 0.1:f64[] in (b, 1:i32[]) }
{ lambda ; a:f64[3]. let b:f64[3] = add a 0.1:f64[] in (b, 1:i64[]) }
X
"$JAXPR" norm --era=0.4.28 a > b
cat b
"$JAXPR" eq -q a b && echo same
"$JAXPR" norm --era=0.4.28 -q b | cmp - b && echo twice

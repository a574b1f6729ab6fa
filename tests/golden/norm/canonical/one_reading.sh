# a whole ref among several indexes, and the base of a power, are read in one way
cat > a <<'X'
{ lambda a:i32[2] b:i32[2]; c:Ref{f32[3,3,2,4]} d:f32[2,2]. let
    c[:,:,:,:][0,:,:,:][a,:,b] += d
  in () }
X
"$JAXPR" norm a | "$JAXPR" eq -q a - && echo same
"$JAXPR" norm - <<'X'
{ lambda ; a:f64[3] b:i32[]. let c:f64[] = pow 0.9 b; d:f64[3] = mul a c in (d,) }
X
echo '{ lambda ; a:f32[3]. let b:f32[3] = reshard a in (b,) }' | "$JAXPR" norm --era=0.5.3

printf '{ lambda ; a:f32[8] b:i32[]. let c:f32[8] = sin a in (c, b) }\n' > a
printf '{ lambda ; a:f32[9]. let c:f32[9] = sin a in (a, c) }\n' > b
"$JAXPR" diff a b
"$JAXPR" diff --sig a b

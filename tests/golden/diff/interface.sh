printf '{ lambda ; a:f32[8] b:i32[]. let c:f32[8] = sin a in (c, b) }\n' > a
printf '{ lambda ; a:f32[9]. let c:f32[9] = sin a in (a, c) }\n' > b
"$JAXPR" diff a b
"$JAXPR" diff --sig a b
# results whose types alone differ, and one that is new
printf '{ lambda ; a:f32[8] b:i32[]. let c:f16[8] = sin a in (c, b) }\n' > c
"$JAXPR" diff --sig a c
printf '{ lambda ; a:f32[8] b:i32[]. let c:f32[8] = sin a; d:f32[] = reduce_sum[axes=(0,)] c in (d, c, b) }\n' > d
"$JAXPR" diff --sig a d
# other values of the same types
printf '{ lambda ; a:f32[8] b:i32[]. let c:f32[8] = cos a in (c, b) }\n' > e
"$JAXPR" diff --sig a e && echo the same

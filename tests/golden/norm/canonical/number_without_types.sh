# without types, a number may have any type: f32 here would contradict the second equation
printf '{ lambda ; a. let b = mul a 2.0; c = mul b 2.0:f64[] in (c,) }\n' > untyped
printf '{ lambda ; a. let b = mul a 2.0; c = mul b 3 in (c,) }\n' > small
"$JAXPR" norm -q untyped small | tee canonical
"$JAXPR" check -q canonical

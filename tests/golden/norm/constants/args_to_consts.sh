# the first arguments of a program become constants, together with the sizes of their types or not at all
printf '{ lambda ; n:i64[] b:f64[n] c:f64[]. let d:f64[n] = mul b c in (d,) }\n' > sized
printf '{ lambda ; b:f64[n] n:i64[]. let  in (b,) }\n' > too_early
"$JAXPR" norm -p args-to-consts --count=2 sized
"$JAXPR" norm -p args-to-consts --count=1 too_early
"$JAXPR" norm -p args-to-consts --count=4 sized
# the pass needs a number, and the number needs the pass
"$JAXPR" norm --count=2 sized || echo "exit $?"
"$JAXPR" norm -p dce,args-to-consts sized || echo "exit $?"

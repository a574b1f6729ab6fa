# a call whose result has another size than its nested program returns is a wrong program, with a digest of its own
printf '{ lambda ; a:i32[] b:f32[a]. let\n    c:f32[a] = pjit[name=f jaxpr={ lambda ; d:i32[] e:f32[d]. let f:f32[d] = sin e in (f,) }] a b\n  in (c,) }\n' > right
sed 's/c:f32\[a\]/c:f32[3]/' right > wrong
"$JAXPR" hash right wrong | cut -c1-12 | uniq | wc -l
"$JAXPR" eq -q right wrong || echo "differ: $?"
"$JAXPR" check -q wrong || echo "wrong: $?"

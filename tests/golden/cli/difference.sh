# -l lists files, -d shows differences, --check reports; a carriage return or a missing last newline is a difference too
printf '{ lambda ; a:f32[] b:f32[]. let\n    c:f32[] = mul a b\n  in (c,) }\n' > one
printf '{ lambda ; a:f32[]. let b:f32[] = sin a in (b,) }' > two
printf '{ lambda ; a:f32[]. let b:f32[] = sin a in (b,) }\r\n' > three
printf '{ lambda ; a:f32[]. let b:f32[] = sin a in (b,) }\n' > four
"$JAXPR" fmt -l one two three four; echo "exit $?"
"$JAXPR" fmt -d one two four; echo "exit $?"
"$JAXPR" fmt --check one two four; echo "exit $?"
"$JAXPR" fmt --check --quiet one; echo "exit $?"
"$JAXPR" fmt -d one > patch; patch -s one < patch && "$JAXPR" fmt --check one; echo "exit $?"

# only programs that bind the variable of --focus are drawn; if none does, nothing is drawn
printf '{ lambda ; a:f32[3]. let b:f32[3] = sin a in (b,) }\n{ lambda ; c:f32[3]. let d:f32[3] = cos c in (d,) }\n' > two
"$JAXPR" graph --focus=d two
echo "exit $?"
"$JAXPR" graph --focus=nosuch two
echo "exit $?"

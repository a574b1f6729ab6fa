# a reader that closes the pipe early causes no message
i=0
while [ $i -lt 3000 ]; do echo '{ lambda ; a:f32[]. let b:f32[] = sin a in (b,) }'; i=$((i + 1)); done > many
{ "$JAXPR" fmt many many many; echo "exit $?" > status; } | head -n 1
{ (trap '' PIPE; "$JAXPR" fmt many many many); echo "exit $?" > ignored; } | head -n 1
cat ignored

# a file that is not a baseline is an error; comments and blank lines are allowed, and so is an empty one
echo '{ lambda ; a:f32[]. let b:f32[] = sin a; _:f32[] = cos a in (b,) }' > f.jaxpr
"$JAXPR" lint --select=P308 --baseline=base --write-baseline f.jaxpr 2> /dev/null
sed -i -e '1i # findings of old programs' -e '1i\\' base
"$JAXPR" lint --select=P308 --baseline=base f.jaxpr && echo clean
"$JAXPR" lint --select=P308 --baseline=/dev/null --format=gcc f.jaxpr
for other in 'P308 0123456789abcdef' 'P308 0123456789ABCDEF f.jaxpr' "$("$JAXPR" lint --select=P308 --format=json f.jaxpr)"; do
    printf '# a comment\n%s\n' "$other" > other
    "$JAXPR" lint --select=P308 --baseline=other f.jaxpr
    echo "exit $?"
done
"$JAXPR" lint --select=P308 --baseline=f.jaxpr f.jaxpr
echo "exit $?"

# any input gives success or a located error, never a crash
head -c 1000000 /dev/zero | "$JAXPR" check --format=gcc; echo "exit $?"
printf '{ lambda ; a:f32[]. let b:f32[] = sin \377 in (b,) }' | "$JAXPR" check --format=gcc; echo "exit $?"
printf '' | "$JAXPR" check --format=gcc; echo "exit $?"
printf '\n\n   \n' | "$JAXPR" check --format=gcc; echo "exit $?"
head -c 1048576 /dev/zero | tr '\0' 'a' > name
{ printf '{ lambda ; '; cat name; printf ':f32[]. let  in ('; cat name; printf ',) }\n'; } > long_name
"$JAXPR" check long_name; echo "exit $?"
"$JAXPR" fmt long_name > laid_out; "$JAXPR" fmt laid_out | cmp - laid_out && wc -c < laid_out
{ printf '{ lambda ; a:f32[]. let\n    b:f32[] = foo[s='; cat name name name name; printf '] a\n  in (b,) }\n'; } > long_value
"$JAXPR" check long_value; echo "exit $?"
for c in '{' '[' '(' '}' ']' ')' '{ lambda ; . let a = f[x=' '"' ; do
    awk -v c="$c" 'BEGIN { for (i = 0; i < 20000; i++) printf "%s", c }' | "$JAXPR" check --format=gcc --max-findings=1 > out 2>&1
    echo "$c: exit $?"
done

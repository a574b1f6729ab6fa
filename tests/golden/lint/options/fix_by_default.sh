# These rules read the text alone; no equation has been checked when their fixes are applied
printf '{ lambda ; a:f32[3]. let\n    b:f32[3] = sin a\n  in (b,) }\n' > plain
printf '{ \033[34mlambda\033[39m ; a:f32[3]. let\n    b:f32[3] = sin a\n  in (b,) }\n' > coloured
for file in plain coloured; do
    cp "$file" "$file.before"
    "$JAXPR" lint --select=G601,G604 --diff "$file"
    echo "exit $?"
    "$JAXPR" lint --select=G601,G604 --fix "$file"
    echo "exit $?"
    cmp "$file" plain.before && echo plain
done

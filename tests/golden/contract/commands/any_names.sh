# what init prints is a contract for the file, whatever its name; the values that update prints are escaped
program='{ lambda ; a:f32[3]. let b:f32[3] = sin a; c:f32[3] = equations b in (c,) }'
bytes=$(printf 'a\377\303\251.jaxpr')
for name in '[x].jaxpr' '*.jaxpr' 'a?[!b].jaxpr' 'a\b.jaxpr' "a\"b'.jaxpr" "$bytes"; do
    echo "$program" > "$name"
    $JAXPR contract init --counts "$name" > .jaxpr.yaml
    $JAXPR contract check "$name" && grep files .jaxpr.yaml
    rm "$name"
done
echo '== a pattern that was a name matches no other file'
echo "$program" > '*.jaxpr'
echo "$program" > other.jaxpr
$JAXPR contract init '*.jaxpr' > .jaxpr.yaml
$JAXPR contract check --format=gcc other.jaxpr
sed -n 's/^ *\([^ ]*equations\)/\1/p' .jaxpr.yaml
echo '== update'
printf '%s\n' 'contracts:' '  - count: {"sin": "7\n", "equ\u202eations": 2, "\e[31mcos": 3}' \
    '    signature: {in_type: "((f32[n\e],True),)"}' > .jaxpr.yaml
$JAXPR contract update other.jaxpr
echo '== NUL'
printf '%s\n' 'contracts: [{forbid: "sin\0x"}]' > .jaxpr.yaml
$JAXPR contract check other.jaxpr
echo "status $?"

# a rule with more than ten findings shows three of them and counts the others; machine-readable formats list all
{
    echo '{ lambda ; a:f32[]. let'
    for i in 1 2 3 4 5 6 7 8 9 10 11 12; do echo "    _:f32[] = sin a"; done
    echo '  in (a,) }'
} > many
"$JAXPR" lint --select=P308 many
"$JAXPR" lint --select=P308 --format=gcc many | grep -c P308
"$JAXPR" lint --select=P308 --format=jsonl many | grep -c P308
"$JAXPR" lint --select=P308 --max-findings=11 many | grep -c P308
sed 2,3d many > ten
"$JAXPR" lint --select=P308 ten | grep -c P308
# --fix always says what it did and which option adds rules
"$JAXPR" lint --fix many
"$JAXPR" lint --fix --select=P308 many
"$JAXPR" lint --fix --select=P308 many
true

# many findings are grouped by code, each group closed; in a comparison, numbers that differ are marked
{
    echo '{ lambda ; a:f32[4]. let'
    for i in 1 2 3 4 5 6 7 8 9 10 11 12; do echo "    b$i:f32[] = sin q$i"; done
    printf '    c:f32[4] = sin q\n    d:f32[] = add a a\n  in (d,) }\n'
} > many.jaxpr
"$JAXPR" report many.jaxpr | sed -n '/ findings</,/^<p>/p'
echo '{ lambda ; a:f32[4]. let b:f32[4] = sin a; c:f32[4] = mul b b in (c,) }' > one.jaxpr
echo '{ lambda ; a:f32[4]. let b:f32[4] = sin a; c:f32[4] = mul b b; d:f32[4] = mul c b in (d,) }' > other.jaxpr
"$JAXPR" report one.jaxpr --highlight-diff=other.jaxpr | sed -n '/class="both"/,/table/p'

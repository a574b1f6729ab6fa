# equal changes are shown once and counted; another value is another change; --all shows every one
step() {
    printf '{ lambda ; a:f32[4] b:f32[4,2] c:f32[4]. let\n'
    for i in 1 2 3 4 5 6; do
        n=$1; [ $i = 5 ] && n=$2
        printf '    m%d:f32[4] = mul %s:f32[] a\n    s%d:f32[4] = sub c m%d\n' $i "$n" $i $i
        printf '    x%d:f32[4] = exp s%d\n    y%d:f32[4] = sin x%d\n    z%d:f32[4] = cos y%d\n' $i $i $i $i $i $i
        printf '    p%d:f32[4] = tan z%d\n    q%d:f32[4] = abs p%d\n    r%d:f32[4] = neg q%d\n' $i $i $i $i $i $i
    done
    printf '  in (r1, r2, r3, r4, r5, r6) }\n'
}
step 0.10000000149011612 0.10000000149011612 > a
step 0.009999999776482582 0.5 > b
"$JAXPR" diff a b
"$JAXPR" diff --all --context=0 a b
"$JAXPR" diff -y --columns=90 --context=0 a b
# runs of new equations, whatever their shapes; arguments and results that only one side has
cat > a <<'X'
{ lambda ; a:f32[4]. let b:f32[4] = exp a in (b,) }
X
{
    printf '{ lambda ; a:f32[4] p:f32[4] q:f32[4,2] r:f32[2]. let\n    b:f32[4] = exp a\n'
    i=0
    for t in 4 '4, 2' 2 '2, 4'; do
        i=$((i + 1))
        printf '    k%d:f32[%s] = broadcast_in_dim[broadcast_dimensions=() shape=(%s,) sharding=None] 0.0:f32[]\n' $i "$(echo "$t" | tr -d ' ')" "$t"
        printf '    l%d:f32[%s] = neg k%d\n' $i "$(echo "$t" | tr -d ' ')" $i
    done
    printf '  in (b, p, q, r) }\n'
} > b
"$JAXPR" diff a b
"$JAXPR" diff --stat a b

# which of two lets with equal text a program printed in full refers to: a let that is used once (nothing else would
# have made a let of it), else the first one after it; naming twice gives the same as naming once
G='{ lambda ; c:f32[]. let d:f32[] = sin c in (d,) }'
program() {
    cat <<X
let f = { lambda ; a:f32[]. let b:f32[] = pjit[name=g jaxpr=$G] a in (b,) } in
let g = $G in
let f1 = { lambda ; a:f32[]. let b:f32[] = pjit[name=g jaxpr=$G] a in (b,) } in
let g1 = $G in
{ lambda ; e:f32[]. let
    f:f32[] = pjit[name=f jaxpr=f] e
    g:f32[] = pjit[name=f jaxpr=f] f
    h:f32[] = pjit[name=g jaxpr=$1] g
    i:f32[] = pjit[name=g jaxpr=$2] h
    j:f32[] = pjit[name=g jaxpr=$3] i
    k:f32[] = mystery[jaxpr=f1] j
    l:f32[] = mystery[jaxpr=f1] k
    m:f32[] = cos l
  in (l,) }
X
}
for uses in 'g g1 g1' 'g g g1'; do
    program $uses > a
    "$JAXPR" norm --jax=0.4.28 -p dce a > b
    "$JAXPR" norm --jax=0.4.28 -p dce b | cmp b - && cat b
done

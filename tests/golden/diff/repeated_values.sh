# a value is computed several times, and the programs differ only in which equations use which copy: eq sees it
cat > a <<'X'
{ lambda ; a:f32[]. let
    b:f32[] = sin a
    c:f32[] = sin a
    d:f32[] = cos b
    e:f32[] = cos b
    f:f32[] = cos c
    g:f32[] = cos c
    h:f32[] = tan d
    i:f32[] = exp e
    j:f32[] = log f
    k:f32[] = neg g
  in (h, i, j, k) }
X
sed 's/ e:f32\[\] = cos b/ e:f32[] = cos c/; s/ f:f32\[\] = cos c/ f:f32[] = cos b/' a > b
"$JAXPR" diff a b
"$JAXPR" eq a b
# a ring of six and two rings of three: every equation is used in the same way, so only the whole program differs
ring() {
    echo '{ lambda ; a:f32[]. let'
    for i in b c d e f g; do echo "    $i:f32[] = sin a"; done
    for i in "$@"; do echo "    ${i%:*}:f32[] = add ${i#*:}"; done
    echo '  in (a,) }'
}
ring 'h:b c' 'i:c d' 'j:d e' 'k:e f' 'l:f g' 'm:g b' > a
ring 'h:b c' 'i:c d' 'j:d b' 'k:e f' 'l:f g' 'm:g e' > b
"$JAXPR" diff a b
"$JAXPR" eq a b
ring 'h:g b' 'i:b c' 'j:c d' 'k:d e' 'l:e f' 'm:f g' > b
"$JAXPR" diff a b && "$JAXPR" eq a b && echo same
cat a a > two
ring 'h:b c' 'i:c d' 'j:d b' 'k:e f' 'l:f g' 'm:g e' > c
cat a c > other
"$JAXPR" diff --stat two other
# if something else differs as well, the nested program is compared
call() { echo '{ lambda ; a:f32[]. let b:f32[] = jit[name=f jaxpr='"$(cat "$1")"; echo "] a; c:f32[] = $2 b in (c,) }"; }
call a cos > d
call c tan > e
"$JAXPR" diff d e

# up to 24 binders of a nested program are drawn as a node each and counted so, which leaves no room for the program
# after them; 25 binders are one node
program() {
    echo '{ lambda ; a:f32[]. let'
    echo "    y:f32[] = jit[name=f jaxpr={ lambda ; $(seq -s ' ' -f 'b%g:f32[]' "$1"). let"
    echo "        z:f32[] = add b1 b2 in (z,) }] $(yes a | head -"$1" | tr '\n' ' ')"
    echo '    x:f32[] = jit[name=g jaxpr={ lambda ; x0:f32[]. let'
    for k in $(seq 100); do
        echo "        x$k:f32[] = sin x$((k - 1))"
    done
    echo '      in (x100,) }] y'
    echo '  in (x,) }'
}
for n in 23 24 25; do
    program "$n" > "$n.jaxpr"
    "$JAXPR" graph --nodes=60 "$n.jaxpr" > "$n.dot"
    echo "$n binders: $(grep -c '^[a-z][0-9]* \[' "$n.dot") nodes, $(grep -c '^subgraph' "$n.dot") programs"
done

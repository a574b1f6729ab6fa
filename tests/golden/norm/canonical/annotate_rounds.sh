# types go from a later call to an earlier one of the same program, once for each program: all are found, or, where that
# would take too long, none, so that a second run changes nothing
chain() {
    awk -v n="$1" 'BEGIN {
        for (i = 0; i < n; i++) printf "let f%d = { lambda ; p. let in (p,) } in\n", i
        print "{ lambda ; s:f32[3]. let\n    x = mystery s"
        for (i = 0; i < n; i++) printf "    y%d = jit[name=f%d jaxpr=f%d] x\n", i, i, i
        for (i = n - 1; i >= 0; i--) printf "    z%d = jit[name=f%d jaxpr=f%d] %s\n", i, i, i, i ? "y" (i - 1) : "s"
        printf "  in (y%d,) }\n", n - 1
    }' > chain
    "$JAXPR" norm -q -p annotate chain > once
    grep -o ":f32" once | wc -l
    "$JAXPR" norm -q -p annotate once | cmp - once
}
chain 1
chain 40
chain 2500

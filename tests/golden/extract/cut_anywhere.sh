# A program is parsed for the first time after 4096 bytes. Here that limit falls on every byte of a line that begins
# another shared program, which the first one refers to.
for pad in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    name=$(printf 'f%0*d' $((pad + 40)) 0)
    {
        echo "let $name = { lambda ; a:f32[2]. let"
        i=0
        while [ $i -lt 165 ]; do
            echo "    b$(printf '%03d' $i):f32[2] = sin a"
            i=$((i + 1))
        done
        echo "    c:f32[2] = jit[name=g jaxpr=g] a"
        echo "  in (c,) } in"
        echo "let g = { lambda ; d:f32[2]. let e:f32[2] = cos d in (e,) } in"
        echo "{ lambda ; h:f32[2]. let i:f32[2] = jit[name=f jaxpr=$name] h in (i,) }"
    } > "$pad"
    "$JAXPR" extract "$pad" | cmp - "$pad"
done
echo all whole

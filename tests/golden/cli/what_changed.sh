# hunks: inside nested programs, code that moved, types that follow, streams of unequal length, every form of output
cat > one <<'END'
{ lambda ; a:f32[8] b:f32[8]. let
    print[fmt=x] a
    c:f32[8] = sin a
    d:f32[8] = mul c 2.0:f32[]
    e:f32[8] i:f32[] = scan[
      jaxpr={ lambda ; f:f32[8] k:f32[]. let
          g:f32[8] = exp f
          l:f32[8] = log g
        in (l, k) }
      length=3
      linear=(False, False)
      num_carry=2
      num_consts=0
      reverse=False
      unroll=1
    ] d 0.0:f32[]
    h:f32[8] = add e b
  in (h, i) }
END
sed 's/exp f/tanh f/; s/length=3/length=4/' one > inside
sed '/print/d' one | sed '/ d:f32/a\    print[fmt=x] a' > moved
sed 's/f32\[8\]/f32[16]/g' one > larger
cat one inside > two
for other in inside moved larger two; do
    echo "== $other"
    "$JAXPR" diff one $other; echo "exit $?"
done
echo '== forms'
"$JAXPR" diff --first -U 0 one inside
"$JAXPR" diff --side-by-side --columns=100 one inside
"$JAXPR" diff --stat one moved
"$JAXPR" diff --sig one inside; echo "exit $?"
"$JAXPR" diff --format=json -U 0 one moved
"$JAXPR" diff --color=always -U 0 one inside
"$JAXPR" diff one nowhere; echo "exit $?"

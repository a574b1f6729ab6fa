# equations of one name stack are folded into one box, and so are consecutive ones without a name stack; there are at
# most as many boxes as asked for
{
    echo '{ lambda ; a:f32[4]. let'
    v=a
    for i in 1 2 3; do
        for k in 1 2 3 4 5; do
            echo "    x${i}${k}:f32[4] = sin $v  # model.py:$k:2 (f)"
            echo "               # [layer_$i]"
            v=x${i}${k}
        done
    done
    for k in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25; do
        echo "    y${k}:f32[4] = cos $v"
        v=y${k}
    done
    echo "  in ($v,) }"
} > a.jaxpr
"$JAXPR" graph --nodes=10 a.jaxpr | grep -e "k[0-9]" -e "^e15" -e "^v"
echo "--- what differs colours the box that holds it"
sed 's/x23:f32\[4\] = sin/x23:f32[4] = tan/' a.jaxpr > b.jaxpr
"$JAXPR" graph --nodes=10 --highlight-diff=b.jaxpr a.jaxpr | grep orange
echo "--- nothing folded"
"$JAXPR" graph --nodes=0 a.jaxpr | grep -c '^e[0-9]* \['

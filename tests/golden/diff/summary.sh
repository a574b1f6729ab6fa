# a long change on one screen: grouped by source line or, if none is printed, by the call that holds the equations
cat > a <<'X'
{ lambda ; a:f32[4] n:f32[4]. let
    b:f32[4] = mul a 0.10000000149011612:f32[] # /x/site-packages/optax/update.py:12:15 (scale)
    c:f32[4] = mul b 0.10000000149011612:f32[] # /x/site-packages/optax/update.py:12:15 (scale)
    d:f32[4] = sin c # train.py:7:3 (loss)
    e:f32[4] = tan d # train.py:7:9 (loss)
    f:f32[4] = jit[name=body jaxpr={ lambda ; a:f32[4]. let b:f32[4] = exp a; c:f32[4] = neg b in (c,) }] e # train.py:9:1 (step)
    g:f32[4] = neg n
  in (f, g) }
X
cat > b <<'X'
{ lambda ; a:f32[4]. let
    b:f32[4] = mul a 0.009999999776482582:f32[] # /x/site-packages/optax/update.py:12:15 (scale)
    c:f32[4] = mul b 0.009999999776482582:f32[] # /x/site-packages/optax/update.py:12:15 (scale)
    f:f32[4] = jit[name=body jaxpr={ lambda ; a:f32[4]. let b:f32[4] = log a; c:f32[4] = abs b; d:f32[4] = sign c; e:f32[4] = neg d in (e,) }] c # train.py:9:1 (step)
  in (f,) }
X
"$JAXPR" diff --summary a b
"$JAXPR" diff --summary a a && echo the same
sed 's/ # .*//' a > a2
sed 's/ # .*//' b > b2
"$JAXPR" diff --summary a2 b2
# many places are one line
for x in a b; do
    { printf '{ lambda ; a:f32[]. let\n'
      for i in $(seq 40); do
          n=$i; [ $x = b ] && n=$((i + 100))
          printf '    v%d:f32[] = add a %d.0:f32[] # f.py:%d:1 (f)\n' $i $n $i
      done
      printf '  in (v1,) }\n'; } > $x
done
"$JAXPR" diff --summary a b | tail -3

# blanks that JAX never prints are removed at once, and the program stays the same
cat > a <<'J'
{ lambda ; a:f32[3] b:f32[2,2]. let
    c:f32[3] = reshape[new_sizes=[3 ]] a
    d:f32[4] = reshape[new_sizes=( 4 ,)] b
    e:f32[1] = foo[
      axes=[ ]
      counts=( (0,1) ,[ 2 ,
      3 ])
      held=frozenset( )
      set={ 2 , 1 }
      size=[2*b - 1]
      table=[[ 0  1 ]
       [2 3]]
      value=np.int64( 3 )
    ] b
  in (c, d, e) }
J
"$JAXPR" norm a > b
cat b
"$JAXPR" norm b | cmp - b
"$JAXPR" eq a b
echo "eq $?"

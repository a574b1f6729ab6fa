# all values in another precision: the arguments differ and other types follow; hunks also show what is printed
# differently
cat > a <<'X'
{ lambda ; a:f32[2,8] b:f32[8,4]. let
    c:f32[2,4] = dot_general[
      dimension_numbers=(([1], [0]), ([], []))
      preferred_element_type=float32
    ] a b
    d:f32[2,4] = jit[
      name=relu
      jaxpr={ lambda ; c:f32[2,4]. let d:f32[2,4] = max c 0.0:f32[] in (d,) }
    ] c
    e:bool[2,4] = gt d 1.0:f32[]
  in (d, e) }
X
sed 's/f32/bf16/g; s/float32/bfloat16/' a > b
"$JAXPR" diff a b
"$JAXPR" diff --format=json a b
# a scan has one more constant: what it prints for each operand follows from that
cat > a <<'X'
{ lambda ; a:f32[4] b:f32[4]. let
    c:f32[4] = scan[
      _split_transpose=False
      jaxpr={ lambda ; d:f32[4]. let e:f32[4] = sin d in (e,) }
      length=3
      linear=(False,)
      num_carry=1
      num_consts=0
      reverse=False
      unroll=1
    ] a
  in (c,) }
X
sed 's/lambda ; d:f32/lambda ; f:f32[4] d:f32/; s/sin d/mul d f/; s/(False,)/(False, False)/; s/num_consts=0/num_consts=1/; s/\] a$/] b a/' a > b
"$JAXPR" diff a b
"$JAXPR" diff --format=json a b
# the trees of a scan, shown as counts
cat > a <<'X'
{ lambda ; a:f32[4] b:f32[4]. let
    c:f32[4] = scan[
      ft_in=((None,), (None,), ())
      ft_out=((None,), ())
      jaxpr={ lambda ; d:f32[4] e:f32[4]. let f:f32[4] = mul d e in (f,) }
      length=3
      reverse=False
      unroll=1
    ] a b
  in (c,) }
X
sed 's/((None,), (None,), ())/((), (None,), ())/; s/d:f32.4. e/e/; s/mul d e/sin e/; s/\] a b/] b/' a > b
"$JAXPR" diff --format=json a b

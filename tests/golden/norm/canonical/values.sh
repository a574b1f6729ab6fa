# values keep what is needed to read them: types their brackets, tuples of one value their comma, numbers their type;
# text beside a nested program changes nothing of that
cat >a.jaxpr <<'END'
{ lambda ; a:i32[2,3]. let
    b:i32[2,3] = pure_callback[
      callback=_FlatCallback(callback_func=<function f at 0x7f424de97740>, in_tree=PyTreeDef(((*,), {})))
      result_avals=(ShapedArray(int32[2,3]),)
    ] a
  in (b,) }
step 3: loss 0.25
{ lambda ; a:u32[2]. let
    b:key<fry>[] = random_wrap[impl=fry] a
    c:key<fry>[3] = random_split[count=3] b
  in (c,) }
{ lambda ; a:i64[] b:i64[]. let
    c:i16[a,b] = broadcast_in_dim[broadcast_dimensions=() shape=(None, None)] 0 a b
  in (c,) }
END
"$JAXPR" norm a.jaxpr | tee a.norm
"$JAXPR" norm a.norm | cmp - a.norm
"$JAXPR" check a.norm
"$JAXPR" hash a.jaxpr | wc -l
# the innermost tuples of some parameters become lists, however they were printed
echo '{ lambda ; a:f32[8,20] b:f32[20,32]. let
    c:f32[8,32] = dot_general[dimension_numbers=(((1,), (0,)), ((), ()))] a b
  in (c,) }' | "$JAXPR" norm

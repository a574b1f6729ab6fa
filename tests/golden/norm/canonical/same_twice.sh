# the canonical form, and that of a version, has no findings that the program has not, and is its own such form
cat > none <<'J'
{ lambda ; a:f32[]. let
    b:f32[] = jit[name=None jaxpr={ lambda ; c:f32[]. let d:f32[] = sin c in (d,) }] a
  in (b,) }
J
cat > stripped_name <<'J'
{ lambda ; a:f32[]. let
    b:f32[] = pjit[name= <lambda> jaxpr={ lambda ; c:f32[]. let d:f32[] = mul c 2.0 in (d,) }] a
    e:f32[] = pjit[name=<lambda> jaxpr={ lambda ; f:f32[]. let g:f32[] = mul f 2.0 in (g,) }] a
  in (b, e) }
J
cat > unread_name <<'J'
{ lambda ; a:f32[3]. let
    b:f32[3] = foo[name=chain body={ lambda ; a:f32[3]. let c:f32[3] = sin a in (c,) }] a
    d:f32[3] = bar[name=chain body={ lambda ; a:f32[3]. let c:f32[3] = sin a in (c,) }] a
    e:f32[3] = jit[name=chain jaxpr={ lambda ; a:f32[3]. let c:f32[3] = sin a in (c,) }] a
    g:f32[3] = jit[name=chain jaxpr={ lambda ; a:f32[3]. let c:f32[3] = sin a in (c,) }] a
  in (b, d, e, g) }
J
cat > object <<'J'
{ lambda ; a:f32[3]. let
    b:f32[3] = foo[copy_semantics=(<CopySemantics.ALIAS. 1>,)] a
    c:f32[3] = foo[copy_semantics=(<CopySemantics.ALIAS: 1>,)] a
  in (b, c) }
J
cat > large <<'J'
{ lambda ; a:i32[8]. let
    b:i32[] = convert_element_type[new_dtype=int32 weak_type=False] 4294967295
    c:i32[8] = and a b
  in (c, 99999999999999) }
J
cat > untyped <<'J'
{ lambda ; a. let
    b = broadcast_in_dim[broadcast_dimensions=() shape=(2, 3) sharding=None] 1.0
    c = add a b
  in (c,) }
J
cat > spaced <<'J'
{ lambda ; a:f32[2] b:f32[3]. let
    c:f32[2,3] = dot_general[dimension_numbers= (([], []), ([], [ ])) preferred_element_type=float32] a b
    d:f32[1,1,3] = gather[
      dimension_numbers=GatherDimensionNumbers(offset_dims=(2,), collapsed_slice_dims=(0,), start_index_map=(0,), operand_batching_dims= (), start_indices_batching_dims=())
      fill_value=None
      indices_are_sorted=True
      mode=GatherScatterMode.CLIP
      slice_sizes=(1, 3)
      unique_indices=True
    ] c 0:i32[]
  in (d,) }
J
for i in none stripped_name unread_name object large untyped spaced; do
    for era in none 0.6.2 0.9.1; do
        "$JAXPR" norm -q --era=$era $i > $i.once
        "$JAXPR" check -q --format=gcc $i.once
        "$JAXPR" norm -q --era=$era $i.once | cmp - $i.once
        "$JAXPR" eq -q $i.once $i || echo "another program"
        [ $era != none ] || cat $i.once
    done
done

# norm of the canonical form changes nothing, also in programs with errors
again() { "$JAXPR" norm "$1" > "$1.once"; cat "$1.once"; "$JAXPR" norm "$1.once" | cmp - "$1.once"; }

echo "# what cannot read a ref is where it is sorted, before a write or after it"
cat > writes <<'J'
{ lambda ; a:i64[]. let
     = iota[dtype=float32 shape=(1,)] a
    a[0] <- a
    b:f32[2] = broadcast_in_dim[broadcast_dimensions=() shape=(4,)] a
  in (a,) }
J
again writes

echo "# a ref that is called _ in text has one name"
cat > unnamed <<'J'
{ lambda ; a:i32[]. let
    _:Ref{i32[4]} = empty_ref[memory_space=None ty=i32[4]]
    _[a] <- 3
  in (_,) }
J
again unnamed

echo "# a reshape to another size says that it has a sharding, whichever version the rest looks like"
cat > reordered <<'J'
{ lambda ; a:f32[2,3,4]. let
    b:f32[24] = reshape[dimensions=None new_sizes=(24,) sharding=None] a
    f:i32[4] = reshape[dimensions=None new_sizes=(4,) sharding=None] 3:i32[]
    c:f32[24] = new_sizes[dimensions=None new_sizes=(24,) sharding=None] a
    d:f32[3,3,2] = reshape[dimensions=(2, 1, 0) reshape=(4, 3, 2) sharding=None] a
    e:f32[1,24] = broadcast_in_dim[broadcast_dimensions=(1,)] c
  in (b, d, e, f) }
J
again reordered

echo "# the text of an object is kept byte for byte; a number sign in it begins no comment"
cat > objects <<'J'
{ lambda ; a:f32[4]. let
    b:f32[4] = foo[
      w=(<MyObj #3>, <Foo @3>, <a → b>, <Foo (devise=3)>, <Foo.wired>, <Model (torch) obj>)
      x=[<Foo(1, 2)[0]>, <Foo {b, a}  [1, 2]>, <Foo PartitionSpec('x',) np.int64(3) and_more=()>]
      y={'name_of_something': 1, 'other_name_of_something_else': <MyObj
        #3>}
      z=<P <Q #3> #4> # a comment
    ] a
  in (b,) }
J
again objects

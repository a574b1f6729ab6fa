# sets, meshes, copies, refs, untyped and typed numbers: versions of JAX print the same values differently
cat > old.jaxpr <<'P'
{ lambda ; a:f32[4] k:key<fry>[]. let
    b:f32[4] = device_put[
      copy_semantics=(<CopySemantics.ALIAS: 1>,)
      devices=(None,)
      srcs=(None,)
    ] a
    c:f32[4] = sharding_constraint[
      context_mesh=Mesh(, axis_types=())
      sharding=NamedSharding(mesh=Mesh('x': 8, axis_types=(Auto,)), spec=PartitionSpec('x',), memory_kind=unpinned_host)
      unconstrained_dims=frozenset()
    ] b
    d:key<fry>[] = random_fold_in k 7
    e:f32[4] = pow c 2
    f:i32[] = select_n False 3 -1
  in (e, d, f) }
P
cat > new.jaxpr <<'P'
{ lambda ; a:f32[4] k:key<fry>[]. let
    b:f32[4] = device_put[
      copy_semantics=(ArrayCopySemantics.REUSE_INPUT,)
      devices=(None,)
      srcs=(None,)
    ] a
    c:f32[4] = sharding_constraint[
      context_mesh=Mesh()
      sharding=NamedSharding(mesh=Mesh('x': 8), spec=P('x',), memory_kind=device)
      unconstrained_dims=frozenset({})
    ] b
    d:key<fry>[] = random_fold_in k 7:u32[]
    e:f32[4] = pow c 2:i32[]
    f:i32[] = select_n False:bool[] 3:i32[] -1:i32[]
  in (e, d, f) }
P
"$JAXPR" eq old.jaxpr new.jaxpr && echo equal
sed 's/ALIAS: 1/COPY: 2/' old.jaxpr > other.jaxpr
"$JAXPR" eq -v other.jaxpr new.jaxpr

echo "# unused equations are put in order by what they do, not by how it is spelled"
cat > short.jaxpr <<'P'
{ lambda ; a:f32[]. let
    b:f32[] = mul a 3.14159:f32[]
    c:f32[] = mul a 2.71828:f32[]
    d:f32[] = mul a 1.41421:f32[]
  in (a,) }
P
sed 's/2.71828/2.7182800/' short.jaxpr > long.jaxpr
"$JAXPR" eq short.jaxpr long.jaxpr && echo equal

echo "# the blanks of a string are its own, in a tuple or not; those between other words are none"
string() { printf '{ lambda ; a:f32[]. let b:f32[] = p[k=%s] a in (b,) }\n' "$1"; }
for text in "'x y'" "'x  y'" "('x y',)" "('x  y',)" 'x y' 'x  y' "'x, memory_kind=device'" \
    "('x, memory_kind=device',)" 'f(x, memory_kind=device)'; do
    string "$text" | "$JAXPR" norm -
done > strings.jaxpr
cat strings.jaxpr
"$JAXPR" norm strings.jaxpr | tr -s '\n' | cmp - strings.jaxpr

# pairs of prints of one function, by two versions of JAX each
pair() {
    "$JAXPR" eq -v old new && echo same
}
echo "# the object that a primitive calls, and its class"
cat > old <<'P'
{ lambda ; a:f32[3]. let
    b:f32[3] = call_hi_primitive[prim=Twice[{'power': 3, 'kind': 'plain word', 'of': dtype('float32'), 'none': None}]] a
    c:f32[3] = call_hi_primitive[_prim=Plain[{}]] b
  in (c,) }
P
cat > new <<'P'
{ lambda ; a:f32[3]. let
    b:f32[3] = Twice[power=3 kind=plain word of=float32 none=None] a
    c:f32[3] = Plain b
  in (c,) }
P
pair
sed -i 's/power=3/power=4/' new
pair
"$JAXPR" fmt --jax=0.11.0 old
"$JAXPR" fmt --jax=0.10.2 old

echo "# one axis, one device, and tuples of one"
cat > old <<'P'
{ lambda ; a:f32[4]. let
    b:f32[4] = device_put[device=NamedSharding(mesh=Mesh('x': 4), spec=PartitionSpec('x',)) src=None] a
    c:f32[4] = shard_map[
      auto=frozenset()
      check_rep=False
      in_names=({0: ('x',)},)
      jaxpr={ lambda ; d:f32[1]. let
          e:f32[1] = ppermute[axis_name=x perm=((0, 1), (1, 0))] d
          f:f32[4] = all_gather[
            all_gather_dimension=0
            axis_index_groups=None
            axis_name=x
            axis_size=4
            tiled=True
          ] e
        in (f,) }
      mesh=Mesh('x': 4)
      out_names=({},)
      rewrite=False
    ] b
  in (c,) }
P
cat > new <<'P'
{ lambda ; a:f32[4]. let
    b:f32[4] = device_put[
      copy_semantics=[<CopySemantics.ALIAS: 1>]
      devices=[NamedSharding(mesh=Mesh('x': 4, axis_types=(Auto,)), spec=PartitionSpec('x',), memory_kind=unpinned_host)]
      srcs=[None]
    ] a
    c:f32[4] = shard_map[
      auto=frozenset()
      check_rep=False
      in_names=({0: ('x',)},)
      jaxpr={ lambda ; d:f32[1]. let
          e:f32[1] = ppermute[axis_name=('x',) perm=((0, 1), (1, 0))] d
          f:f32[4] = all_gather[
            all_gather_dimension=0
            axis_index_groups=None
            axis_name=('x',)
            axis_size=4
            tiled=True
          ] e
        in (f,) }
      mesh=Mesh('x': 4, axis_types=(Auto,))
      out_names=({},)
      rewrite=False
    ] b
  in (c,) }
P
pair
sed -i "s/all_gather_dimension=0/all_gather_dimension=1/;s/ppermute\[axis_name=('x',)/ppermute[axis_name=('y',)/" new
pair

echo "# what linear= says is for derivatives alone; a sharding over no axis of types says nothing"
cat > old <<'P'
{ lambda ; a:i32[] b:f32[4]. let
    c:f32[4] = cond[
      branches=({ lambda ; d:f32[4]. let in (d,) } { lambda ; d:f32[4]. let e:f32[4] = neg d in (e,) })
      linear=(True,)
    ] a b
    f:f32[2,4] = broadcast_in_dim[
      broadcast_dimensions=(1,)
      shape=(2, 4)
      sharding=NamedSharding(mesh=AbstractMesh('x': 4, axis_types=(Auto,)), spec=PartitionSpec(None, None))
    ] c
  in (f,) }
P
cat > new <<'P'
{ lambda ; a:i32[] b:f32[4]. let
    c:f32[4] = cond[
      branches=({ lambda ; d:f32[4]. let in (d,) } { lambda ; d:f32[4]. let e:f32[4] = neg d in (e,) })
    ] a b
    f:f32[2,4] = broadcast_in_dim[broadcast_dimensions=(1,) shape=(2, 4) sharding=None] c
  in (f,) }
P
pair
sed -i 's/axis_types=(Auto,)/axis_types=(Explicit,)/' old
pair

echo "# policies that are functions, and the records they were"
cat > old <<'P'
{ lambda ; a:f32[3]. let
    b:f32[3] = checkpoint[
      differentiated=False
      jaxpr={ lambda ; c:f32[3]. let d:f32[3] = sin c in (d,) }
      policy=DotsSaveable(only_if_no_batch_dims=True)
      prevent_cse=True
    ] a
  in (b,) }
P
sed 's/DotsSaveable(.*)/<function dots_with_no_batch_dims_saveable at 0x7fe27f349120>/' old > new
pair
sed -i 's/dots_with_no_batch_dims_saveable/everything_saveable/' new
pair

echo "# Catalyst's counts of sizes have other names since 0.14, and the numbers of its derivatives have 64 bits"
cat > old <<'P'
{ lambda ; a:f64[]. let
    b:i64[] c:f64[b] = for_loop[
      apply_reverse_transform=False
      body_jaxpr={ lambda ; d:i64[] e:i64[] f:f64[d]. let g:i64[] = add d 1 in (g, f) }
      body_nconsts=0
      nimplicit=1
      preserve_dimensions=False
    ] 3 0 4 1 0 a
    h:f64[] i:f64[] = jvp[
      fn=f
      grad_params=GradParams(method='auto', scalar_out=False)
      jaxpr={ lambda ; j:f64[]. let k:f64[] = sin j in (k,) }
    ] a 1.0
  in (c, i) }
P
sed 's/nimplicit/num_implicit_inputs/; s/ 1\.0$/ 1.0:f64[]/; s/ \([0-4]\)\( \|$\)/ \1:i64[]\2/g; s/ \([01]\) / \1:i64[] /g' old > new
pair
"$JAXPR" fmt --jax=0.7.1 old | grep implicit
"$JAXPR" fmt --jax=0.6.2 new | grep implicit
sed -i 's/inputs=1/inputs=0/' new
pair

echo "# programs that such an object holds, but not those inside of other values"
cat > old <<'P'
{ lambda ; a:f32[3]. let
    b:f32[3] = call_hi_primitive[
      _prim=Tw[{'jaxpr': { lambda ; a:f32[3]. let b:f32[3] = sin a in (b,) }, 'by': { lambda ; . let  in (2,) }, 'n': 3}]
    ] a
    c:f32[3] = call_hi_primitive[_prim=Tw[{'jaxprs': ({ lambda ; . let  in () },)}]] b
  in (c,) }
P
cat > new <<'P'
{ lambda ; a:f32[3]. let
    b:f32[3] = Tw[
      jaxpr={ lambda ; d:f32[3]. let e:f32[3] = sin d in (e,) }
      by={ lambda ; . let  in (2,) }
      n=3
    ] a
    c:f32[3] = call_hi_primitive[_prim=Tw[{'jaxprs': ({ lambda ; . let  in () },)}]] b
  in (c,) }
P
pair
"$JAXPR" fmt --jax=0.12.0 old
sed -i 's/sin d/cos d/' new
pair
"$JAXPR" diff old new

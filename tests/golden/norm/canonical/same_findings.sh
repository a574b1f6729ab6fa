# check finds the same in the canonical form as in the program, whichever version printed it, or there is no such form
cat > reshape <<'J'
{ lambda ; a:f32[6]. let
    b:f32[4] = reshape[dimensions=None new_sizes=(4,) sharding=None] a
  in (b,) }
J
cat > older_reshape <<'J'
{ lambda ; a:f32[6]. let
    b:f32[4] = reshape[dimensions=None new_sizes=(4,)] a
  in (b,) }
J
cat > steps <<'J'
{ lambda ; a:f32[3,4]. let
    b:f32[] = reduce_sum[axes=(0, 1) out_sharding=None] a
    c:f32[] d:f32[3] = scan[
      ft_in=((), (None,), (None,))
      ft_out=((None,), (RightsOnly(Right(None)),))
      jaxpr={ lambda ; e:f32[] f:f32[4]. let
          g:f32[] = reduce_sum[axes=(0,) out_sharding=None] f
          h:f32[] = add e g
        in (h, e) }
      length=3
      reverse=False
      unroll=0
    ] b a
  in (c, d) }
J
cat > returned_ref <<'J'
{ lambda ; a:Ref{float32[2]} b:f32[2]. let
    c:f32[2] = broadcast_in_dim[broadcast_dimensions=() shape=(2,) sharding=None] 1.0:f32[]
    d:f32[2] = add b c
  in (a, d) }
J
cat > older_steps <<'J'
{ lambda ; a:f32[] b:f32[3]. let
    c:f32[] = scan[
      _split_transpose=False
      jaxpr={ lambda ; d:f32[] e:f32[]. let f:f32[] = pjit[name=g jaxpr={ lambda ; d:f32[] e:f32[]. let f:f32[] = add d e in (f,) }] d e in (f,) }
      length=3
      linear=(False, False)
      num_carry=1
      num_consts=0
      reverse=False
      unroll=0
    ] a b
  in (c,) }
J
cat > no_flags <<'J'
{ lambda ; a:i32[] b:f32[]. let
    c:f32[] = cond[branches=({ lambda ; d:f32[]. let  in (d,) } { lambda ; e:f32[]. let f:f32[] = sin e in (f,) }) linear=()] a b
  in (c,) }
J
cat > dropped <<'J'
{ lambda ; a:u32[2]. let
    _:key<fry>[] = random_wrap[impl=fry] a
    _:key<fry>[] = assert_consumed_value[value=HashableArray(False)] _
  in () }
J
cat > mixed <<'J'
{ lambda ; a:i32[2]. let
    b:i32[2] = device_put[device=None src=None] a
    c:i32[2] = add b 3.0
  in (c,) }
J
cat > sharded <<'J'
{ lambda ; a:f32[8@x,4@y]. let
    b:f32[8@x,4] = tanh a
    c:f32[] = reduce_sum[axes=(0, 1) out_sharding=None] b
    d:f32[8@x,4] = copy b
  in (d, c) }
J
cat > old_maps <<'J'
{ lambda ; a:i32[9] d:f32[4]. let
    b:i32[8] = xmap[
      axis_resources=FrozenDict({'a': ()})
      call_jaxpr={ lambda ; c:i32[;a:8]. let  in (c,) }
      donated_invars=(False,)
      global_axis_sizes=FrozenDict({'a': 8})
      in_axes=(FrozenDict({'a': 0}),)
      name=f
      out_axes=(FrozenDict({'a': 0}),)
      resource_env=ResourceEnv(mesh=Mesh(), ())
      spmd_in_axes=None
      spmd_out_axes=None
    ] a
    e:f32[4] = shard_map[
      auto=frozenset()
      check_rep=True
      in_names=({0: ('x', 'y')},)
      jaxpr={ lambda ; f:f32[1]. let g:f32[1] = pbroadcast[axes=('y',) axis_index_groups=None] f in (g,) }
      mesh=Mesh('x': 2, 'y': 2)
      out_names=({0: ('x', 'y')},)
      rewrite=False
    ] d
  in (b, e) }
J
cat > numbers <<'J'
{ lambda ; a:f64[2] b:bf16[2]. let
    c:c128[2] = complex 0.5 a
    d:f64[2] = pow a 2.5
    e:f64[2] = pow a 2
    f:bf16[2] = pow b 2.5
  in (c, d, e, f) }
J
for i in reshape older_reshape steps returned_ref older_steps no_flags dropped mixed sharded old_maps numbers; do
    "$JAXPR" norm -q $i > $i.norm || continue
    "$JAXPR" norm $i.norm | cmp - $i.norm
    for file in $i $i.norm; do
        "$JAXPR" check --format=gcc $file
        echo "$file: $?"
    done
done
cat reshape.norm older_reshape.norm numbers.norm

# what the requested version does not print is reported, each parameter once
cat > a <<'X'
{ lambda ; a:f32[8,4] b:f32[4] c:bool[4]. let
    d:f32[8,4] = shard_map[
      check_vma=True
      in_specs=(P('x', None),)
      jaxpr={ lambda ; e:f32[2,4]{V:x}. let f:f32[2,4]{V:x} = sin e in (f,) }
      mesh=AbstractMesh('x': 4, axis_types=(Auto,), device_kind=cpu, num_cores=None, platform=cpu)
      newly_manual_axes=frozenset({'x'})
      out_specs=(P('x', None),)
    ] a
    g:f32[4] = custom_jvp_call[
      name=relu
      call_jaxpr={ lambda ; h:f32[4]. let i:f32[4] = max h 0.0:f32[] in (i,) }
      jvp=jvp
      symbolic_zeros=False
    ] b
    j:f32[4] = one_minus_square g
    k:f32[4] = one_minus_square j
    l:f32[4] = jit[
      name=f
      jaxpr={ lambda ; m:f32[4]. let
          n:f32[4] = custom_jvp_call[
            name=relu
            call_jaxpr={ lambda ; h:f32[4]. let i:f32[4] = max h 0.0:f32[] in (i,) }
            jvp=jvp
            symbolic_zeros=False
          ] m
        in (n,) }
    ] k
  in (d, l, c) }
X
for v in 0.12.0 0.8.1 0.5.3; do
    echo "JAX $v"
    "$JAXPR" norm --era=$v a
    "$JAXPR" fmt --jax=$v a | "$JAXPR" eq a - && echo same
done
# of two parameters with the same value, the one that is not printed is shown
cat > b <<'X'
{ lambda ; a:f32[8]. let
    b:f32[8] = shard_map[
      auto=frozenset()
      check_rep=True
      in_names=({0: ('x',)},)
      jaxpr={ lambda ; c:f32[4]. let d:f32[4] = sin c in (d,) }
      mesh=Mesh('x': 2)
      out_names=({0: ('x',)},)
      rewrite=True
    ] a
  in (b,) }
X
"$JAXPR" norm --era=0.6.2 b | head -1
# an equation that has one operand in these versions
cat > c <<'X'
{ lambda ; a:f32[5] b:f32[5]. let
    c:f32[5] d:f32[5] = device_put[
      copy_semantics=(CopySemantics.ALIAS, CopySemantics.ALIAS)
      devices=(None, None)
      srcs=(None, None)
    ] a b
  in (c, d) }
X
"$JAXPR" norm --era=0.4.28 c
"$JAXPR" norm --era=0.4.28 c | "$JAXPR" check
# elements that are not printed keep the type of their literal
printf '{ lambda ; a:f32[2]. let b:f32[2] = foo a [...]:f32[2] in (b,) }\n' | "$JAXPR" fmt --jax=0.4.28

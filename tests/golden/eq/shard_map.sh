# one shard_map as JAX 0.5 and 0.6 print it; and programs that differ from it slightly, which are not equal to it
cat > old <<'END'
{ lambda ; a:f32[8,2] b:f32[2]. let
    c:f32[8,2] = shard_map[
      auto=frozenset()
      check_rep=False
      in_names=({0: ('x', 'y')}, {})
      jaxpr={ lambda ; d:f32[1,2] e:f32[2]. let f:f32[1,2] = sin d in (f,) }
      mesh=Mesh('x': 4, 'y': 2)
      out_names=({1: ('y',)},)
      rewrite=False
    ] a b
  in (c,) }
END
cat > new <<'END'
{ lambda ; a:f32[8,2] b:f32[2]. let
    c:f32[8,2] = shard_map[
      check_vma=False
      in_specs=(PartitionSpec(('x', 'y'), None), PartitionSpec())
      jaxpr={ lambda ; d:f32[1,2] e:f32[2]. let f:f32[1,2] = sin d in (f,) }
      manual_axes=frozenset({'y', 'x'})
      mesh=Mesh('x': 4, 'y': 2)
      out_specs=(PartitionSpec(None, 'y'),)
    ] a b
  in (c,) }
END
"$JAXPR" eq old new && echo same
"$JAXPR" norm old | tee canonical
"$JAXPR" norm new | cmp - canonical && "$JAXPR" norm canonical | cmp - canonical && echo one form
while read -r text edit; do
    sed "$edit" "$text" > near
    "$JAXPR" eq -q old near
    echo "$? $edit"
done <<'END'
old s/check_rep=False/check_rep=True/
old s/rewrite=False/rewrite=True/
old s/frozenset()/frozenset({'y'})/
old s/{0: ('x', 'y')}/{0: ('y', 'x')}/
old s/{0: ('x', 'y')}/{1: ('x', 'y')}/
old s/{0: ('x', 'y')}/{0: ('x',), 1: ('y',)}/
old s/{1: ('y',)}/{0: ('y',)}/
old s/{1: ('y',)}/{}/
old s/Mesh('x': 4, 'y': 2)/Mesh('x': 4, 'y': 2, 'z': 1)/
new s/, None)/, 'z')/
new s/(None, 'y')/('y', None)/
new s/{'y', 'x'}/{'x'}/
new s/check_vma=False/check_vma=True/
END

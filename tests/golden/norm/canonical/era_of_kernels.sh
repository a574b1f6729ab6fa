# parameters of kernels that a version adds have the value that they had before, and are left out of others if they say nothing
cat > old <<'P'
{ lambda ; a:f32[8]. let
    b:f32[8] = pallas_call[
      backend=None
      compiler_params=FrozenDict({})
      cost_estimate=None
      debug=False
      grid_mapping=GridMapping(grid=(), block_mappings=(BlockMapping(block_shape=(Blocked(block_size=8),)), BlockMapping(block_shape=(Blocked(block_size=8),))))
      input_output_aliases=()
      interpret=False
      jaxpr={ lambda ; c:Ref{f32[8]} d:Ref{f32[8]}. let
          run_scoped[
            jaxpr={ lambda c:Ref{f32[8]} d:Ref{f32[8]}; e:Ref<semaphore_mem>{dma_sem[]}. let
                dma_start[
                  device_id_type=DeviceIdType.MESH
                  tree=PyTreeDef((*, *, *, *, (*,)))
                ] c d e e 1:i32[]
              in () }
          ] c d
        in () }
      mesh=None
      name_and_src_info=f
      out_avals=(ShapedArray(float32[8]),)
    ] a
  in (b,) }
P
for era in 0.5.3 0.6.2 0.9.2; do
    "$JAXPR" norm -q --era=$era old > $era
    grep -E 'run_scoped|dma_start|collective|priority|add=' $era
    "$JAXPR" check -q $era
done
"$JAXPR" norm -q --era=0.5.3 0.9.2 | diff - 0.5.3 && "$JAXPR" hash 0.5.3 0.6.2 0.9.2 | cut -c1-12 | uniq | wc -l

# one program as versions of JAX spell it: keys, tuples of one value, fields of records, lists in place of tuples
cat > old <<'P'
{ lambda ; a:f32[10] b:i32[3,1] c:key<fry>[]. let
    d:f32[10] = device_put[device=NamedSharding(mesh=Mesh('x': 5), spec=PartitionSpec('x',)) src=None] a
    e:f32[3] = gather[
      dimension_numbers=GatherDimensionNumbers(offset_dims=(), collapsed_slice_dims=(0,), start_index_map=(0,))
      fill_value=None
      indices_are_sorted=False
      mode=GatherScatterMode.CLIP
      slice_sizes=(1,)
      unique_indices=False
    ] d b
    f:c64[3] = fft[fft_lengths=(3,) fft_type=jaxlib.xla_extension.FftType.FFT] e
    g:key<fry>[2] = random_split[shape=(2,)] c
    h:f32[3] = composite[
      attributes=()
      jaxpr={ lambda ; i:f32[3]. let j:f32[3] = sin i in (j,) }
      name=own.sine
      version=1
    ] e
    k:f32[3] _:f32[3] = scan[
      _split_transpose=False
      jaxpr={ lambda ; l:f32[3] m:f32[3]. let n:f32[3] = mul l m in (n,) }
      length=1
      linear=(True,)
      num_carry=1
      num_consts=0
      reverse=False
      unroll=1
    ] h
  in (e, f, g, k) }
P
for jax in 0.4.13 0.4.28 0.5.3 0.6.2 0.7.1 0.8.1 0.10.2 0.12.0; do
    echo "# $jax"
    "$JAXPR" fmt --jax=$jax old > printed && cat printed
    "$JAXPR" fmt --jax=$jax printed | cmp - printed
    "$JAXPR" hash old printed | cut -d' ' -f1 | uniq | wc -l
done
"$JAXPR" norm --jax=0.5.3 old

echo "# types of literals, results as well, and the digits that numpy has for them: 0.7.0 and 0.7.1 print those"
cat > digits <<'P'
{ lambda ; a:f32[] b:f16[] c:f64[]. let
    d:f32[] = mul a 0.30000001192092896:f32[]
    e:f32[] = add d 9.999999747378752e-06:f32[]
    f:f32[] = add e 1.0000000272564224e+16:f32[]
    g:f32[] = add f 123456792.0:f32[]
    h:f32[] = add g inf:f32[]
    i:f16[] = mul b 0.0999755859375:f16[]
    j:f64[] = mul c 0.30000001192092896:f64[]
  in (h, i, j, 0.10000000149011612:f32[], -2.5:f32[]) }
P
for jax in 0.5.3 0.7.1 0.7.2; do
    echo "# $jax"
    "$JAXPR" fmt --jax=$jax digits > printed && cat printed
    "$JAXPR" fmt --jax=$jax printed | cmp - printed
    "$JAXPR" hash digits printed | cut -d' ' -f1 | uniq | wc -l
done

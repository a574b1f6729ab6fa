# a size that is not a number counts as 1, which a note says
cat > sizes <<'END'
{ lambda c:bf16[n,64]; a:bf16[n,4096]. let
    b:bf16[n,64,4096] = broadcast_in_dim[broadcast_dimensions=(0, 2) shape=(n, 64, 4096) sharding=None] a
    d:bf16[] = reduce_sum[axes=(0, 1) out_sharding=None] a
  in (b, d, c) }
END
"$JAXPR" lint --select=P303 --set P303.elements=5000 sizes
"$JAXPR" lint --select=P303 --set P303.bytes=5000 sizes
"$JAXPR" lint --select=P301 --set P301.bytes=100 sizes
"$JAXPR" lint --select=N203,N204 sizes

# the paths from a finding to its causes, the shortest first
cat > f.jaxpr << 'END'
{ lambda w:bf16[512]; a:bf16[512] n:i32[]. let
    b:bf16[512] = scan[
      _split_transpose=False
      jaxpr={ lambda ; v:bf16[512] c:bf16[512]. let
          d:bf16[512] = mul c v
        in (d,) }
      length=3
      linear=(False, False)
      num_carry=1
      num_consts=1
      reverse=False
      unroll=1
    ] w a
    e:bf16[512] = jit[name=f jaxpr={ lambda ; x:bf16[512]. let y:bf16[512] = sin x in (y,) }] b
    f:bf16[] = reduce_sum[axes=(0,)] e
  in (f,) }
END
"$JAXPR" lint --why=N203@15 f.jaxpr
echo "exit $?"
"$JAXPR" lint --why=narrow-reduction@14 f.jaxpr
echo "exit $?"
"$JAXPR" lint --why=N203 f.jaxpr
echo "exit $?"

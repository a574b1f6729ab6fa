# constants of nested programs, captured variables and unbound sizes become arguments
cat > nested.jaxpr <<'P'
{ lambda ; a:f32[3]. let
    b:f32[3] = closed_call[
      call_jaxpr={ lambda c:f32[3]; d:f32[3]. let e:f32[3] = mul c d in (e,) }
    ] a
    f:f32[3] = closed_call[
      call_jaxpr={ lambda ; g:f32[3]. let h:f32[3] = add g a in (h,) }
    ] b
  in (f,) }
P
cat > loop.jaxpr <<'P'
{ lambda ; . let
    a:f32[] b:f32[] = scan[
      ft_in=((), ((None,), (None,)), ())
      ft_out=(((None,), (None,)), ())
      jaxpr={ lambda ; c:f32[] d:f32[]. let
          e:f32[] = closed_call[
            call_jaxpr={ lambda f:f32[3]; g:f32[]. let
                h:f32[] = reduce_sum[axes=(0,) out_sharding=None] f
                i:f32[] = mul h g
              in (i,) }
          ] c
        in (e, d) }
      length=1
      reverse=False
      unroll=1
    ] 0.0:f32[] 1.0:f32[]
  in (a, b) }
P
for f in nested loop; do
    "$JAXPR" norm $f.jaxpr > $f.norm
    cat $f.norm
    "$JAXPR" norm $f.norm | cmp - $f.norm && "$JAXPR" check $f.norm && "$JAXPR" eq $f.jaxpr $f.norm && echo same
done

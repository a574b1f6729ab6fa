# what only some versions of JAX let pass is judged in the canonical form as in the print of the version that let it pass
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
for i in reshape older_reshape steps returned_ref; do
    "$JAXPR" norm $i > $i.norm
    "$JAXPR" norm $i.norm | cmp - $i.norm
    for file in $i $i.norm; do
        "$JAXPR" check --format=gcc $file
        echo "$file: $?"
    done
done
cat reshape.norm older_reshape.norm

# the source line that JAX printed with an equation is shown after it, as in JAX's own comments
cat > a.jaxpr <<'END'
{ lambda ; a:f32[4] b:f32[3,4]. let
    c:f32[4] = jit[                                # /lib/site-packages/model/step.py:9:8 (f)
      name=inner
      jaxpr={ lambda ; a:f32[4]. let
          d:f32[4] = sin a                         # /lib/site-packages/model/step.py:7:11 (inner)
          e:f32[4] = add d 1.0:f32[]               # /lib/site-packages/model/step.py:7:11 (inner)
        in (e,) }
    ] a
    f:f32[] = reduce_sum[axes=(0,)] c              # train.py:12:15 (loss)
                                                   # [loss]
    g:f32[3] = reduce_sum[axes=(1,)] b             # train.py:13:15 (loss)
    h:f32[3] = mul g f                             # train.py:14:4 (loss)
  in (h,) }
END
sed -e 's/sin a/cos a/' -e 's/ g f / g 2.0:f32[] /' -e 's/^    f:.*/    k:f32[4] = exp c # train.py:12:9 (loss)/' a.jaxpr |
    sed -e '/\[loss\]/d' -e 's/(h,)/(h, k)/' > b.jaxpr
"$JAXPR" diff a.jaxpr b.jaxpr
echo "exit $?"

# the sizes of a loop that preserves dimensions depend on the dialect
cat > loop <<'J'
{ lambda ; d:i64[] o:f64[d] a:f64[d] b:f64[d]. let
    x:f64[d] y:f64[d] = for_loop[
      apply_reverse_transform=False
      body_jaxpr={ lambda ; k:i64[] o:f64[k] i:i64[] a:f64[n] b:f64[n]. let c:f64[n] = add a b in (c, b) }
      body_nconsts=2
      nimplicit=0
      preserve_dimensions=True
    ] d o 0 10 1 0 a b
    z:f64[d] = while_loop[
      body_jaxpr={ lambda ; a:f64[n]. let b:f64[n] = sin a in (b,) }
      body_nconsts=0
      cond_jaxpr={ lambda ; u:f64[m]. let w:bool[] = lt 1 2 in (w,) }
      cond_nconsts=0
      nimplicit=0
      preserve_dimensions=True
    ] x
  in (y, z) }
J
for dialect in auto catalyst-g1 catalyst jax; do
    echo "== $dialect"
    "$JAXPR" norm -q -p expand --dialect=$dialect loop > $dialect
    echo "exit $?"
    [ $dialect = jax ] || "$JAXPR" norm -p expand --dialect=$dialect $dialect | cmp - $dialect
done
cmp auto catalyst-g1
cat catalyst-g1 catalyst
echo "== each dialect accepts its own"
"$JAXPR" check --dialect=catalyst-g1 catalyst-g1
"$JAXPR" check --dialect=catalyst catalyst
echo "== results whose sizes are new are not passed as constants"
sed 's/c:f64\[n\] = add a b in (c, b)/j:i64[] = add i 1; c:f64[j] = mystery j in (c, b)/' loop | "$JAXPR" norm -q -p expand --dialect=catalyst > new
echo "exit $?"
"$JAXPR" norm -p expand --dialect=catalyst-g2 loop

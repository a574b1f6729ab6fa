# a reshape that some versions accept with another number of elements keeps the parameter that shows it, for products
# that are no dimension, too
cat > free <<'P'
{ lambda ; x:f32[4,a,a + 8]. let
    b:f32[3*a + 24,a] = reshape[dimensions=None new_sizes=(3*a + 24, a) sharding=None] x
  in (b,) }
P
"$JAXPR" norm -q free | tee canonical
"$JAXPR" check -q canonical
"$JAXPR" norm -q canonical | cmp - canonical

# a number whose type cannot be inferred stays untyped beside those that get a type: a warning of the canonical form
# alone
cat > untyped <<'P'
{ lambda ; a:f32[]. let b:f32[] = add a 2.0; c:f32[] = mystery 0.5 b in (c,) }
{ lambda ; a:i64[]. let
    b:i64[] = add a 2
    c = broadcast_in_dim[broadcast_dimensions=() shape=(None,)] 0.5 b
  in (b, c) }
P
"$JAXPR" check --format=gcc untyped
"$JAXPR" norm untyped | tee canonical
"$JAXPR" check --format=gcc canonical

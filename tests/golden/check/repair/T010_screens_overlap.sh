# two screens that overlap print the same parameters twice
cat > overlap <<'X'
{ lambda ; a:f32[8,4]. let
    b:f32[8,4] = broadcast_in_dim[
      broadcast_dimensions=(0, 1)
      shape=(8, 4)
      broadcast_dimensions=(0, 1)
      shape=(8, 4)
      sharding=None
    ] a
  in (b,) }
X
"$JAXPR" check overlap

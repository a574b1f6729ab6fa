# a parameter that an equation lacks is added only with a value that follows from the types, or is a default of JAX
cat > lacking <<'J'
{ lambda ; a:f32[4] b:i32[] c:f32[]. let
    d:f32[b,4] = broadcast_in_dim[dims=(1,) shape=(None, 4)] a b
    e:f32[3] = broadcast_in_dim[shape=(3,)] c
    f:f32[3] = broadcast_in_dim[shape=(3,)] 1.0
    g = broadcast_in_dim[sharding=None] c
  in (d, e, f, g) }
J
"$JAXPR" check -q lacking
"$JAXPR" norm --era=0.4.28 lacking | tee out
"$JAXPR" check -q out

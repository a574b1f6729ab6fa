# values that a program takes or returns in another form: sizes of results, constants, captures; not constants of loops
same() { "$JAXPR" eq "$1" "$2" && echo same; }
cat > array <<'P'
{ lambda a:i64[]; . let b:i64[] = add a 1; c:f64[b] = broadcast_in_dim[broadcast_dimensions=() shape=(None,)] 1.0 b in (c,) }
P
sed 's/a:i64\[\]; /; a:i64[]/; s/(c,)/(b, c)/' array > both
same array both
sed 's/(b, c)/(b, b, c)/' both > thrice
same array thrice
cat > captured <<'P'
{ lambda ; a:i64[] b:f64[a]. let
    c:f64[a] = for_loop[
      body_jaxpr={ lambda ; f:i64[] g:f64[a]. let h:f64[a] = add g b in (h,) }
    ] 0 10 1 0 b
  in (c,) }
P
"$JAXPR" norm -p captures captured > passed
same captured passed
cat > bound <<'P'
{ lambda ; a:f64[3] b:f64[3]. let
    c:f64[3] = for_loop[
      abstract_shapes_slice=slice(1, 1, None)
      args_slice=slice(1, None, None)
      consts_slice=slice(0, 1, None)
      jaxpr_body_fn={ lambda k:f64[3]; i:i64[] x:f64[3]. let y:f64[3] = add x k in (y,) }
    ] 0 10 1 a b
  in (c,) }
P
"$JAXPR" norm -p nested-constants bound > moved
same bound moved

# a value that a version cannot print under its name of the parameter stays, and that name is not added beside it
cat > two <<'P'
{ lambda ; a:f32[8,4]. let
    d:f32[8,4] = device_put[copy_semantics=(None,) devices=(None,) srcs=({1}, {2})] a
  in (d,) }
P
"$JAXPR" norm -q --era=0.4.28 two | tee once
"$JAXPR" norm -q --era=0.4.28 once | cmp - once

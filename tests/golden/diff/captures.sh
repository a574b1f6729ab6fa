# programs that capture outer variables are compared as eq does, closed; what is shown is what stands there
cat >a.jaxpr <<'END'
{ lambda ; a:f32[2] b:f32[2]. let
    c:f32[2] = jit[
      name=f
      jaxpr={ lambda ; g:f32[2]. let h:f32[2] = mul g b in (h,) }
    ] a
  in (c,) }
END
sed 's/b:f32/z:f32/; s/g b/g z/' a.jaxpr >renamed.jaxpr
"$JAXPR" norm -p captures a.jaxpr >closed.jaxpr
sed 's/mul g b/mul g a/' a.jaxpr >other.jaxpr
sed 's/mul g b/add g b/' a.jaxpr >changed.jaxpr
sed 's/mul g b/mul g nowhere/' a.jaxpr >unbound.jaxpr
for right in a renamed closed other changed unbound; do
    "$JAXPR" eq -q a.jaxpr $right.jaxpr >/dev/null 2>&1
    status=$?
    echo "== $right: eq exits $status"
    "$JAXPR" diff a.jaxpr $right.jaxpr 2>&1
    echo "diff exits $?"
done
# so are programs of a stream that were moved
cat other.jaxpr a.jaxpr >two.jaxpr
cat renamed.jaxpr other.jaxpr >moved.jaxpr
"$JAXPR" diff two.jaxpr moved.jaxpr

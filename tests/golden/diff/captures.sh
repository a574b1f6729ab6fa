# programs that capture outer variables are compared as eq does, with captures as arguments; the text is shown as it is
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
# the same for programs of a stream that were moved
cat other.jaxpr a.jaxpr >two.jaxpr
cat renamed.jaxpr other.jaxpr >moved.jaxpr
"$JAXPR" diff two.jaxpr moved.jaxpr
# captured variables have the names of the left; a new variable inside gets a name that no captured one has
cat >deep.jaxpr <<'END'
{ lambda ; a:f32[2] b:f32[2] c:f32[2]. let
    d:f32[2] = sin b
    e:f32[2] = jit[
      name=f
      jaxpr={ lambda ; g:f32[2]. let
          h:f32[2] = mul g d
          i:f32[2] = jit[
            name=k
            jaxpr={ lambda ; l:f32[2]. let m:f32[2] = sub l d; n:f32[2] = add m c in (n,) }
          ] h
        in (i,) }
    ] a
  in (e,) }
END
cat >edited.jaxpr <<'END'
{ lambda ; x:f32[2] y:f32[2] z:f32[2]. let
    w:f32[2] = sin y
    v:f32[2] = jit[
      name=f
      jaxpr={ lambda ; g:f32[2]. let
          h:f32[2] = mul g w
          d:f32[2] = neg h
          i:f32[2] = jit[
            name=k
            jaxpr={ lambda ; l:f32[2]. let m:f32[2] = sub l x; n:f32[2] = div m z in (n,) }
          ] d
        in (i,) }
    ] x
  in (v,) }
END
"$JAXPR" diff deep.jaxpr edited.jaxpr 2>/dev/null
"$JAXPR" diff --side-by-side --columns=100 deep.jaxpr edited.jaxpr 2>/dev/null
# in a stream, only these programs and those that may be equal to them are compared by digest
cat >plain.jaxpr <<'END2'
{ lambda ; a:f32[2]. let b:f32[2] = sin a; c:f32[2] = cos b in (c,) }
END2
sed 's/let/let d:f32[2] = neg a;/; s/sin a/sin d/' plain.jaxpr >longer.jaxpr
sed '/jaxpr=/,/}/s/let h:f32\[2\] = mul g b in (h,)/let h:f32[2] = neg g in (h,)/; s/b:f32\[2\]. let/. let/; s/^{ lambda ; a:f32\[2\] \./{ lambda ; a:f32[2]./' \
    a.jaxpr >uncaptured.jaxpr
sed 's/in (c,)/e:f32[2] = exp c in (e,)/' uncaptured.jaxpr >same_name.jaxpr
cat plain.jaxpr a.jaxpr longer.jaxpr >left.jaxpr
cat longer.jaxpr closed.jaxpr plain.jaxpr >right.jaxpr
"$JAXPR" diff left.jaxpr right.jaxpr
cat plain.jaxpr uncaptured.jaxpr longer.jaxpr >right.jaxpr
"$JAXPR" diff left.jaxpr right.jaxpr
cat same_name.jaxpr longer.jaxpr plain.jaxpr >right.jaxpr
"$JAXPR" diff left.jaxpr right.jaxpr

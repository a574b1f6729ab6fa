# neither a pass nor the canonical form adds an error to a program that has none
passes()
{
    for words in "-p captures" "-p repair" "-p dce" "-p repair,captures,annotate,expand,lift,constants,dce" ""; do
        # shellcheck disable=SC2086
        "$JAXPR" norm -q $words "$1" >out && "$JAXPR" check -q out || echo "norm $words"
    done
    "$JAXPR" norm $2 "$1"
}

echo "== an outer size that a loop passes as a constant, and that a loop inside captures"
cat > nested <<'J'
{ lambda ; a:i64[] b:f64[a]. let
    c:f64[a] = for_loop[
      apply_reverse_transform=False
      body_jaxpr={ lambda ; d:i64[] e:i64[] f:f64[d]. let
          g:f64[d] = for_loop[
            apply_reverse_transform=False
            body_jaxpr={ lambda ; h:i64[] i:f64[a] j:i64[] k:f64[a]. let
                l:f64[a] = add k i
              in (l,) }
            body_nconsts=2
            num_implicit_inputs=0
            preserve_dimensions=True
          ] d f 0 2 1 0 f
        in (g,) }
      body_nconsts=1
      num_implicit_inputs=0
      preserve_dimensions=True
    ] a 0 3 1 0 b
  in (c,) }
J
passes nested "-p captures"

echo "== the same in a call"
cat > called <<'J'
{ lambda ; a:i64[] b:f64[a]. let
    c:f64[a] = pjit[
      name=f
      jaxpr={ lambda ; d:i64[] e:f64[d]. let
          f:f64[d] = pjit[name=g jaxpr={ lambda ; g:f64[a]. let h:f64[a] = sin g in (h,) }] e
        in (f,) }
    ] a b
  in (c,) }
J
passes called "-p captures"

echo "== an operand of an outer size is passed after an array of that size"
cat > later <<'J'
{ lambda ; a:i64[] b:f64[a]. let
    c:f64[a] = for_loop[
      apply_reverse_transform=False
      body_jaxpr={ lambda ; e:f64[a] d:i64[] i:i64[] f:f64[a]. let g:f64[a] = add e f in (g,) }
      body_nconsts=2
      nimplicit=0
      preserve_dimensions=True
    ] b a 0 10 1 0 b
  in (c,) }
J
passes later "-p repair,captures"

echo "== a size that has no type is bound before the types that name it"
cat > untyped <<'J'
{ lambda ; k:i64[] y. let
    z = pjit[name=f jaxpr={ lambda ; e g:f64[e]. let j = sin g; l = mul j g in (l,) }] k y
    b:f64[k] = add z y
  in (b,) }
{ lambda ; a:i64[] b:f64[a]. let
    q = add a 1
    r = mul q 2
    c:f64[r] = mystery b
  in (c,) }
J
passes untyped

echo "== types that do not fit are added by no pass"
cat > unfit <<'J'
{ lambda ; a:i64[] b:f64[a]. let
    _:i64[] c:f64[a] = for_loop[
      apply_reverse_transform=False
      body_jaxpr={ lambda ; d:i64[] e:f64[d] f g:i64[] h. let i:f64[f] = add h e in (f, i) }
      body_nconsts=2
      nimplicit=1
      preserve_dimensions=True
    ] a b a 0 10 1 0 b
  in (c,) }
{ lambda ; a:i64[] b:f64[3]. let
    d e = while_loop[
      body_jaxpr={ lambda ; f g. let in (f, g) }
      body_nconsts=0
      cond_jaxpr={ lambda ; f:i64[] g. let c:bool[] = lt f 3 in (c,) }
      cond_nconsts=0
      nimplicit=2
      preserve_dimensions=False
    ] a b
  in (d, e) }
J
"$JAXPR" check -q unfit && "$JAXPR" norm -p annotate --format=gcc unfit 2>&1 >out | grep error:
"$JAXPR" check -q out && cp unfit fixed && "$JAXPR" check -q --fix fixed && cmp unfit fixed
"$JAXPR" norm -q -p annotate,dce unfit >out
"$JAXPR" check -q out

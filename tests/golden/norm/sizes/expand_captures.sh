# sizes of the outer program in loops: those of the carry become implicit arguments if it may be resized, others are
# captured
cat > loops <<'J'
{ lambda ; a:i64[] b:f64[a] u:f64[a]. let
    c:f64[q] v:f64[q] = for_loop[
      apply_reverse_transform=False
      body_jaxpr={ lambda ; i:i64[] g:f64[a] w:f64[a]. let
          h:i64[] = add a 2
          k:f64[h] = broadcast_in_dim[broadcast_dimensions=() shape=(None,)] 0.5
            h
          l:f64[a] = sin u
          m:f64[a] = sin w
        in (k, m) }
      body_nconsts=0
      nimplicit=0
      preserve_dimensions=False
    ] 0 10 1 0 b b
    r:f64[a] = for_loop[
      apply_reverse_transform=False
      body_jaxpr={ lambda ; i:i64[] g:f64[a]. let h:f64[a] = mul g u in (h,) }
      body_nconsts=0
      nimplicit=0
      preserve_dimensions=True
    ] 0 10 1 0 b
  in (c, v, r) }
{ lambda ; p:bool[] a:i64[] b:f64[a]. let
    c:f64[a] = cond[
      branch_jaxprs=[{ lambda ; . let d:f64[a] = sin b in (d,) }, { lambda ; . let d:f64[a] = cos b in (d,) }]
      nimplicit_outputs=0
    ] p
  in (c,) }
J
"$JAXPR" norm -p captures,expand loops | tee both
echo "== the result has no error, and is expanded"
"$JAXPR" check both && "$JAXPR" norm -p captures,expand both | cmp - both
echo "== expansion alone does not pass what is captured"
"$JAXPR" norm -q -p expand loops | cmp - loops
"$JAXPR" norm --format=gcc -p expand loops 2>&1 >out | grep error

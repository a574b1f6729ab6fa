# loops that may resize, and branches: each occurrence of a size gets a variable, and so does what is computed from it
# or passed on
cat > loops <<'J'
# two arrays and two axes of one array, in computations
{ lambda ; d:i64[] a:f64[d] b:f64[d,d]. let
    x:f64[p] y:f64[p,p] = for_loop[
      apply_reverse_transform=False
      body_jaxpr={ lambda ; i:i64[] a:f64[n] b:f64[n,n]. let
          c:f64[n,n] = transpose[permutation=(1, 0)] b
          e:f64[n,n] = sin c
          f:f64[n] = reduce_sum[axes=(0,)] e
          g:i64[] = add n 1
          h:f64[g] = broadcast_in_dim[broadcast_dimensions=() shape=(None,)] 0.5 g
        in (h, e) }
      body_nconsts=0
      nimplicit=0
      preserve_dimensions=False
    ] 0 10 1 0 a b
    z:f64[p] = reduce_max[axes=(0,)] y
    s:f64[p] = mul x x
  in (s, z) }
# a while loop, whose condition has names of its own
{ lambda ; a:f64[d] b:f64[d]. let
    x:f64[d] y:f64[d] = while_loop[
      body_jaxpr={ lambda ; a:f64[n] b:f64[n]. let  in (b, a) }
      body_nconsts=0
      cond_jaxpr={ lambda ; u:f64[m] v:f64[m]. let w:bool[] = lt 1 2 in (w,) }
      cond_nconsts=0
      nimplicit=0
      preserve_dimensions=False
    ] a b
  in (x, y) }
# a call in the body, which is passed the size of its array; a loop in the body
{ lambda ; d:i64[] a:f64[d] b:f64[d]. let
    x:f64[d] y:f64[d] = for_loop[
      apply_reverse_transform=False
      body_jaxpr={ lambda ; i:i64[] a:f64[n] b:f64[n]. let
          c:f64[n] = pjit[
            name=f
            jaxpr={ lambda ; k:i64[] u:f64[k]. let v:f64[k] = sin u in (v,) }
          ] n b
          e:f64[n] r:f64[n] = for_loop[
            apply_reverse_transform=False
            body_jaxpr={ lambda ; i:i64[] s:f64[m] t:f64[m]. let  in (s, t) }
            body_nconsts=0
            nimplicit=0
            preserve_dimensions=False
          ] 0 10 1 0 a c
        in (e, r) }
      body_nconsts=0
      nimplicit=0
      preserve_dimensions=False
    ] 0 10 1 0 a b
  in (x, y) }
# branches that return different sizes for two results, and two equations that name their results alike
{ lambda ; p:bool[] n:i64[]. let
    x:f64[q] y:f64[q] = cond[
      branch_jaxprs=[{ lambda ; n:i64[]. let m:i64[] = add n 1; x:f64[m] = mystery m; y:f64[n] = mystery n in (x, y) }, { lambda ; n:i64[]. let m:i64[] = add n 2; x:f64[m] = mystery m in (x, x) }]
      nimplicit_outputs=0
    ] p n
    z:f64[q] = cond[
      branch_jaxprs=[{ lambda ; n:i64[]. let m:i64[] = add n 1; x:f64[m] = mystery m in (x,) }, { lambda ; n:i64[]. let m:i64[] = add n 2; x:f64[m] = mystery m in (x,) }]
      nimplicit_outputs=0
    ] p n
    w:f64[q] = sin z
  in (x, y, w) }
J
"$JAXPR" norm -p expand loops | tee expanded
echo "== the result has no error, and is expanded"
"$JAXPR" check expanded && "$JAXPR" norm -p expand expanded | cmp - expanded
echo "== collapsed, and expanded again"
"$JAXPR" norm -q -p collapse expanded > collapsed
"$JAXPR" norm -p expand collapsed | cmp - expanded

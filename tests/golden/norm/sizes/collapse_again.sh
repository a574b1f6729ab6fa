# inline and dce remove what reads sizes; collapse then removes these, so that a second run of the same passes has
# nothing to do. No variable gets the name of a size that nothing binds
again() {
    echo "== $1"
    "$JAXPR" norm -p "$1" program > once
    cat once
    "$JAXPR" norm -q -p "$1" once | cmp - once
}

echo "# a call, which is inlined, and an equation, which is eliminated, read the size"
cat > program <<'J'
{ lambda ; a:i32[] b:f32[a]. let
    c:i32[] = neg a
    d:f32[] = pjit[
      jaxpr={ lambda ; e:i32[] f:f32[e]. let
          g:f32[] = reduce_sum[axes=(0,)] f
        in (g,) }
      name=sum
    ] a b
  in (d,) }
J
for passes in collapse,inline collapse,dce collapse,inline,dce collapse,expand,inline,dce; do again $passes; done

echo "# the result of a loop that is its size, which an equation reads that is eliminated"
cat > program <<'J'
{ lambda ; a:i64[]. let
    b:f64[a] = broadcast_in_dim[broadcast_dimensions=() shape=(None,)] 1.0 a
    c:i64[] d:f64[c] = for_loop[
      apply_reverse_transform=False
      body_jaxpr={ lambda ; e:i64[] f:i64[] g:f64[e]. let
          h:f64[e] = sin g
        in (e, h) }
      body_nconsts=0
      nimplicit=1
      preserve_dimensions=True
    ] a 0 3 1 0 b
    j:i64[] = neg c
  in (c, d) }
J
for passes in collapse,dce collapse,expand,dce; do again $passes; done

echo "# a symbol with the name of a variable"
cat > program <<'J'
{ lambda ; a:i64[2,2] b:f64[a] c:f64[n]. let d:f64[n] = sin c in (c,) }
J
for passes in collapse,dce collapse,spell collapse,expand,spell; do again $passes; done

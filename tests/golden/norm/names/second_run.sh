# a second run of passes changes nothing, and adds no error that the program did not have
again() {
    name=$1
    shift
    "$JAXPR" norm -q "$@" "$name" > "$name.once"
    cat "$name.once"
    "$JAXPR" norm -q "$@" "$name.once" | diff "$name.once" -
    "$JAXPR" check -q "$name" && { "$JAXPR" check -q "$name.once" || echo "errors"; }
}

echo "# names passed inward bind no size that a nested program captures"
cat > inward <<'J'
{ lambda ; n:i32[]. let
    x:f32[n] = broadcast_in_dim[broadcast_dimensions=() shape=(None,) sharding=None] 1.0:f32[] n
    y:f32[n] = jit[name=twice jaxpr={ lambda ; m:i32[] z:f32[n]. let w:f32[n] = add z z in (w,) }] n x
  in (y,) }
J
again inward -p spell

echo "# an argument called _ is none that types can name"
cat > unnamed <<'J'
{ lambda ; n:i32[]. let
    x:f32[n] = broadcast_in_dim[broadcast_dimensions=() shape=(None,) sharding=None] 1.0:f32[] n
    y:f32[n] = jit[name=twice jaxpr={ lambda ; _:i32[] z:f32[n]. let w:f32[n] = add z z in (w,) }] n x
  in (y,) }
J
again unnamed -p captures

echo "# _ is passed inward to no variable that a type names"
cat > grown <<'J'
{ lambda ; n:i32[]. let
    _:i32[] y:f32[3] = jit[
      name=grow
      jaxpr={ lambda ; n:i32[]. let
          m:i32[] = add n 1:i32[]
          y:f32[m] = broadcast_in_dim[broadcast_dimensions=() shape=(None,) sharding=None] 1.0:f32[] m
        in (m, y) }
    ] n
  in (y,) }
J
again grown -p spell

echo "# a name that sibling programs bind, each with a type of its own, is that of the program around its use"
cat > siblings <<'J'
{ lambda ; k:f32[3] m:i32[] x:f32[m]. let
    b:f32[3] = pjit[name=f jaxpr={ lambda ; n:f32[3] c:i32[]. let
          d:f32[3] = pjit[name=h jaxpr={ lambda ; e:i32[]. let f:f32[3] = neg n in (f,) }] c
        in (d,) }] k m
    g:i32[] = pjit[name=g jaxpr={ lambda ; h:i32[] n:i32[]. let
          i:i32[] = pjit[name=h jaxpr={ lambda ; j:i32[]. let l:i32[] = mul j n in (l,) }] h
        in (i,) }] m m
    o:f32[m] = pjit[name=p jaxpr={ lambda ; n:i32[] q:f32[n]. let
          r:f32[n] = pjit[name=h jaxpr={ lambda ; t:f32[n]. let u:f32[n] = sin t in (u,) }] q
        in (r,) }] m x
  in (g, b, o) }
J
again siblings -p captures

echo "# sizes that would be symbols still are not expanded: a shape names one, and a nested program does not bind it"
cat > symbols <<'J'
{ lambda ; a:i32[n]. let
    b:i32[n,1] = pjit[
      name=f
      jaxpr={ lambda ; c:i32[n]. let
          d:i32[n,1] = broadcast_in_dim[broadcast_dimensions=(0,) shape=(n, 1) sharding=None] c
        in (d,) }
    ] a
  in (b,) }
J
again symbols -p expand,spell

echo "# a size of a loop is kept if shapes would name a variable around the loop without it"
cat > around <<'J'
{ lambda ; a:i64[]. let
    j:f64[a] = broadcast_in_dim[broadcast_dimensions=() shape=(None,)] 1.0 a
    c:i64[] = add a 1
    d:f64[c] = broadcast_in_dim[broadcast_dimensions=() shape=(None,)] 1.0 c
    _:i64[] _:i64[] e:f64[a] f:f64[c] = for_loop[
      apply_reverse_transform=False
      body_jaxpr={ lambda ; h:i64[] j:i64[] k:i64[] l:f64[h] m:f64[j]. let  in (h, j, l, m) }
      body_nconsts=0
      nimplicit=2
      preserve_dimensions=False
    ] a c 0 10 1 0 j d
  in (c, e, f) }
J
again around -p collapse

echo "# a shape is not omitted if it is all that is left of what an operand with axes is broadcast to"
cat > lost <<'J'
{ lambda ; a:f32[128] b:f32[]. let
    c:f32[128,128] = broadcast_in_dim[shape=(128, 128)] a
    d:f32[8] = broadcast_in_dim[shape=(8,)] b
  in (c, d) }
J
again lost

echo "# without the equation that shows that sizes are variables, an unbound one is a symbol"
cat > shown <<'J'
{ lambda ; g:f64[a]. let l:f64[] = broadcast_in_dim[broadcast_dimensions=() shape=(None,)] 1.0 g in (g,) }
J
again shown -p dce,spell
true

# a parameter names the size, or a later variable has its name: it is a symbol, and stays one when passes rename
try() {
    echo "# norm -p $1"
    printf '%s\n' "$2" > once
    "$JAXPR" norm -p "$1" once > twice
    cat twice
    "$JAXPR" norm -p "$1" twice | cmp - twice
}
try expand '{ lambda ; a:f32[n]. let b:i32[n] = iota[dimension=0 dtype=int32 shape=(n,) sharding=None] in (a, b) }'
try expand '{ lambda ; a:f32[n]. let b:i32[] = dim_as_value[dim=n] in (a, b) }'
try expand,dce '{ lambda ; f:f64[e,c] c:f64[]. let d:i64[] k:f64[a] = mystery f c in (f,) }'
try expand,spell '{ lambda ; f:f64[e,c] c:f64[]. let d:i64[] k:f64[a] = mystery f c in (f,) }'
try inline,spell '{ lambda ; a:f32[3]. let
    b:f32[3] = pjit[jaxpr={ lambda ; d:i32[] e:f32[d]. let f:f32[b] = sin e in (f,) } name=f] 3 a
  in (b,) }'
try annotate,expand '{ lambda ; n:i32[] b:f32[a]. let c = mul a 2 in (c,) }'

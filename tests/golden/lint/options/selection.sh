# rules are selected by code, prefix or name; the longer match counts; a selector that matches nothing is an error
cat > f.jaxpr << 'END'
{ lambda ; a:f64[3]. let
    b:f64[3] = sin a
    c:f64[3] = sin a
    debug_callback[callback=<function f at 0x7f0011223344> effect=Debug partitioned=False] b
  in (c,) }
END
try()
{
    echo "== $*"
    "$JAXPR" lint --format=gcc "$@" f.jaxpr 2>&1 | sed -n -e 's/.*\[\(.*\)\]$/\1/p' -e '/^jaxpr/p'
}
try
try --select=ALL --ignore=G6
try --select=N,P3
try --select=P304 --ignore=P
try --select=P --ignore=P304
try --extend-select=has-f64
try --extend-select=has_F64
try --ignore=G601
try --select=E401,debug-left-in
try --select=P3O4
try --select=dead-equatoin
try --select=zzzzzz
try --select=T003
try --ignore=ALL --select=N201
try --set=P304.bytes=1
try --set=P303
try --set=P303.bytes=many
try --select=P303 --set=P303.elements=2
try --select=P303 '--set=P303.shape=[3]+[n,n],P303.elements=100'
echo '== a name in a shape is one size'
printf '{ lambda ; n:i32[] m:i32[] a:f32[n,m] b:f32[n,n]. let c:f32[n,m] = sin a; d:f32[n,n] = sin b in (c, d) }\n' > sizes
"$JAXPR" lint --select=P303 '--set=P303.shape=[n,n]' --format=gcc sizes
echo '== PEDANTIC: what does not run by default'
printf '{ lambda ; a:f32[3]. let b:f32[3] = sin a; debug_callback[callback=f effect=Debug] b; c:f32[3] = cos a in (c,) }\n' > pedantic
"$JAXPR" lint --select=PEDANTIC --format=gcc pedantic
"$JAXPR" lint --extend-select=PEDANTIC --ignore=E4 --format=gcc pedantic
"$JAXPR" lint pedantic > /dev/null

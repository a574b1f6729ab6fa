# a program with an unbound size beside sizes that are arguments has no canonical form: the sizes could be read as symbols,
# and then which argument is a size would not count
cat > one <<'P'
{ lambda ; n:i64[] p:i64[] a:f32[n]. let c:f32[m] = foo a in (c,) }
{ lambda ; a:f32[n] n:i64[] p:i64[]. let in (a,) }
{ lambda ; n:i64[] a:f32[n]. let
    b:f32[3] = jit[name=f jaxpr={ lambda ; k:i64[] d:f32[k]. let e:f32[3] = foo d; g:f32[q] = foo e in (e,) }] n a
  in (b,) }
{ lambda ; n:i64[] p:i64[] a:f32[n]. let b:f32[n] = sin a in (b,) }
P
sed -e '1,2s/n:i64\[\] p:i64\[\]/p:i64[] n:i64[]/' one > two
"$JAXPR" eq one two || echo "eq $?"
"$JAXPR" hash one two || echo "hash $?"
"$JAXPR" norm --format=gcc one || echo "norm $?"
"$JAXPR" diff one two || echo "diff $?"
"$JAXPR" dups -q one two || echo "dups $?"
"$JAXPR" norm -p dce -q one
echo "# symbols, and sizes that passes bind, are no errors"
cat > fine <<'P'
{ lambda ; n:i64[] a:f32[n] b:f32[2*n]. let c:f32[m] = foo a in (c,) }
{ lambda ; n:i64[] a:f32[n]. let
    b:f32[n] = jit[name=f jaxpr={ lambda ; d:f32[n]. let e:f32[n] = sin d in (e,) }] a
  in (b,) }
P
"$JAXPR" norm fine

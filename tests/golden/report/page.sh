# the page without its style and script, which do not depend on the programs
cat > a.jaxpr <<'A'
let f = { lambda ; a:f32[4]. let b:f32[4] = sin a in (b,) } in
{ lambda c:f32[4]; d:f32[4]. let
    e:f32[4] = jit[name=f jaxpr=f] d
    g:f32[4] = cond[branches=({ lambda ; h:f32[4]. let  in (h,) } { lambda ; i:f32[4]. let j:f32[4] = neg i in (j,) })] 1:i32[] e
    k:f32[5] = add g c
    l:Ref{f32[5]} = new_ref k
    m:f32[] <- l[0]
    n:f32[], l[1] <- l[1], m
    l[2] += 2.0:f32[]
  in (e, z) }
A
"$JAXPR" report a.jaxpr | sed -n '/^<main>/,/^<\/main>/p'
"$JAXPR" report -o page.html --title='<mine>' a.jaxpr
echo "exit $?"
"$JAXPR" report a.jaxpr | grep -v '<h1>' > b.html
grep -c '&lt;mine&gt;' page.html
"$JAXPR" report -o nowhere/page.html a.jaxpr
"$JAXPR" report -o page.html nowhere.jaxpr

# comments that suppress findings of an equation, a line and a file; a baseline does not depend on names
cat > f.jaxpr << 'END'
{ lambda ; a:f32[3]. let
    b:f32[3] = sin a  # jaxpr: ignore[P308] kept for the reader
    c:f32[3] = cos a  # jaxpr: ignore
    d:f32[3] = tan a  # jaxpr: ignore[N,dead-equation]
    e:f32[3] = exp a  # jaxpr: ignore[P309]
    f:f32[3] = jit[name=f jaxpr={ lambda ; a:f32[3]. let
        g:f32[3] = sin a  # jaxpr: ignore[P]
        h:f32[3] = cos a
      in (a,) }] a
  in (a,) }
END
"$JAXPR" lint --select=P308 --format=gcc f.jaxpr
echo "exit $?"
{ echo '# jaxpr: ignore-file[P30]'; cat f.jaxpr; } > g.jaxpr
"$JAXPR" lint --select=P308,P309 --format=gcc g.jaxpr
echo "exit $?"
{ echo '# jaxpr: ignore-file[N]'; cat f.jaxpr; } > g.jaxpr
"$JAXPR" lint --select=P308 -q g.jaxpr
echo "exit $?"
"$JAXPR" lint --select=P308 --write-baseline f.jaxpr > baseline 2> messages
echo "exit $?"
cat baseline
grep -c P308 messages
"$JAXPR" lint --select=P308 --baseline=baseline f.jaxpr
echo "exit $?"
{ cat baseline; echo; } | sed 's/$/\r/' > returns
"$JAXPR" lint --select=P308 --baseline=returns f.jaxpr
echo "exit $?"
sed -e 's/\be\b/zq/g' -e 's/cos a  #.*/cos a/' f.jaxpr > g.jaxpr && mv g.jaxpr f.jaxpr
"$JAXPR" lint --select=P308 --baseline=baseline --format=gcc f.jaxpr
echo "exit $?"

# what .jaxpr.yaml says of rules; the command line counts more
printf '{ lambda ; a:f32[]. let b:f64[] = my_p a; c:f32[] = sin a in (b,) }\n' > a.jaxpr
say() { cat > .jaxpr.yaml; }
echo 'select: [N201, P308]' | say
$JAXPR lint --format=gcc a.jaxpr
echo '== ignore on the command line'
$JAXPR lint --format=gcc --ignore=N201 a.jaxpr
echo '== select on the command line'
$JAXPR lint --format=gcc --select=N201 a.jaxpr
echo '== an override, a level'
say << 'END'
select: [N201]
overrides:
  - files: "?.jaxpr"
    ignore: N201
    extend_select: dead-equation
    severity: {P308: error}
END
$JAXPR lint --format=gcc a.jaxpr
echo '== a setting'
say << 'END'
select: P307
rules: {P307: {equations: 1}}
END
$JAXPR lint --format=gcc a.jaxpr
$JAXPR lint --format=gcc --set P307.equations=5 a.jaxpr && echo clean
echo '== a size with a blank'
say << 'END'
select: P303
rules: {P303: {bytes: 16 MiB}}
END
printf '{ lambda ; a:f32[2097152]. let b:f32[2097152] = sin a; c:f32[4194304] = my_p b; d:f32[8388608] = my_p c in (d,) }\n' > big.jaxpr
$JAXPR lint --format=gcc big.jaxpr

# an unknown key is a located error on every level, and so is an unknown rule or setting
printf '{ lambda ; a:f32[]. let b:f32[] = sin a in (b,) }\n' > a.jaxpr
cat > every.yaml << 'END'
ignored: [P308]
extend-select: N201
severity: {P399: error, dead-equations: note}
rules:
  P303: {elements: 1M, element: 2M}
  large-intermediat: {bytes: 1}
overrides:
  - file: "*.jaxpr"
    contracts: []
contracts:
  - max_element: 4
    counts: {scan: 1}
    shapes: {forbids: "[n,n]"}
    dtypes: {forbid: f64, forbade: f32, require: f16}
    signature: {in_types: "()", out: "()"}
    program: 1
    programm: 1
END
$JAXPR contract check --config=every.yaml --format=gcc a.jaxpr
echo "exit $?"
echo '== lint reads it, too'
$JAXPR lint --config=every.yaml --format=gcc --max-findings=1 a.jaxpr
echo "exit $?"
$JAXPR lint --no-config a.jaxpr && echo 'clean without it'

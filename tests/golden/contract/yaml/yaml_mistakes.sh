printf '{ lambda ; a:f32[]. let b:f32[] = sin a in (b,) }\n' > a.jaxpr
try() {
    printf "$1" > mistake.yaml
    "$JAXPR" contract check --config=mistake.yaml a.jaxpr
}
try 'contracts:\n  - forbid: [sin\n    require: [cos]\n'
try 'contracts:\n  - count: {sin: 1\n    require: [cos]\n'
try 'contracts:\n\t- forbid: [sin]\n'
try 'contracts:\n  - forbid:\n\t- sin\n'
try 'contracts:\n  - forbid: sin\n    name: loss: mean\n'
try 'contracts:\n  - forbid: sin\n   name: loss\n'
try 'contracts:\n  - forbid: [*_callback]\n'
try 'contracts:\n  - forbid: [*.callback]\n'
try 'contracts:\n  - name: "loss\n'
try 'contracts:\n  - name: "a\\qb"\n'
try 'contracts: - forbid: sin\n'
try 'contracts:\n  - name: @loss\n'
try 'contracts:\n  - forbid\n    name: loss\n'
try 'contracts: {}\n}\n'
try 'contracts:\n  - forbid: sin\n  name: loss\n'
try 'contracts: []\n name: loss\n'
try 'select: "N" x\n'
try 'contracts:\n  - name: loss\n      files: a.jaxpr\n'
try 'contracts:\n  - forbid: sin\n  ]\n'

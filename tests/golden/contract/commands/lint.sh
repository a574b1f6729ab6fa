# .jaxpr.yaml selects rules; the command line overrides it
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
# the exit status and JUnit count findings of any level, about a program or the configuration; those of contract check
# count errors
printf '{ lambda ; a:f32[3]. let b:f32[3] = log a in (b,) }\n' > low.jaxpr
for contract in '{forbid: [log]}' '{forbid: [lgo]}' '{files: low.jaxpr, name: step}' '{forbid: [sin]}'; do
    for level in error warning note ignored; do
        levels="severity: {K801: $level, K810: $level, K811: $level}"
        [ $level != ignored ] || levels='ignore: [K801, K810, K811]'
        printf "$levels\ncontracts:\n  - $contract\n" > low.yaml
        "$JAXPR" lint -q --config=low.yaml low.jaxpr
        linted=$?
        failures=$("$JAXPR" lint --config=low.yaml --format=junit low.jaxpr | grep -c '<failure')
        "$JAXPR" contract check -q --config=low.yaml low.jaxpr
        echo "$level $contract: lint $linted, $failures failed, contract check $?"
    done
done

# patterns are relative to the directory of the configuration, also for files outside of that directory
mkdir -p conf/deep steps steps2
printf '{ lambda ; a:f32[]. let b:f32[] = log a in (b,) }\n' | tee conf/a.jaxpr conf/deep/b.jaxpr steps/c.jaxpr steps2/d.jaxpr > e.jaxpr
all="conf/a.jaxpr conf/deep/b.jaxpr steps/c.jaxpr steps2/d.jaxpr e.jaxpr conf/../e.jaxpr"
check() {
    printf "contracts:\n  - {files: '$1', forbid: [log]}\n" > conf/c.yaml
    echo "$1: " $("$JAXPR" contract check --format=gcc --config=conf/c.yaml $all | sed -n 's/:.*K801.*//p')
}
check '*.jaxpr'
check '../*.jaxpr'
check '../steps/*.jaxpr'
check './deep/*'
check '../**/*.jaxpr'
check '**/*.jaxpr'
check '../conf/*.jaxpr'
"$JAXPR" contract check --config=conf/c.yaml steps/c.jaxpr
(cd conf/deep && "$JAXPR" contract check --format=gcc --config=../c.yaml b.jaxpr ../../e.jaxpr | sed -n 's/.*there, //p')

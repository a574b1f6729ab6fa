# text has the first file without a contract, and one line for the others; other formats have all
printf 'contracts:\n  - {files: "steps/*.jaxpr", forbid: [log]}\n' > .jaxpr.yaml
mkdir steps
for file in a b c d e f steps/g; do printf '{ lambda ; a:f32[]. let b:f32[] = sin a in (b,) }\n' > $file.jaxpr; done
"$JAXPR" contract check *.jaxpr steps/*.jaxpr
"$JAXPR" contract check -j3 *.jaxpr | tail -2
"$JAXPR" contract check a.jaxpr b.jaxpr | tail -2
"$JAXPR" contract check --max-findings=2 *.jaxpr | grep -c 'to this file'
for format in gcc json sarif github gitlab junit jsonl; do
    echo "$format: $("$JAXPR" contract check --format=$format *.jaxpr | grep -o 'no contract applies to this file' | wc -l)"
done
printf 'contracts:\n  - {files: "steps/*.jaxpr", forbid: [log]}\nseverity: {K812: error}\n' > .jaxpr.yaml
"$JAXPR" contract check *.jaxpr | tail -2
"$JAXPR" contract check -q *.jaxpr
echo "status $?"

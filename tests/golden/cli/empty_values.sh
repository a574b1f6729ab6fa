# an option whose value is a name or a path does not accept an empty one; lists and titles can be empty, and version 0
# does not exist, nor does one with other text after its numbers
printf '{ lambda ; a:f32[]. let b:f32[] = sin a in (b,) }\n' > a
for verb in $("$JAXPR" --help | sed -n '/^verbs:/,/^$/s/^  \([a-z]*\) .*/\1/p'); do
    for option in $("$JAXPR" $verb --help | sed -n 's/^  ....\(--[a-z-]*\)=\(B\|BASE\|DIR\|FILE\|NAME\|PATH\|VAR\) .*/\1/p'); do
        "$JAXPR" $verb "$option=" a > out 2> err && echo "$verb $option= is accepted"
        grep -q -e "$option. needs a value" err || cat err
        grep -o -e "$option.*" err | head -1
    done
done
"$JAXPR" report --title= a > out && echo title
"$JAXPR" lint --select= a && echo select
for version in 0 0.0 0.0.0 1 .4 0.4 0.4.28 0.12.0.1 0.4.x 0.4. 0.4.-1 0.4.28x '0.4.28 ' 0.4.4294967324 0.4.28rc1 0.4.28.dev2 0.4.28+cuda; do
    "$JAXPR" fmt "--jax=$version" a > out && echo "$version"
done

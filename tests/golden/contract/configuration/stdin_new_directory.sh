# the file of --stdin-filename need not exist, nor its directory: an editor may not have saved it yet
mkdir proj
printf 'contracts:\n  - files: "**"\n    forbid: [sin]\n' > proj/.jaxpr.yaml
for name in proj/f.jaxpr proj/new/f.jaxpr proj/new//newer/f.jaxpr "$PWD/proj/new/f.jaxpr" new/f.jaxpr; do
    echo '{ lambda ; a:f32[]. let b:f32[] = sin a in (b,) }' |
        "$JAXPR" contract check --format=gcc --stdin-filename="$name" 2>&1 | sed "s|$PWD|DIR|"
done

# init records what seldom changes; with counts, a change of many equations gives a few findings, not one for each count
cp "$HERE/../../../../samples/training_step.jaxpr" step.jaxpr
"$JAXPR" contract init step.jaxpr
"$JAXPR" contract init --counts step.jaxpr > .jaxpr.yaml
cat > step.jaxpr << 'END'
{ lambda ; a:f32[4,16] b:f32[16,1] c:f32[8,4] d:f32[8,1]. let
    e:f32[4,16] = sin a
    f:f32[4,16] = cos e
  in (f, b) }
END
"$JAXPR" contract check --format=gcc step.jaxpr
# sizes are read as --set reads them
for size in 255 256 1K 1KiB '1 KiB' 1k 1X; do
    printf 'contracts:\n  - max_bytes: %s\n' "$size" > .jaxpr.yaml
    "$JAXPR" contract check -q step.jaxpr; echo "$size: exit $?"
done
"$JAXPR" lint --no-config --select=P303 --set P303.bytes=1KiB step.jaxpr; echo "exit $?"

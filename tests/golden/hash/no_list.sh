# a file that is not a list of digests is an error, as for sha256sum -c; so is a line without a digest
echo '{ lambda ; a:f32[]. let b:f32[] = sin  a in (b,) }' > a
: > empty
for file in empty a; do
    "$JAXPR" hash -c $file
    echo "status $?"
done
"$JAXPR" hash a | sed '1i 4e16  a' | "$JAXPR" hash -c
echo "status $?"

# the same program in other names, and with another name of a kernel
cat > a <<'X'
{ lambda ; a:f32[3]. let b:f32[3] = named[name=one] a in (b,) }
X
sed 's/\bb\b/c/g' a > b
sed 's/one/two/' a > c
"$JAXPR" eq a b && echo same
"$JAXPR" eq --exact a b
"$JAXPR" eq --exact a a && echo same
"$JAXPR" eq a c
"$JAXPR" eq --ignore-names a c && echo same
# -v shows the lines that differ, also those that differ in names only, and does not change the exit status
"$JAXPR" eq --exact -v a b
echo "exit $?"

# which configuration is read
printf '{ lambda ; a:f32[]. let b:f32[] = sin a in (b,) }\n' > a.jaxpr
mkdir -p one/two
cp a.jaxpr one/two
echo '== none'
$JAXPR contract check a.jaxpr
echo "exit $?"
printf 'contracts: [{forbid: sin}]\n' > .jaxpr.yaml
printf 'contracts: [{forbid: [sin]}]\n' > one/.jaxpr.yaml
echo '== the nearest'
$JAXPR contract check --format=gcc a.jaxpr one/two/a.jaxpr -j 2
echo '== standard input, by its name'
$JAXPR contract check --format=gcc --stdin-filename=one/b.jaxpr < a.jaxpr
echo '== --config'
$JAXPR contract check --format=gcc --config=one/.jaxpr.yaml a.jaxpr
$JAXPR contract check --config=missing.yaml a.jaxpr
echo "exit $?"
echo '== lint'
$JAXPR lint --format=gcc a.jaxpr
$JAXPR lint --no-config a.jaxpr && echo clean
echo '== one that is broken stops all, another one does not matter'
printf 'contract: []\n' > one/.jaxpr.yaml
$JAXPR contract check --format=gcc a.jaxpr one/two/a.jaxpr
echo "exit $?"
$JAXPR contract check --format=gcc -q one/two/a.jaxpr
echo "exit $?"
$JAXPR contract check -q a.jaxpr
echo "exit $?"
echo '== usage'
$JAXPR contract
$JAXPR contract chek a.jaxpr

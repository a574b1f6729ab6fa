# init, check, update: what was recorded from the program is updated; what the user decided stays, byte for byte
cat > two.jaxpr << 'END'
{ lambda ; a:f32[3]. let b:f32[3] = sin a; c:f32[3] = scatter-add b in (c,) }
{ lambda c:i32[2]; a:f32[3]. let
    b:f32[3] = jit[name=f jaxpr={ lambda ; d:f32[3]. let e:f32[3] = cos d in (e,) }] a
  in (b, c) }
END
echo '== init'
$JAXPR contract init --counts two.jaxpr | tee .jaxpr.yaml
$JAXPR contract check two.jaxpr && echo kept
mkdir -p sub/dir
cp two.jaxpr sub/dir
echo '== in a directory below'
sed -i 's/"two.jaxpr"/"sub\/**"/' .jaxpr.yaml
$JAXPR contract check sub/dir/two.jaxpr && echo kept
(cd sub/dir && $JAXPR contract check two.jaxpr && echo kept)
echo '== the program changes'
sed -i 's/ = sin a/ = tan a/; s/f32\[3\]/f32[4]/g' sub/dir/two.jaxpr
$JAXPR contract check --format=gcc sub/dir/two.jaxpr
cat > .jaxpr.yaml << 'END'
# kept as it is:   blanks, "quotes", comments
contracts: [{program: 1, 'count': { tan: 0  , sin: &one 1, cos: "<= 3", "scatter*": '2' } }]   # here, too
# an end without a newline
END
printf 'select: N   # \303\251' >> .jaxpr.yaml
cp .jaxpr.yaml before
echo '== update --diff'
$JAXPR contract update -d sub/dir/two.jaxpr
cmp .jaxpr.yaml before && echo 'nothing written'
echo '== update'
$JAXPR contract update sub/dir/two.jaxpr && tail -n 5 .jaxpr.yaml && echo
$JAXPR contract update sub/dir/two.jaxpr && echo 'nothing moved'
echo '== programs that do not agree, a budget, a block, a nested program'
cat > .jaxpr.yaml << 'END'
contracts:
  - count: {equations: 7, tan: 9, cos: "> 5"}
  - name: f
    hash: >-
      jx1:0000000000000000000000000000000000000000000000000000000000000000
    signature:
      in_type: ((f32[3],True),)
END
$JAXPR contract update -d sub/dir/two.jaxpr
echo "exit $?"
$JAXPR contract update sub/dir/two.jaxpr
echo "exit $?"
cat .jaxpr.yaml
echo '== a program that has no digest any more'
printf 'contracts: [{hash: "jx2:%064d"}]\n' 0 > .jaxpr.yaml
printf '{ lambda ; n:i32[] a:f32[n]. let b:f32[m] = my_op a in (b,) }\n' > sub/dir/two.jaxpr
$JAXPR contract update sub/dir/two.jaxpr
echo "exit $?"

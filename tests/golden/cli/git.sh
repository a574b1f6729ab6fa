# the lines of jaxpr-diff(1) that make git compare programs: canonical texts, or diff as an external driver
export HOME=$PWD GIT_CONFIG_NOSYSTEM=1 PATH=${JAXPR%/*}:$PATH PAGER=cat
git init -q repository && cd repository || exit 1
git config user.name Somebody
git config user.email somebody@example.org
echo '*.jaxpr diff=jaxpr' > .gitattributes
cat > step.jaxpr <<'END'
{ lambda ; a:f32[8] b:f32[8]. let
    c:f32[8] = sin a
    d:f32[8] = mul c 2.0:f32[]
    e:f32[8] = jit[name=f jaxpr={ lambda ; f:f32[8]. let g:f32[8] = exp f in (g,) }] d
    h:f32[8] = add e b
  in (h,) }
END
git add . && git commit -q -m 'A step'

echo '== textconv: other names, another order and another layout are no difference'
git config diff.jaxpr.textconv 'jaxpr norm'
cat > step.jaxpr <<'END'
{ lambda ; x:f32[8] y:f32[8]. let
    z:f32[8] = sin x
    w:f32[8] = mul z 2.0:f32[]
    u:f32[8] = jit[name=f jaxpr={ lambda ; a:f32[8]. let b:f32[8] = exp a in (b,) }] w
    v:f32[8] = add u y in (v,) }
END
git diff | grep -v '^index'

echo '== textconv: a change is one line'
sed 's/2.0/3.0/' step.jaxpr > edited && mv edited step.jaxpr
git diff | grep -v '^index'

echo '== external driver'
git config diff.jaxpr.command \
    'sh -c '\''echo "== $1"; jaxpr diff --exit-zero "$2" "$5" | tail -n +3'\'' --'
git diff
echo "exit $?"

echo '== external driver between commits'
git commit -q -a -m 'Three times'
git diff HEAD~1 HEAD
git log -p -1 --ext-diff --format=%s

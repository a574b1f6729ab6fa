# one line of configuration makes git compare programs, by their canonical texts (textconv) or with diff as its driver
export HOME=$PWD GIT_CONFIG_NOSYSTEM=1 PATH=${JAXPR%/*}:$PATH PAGER=cat
git init -q -b main repository && cd repository || exit 1
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

plain()
{
    grep -v '^index'
}

# commit MESSAGE: commits all files
commit()
{
    git add -A && git commit -q -m "$1"
}

# replace PATTERN TEXT FILE
replace()
{
    sed "s/$1/$2/" "$3" > edited && mv edited "$3"
}

git config diff.jaxpr.textconv 'jaxpr norm --textconv'
driver='jaxpr diff --git'

echo '== textconv: other names, another order and another layout are no difference'
cat > step.jaxpr <<'END'
{ lambda ; x:f32[8] y:f32[8]. let
    z:f32[8] = sin x
    w:f32[8] = mul z 2.0:f32[]
    u:f32[8] = jit[name=f jaxpr={ lambda ; a:f32[8]. let b:f32[8] = exp a in (b,) }] w
    v:f32[8] = add u y in (v,) }
END
git diff | plain
echo '== driver: the same'
git -c diff.jaxpr.command="$driver" diff

echo '== textconv: a change is one line'
replace 2.0 3.0 step.jaxpr
git diff | plain
echo '== driver: an equation'
git -c diff.jaxpr.command="$driver" diff
echo "exit $?"
commit 'Three times'

echo '== textconv: a broken version is compared as it is, and mended again'
replace sin 'sin (' step.jaxpr
git diff | plain
commit 'Break it'
echo '== driver: the same'
git -c diff.jaxpr.command="$driver" show --ext-diff --format=%s | plain
replace 'sin (' sin step.jaxpr
commit 'Mend it'

echo '== driver: other options apply'
git -c diff.jaxpr.command="$driver --stat" diff HEAD~3 HEAD
git -c diff.jaxpr.command="$driver -U0" diff HEAD~3 HEAD

echo '== driver: added, with a mode, renamed with a change, deleted'
printf '{ lambda ; a:f32[8]. let b:f32[8] = cos a in (b,) }\n' > wave.jaxpr
commit 'Add'
git -c diff.jaxpr.command="$driver" show --ext-diff --format=%s
chmod +x wave.jaxpr
git mv step.jaxpr 'a step.jaxpr'
replace 3.0 4.0 'a step.jaxpr'
commit 'Rename'
git -c diff.jaxpr.command="$driver" show -M --ext-diff --format=%s | plain
git rm -q wave.jaxpr
commit 'Delete'
git -c diff.jaxpr.command="$driver" show --ext-diff --format=%s | plain

echo '== textconv: the whole log, with broken, empty and binary files'
: > empty.jaxpr
printf '\000\001' > binary.jaxpr
commit 'Odd files'
git log -p --format=%s | grep -c '^diff'
echo "exit $?"
git -c diff.jaxpr.command="$driver" log -p --ext-diff -M --format=%s | grep -c '^diff'

echo '== conflicts: what is unmerged, then the merge'
git checkout -q -b side
replace 4.0 5.0 'a step.jaxpr'
commit Five
git checkout -q main
replace 4.0 6.0 'a step.jaxpr'
commit Six
git merge -q side > merge.log && echo 'merged without a conflict'
rm merge.log
git diff | plain
git -c diff.jaxpr.command="$driver" diff | plain
git -c diff.jaxpr.command="$driver" diff --cached
sed -e '/^[<>=]/d' -e '/5\.0/d' 'a step.jaxpr' > edited && mv edited 'a step.jaxpr'
commit 'Take six'
git show --format=%s | plain

echo '== arguments that git does not pass, and files that cannot be read'
jaxpr diff --git a b
echo "exit $?"
jaxpr diff --git a none.jaxpr 0 100644 none.jaxpr 0 100644
echo "exit $?"
jaxpr norm --textconv none.jaxpr
echo "exit $?"

# -w writes only what changes, keeps the mode, follows links, and leaves files with errors and their directory alone
loose='{ lambda ; a:f32[]. let
    b:f32[] = sin a
  in (b,) }'
echo "$loose" > loose; chmod 640 loose
"$JAXPR" fmt loose > same; touch -d 2001-01-01 same
printf '%s\n{ lambda ; a:f32[]. let b:f32[] = = a in (b,) }\n' "$loose" > broken; cp broken broken.before
mkdir there; echo "$loose" > there/target; ln -s there/target link
"$JAXPR" fmt -w -l loose same broken link; echo "exit $?"
cat loose same there/target
cmp broken broken.before
stat -c '%a' loose
date -r same +%Y
test -L link && echo 'still a link'
ls . there
chmod 444 loose; echo "$loose" > read-only; chmod 444 read-only
[ "$(id -u)" = 0 ] || "$JAXPR" fmt -w read-only 2> /dev/null
"$JAXPR" fmt -w missing; echo "exit $?"

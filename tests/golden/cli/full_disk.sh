# a write that fails is always reported
[ -c /dev/full ] || exit 0
printf '{ lambda ; a:f32[]. let b:f32[] = sin q in (b,) }\n' > program
for verb in check fmt stats json 'explain S012' explain --help --version 'check --help'; do
    "$JAXPR" $verb $([ -n "${verb##*[- ]*}" ] && [ "$verb" != explain ] && echo program) > /dev/full
    echo "$verb: exit $?"
done
"$JAXPR" fmt program nowhere 2> /dev/full
echo "exit $?"

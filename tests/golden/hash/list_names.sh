# a list of files with any names is checked, and no line of it can be read as that of another file or program
program='{ lambda ; a:f32[]. let b:f32[] = sin a in (b,) }'
other='{ lambda ; a:f32[]. let b:f32[] = cos a in (b,) }'
digest=$(echo "$program" | "$JAXPR" hash | cut -d ' ' -f 1)
line=$(printf 'a\n%s  b' "$digest")
slash=$(printf 'back\\n\nslash')
return=$(printf 'c\r\\r\r')
mkdir d
for name in 'a b' ' a' 'a#2' '#2' 'a#02' 'a:1 f' 'a\n' '\' "$slash" "$line" "$return"; do
    echo "$program" > "d/$name"
done
echo "$other" > d/b
(cd d && "$JAXPR" hash -- * > ../list && "$JAXPR" hash -c ../list && cat ../list)
echo '== the list as other systems save it'
(printf '\357\273\277' && sed 's/$/\r/' list) > saved
(cd d && "$JAXPR" hash -c ../saved | grep -c OK)
echo '== two programs of a file, and a file that is named like the second'
printf '%s\n%s\n' "$program" "$other" > a
echo "$program" > 'a#2'
"$JAXPR" hash a 'a#2' | tee list
"$JAXPR" hash -c list
echo '== numbers beyond those of any file'
for number in 3 02 4294967297 18446744073709551617 99999999999999999999; do
    echo "$digest  a#$number" | "$JAXPR" hash -c
    echo "status $?"
done
echo '== a NUL byte'
printf '%s  a\0b\n' "$digest" | "$JAXPR" hash -c
echo "status $?"

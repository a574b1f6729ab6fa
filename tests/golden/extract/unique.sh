# programs that are equal, whatever their names, are printed once; a comment says where each was found
cat > a.log << 'END'
step 1
{ lambda ; a:f32[]. let b:f32[] = sin a in (b,) }
step 2
{ lambda ; c:f32[]. let d:f32[] = sin c in (d,) }
step 3: another
{ lambda ; a:f32[]. let b:f32[] = cos a in (b,) }
END
printf 'again\n{ lambda ; a:f32[]. let b:f32[] = cos a in (b,) }\n{ lambda ; a:f32[]. let b:f32[] = tan a in (b,) }\n' > b.log
"$JAXPR" extract --unique --where -j 4 a.log b.log | tee found
"$JAXPR" check found && echo fine
"$JAXPR" extract --unique --format=json a.log b.log | grep -c '"line"'
"$JAXPR" extract --unique -o out a.log b.log && ls out
"$JAXPR" extract --where a.log | head -1

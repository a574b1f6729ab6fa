# no rewrite prints a program that captures a free name, and a program that reads a name before it is bound has no
# digest
cat >a.jaxpr <<'END'
{ lambda ; z:Ref{f32[4]} y:f32[]. let
    semaphore_wait[dec] z[...] 1:i32[]
    d:f32[] <- z[i]
    e:f32[] = add a d
  in (e,) }
END
for pass in captures dce inline constants lift; do "$JAXPR" norm -p $pass a.jaxpr; done 2>/dev/null
"$JAXPR" norm a.jaxpr 2>/dev/null
sed 's/(e,)/(e, f)/; s/^  in/    f:f32[] = sin g; g:f32[] = neg y\n  in/' a.jaxpr | "$JAXPR" hash 2>/dev/null
"$JAXPR" eq a.jaxpr a.jaxpr 2>/dev/null
echo $?
# a name that an equation binds without printing it is given to no other variable
cat >b.jaxpr <<'END'
{ lambda ; z:Ref{i32[]} y:i32[]. let
    barrier_test z[...]
    d:i32[] = convert_element_type[new_dtype=int32 weak_type=False] a
    e:i32[] = add y d
  in (d, e) }
END
for pass in dce inline; do "$JAXPR" norm -p $pass b.jaxpr; done
"$JAXPR" norm b.jaxpr

# every verb names a missing parameter as the JAX that printed the program names it
scan='scan[jaxpr={ lambda ; h:f32[] i:f32[]. let j:f32[] = add h i in (j, j) } length=3 reverse=False unroll=1]'
printf '{ lambda ; a:f32[] b:f32[3]. let\n    c:f32[3] = pjit[name=f jaxpr={ lambda ; d:f32[3]. let e:f32[3] = sin d in (e,) }] b\n    f:f32[] g:f32[3] = %s a c\n  in (f, g) }\n' "$scan" > old
printf '{ lambda ; a:f32[] b:f32[3]. let\n    _:Ref{f32[3]} = new_ref[kind=None memory_space=None pin=False] b\n    f:f32[] g:f32[3] = %s a b\n  in (f, g) }\n' "$scan" > new
for verb in check fmt norm stats hash json lint; do
    for file in old new; do
        "$JAXPR" $verb --format=gcc $file 2>&1 | sed -n "s/.*lacks/$verb $file lacks/p"
        case $verb in stats | json) "$JAXPR" $verb $file 2>&1 > /dev/null | sed -n "s/.*lacks/$verb $file lacks/p" ;; esac
    done
done

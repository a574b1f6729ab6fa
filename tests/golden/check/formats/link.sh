# a link holds exactly the bytes of the text; it is printed if something was found, in the text format only
printf '{ lambda ; a:f32[2]. let b:f32[3] = sin a in (b,) }\n' > a.jaxpr
printf '{ lambda ; a:f32[2]. let b:f32[2] = sin a in (b,) }\n' > b.jaxpr
"$JAXPR" check --link=https://example.org/p.html a.jaxpr b.jaxpr
"$JAXPR" check --link=base a.jaxpr | sed -n 's/.*base#t=//p' | tr -- '-_' '+/' | base64 -d 2> /dev/null | cmp - a.jaxpr && echo same
"$JAXPR" check --link=base --format=gcc a.jaxpr
awk 'BEGIN { print "{ lambda ; a:f32[2]. let"; for (i = 0; i < 3000; i++) print "    _:f32[2] = sin a"; print "  in (b,) }" }' > large.jaxpr
"$JAXPR" check --link=base large.jaxpr | grep -c 'base#'

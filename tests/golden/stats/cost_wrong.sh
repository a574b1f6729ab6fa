echo '{ lambda ; a:f32[4]. let b:f32[5] = sin a in (b,) }' > a.jaxpr
"$JAXPR" stats --by=shape a.jaxpr
"$JAXPR" stats --cost --by=colour a.jaxpr
"$JAXPR" stats --cost a.jaxpr

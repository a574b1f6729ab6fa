# a nested program that holds a constant is equal to one that gets it as an argument, anywhere in a stream; one that
# computes something else is not
inside() {
    echo "{ lambda ; a:f32[2]. let b:f32[2] = jit[name=$2 jaxpr={ lambda x:f32[2]; c:f32[2]. let d:f32[2] = $1 c x; e:f32[2] = sin d in (e,) }] a in (b,) }"
}
outside() {
    echo "{ lambda x:f32[2]; a:f32[2]. let b:f32[2] = jit[name=$2 jaxpr={ lambda ; x:f32[2] c:f32[2]. let d:f32[2] = $1 c x; e:f32[2] = sin d in (e,) }] x a in (b,) }"
}
plain() {
    echo "{ lambda ; a:f32[2]. let b:f32[2] = $1 a in (b,) }"
}
inside mul f > a
outside mul f > b
"$JAXPR" eq a b && "$JAXPR" diff a b && echo equal
outside sub f > b
"$JAXPR" eq a b
"$JAXPR" diff --stat a b
{ plain sin; inside mul f; inside add g; plain cos; } > a
{ plain sin; outside mul f; outside sub g; plain tan; } > b
"$JAXPR" diff --stat a b
{ plain cos; inside add g; } > a
{ outside add g; plain cos; } > b
"$JAXPR" diff --format=json a b
# a program that occurs only in a parameter that is ignored
{ inside mul f; plain cos; } > a
{ outside sub f; plain cos; } > b
"$JAXPR" diff --stat --ignore-params=jaxpr a b
"$JAXPR" eq --ignore-params=jaxpr a b

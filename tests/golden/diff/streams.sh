# programs of two files are paired by what they compute, then by name
cat > a <<'X'
{ lambda ; a:f32[]. let b:f32[] = sin a in (b,) }
{ lambda ; a:f32[]. let b:f32[] = jit[name=loss jaxpr={ lambda ; a:f32[]. let b:f32[] = exp a in (b,) }] a in (b,) }
{ lambda ; a:f32[]. let b:f32[] = tan a; c:f32[] = neg b in (c,) }
{ lambda ; a:f32[]. let b:f32[] = cos a in (b,) }
X
cat > b <<'X'
{ lambda ; a:f32[]. let b:f32[] = jit[name=loss jaxpr={ lambda ; a:f32[]. let b:f32[] = log a in (b,) }] a in (b,) }
{ lambda ; a:f32[]. let b:f32[] = tan a; c:f32[] = sqrt b in (c,) }
{ lambda ; x:f32[]. let y:f32[] = cos x in (y,) }
{ lambda ; x:f32[]. let y:f32[] = sin x in (y,) }
X
"$JAXPR" diff a b
"$JAXPR" diff --stat a b
"$JAXPR" diff --format=json a b
"$JAXPR" diff a a && echo the same
# a function with other contents is changed; one with another name only is not; of one name, equal programs are paired
jitted() { printf '{ lambda ; a:f32[]. let b:f32[] = jit[name=%s jaxpr={ lambda ; a:f32[]. let b:f32[] = %s a in (b,) }] a in (b,) }\n' "$1" "$2"; }
{ jitted f exp; jitted g log; jitted h sin; } > a
{ jitted f log; jitted g exp; jitted renamed sin; } > b
"$JAXPR" diff a b
{ jitted f exp; jitted f log; jitted f sin; } > a
{ jitted f log; jitted f sin; jitted f tan; } > b
"$JAXPR" diff a b
# standard input can be one side
"$JAXPR" diff --stat - b < a
"$JAXPR" diff - - < a || echo "exit $?"
# the only program of a file, which the other one lacks
head -n 1 a > single
: > none
"$JAXPR" diff -q single none
"$JAXPR" diff single none
"$JAXPR" diff none single

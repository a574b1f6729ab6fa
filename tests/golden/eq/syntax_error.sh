# the errors of a program are reported, and not that it differs from itself
echo '{ lambda ; a:f32[3]. let b:f32[3] = sin a in (b }' > bad
"$JAXPR" eq bad bad
"$JAXPR" eq --exit-zero bad bad

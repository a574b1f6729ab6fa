program='{ lambda ; a:f32[]. let b:f32[] = sin q in (b,) }'
echo "$program" | "$JAXPR" check
echo "$program" | "$JAXPR" check -
echo "$program" | "$JAXPR" check --stdin-filename=train.jaxpr --format=gcc
echo "$program" | "$JAXPR" fmt
echo "$program" | "$JAXPR" stats --format=json --stdin-filename 'a "b".jaxpr'

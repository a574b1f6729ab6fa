# a comment that fmt prints below another one reads like no line of a program; an equation still does
cat > a <<'J'
{ lambda ; a:f32[]. let b:f32[] = cos a  # let
  in (b,) }  # { lambda
J
cat > b <<'J'
{ lambda ; a:f32[]. let
    b:f32[] = cos a  # here
    # c:f32[] = sin a
  in (b,) }
J
for i in a b; do
    "$JAXPR" fmt -q $i > $i.fmt
    "$JAXPR" fmt -q $i.fmt | diff $i.fmt -
    "$JAXPR" check --format=gcc $i.fmt
done

# in text before 0.2.9, parameters are apart from their primitive: findings and edits of operands are after them
cat > old <<'P'
{ lambda ; a:float32[2,3].
  let b:float32[3,2] = transpose [ perm=1,0 ] a
      c:float32[3,2] = transpose [ perm=1,0 ] a
      d:float32[2,3] = transpose [ perm=1,0 ] c
      e:float32[3,2] = reshape [ shape=3,2
                                 x=1 ] z
  in ( b, d, e ) }
P
"$JAXPR" check --format=gcc old
sed 's/ z$/ d/' old > fine
"$JAXPR" lint --select=ALL --fix -q fine
cat fine
"$JAXPR" check -q fine | grep -c error

# in text before 0.2.9, parameters are apart from their primitive: findings and edits of operands are after them
cat > old <<'P'
{ lambda ; a:float32[2,3].
  let b:float32[3,2] = transpose [ permutation=1,0 ] a
      c:float32[3,2] = transpose [ permutation=1,0 ] a
      d:float32[2,3] = transpose [ permutation=1,0 ] c
      e:float32[3,2] = reshape [ new_sizes=3,2
                                 dimensions=None ] z
  in ( b, d, e ) }
P
"$JAXPR" check --format=gcc old
sed 's/ z$/ d/' old > fine
"$JAXPR" lint --select=H --fix -q fine
cat fine
"$JAXPR" check -q fine

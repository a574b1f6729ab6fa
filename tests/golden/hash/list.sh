printf '{ lambda ; a:f32[]. let b:f32[] = sin a in (b,) }\n{ lambda ; a:f32[]. let b:f32[] = cos a in (b,) }\n' > a
printf '{ lambda ; x:f32[]. let\n    y:f32[] = cos x\n  in (y,) }\n' > b
"$JAXPR" hash a b | tee list
"$JAXPR" hash -c list
sed -i s/cos/tan/ b
"$JAXPR" hash -c list || echo "status $?"
sed -i s/tan/cos/ b
sed s/jx2/jx1/ list > old
"$JAXPR" hash -c old

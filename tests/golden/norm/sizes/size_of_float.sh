# a size that names a variable that is not an integer is renamed with it, and the digest stays the same
echo '{ lambda ; a:f64[] b:f64[a]. let  in (b,) }' >a.jaxpr
"$JAXPR" norm a.jaxpr | tee a.norm
"$JAXPR" eq a.jaxpr a.norm && echo same
echo '{ lambda ; a:bint{≤5}[] b:f64[a]. let  in (b,) }' >b.jaxpr
sed 's/a/n/g; s/lnmbdn/lambda/' b.jaxpr >c.jaxpr
"$JAXPR" eq b.jaxpr c.jaxpr && echo same

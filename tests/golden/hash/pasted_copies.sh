# equal programs inside of parameter values are copies, and each contributes to the digest of the equation
"$JAXPR" dups "$HERE/functions_pasted.jaxpr" "$HERE/functions_pasted.jaxpr" | sed "s|$HERE/||"

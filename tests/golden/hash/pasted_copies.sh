# equal programs that are pasted into values are copies, and they count in what holds them
"$JAXPR" dups "$HERE/functions_pasted.jaxpr" "$HERE/functions_pasted.jaxpr" | sed "s|$HERE/||"

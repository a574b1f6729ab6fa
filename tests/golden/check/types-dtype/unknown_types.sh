# Types that no known printer prints: each is named once, by every format that has a field for it.
"$JAXPR" check "$HERE/T026_unknown_types.jaxpr"
"$JAXPR" check -q "$HERE/T026_unknown_types.jaxpr"
"$JAXPR" check --format=jsonl "$HERE/T026_unknown_types.jaxpr" | grep -o '"message".*' 
"$JAXPR" check --format=sarif "$HERE/T026_unknown_types.jaxpr" | grep -o '"properties":{"equations.*},"tool"'
"$JAXPR" check --format=junit "$HERE/T026_unknown_types.jaxpr" | grep property

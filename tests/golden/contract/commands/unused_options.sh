for call in 'check --counts' 'check --diff' 'update --counts' 'init --diff'; do
    "$JAXPR" contract $call < /dev/null
    echo "$call: $?"
done

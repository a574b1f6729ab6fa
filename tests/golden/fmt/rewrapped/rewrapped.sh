# lines that terminals, mail or copying wrapped are printed as JAX printed them; what differs is shown
compare() {
    "$JAXPR" fmt | diff "$HERE/$name" - >difference && echo "$1: the same" || { echo "$1: differs"; cat difference; }
}
for name in rewrapped_typed.jaxpr rewrapped_untyped.jaxpr rewrapped_comments.jaxpr; do
    echo "$name"
    for width in 50 72 80 100; do
        fold -w $width "$HERE/$name" | compare "cut at $width"
    done
    fold -s -w 72 "$HERE/$name" | compare "cut at blanks"
    sed 's/^ *//' "$HERE/$name" | compare "indentation lost"
    tr '\n' ' ' <"$HERE/$name" | compare "line ends as blanks"
    tr -s ' \n' ' ' <"$HERE/$name" | compare "one line"
done
for name in rewrapped_typed.jaxpr rewrapped_untyped.jaxpr; do
    tr -s ' \n' ' ' <"$HERE/$name" | fold -s -w 72 | sed 's/ *$//' | compare "filled"
done

# line numbers, whichever tool added them, are removed; what differs from the program is shown
cat >program <<'END'
{ lambda ; a:f32[4] b:i32[]. let
    c:f32[4] = sin a
    d:f32[4] = cos c
    e:f32[4] = jit[
      name=inner
      jaxpr={ lambda ; f:f32[4]. let
          g:f32[4] = exp f
          h:f32[4] = add g 1.0:f32[]
        in (h,) }
    ] d
    i:f32[4] = mul e 2.0:f32[]
  in (i, b) }
END
compare() {
    "$JAXPR" extract | diff program - >difference && echo "$1: the same" || { echo "$1: differs"; cat difference; }
}
cat -n program | compare "cat -n"
nl -ba program | compare "nl"
grep -n '' program | compare "grep -n"
grep -Hn '' program | compare "grep -Hn"
awk '{printf "   %2d | %s\n", NR, $0}' program | compare "a compiler"
awk '{printf "%4d   \342\224\202 %s\n", NR, $0}' program | compare "bat"
awk '{printf "%3d %s\n", NR + 95, $0}' program | compare "an editor"
awk '{printf "%s (%-9s 2024-05-%02d 07:08:09 +0200 %2d) %s\n", NR % 2 ? "a1b2c3d4" : "^9ffee00",
             NR % 3 ? "Some One" : "Jo", NR + 3, NR, $0}' program | compare "git blame"
sed 's/^/+/' program | compare "added"
sed 's/^/-/' program | compare "removed"
sed 's/^/ /' program | compare "kept"
awk '{if (NR % 5 == 3) print "-    x:f32[4] = tan c"; printf "%s%s\n", NR % 5 == 3 ? "+" : " ", $0}' program |
    compare "changed"

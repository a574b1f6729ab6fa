#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# The examples of libjaxpr(3) do what the page says, compiled as C and as C++ with nothing but the headers and the
# shared library, and each has fewer than 60 lines.
#
#     examples.sh SOURCE_ROOT SHARED_LIBRARY
set -eu
again="$0 $*"
root=$(mktemp -d)
trap 'status=$?; rm -rf "$root"; [ $status = 0 ] || [ $status = 77 ] || echo "repeat: $again"' EXIT
cp "$1"/src/jaxpr*.h "$root"
library=$(realpath "$2")
awk -v root="$root" '
    /^\.Ed/ { file = "" }
    /^#include <jaxpr.h>/ { file = root "/example" ++n ".c" }
    file { gsub(/\\e/, "\\"); print > file }' "$1/man/libjaxpr.3"

cat > "$root/dots.jaxpr" << 'END'
let g = { lambda ; a:f32[m,4] b:f32[4,5]. let
    c:f32[m,5] = dot_general[
      dimension_numbers=(([1], [0]), ([], []))
      preferred_element_type=float32
    ] a b # inner.py:9:2 (g)
  in (c,) } in
{ lambda ; a:f32[2,m,4] b:f32[4,5] d:f32[2,4,m]. let
    c:f32[2,2] = dot_general[dimension_numbers=(([1, 2], [2, 1]), ([], []))] a d # step.py:3:6 (f)
    e:f32[m,5] = jit[name=g jaxpr=g] c b
  in (c, e) }
END
printf '%s\n' '4 inner.py:9:2 (g)' 'm 4 step.py:3:6 (f)' > "$root/dots.want"
cat > "$root/rename.jaxpr" << 'END'
{ lambda ; a:f32[] r:Ref{f32[4]} c:i32[]. let
    b:i32[] = add c  1:i32[]
    d:f32[] <- r[b]
    e:f32[] = cond[branches=( { lambda ; b:f32[]. let in (b,) } )] b d
  in (b, e) }
END
sed -e '2s/b:/size:/; 3s/\[b\]/[size]/; 4s/\] b d/] size d/; 5s/(b/(size/' "$root/rename.jaxpr" > "$root/rename.want"

for language in c c++; do
    compiler=${CC:-cc}
    [ $language = c ] || compiler=${CXX:-c++}
    command -v "${compiler##* }" > /dev/null || {
        echo "$compiler is not installed: the examples were not compiled as $language"
        continue
    }
    for n in 1 2 3; do
        [ "$(wc -l < "$root/example$n.c")" -lt 60 ]
        # shellcheck disable=SC2086 # words of the compiler
        $compiler -x $language -Wall -Werror -I "$root" -o "$root/example$n" "$root/example$n.c" -x none "$library" \
            -Wl,-rpath,"${library%/*}"
    done
    [ "$("$root/example1" < "$root/dots.jaxpr")" = 'dot_general jit ' ]
    "$root/example2" < "$root/dots.jaxpr" | diff "$root/dots.want" -
    "$root/example3" b size < "$root/rename.jaxpr" | diff "$root/rename.want" -
done

#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Checks which layers of src/ use which: by includes and, if a build is given, by the symbols that they link.
#
#     layers.sh SOURCE_ROOT [BUILD_ROOT]
again="$0 $*"
src=$(realpath "$1")/src
build=${2:+$(realpath "$2")}
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
wrong=0

# layer: the layers and tables that it may use; it may also use all that those may use
cat > "$work/rooms" << 'END'
base: records.def line_ends.def
highlight: base classes.def
diag: base highlight diagnostics.def
ir: base dtypes.def versions.def
types: ir
prims/names: base primitives.def slot.h slots.def
prims: types prims/names primitives.def meanings.def
regions: prims
preprocess: base prims/names
parse: ir diag grammar preprocess
resolve: regions diag
verify: resolve spellings.def enumerations.def words.def
verify/rules: verify
signature: resolve
rewrite: verify
print: ir
canon: rewrite print
diff: canon
cost: verify
lint: verify canon print cost lint.def config.def
contract: lint signature
extract: parse
report: verify print cost lint
api: parse resolve verify/rules signature rewrite print canon diff cost lint contract extract report
command: options.def
lsp: command line_ends.def
END

# closure: `layer used` for every layer that a layer may use, itself included
awk -F: '{ room[++n] = $1; uses[$1] = $1 " " $2 }
    END {
        for (i = 1; i <= n; i++) {
            split("", seen); queue = uses[room[i]]
            while (queue != "") {
                count = split(queue, part, " "); queue = ""
                for (k = 1; k <= count; k++)
                    if (!(part[k] in seen)) { seen[part[k]]; print room[i], part[k]; queue = queue " " uses[part[k]] }
            }
        }
    }' "$work/rooms" > "$work/closure"

# no two layers may use each other
awk '$1 != $2 { if (($2, $1) in pair) { print $1 " and " $2 " use each other"; bad = 1 } pair[$1, $2] } END { exit bad }' \
    "$work/closure" || wrong=1

# every #include: `layer used file:line`
cd "$src" || exit 2
grep -rn --include='*.[ch]' '^ *# *include "' . | sed 's/^\.\///' | awk -F'"' '
    {
        split($1, at, ":"); file = at[1]; used = $2; room = file
        if (!sub(/\/[^\/]*$/, "", room)) room = file ~ /^jaxpr/ ? "header" : "command"
        if (used ~ /^jaxpr(_change|_tools|_walk)?\.h$/) used = "header"
        else if (used ~ /\.tab\.h$/) used = "grammar"
        else if (used ~ /\//) sub(/\/[^\/]*$/, "", used)
        print room, used, file ":" at[2]
    }' > "$work/includes"
awk 'NR == FNR { ok[$1, $2]; room[$1]; next }
    $1 == "header" { if ($2 != "header") { print $3 ": the public header includes " $2; bad = 1 } next }
    $2 == "header" { if ($1 != "api" && $1 != "command" && $1 != "lsp") { print $3 ": " $1 " includes the public header"; bad = 1 } next }
    !($1 in room) { print $3 ": src/" $1 " is not a layer of this list"; bad = 1; next }
    !(($1, $2) in ok) { print $3 ": " $1 " may not use " $2; bad = 1 }
    END { exit bad }' "$work/closure" "$work/includes" || wrong=1

# every symbol that one layer defines and another needs
if [ -n "$build" ] && command -v nm > /dev/null; then
    nm -A "$build/src/libjaxpr.a" 2> /dev/null | awk '
        {
            colon = index($0, ".o:"); file = substr($0, 1, colon - 1); count = split(substr($0, colon + 3), part, " ")
            sub(/.*(\.p\/|\.a:)/, "", file)
            print file, part[count - 1], part[count]
        }' > "$work/symbols"
    cut -d: -f1 "$work/rooms" | sort -r | awk '
        FILENAME == "-" { name[++n] = $1; next }
        FILENAME ~ /closure$/ { ok[$1, $2]; next }
        {
            room = ""
            for (i = 1; i <= n && room == ""; i++) {
                flat = name[i]; gsub("/", "_", flat)
                if (index($1, flat "_") == 1) room = name[i]
            }
            if (room == "") next
            if ($2 == "U") needs[room " " $3] = $1
            else if ($2 ~ /[TDBRV]/) home[$3] = room
        }
        END {
            for (key in needs) {
                split(key, part, " ")
                # the table of rules (rules/dispatch.c) is in the same layer as the rules, so that prims links none of
                # them
                if (part[1] == "verify" && part[2] ~ /^prim_(shape|dtype)$/) continue
                if (part[2] in home && !((part[1], home[part[2]]) in ok)) {
                    print needs[key] ": " part[1] " links " part[2] " of " home[part[2]]; bad = 1
                }
            }
            exit bad
        }' - "$work/closure" "$work/symbols" || wrong=1
fi

# the library never prints, exits or reads the environment, except for traces of debug builds
found=$(find . -name '*.c' ! -path './command/*' ! -path './lsp/*' ! -path ./main.c -exec awk '
    /^#if [A-Z]+_DEBUG$/ { debug = 1 }
    /^#(else|endif)/ { debug = 0 }
    !debug && /(^|[^a-z_])(printf|puts|putchar|exit|abort|getenv|setlocale)\(|(^|[^a-z_])std(out|err)([^a-z_]|$)/ {
        print FILENAME ":" FNR ": " $0
    }' {} +)
if [ -n "$found" ]; then
    echo "$found"
    wrong=1
fi

# nor does it have writable variables that outlive a call
found=$(find . -name '*.c' ! -path './command/*' ! -path './lsp/*' -exec grep -nHE '^(static )?[a-z][a-z_ ]*[ *][a-z_]+(\[[^]]*\])*( = .*)?;$' {} + |
    grep -vE ':(static )?const |\bconst\b|:typedef |\(|:extern ')
if [ -n "$found" ]; then
    echo "$found"
    wrong=1
fi
[ $wrong = 0 ] || echo "repeat: $again"
exit $wrong

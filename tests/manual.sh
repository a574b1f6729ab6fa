#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# The manual pages are valid mdoc and are installed; each lists the options of its verb, with the same arguments as the
# help, in a section of their own, and shows each use on one line of the synopsis; jaxpr-norm(1) names every pass, and
# libjaxpr(3) describes every function of the library.
#
#     manual.sh JAXPR SOURCE_ROOT
again="$0 $*"
jaxpr=$(realpath "$1")
cd "$2" || exit 2
wrong=0

if command -v mandoc > /dev/null; then
    mandoc -Tlint -Wwarning man/*.[1-9] || wrong=1
else
    echo 'mandoc is not installed: pages not linted'
fi

verbs=$("$jaxpr" --help | sed -n '/^verbs:/,/^$/s/^  \([a-z]*\) .*/\1/p')
[ -n "$verbs" ] || wrong=1
# the options of a verb, one on each line, as its help and its page list them: `w write`, `j jobs=n`, `- width=n`
help_options()
{
    "$jaxpr" "$1" --help | sed -n -E '/^options:/,$ {
        s/^  -(.), --([^ ]*) .*/\1 \2/p
        s/^      --([^ ]*) .*/- \1/p
    }' | tr 'A-Z' 'a-z' | sort
}

# options that the section "Common options" of a page names are described in jaxpr(1)
page_options()
{
    awk 'function option() {
        sub(/^\.It Fl /, "")
        sub(/ Ns = Ns Ar /, "=")
        letter = substr($0, 1, 1)
        name = $0
        sub(/^(.*, (Fl )?)?-/, "", name)
        return letter " " name
    }
    FNR == NR && /^\.It Fl/ {
        line = $0
        sub(/^\.It Fl /, "", line)
        sub(/ .*/, "", line)
        common[line] = option()
    }
    FNR == NR { next }
    /^\.It Fl/ { print option() }
    /^\.S[hs]/ { named = /^\.Ss Common options/ }
    named && /^\.Fl/ {
        for (i = 2; i <= NF; i++)
            if ($i in common)
                print common[$i]
    }' man/jaxpr.1 "man/jaxpr-$1.1" | tr 'A-Z' 'a-z' | sort
}

# the number of lines of the printed synopsis of a verb
synopsis()
{
    if command -v mandoc > /dev/null; then
        mandoc -Tascii -Owidth=78 "man/jaxpr-$1.1" | sed 's/.\x08//g' | sed -n '/^SYNOPSIS/,/^DESCRIPTION/p' | grep -c '^ '
    else
        sed -n '/^\.Sh SYNOPSIS/,/^\.Sh DESCRIPTION/p' "man/jaxpr-$1.1" | grep -c '^\.Nm'
    fi
}

for verb in $("$jaxpr" --help | sed -n '/^verbs:/,/^$/s/^  \([a-z]*\) .*/\1/p'); do
    if [ "$(help_options "$verb")" != "$(page_options "$verb")" ]; then
        echo "man/jaxpr-$verb.1 and jaxpr $verb --help do not list the same options:"
        help_options "$verb" > "${TMPDIR:-/tmp}/jaxpr-help.$$"
        page_options "$verb" | diff "${TMPDIR:-/tmp}/jaxpr-help.$$" -
        rm -f "${TMPDIR:-/tmp}/jaxpr-help.$$"
        wrong=1
    fi
    grep -q '^\.Sh OPTIONS$' "man/jaxpr-$verb.1" || {
        echo "man/jaxpr-$verb.1: the options have no section"
        wrong=1
    }
    # the synopsis has a line for each use, and only options of the verb
    for option in $(sed -n '/^\.Sh SYNOPSIS/,/^\.Sh DESCRIPTION/s/.*Fl -*\([a-z-]*\).*/\1/p' "man/jaxpr-$verb.1"); do
        help_options "$verb" | grep -Eq "^$option | $option(=|$)" || {
            echo "man/jaxpr-$verb.1: SYNOPSIS has $option, which is not an option"
            wrong=1
        }
    done
    if [ "$(sed -n '/^\.Sh SYNOPSIS/,/^\.Sh DESCRIPTION/p' "man/jaxpr-$verb.1" | grep -c '^\.Nm')" != "$(synopsis "$verb")" ]; then
        echo "man/jaxpr-$verb.1: a use in SYNOPSIS does not fit in a line of 78 columns"
        wrong=1
    fi
    grep -q "jaxpr-$verb 1" man/jaxpr.1 || {
        echo "man/jaxpr.1: $verb is missing"
        wrong=1
    }
    [ "$("$jaxpr" "$verb" --version)" = "$("$jaxpr" --version)" ] || {
        echo "jaxpr $verb --version prints another version"
        wrong=1
    }
done

# .Ql quotes up to the end of its line: what follows a literal there would be inside its quotes
grep -nE '^\.((Pq|It|D1) )?Ql .* , [^ ]|^\.((Pq|It|D1) )?Ql .* (No|Xr|Ql|Pq|Cm|Fl|Ar) ' man/*.[1-9] && wrong=1

for verb in $(sed -n '/^OWN = {/s/"\([a-z-]*\)": [a-z_]*/\n\1\n/gp' python/jaxpr/__main__.py | grep -x '[a-z-]*'); do
    grep -q "python -m jaxpr $verb\"" man/jaxpr.1 || {
        echo "man/jaxpr.1: python -m jaxpr $verb is missing"
        wrong=1
    }
done

for pass in $(sed -n 's/^    {"\([a-z-]*\)", JX_PASS_.*/\1/p' src/api/rewrite.c); do
    grep -q "^\.It Cm $pass$" man/jaxpr-norm.1 || {
        echo "man/jaxpr-norm.1: $pass is missing"
        wrong=1
    }
done

for page in man/*.[1-9]; do
    grep -q "'${page#man/}'" man/meson.build || {
        echo "man/meson.build: ${page#man/} is missing"
        wrong=1
    }
done

# library_manual.py compares the prototypes with the headers; the text after them must name each function, too
described=$(sed -n '/^\.Sh DESCRIPTION/,$p' man/libjaxpr.3)
for function in $(sed -n 's/^JX_API .*\b\(jx_[a-z_]*\)(.*/\1/p' src/jaxpr*.h); do
    echo "$described" | grep -Eq "F[no] $function( |$)" || {
        echo "man/libjaxpr.3: $function is only in SYNOPSIS"
        wrong=1
    }
done
[ $wrong = 0 ] || echo "repeat: $again"
exit $wrong

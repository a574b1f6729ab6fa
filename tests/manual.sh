#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# The manual pages are sound mdoc and are installed; each names the options of its verb, with the same arguments as the
# help, jaxpr-norm(1) every pass, and libjaxpr(3) every function of the library.
#
#     manual.sh JAXPR SOURCE_ROOT
again="$0 $*"
jaxpr=$(realpath "$1")
cd "$2" || exit 2
wrong=0

if command -v mandoc > /dev/null; then
    mandoc -Tlint -Wwarning man/*.[1-9] || wrong=1
else
    echo 'mandoc is not here: pages not linted'
fi

verbs=$("$jaxpr" --help | sed -n '/^verbs:/,/^$/s/^  \([a-z]*\) .*/\1/p')
[ -n "$verbs" ] || wrong=1
# the options of a verb, one a line, as its help and as its page list them: `w write`, `j jobs=n`, `- width=n`
help_options()
{
    "$jaxpr" "$1" --help | sed -n -E '/^options:/,$ {
        s/^  -(.), --([^ ]*) .*/\1 \2/p
        s/^      --([^ ]*) .*/- \1/p
    }' | tr 'A-Z' 'a-z' | sort
}

page_options()
{
    awk '/^\.It Fl/ {
        sub(/^\.It Fl /, "")
        sub(/ Ns = Ns Ar /, "=")
        letter = substr($0, 1, 1)
        sub(/^(.*, (Fl )?)?-/, "")
        print letter, $0
    }' "man/jaxpr-$1.1" | tr 'A-Z' 'a-z' | sort
}

for verb in $("$jaxpr" --help | sed -n '/^verbs:/,/^$/s/^  \([a-z]*\) .*/\1/p'); do
    if [ "$(help_options "$verb")" != "$(page_options "$verb")" ]; then
        echo "man/jaxpr-$verb.1 and jaxpr $verb --help do not list the same options:"
        help_options "$verb" > "${TMPDIR:-/tmp}/jaxpr-help.$$"
        page_options "$verb" | diff "${TMPDIR:-/tmp}/jaxpr-help.$$" -
        rm -f "${TMPDIR:-/tmp}/jaxpr-help.$$"
        wrong=1
    fi
    synopsis=$(sed -n '/^.Sh SYNOPSIS/,/^.Sh DESCRIPTION/p' "man/jaxpr-$verb.1")
    help_options "$verb" | while read -r letter name; do
        case $name in help | version) continue ;; esac
        [ "$letter" != - ] || letter=, # means none
        printf '%s\n' "$synopsis" | grep -Eq "Fl ([A-Za-z]*$letter[A-Za-z]*|-${name%%=*})( |$)" || echo "man/jaxpr-$verb.1: SYNOPSIS lacks $name"
    done | grep . && wrong=1
    grep -q "jaxpr-$verb 1" man/jaxpr.1 || {
        echo "man/jaxpr.1: $verb is missing"
        wrong=1
    }
    [ "$("$jaxpr" "$verb" --version)" = "$("$jaxpr" --version)" ] || {
        echo "jaxpr $verb --version says another version"
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

for function in $(sed -n 's/^JX_API .*\b\(jx_[a-z_]*\)(.*/\1/p' src/jaxpr*.h); do
    grep -Eq "F[no] $function( |$)" man/libjaxpr.3 || {
        echo "man/libjaxpr.3: $function is missing"
        wrong=1
    }
done
[ $wrong = 0 ] || echo "repeat: $again"
exit $wrong

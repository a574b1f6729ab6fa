#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# An installation works: the program runs, pkg-config finds the library, a program that includes only jaxpr.h compiles
# and
# runs with the shared and the static library, so does the example of libjaxpr(3), and man finds the pages.
#
#     install.sh BUILD_ROOT SOURCE_ROOT
set -eu
again="$0 $*"
cc=${CC:-cc}
for tool in pkg-config "${cc##* }"; do
    command -v "$tool" > /dev/null || {
        echo "$tool is not available: nothing was installed"
        exit 77
    }
done
root=$(mktemp -d)
trap 'status=$?; rm -rf "$root"; [ $status = 0 ] || [ $status = 77 ] || echo "repeat: $again"' EXIT
DESTDIR=$root meson install -C "$1" --no-rebuild --quiet
pc=$(find "$root" -name libjaxpr.pc)
PKG_CONFIG_PATH=$(dirname "$pc")
PKG_CONFIG_SYSROOT_DIR=$root
export PKG_CONFIG_PATH PKG_CONFIG_SYSROOT_DIR
libraries=$root$(PKG_CONFIG_SYSROOT_DIR='' pkg-config --variable=libdir libjaxpr)
[ -d "$libraries" ] || libraries=$(pkg-config --variable=libdir libjaxpr)

# without PKG_CONFIG_PATH, pkg-config looks where the library goes; meson asks dpkg-architecture where that is
found=${pc#"$root"}
case $found in
/usr/*)
    if ! command -v dpkg-architecture > /dev/null; then
        echo 'dpkg-architecture is not installed (Debian: dpkg-dev): the directory of the library was not checked'
    elif ! pkg-config --variable pc_path pkg-config | tr : '\n' | grep -Fqx "${found%/*}"; then
        echo "pkg-config does not look in ${found%/*}: was the build directory configured without dpkg-dev?"
        exit 1
    fi
    ;;
*) echo "$found: not where pkg-config looks by itself" ;;
esac

cat > "$root/main.c" << 'END'
#include <jaxpr.h>
#include <stdio.h>
#include <string.h>

static int
show(void *user, const char *bytes, size_t n)
{
    return fwrite(bytes, 1, n, user) != n;
}

int
main(void)
{
    static const char text[] = "{ lambda ;  a:f32[].  let b:f32[] = sin a\n in (b,) }";
    jx_context *context = jx_context_new(NULL);
    jx_module *module;
    int status = jx_read(context, "text", text, strlen(text), &module) != JX_OK || jx_check(module, NULL) != JX_OK ||
                 jx_diagnostic_count(module, JX_NOTE) != 0 || jx_format(module, NULL, show, stdout) != JX_OK;
    jx_context_free(context);
    return status;
}
END
want='{ lambda ; a:f32[]. let b:f32[] = sin a in (b,) }'

# shellcheck disable=SC2046 # lists of words
$cc -std=c17 -Wall -Werror -o "$root/shared" "$root/main.c" $(pkg-config --cflags --libs libjaxpr)
[ "$(LD_LIBRARY_PATH=$libraries "$root/shared")" = "$want" ]
readelf -d "$root/shared" | grep -q 'NEEDED.*libjaxpr\.so\.[0-9]'

# shellcheck disable=SC2046
$cc -std=c17 -static -o "$root/static" "$root/main.c" $(pkg-config --cflags --libs --static libjaxpr)
[ "$("$root/static")" = "$want" ]

# the example of the manual page, taken from the installed page
page=$(find "$root" -name libjaxpr.3)
sed -n -e '/^#include <jaxpr/,/^[.]Ed/{/^[.]Ed/q;p;}' "$page" > "$root/example.c"
# shellcheck disable=SC2046
$cc -std=c17 -Wall -Werror -o "$root/example" "$root/example.c" $(pkg-config --cflags --libs libjaxpr)
[ "$(LD_LIBRARY_PATH=$libraries "$root/example" < "$2/samples/attention.jaxpr")" = 'jit jit ' ]

# and by a compiler of C++
if command -v "${CXX:-c++}" > /dev/null; then
    # shellcheck disable=SC2046
    "${CXX:-c++}" -fsyntax-only -Wall -Werror -include jaxpr.h -x c++ /dev/null $(pkg-config --cflags libjaxpr)
fi

find "$root" -path '*/share/jaxpr/jaxpr.yaml.schema.json' | grep -q . || {
    echo "the schema of configurations is not installed"
    exit 1
}
program=$(find "$root" -path '*/bin/jaxpr')
[ "$("$program" --version)" = "jaxpr $(pkg-config --modversion libjaxpr)" ]
for completion in bash-completion/completions/jaxpr zsh/site-functions/_jaxpr fish/vendor_completions.d/jaxpr.fish; do
    find "$root" -path "*/share/$completion" | grep -q . || {
        echo "$completion is not installed"
        exit 1
    }
done
pages=${page%/man3/*}
has_man=true
man --version 2> /dev/null | grep -q '^man ' || {
    echo 'man is not installed (Debian: man-db): whether it finds the pages was not checked'
    has_man=false
}
for page in "$2"/man/*.[1-9]; do
    name=${page##*/} section=${page##*.}
    [ -e "$pages/man$section/$name" ] || {
        echo "$page is not installed"
        exit 1
    }
    [ $has_man = false ] || [ "$(MANPATH=$pages man -w "$section" "${name%.*}")" = "$pages/man$section/$name" ] || {
        echo "man does not find $name"
        exit 1
    }
done
[ $has_man = false ] || [ "$(MANPATH=$pages man -w jaxpr)" = "$pages/man1/jaxpr.1" ]

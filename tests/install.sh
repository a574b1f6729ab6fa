#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# What is installed can be used from outside: the program runs, pkg-config finds the library, a program that knows
# nothing but jaxpr.h compiles against the shared and the static one and prints a program back, and every manual page is
# there.
#
#     install.sh BUILD_ROOT SOURCE_ROOT
set -eu
again="$0 $*"
root=$(mktemp -d)
trap 'status=$?; rm -rf "$root"; [ $status = 0 ] || [ $status = 77 ] || echo "repeat: $again"' EXIT
DESTDIR=$root meson install -C "$1" --no-rebuild --quiet
pc=$(find "$root" -name libjaxpr.pc)
PKG_CONFIG_PATH=$(dirname "$pc")
PKG_CONFIG_SYSROOT_DIR=$root
export PKG_CONFIG_PATH PKG_CONFIG_SYSROOT_DIR
libraries=$root$(PKG_CONFIG_SYSROOT_DIR='' pkg-config --variable=libdir libjaxpr)
[ -d "$libraries" ] || libraries=$(pkg-config --variable=libdir libjaxpr)

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
cc=${CC:-cc}

# shellcheck disable=SC2046 # lists of words
$cc -std=c17 -Wall -Werror -o "$root/shared" "$root/main.c" $(pkg-config --cflags --libs libjaxpr)
[ "$(LD_LIBRARY_PATH=$libraries "$root/shared")" = "$want" ]
readelf -d "$root/shared" | grep -q 'NEEDED.*libjaxpr\.so\.[0-9]'

# shellcheck disable=SC2046
$cc -std=c17 -static -o "$root/static" "$root/main.c" $(pkg-config --cflags --libs --static libjaxpr)
[ "$("$root/static")" = "$want" ]

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
for page in "$2"/man/*.[1-9]; do
    find "$root" -name "$(basename "$page")" | grep -q . || {
        echo "$page is not installed"
        exit 1
    }
done

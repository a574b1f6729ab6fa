#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# The Debian packages build from what is committed, and lintian finds no error in them. Only CI runs this: it takes
# minutes
# and needs debhelper and lintian.
#
#     package.sh SOURCE_ROOT
set -eu
again="$0 $*"
for tool in dpkg-buildpackage dh lintian; do
    command -v "$tool" > /dev/null || {
        echo "$tool is not installed: no package was built"
        exit 77
    }
done
cd "$1"
dpkg-checkbuilddeps || {
    echo "build dependencies are missing: no package was built"
    exit 77
}
place=$(mktemp -d)
trap 'status=$?; rm -rf "$place"; [ $status = 0 ] || [ $status = 77 ] || echo "repeat: $again"' EXIT
name=jaxpr-$(sed -n "s/^  version: '\(.*\)',/\1/p" meson.build)
git archive --prefix="$name/" HEAD | tar -x -C "$place"
tar -czf "$place/$(echo "$name" | tr - _).orig.tar.gz" -C "$place" --exclude="$name/debian" "$name"
cd "$place/$name"
DEB_BUILD_OPTIONS="nocheck parallel=$(nproc)" dpkg-buildpackage -us -uc > ../log 2>&1 || {
    tail -40 ../log
    exit 1
}
lintian --fail-on error ../*.changes
echo "built: $(cd .. && echo *.deb)"

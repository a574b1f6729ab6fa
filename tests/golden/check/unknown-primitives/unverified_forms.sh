# SPDX-License-Identifier: Apache-2.0
# the number of equations that could not be verified, in the formats that have a field for it; --strict reports as many
"$JAXPR" check -q "$HERE/unverified.jaxpr"
"$JAXPR" check --format=sarif "$HERE/unverified.jaxpr" | grep -o '"properties":{"equations.*},"tool"'
"$JAXPR" check --format=junit "$HERE/unverified.jaxpr" | grep property
"$JAXPR" check --strict --format=gcc "$HERE/unverified.jaxpr" | grep -c 'error:'
cd "$HERE" && "$JAXPR" check -j2 unverified.jaxpr clean_unknown.jaxpr

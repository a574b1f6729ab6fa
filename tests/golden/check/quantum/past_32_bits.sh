# SPDX-License-Identifier: Apache-2.0
# 65536 derivatives of 65536 results: their number needs more than 32 bits
awk 'BEGIN {
    printf "{ lambda ; a:f64[]. let\n    b:f64[] = jacobian[\n      argnums=["
    for (i = 0; i < 65536; i++) printf "%s0", i ? ", " : ""
    printf "]\n      jaxpr={ lambda ; c:f64[]. let  in ("
    for (i = 0; i < 65536; i++) printf "%sc", i ? ", " : ""
    printf ") }\n    ] a\n  in (b,) }\n"
}' | "$JAXPR" check --format=gcc -

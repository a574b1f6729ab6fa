/* SPDX-License-Identifier: Apache-2.0
 *
 * SHA-256 of bytes, by the nettle library. */
#ifndef JX_DIGEST_H
#define JX_DIGEST_H

#include "base/base.h"

/* the version of the canonical form (diff/canon.h), in front of every digest that people see */
#define DIGEST_PREFIX "jx1:"
enum { DIGEST_DIGITS = 64 };

struct digest {
    u8 bytes[32];
};

/* the digest of n bytes. Linear */
struct digest digest_of(const char *bytes, size_t n);

/* writes the first n/2 bytes as n hexadecimal digits, without a NUL */
void digest_hex(const struct digest *d, char *out, size_t n);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * SHA-256 of bytes, by the nettle library. */
#ifndef JX_DIGEST_H
#define JX_DIGEST_H

#include "base/base.h"

/* the version of the canonical form (canon/canon.h), which every printed digest begins with */
#define DIGEST_PREFIX "jx2:"
enum { DIGEST_DIGITS = 64 };

struct digest {
    u8 bytes[32];
};

/* The state of a digest of bytes that are added in pieces. */
struct digest_state {
    u64 state[16]; /* nettle's state */
};

/* begins a digest; adds n bytes to it; returns it. Linear */
void digest_begin(struct digest_state *d);
void digest_add(struct digest_state *d, const char *bytes, size_t n);
struct digest digest_end(struct digest_state *d);

/* the digest of n bytes. Linear */
struct digest digest_of(const char *bytes, size_t n);

/* the length of the version prefix, such as `jx1:`, that a digest of any release begins with; 0 if there is none.
 * O(1) */
size_t digest_version(struct slice text);

/* writes the first n/2 bytes of a digest as n hexadecimal digits, without a NUL */
void digest_hex(const struct digest *d, char *out, size_t n);

#endif

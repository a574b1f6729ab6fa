/* SPDX-License-Identifier: Apache-2.0
 *
 * The only file that depends on the hashing library. */
#include "base/digest.h"

#include "base/chars.h"

#include <nettle/sha2.h>

_Static_assert(sizeof(struct sha256_ctx) <= sizeof(struct digest_state), "the library's state has room");

void
digest_begin(struct digest_state *d)
{
    sha256_init((struct sha256_ctx *)d->state);
}

void
digest_add(struct digest_state *d, const char *bytes, size_t n)
{
    sha256_update((struct sha256_ctx *)d->state, n, (const u8 *)bytes);
}

struct digest
digest_end(struct digest_state *d)
{
    struct digest answer;
    sha256_digest((struct sha256_ctx *)d->state, sizeof answer.bytes, answer.bytes);
    return answer;
}

struct digest
digest_of(const char *bytes, size_t n)
{
    struct digest_state d;
    digest_begin(&d);
    digest_add(&d, bytes, n);
    return digest_end(&d);
}

void
digest_hex(const struct digest *d, char *out, size_t n)
{
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < n / 2; i++) {
        out[2 * i] = digits[d->bytes[i] >> 4];
        out[2 * i + 1] = digits[d->bytes[i] & 15];
    }
}

size_t
digest_version(struct slice text)
{
    size_t n = 2;
    if (!slice_starts(text, SLICE("jx")))
        return 0;
    while (n < text.n && n < 6 && is_digit(text.at[n]))
        n++;
    return n > 2 && n < text.n && text.at[n] == ':' ? n + 1 : 0;
}

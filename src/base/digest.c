/* SPDX-License-Identifier: Apache-2.0
 *
 * The one place that knows which library hashes. */
#include "base/digest.h"

#include <nettle/sha2.h>

struct digest
digest_of(const char *bytes, size_t n)
{
    struct sha256_ctx context;
    struct digest d;
    sha256_init(&context);
    sha256_update(&context, n, (const u8 *)bytes);
    sha256_digest(&context, sizeof d.bytes, d.bytes);
    return d;
}

void
digest_hex(const struct digest *d, char *out, size_t n)
{
    for (size_t i = 0; i < n; i++)
        out[i] = "0123456789abcdef"[d->bytes[i / 2] >> (i % 2 ? 0 : 4) & 15];
}

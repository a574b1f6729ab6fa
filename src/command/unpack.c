/* SPDX-License-Identifier: Apache-2.0
 *
 * gzip files, decompressed by zlib while they are read: member after member, 64 KiB at a time. Linear. */
#include "command/command.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#ifdef HAVE_ZLIB
#include <zlib.h>

enum { CHUNK = 1 << 16 };

struct unpacker {
    z_stream stream;
    bool within; /* inside a member */
    unsigned char bytes[CHUNK];
};

static ptrdiff_t
fail(struct source *s, const char *why)
{
    s->why = why;
    return -1;
}

bool
unpack_begin(struct source *s, const char *first, size_t n)
{
    struct unpacker *u = must_allocate(sizeof *u);
    memset(u, 0, sizeof *u);
    if (n > CHUNK || inflateInit2(&u->stream, 16 + MAX_WBITS) != Z_OK) { /* 16: gzip format */
        free(u);
        return fail(s, "not enough memory to decompress it") >= 0;
    }
    memcpy(u->bytes, first, n);
    u->stream.next_in = u->bytes;
    u->stream.avail_in = (unsigned)n;
    s->unpacker = u;
    return true;
}

ptrdiff_t
unpack_read(struct source *s, char *into, size_t room)
{
    struct unpacker *u = s->unpacker;
    z_stream *z = &u->stream;
    const unsigned wanted = room < INT_MAX ? (unsigned)room : INT_MAX;
    z->next_out = (unsigned char *)into;
    z->avail_out = wanted;
    while (z->avail_out == wanted && wanted > 0) {
        if (z->avail_in == 0) {
            ptrdiff_t got = source_read_packed(s, (char *)u->bytes, CHUNK);
            if (got <= 0)
                return got == 0 && u->within ? fail(s, "the compressed file is truncated") : got;
            z->next_in = u->bytes;
            z->avail_in = (unsigned)got;
        }
        if (!u->within) { /* zeros may follow the last member, as on tapes */
            while (z->avail_in > 0 && *z->next_in == 0) {
                z->next_in++;
                z->avail_in--;
            }
            if (z->avail_in == 0)
                continue;
            inflateReset(z);
            u->within = true;
        }
        int status = inflate(z, Z_NO_FLUSH);
        if (status == Z_STREAM_END)
            u->within = false;
        else if (status != Z_OK && status != Z_BUF_ERROR)
            return fail(s, "the compressed file is damaged");
    }
    return (ptrdiff_t)(wanted - z->avail_out);
}

void
unpack_end(struct source *s)
{
    if (s->unpacker != NULL)
        inflateEnd(&s->unpacker->stream);
    free(s->unpacker);
}

#else

bool
unpack_begin(struct source *s, const char *first, size_t n)
{
    (void)first, (void)n;
    s->why = "is compressed with gzip, but this jaxpr was built without zlib";
    return false;
}

ptrdiff_t
unpack_read(struct source *s, char *into, size_t room)
{
    (void)s, (void)into, (void)room;
    return -1;
}

void
unpack_end(struct source *s)
{
    (void)s;
}

#endif

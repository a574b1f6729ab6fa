/* SPDX-License-Identifier: Apache-2.0
 *
 * The flex scanner as parse/token_source.c sees it: shapes of tokens in one text in memory, and positions that
 * hand-written readers can take over and give back. */
#ifndef JX_SCAN_H
#define JX_SCAN_H

#include "base/mem.h"

enum scan_kind {
    SCAN_END,         /* the end of the text */
    SCAN_BINDER,      /* a:f32[8,n] */
    SCAN_BINDER_HEAD, /* a: or the beginning of a longer type after it */
    SCAN_EQUALS_PRIM, /* = prim */
    SCAN_EQUALS,      /* = */
    SCAN_WORD,        /* a name */
    SCAN_LITERAL,     /* 1.0:f32[] */
    SCAN_NUMBER,      /* 1.0, -inf, or the beginning of a longer typed literal */
    SCAN_SEMICOLON,
    SCAN_COMMA,
    SCAN_DOT,
    SCAN_LPAREN,
    SCAN_RPAREN,
    SCAN_LBRACKET,
    SCAN_LBRACE,
    SCAN_RBRACE,
    SCAN_COLON,
    SCAN_HASH,
    SCAN_ARROW, /* < or +: a ref is read or written */
    SCAN_OTHER,
};

struct scan {
    struct mem *mem;
    void *flex;
    const char *at;   /* the last token */
    u32 n;            /* its length */
    char after;       /* the byte after it */
    char second;      /* the one after that, if that is a space (one of both is a NUL until scan_release) */
    const char *line; /* first byte of the line of the token */
    bool first;       /* a line began since the caller cleared this */
};

/* begins at the first byte of a text with at least two bytes of NUL after it */
void scan_start(struct scan *s, struct mem *m, char *text, u32 n);

/* frees the scanner's memory */
void scan_end(struct scan *s);

/* the next token: an enum scan_kind */
int scan_next(struct scan *s);

/* restores the byte that flex replaced by NUL, so that the text may be read by hand; returns the address after the
 * token */
const char *scan_release(struct scan *s);

/* continues at a byte of the text; restores the byte that flex replaced */
void scan_seek(struct scan *s, const char *to);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * Programs in other text: logs, tracebacks, Markdown, comments, notebooks, strings in JSON. Returns the program's
 * own text, without prefixes of lines, colours and escapes, and the place of each character in the file. Memory is
 * proportional to the largest program, time to the text. */
#ifndef JX_EXTRACT_H
#define JX_EXTRACT_H

#include "base/text.h"
#include "extract/window.h"

/* How a program is written in its file, for replacing its text. */
struct surroundings {
    u64 end;       /* the offset in the file after its last byte */
    u8 level;      /* of escapes: 0 if it is written as it is, 1 in a string, 2 in one that is quoted again */
    char quote;    /* the quote that ends the string */
    bool notebook; /* the file is a notebook, whose JSON strings have escapes of their own */
    bool numbered; /* its lines have numbers */
    bool signs;    /* its lines have diff markers */
};

/* A program that was found, or text that looks like one. */
struct find {
    struct slice text;            /* valid until the next call; TEXT_PADDING zero bytes follow it */
    const struct origin *origins; /* the places of its characters */
    u32 n_origins;
    struct file_place place; /* of its first byte */
    struct surroundings around;
};

/* A range of the text that belongs to a program, so that programs inside it are not found again. */
struct found_program {
    u64 from, to;
};

struct extract;

/* The position of a search whose last find is final. */
struct extract_state {
    u64 at;    /* the search continues here .. */
    bool free; /* .. and depends only on the text from extract_back(at) on */
    u64 seen;  /* no byte from here on was read; UINT64_MAX: the end of the file was read */
};

/* A file that `read` reads: all of it or, to continue after a state that is free, all from the line `from` on, which
 * begins at or before extract_back(state->at). */
struct extract_source {
    struct slice name;
    window_read *read;
    void *user;
    const struct extract_state *state; /* NULL: from the beginning */
    struct file_place from;
    bool no_fast_path; /* of parse_module */
};

/* begins an extraction, which is allocated in m and freed with it. Pool `scratch` is used during calls and empty
 * between them */
struct extract *extract_start(struct mem *m, struct mem *scratch, const struct extract_source *source);

/* finds the next program, by its brackets and lines; false if there is none, or if reading failed (see
 * extract_failed) */
bool extract_next(struct extract *x, struct find *find);

/* How the parser read the text of a find. */
struct verdict {
    bool broken;  /* it has a syntax error */
    bool early;   /* its only error is that the text ends inside the program */
    u32 error_at; /* where the first error is, unless `early` */
    u32 end;      /* where the program ends, unless it is `broken` */
};

/* revises the end of the last find by a verdict: true if it changed, so that `find` must be parsed again; false if
 * the find is final */
bool extract_again(struct extract *x, const struct verdict *verdict, struct find *find);

/* the state of an extraction, between two finds */
struct extract_state extract_state(const struct extract *x);

/* the first byte that a search from offset `at` reads */
u64 extract_back(u64 at);

/* true if the file is a notebook and the library was built without yajl: then nothing is found */
bool extract_unsupported(const struct extract *x);

/* true once reading the file failed */
bool extract_failed(const struct extract *x);

#endif

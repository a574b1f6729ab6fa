/* SPDX-License-Identifier: Apache-2.0
 *
 * Programs found in text that is something else: logs, tracebacks, Markdown, comments, notebooks, strings in JSON. What
 * is handed out is the program's own text, without the prefixes of its lines, colours and escapes, and where each of
 * its characters stood in the file. Memory is bounded by the largest program, time by a constant times the text. */
#ifndef JX_EXTRACT_H
#define JX_EXTRACT_H

#include "base/text.h"
#include "extract/window.h"

/* How a program is written in its file, for one who writes another text there. */
struct surroundings {
    u64 end;       /* of its last byte in the file, exclusive */
    u8 level;      /* of escapes: 0 where it is written as it is, 1 in a string, 2 in one that is quoted once more */
    char quote;    /* what ends the string */
    bool notebook; /* the file's strings of JSON have escapes of their own */
    bool numbered; /* its lines have numbers */
    bool signs;    /* they have the signs of a diff */
};

/* What was found: a program, or what looks like one. */
struct find {
    struct slice text;            /* lives until the next call; TEXT_PADDING zero bytes after it */
    const struct origin *origins; /* where its characters stood */
    u32 n_origins;
    struct cursor place; /* of its first byte */
    struct surroundings around;
};

/* A run of the text that belongs to a program already, so that programs inside are not found again. */
struct found_program {
    u64 from, to;
};

struct extract;

/* makes what finds programs; name is that of the file. What is needed while something is looked at is in `scratch`,
 * which is empty between calls; what it keeps is in m, until m goes */
struct extract *extract_start(struct mem *m, struct mem *scratch, struct slice name, window_read *read, void *user,
                              bool no_fast_path);

/* finds the next program, as its brackets and lines show; false where there is none, or (see extract_failed) reading
 * failed */
bool extract_next(struct extract *x, struct find *find);

/* What a reader of a find's text says of it. */
struct verdict {
    bool broken;  /* it could not be read as it is */
    bool early;   /* it ended inside the program, which is all that is wrong with it */
    u32 error_at; /* where the first error is, unless it merely ended early */
    u32 end;      /* where the program ended, unless it is broken */
};

/* looks again at what was found last, after a verdict: true where it has another end than thought, which `find` then
 * has, to be judged again; false where what was found stays what it is */
bool extract_again(struct extract *x, const struct verdict *verdict, struct find *find);

/* How far looking for programs has come, once the last find is what it stays. */
struct extract_state {
    u64 at;    /* the next program is looked for from here on .. */
    bool free; /* .. and depends on the text from extract_back(at) on alone */
    u64 seen;  /* nothing from here on was looked at; UINT64_MAX: the end was */
};

/* that of an extraction, between its finds */
struct extract_state extract_state(const struct extract *x);

/* goes on in the middle of a text, after a state that is free: `from` is the beginning of a line, no later than
 * extract_back of its place, from where on `read` reads */
struct extract *extract_resume(struct mem *m, struct mem *scratch, const struct extract_state *state,
                               struct cursor from, window_read *read, void *user, bool no_fast_path);

/* from where on the text is looked at when programs are looked for from a place on */
u64 extract_back(u64 at);

/* true where the file is a notebook and the library was built without what reads one: nothing is found */
bool extract_unsupported(const struct extract *x);

/* true once reading the file failed */
bool extract_failed(const struct extract *x);

#endif

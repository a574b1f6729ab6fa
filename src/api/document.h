/* SPDX-License-Identifier: Apache-2.0
 *
 * What the files that implement documents share. Private to src/api. */
#ifndef JX_DOCUMENT_H
#define JX_DOCUMENT_H

#include "api/api.h"
#include "extract/extract.h"

/* A part of a document that is read as a module of its own. */
struct document_part {
    jx_module *module;
    u64 id;
    u64 from, to;
    struct jx_place place;
    struct extract_state after; /* of programs in other text: the state of the search after the part .. */
    struct surroundings around; /* .. and what is around the program */
};

/* What edits changed since parts were read: bytes [from, to) of the text at that time became [from, now), with `lines`
 * more lines. */
struct document_edit {
    bool any;
    u64 from, to, now;
    i64 lines;
};

struct jx_document {
    jx_context *context;
    struct api_owned owned;
    struct mem mem;
    struct slice name;
    char *at;
    size_t n, cap;
    jx_module *module; /* NULL: not read since the last edit */
    VEC(struct document_part) parts;
    bool divided; /* parts are those of the text before `edit` .. */
    bool found;   /* .. which were found in other text */
    u64 last_id;
    struct document_edit edit;
};

/* notes that bytes up to `to` are about to be replaced by the n at `bytes` */
void document_note_edit(jx_document *document, size_t from, size_t to, const char *bytes, size_t n);

/* begins an extraction that finds the part `*before`, or an earlier one if the search cannot continue there: `*before`
 * becomes its number, and `*at`, 0 before, the byte from which read must supply the text */
enum jx_status document_search(const jx_document *document, u32 *before, jx_read_fn read, void *user, size_t *at,
                               jx_extract **extract);

/* frees the modules of all parts */
void document_forget_parts(jx_document *document);

#endif

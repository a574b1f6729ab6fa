/* SPDX-License-Identifier: Apache-2.0
 *
 * What answers each method. A function writes the result to request.out, nothing for `null`; false after
 * request_fail. */
#ifndef JX_LSP_FEATURES_H
#define JX_LSP_FEATURES_H

#include "lsp/lsp.h"

/* documents: textDocument/didOpen, didChange, didSave, didClose */
bool on_open(struct request *r);
bool on_change(struct request *r);
bool on_save(struct request *r);
bool on_close(struct request *r);

/* workspace/didChangeConfiguration, didChangeWatchedFiles: configurations are read again */
bool on_settings(struct request *r);

/* one name: textDocument/hover, definition, references, documentHighlight, prepareRename, rename */
bool on_hover(struct request *r);
bool on_definition(struct request *r);
bool on_references(struct request *r);
bool on_highlight(struct request *r);
bool on_prepare_rename(struct request *r);
bool on_rename(struct request *r);

/* the structure of a document: textDocument/documentSymbol, foldingRange, selectionRange; workspace/symbol */
bool on_symbols(struct request *r);
bool on_folding(struct request *r);
bool on_selection(struct request *r);
bool on_workspace_symbols(struct request *r);

/* what is shown beside the text: textDocument/semanticTokens/full, delta, range, inlayHint, codeLens */
bool on_tokens(struct request *r);
bool on_tokens_delta(struct request *r);
bool on_tokens_range(struct request *r);
bool on_hints(struct request *r);
bool on_lenses(struct request *r);

/* changes: textDocument/formatting, codeAction; workspace/executeCommand */
bool on_formatting(struct request *r);
bool on_actions(struct request *r);
bool on_command(struct request *r);

/* Writes the legend of semantic tokens, and the list of commands, for `initialize`. */
void write_legend(struct output *o);
void write_commands(struct output *o);

/* the folders of a workspace: from `initialize`, and workspace/didChangeWorkspaceFolders */
void folders_read(struct server *s, const struct json *params);
void folders_free(struct server *s);
bool on_folders(struct request *r);

/* ---- the programs of a part, from the outside in ---- */

/* A program: whole, shared or nested. */
struct visit {
    uint32_t jaxpr;
    uint32_t program;     /* of the stream */
    uint32_t equation;    /* that holds it, or JX_NONE */
    struct jx_string let; /* the name of a shared one, else empty */
    uint32_t depth;       /* 0: whole or shared */
    bool leave;           /* the programs inside have been visited */
};

/* A walk over the programs of a module, in the order of their text. */
struct outline {
    jx_module *module;
    uint32_t *first, *last, n_equations; /* by equation: the programs it holds */
    uint32_t *next, n_jaxprs;            /* by jaxpr: the next one of its equation */
    struct outline_frame *stack;
    size_t depth, cap;
    uint32_t program, root; /* where the walk is: shared programs of a program, then its own */
};

/* Begins a walk; linear in the programs. */
void outline_begin(struct outline *o, jx_module *module);

/* The next step: into a program, or out of one; false at the end. All steps together are linear in the equations. */
bool outline_next(struct outline *o, struct visit *v);

/* Ends a walk. */
void outline_end(struct outline *o);

/* What a visited program is called: `f`, `scan jaxpr`, `cond branches`; to be freed. */
char *visit_name(jx_module *module, const struct visit *v);

/* The kind of symbol that a visited program is, as the protocol counts. */
int symbol_kind(const struct visit *v);

/* Writes `(f32[8]) -> (f32[])` for a jaxpr, `?` where a type is not printed. Call jx_resolve before. */
void write_jaxpr_types(struct output *o, jx_module *module, uint32_t jaxpr);

/* Edits of a document being written. */
struct edits {
    struct output *out;
    struct document *document;
    uint32_t written;
    uint32_t past;   /* the last line of programs in other text that have edits */
    const char *why; /* of the last part that could not have its text; NULL: all could */
};

/* Begins a WorkspaceEdit of a document. */
void edits_begin(struct edits *e, struct output *o, struct document *d);

/* Adds those that give the programs of a part, NULL: all of the document, another text; false, and e->why is set, where
 * text of another kind around them does not allow it. */
bool edits_add(struct edits *e, const struct part *part, struct jx_string text);

/* Ends it; how many edits there are. */
uint32_t edits_end(struct edits *e);

/* Writes an amount for people: a number, or a polynomial; and one of bytes. */
void write_amount(struct output *o, const struct jx_amount *a);
void write_amount_of_bytes(struct output *o, const struct jx_amount *a);

/* ---- what is at a place ---- */

enum { SITES = 64 };

/* A place of a document, and what covers it. */
struct target {
    struct part *part;
    struct jx_site sites[SITES]; /* innermost first */
    uint32_t n;                  /* 0: nothing is there */
    uint32_t variable;           /* that the innermost one binds or reads, or JX_NONE */
};

/* Finds what is at a byte of a document, or before it where a name ends there; false where nothing is. */
bool target_at(struct document *d, size_t offset, struct target *t);

/* The same for the `position` of a request; false after request_fail, t->n is 0 where nothing is there. */
bool target_read(struct request *r, struct target *t);

/* The name of a site, empty where it has none, and where that is: the name alone, without a type. */
struct jx_string site_name(jx_module *module, const struct jx_site *site);
bool site_place(jx_module *module, const struct jx_site *site, struct jx_place *place);

/* A variable after jx_resolve; false where there is none. */
bool variable_find(jx_module *module, uint32_t variable, struct jx_variable *answer);

/* All places of a variable, with its definition or without, to be freed. */
struct jx_site *variable_sites(jx_module *module, uint32_t variable, bool definition, uint32_t *n);

/* Writes a Location of a place of a document. */
void write_location(struct output *o, struct document *d, struct jx_place place);

/* Reads a position of the protocol; false where the value is not one. */
bool spot_read(const struct json *value, struct spot *spot);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * The handler of each method, and what several handlers share. A handler writes the result of a request as JSON to
 * request.out, or nothing for `null`, and returns true; on errors it calls request_fail and returns false. */
#ifndef JX_LSP_FEATURES_H
#define JX_LSP_FEATURES_H

#include "lsp/lsp.h"

/* document synchronization: textDocument/didOpen, didChange, didSave, didClose */
bool on_open(struct request *r);
bool on_change(struct request *r);
bool on_save(struct request *r);
bool on_close(struct request *r);

/* workspace/didChangeConfiguration, didChangeWatchedFiles: reads the configuration files of open documents again */
bool on_settings(struct request *r);

/* the symbol at a position: textDocument/hover, definition, references, documentHighlight, prepareRename, rename */
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

/* annotations of the text: textDocument/semanticTokens/full, delta, range, inlayHint, codeLens */
bool on_tokens(struct request *r);
bool on_tokens_delta(struct request *r);
bool on_tokens_range(struct request *r);
bool on_hints(struct request *r);
bool on_lenses(struct request *r);

/* edits: textDocument/formatting, codeAction; workspace/executeCommand */
bool on_formatting(struct request *r);
bool on_actions(struct request *r);
bool on_command(struct request *r);

/* Write, for `initialize`, the legend of semantic tokens as an object and the names of the commands as an array. */
void write_legend(struct output *o);
void write_commands(struct output *o);

/* Workspace folders: folders_read adds those in the parameters of `initialize` to s->folders, on_folders handles
 * workspace/didChangeWorkspaceFolders, folders_free frees the list. */
void folders_read(struct server *s, const struct json *params);
void folders_free(struct server *s);
bool on_folders(struct request *r);

/* ---- the tree of programs ---- */

/* A step of a walk: it enters or leaves a program, which is whole, shared or nested. */
struct visit {
    uint32_t jaxpr;
    uint32_t program;     /* the index of its program in the module */
    uint32_t equation;    /* the equation that contains it; JX_NONE: whole or shared */
    struct jx_string let; /* the name of a shared one, else empty */
    uint32_t depth;       /* of nesting; 0: whole or shared */
    bool leave;           /* the step leaves it, after all nested programs */
};

/* A walk over the programs of a module, in the order of the text: the shared programs of each, then itself. */
struct outline {
    jx_module *module;
    uint32_t *first, *last, n_equations; /* by equation: its first and last nested program, or JX_NONE */
    uint32_t *next, n_jaxprs;            /* by jaxpr: the next one nested in the same equation, or JX_NONE */
    struct outline_frame *stack;
    size_t depth, cap;
    uint32_t program, root; /* the next whole or shared program: `root` is the index of the shared one, or their number
                               for the whole one */
};

/* Begins a walk; call outline_end. The module must outlive it. Linear in the programs. */
void outline_begin(struct outline *o, jx_module *module);

/* Sets *v to the next step; false at the end. All steps together are linear in the equations. */
bool outline_next(struct outline *o, struct visit *v);

/* Frees the memory of a walk. */
void outline_end(struct outline *o);

/* The symbol name of a visited program: `f`, `scan`, `cond branches`, `program 1`; a string to be freed. */
char *visit_name(jx_module *module, const struct visit *v);

/* The SymbolKind of a visited program: Function for shared, Module for whole, Event for nested ones. */
int symbol_kind(const struct visit *v);

/* Writes the signature of a jaxpr, `(f32[8]) -> (f32[])`, with `?` for types that are not printed. Call jx_resolve
 * before. */
void write_jaxpr_types(struct output *o, jx_module *module, uint32_t jaxpr);

/* A WorkspaceEdit of one document that is being written. */
struct edits {
    struct output *out;
    struct document *document;
    uint32_t written; /* TextEdits so far */
    uint32_t past;    /* the last line, from 1, of the extracted programs that have edits */
    const char *why;  /* why the last rejected part cannot be replaced, a static string; NULL: none was rejected */
};

/* Writes the beginning of a WorkspaceEdit of a document to o. Call edits_end. */
void edits_begin(struct edits *e, struct output *o, struct document *d);

/* Writes the TextEdits that replace the text of a part (NULL: of the document) by `text`. Returns false, without
 * edits and with the reason in e->why, if the text around an extracted program does not allow it. */
bool edits_add(struct edits *e, const struct part *part, struct jx_string text);

/* Writes the end of the WorkspaceEdit and returns its number of TextEdits. */
uint32_t edits_end(struct edits *e);

/* Write an amount in its short form: a number, or a polynomial of symbolic sizes; write_amount_of_bytes adds the
 * unit `B`. */
void write_amount(struct output *o, const struct jx_amount *a);
void write_amount_of_bytes(struct output *o, const struct jx_amount *a);

/* ---- positions ---- */

enum { SITES = 64 };

/* The sites of the program around a position of a document. */
struct target {
    struct part *part;
    struct jx_site sites[SITES]; /* innermost first */
    uint32_t n;                  /* 0: the position is not in a program */
    uint32_t variable;           /* the variable that the innermost site binds or reads, or JX_NONE */
};

/* Finds the sites at a byte of a document, or, directly after a name, those of the name. Returns false, with t->n 0,
 * if there are none or the part could not be read. */
bool target_at(struct document *d, size_t offset, struct target *t);

/* The same for the `position` of a request; t->n is 0 if there are no sites. Returns false, after request_fail, if
 * `position` is missing. */
bool target_read(struct request *r, struct target *t);

/* site_name returns the name of a site, empty if it has none; site_place sets *place to the place of its name
 * without the type, or of a site without a name, and returns false if the place is unknown. */
struct jx_string site_name(jx_module *module, const struct jx_site *site);
bool site_place(jx_module *module, const struct jx_site *site, struct jx_place *place);

/* Finds the binder or result that defines a variable; false for JX_NONE. Call jx_resolve before. */
bool variable_find(jx_module *module, uint32_t variable, struct jx_variable *answer);

/* The uses of a variable, after its definition if `definition` is set: an array of *n sites, to be freed. */
struct jx_site *variable_sites(jx_module *module, uint32_t variable, bool definition, uint32_t *n);

/* Writes the Location of a place in a document. */
void write_location(struct output *o, struct document *d, struct jx_place place);

/* Reads a Position; false if the value is not one. Numbers above UINT32_MAX become UINT32_MAX. */
bool position_read(const struct json *value, struct position *position);

#endif

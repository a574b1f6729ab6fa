/* SPDX-License-Identifier: Apache-2.0
 *
 * The language server: messages of JSON-RPC read ahead in a queue, documents that are edited, and a file for each group
 * of features. It knows the library by its public headers alone, and shares outputs, inputs and configurations with the
 * other verbs. One thread does everything: edits are applied at once, and what they change is computed when no message
 * is waiting. */
#ifndef JX_LSP_H
#define JX_LSP_H

#include "command/command.h"
#include "lsp/json.h"

/* ---- messages ---- */

/* Errors of JSON-RPC and of the protocol. */
enum rpc_error {
    RPC_PARSE = -32700,
    RPC_REQUEST = -32600,
    RPC_METHOD = -32601,
    RPC_PARAMS = -32602,
    RPC_INTERNAL = -32603,
    RPC_UNINITIALIZED = -32002,
    RPC_CANCELLED = -32800,
    RPC_FAILED = -32803,
};

/* A message that was read; it owns its pool. */
struct message {
    struct message *next;
    struct json_pool pool;
    const struct json *root; /* NULL: not JSON */
    const struct json *id;   /* NULL: a notification */
    const char *method;      /* NULL: a response, or not a message */
    bool cancelled;
};

/* The bytes of standard input, and the messages among them that wait. */
struct queue {
    char *at;
    size_t begin, n, cap;
    struct message *first, **last;
    struct message *running; /* being answered, may be cancelled too; NULL: none */
    bool edited;             /* an edit waits */
    bool ended;              /* no more bytes will come, or what came was not a message */
};

/* Begins an empty queue. */
void queue_init(struct queue *q);

/* Reads what is there, and waits up to `milliseconds` (-1: without end) while no message is; takes note of requests
 * that were cancelled. */
void queue_fill(struct queue *q, int milliseconds);

/* The message that waits longest, to be freed by message_free; NULL where none does. */
struct message *queue_take(struct queue *q);

/* Frees a message; NULL is fine. */
void message_free(struct message *m);

/* Frees all that waits. */
void queue_free(struct queue *q);

/* What was written to an output that keeps it. */
static inline struct jx_string
output_string(const struct output *o)
{
    return (struct jx_string){o->at != NULL ? o->at : "", o->n};
}

/* Writes a message with its header to standard output; false where that failed. */
bool message_write(const struct output *body);

/* ---- documents ---- */

struct server;

/* A place as clients count: lines from 0, characters in units of the encoding. */
struct spot {
    uint32_t line, character;
};

/* A text that is read as one: some programs of a document, or one found in other text. */
struct part {
    struct jx_document_part is;
    jx_module *module;
    bool checked, resolved, linted;
    jx_module *annotated; /* the text with types that it leaves out; NULL: not known */
    bool annotated_read;
};

/* Where lines begin, in bytes. */
struct lines {
    size_t *at;
    size_t n, cap;
};

/* The semantic tokens that the client has: how many each line had, and which lines edits touched since: those from
 * `from` up to `then` are now those up to `now`. */
struct token_lines {
    uint32_t *counts;
    size_t n, cap;
    size_t from, then, now;
    unsigned id; /* 0: the client has none of this document */
};

/* What a document is. */
enum document_kind {
    DOCUMENT_JAXPR, /* programs one after another */
    DOCUMENT_OTHER, /* text of another kind, in which programs are found */
};

struct document {
    struct document *next;
    char *uri, *path;    /* path: NULL where the URI does not name a file */
    const char *version; /* as the client wrote it, NULL: it did not */
    enum document_kind kind;
    bool utf8; /* characters are bytes, else units of UTF-16 */
    jx_context *context;
    jx_document *text;
    struct lines lines, newlines; /* as clients count them, and (only where there is a \r) as the library does */
    bool indexed;                 /* lines are those of the text */
    bool returns;                 /* there is a \r */
    bool ascii;                   /* every byte is */
    struct part *parts;
    size_t n_parts;
    uint64_t newest; /* the largest id that a part has had */
    bool read;       /* parts are those of the text */
    bool whole;      /* it is read in one part */
    bool changed;    /* diagnostics are to be published .. */
    uint64_t since;  /* .. since this time in milliseconds */
    bool unlinted;   /* those of rules are, when nothing else is to be done */
    struct token_lines tokens;
    struct settings *settings; /* of .jaxpr.yaml; NULL: not read yet */
};

/* Opens a document with a copy of a text; NULL where memory ran out. `language` is the client's word for it. */
struct document *document_new(const char *uri, const char *language, struct jx_string text, bool utf8);

/* Frees a document; NULL is fine. */
void document_free(struct document *d);

/* Puts bytes in the place of those from `from` up to `to`; false where memory ran out. */
bool document_edit(struct document *d, size_t from, size_t to, struct jx_string bytes);

/* Reads the parts of a document that edits touched, or in which a call was left, all at first; false where memory ran
 * out. */
bool document_read(struct document *d);

/* Forgets what was read of a document, which is read again when it is needed. */
void document_forget(struct document *d);

/* The bytes of a document that a part is. */
struct jx_string part_text(const struct document *d, const struct part *p);

/* Checks, resolves names of a part, unless that is done; false where memory ran out. */
bool part_check(struct part *p);
bool part_resolve(struct part *p);

/* The type of a binder or result that prints none, as it can be worked out from the others; empty where not. */
struct jx_string annotated_type(struct document *d, struct part *p, const struct jx_site *site);

/* Runs the rules on a part, unless that is done; false where memory ran out. */
bool part_lint(struct server *s, struct document *d, struct part *p);

/* The configuration of a document and its path relative to it, NULL: none; read once until settings_forget. */
jx_config *settings_config(struct document *d, const char **relative);
void settings_forget(struct document *d);

/* The path of a `file:` URI, to be freed, or NULL; the URI of a path, to be freed. */
char *path_of_uri(const char *uri);
char *uri_of_path(const char *path);

/* ---- places ---- */

/* Finds the lines of a document, unless that is done. */
void document_index(struct document *d);

/* Corrects the lines for an edit that is about to be made. */
void document_index_edit(struct document *d, size_t from, size_t to, struct jx_string bytes);

/* The line, from 0, of a byte; the lines have been found. */
size_t offset_line(const struct document *d, size_t offset);

/* Takes note of an edit for semantic tokens, before it is made. */
void tokens_note_edit(struct document *d, size_t from, size_t to, struct jx_string bytes);

/* The byte at a spot, which is moved into its line, and into the text, where it is outside. */
size_t spot_offset(struct document *d, struct spot spot);

/* The spot of a byte, and of a line and column as the library counts. */
struct spot offset_spot(struct document *d, size_t offset);
struct spot place_spot(struct document *d, uint32_t line, uint32_t column);

/* Line and column, as the library counts, of a byte. */
void offset_place(struct document *d, size_t offset, uint32_t *line, uint32_t *column);

/* Writes `"range":{..}` of a place; of line 0, the beginning of the document. */
void write_range(struct output *o, struct document *d, struct jx_place place);

/* The same of bytes. */
void write_byte_range(struct output *o, struct document *d, size_t from, size_t to);

/* ---- the server ---- */

struct server {
    struct queue queue;
    struct document *documents;
    bool utf8;                             /* the encoding that was agreed on */
    bool initialized;                      /* `initialize` was answered */
    bool stopped;                          /* `shutdown` was */
    bool hasty;                            /* diagnostics are not finished when an edit waits */
    bool ended;                            /* `exit` came, or nothing can be written any more */
    bool related;                          /* the client shows related locations */
    bool links;                            /* .. codes as links */
    bool tags;                             /* .. tags of diagnostics */
    bool disabled;                         /* .. code actions that cannot be done, and why */
    bool no_lint;                          /* the client wants no rules to run .. */
    char *select, *extend_select, *ignore; /* .. or these, as the options of `lint` have them; NULL: not said */
    char *pages;                           /* where the explain pages are: what comes before a code; NULL: nowhere */
    char **folders;                        /* paths of the folders that the client works in */
    int n_folders;
    unsigned token_answers; /* how many lists of semantic tokens were sent */
    unsigned asked;         /* how many requests were sent to the client */
    bool *written;          /* by code: the page has been written */
};

/* A request or notification at work. */
struct request {
    struct server *server;
    const struct message *message;
    const struct json *params;
    struct document *document; /* that the parameters name, NULL: not open */
    struct output out;         /* the result; empty: null */
    int code;                  /* an enum rpc_error, 0: none */
    char error[300];
};

/* Notes that a request failed, and why; returns false. */
bool request_fail(struct request *r, enum rpc_error code, const char *format, ...) printf_like(3, 4);

/* Writes a notification or response. */
void server_send(struct server *s, struct output *body);

/* Asks the client to show a message. */
void server_show(struct server *s, const char *format, ...) printf_like(2, 3);

/* The open document of a URI, or NULL. */
struct document *server_document(const struct server *s, const char *uri);

/* Milliseconds of a clock that only runs forward. */
uint64_t clock_now(void);

/* ---- features ---- */

/* Writes the diagnostics of a document (those of rules only where it is small, or `all` is set), or that it has none
 * any more; nothing, and they stay due, where that was cancelled for an edit that waits. */
void diagnostics_publish(struct server *s, struct document *d, bool all);
void diagnostics_clear(struct server *s, const struct document *d);

/* Takes over what `initialize` says of rules and explain pages. */
void options_read(struct server *s, const struct json *options);
void options_free(struct server *s);

/* A directory of the user's cache, which is made; to be freed, NULL where there can be none. */
char *cache_directory(const char *what);

/* Writes `,"codeDescription":{..}` for a code, where there is a page. */
void write_page_link(struct server *s, struct output *o, const struct jx_code *code);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * The language server: a queue of JSON-RPC messages, the open documents, and a file for each group of features. It
 * includes only the public headers of the library, and shares input, output and configuration with the verbs. It has
 * one thread: edits are applied at once, diagnostics are computed when no message is queued. */
#ifndef JX_LSP_H
#define JX_LSP_H

#include "command/command.h"
#include "lsp/json.h"

/* ---- messages ---- */

/* Error codes of JSON-RPC and of the Language Server Protocol. */
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

/* A message; it owns the pool of its values. */
struct message {
    struct message *next;
    struct json_pool pool;
    const struct json *root; /* NULL: not JSON */
    const struct json *id;   /* NULL: a notification */
    const char *method;      /* NULL: a response, or not a message */
    bool cancelled;          /* by $/cancelRequest */
};

/* The bytes read from standard input, and the messages that have not been handled. */
struct queue {
    char *at;
    size_t begin, n, cap; /* bytes from `begin` up to `n` are not yet a complete message */
    struct message *first, **last;
    struct message *running; /* the message being handled, which may be cancelled, too; NULL: none */
    bool edited;             /* a didChange is queued */
    bool ended;              /* at the end of the input, or after a header that is not valid */
};

/* Initializes an empty queue. */
void queue_init(struct queue *q);

/* Reads the available input and appends its messages; waits up to `milliseconds` (-1: no limit) for input if no message
 * is queued. Sets `cancelled` of requests that a $/cancelRequest names. On end of input or a read error, q->ended is
 * set. */
void queue_fill(struct queue *q, int milliseconds);

/* Removes and returns the oldest message, to be freed with message_free; NULL if the queue is empty. */
struct message *queue_take(struct queue *q);

/* Frees a message; may be called with NULL. */
void message_free(struct message *m);

/* Frees the queue and its messages. */
void queue_free(struct queue *q);

/* The bytes of an output that is kept in memory; valid until it is written to or freed. */
static inline struct jx_string
output_string(const struct output *o)
{
    return (struct jx_string){o->at != NULL ? o->at : "", o->n};
}

/* Writes a Content-Length header and a message to standard output; false on errors. */
bool message_write(const struct output *body);

/* ---- documents ---- */

struct server;

/* A Position of the protocol: a line from 0, and a character offset from 0 in units of the position encoding. */
struct position {
    uint32_t line, character;
};

/* A part of a document that is one module: some programs of a Jaxpr file, or one program extracted from other text. */
struct part {
    struct jx_document_part is;
    jx_module *module; /* belongs to the document's `text` */
    bool checked, resolved, linted;
    jx_module *annotated;          /* the same programs with inferred types, owned; NULL: not inferred */
    bool annotated_read;           /* annotated is set, or types cannot be inferred */
    struct jx_cost_program *costs; /* of the programs in one of its programs, owned; NULL: not computed */
    uint32_t n_costs, costs_of;    /* the number of `costs`, and the index of the program they are of */
};

/* The byte offsets at which lines begin. */
struct lines {
    size_t *at;
    size_t n, cap;
};

/* The semantic tokens last sent to the client: their number on each line, and the lines that edits touched since then.
 * Lines from `from` up to `then` of that time are now the lines from `from` up to `now`. */
struct token_lines {
    uint32_t *counts;
    size_t n, cap;
    size_t from, then, now;
    unsigned id; /* the resultId of these tokens; 0: none, or no longer known */
};

/* The kind of a document. */
enum document_kind {
    DOCUMENT_JAXPR, /* programs one after another */
    DOCUMENT_OTHER, /* other text, from which programs are extracted */
};

struct document {
    struct document *next;
    char *uri, *path;    /* path: NULL if the URI is not a `file:` URI */
    const char *version; /* the digits that the client sent; NULL: none */
    enum document_kind kind;
    bool utf8; /* the position encoding is UTF-8, else UTF-16 */
    jx_context *context;
    jx_document *text;
    struct lines lines,
        newlines;        /* as the protocol counts them, and, if the text contains \r, those that end with \n */
    struct lines others; /* as the library counts them, if the text may have line ends other than \n */
    bool indexed;        /* the tables of lines are those of the current text */
    bool returns;        /* the text contains \r */
    bool uses_others;    /* `others` are used */
    bool ascii;          /* the text is known to be ASCII */
    struct part *parts;
    size_t n_parts;
    uint64_t newest;   /* the largest id of all parts so far */
    bool read;         /* parts are those of the current text */
    bool whole;        /* read the text as one part */
    bool changed;      /* diagnostics must be published .. */
    uint64_t since;    /* .. since this time of clock_now */
    bool lint_pending; /* the rules must still be run, when the server is idle */
    struct token_lines tokens;
    struct settings *settings; /* from .jaxpr.yaml; NULL: not read yet */
};

/* Opens a document with a copy of a text; NULL on out of memory. `language` is the client's languageId; `jaxpr`, or
 * a URI that ends in `.jaxpr`, makes it a file of programs. Call document_free. */
struct document *document_new(const char *uri, const char *language, struct jx_string text, bool utf8);

/* Frees a document; may be called with NULL. It is not removed from the server's list. */
void document_free(struct document *d);

/* Replaces the bytes from `from` up to `to`; false on out of memory. Parts are read again by document_read. */
bool document_edit(struct document *d, size_t from, size_t to, struct jx_string bytes);

/* Reads the parts of a document that are new, were edited, or in which a call was cancelled; frees those that are gone.
 * False on out of memory or when cancelled. */
bool document_read(struct document *d);

/* Frees all parts of a document; the next document_read reads them again. */
void document_forget(struct document *d);

/* The bytes of a part in its document; valid until the next edit. */
struct jx_string part_text(const struct document *d, const struct part *p);

/* Check a part, and resolve its names; later calls do nothing. False on out of memory or when cancelled. */
bool part_check(struct part *p);
bool part_resolve(struct part *p);

/* The costs of a program of a checked part and of those nested in it, an array of *n that belongs to the part until the
 * next call for another program; NULL on out of memory or when cancelled. */
const struct jx_cost_program *part_costs(struct part *p, uint32_t program, uint32_t *n);

/* The inferred type of a binder or result that is printed without one; empty if it cannot be inferred. Valid until
 * the part is freed. */
struct jx_string annotated_type(struct document *d, struct part *p, const struct jx_site *site);

/* Runs the rules on a part; later calls do nothing. False on out of memory or when cancelled. */
bool part_lint(struct server *s, struct document *d, struct part *p);

/* The configuration of a document, or NULL, and in *relative the path of the document below the configuration's
 * directory, or NULL. The first call reads them; they belong to the document until settings_forget frees them. */
jx_config *settings_config(struct document *d, const char **relative);
void settings_forget(struct document *d);

/* The path of a `file:` URI, NULL for other URIs; the `file:` URI of a path. Both are to be freed. */
char *path_of_uri(const char *uri);
char *uri_of_path(const char *path);

/* ---- positions ---- */

/* Builds the table of lines of a document; later calls do nothing until it is outdated. */
void document_index(struct document *d);

/* Updates the table of lines for an edit, before the edit is applied. */
void document_index_edit(struct document *d, size_t from, size_t to, struct jx_string bytes);

/* The line, from 0, of a byte offset. Call document_index before. */
size_t offset_line(const struct document *d, size_t offset);

/* Records an edit in d->tokens, before the edit and document_index_edit are applied. */
void tokens_note_edit(struct document *d, size_t from, size_t to, struct jx_string bytes);

/* The byte offset of a Position: the end of its line if the character is past it, the end of the text if the line is
 * past that. */
size_t position_offset(struct document *d, struct position position);

/* The Position of a byte offset, and of a line and column (from 1, in code points) of the library. Columns past the end
 * of the line are its end, lines past the text its end; line or column 0 is the beginning of the document. */
struct position offset_position(struct document *d, size_t offset);
struct position place_position(struct document *d, uint32_t line, uint32_t column);

/* The library's line and column (from 1, in code points) of a byte offset. */
void offset_place(struct document *d, size_t offset, uint32_t *line, uint32_t *column);

/* Writes `"range":{..}` of a place; an empty Range at the beginning of the document if its line is 0. */
void write_range(struct output *o, struct document *d, struct jx_place place);

/* The same for the bytes from `from` up to `to`. */
void write_byte_range(struct output *o, struct document *d, size_t from, size_t to);

/* ---- the server ---- */

struct server {
    struct queue queue;
    struct document *documents;
    bool utf8;                             /* the position encoding is UTF-8, else UTF-16 */
    bool initialized;                      /* after `initialize` */
    bool stopped;                          /* after `shutdown` */
    bool edits_abandon;                    /* abandon diagnostics when an edit is queued */
    bool ended;                            /* after `exit`, or an error on standard output */
    bool related;                          /* the client has relatedInformation .. */
    bool links;                            /* .. codeDescriptionSupport */
    bool tags;                             /* .. tagSupport */
    bool disabled;                         /* .. disabledSupport of code actions */
    bool no_lint;                          /* the client's options have `lint: false` .. */
    char *select, *extend_select, *ignore; /* .. or select rules, as the options of `jaxpr lint`; NULL: not given */
    char *pages;                           /* the directory of explain pages, or their URL before the code; or NULL */
    char **folders;                        /* paths of the workspace folders */
    int n_folders;
    unsigned token_answers; /* the last resultId of semantic tokens */
    unsigned asked;         /* the number of requests sent to the client */
    bool *written;          /* by code: the page is in the directory; NULL: `pages` is a URL */
};

/* A request or notification that is being handled. */
struct request {
    struct server *server;
    const struct message *message;
    const struct json *params;
    struct document *document; /* the open one that its parameters name; NULL: none */
    struct output out;         /* the result as JSON; empty: null */
    int code;                  /* an enum rpc_error; 0: none */
    char error[300];           /* the message of the error */
};

/* Sets the error of a request to a code and a message; returns false. */
bool request_fail(struct request *r, enum rpc_error code, const char *format, ...) printf_like(3, 4);

/* Sends a message to the client and frees its body; sets s->ended on errors. */
void server_send(struct server *s, struct output *body);

/* Sends a window/showMessage notification of type Warning. */
void server_show(struct server *s, const char *format, ...) printf_like(2, 3);

/* The open document of a URI; NULL if there is none, or the URI is NULL. */
struct document *server_document(const struct server *s, const char *uri);

/* The time of a monotonic clock, in milliseconds. */
uint64_t clock_now(void);

/* ---- features ---- */

/* Sends textDocument/publishDiagnostics: the findings of a document, with those of rules if it is small or `all` is
 * set; diagnostics_clear sends an empty list. If an edit is queued and s->edits_abandon is set, the call may be
 * abandoned: nothing is sent, and d->changed stays set. */
void diagnostics_publish(struct server *s, struct document *d, bool all);
void diagnostics_clear(struct server *s, const struct document *d);

/* Reads the initializationOptions about rules and explain pages (NULL: none) into s; options_free frees them. */
void options_read(struct server *s, const struct json *options);
void options_free(struct server *s);

/* Creates a directory `what` in the user's cache, if needed, and returns its path, to be freed; NULL if it cannot be
 * created. */
char *cache_directory(const char *what);

/* Writes `,"codeDescription":{..}` with the link to the explain page of a code; nothing if there is no page. */
void write_page_link(struct server *s, struct output *o, const struct jx_code *code);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * What every fuzz target shares: reading a text, storing what a verb writes, and reporting that a property does not
 * hold. A target takes any bytes; it returns if all properties hold, and aborts if one does not. */
#ifndef TARGET_H
#define TARGET_H

#include "jaxpr.h"

/* A verb's output; the caller calls free(at). */
struct written {
    char *at;
    size_t n, cap;
};

/* collects output; a jx_write_fn, user being the struct written */
int keep_written(void *written, const char *bytes, size_t n);

/* reads a text into the context, or aborts; syntax errors are fine */
jx_module *must_read(jx_context *context, const char *bytes, size_t n);

/* A text that is read in pieces, whose sizes depend on the seed. */
struct pieces {
    const char *bytes;
    size_t n, seed;
};

/* supplies the next piece; a jx_read_fn, user being the struct pieces */
ptrdiff_t read_piece(void *pieces, char *into, size_t room);

/* appends to `out` the diagnostics of a module, in colours if the format is text. Aborts on failure */
void render(jx_context *context, jx_module *module, enum jx_render_format format, struct written *out);

/* makes a context, or aborts */
jx_context *must_make_context(void);

/* aborts with both texts on standard error unless they are equal */
void must_equal(const char *promise, const struct written *want, const struct written *got);

/* writes the violated property and the bytes of an input or output to standard error, and aborts */
_Noreturn void broken_promise(const char *promise, const char *bytes, size_t n);

/* aborts with a message unless the status is JX_OK; `what` names the call */
void must_be_ok(enum jx_status status, const char *what);

/* a JSON value, any number of values, or the items of an array without its brackets */
enum json_form { JSON_VALUE, JSON_LINES, JSON_ITEMS };

/* aborts with the text unless it is JSON in UTF-8 */
void must_be_json(const char *promise, const struct written *text, enum json_form form);

/* the programs of a text as `fmt` prints them; width 0: JAX's. Aborts if fmt fails */
struct written formatted(const char *bytes, size_t n, uint32_t width);

/* the digests of a text's programs, one per line, empty for a program without one; *errors is the number of errors.
 * Aborts on failure */
struct written digests(const char *bytes, size_t n, const struct jx_compare_options *how, uint32_t *errors);

/* whether a text is read without any finding, and its values end at the same positions in every layout (certain.c) */
bool can_be_laid_out(const char *bytes, size_t n);

#define TARGETS(X) \
    X(parse) \
    X(fmt) \
    X(check) \
    X(norm) \
    X(eq) X(diff) X(sig) X(read_sig) X(options) X(cost) X(lint) X(extract) X(contract) X(fast) X(equal) X(intact)

#define X(name) void target_##name(const char *bytes, size_t n);
TARGETS(X)
#undef X

struct target {
    const char *name;
    void (*run)(const char *bytes, size_t n);
};

/* the target with a name, or NULL */
const struct target *target_find(const char *name);

#define X(name) +1
enum { TARGET_COUNT = 0 TARGETS(X) };
#undef X
extern const struct target targets[TARGET_COUNT];

/* the bytes of a file; the caller calls free(at). Exits with status 2 and a message if it cannot be read */
struct written file_bytes(const char *path);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * jaxpr dups: equal programs, whole and nested, over all files. */
#include "command/command.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* A program already read. */
struct copy {
    char *digest, *name;
    const char *file;
    uint32_t line;
    uint64_t equations;
};

static struct {
    struct copy *at;
    size_t n, cap;
    pthread_mutex_t lock;
} copies = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void
work(struct job *job)
{
    struct jx_function f;
    jx_digest_list *list = digests_make(job);
    pthread_mutex_lock(&copies.lock);
    for (uint32_t i = 0; jx_function_at(list, i, &f); i++) {
        if (f.equations == 0)
            continue;
        if (copies.n == copies.cap) {
            copies.cap = copies.cap * 2 + 64;
            copies.at = must_resize(copies.at, copies.cap * sizeof *copies.at);
        }
        copies.at[copies.n++] = (struct copy){must_copy(f.digest.at, f.digest.n), must_copy(f.name.at, f.name.n),
                                              job->name, f.line, f.equations};
    }
    pthread_mutex_unlock(&copies.lock);
    jx_digest_list_free(list);
}

static int
compare_copies(const void *a, const void *b)
{
    const struct copy *x = a, *y = b;
    int order = strcmp(x->digest, y->digest);
    order = order != 0 ? order : strcmp(x->file, y->file);
    return order != 0 ? order : x->line < y->line ? -1 : x->line > y->line;
}

/* A group of equal copies: copies.at[first] and the n - 1 after it. */
struct group {
    size_t first, n;
    uint64_t saved;
};

static int
compare_groups(const void *a, const void *b)
{
    const struct group *x = a, *y = b;
    if (x->saved != y->saved)
        return x->saved > y->saved ? -1 : 1;
    return x->first < y->first ? -1 : x->first > y->first;
}

static void
print_group(const struct group *g)
{
    const struct copy *c = &copies.at[g->first];
    output_printf(&standard_output, "%.20s..  %llu equation%s, %llu copies\n", c->digest,
                  (unsigned long long)c->equations, plural(c->equations), (unsigned long long)g->n);
    for (size_t i = 0; i < g->n; i++, c++) {
        output_puts(&standard_output, "  ");
        output_name(&standard_output, c->file);
        output_printf(&standard_output, ":%u%s", (unsigned)c->line, c->name[0] != 0 ? " " : "");
        output_name(&standard_output, c->name);
        output_puts(&standard_output, "\n");
    }
}

/* Prints every group of at least two; true if there is one. */
static bool
print_groups(void)
{
    struct group *groups = must_allocate((copies.n + 1) * sizeof *groups);
    size_t n = 0;
    if (copies.n > 1)
        qsort(copies.at, copies.n, sizeof *copies.at, compare_copies);
    for (size_t i = 0, end; i < copies.n; i = end) {
        for (end = i + 1; end < copies.n && strcmp(copies.at[i].digest, copies.at[end].digest) == 0;)
            end++;
        if (end - i > 1)
            groups[n++] = (struct group){i, end - i, copies.at[i].equations * (end - i - 1)};
    }
    if (n > 1)
        qsort(groups, n, sizeof *groups, compare_groups);
    for (size_t i = 0; i < n; i++)
        print_group(&groups[i]);
    free(groups);
    return n > 0;
}

int
command_dups(const struct invocation *in)
{
    int status = batch_run(in, work, false, NULL, &standard_error);
    print_groups();
    for (size_t i = 0; i < copies.n; i++) {
        free(copies.at[i].digest);
        free(copies.at[i].name);
    }
    free(copies.at);
    return status;
}

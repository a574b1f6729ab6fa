/* SPDX-License-Identifier: Apache-2.0
 *
 * The grammar for tree-sitter, compared with the parser: what `jaxpr fmt` prints has no ERROR node, and both find
 * the same equations. The arguments are files of queries, which must be valid for the grammar. Reads texts from
 * standard input, each followed by a NUL; prints the numbers of those that fail. */
#include "jaxpr.h"
#include "jaxpr_walk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tree_sitter/api.h>

const TSLanguage *tree_sitter_jaxpr(void);

struct bytes {
    char *at;
    size_t n, room;
};

/* The bytes of an equation in the text, the end exclusive. */
struct range {
    uint32_t from, to;
};

struct ranges {
    struct range *at;
    size_t n, room;
};

/* Returns `at` with room for one more element of `size` bytes; aborts if memory runs out. */
static void *
grow(void *at, size_t n, size_t *room, size_t size)
{
    if (n < *room)
        return at;
    *room = *room ? 2 * *room : 1024;
    at = realloc(at, *room * size);
    if (at == NULL)
        abort();
    return at;
}

static int
append(void *user, const char *bytes, size_t n)
{
    struct bytes *b = user;
    while (b->n + n > b->room)
        b->at = grow(b->at, b->room, &b->room, 1);
    memcpy(b->at + b->n, bytes, n);
    b->n += n;
    return 0;
}

static void
add(struct ranges *r, uint32_t from, uint32_t to)
{
    r->at = grow(r->at, r->n, &r->room, sizeof *r->at);
    r->at[r->n++] = (struct range){from, to};
}

static int
compare(const void *a, const void *b)
{
    const struct range *x = a, *y = b;
    return x->from < y->from ? -1 : x->from > y->from ? 1 : x->to < y->to ? -1 : x->to > y->to;
}

/* Lists the equations that our parser found, in the order of the text. */
static void
parsed_equations(jx_module *module, struct ranges *r)
{
    struct jx_equation equation;
    for (uint32_t e = 0; jx_equation_at(module, e, &equation); e++) {
        struct jx_site site = {.part = JX_PART_EQUATION, .id = e};
        struct jx_span span;
        if (jx_span_at(module, &site, &span))
            add(r, (uint32_t)span.from, (uint32_t)span.to);
    }
    qsort(r->at, r->n, sizeof *r->at, compare);
}

/* Lists the equations of a tree, in the order of the text; returns the number of empty tokens, which editors cannot
 * colour. */
static uint32_t
tree_equations(TSTree *tree, struct ranges *r)
{
    uint32_t empty = 0;
    TSTreeCursor cursor = ts_tree_cursor_new(ts_tree_root_node(tree));
    for (bool more = true; more;) {
        TSNode node = ts_tree_cursor_current_node(&cursor);
        const char *type = ts_node_type(node);
        if (strcmp(type, "equation") == 0 || strcmp(type, "access") == 0)
            add(r, ts_node_start_byte(node), ts_node_end_byte(node));
        empty += !ts_node_is_named(node) && ts_node_start_byte(node) == ts_node_end_byte(node);
        if (ts_tree_cursor_goto_first_child(&cursor))
            continue;
        while (!ts_tree_cursor_goto_next_sibling(&cursor))
            if (!(more = ts_tree_cursor_goto_parent(&cursor)))
                break;
    }
    ts_tree_cursor_delete(&cursor);
    qsort(r->at, r->n, sizeof *r->at, compare);
    return empty;
}

static jx_module *
read_text(jx_context *context, const char *bytes, size_t n)
{
    jx_module *module;
    if (jx_read(context, "text", bytes, n, &module) != JX_OK)
        abort();
    return module;
}

/* Whether every program of the text was parsed, and there is one. */
static bool
is_whole(jx_module *module)
{
    struct jx_program program;
    for (uint32_t i = 0; jx_program_at(module, i, &program); i++)
        if (program.broken)
            return false;
    return jx_program_count(module) > 0;
}

struct counts {
    uint32_t texts, errors, differ;
    uint64_t equations;
};

/* The index of the first range that differs, or the length of the shorter list. */
static size_t
first_difference(const struct ranges *a, const struct ranges *b)
{
    size_t i = 0;
    while (i < a->n && i < b->n && compare(&a->at[i], &b->at[i]) == 0)
        i++;
    return i;
}

static void
judge(TSParser *parser, jx_context *context, uint32_t number, const struct bytes *text, struct counts *counts)
{
    jx_module *module = read_text(context, text->at, text->n);
    struct ranges ours = {0}, theirs = {0};
    parsed_equations(module, &ours);
    TSTree *tree = ts_parser_parse_string(parser, NULL, text->at, (uint32_t)text->n);
    uint32_t empty = tree_equations(tree, &theirs);
    counts->texts++;
    counts->equations += ours.n;
    size_t i = first_difference(&ours, &theirs);
    if (ts_node_has_error(ts_tree_root_node(tree)) || empty > 0) {
        counts->errors++;
        printf(empty > 0 ? "%u: an empty token\n" : "%u: an ERROR node\n", number);
    } else if (i < ours.n || i < theirs.n) {
        counts->differ++;
        printf("%u: equation %zu is at %d-%d, in the tree at %d-%d\n", number, i,
               i < ours.n ? (int)ours.at[i].from : -1, i < ours.n ? (int)ours.at[i].to : -1,
               i < theirs.n ? (int)theirs.at[i].from : -1, i < theirs.n ? (int)theirs.at[i].to : -1);
    }
    ts_tree_delete(tree);
    free(ours.at);
    free(theirs.at);
    jx_module_free(module);
}

/* Whether the queries of a file are valid for the grammar; prints an error if not. */
static bool
query_fits(const char *path)
{
    struct bytes text = {0};
    char buffer[4096];
    FILE *file = fopen(path, "rb");
    for (size_t n; file != NULL && (n = fread(buffer, 1, sizeof buffer, file)) > 0;)
        append(&text, buffer, n);
    uint32_t at = 0;
    TSQueryError error = TSQueryErrorNone;
    TSQuery *query = ts_query_new(tree_sitter_jaxpr(), text.at, (uint32_t)text.n, &at, &error);
    if (query == NULL || text.n == 0)
        printf("%s: byte %u: not a query of this grammar (error %d)\n", path, at, (int)error);
    bool fits = query != NULL && text.n > 0;
    if (query != NULL)
        ts_query_delete(query);
    if (file != NULL)
        fclose(file);
    free(text.at);
    return fits;
}

int
main(int argc, char **argv)
{
    TSParser *parser = ts_parser_new();
    if (!ts_parser_set_language(parser, tree_sitter_jaxpr())) {
        fputs("libtree-sitter does not support the ABI of parser.c\n", stderr);
        return 2;
    }
    for (int i = 1; i < argc; i++)
        if (!query_fits(argv[i]))
            return 2;
    struct counts counts = {0};
    char *line = NULL;
    size_t room = 0;
    ssize_t n;
    for (uint32_t number = 0; (n = getdelim(&line, &room, 0, stdin)) > 0; number++) {
        jx_context *context = jx_context_new(NULL);
        jx_module *module = read_text(context, line, (size_t)n - (line[n - 1] == 0));
        struct bytes text = {0};
        if (is_whole(module) && jx_format(module, NULL, append, &text) == JX_OK)
            judge(parser, context, number, &text, &counts);
        free(text.at);
        jx_context_free(context);
    }
    free(line);
    ts_parser_delete(parser);
    printf("%u texts, %llu equations: %u with an ERROR node, %u with other equations\n", counts.texts,
           (unsigned long long)counts.equations, counts.errors, counts.differ);
    return counts.texts == 0 || counts.differ > 0;
}

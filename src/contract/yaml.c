/* SPDX-License-Identifier: Apache-2.0
 *
 * libyaml's events turned into nodes, with a stack of the collections that are open. libyaml counts characters, the
 * program counts bytes; events come in order, so a cursor that follows them converts one to the other in linear
 * time. */
#include "contract/yaml.h"

#include "base/chars.h"
#include "base/memo.h"
#include "base/names.h"
#include "base/utf8.h"

enum { DEEPEST = 40, LARGEST = 16 << 20 };

/* An open collection. */
struct open_node {
    u32 node;
    u32 pending;   /* its first child in builder.pending */
    name_t anchor; /* NONE: it has none */
};

struct builder {
    struct tree *t;
    struct mem *mem;
    const struct text *text;
    struct diags *ds;
    size_t character, byte; /* the cursor: the first `character` characters are `byte` bytes */
    VEC(struct open_node) open;
    VEC(u32) pending;    /* children of the open collections */
    struct names names;  /* of anchors and keys */
    struct memo anchors; /* by name: its node + 1; a repeated name refers to the later node */
    bool documented;     /* a document was read */
    bool failed;
};

/* the byte offset of a mark */
static u32
mark_byte(struct builder *b, const yaml_mark_t *mark)
{
    const char *p = b->text->at;
    while (b->character < mark->index && b->byte < b->text->n) {
        b->byte += utf8_length(p + b->byte, b->text->n - b->byte);
        b->character++;
    }
    while (b->character > mark->index && b->byte > 0) {
        b->byte--;
        b->character -= begins_point(p[b->byte]);
    }
    return (u32)b->byte;
}

static void
report_at(struct builder *b, u32 at, u32 n, const char *message)
{
    diag_add(b->ds, DIAG_K820, at, n, "%s", message);
    b->failed = true;
}

/* our words for a message of libyaml, or `otherwise` if it is not in the table */
static const char *
reworded(const char *words, const char *otherwise)
{
    static const char tab[] = "a line must be indented with spaces, not with tabs";
    static const char quote[] = "the closing quote is missing";
    static const struct {
        const char *theirs, *ours;
    } table[] = {
        {"did not find expected ',' or ']'", "expected `,` or `]`"},
        {"did not find expected ',' or '}'", "expected `,` or `}`"},
        {"did not find expected node content", "expected a value"},
        {"did not find expected <document start>", "unexpected text after the configuration"},
        {"mapping keys are not allowed in this context", "a key is not allowed here"},
        {"block sequence entries are not allowed in this context", "unexpected `-`: a list begins on its own line"},
        {"found a tab character that violates indentation", tab},
        {"found a tab character where an indentation space is expected", tab},
        {"found unexpected end of stream", quote},
        {"found unexpected document indicator", quote},
        {"found unknown escape character", "unknown escape; in double quotes, a backslash is written twice"},
        {"while parsing a flow sequence", "the list begins here"},
        {"while parsing a block collection", "the list begins here"},
        {"while parsing a flow mapping", "the map begins here"},
        {"while parsing a block mapping", "the map begins here"},
        {"while scanning a simple key", "the key begins here"},
        {"while scanning a quoted scalar", "the quoted string begins here"},
        {"while parsing a quoted scalar", "the quoted string begins here"},
    };
    for (size_t i = 0; i < countof(table); i++)
        if (strcmp(words, table[i].theirs) == 0)
            return table[i].ours;
    return otherwise;
}

/* What is wrong, and where. */
struct yaml_fault {
    const char *message; /* NULL: use libyaml's words */
    u32 at, n;
    bool alone; /* do not add what libyaml says about its context */
};

/* the text of a line before byte `at`, without its indentation and the `-` of items */
static struct slice
line_before(const struct builder *b, u32 at)
{
    const char *end = b->text->at + at, *start = end;
    while (start > b->text->at && start[-1] != '\n')
        start--;
    start = skip_blanks(start);
    while (start + 2 < end && start[0] == '-' && start[1] == ' ')
        start = skip_blanks(start + 2);
    return (struct slice){start, start < end ? (size_t)(end - start) : 0};
}

static struct yaml_fault
fault_in(const struct builder *b, const char *message, struct slice place)
{
    return (struct yaml_fault){message, (u32)(place.at - b->text->at), (u32)place.n, true};
}

static struct yaml_fault
key_fault(const struct builder *b, struct slice key)
{
    return fault_in(b, arena_printf(b->mem, "the key `%s` lacks its `:`", diag_quote(b->ds, key)).at, key);
}

/* the fault of a `:` at byte `at` that does not follow a key: its line contains another `: `, or continues the line
 * above */
static struct yaml_fault
colon_fault(const struct builder *b, u32 at)
{
    struct slice line = line_before(b, at), above = {NULL, 0};
    if (slice_contains(line, SLICE(": ")))
        return (struct yaml_fault){"unexpected `:`; a value that contains `: ` must be quoted", at, 0, true};
    for (const char *p = line.at; above.n == 0 && p > b->text->at; p--)
        if (!memchr(" \t\r\n", p[-1], 4))
            above = line_before(b, (u32)(p - b->text->at));
    const char *colon = above.n ? memmem(above.at, above.n, ": ", 2) : NULL;
    if (above.n == 0)
        return (struct yaml_fault){.at = at};
    if (!colon)
        return key_fault(b, above);
    const char *key = diag_quote(b->ds, (struct slice){above.at, (size_t)(colon - above.at)});
    return fault_in(
        b, arena_printf(b->mem, "unexpected indentation: this line continues the value of `%s` above", key).at, line);
}

/* the fault of a value in a list or map in brackets, for which libyaml always reports the same */
static struct yaml_fault
flow_fault(const struct builder *b, const char *problem, u32 at)
{
    const char *p = b->text->at + at;
    struct slice line = line_before(b, at);
    if ((*p == '[' || *p == '{') && !strchr(" \t\n", p[-1]))
        return (struct yaml_fault){*p == '[' ? "a value that contains `[` must be quoted"
                                             : "a value that contains `{` must be quoted",
                                   at, 0, true};
    if (*p != ':' || !line.n)
        return (struct yaml_fault){.at = at};
    struct yaml_fault key = fault_in(b, reworded(problem, problem), line);
    key.message = arena_printf(b->mem, "%s before the key `%s`", key.message, diag_quote(b->ds, line)).at;
    key.alone = false;
    return key;
}

/* what is wrong at byte `at`, where libyaml found an error, according to the text there */
static struct yaml_fault
text_fault(struct builder *b, const yaml_parser_t *parser, const char *problem, u32 at)
{
    bool list = strcmp(problem, "did not find expected '-' indicator") == 0;
    bool aligned = parser->problem_mark.column == parser->context_mark.column;
    char first = b->text->at[at];
    struct slice line = line_before(b, at);
    if (strcmp(problem, "mapping values are not allowed in this context") == 0)
        return colon_fault(b, at);
    if (strcmp(problem, "could not find expected ':'") == 0) {
        u32 key = mark_byte(b, &parser->context_mark);
        const char *start = b->text->at + key;
        return key_fault(b, (struct slice){start, strcspn(start, "\r\n")});
    }
    if (first == '-' && strcmp(problem, "did not find expected node content") == 0)
        return (struct yaml_fault){"unexpected `-`: items in brackets are written without it", at, 0, true};
    if (slice_starts(slice_of(problem), SLICE("did not find expected ',' or")))
        return flow_fault(b, problem, at);
    if (!list && strcmp(problem, "did not find expected key") != 0)
        return (struct yaml_fault){.at = at};
    if (first == '}' || first == ']')
        return (struct yaml_fault){
            first == '}' ? "unexpected `}`: no `{` is open here" : "unexpected `]`: no `[` is open here", at, 0, true};
    if (line.n)
        return (struct yaml_fault){"unexpected text after a value", at, 0, true};
    static const char *const words[2][2] = {
        {"unexpected indentation: this line is not indented like the keys of the map",
         "expected a key: this line is indented like the keys of the map"},
        {"unexpected indentation: this line is indented neither like the keys of the item above nor like the items of "
         "the list",
         "expected `-`: this line is indented like the items of the list"},
    };
    return (struct yaml_fault){words[list][aligned], at, 0, false};
}

/* an error found by libyaml */
static void
report_parser_error(struct builder *b, const yaml_parser_t *parser)
{
    if (parser->error == YAML_MEMORY_ERROR)
        longjmp(*b->mem->oom, 1);
    bool name = parser->problem && slice_contains(slice_of(parser->problem),
                                                  SLICE("alphabetic or numeric")); /* after the `*`, its context */
    u32 at = parser->error == YAML_READER_ERROR ? (u32)parser->problem_offset
             : name                             ? mark_byte(b, &parser->context_mark)
                                                : mark_byte(b, &parser->problem_mark);
    bool ends = at >= b->text->n;
    if (ends)
        for (at = (u32)b->text->n; at > 0 && memchr(" \n\r\t", b->text->at[at - 1], 4);)
            at--;
    const char *problem = parser->problem ? parser->problem : "this is not YAML";
    bool tab = parser->error == YAML_SCANNER_ERROR && b->text->at[at] == '\t';
    bool sign = !tab && (name || strcmp(problem, "found character that cannot start any token") == 0);
    struct yaml_fault fault = tab || sign ? (struct yaml_fault){.at = at} : text_fault(b, parser, problem, at);
    if (sign)
        fault.message = b->text->at[at] == '`'
                            ? "a value that begins with a backquote must be quoted"
                            : arena_printf(b->mem, "a value that begins with `%c` must be quoted", b->text->at[at]).at;
    else if (!fault.message)
        fault.message = reworded(tab ? "found a tab character that violates indentation" : problem, problem);
    bool missing = ends && slice_starts(slice_of(fault.message), SLICE("expected "));
    diag_add(b->ds, DIAG_K820, fault.at, fault.n, "%s%s", fault.message, missing ? " before the end of the text" : "");
    b->failed = true;
    const char *around = parser->context && !fault.alone ? reworded(parser->context, NULL) : NULL;
    if (around && parser->error != YAML_READER_ERROR)
        diag_note(b->ds, mark_byte(b, &parser->context_mark), 0, "%s", around);
}

static struct slice
copy_word(struct builder *b, const yaml_char_t *at, size_t n)
{
    return arena_copy(b->mem, (struct slice){at ? (const char *)at : "", n});
}

static name_t
anchor_name(struct builder *b, const yaml_char_t *anchor)
{
    return anchor ? names_intern(b->mem, &b->names, copy_word(b, anchor, strlen((const char *)anchor))) : NONE;
}

/* ---- nodes ---- */

static u32
add_node(struct builder *b, const yaml_event_t *e, enum tree_kind kind)
{
    u32 at = mark_byte(b, &e->start_mark), end = mark_byte(b, &e->end_mark);
    *vec_push(b->mem, &b->t->nodes) = (struct tree_node){.kind = (u8)kind, .at = at, .n = end > at ? end - at : 0};
    return b->t->nodes.n - 1;
}

/* adds a node to the collection that is open, or makes it the root */
static void
place_node(struct builder *b, u32 node)
{
    if (b->open.n == 0)
        b->t->root = node;
    else
        *vec_push(b->mem, &b->pending) = node;
}

static void
open_node(struct builder *b, const yaml_event_t *e, enum tree_kind kind, const yaml_char_t *anchor)
{
    u32 node = add_node(b, e, kind);
    if (b->open.n == DEEPEST) {
        diag_add(b->ds, DIAG_K820, b->t->nodes.at[node].at, 1, "the configuration is nested more than %d levels deep",
                 DEEPEST);
        b->failed = true;
        return;
    }
    place_node(b, node);
    *vec_push(b->mem, &b->open) = (struct open_node){node, b->pending.n, anchor_name(b, anchor)};
}

/* reports keys that are not words, are empty or occur twice */
static void
validate_keys(struct builder *b, u32 node)
{
    const struct tree *t = b->t;
    struct memo seen = {0};
    for (u32 i = 0; i < t->nodes.at[node].count / 2 && !b->failed; i++) {
        u32 id = tree_key(t, node, i);
        const struct tree_node *key = &t->nodes.at[id];
        if (key->kind != TREE_WORD || key->word.n == 0) {
            report_at(b, key->at, 1,
                      key->kind == TREE_LIST  ? "a key must be a string, but is a list"
                      : key->kind == TREE_MAP ? "a key must be a string, but is a map"
                                              : "a key must be a string, but is empty");
            break;
        }
        name_t name = names_intern(b->mem, &b->names, key->word);
        u64 before = memo_get(&seen, name);
        if (before) {
            const struct tree_node *first = &t->nodes.at[before - 1];
            diag_add(b->ds, DIAG_K821, key->at, key->n, "duplicate key `%s`", diag_quote(b->ds, key->word));
            diag_note(b->ds, first->at, first->n, "it was given here first");
            b->failed = true;
        }
        memo_set(b->mem, &seen, name, id + 1);
    }
    memo_free(b->mem, &seen);
}

static void
close_node(struct builder *b, const yaml_event_t *e)
{
    struct open_node open = b->open.at[--b->open.n];
    struct tree_node *node = &b->t->nodes.at[open.node];
    u32 count = b->pending.n - open.pending, end = mark_byte(b, &e->end_mark);
    node->first = b->t->children.n;
    node->count = count;
    node->n = end > node->at ? end - node->at : 0;
    vec_append(b->mem, &b->t->children, b->pending.at + open.pending, count);
    b->pending.n = open.pending;
    if (node->kind == TREE_MAP)
        validate_keys(b, open.node);
    if (open.anchor != NONE)
        memo_set(b->mem, &b->anchors, open.anchor, open.node + 1);
}

/* the start of the word after the anchor at `at`, whose name has n bytes */
static u32
skip_anchor(const struct text *text, u32 at, size_t n)
{
    at += (u32)n + 1;
    while (at < text->n && strchr(" \t\r\n", text->at[at]))
        at++;
    return at;
}

/* whether a word without quotes means that there is no value */
static bool
is_null(struct slice word)
{
    static const char *const nulls[] = {"~", "null", "Null", "NULL"};
    for (u32 i = 0; i < countof(nulls); i++)
        if (slice_eq(word, slice_of(nulls[i])))
            return true;
    return false;
}

static void
read_word(struct builder *b, const yaml_event_t *e)
{
    u32 node = add_node(b, e, TREE_WORD);
    struct tree_node *word = &b->t->nodes.at[node];
    word->word = copy_word(b, e->data.scalar.value, e->data.scalar.length);
    word->quoted = e->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
    if (!word->quoted && is_null(word->word))
        word->word.n = 0;
    if (memchr(word->word.at, 0, word->word.n))
        report_at(b, word->at, word->n, "`\\0` is not allowed: names and patterns contain no NUL");
    place_node(b, node);
    const yaml_char_t *anchor = e->data.scalar.anchor;
    if (anchor) {
        u32 begin = skip_anchor(b->text, word->at, strlen((const char *)anchor));
        word->n -= begin < word->at + word->n ? begin - word->at : word->n;
        word->at = begin;
        memo_set(b->mem, &b->anchors, anchor_name(b, anchor), node + 1);
    }
}

static void
report_alias(struct builder *b, const yaml_event_t *e, name_t name)
{
    u32 at = mark_byte(b, &e->start_mark), n = mark_byte(b, &e->end_mark) - at;
    struct slice anchor = slice_of((const char *)e->data.alias.anchor);
    const char *word = diag_quote(b->ds, anchor);
    b->failed = true;
    for (u32 i = 0; i < b->open.n; i++)
        if (name != NONE && b->open.at[i].anchor == name) {
            diag_add(b->ds, DIAG_K820, at, n, "`*%s` is part of the value that it refers to", word);
            diag_note(b->ds, b->t->nodes.at[b->open.at[i].node].at, (u32)anchor.n + 1, "the anchor is here");
            return;
        }
    diag_add(b->ds, DIAG_K820, at, n,
             "no value before this has the anchor `%s`; a pattern that begins with `*` must be quoted", word);
}

static void
add_alias(struct builder *b, const yaml_event_t *e)
{
    name_t name = names_find(&b->names, slice_of((const char *)e->data.alias.anchor));
    u64 node = name == NONE ? 0 : memo_get(&b->anchors, name);
    if (node == 0)
        report_alias(b, e, name);
    else
        place_node(b, (u32)node - 1);
}

static const yaml_char_t *
event_tag(const yaml_event_t *e)
{
    return e->type == YAML_SCALAR_EVENT           ? e->data.scalar.tag
           : e->type == YAML_SEQUENCE_START_EVENT ? e->data.sequence_start.tag
           : e->type == YAML_MAPPING_START_EVENT  ? e->data.mapping_start.tag
                                                  : NULL;
}

static void
add_event(struct builder *b, const yaml_event_t *e)
{
    if (event_tag(e)) {
        report_at(b, mark_byte(b, &e->start_mark), 1, "tags are not supported; remove the tag");
        return;
    }
    switch (e->type) {
    case YAML_DOCUMENT_START_EVENT:
        if (b->documented)
            report_at(b, mark_byte(b, &e->start_mark), 1,
                      "a second document begins here; a configuration file contains only one");
        b->documented = true;
        break;
    case YAML_SCALAR_EVENT:
        read_word(b, e);
        break;
    case YAML_ALIAS_EVENT:
        add_alias(b, e);
        break;
    case YAML_SEQUENCE_START_EVENT:
        open_node(b, e, TREE_LIST, e->data.sequence_start.anchor);
        break;
    case YAML_MAPPING_START_EVENT:
        open_node(b, e, TREE_MAP, e->data.mapping_start.anchor);
        break;
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        close_node(b, e);
        break;
    default:
        break;
    }
}

static bool
text_is_valid(struct builder *b)
{
    const struct text *text = b->text;
    size_t bad = utf8_first_bad(text->at, text->n);
    if (text->n > LARGEST)
        diag_add(b->ds, DIAG_K820, NONE, 0, "a configuration of more than %d MiB is not read", LARGEST >> 20);
    else if (bad < text->n && !text->at[bad])
        diag_add(b->ds, DIAG_K820, (u32)bad, 1, "NUL byte in the text");
    else if (bad < text->n)
        diag_add(b->ds, DIAG_K820, (u32)bad, 1, "byte 0x%02x is not valid UTF-8", (unsigned)(u8)text->at[bad]);
    else
        return true;
    return false;
}

bool
tree_supported(void)
{
    return true;
}

bool
tree_read(struct tree *t, struct mem *m, const struct text *text, struct tree_source *source, struct diags *ds)
{
    struct builder b = {.t = t, .mem = m, .text = text, .ds = ds};
    *t = (struct tree){.root = NONE};
    if (!text_is_valid(&b))
        return false;
    if (!yaml_parser_initialize(&source->parser))
        longjmp(*m->oom, 1);
    source->open = true;
    names_init(m, &b.names, 0);
    yaml_parser_set_encoding(&source->parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&source->parser, (const unsigned char *)text->at, text->n);
    for (bool end = false; !end && !b.failed;) {
        if (!yaml_parser_parse(&source->parser, &source->event)) {
            report_parser_error(&b, &source->parser);
            break;
        }
        source->held = true;
        end = source->event.type == YAML_STREAM_END_EVENT;
        add_event(&b, &source->event);
        yaml_event_delete(&source->event);
        source->held = false;
    }
    mem_free_all(m, b.names.slots, b.names.others.at, b.anchors.slots, b.open.at, b.pending.at);
    return !b.failed;
}

void
tree_source_close(struct tree_source *source)
{
    if (source->held)
        yaml_event_delete(&source->event);
    if (source->open)
        yaml_parser_delete(&source->parser);
    source->open = source->held = false;
}

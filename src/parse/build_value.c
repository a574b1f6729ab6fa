/* SPDX-License-Identifier: Apache-2.0
 *
 * The grammar's actions on values of parameters. A value is text, a nested program, a tuple of programs, or text
 * with programs inside, which is kept as a chain of segments. A word that may name a shared program is kept until
 * the program that contains it ends and its lets are known (build_program). Linear in the value. */
#include "parse/build.h"

/* whether a text is `jaxpr`, `jaxpr1`, ..: JAX's names for shared programs without a name */
static bool
is_nameless(struct slice text)
{
    if (!slice_starts(text, SLICE("jaxpr")))
        return false;
    for (size_t i = 5; i < text.n; i++)
        if (text.at[i] < '0' || text.at[i] > '9')
            return false;
    return true;
}

/* true if a word under this key is the name of a shared program, not a string: only the key decides */
static bool
key_holds_program(struct token_source *f, name_t key, name_t prim)
{
    struct name_buffer buffer, prim_buffer;
    struct slice k = module_name(f->m, key, &buffer), p = module_name(f->m, prim, &prim_buffer);
    if (key_holds_programs(k))
        return true;
    return p.n && prim_is_class(p.at) && /* programs of a class may have any key */
           !slice_eq(k, SLICE("name")) && !slice_eq(k, SLICE("fwd")) && !slice_eq(k, SLICE("bwd")) &&
           !slice_eq(k, SLICE("jvp"));
}

static bool
is_shared_word(struct slice text)
{
    if (memchr(text.at, '\n', text.n))
        return false; /* `Wrapped function:` and its lines */
    return text.n && (is_word_start(text.at[0]) || (u8)text.at[0] >= 0x80) && text.at[text.n - 1] != ')' &&
           text.at[text.n - 1] != ']' && !is_python_constant(text);
}

void
remember_shared(struct token_source *f, param_t param, u32 segment)
{
    *vec_push(f->m->mem, &f->build.shared) = (struct shared_word){param, segment};
}

/* appends a segment to a value; returns it */
static u32
add_segment(struct token_source *f, param_t param, u32 last, struct segment segment)
{
    struct module *m = f->m;
    u32 s = m->segments.n;
    segment.next = NONE;
    *vec_push(m->mem, &m->segments) = segment;
    if (last == NONE)
        m->params.at[param].a = s;
    else
        m->segments.at[last].next = s;
    return s;
}

/* turns the words of a tuple's text into segments that name shared programs; returns the last segment */
static u32
add_words(struct token_source *f, param_t param, u32 last, struct span span)
{
    struct module *m = f->m;
    const char *p = m->text.at + span.at, *end = p + span.n;
    while (p < end) {
        while (p < end && (is_blank(*p) || *p == '(' || *p == ')'))
            p++;
        const char *word = p;
        while (p < end && !is_blank(*p) && *p != '(' && *p != ')')
            p++;
        if (p == word)
            break;
        last = add_segment(f, param, last,
                           (struct segment){.kind = SEGMENT_SHARED, .a = NONE, .span = span_of(f, word, p)});
        remember_shared(f, param, last);
    }
    return last;
}

/* whether a text is `(f g)`, a tuple of names of shared programs; no Python value prints like it */
static bool
is_word_tuple(struct slice text)
{
    if (text.n < 3 || text.at[0] != '(' || text.at[text.n - 1] != ')')
        return false;
    for (size_t i = 1; i + 1 < text.n; i++)
        if (!is_word_char(text.at[i]) && !is_blank(text.at[i]) && text.at[i] != '.' && text.at[i] != '<' &&
            text.at[i] != '>')
            return false;
    const char *p = skip_blanks(text.at + 1);
    return is_word_start(*p);
}

static bool
is_empty_tuple(struct slice text)
{
    if (text.n < 2 || text.at[0] != '(' || text.at[text.n - 1] != ')')
        return false;
    return skip_blanks(text.at + 1) == text.at + text.n - 1;
}

/* true if a value of the equation may be a primitive that is printed as a class (0.12) */
static bool
holds_primitives(const struct token_source *f)
{
    struct name_buffer buffer;
    struct slice prim = module_name(f->m, f->m->eqns.at[last_eqn(f)].prim, &buffer);
    return prim.n && prim_is_class(prim.at);
}

enum { SHOWN = 24 }; /* bytes of a string that a message prints on each side */

/* reports that the string around the line end at p can be read with a space in its place or without */
never_inline static void
report_readings(struct token_source *f, const char *p)
{
    const char *from = p, *to = p + 1;
    while (from > f->begin && p - from < SHOWN && from[-1] != '\n' && !strchr("'\"", from[-1]))
        from--;
    to = skip_spaces(to);
    const char *word = to;
    while (to < f->end && to - word < SHOWN && *to != '\n' && !strchr("'\"", *to))
        to++;
    const char *left = diag_quote(f->diags, (struct slice){from, (size_t)(p - from)}),
               *right = diag_quote(f->diags, (struct slice){word, (size_t)(to - word)});
    diag_add(f->diags, DIAG_S024, offset_of(f, p), 1,
             "this string is split across lines here and may be `%s%s` or `%s %s`: write it on one line", left, right,
             left, right);
    f->errors++;
    if (last_eqn(f) != NONE)
        f->m->eqns.at[last_eqn(f)].form = EQN_DAMAGED;
}

/* the index in m->joined of a value, or a part of one, whose line ends were added by wrapping; NONE if there are none.
 * This cannot be done before parsing: only the parser knows where a value ends, by the columns of the equation and the
 * keys */
static u32
value_joined(struct token_source *f, struct span span, enum value_part part, struct line_ends *ends)
{
    struct module *m = f->m;
    struct slice text = module_bytes(m, span);
    bool class = part == VALUE_WHOLE && text.n && text.at[text.n - 1] == ']' && holds_primitives(f);
    bool lines = f->lines && memchr(text.at, '\n', text.n);
    if (likely(!lines && !class))
        return NONE;
    struct slice joined = value_is_string(f, text.at) ? value_unread(text, ends)
                                                      : value_unwrap(m->mem, text, class ? VALUE_OF_CLASS : part, ends);
    if (joined.at == text.at)
        return NONE;
    if (ends->ambiguous)
        report_readings(f, text.at + ends->ambiguous);
    else if (lines && !class)
        text_repaired(&m->text, REPAIR_VALUES, span.at);
    *vec_push(m->mem, &m->joined) = joined;
    return m->joined.n - 1;
}

/* reports the line end at `kept` in a value of a JAX primitive, which wrapping at spaces does not explain: it may cut a
 * word or separate two parts */
never_inline static void
report_line(struct token_source *f, struct span value, size_t kept)
{
    if (!value_is_structural(f, f->begin + value.at))
        return;
    diag_add(
        f->diags, DIAG_S007, value.at + (u32)kept, 1,
        "this value continues on the next line, and a space may belong between the two lines: write it on one line");
    f->errors++;
    f->m->eqns.at[last_eqn(f)].form = EQN_DAMAGED;
}

void
build_value(struct token_source *f, param_t param, struct span value)
{
    struct module *m = f->m;
    struct param *p = &m->params.at[param];
    struct slice text = module_bytes(m, value);
    p->span = value;
    if (text.n == 0 || m->eqns.at[last_eqn(f)].form == EQN_DAMAGED)
        return;
    if (text.at[0] == '(' && is_empty_tuple(text)) {
        p->kind = PARAM_TUPLE;
    } else if (text.at[0] == '(' && is_word_tuple(text)) {
        p->kind = PARAM_TUPLE;
        add_words(f, param, NONE, value);
    } else if (is_shared_word(text) &&
               (is_nameless(text) || key_holds_program(f, p->key, m->eqns.at[last_eqn(f)].prim))) {
        remember_shared(f, param, NONE);
    } else {
        struct line_ends ends = {0};
        p->a = value_joined(f, value, VALUE_WHOLE, &ends);
        if (ends.kept && text.at[0] != '[' && m->eqns.at[last_eqn(f)].form != EQN_DAMAGED)
            report_line(f, value, ends.kept);
    }
}

void
build_value_jaxpr(struct token_source *f, param_t param, jaxpr_t jaxpr)
{
    struct param *p = &f->m->params.at[param];
    const struct jaxpr *j = &f->m->jaxprs.at[jaxpr];
    p->kind = PARAM_JAXPR;
    p->a = jaxpr;
    p->span = (struct span){j->offset, j->end - j->offset};
}

u32
build_value_open(struct token_source *f, param_t param)
{
    f->m->params.at[param].kind = PARAM_MIXED;
    return NONE;
}

u32
build_segment_text(struct token_source *f, param_t param, u32 last, struct span text)
{
    if (text.n == 0)
        return last;
    struct line_ends ends = {0};
    u32 joined = value_joined(f, text, last == NONE ? VALUE_BEFORE : VALUE_AFTER, &ends);
    return add_segment(f, param, last, (struct segment){.kind = SEGMENT_TEXT, .a = joined, .span = text});
}

void
build_paste(struct token_source *f)
{
    *vec_push(f->m->mem, &f->build.programs) = (struct open_program){f->build.let_stack.n, f->build.shared.n, NONE};
}

u32
build_segment_program(struct token_source *f, param_t param, u32 last, jaxpr_t main)
{
    const struct jaxpr *j = &f->m->jaxprs.at[main];
    const struct open_program *open = &f->build.programs.at[f->build.programs.n - 1];
    if (f->build.let_stack.n == open->first_let) {
        /* without lets, it may be part of a tuple, which is decided at the end of the value */
        f->build.programs.n--;
        struct span span = {j->offset, j->end - j->offset};
        return add_segment(f, param, last, (struct segment){.kind = SEGMENT_JAXPR, .a = main, .span = span});
    }
    build_program(f, main);
    struct program *p = &f->m->programs.at[f->build.program];
    p->pasted = true;
    struct span span = {p->offset, p->end - p->offset};
    return add_segment(f, param, last, (struct segment){.kind = SEGMENT_PROGRAM, .a = f->build.program, .span = span});
}

/* true if the text between the programs of a value is what JAX prints between those of a tuple: `(`, spaces, names
 * of shared programs, `)` */
static bool
is_tuple_text(struct slice text, bool first, bool last)
{
    for (size_t i = 0; i < text.n; i++) {
        char c = text.at[i];
        if ((first && i == 0 && c == '(') || (last && i + 1 == text.n && c == ')'))
            continue;
        if (!is_blank(c) && !is_word_char(c) && c != '.' && c != '<' && c != '>')
            return false;
    }
    return (!first || text.at[0] == '(') && (!last || text.at[text.n - 1] == ')');
}

static bool
is_tuple(const struct module *m, u32 first)
{
    for (u32 s = first; s != NONE; s = m->segments.at[s].next) {
        const struct segment *segment = &m->segments.at[s];
        bool last = segment->next == NONE;
        if (segment->kind == SEGMENT_TEXT ? !is_tuple_text(module_bytes(m, segment->span), s == first, last)
                                          : s == first || last || segment->kind == SEGMENT_PROGRAM)
            return false;
    }
    return true;
}

/* makes the value a tuple of programs, without segments for brackets and spaces */
static void
close_tuple(struct token_source *f, param_t param)
{
    struct module *m = f->m;
    u32 first = m->params.at[param].a, last = NONE;
    m->params.at[param].kind = PARAM_TUPLE;
    m->params.at[param].a = NONE;
    for (u32 s = first, next; s != NONE; s = next) {
        struct segment segment = m->segments.at[s];
        next = segment.next;
        if (segment.kind == SEGMENT_TEXT)
            last = add_words(f, param, last, segment.span);
        else
            last = add_segment(f, param, last, segment);
    }
}

/* the programs of a value that begins at `from` name no lets but their own: JAX prints each by itself (core.py,
 * Jaxpr.__repr__) */
static void
close_words(struct token_source *f, u32 from)
{
    struct module *m = f->m;
    u32 end = f->build.shared.n, first = end, least = f->build.programs.at[f->build.programs.n - 1].first_shared;
    for (; first > least; first--) {
        struct shared_word word = f->build.shared.at[first - 1];
        struct span span = word.segment == NONE ? m->params.at[word.param].span : m->segments.at[word.segment].span;
        if (span.at < from)
            break;
    }
    if (first < end)
        bind_shared(m, &f->build.shared.at[first], end - first, 0, 0);
    f->build.shared.n = first;
}

void
build_value_close(struct token_source *f, param_t param, u32 last)
{
    struct module *m = f->m;
    u32 first = m->params.at[param].a;
    if (first == NONE)
        return;
    u32 from = m->segments.at[first].span.at, to = m->segments.at[last].span.at + m->segments.at[last].span.n;
    m->params.at[param].span = (struct span){from, to - from};
    if (is_tuple(m, first)) {
        close_tuple(f, param);
        return;
    }
    /* the programs are separate ones, pasted into text */
    close_words(f, from);
    for (u32 s = first; s != NONE; s = m->segments.at[s].next) {
        struct segment *segment = &m->segments.at[s];
        if (segment->kind != SEGMENT_JAXPR)
            continue;
        const struct jaxpr *j = &m->jaxprs.at[segment->a];
        *vec_push(m->mem, &m->programs) = (struct program){.offset = j->offset,
                                                           .end = j->end,
                                                           .lets = m->lets.n,
                                                           .main = segment->a,
                                                           .pasted = true,
                                                           .versions = ALL_VERSIONS};
        segment->kind = SEGMENT_PROGRAM;
        segment->a = m->programs.n - 1;
    }
}

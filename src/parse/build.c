/* SPDX-License-Identifier: Apache-2.0
 *
 * The grammar's actions: appending to the module's arrays. A nested program is read while its equation is still open:
 * which parameter of it that is waits on the parser's stack, as the value of what has been read. Amortised O(1) an
 * action, but for ends of programs, which are linear in the parameters that may name a shared program. */
#include "parse/build.h"

static struct jaxpr *
top_jaxpr(struct feed *f)
{
    return &f->m->jaxprs.at[f->open.at[f->open.n - 1]];
}

/* ---- jaxprs ------------------------------------------------------------------------------------------------- */

void
build_jaxpr_open(struct feed *f, u32 offset)
{
    struct module *m = f->m;
    *vec_push(m->mem, &m->jaxprs) = (struct jaxpr){
        .offset = offset, .end = offset, .vars = m->vars.n, .eqns = NONE, .last = NONE, .parent = feed_eqn(f),
        .outs = m->atoms.n};
    *vec_push(m->mem, &f->open) = m->jaxprs.n - 1;
    f->lost = false;
}

void
build_const(struct feed *f, struct var binder)
{
    *vec_push(f->m->mem, &f->m->vars) = binder;
    top_jaxpr(f)->n_consts++;
}

void
build_in(struct feed *f, struct var binder)
{
    *vec_push(f->m->mem, &f->m->vars) = binder;
    top_jaxpr(f)->n_ins++;
}

void
build_header_error(struct feed *f)
{
    eqn_t parent = top_jaxpr(f)->parent;
    if (parent != NONE)
        f->m->eqns.at[parent].form = EQN_DAMAGED;
    build_outs_error(f);
}

void
build_outs_error(struct feed *f)
{
    memo_set(f->m->mem, &f->m->damaged, f->open.at[f->open.n - 1], 1);
}

void
build_no_consts(struct feed *f)
{
    struct jaxpr *j = top_jaxpr(f);
    j->n_ins = j->n_consts;
    j->n_consts = 0;
}

void
build_out(struct feed *f, atom_t out)
{
    struct jaxpr *j = top_jaxpr(f);
    if (j->n_outs++ == 0)
        j->outs = f->m->atoms.n;
    *vec_push(f->m->mem, &f->m->atoms) = out;
}

void
build_effects(struct feed *f, struct span effects)
{
    jaxpr_set_effects(f->m, f->open.at[f->open.n - 1], effects);
}

void
build_header(struct feed *f, u32 offset)
{
    build_jaxpr_open(f, offset);
    struct jaxpr *j = top_jaxpr(f);
    j->vars = f->results;
    j->n_consts = f->consts;
    j->n_ins = f->m->vars.n - f->results - f->consts;
}

jaxpr_t
build_ends(struct feed *f, u32 end)
{
    struct jaxpr *j = top_jaxpr(f);
    u32 n = f->operands.n;
    j->outs = f->m->atoms.n;
    j->n_outs = n;
    atom_t *to = vec_push_n(f->m->mem, &f->m->atoms, n);
    for (u32 i = 0; i < n; i++)
        to[i] = f->operands.at[i];
    return build_jaxpr_close(f, end);
}

jaxpr_t
build_jaxpr_close(struct feed *f, u32 end)
{
    top_jaxpr(f)->end = end;
    f->lost = false; /* no program is read inside an equation that had an error */
    return f->open.at[--f->open.n];
}

/* ---- equations ---------------------------------------------------------------------------------------------- */

void
build_result1(struct feed *f, struct var binder)
{
    f->result = f->m->vars.n;
    *vec_push(f->m->mem, &f->m->vars) = binder;
}

void
build_result(struct feed *f, struct var binder)
{
    *vec_push(f->m->mem, &f->m->vars) = binder;
}

void
build_eqn(struct feed *f, name_t prim, enum eqn_form form)
{
    struct module *m = f->m;
    struct jaxpr *j = top_jaxpr(f);
    eqn_t e = m->eqns.n;
    u32 results = f->result == NONE ? m->vars.n : f->result;
    *vec_push(m->mem, &m->eqns) = (struct eqn){
        .prim = prim, .offset = f->equation_at, .next = NONE, .vars = results, .n_vars = m->vars.n - results,
        .atoms = m->atoms.n, .form = (u32)form & 15, .params = NONE};
    if (j->last == NONE)
        j->eqns = e;
    else
        m->eqns.at[j->last].next = e;
    j->last = e;
    j->n_eqns++;
    f->lost = false;
    f->result = NONE;
}

void
build_eqn_alone(struct feed *f, u32 prim)
{
    f->result = NONE;
    build_eqn(f, prim & NAME_MASK, prim & PRIM_BARE ? EQN_CALL_BARE : EQN_CALL);
}

void
build_eqn_plain(struct feed *f, name_t prim)
{
    f->result = f->results;
    build_eqn(f, prim, EQN_CALL);
}

void
build_operands(struct feed *f)
{
    struct module *m = f->m;
    if (feed_eqn(f) == NONE)
        return;
    struct eqn *e = &m->eqns.at[feed_eqn(f)];
    if (feed_eqn(f) == f->split) { /* nobody says which come first */
        diag_add(f->diags, DIAG_S001, f->token_at, 1, "operands stand on both sides of a program");
        diag_note(f->diags, NONE, 0, "put the program into the parameters: `core_call[call_jaxpr={ lambda .. }] a`");
        f->errors++;
        e->form = EQN_DAMAGED;
        return;
    }
    if (e->n_atoms == 0)
        e->atoms = m->atoms.n;
    u32 n = f->operands.n;
    e->n_atoms = (e->n_atoms + n) & ((1u << 28) - 1);
    atom_t *to = vec_push_n(m->mem, &m->atoms, n);
    for (u32 i = 0; i < n; i++)
        to[i] = f->operands.at[i];
}

void
build_ellipsis(struct feed *f)
{
    f->result = NONE;
    build_eqn(f, names_intern(f->m->mem, &f->m->names, SLICE("...")), EQN_ELLIPSIS);
}

void
build_eqn_error(struct feed *f)
{
    /* binders met before the error are bound, so that their uses are no errors of their own */
    if (f->result != NONE)
        build_eqn(f, names_intern(f->m->mem, &f->m->names, SLICE("...")), EQN_DAMAGED);
    else if (feed_eqn(f) != NONE)
        f->m->eqns.at[feed_eqn(f)].form = EQN_DAMAGED;
    f->lost = true;
}

void
build_tail(struct feed *f, u32 unused)
{
    (void)unused;
    struct module *m = f->m;
    build_eqn(f, f->tail.prim, f->tail.form);
    struct eqn *e = &m->eqns.at[feed_eqn(f)];
    e->atoms = f->tail.atoms;
    e->n_atoms = (m->atoms.n - f->tail.atoms) & ((1u << 28) - 1);
    e->params = m->params.n;
    *vec_push(m->mem, &m->params) =
        (struct param){.key = NONE, .kind = PARAM_TEXT, .a = NONE, .span = f->tail.text, .next = NONE};
}

void
build_tail_alone(struct feed *f, u32 tail)
{
    f->result = NONE;
    build_tail(f, tail);
}

/* ---- parameters --------------------------------------------------------------------------------------------- */

param_t
build_key(struct feed *f, param_t last, name_t key)
{
    struct module *m = f->m;
    param_t p = m->params.n;
    *vec_push(m->mem, &m->params) = (struct param){.key = key, .kind = PARAM_TEXT, .a = NONE, .next = NONE};
    if (last == NONE)
        m->eqns.at[feed_eqn(f)].params = p;
    else
        m->params.at[last].next = p;
    return p;
}

param_t
build_trail(struct feed *f)
{
    if (feed_eqn(f) == NONE) /* its equation had a syntax error, which was reported */
        build_eqn(f, names_intern(f->m->mem, &f->m->names, SLICE("...")), EQN_DAMAGED);
    if (f->m->eqns.at[feed_eqn(f)].n_atoms > 0)
        f->split = feed_eqn(f);
    param_t last = NONE;
    for (param_t p = f->m->eqns.at[feed_eqn(f)].params; p != NONE; p = f->m->params.at[p].next)
        last = p;
    return build_key(f, last, names_intern(f->m->mem, &f->m->names, SLICE("call_jaxpr")));
}

/* `jaxpr`, `jaxpr1`, ..: what JAX calls a shared program that has no name */
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

/* true where a word under this key names a shared program rather than being a string: only the key tells */
static bool
key_takes_program(struct feed *f, name_t key, name_t prim)
{
    struct name_buffer buffer, prim_buffer;
    struct slice k = module_name(f->m, key, &buffer), p = module_name(f->m, prim, &prim_buffer);
    if (key_holds_programs(k))
        return true;
    return p.n && prim_is_class(p.at) && /* it may call its programs anything */
           !slice_eq(k, SLICE("name")) && !slice_eq(k, SLICE("fwd")) && !slice_eq(k, SLICE("bwd")) &&
           !slice_eq(k, SLICE("jvp"));
}

static bool
is_shared_word(struct slice text)
{
    if (memchr(text.at, '\n', text.n))
        return false; /* `Wrapped function:` and its lines */
    return text.n && (is_word_start(text.at[0]) || (u8)text.at[0] >= 0x80) && text.at[text.n - 1] != ')' &&
           text.at[text.n - 1] != ']' && !slice_eq(text, SLICE("None")) && !slice_eq(text, SLICE("True")) &&
           !slice_eq(text, SLICE("False"));
}

static void
remember_shared(struct feed *f, param_t param, u32 segment)
{
    vec_reserve(f->m->mem, &f->shared, 1);
    f->shared.at[f->shared.n].param = param;
    f->shared.at[f->shared.n].segment = segment;
    f->shared.n++;
}

/* puts a segment behind the last of a value; answers it */
static u32
add_segment(struct feed *f, param_t param, u32 last, struct segment segment)
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

/* the words of a tuple's text become segments that name shared programs; answers the last segment */
static u32
add_words(struct feed *f, param_t param, u32 last, struct span span)
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
                           (struct segment){.kind = SEGMENT_SHARED, .a = NONE, .span = feed_span(f, word, p)});
        remember_shared(f, param, last);
    }
    return last;
}

/* `(f g)`: a tuple whose programs are all shared; no Python value prints like it */
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

void
build_value(struct feed *f, param_t param, struct span value)
{
    struct module *m = f->m;
    struct param *p = &m->params.at[param];
    struct slice text = module_bytes(m, value);
    p->span = value;
    if (text.n == 0 || m->eqns.at[feed_eqn(f)].form == EQN_DAMAGED)
        return;
    if (text.at[0] == '(' && is_empty_tuple(text)) {
        p->kind = PARAM_TUPLE;
    } else if (text.at[0] == '(' && is_word_tuple(text)) {
        p->kind = PARAM_TUPLE;
        add_words(f, param, NONE, value);
    } else if (is_shared_word(text) &&
               (is_nameless(text) || key_takes_program(f, p->key, m->eqns.at[feed_eqn(f)].prim))) {
        remember_shared(f, param, NONE);
    } else {
        p->a = value_joined(f, value, VALUE_WHOLE);
    }
}

void
build_value_jaxpr(struct feed *f, param_t param, jaxpr_t jaxpr)
{
    struct param *p = &f->m->params.at[param];
    const struct jaxpr *j = &f->m->jaxprs.at[jaxpr];
    p->kind = PARAM_JAXPR;
    p->a = jaxpr;
    p->span = (struct span){j->offset, j->end - j->offset};
}

u32
build_value_open(struct feed *f, param_t param)
{
    f->m->params.at[param].kind = PARAM_MIXED;
    return NONE;
}

u32
build_segment_text(struct feed *f, param_t param, u32 last, struct span text)
{
    if (text.n == 0)
        return last;
    u32 joined = value_joined(f, text, last == NONE ? VALUE_BEFORE : VALUE_BEHIND);
    return add_segment(f, param, last, (struct segment){.kind = SEGMENT_TEXT, .a = joined, .span = text});
}

void
build_paste(struct feed *f)
{
    *vec_push(f->m->mem, &f->programs) = (struct open_program){f->let_stack.n, f->shared.n, NONE};
}

u32
build_segment_program(struct feed *f, param_t param, u32 last, jaxpr_t main)
{
    const struct jaxpr *j = &f->m->jaxprs.at[main];
    const struct open_program *open = &f->programs.at[f->programs.n - 1];
    if (f->let_stack.n == open->first_let) {
        /* without lets it may be one of a tuple: what it is shows when the value ends */
        f->programs.n--;
        struct span span = {j->offset, j->end - j->offset};
        return add_segment(f, param, last, (struct segment){.kind = SEGMENT_JAXPR, .a = main, .span = span});
    }
    build_program(f, main);
    struct program *p = &f->m->programs.at[f->program];
    p->pasted = true;
    struct span span = {p->offset, p->end - p->offset};
    return add_segment(f, param, last, (struct segment){.kind = SEGMENT_PROGRAM, .a = f->program, .span = span});
}

/* true where the text between the programs of a value is what JAX prints between those of a tuple: `(`, blanks, names
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

/* a tuple of programs, without its brackets and blanks */
static void
close_tuple(struct feed *f, param_t param)
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

void
build_value_close(struct feed *f, param_t param, u32 last)
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
    /* prints of their own, pasted into text */
    for (u32 s = first; s != NONE; s = m->segments.at[s].next) {
        struct segment *segment = &m->segments.at[s];
        if (segment->kind != SEGMENT_JAXPR)
            continue;
        const struct jaxpr *j = &m->jaxprs.at[segment->a];
        *vec_push(m->mem, &m->programs) =
            (struct program){.offset = j->offset, .end = j->end, .lets = m->lets.n, .main = segment->a, .pasted = true};
        segment->kind = SEGMENT_PROGRAM;
        segment->a = m->programs.n - 1;
    }
}

/* ---- programs ----------------------------------------------------------------------------------------------- */

void
build_let(struct feed *f, struct span name, jaxpr_t jaxpr)
{
    f->m->jaxprs.at[jaxpr].parent = NONE;
    *vec_push(f->m->mem, &f->let_stack) = (struct let){name, jaxpr, 0, name.at};
}

/* true where a tuple certainly is one of programs: its key says so, or one stands there in full */
static bool
names_programs(const struct module *m, param_t param, struct slice key)
{
    for (u32 s = m->params.at[param].a; s != NONE; s = m->segments.at[s].next)
        if (m->segments.at[s].kind == SEGMENT_JAXPR)
            return true;
    return key_holds_programs(key);
}

/* binds the words that may name shared programs to the lets of the program that ends */
static void
bind_shared(struct feed *f, const struct open_program *open, u32 lets, u32 n_lets)
{
    struct module *m = f->m;
    struct names table;
    VEC(u32) index = {0}; /* name -> let */
    names_init(m->mem, &table, 0);
    for (u32 i = 0; i < n_lets; i++) {
        name_t id = names_intern_other(m->mem, &table, module_bytes(m, m->lets.at[lets + i].name)) - NAME_OTHER;
        if (id == index.n)
            *vec_push(m->mem, &index) = lets + i;
    }
    for (u32 i = open->first_shared; i < f->shared.n; i++) {
        param_t param = f->shared.at[i].param;
        u32 segment = f->shared.at[i].segment, let;
        struct span span = segment == NONE ? m->params.at[param].span : m->segments.at[segment].span;
        name_t found = names_find(&table, module_bytes(m, span));
        struct name_buffer buffer;
        struct slice key = module_name(m, m->params.at[param].key, &buffer);
        if (found != NONE) {
            let = index.at[found - NAME_OTHER];
            m->lets.at[let].references++;
        } else if (segment == NONE && !slice_contains(key, SLICE("jaxpr"))) {
            continue; /* a string after all */
        } else if (segment != NONE && m->params.at[param].kind == PARAM_TUPLE && !names_programs(m, param, key)) {
            m->params.at[param].kind = PARAM_TEXT; /* the text of an object */
            m->params.at[param].a = NONE;
            continue;
        } else {
            let = NONE;
            m->strays = true;
        }
        if (segment != NONE) {
            m->segments.at[segment].a = let;
        } else {
            m->params.at[param].kind = PARAM_SHARED;
            m->params.at[param].a = let;
        }
    }
    vec_free(m->mem, &index);
    vec_free(m->mem, &table.others);
    mem_free(m->mem, table.slots);
}

void
build_program(struct feed *f, jaxpr_t main)
{
    struct module *m = f->m;
    struct open_program open = f->programs.at[--f->programs.n];
    u32 lets = m->lets.n, n_lets = f->let_stack.n - open.first_let;
    for (u32 i = 0; i < n_lets; i++)
        *vec_push(m->mem, &m->lets) = f->let_stack.at[open.first_let + i];
    f->let_stack.n = open.first_let;
    u32 offset = n_lets ? m->lets.at[lets].offset : NONE;
    if (open.offset != NONE)
        offset = open.offset;
    else if (offset == NONE)
        offset = main != NONE ? m->jaxprs.at[main].offset : 0;
    u32 end = main != NONE ? m->jaxprs.at[main].end : offset;
    if (f->shared.n > open.first_shared)
        bind_shared(f, &open, lets, n_lets);
    f->shared.n = open.first_shared;
    f->program = m->programs.n;
    *vec_push(m->mem, &m->programs) = (struct program){
        .offset = offset, .end = end, .lets = lets, .n_lets = n_lets, .main = main, .excerpt = f->excerpt};
}

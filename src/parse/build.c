/* SPDX-License-Identifier: Apache-2.0
 *
 * The grammar's actions: appending to the module's arrays. A nested program is read while its equation is still open:
 * its parameter is on the parser's stack, as a semantic value (build_value.c). Amortised O(1) for each action, except
 * for ends of programs, which are linear in the parameters that may name a shared program. */
#include "parse/build.h"

#include "parse/param_lists.h"
#include "parse/text_part.h"

static struct jaxpr *
top_jaxpr(struct token_source *f)
{
    return &f->m->jaxprs.at[f->build.open.at[f->build.open.n - 1]];
}

/* ---- jaxprs ---- */

void
build_jaxpr_open(struct token_source *f, u32 offset)
{
    struct module *m = f->m;
    *vec_push(m->mem, &m->jaxprs) = (struct jaxpr){.offset = offset,
                                                   .end = offset,
                                                   .vars = m->vars.n,
                                                   .eqns = NONE,
                                                   .last = NONE,
                                                   .parent = last_eqn(f),
                                                   .outs = m->atoms.n};
    *vec_push(m->mem, &f->build.open) = m->jaxprs.n - 1;
    f->build.lost = false;
}

/* adds a binder of a header */
static void
push_binder(struct token_source *f, struct var binder)
{
    const char *p = f->begin + f->token.at;
    bool first = top_jaxpr(f)->n_consts + top_jaxpr(f)->n_ins == 0;
    if (unlikely(binder.type == NONE && !first && is_typed(f)) && !memchr(p, ':', f->token.n) &&
        (*skip_spaces(p + f->token.n) == '\n' || column_at(f, p) == (u32)strspn(f->scan.line, " "))) {
        *vec_push(f->m->mem, &f->edge) = (struct edge_word){f->m->vars.n, f->token};
        if (f->part)
            f->part->guessed = true;
    }
    *vec_push(f->m->mem, &f->m->vars) = binder;
}

void
build_edge_words(struct token_source *f)
{
    name_t underscore = f->edge.n ? names_find(&f->m->names, SLICE("_")) : NONE;
    u32 next = 0;
    for (var_t v = f->edge.n ? f->first_var : f->m->vars.n; v < f->m->vars.n; v++) {
        const struct var *var = &f->m->vars.at[v];
        if (next < f->edge.n && f->edge.at[next].var == v)
            next++;
        else if (var->type == NONE && var->name != underscore)
            f->edge.n = 0; /* other variables of the program have no types either */
    }
    for (u32 i = 0; i < f->edge.n; i++) {
        diag_add(f->diags, DIAG_S001, f->edge.at[i].at.at, f->edge.at[i].at.n,
                 "`%s` lacks its type, so it is not read as a binder",
                 diag_quote(f->diags, module_bytes(f->m, f->edge.at[i].at)));
        f->errors++;
    }
    f->edge.n = 0;
}

void
build_const(struct token_source *f, struct var binder)
{
    push_binder(f, binder);
    top_jaxpr(f)->n_consts++;
}

void
build_in(struct token_source *f, struct var binder)
{
    push_binder(f, binder);
    top_jaxpr(f)->n_ins++;
}

void
build_header_error(struct token_source *f)
{
    eqn_t parent = top_jaxpr(f)->parent;
    if (f->m->vars.n > top_jaxpr(f)->vars)
        f->m->vars.at[f->m->vars.n - 1].type = NONE; /* the error may be in it */
    if (parent != NONE)
        f->m->eqns.at[parent].form = EQN_DAMAGED;
    build_outs_error(f);
}

void
build_outs_error(struct token_source *f)
{
    memo_set(f->m->mem, &f->m->damaged, f->build.open.at[f->build.open.n - 1], 1);
}

void
build_no_consts(struct token_source *f)
{
    struct jaxpr *j = top_jaxpr(f);
    j->n_ins = j->n_consts;
    j->n_consts = 0;
}

void
build_out(struct token_source *f, atom_t out)
{
    struct jaxpr *j = top_jaxpr(f);
    if (j->n_outs++ == 0)
        j->outs = f->m->atoms.n;
    *vec_push(f->m->mem, &f->m->atoms) = out;
}

void
build_effects(struct token_source *f, struct span effects)
{
    jaxpr_set_effects(f->m, f->build.open.at[f->build.open.n - 1], effects);
}

void
build_header(struct token_source *f, u32 offset)
{
    build_jaxpr_open(f, offset);
    struct jaxpr *j = top_jaxpr(f);
    j->vars = f->read.results;
    j->n_consts = f->read.consts;
    j->n_ins = f->m->vars.n - f->read.results - f->read.consts;
}

jaxpr_t
build_ends(struct token_source *f, u32 end)
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
build_jaxpr_close(struct token_source *f, u32 end)
{
    top_jaxpr(f)->end = end;
    f->build.lost = false; /* no nested program is read for an equation with an error */
    return f->build.open.at[--f->build.open.n];
}

/* ---- equations ---- */

void
build_result1(struct token_source *f, struct var binder)
{
    f->build.result = f->m->vars.n;
    *vec_push(f->m->mem, &f->m->vars) = binder;
}

void
build_result(struct token_source *f, struct var binder)
{
    *vec_push(f->m->mem, &f->m->vars) = binder;
}

void
build_eqn(struct token_source *f, name_t prim, enum eqn_form form)
{
    struct module *m = f->m;
    struct jaxpr *j = top_jaxpr(f);
    eqn_t e = m->eqns.n;
    u32 results = f->build.result == NONE ? m->vars.n : f->build.result;
    mem_poll(m->mem);
    *vec_push(m->mem, &m->eqns) = (struct eqn){.prim = prim,
                                               .offset = f->equation_at,
                                               .next = NONE,
                                               .vars = results,
                                               .n_vars = m->vars.n - results,
                                               .atoms = m->atoms.n,
                                               .form = (u32)form & 15,
                                               .params = NONE};
    if (j->last == NONE)
        j->eqns = e;
    else
        m->eqns.at[j->last].next = e;
    j->last = e;
    j->n_eqns++;
    f->build.lost = false;
    f->build.result = NONE;
}

void
build_eqn_alone(struct token_source *f, u32 prim)
{
    f->build.result = NONE;
    build_eqn(f, prim & NAME_MASK, prim & PRIM_DAMAGED ? EQN_DAMAGED : prim & PRIM_BARE ? EQN_CALL_BARE : EQN_CALL);
}

void
build_eqn_fast(struct token_source *f, name_t prim)
{
    f->build.result = f->read.results;
    build_eqn(f, prim, EQN_CALL);
}

void
build_equation(struct token_source *f, name_t prim)
{
    u32 n = f->m->atoms.n - f->read.atoms;
    build_eqn_fast(f, prim);
    struct eqn *e = &f->m->eqns.at[f->m->eqns.n - 1];
    e->atoms = f->read.atoms;
    e->n_atoms = n & MOST_ATOMS;
    if (f->lists.found)
        param_list_build(f);
}

bool
build_atoms(struct token_source *f)
{
    struct eqn *e = last_eqn(f) == NONE ? NULL : &f->m->eqns.at[last_eqn(f)];
    if (!e || e->n_atoms || last_eqn(f) == f->build.split)
        return false;
    e->atoms = f->read.atoms;
    e->n_atoms = (f->m->atoms.n - f->read.atoms) & MOST_ATOMS;
    return true;
}

void
build_operands(struct token_source *f)
{
    struct module *m = f->m;
    if (last_eqn(f) == NONE)
        return;
    struct eqn *e = &m->eqns.at[last_eqn(f)];
    if (last_eqn(f) == f->build.split) { /* the order of operands is unknown */
        struct name_buffer buffer;
        struct slice prim = module_name(m, e->prim, &buffer);
        diag_add(f->diags, DIAG_S001, f->token.at, 1, "`%s` has operands both before and after a nested program",
                 diag_quote(f->diags, prim));
        diag_note(f->diags, NONE, 0, "pass the program as a parameter: `jit[name=f jaxpr={ lambda .. }] a`");
        f->errors++;
        e->form = EQN_DAMAGED;
        return;
    }
    if (e->n_atoms == 0)
        e->atoms = m->atoms.n;
    u32 n = f->operands.n;
    e->n_atoms = (e->n_atoms + n) & MOST_ATOMS;
    atom_t *to = vec_push_n(m->mem, &m->atoms, n);
    for (u32 i = 0; i < n; i++)
        to[i] = f->operands.at[i];
}

void
build_ellipsis(struct token_source *f)
{
    f->build.result = NONE;
    build_eqn(f, names_intern(f->m->mem, &f->m->names, SLICE("...")), EQN_ELLIPSIS);
}

void
build_eqn_error(struct token_source *f)
{
    /* binders read before the error are bound, so that their uses are not reported, too */
    if (f->build.result != NONE && *f->recovery.failed != '=')
        f->m->vars.at[f->m->vars.n - 1].type = NONE; /* the error may be in it */
    if (f->build.result != NONE)
        build_eqn(f, names_intern(f->m->mem, &f->m->names, SLICE("...")), EQN_DAMAGED);
    else if (last_eqn(f) != NONE)
        f->m->eqns.at[last_eqn(f)].form = EQN_DAMAGED;
    f->build.lost = true;
}

void
build_ref_form(struct token_source *f, u32 unused)
{
    (void)unused;
    struct module *m = f->m;
    build_eqn(f, f->ref_form.prim, f->ref_form.form);
    struct eqn *e = &m->eqns.at[last_eqn(f)];
    e->atoms = f->ref_form.atoms;
    e->n_atoms = (m->atoms.n - f->ref_form.atoms) & MOST_ATOMS;
    e->params = m->params.n;
    memo_set(m->mem, &m->statements, e->params, (u64)f->ref_form.pieces + 1);
    *vec_push(m->mem, &m->params) =
        (struct param){.key = NONE, .kind = PARAM_TEXT, .a = NONE, .span = f->ref_form.text, .next = NONE};
}

void
build_ref_form_alone(struct token_source *f, u32 unused)
{
    f->build.result = NONE;
    build_ref_form(f, unused);
}

/* ---- parameters ---- */

param_t
build_key(struct token_source *f, param_t last, name_t key)
{
    struct module *m = f->m;
    param_t p = m->params.n;
    *vec_push(m->mem, &m->params) = (struct param){.key = key, .kind = PARAM_TEXT, .a = NONE, .next = NONE};
    if (last == NONE)
        m->eqns.at[last_eqn(f)].params = p;
    else
        m->params.at[last].next = p;
    return p;
}

param_t
build_trail(struct token_source *f)
{
    if (last_eqn(f) == NONE) /* its equation had a syntax error, which was reported */
        build_eqn(f, names_intern(f->m->mem, &f->m->names, SLICE("...")), EQN_DAMAGED);
    if (f->m->eqns.at[last_eqn(f)].n_atoms > 0)
        f->build.split = last_eqn(f);
    f->m->eqns.at[last_eqn(f)].list = LIST_ANY; /* a program is added after the list was complete */
    param_t last = NONE;
    for (param_t p = f->m->eqns.at[last_eqn(f)].params; p != NONE; p = f->m->params.at[p].next)
        last = p;
    return build_key(f, last, names_intern(f->m->mem, &f->m->names, SLICE("call_jaxpr")));
}

/* reports a key that `first` also has, which is ambiguous; in an unknown primitive, it may be part of an unquoted
 * string, `has name=x` */
never_inline static void
report_doubled(struct token_source *f, eqn_t e, param_t first, param_t p)
{
    struct module *m = f->m;
    struct name_buffer buffer, other_buffer;
    if (m->eqns.at[e].form == EQN_DAMAGED)
        return;
    bool known = names_primitive(module_name(m, m->eqns.at[e].prim, &buffer));
    struct slice name = module_name(m, m->params.at[p].key, &buffer);
    struct slice other = module_name(m, m->params.at[first].key, &other_buffer);
    struct span at = param_key_span(m, p), there = param_key_span(m, first);
    if (slice_eq(name, other))
        diag_add(f->diags, known ? DIAG_S001 : DIAG_T010, at.at, at.n, "the parameter `%.*s` is given twice",
                 (int)name.n, name.at);
    else
        diag_add(f->diags, DIAG_S001, at.at, at.n,
                 "the parameter `%.*s` is given twice: other versions of JAX call it `%.*s`", (int)name.n, name.at,
                 (int)other.n, other.at);
    diag_note(f->diags, there.at, there.n, "the first is here");
    if (!known) {
        diag_relevel(f->diags, LEVEL_WARNING);
        return;
    }
    f->errors++;
    m->eqns.at[e].form = EQN_DAMAGED;
}

static u64
key_bit(name_t key)
{
    return 1ull << (key * 0x9e3779b1u >> 26);
}

/* The pairs of names of one parameter that occur in the text, each as a set of 64 bits. */
struct renamed {
    u64 pairs[RENAMED_KEYS];
    u32 n;
};

static void
find_renamed(const struct module *m, struct renamed *r)
{
    struct slice from, to;
    r->n = 0;
    for (u32 i = 0; versions_renamed_key(i, &from, &to); i++) {
        if (slice_eq(from, to))
            continue;
        name_t old = names_find(&m->names, from), now = old == NONE ? NONE : names_find(&m->names, to);
        if (now != NONE)
            r->pairs[r->n++] = key_bit(old) | key_bit(now);
    }
}

/* whether an equation may have a key twice, or under two names: different keys may share a bit */
static bool
may_repeat_key(const struct module *m, eqn_t e, const struct renamed *r)
{
    u64 seen = 0;
    for (param_t p = m->eqns.at[e].params; p != NONE; p = m->params.at[p].next) {
        u64 bit = key_bit(m->params.at[p].key);
        if (seen & bit)
            return true;
        seen |= bit;
    }
    for (u32 i = 0; i < r->n; i++)
        if ((seen & r->pairs[i]) == r->pairs[i])
            return true;
    return false;
}

/* the newest name of a parameter's key, if the text has that name, else its own */
static name_t
newest_key(const struct module *m, eqn_t e, param_t p)
{
    struct name_buffer primitive, key;
    u32 row = prim_row_named(module_name(m, m->eqns.at[e].prim, &primitive));
    if (row == NO_ROW || m->params.at[p].key == NONE)
        return m->params.at[p].key;
    const char *name = prim_newest_name(row);
    name_t newest = names_find(
        &m->names, versions_key((struct slice){name, strlen(name)}, module_name(m, m->params.at[p].key, &key)));
    return newest == NONE ? m->params.at[p].key : newest;
}

void
build_check_keys(struct token_source *f)
{
    struct module *m = f->m;
    struct memo last = {0}; /* key -> the last equation that has it, plus 1, and its first such parameter */
    struct renamed renamed;
    find_renamed(m, &renamed);
    for (eqn_t e = f->first_eqn; e < m->eqns.n; e++)
        for (param_t p = may_repeat_key(m, e, &renamed) ? m->eqns.at[e].params : NONE; p != NONE;
             p = m->params.at[p].next) {
            name_t key = newest_key(m, e, p);
            if (key == NONE)
                continue;
            u64 before = memo_get(&last, key);
            if (before >> 32 == e + 1ull)
                report_doubled(f, e, (param_t)before, p);
            else
                memo_set(m->mem, &last, key, (e + 1ull) << 32 | p);
        }
    memo_free(m->mem, &last);
}

/* ---- programs ---- */

void
build_let(struct token_source *f, struct span name, jaxpr_t jaxpr)
{
    f->m->jaxprs.at[jaxpr].parent = NONE;
    *vec_push(f->m->mem, &f->build.let_stack) = (struct let){name, jaxpr, 0, name.at};
}

/* true if a tuple must contain programs: because of its key, or because one of them is printed in full */
static bool
names_programs(const struct module *m, param_t param, struct slice key)
{
    for (u32 s = m->params.at[param].a; s != NONE; s = m->segments.at[s].next)
        if (m->segments.at[s].kind == SEGMENT_JAXPR)
            return true;
    return key_holds_programs(key);
}

void
bind_shared(struct module *m, const struct shared_word *shared, u32 n, u32 lets, u32 n_lets)
{
    struct names table;
    VEC(u32) index = {0}; /* by name: its let */
    names_init(m->mem, &table, 0);
    for (u32 i = 0; i < n_lets; i++) {
        name_t id = names_intern_other(m->mem, &table, module_bytes(m, m->lets.at[lets + i].name)) - NAME_OTHER;
        if (id == index.n)
            *vec_push(m->mem, &index) = lets + i;
    }
    for (u32 i = 0; i < n; i++) {
        param_t param = shared[i].param;
        u32 segment = shared[i].segment, let;
        struct span span = segment == NONE ? m->params.at[param].span : m->segments.at[segment].span;
        name_t found = names_find(&table, module_bytes(m, span));
        struct name_buffer buffer;
        struct slice key = module_name(m, m->params.at[param].key, &buffer);
        if (found != NONE) {
            let = index.at[found - NAME_OTHER];
            m->lets.at[let].references++;
        } else if (segment == NONE && !slice_contains(key, SLICE("jaxpr"))) {
            continue; /* it is a string */
        } else if (segment != NONE && m->params.at[param].kind == PARAM_TUPLE && !names_programs(m, param, key)) {
            m->params.at[param].kind = PARAM_TEXT; /* it is the text of an object */
            m->params.at[param].a = NONE;
            continue;
        } else {
            let = NONE;
            m->stray_texts = true;
        }
        if (segment != NONE) {
            m->segments.at[segment].a = let;
        } else {
            m->params.at[param].kind = PARAM_SHARED;
            m->params.at[param].a = let;
        }
    }
    mem_free_all(m->mem, index.at, table.others.at, table.slots);
}

void
build_program(struct token_source *f, jaxpr_t main)
{
    struct module *m = f->m;
    struct open_program open = f->build.programs.at[--f->build.programs.n];
    u32 lets = m->lets.n, n_lets = f->build.let_stack.n - open.first_let;
    for (u32 i = 0; i < n_lets; i++)
        *vec_push(m->mem, &m->lets) = f->build.let_stack.at[open.first_let + i];
    f->build.let_stack.n = open.first_let;
    u32 offset = n_lets ? m->lets.at[lets].offset : NONE;
    if (open.offset != NONE)
        offset = open.offset;
    else if (offset == NONE)
        offset = main != NONE ? m->jaxprs.at[main].offset : 0;
    u32 end = main != NONE ? m->jaxprs.at[main].end : offset;
    if (f->build.shared.n > open.first_shared && !part_keeps_shared(f))
        bind_shared(m, &f->build.shared.at[open.first_shared], f->build.shared.n - open.first_shared, lets, n_lets);
    f->build.shared.n = open.first_shared;
    f->build.program = m->programs.n;
    *vec_push(m->mem, &m->programs) = (struct program){.offset = offset,
                                                       .end = end,
                                                       .lets = lets,
                                                       .n_lets = n_lets,
                                                       .main = main,
                                                       .excerpt = f->excerpt,
                                                       .versions = ALL_VERSIONS};
}

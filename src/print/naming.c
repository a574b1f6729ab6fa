/* SPDX-License-Identifier: Apache-2.0
 *
 * A name is a counter in base 26, assigned when the variable first occurs in the document that JAX builds. Rules
 * that differ by version: a nested jit gets the names of its operands and results (0.5.3+); unused results are `_`
 * only in the outermost jaxpr (0.10.1+); a variable never has the name of a shared jaxpr (of any one from 0.10.1 on,
 * of one already printed before that). Two bits of var.name mean "used" and "named" meanwhile. Linear; no recursion. */
#include "print/naming.h"

#include "print/renaming.h"

/* the address of a variable's name and flags: copies of one variable are one object in JAX */
static name_t *
name_of(const struct module *m, var_t v)
{
    return &m->vars.at[var_origin(m, v)].name;
}

/* marks a variable as used; an unbound name is reserved, so that no variable gets it */
static void
mark_name(struct naming *n, atom_t a)
{
    if (atom_kind(a) == ATOM_VAR)
        *name_of(n->m, atom_id(a)) |= VAR_USED;
    else if (atom_kind(a) == ATOM_NAME && atom_id(a) < NAME_OTHER)
        memo_set(n->m->mem, &n->symbols, atom_id(a), 1);
}

static void
mark_used(struct naming *n, atom_t a)
{
    const struct refexpr *r = atom_kind(a) == ATOM_REF ? &n->m->refs.at[atom_id(a)] : NULL;
    mark_name(n, r ? r->ref : a);
    for (u32 i = 0; r && i < r->n_uses; i++)
        mark_name(n, n->m->uses.at[r->uses + i]);
}

static void
mark_uses(struct naming *n, const struct jaxpr *j)
{
    const struct module *m = n->m;
    for (eqn_t e = j->eqns; e != NONE; e = m->eqns.at[e].next)
        for (u32 i = 0; i < m->eqns.at[e].n_atoms; i++)
            mark_used(n, m->atoms.at[m->eqns.at[e].atoms + i]);
    for (u32 i = 0; i < j->n_outs; i++)
        mark_used(n, m->atoms.at[j->outs + i]);
}

/* the part of an old name that is kept: what follows its leading letters (`g_`, up to 0.6.1) */
static struct slice
name_suffix(const struct naming *n, name_t old)
{
    struct name_buffer buffer;
    size_t i = 0;
    if (range_has(n->versions, JAX_NAMES_WITHOUT_SUFFIX) || old < NAME_OTHER || n->how & NAMING_PLAIN)
        return (struct slice){"", 0};
    struct slice text = module_name(n->m, old, &buffer);
    while (i < text.n && text.at[i] >= 'a' && text.at[i] <= 'z')
        i++;
    if (i == 0)
        i = text.n;
    return (struct slice){text.at + i, text.n - i};
}

static name_t
fresh_name(struct naming *n, name_t old)
{
    struct name_buffer buffer;
    char spelled[sizeof buffer + 64];
    while (numeral_is_number(n->counter) || memo_get(&n->taken, n->counter) != 0 ||
           memo_get(&n->symbols, n->counter) != 0)
        n->counter++;
    u32 numeral = n->counter++;
    struct slice suffix = name_suffix(n, old);
    bool plain = suffix.n == 0 || suffix.n > 64;
    if (plain && numeral < n->m->names.numeral_limit)
        return numeral;
    struct slice name = name_text(&n->m->names, numeral, &buffer);
    if (plain)
        return module_intern(n->m, name);
    memcpy(spelled, name.at, name.n);
    memcpy(spelled + name.n, suffix.at, suffix.n);
    return module_intern(n->m, (struct slice){spelled, name.n + suffix.n});
}

static bool
is_named(const struct module *m, var_t v)
{
    return (*name_of(m, v) & VAR_NAMED) != 0;
}

static void
name_var(struct naming *n, var_t v)
{
    name_t old = *name_of(n->m, v);
    if (old & VAR_NAMED)
        return;
    bool dropped = (old & NAME_MASK) == n->underscore && !(old & VAR_USED);
    name_t name = dropped ? n->underscore : fresh_name(n, old & NAME_MASK);
    *name_of(n->m, v) = name | VAR_NAMED | (old & VAR_USED);
}

/* true for a variable that is, or will be, called `_` */
static bool
is_underscore(const struct naming *n, atom_t a)
{
    name_t name = atom_kind(a) == ATOM_VAR ? *name_of(n->m, atom_id(a)) : 0;
    return (name & NAME_MASK) == n->underscore && (name & VAR_NAMED || !(name & VAR_USED));
}

/* gives unnamed inner variables the names of the corresponding outer ones */
static void
alias_names(struct naming *n, u32 count, const atom_t *inner, u32 first_inner, const atom_t *outer, u32 first_outer)
{
    n->round++;
    for (u32 i = 0; i < count; i++) {
        atom_t in = inner ? inner[i] : atom_make(ATOM_VAR, first_inner + i);
        atom_t out = outer ? outer[i] : atom_make(ATOM_VAR, first_outer + i);
        if (atom_kind(in) != ATOM_VAR || atom_kind(out) != ATOM_VAR || is_named(n->m, atom_id(in)) ||
            memo_get(&n->rounds, atom_id(out)) == n->round ||
            ((memo_get(&n->read, atom_id(in)) || memo_get(&n->sized, var_origin(n->m, atom_id(in)))) &&
             is_underscore(n, out)))
            continue;
        memo_set(n->m->mem, &n->rounds, atom_id(out), n->round);
        name_var(n, atom_id(out));
        if (memo_get(&n->captured, *name_of(n->m, atom_id(out)) & NAME_MASK)) /* it would bind what sizes capture */
            continue;
        name_t *name = name_of(n->m, atom_id(in));
        *name = (*name_of(n->m, atom_id(out)) & ~VAR_USED) | (*name & VAR_USED);
    }
}

static void
note_read(struct naming *n, atom_t a)
{
    struct module *m = n->m;
    const struct refexpr *ref = atom_kind(a) == ATOM_REF ? &m->refs.at[atom_id(a)] : NULL;
    for (u32 k = 0; k <= (ref ? ref->n_uses : 0); k++) {
        atom_t use = k == 0 ? atom_without_index(m, a) : m->uses.at[ref->uses + k - 1];
        if (atom_kind(use) == ATOM_VAR)
            memo_set(m->mem, &n->read, atom_id(use), 1);
    }
}

/* the type of a variable as an id of n->types */
static u32
type_key(const struct naming *n, var_t v)
{
    type_t type = n->m->vars.at[v].type;
    return type == NONE ? n->m->types.list.n : type;
}

/* notes the type of an inner variable that would be called `_`; returns whether `shown`, the variable whose name it
 * gets or itself, is called so */
static bool
note_type(struct naming *n, var_t inner, atom_t shown)
{
    bool called = is_underscore(n, shown);
    if (called)
        memo_set(n->m->mem, &n->types, type_key(n, inner), 1);
    return called;
}

/* `_` is passed inward, too. If several inner variables would be called `_`, those that are read get names of their
 * own, unlike in JAX, whose text is then ambiguous; but not those that are only returned, if no other `_` has their
 * type. Linear in the program */
static void
note_ambiguous(struct naming *n, const struct eqn *e, const struct jaxpr *j)
{
    struct module *m = n->m;
    bool ins = j->n_ins == e->n_atoms, outs = j->n_outs == e->n_vars;
    u32 called = 0;
    memo_free(m->mem, &n->read);
    memo_free(m->mem, &n->types);
    for (u32 i = 0; outs && i < j->n_outs; i++)
        called += is_underscore(n, atom_make(ATOM_VAR, e->vars + i));
    for (u32 i = 0; ins && i < j->n_ins; i++)
        called += note_type(n, jaxpr_in(j, i), m->atoms.at[e->atoms + i]);
    if (called == 0)
        return;
    for (eqn_t i = j->eqns; i != NONE; i = m->eqns.at[i].next)
        for (u32 k = 0; k < m->eqns.at[i].n_vars; k++)
            called += note_type(n, m->eqns.at[i].vars + k, atom_make(ATOM_VAR, m->eqns.at[i].vars + k));
    if (called < 2)
        return;
    for (eqn_t i = j->eqns; i != NONE; i = m->eqns.at[i].next)
        for (u32 k = 0; k < m->eqns.at[i].n_atoms; k++)
            note_read(n, m->atoms.at[m->eqns.at[i].atoms + k]);
    for (u32 i = 0; i < j->n_outs; i++) {
        atom_t out = m->atoms.at[j->outs + i];
        bool dropped =
            outs && is_underscore(n, atom_make(ATOM_VAR, e->vars + i)) && !(*name_of(m, e->vars + i) & VAR_USED);
        if (!dropped || (atom_kind(out) == ATOM_VAR && memo_get(&n->types, type_key(n, atom_id(out)))))
            note_read(n, out);
    }
}

/* passes names inward before a jit equation is printed: from operands to inputs, from results to outputs */
static void
alias_jit(struct naming *n, const struct eqn *e)
{
    struct module *m = n->m;
    struct name_buffer buffer;
    struct slice prim = module_name(m, e->prim, &buffer);
    if (!range_has(n->versions, JAX_JIT_NAMES_PASS_INWARD) || e->form != EQN_CALL ||
        !(slice_eq(prim, SLICE("jit")) || slice_eq(prim, SLICE("pjit"))))
        return;
    param_t v = e->params;
    while (v != NONE && !slice_eq(module_name(m, m->params.at[v].key, &buffer), SLICE("jaxpr")))
        v = m->params.at[v].next;
    if (v == NONE || m->params.at[v].kind != PARAM_JAXPR)
        return;
    const struct jaxpr *j = &m->jaxprs.at[m->params.at[v].a];
    if (j->n_ins != e->n_atoms || j->n_outs != e->n_vars || alias_find(n, m->params.at[v].a) != NONE)
        return; /* names of a damaged call do not show its version either */
    note_ambiguous(n, e, j);
    alias_names(n, j->n_ins, NULL, jaxpr_in(j, 0), m->atoms.at + e->atoms, 0);
    alias_names(n, j->n_outs, m->atoms.at + j->outs, 0, NULL, e->vars);
}

static void
begin_build(struct naming *n, jaxpr_t id)
{
    const struct jaxpr *j = &n->m->jaxprs.at[id];
    jaxpr_t earlier = alias_find(n, id);
    if (earlier != NONE)
        alias_copy(n, id, earlier);
    else
        alias_record(n, id);
    for (u32 i = 0; i < jaxpr_binders(j); i++)
        name_var(n, j->vars + i);
    *vec_push(n->m->mem, &n->stack) = (struct build){j->eqns, NONE, NONE};
}

/* names variables of the jaxpr on top of the stack until a nested one begins or it ends */
static void
step_build(struct naming *n)
{
    struct module *m = n->m;
    struct build *b = &n->stack.at[n->stack.n - 1];
    for (;;) {
        if (b->segment != NONE) {
            const struct segment *s = &m->segments.at[b->segment];
            b->segment = s->next;
            if (s->kind == SEGMENT_PROGRAM)
                *vec_push(m->mem, &n->pasted) = s->a;
            if (s->kind != SEGMENT_JAXPR)
                continue;
            begin_build(n, s->a);
            return;
        }
        if (b->param != NONE) {
            const struct param *v = &m->params.at[b->param];
            b->param = v->next;
            if (v->kind == PARAM_TUPLE || v->kind == PARAM_MIXED)
                b->segment = v->a;
            if (v->kind != PARAM_JAXPR)
                continue;
            begin_build(n, v->a);
            return;
        }
        if (b->eqn == NONE)
            break;
        const struct eqn *e = &m->eqns.at[b->eqn];
        if (e->params != NONE)
            alias_jit(n, e);
        for (u32 i = 0; i < e->n_vars; i++)
            name_var(n, e->vars + i);
        b->param = e->params;
        b->eqn = e->next;
    }
    n->stack.n--;
}

static void
build_jaxpr(struct naming *n, jaxpr_t root)
{
    begin_build(n, root);
    while (n->stack.n > 0)
        step_build(n);
}

/* names unused results of a jaxpr `_` */
static void
drop_results(struct naming *n, jaxpr_t id)
{
    struct module *m = n->m;
    for (eqn_t e = m->jaxprs.at[id].eqns; e != NONE; e = m->eqns.at[e].next) {
        for (u32 i = 0; i < m->eqns.at[e].n_vars; i++) {
            name_t *name = name_of(m, m->eqns.at[e].vars + i);
            if (!(*name & VAR_USED))
                *name = n->underscore | VAR_NAMED;
        }
        if (m->eqns.at[e].form == EQN_SWAP && m->eqns.at[e].n_vars == 1 &&
            !(*name_of(m, m->eqns.at[e].vars) & VAR_USED))
            rename_text_swap(n, e);
    }
}

static void
take_name(struct naming *n, const struct let *l)
{
    struct slice name = module_bytes(n->m, l->name);
    u32 numeral = name_numeral(name.at, name.n);
    if (numeral != NONE)
        memo_set(n->m->mem, &n->taken, numeral, 1);
}

static void
name_program(struct naming *n, program_t program)
{
    const struct program *g = &n->m->programs.at[program];
    const struct let *lets = n->m->lets.at + g->lets;
    bool ahead = range_has(n->versions, JAX_NAMES_AHEAD);
    n->counter = 0;
    memo_free(n->m->mem, &n->taken);
    memo_free(n->m->mem, &n->firsts);
    if (ahead && g->main != NONE)
        drop_results(n, g->main);
    for (u32 i = 0; ahead && i < g->n_lets; i++)
        take_name(n, &lets[i]);
    for (u32 i = 0; i < g->n_lets; i++) {
        if (lets[i].jaxpr != NONE)
            build_jaxpr(n, lets[i].jaxpr);
        if (!ahead)
            take_name(n, &lets[i]);
    }
    if (g->main != NONE)
        build_jaxpr(n, g->main);
}

/* lists every jaxpr of a program, including pasted ones */
static void
list_jaxprs(struct naming *n, program_t program)
{
    struct walk w;
    walk_start_program(&w, n->m, &n->m->programs.at[program]);
    for (jaxpr_t j; (j = walk_next(&w)) != NONE;)
        *vec_push(n->m->mem, &n->all) = j;
    walk_end(&w);
}

static void
prepare_jaxpr(struct naming *n, jaxpr_t j)
{
    const struct jaxpr *jaxpr = &n->m->jaxprs.at[j];
    mark_uses(n, jaxpr);
    rename_text_remember(n, j);
    if (n->how & NAMING_APART || !(n->how & NAMING_SYMBOLS)) /* a size is a use, too */
        rename_text_collect_names(n, j);
    if (n->how & NAMING_ONCE || (n->how & NAMING_PLAIN && range_has(n->versions, JAX_NAMES_AHEAD)) || j == n->main)
        return;
    *vec_push(n->m->mem, &n->nested) = j;
    if (jaxpr_origin(n->m, j) != NONE)
        *vec_push(n->m->mem, &n->nested) = jaxpr_origin(n->m, j);
}

/* gives copies the names of their origins */
static void
copy_origins(struct naming *n, jaxpr_t id)
{
    struct module *m = n->m;
    const struct jaxpr *j = &m->jaxprs.at[id];
    for (u32 i = 0; i < jaxpr_binders(j); i++)
        m->vars.at[j->vars + i].name = *name_of(m, j->vars + i);
    for (eqn_t e = j->eqns; e != NONE; e = m->eqns.at[e].next)
        for (u32 i = 0; i < m->eqns.at[e].n_vars; i++)
            m->vars.at[m->eqns.at[e].vars + i].name = *name_of(m, m->eqns.at[e].vars + i);
}

static void
clear_flag(struct module *m, var_t v)
{
    *name_of(m, v) &= NAME_MASK;
    m->vars.at[v].name &= NAME_MASK;
}

static void
clear_flags(struct naming *n, jaxpr_t id)
{
    struct module *m = n->m;
    const struct jaxpr *j = &m->jaxprs.at[id];
    for (u32 i = 0; i < jaxpr_binders(j); i++)
        clear_flag(m, j->vars + i);
    for (eqn_t e = j->eqns; e != NONE; e = m->eqns.at[e].next)
        for (u32 i = 0; i < m->eqns.at[e].n_vars; i++)
            clear_flag(m, m->eqns.at[e].vars + i);
}

void
rename_program(struct module *m, program_t program, struct version_range versions, unsigned how)
{
    struct naming n = {.m = m,
                       .versions = versions,
                       .underscore = module_intern(m, SLICE("_")),
                       .how = how,
                       .main = m->programs.at[program].main};
    list_jaxprs(&n, program);
    for (u32 i = 0; i < n.all.n; i++)
        prepare_jaxpr(&n, n.all.at[i]);
    for (u32 i = 0; i < n.all.n && how & NAMING_PLAIN; i++)
        drop_results(&n, n.all.at[i]);
    if (n.rename_texts.n > 0 && (how & NAMING_SYMBOLS ? how & NAMING_CLASHES : n.all.n > 1))
        rename_text_keep_captured(&n);
    alias_names_prepare(&n, n.nested.at, n.nested.n);
    name_program(&n, program);
    for (u32 i = 0; i < n.pasted.n; i++)
        name_program(&n, n.pasted.at[i]);
    for (u32 i = 0; i < n.all.n && m->origins.n; i++)
        copy_origins(&n, n.all.at[i]);
    for (u32 i = 0; i < n.all.n; i++)
        clear_flags(&n, n.all.at[i]);
    rename_text_apply(&n);
    mem_free_all(m->mem, n.rounds.slots, n.read.slots, n.types.slots, n.taken.slots, n.symbols.slots, n.captured.slots,
                 n.sized.slots, n.prints.slots, n.firsts.slots, n.all.at, n.nested.at, n.stack.at, n.pasted.at,
                 n.old_names.at, n.rename_texts.at);
}

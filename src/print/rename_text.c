/* SPDX-License-Identifier: Apache-2.0
 *
 * Names inside text that is kept as it was printed: effects such as `Read<a>`, and dims that are variables. Old
 * names are recorded only for jaxprs that have such text; a whole word in it that was a variable's name is replaced
 * by the new one. Texts of refs are made again from operands (ir/ref_text.h). Linear in the text. */
#include "print/renaming.h"

#include "base/chars.h"
#include "base/sink.h"
#include "ir/ref_text.h"
#include "print/naming.h"

static void
remember(struct naming *n, u32 vars, u32 count)
{
    for (u32 i = 0; i < count; i++) {
        struct old_name old = {vars + i, n->m->vars.at[vars + i].name & NAME_MASK};
        bool used = n->m->vars.at[var_origin(n->m, vars + i)].name & VAR_USED;
        if (old.name != n->underscore || used) /* some printers use `_` for variables that are read */
            *vec_push(n->m->mem, &n->old_names) = old;
    }
}

static bool
eqn_keeps_names(const struct module *m, const struct eqn *e)
{
    if ((e->form > EQN_CALL_BARE && e->form != EQN_ELLIPSIS) || vars_dynamic(m, e->vars, e->n_vars))
        return true;
    return eqn_indexes(m, e);
}

static bool
jaxpr_keeps_names(const struct module *m, jaxpr_t id)
{
    const struct jaxpr *j = &m->jaxprs.at[id];
    if (jaxpr_effects(m, id).n || vars_dynamic(m, j->vars, jaxpr_binders(j)))
        return true;
    for (eqn_t e = j->eqns; e != NONE; e = m->eqns.at[e].next)
        if (eqn_keeps_names(m, &m->eqns.at[e]))
            return true;
    return false;
}

void
rename_text_remember(struct naming *n, jaxpr_t id)
{
    const struct module *m = n->m;
    const struct jaxpr *j = &m->jaxprs.at[id];
    if (!jaxpr_keeps_names(m, id))
        return;
    struct rename_text r = {.jaxpr = id, .first = n->old_names.n};
    remember(n, j->vars, jaxpr_binders(j));
    for (eqn_t e = j->eqns; e != NONE; e = m->eqns.at[e].next)
        remember(n, m->eqns.at[e].vars, m->eqns.at[e].n_vars);
    r.n = n->old_names.n - r.first;
    *vec_push(m->mem, &n->rename_texts) = r;
}

/* the end of the word at i if it can be a variable: not a keyword argument, a call or an attribute */
static size_t
variable_end(struct slice s, size_t i)
{
    size_t end = word_until(s, i);
    bool attribute = i > 0 && (s.at[i - 1] == '.' || s.at[i - 1] == '@' || s.at[i - 1] == '\'');
    bool call = end < s.n && (s.at[end] == '(' || s.at[end] == '=' || s.at[end] == '\'');
    return is_word_start(s.at[i]) && !attribute && !call ? end : 0;
}

/* the text with renamed variables; the same bytes if it contains none */
static struct slice
replace_names(struct naming *n, const struct memo *names, struct slice s)
{
    struct sink out;
    sink_init_memory(&out, n->m->mem);
    size_t copied = 0;
    for (size_t i = 0; i < s.n;) {
        if (!is_word_char(s.at[i])) {
            i++;
            continue;
        }
        size_t word = i, end = variable_end(s, i);
        i = word_until(s, i);
        name_t old = end ? names_find(&n->m->names, (struct slice){s.at + word, end - word}) : NONE;
        u64 fresh = old == NONE ? 0 : memo_get(names, old);
        if (fresh == 0 || fresh - 1 == old)
            continue;
        struct name_buffer buffer;
        sink_write(&out, s.at + copied, word - copied);
        sink_slice(&out, module_name(n->m, (name_t)(fresh - 1), &buffer));
        copied = end;
    }
    if (copied > 0) {
        sink_write(&out, s.at + copied, s.n - copied);
        s = arena_copy(n->m->mem, (struct slice){out.at, out.n});
    }
    mem_free(n->m->mem, out.at);
    return s;
}

/* the next word of a text from *i on that may name a variable, and its name; false at the end */
static bool
next_name(const struct naming *n, struct slice s, size_t *i, struct slice *word, name_t *name)
{
    while (*i < s.n) {
        size_t from = *i, end = is_word_char(s.at[from]) ? variable_end(s, from) : 0;
        *i = word_until(s, from);
        *i += *i == from;
        if (!end)
            continue;
        *word = (struct slice){s.at + from, end - from};
        *name = names_find(&n->m->names, *word);
        return true;
    }
    return false;
}

/* marks the variables in a text as used and reserves the other names in it; the memo maps names to variables plus
 * one */
static void
collect_names(struct naming *n, const struct memo *variables, struct slice s)
{
    struct slice word;
    name_t name;
    for (size_t i = 0; next_name(n, s, &i, &word, &name);) {
        u64 v = name == NONE ? 0 : memo_get(variables, name);
        u32 numeral = v == 0 ? name_numeral(word.at, word.n) : NONE;
        if (v != 0) {
            n->m->vars.at[var_origin(n->m, (var_t)v - 1)].name |= VAR_USED;
            memo_set(n->m->mem, &n->sized, var_origin(n->m, (var_t)v - 1), 1);
        }
        if (numeral != NONE)
            memo_set(n->m->mem, &n->symbols, numeral, 1);
    }
}

/* records the names in a text that are not in `variables`: they are captured from programs around it */
static void
collect_captured(struct naming *n, const struct memo *variables, struct slice s)
{
    struct slice word;
    name_t name;
    for (size_t i = 0; next_name(n, s, &i, &word, &name);)
        if (name != NONE && !memo_get(variables, name))
            memo_set(n->m->mem, &n->captured, name, 1);
}

typedef void collect_fn(struct naming *n, const struct memo *variables, struct slice text);

static void
collect_types(struct naming *n, const struct memo *variables, u32 vars, u32 count, collect_fn *collect)
{
    for (u32 i = 0; i < count; i++) {
        type_t type = n->m->vars.at[vars + i].type;
        if (type != NONE && type_get(&n->m->types, type)->dynamic)
            collect(n, variables, type_get(&n->m->types, type)->text);
    }
}

/* calls `collect` for the types of all variables of a jaxpr */
static void
collect_jaxpr(struct naming *n, const struct memo *variables, jaxpr_t id, collect_fn *collect)
{
    const struct module *m = n->m;
    const struct jaxpr *j = &m->jaxprs.at[id];
    collect_types(n, variables, j->vars, jaxpr_binders(j), collect);
    for (eqn_t e = j->eqns; e != NONE; e = m->eqns.at[e].next)
        collect_types(n, variables, m->eqns.at[e].vars, m->eqns.at[e].n_vars, collect);
}

/* a map from the names of a recorded jaxpr's variables to the variables plus one; the caller frees it */
static struct memo
recorded_variables(const struct naming *n, const struct rename_text *r)
{
    struct memo variables = {0};
    for (u32 i = r->first; i < r->first + r->n; i++)
        memo_set(n->m->mem, &variables, n->old_names.at[i].name, (u64)n->old_names.at[i].var + 1);
    return variables;
}

void
rename_text_collect_names(struct naming *n, jaxpr_t id)
{
    static const struct memo none;
    const struct module *m = n->m;
    const struct rename_text *r = n->rename_texts.n ? &n->rename_texts.at[n->rename_texts.n - 1] : NULL;
    if (!r || r->jaxpr != id)
        return; /* none of its texts contain names */
    struct memo variables = recorded_variables(n, r);
    collect_names(n, &variables, module_bytes(m, jaxpr_effects(m, id)));
    collect_jaxpr(n, n->how & NAMING_SYMBOLS ? &none : &variables, id, collect_names);
    memo_free(m->mem, &variables);
}

static void
keep_name(struct naming *n, var_t v)
{
    name_t *name = &n->m->vars.at[var_origin(n->m, v)].name, old = *name & NAME_MASK;
    *name |= VAR_NAMED;
    if (old < NAME_OTHER)
        memo_set(n->m->mem, &n->symbols, old, 1);
}

/* lets variables with captured names keep them */
static void
keep_captured(struct naming *n, u32 vars, u32 count)
{
    for (u32 i = 0; i < count; i++) {
        name_t name = n->m->vars.at[var_origin(n->m, vars + i)].name & NAME_MASK;
        if (name != n->underscore && memo_get(&n->captured, name))
            keep_name(n, vars + i);
    }
}

/* lets a variable of a recorded jaxpr keep its name for each name in a text; they count as captured */
static void
collect_clashes(struct naming *n, const struct memo *variables, struct slice s)
{
    struct slice word;
    name_t name;
    for (size_t i = 0; next_name(n, s, &i, &word, &name);) {
        u64 v = name == NONE || name == n->underscore ? 0 : memo_get(variables, name);
        if (v == 0)
            continue;
        memo_set(n->m->mem, &n->captured, name, 1);
        keep_name(n, (var_t)v - 1);
    }
}

void
rename_text_keep_captured(struct naming *n)
{
    struct module *m = n->m;
    bool symbols = n->how & NAMING_SYMBOLS;
    for (u32 i = 0; i < n->rename_texts.n; i++) {
        struct memo variables = recorded_variables(n, &n->rename_texts.at[i]);
        collect_jaxpr(n, &variables, n->rename_texts.at[i].jaxpr, symbols ? collect_clashes : collect_captured);
        memo_free(m->mem, &variables);
    }
    for (u32 i = 0; i < n->all.n && n->captured.n > 0 && !symbols; i++) {
        const struct jaxpr *j = &m->jaxprs.at[n->all.at[i]];
        keep_captured(n, j->vars, jaxpr_binders(j));
        for (eqn_t e = j->eqns; e != NONE; e = m->eqns.at[e].next)
            keep_captured(n, m->eqns.at[e].vars, m->eqns.at[e].n_vars);
    }
}

static struct span
replace_span(struct naming *n, const struct memo *names, struct span span)
{
    struct slice old = module_bytes(n->m, span), s = replace_names(n, names, old);
    return s.at == old.at ? span : module_add_bytes(n->m, s);
}

static type_t
replace_type(struct naming *n, const struct memo *dims, type_t type)
{
    struct types *types = &n->m->types;
    if (type == NONE || !type_get(types, type)->dynamic)
        return type;
    struct slice text = type_get(types, type)->text;
    const char *open = memchr(text.at, '[', text.n);
    if (!open)
        return type;
    size_t head = (size_t)(open - text.at);
    struct slice old = {open, text.n - head}, shape = replace_names(n, dims, old);
    if (shape.at == old.at)
        return type;
    return types_intern(types, arena_printf(n->m->mem, "%.*s%.*s", (int)head, text.at, (int)shape.n, shape.at));
}

static void
replace_types(struct naming *n, const struct memo *dims, u32 vars, u32 count)
{
    for (u32 i = 0; i < count; i++)
        n->m->vars.at[vars + i].type = replace_type(n, dims, n->m->vars.at[vars + i].type);
}

static void
replace_in_equation(struct naming *n, const struct memo *dims, eqn_t id)
{
    struct module *m = n->m;
    const struct eqn *e = &m->eqns.at[id];
    for (u32 i = 0; i < e->n_atoms; i++) {
        atom_t a = m->atoms.at[e->atoms + i];
        if (atom_kind(a) == ATOM_LIT)
            m->literals.at[atom_id(a)].type = replace_type(n, dims, m->literals.at[atom_id(a)].type);
    }
    statement_respell(m, id);
    replace_types(n, dims, e->vars, e->n_vars);
}

static void
apply(struct naming *n, const struct rename_text *r)
{
    struct module *m = n->m;
    struct memo names = {0}, dims = {0};
    for (u32 i = r->first; i < r->first + r->n; i++) {
        const struct old_name *old = &n->old_names.at[i];
        u64 fresh = (u64)m->vars.at[old->var].name + 1;
        memo_set(m->mem, &names, old->name, fresh);
        if (!(n->how & NAMING_SYMBOLS))
            memo_set(m->mem, &dims, old->name, fresh);
    }
    const struct jaxpr *j = &m->jaxprs.at[r->jaxpr];
    struct span effects = jaxpr_effects(m, r->jaxpr);
    if (effects.n)
        jaxpr_set_effects(m, r->jaxpr, replace_span(n, &names, effects));
    replace_types(n, &dims, j->vars, jaxpr_binders(j));
    for (eqn_t e = j->eqns; e != NONE; e = m->eqns.at[e].next)
        replace_in_equation(n, &dims, e);
    memo_free(m->mem, &names);
    memo_free(m->mem, &dims);
}

void
rename_text_swap(struct naming *n, eqn_t id)
{
    struct module *m = n->m;
    struct eqn *e = &m->eqns.at[id];
    u64 first = e->params == NONE ? 0 : memo_get(&m->statements, e->params);
    if (e->form != EQN_SWAP || first == 0 || e->n_vars != 1 ||
        !swap_has_type(m, e, m->vars.at[e->vars].type)) /* as a store, it would hide this error */
        return;
    /* a swap whose result is dropped becomes a store: `r[..] <- v` */
    struct piece arrow = m->pieces.at[first], comma = m->pieces.at[first + 1];
    if (m->pieces.at[first - 1].operand != 0 || arrow.operand != 0 || comma.operand != 1)
        return;
    memo_set(m->mem, &m->statements, e->params, (u64)m->pieces.n + 1);
    *vec_push(m->mem, &m->pieces) = (struct piece){{0, 0}, 0};
    *vec_push(m->mem, &m->pieces) = (struct piece){arrow.text, 1};
    for (u64 i = first + 2, last = 0; last != NONE; i++) {
        struct piece rest = m->pieces.at[i];
        last = rest.operand;
        *vec_push(m->mem, &m->pieces) = rest;
    }
    e->form = EQN_STORE;
    e->n_vars = 0;
}

void
rename_text_apply(struct naming *n)
{
    for (u32 i = 0; i < n->rename_texts.n; i++)
        apply(n, &n->rename_texts.at[i]);
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Renames the right side: matched variables get the names of the left, others keep their own name where that is
 * free and get a new one where it is not. Also the texts in which differences are reported. Linear in the jaxprs. */
#include "diff/diff.h"

#include "base/chars.h"
#include "print/naming.h"

/* the id, in the table of the right, of a name of the left */
static name_t
name_across(struct diff *d, name_t name)
{
    struct name_buffer buffer;
    if (name < d->b.m->names.numeral_limit)
        return name;
    return module_intern(d->b.m, module_name(d->a.m, name, &buffer));
}

/* The names of the left that the right must not reuse. */
struct taken {
    VEC(u64) numerals;  /* a bit for each numeral: most names are dense numerals */
    struct memo others; /* by id in the table of the right */
    u32 next;           /* a numeral above all that are used */
};

static void
consume(struct diff *d, struct taken *t, name_t name)
{
    if (name >= NAME_OTHER) {
        memo_set(d->mem, &t->others, name, 1);
        return;
    }
    while (t->numerals.n <= name / 64)
        *vec_push(d->mem, &t->numerals) = 0;
    t->numerals.at[name / 64] |= 1ull << name % 64;
    if (name >= t->next)
        t->next = name + 1;
}

static bool
is_taken(const struct diff *d, const struct taken *t, name_t name)
{
    if (d->a.dynamic && memo_get(&d->sizes, name))
        return true;
    if (name >= NAME_OTHER)
        return memo_get(&t->others, name) != 0;
    return name / 64 < t->numerals.n && t->numerals.at[name / 64] >> name % 64 & 1;
}

static name_t
fresh_name(struct diff *d, struct taken *t)
{
    struct name_buffer buffer;
    struct slice text;
    name_t name;
    do {
        name = t->next++;
        text = name_text(&d->b.m->names, name, &buffer);
        if (name >= d->b.m->names.numeral_limit)
            name = module_intern(d->b.m, text);
    } while (is_taken(d, t, name));
    return name;
}

/* the partner whose name a variable of the right takes over, or NONE */
static var_t
namesake(const struct diff *d, var_t v)
{
    var_t partner = d->b.partner[v];
    if (d->b.reads_unnamed && d->b.m->vars.at[v].name == d->b.c.underscore)
        return NONE; /* renaming would change the meaning of those that stay `_` */
    return partner != NONE && d->a.m->vars.at[partner].name != d->a.c.underscore ? partner : NONE;
}

static void
rename_vars(struct diff *d, struct taken *t, u32 vars, u32 n)
{
    struct module *m = d->b.m;
    name_t none = d->b.c.underscore;
    for (u32 i = 0; i < n; i++) {
        var_t partner = namesake(d, vars + i);
        name_t *name = &m->vars.at[vars + i].name, old = *name;
        if (partner != NONE)
            *name = name_across(d, d->a.m->vars.at[partner].name);
        else if (old != none && is_taken(d, t, old))
            *name = fresh_name(d, t);
        if (partner == NONE && *name != none)
            consume(d, t, *name);
    }
}

static void
take_vars(struct diff *d, struct taken *t, u32 vars, u32 n)
{
    for (u32 i = 0; i < n; i++)
        if (d->a.m->vars.at[vars + i].name != d->a.c.underscore)
            consume(d, t, name_across(d, d->a.m->vars.at[vars + i].name));
}

/* makes new names begin after the numerals of the right */
static void
pass_numerals(const struct module *m, struct taken *t, u32 vars, u32 n)
{
    for (u32 i = 0; i < n; i++) {
        name_t name = m->vars.at[vars + i].name;
        if (name < NAME_OTHER && name >= t->next)
            t->next = name + 1;
    }
}

/* whether some variable of the right takes over no name, and is not `_` */
static bool
is_single(const struct diff *d, u32 vars, u32 n)
{
    for (u32 i = 0; i < n; i++)
        if (namesake(d, vars + i) == NONE && d->b.m->vars.at[vars + i].name != d->b.c.underscore)
            return true;
    return false;
}

/* reserves the names of outer variables that the current equations mention */
static void
take_captured(struct diff *d, struct taken *t, bool left)
{
    const struct diff_side *s = left ? &d->a : &d->b;
    const struct module *m = s->m;
    for (u32 k = 0; k < s->eqns.n && s->around.n > 0; k++)
        for (u32 i = 0; i < m->eqns.at[s->eqns.at[k]].n_atoms; i++) {
            var_t v = diff_captured(s, m->atoms.at[m->eqns.at[s->eqns.at[k]].atoms + i]);
            if (v != NONE)
                consume(d, t, left ? name_across(d, m->vars.at[v].name) : m->vars.at[v].name);
        }
}

/* reserves the words in shapes of the left: symbols of sizes are not variables, but would be read as such */
static void
take_sizes(struct diff *d)
{
    const struct types *types = &d->a.m->types;
    d->sizes_known = true;
    for (u32 i = 0; i < types->list.n; i++) {
        struct slice text = types->list.at[i].text;
        for (size_t k = type_shape_offset(text); k < text.n;) {
            size_t end = k + 1;
            while (is_word_start(text.at[k]) && end < text.n && is_word_char(text.at[end]))
                end++;
            if (is_word_start(text.at[k]))
                memo_set(d->mem, &d->sizes, module_intern(d->b.m, (struct slice){text.at + k, end - k}), 1);
            k = end;
        }
    }
}

/* collects the reserved names, if a new name is needed at all */
static void
find_taken(struct diff *d, struct taken *t, const struct jaxpr *ja, const struct jaxpr *jb)
{
    const struct module *ma = d->a.m, *mb = d->b.m;
    bool needed = is_single(d, jb->vars, jaxpr_binders(jb));
    for (u32 i = 0; i < d->b.eqns.n && !needed; i++)
        needed = is_single(d, mb->eqns.at[d->b.eqns.at[i]].vars, mb->eqns.at[d->b.eqns.at[i]].n_vars);
    if (!needed)
        return;
    if (d->a.dynamic && !d->sizes_known)
        take_sizes(d);
    take_captured(d, t, true);
    take_captured(d, t, false);
    take_vars(d, t, ja->vars, jaxpr_binders(ja));
    for (u32 i = 0; i < d->a.eqns.n; i++)
        take_vars(d, t, ma->eqns.at[d->a.eqns.at[i]].vars, ma->eqns.at[d->a.eqns.at[i]].n_vars);
    pass_numerals(mb, t, jb->vars, jaxpr_binders(jb));
    for (u32 i = 0; i < d->b.eqns.n; i++)
        pass_numerals(mb, t, mb->eqns.at[d->b.eqns.at[i]].vars, mb->eqns.at[d->b.eqns.at[i]].n_vars);
}

void
diff_rename(struct diff *d, jaxpr_t a, jaxpr_t b)
{
    struct module *m = d->b.m;
    const struct jaxpr jb = m->jaxprs.at[b];
    struct naming naming = {.m = m, .how = d->b.c.mode.variables ? 0 : NAMING_SYMBOLS, .underscore = d->b.c.underscore};
    struct taken t = {0};
    rename_text_remember(&naming, b);
    find_taken(d, &t, &d->a.m->jaxprs.at[a], &jb);
    rename_vars(d, &t, jb.vars, jaxpr_binders(&jb));
    for (u32 i = 0; i < d->b.eqns.n; i++)
        rename_vars(d, &t, m->eqns.at[d->b.eqns.at[i]].vars, m->eqns.at[d->b.eqns.at[i]].n_vars);
    rename_text_apply(&naming);
    memo_free(m->mem, &d->b.c.dims);
    vec_free(d->mem, &t.numerals);
    memo_free(d->mem, &t.others);
    vec_free(m->mem, &naming.old_names);
    vec_free(m->mem, &naming.rename_texts);
}

void
diff_show_captured(struct diff_side *s)
{
    struct module *m = s->m;
    for (u32 k = 0; k < s->eqns.n && s->around.n > 0; k++)
        for (u32 i = 0; i < m->eqns.at[s->eqns.at[k]].n_atoms; i++) {
            u32 at = m->eqns.at[s->eqns.at[k]].atoms + i;
            var_t v = diff_captured(s, m->atoms.at[at]);
            if (v == NONE)
                continue;
            *vec_push(m->mem, &s->shown) = (struct diff_shown){at, m->atoms.at[at]};
            m->atoms.at[at] = atom_make(ATOM_VAR, v);
        }
}

void
diff_hide_captured(struct diff_side *s)
{
    while (s->shown.n > 0) {
        const struct diff_shown *shown = &s->shown.at[--s->shown.n];
        s->m->atoms.at[shown->at] = shown->name;
    }
}

/* ---- texts ------------------------------------------------------------------------------------------------------ */

static void
write_name(struct diff_side *s, name_t name)
{
    struct name_buffer buffer;
    sink_slice(&s->out, module_name(s->m, name, &buffer));
}

static void
write_type(struct diff_side *s, type_t t)
{
    if (t == NONE)
        return;
    sink_char(&s->out, ':');
    sink_slice(&s->out, type_get(&s->m->types, t)->text);
}

static void
write_vars(struct diff_side *s, u32 vars, u32 n)
{
    for (u32 i = 0; i < n; i++) {
        if (i > 0)
            sink_char(&s->out, ' ');
        write_name(s, s->m->vars.at[vars + i].name);
        write_type(s, s->m->vars.at[vars + i].type);
    }
}

static void
write_atom(struct diff_side *s, atom_t a)
{
    const struct module *m = s->m;
    if (atom_kind(a) == ATOM_LIT) {
        sink_slice(&s->out, module_bytes(m, m->literals.at[atom_id(a)].value));
        write_type(s, m->literals.at[atom_id(a)].type);
    } else if (atom_kind(a) == ATOM_REF) {
        write_name(s, atom_name(m, m->refs.at[atom_id(a)].ref));
        sink_slice(&s->out, text_joined(&s->printer, module_bytes(m, m->refs.at[atom_id(a)].index)));
    } else {
        var_t captured = diff_captured(s, a); /* it may have been renamed */
        write_name(s, captured != NONE ? m->vars.at[captured].name : atom_name(m, a));
    }
}

/* the text that was written since the sink was emptied; valid as long as the module */
static struct slice
copy_out(struct diff_side *s)
{
    return arena_copy(s->m->mem, (struct slice){s->out.at, s->out.n});
}

struct slice
diff_text(struct diff_side *s, eqn_t e)
{
    s->out.n = 0;
    layout_equation(&s->printer, e);
    return copy_out(s);
}

struct slice
diff_let_text(struct diff_side *s, u32 let)
{
    s->out.n = 0;
    layout_let(&s->printer, &s->m->lets.at[let]);
    return copy_out(s);
}

/* writes the parameters in a heading: the name of a call, `[name=relu ..]`, with a mark if there are others */
static void
write_called(struct diff_side *s, param_t p)
{
    enum { LONGEST = 32 };
    const struct module *m = s->m;
    struct name_buffer buffer;
    struct slice key = {"", 0}, value = {"", 0};
    bool more = false;
    for (; p != NONE; p = m->params.at[p].next) {
        const struct param *v = &m->params.at[p];
        struct slice text = v->key == NONE ? SLICE("") : module_name(m, v->key, &buffer);
        if (key.n == 0 && v->kind == PARAM_TEXT && v->span.n <= LONGEST &&
            (slice_eq(text, SLICE("name")) || slice_eq(text, SLICE("op")))) {
            key = slice_eq(text, SLICE("op")) ? SLICE("op") : SLICE("name");
            value = module_bytes(m, v->span);
        } else {
            more = true;
        }
    }
    sink_printf(&s->out, "[%.*s%s", (int)key.n, key.at, key.n > 0 ? "=" : "");
    sink_slice(&s->out, value);
    sink_printf(&s->out, "%s%s]", key.n > 0 && more ? " " : "", more ? ".." : "");
}

struct slice
diff_head(struct diff_side *s, eqn_t id)
{
    const struct eqn *e = &s->m->eqns.at[id];
    if (e->form > EQN_CALL_BARE)
        return diff_text(s, id);
    s->out.n = 0;
    write_vars(s, e->vars, e->n_vars);
    sink_write(&s->out, " = ", e->n_vars > 0 ? 3 : 0);
    write_name(s, e->prim);
    if (e->params != NONE)
        write_called(s, e->params);
    for (u32 i = 0; i < e->n_atoms; i++) {
        sink_char(&s->out, ' ');
        write_atom(s, s->m->atoms.at[e->atoms + i]);
    }
    return copy_out(s);
}

struct slice
diff_atom_text(struct diff_side *s, atom_t a)
{
    s->out.n = 0;
    write_atom(s, a);
    return copy_out(s);
}

struct slice
diff_type_text(struct diff_side *s, type_t t)
{
    return t == NONE ? (struct slice){"", 0} : type_get(&s->m->types, t)->text;
}

struct slice
diff_binder_text(struct diff_side *s, var_t v)
{
    s->out.n = 0;
    write_vars(s, v, 1);
    return copy_out(s);
}

struct slice
diff_binders_text(struct diff_side *s, jaxpr_t id)
{
    const struct jaxpr *j = &s->m->jaxprs.at[id];
    s->out.n = 0;
    sink_write(&s->out, "lambda ", 7);
    write_vars(s, j->vars, j->n_consts);
    sink_write(&s->out, "; ", 2);
    write_vars(s, j->vars + j->n_consts, j->n_ins);
    return copy_out(s);
}

struct slice
diff_outputs_text(struct diff_side *s, jaxpr_t id)
{
    const struct jaxpr *j = &s->m->jaxprs.at[id];
    s->out.n = 0;
    sink_write(&s->out, "in (", 4);
    for (u32 i = 0; i < j->n_outs; i++) {
        if (i > 0)
            sink_write(&s->out, ", ", 2);
        write_atom(s, s->m->atoms.at[j->outs + i]);
    }
    sink_write(&s->out, ",)", j->n_outs == 1 ? 1 : 0);
    sink_char(&s->out, ')');
    return copy_out(s);
}

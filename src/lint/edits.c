/* SPDX-License-Identifier: Apache-2.0
 *
 * Fixes as edits of the text: all other bytes are kept. Edits of one finding are made together or not at all. If two
 * findings would change the same bytes, only the first one is fixed; another run fixes the other. Linear in the text
 * and the edits. */
#include "lint/facts.h"

#include "base/chars.h"

#include <stdlib.h>

void
lint_edit(struct lint *l, u32 at, u32 n, struct slice text)
{
    if (l->last.reported && l->run->edits)
        *vec_push(l->m->mem, &l->fix.edits) = (struct grouped_edit){{at, n, text}, l->fix.groups};
}

static bool
is_dropped_name(const struct lint *l, var_t v)
{
    struct name_buffer buffer;
    return slice_eq(module_name(l->m, l->m->vars.at[v].name, &buffer), SLICE("_"));
}

void
lint_replace(struct lint *l, eqn_t e, var_t var, var_t by)
{
    if (!l->run->edits || !l->last.reported || l->facts.sizes[var] || is_dropped_name(l, by) ||
        l->m->eqns.at[e].form != EQN_CALL || memo_get(&l->fix.replaced, var))
        return;
    *vec_push(l->m->mem, &l->fix.replacements) = by;
    memo_set(l->m->mem, &l->fix.replaced, var, l->fix.replacements.n);
    if (l->fix.dropped.n == 0 || l->fix.dropped.at[l->fix.dropped.n - 1] != e)
        *vec_push(l->m->mem, &l->fix.dropped) = e;
}

void
lint_drop(struct lint *l, eqn_t e)
{
    if (l->run->edits && l->last.reported && l->m->eqns.at[e].form == EQN_CALL)
        *vec_push(l->m->mem, &l->fix.dead) = e;
}

/* the final replacement of a variable; shortens the chain that it follows */
static var_t
final_replacement(struct lint *l, var_t v)
{
    var_t last = v;
    for (u64 i; (i = memo_get(&l->fix.replaced, last)) != 0;)
        last = l->fix.replacements.at[i - 1];
    for (u64 i; v != last && (i = memo_get(&l->fix.replaced, v)) != 0;) {
        var_t next = l->fix.replacements.at[i - 1];
        l->fix.replacements.at[i - 1] = last;
        v = next;
    }
    return last;
}

static void
edit_atom(struct lint *l, atom_t a, struct span at)
{
    if (atom_kind(a) != ATOM_VAR || !memo_get(&l->fix.replaced, atom_id(a)))
        return;
    struct name_buffer buffer;
    struct slice name = module_name(l->m, l->m->vars.at[final_replacement(l, atom_id(a))].name, &buffer);
    lint_edit(l, at.at, at.n, arena_copy(l->m->mem, name));
}

/* whether a comment ends at an offset */
static bool
ends_comment(const struct module *m, u32 at)
{
    u32 after = comment_at(m, at);
    return after > 0 && m->comments.at[after - 1].text.at + m->comments.at[after - 1].text.n >= at;
}

/* skips blanks on a line, and the comment after them */
static u32
skip_comment(const struct module *m, u32 at)
{
    const char *p = m->text.at + at, *end = m->text.at + m->text.n;
    while (p < end && is_blank(*p) && *p != '\n')
        p++;
    const char *newline = *p == '#' && p < end ? memchr(p, '\n', (size_t)(end - p)) : NULL;
    return (u32)((newline ? newline : p) - m->text.at);
}

/* removes an equation with the comment on its line: whole lines if it is alone there, else with the whitespace and `;`
 * after it, or before it if nothing follows. What is after a comment remains on a line of its own */
static void
edit_drop(struct lint *l, jaxpr_t j, eqn_t e)
{
    const struct module *m = l->m;
    const char *text = m->text.at;
    eqn_t next = m->eqns.at[e].next;
    u32 first = m->jaxprs.at[j].offset, at = m->eqns.at[e].offset, line = at, end = eqn_end(m, e);
    u32 rest = skip_comment(m, end);
    while (line > first && is_blank(text[line - 1]) && text[line - 1] != '\n')
        line--;
    if (text[rest] == '\n' && text[line - 1] == '\n') {
        lint_edit(l, line, rest + 1 - line, SLICE(""));
        return;
    }
    if (text[rest] != '\n' && next != NONE) {
        lint_edit(l, at, m->eqns.at[next].offset - at, SLICE(""));
        return;
    }
    u32 before = at;
    while (before > first && (is_blank(text[before - 1]) || text[before - 1] == ';'))
        before--;
    if (ends_comment(m, before)) {
        lint_edit(l, at, rest - at, SLICE(""));
        return;
    }
    end = text[rest] == '\n' ? rest : end;
    before += next == NONE && m->jaxprs.at[j].eqns == e && !is_blank(text[end]);
    lint_edit(l, before, end - before, SLICE(""));
}

static int
compare_ids(const void *a, const void *b)
{
    u32 x = *(const u32 *)a, y = *(const u32 *)b;
    return (x > y) - (x < y);
}

/* adds an edit wherever the jaxpr reads a replaced variable, except in removed equations */
static void
edit_reads(struct lint *l, jaxpr_t id)
{
    const struct module *m = l->m;
    const struct jaxpr *j = &m->jaxprs.at[id];
    u32 dropped = 0;
    for (eqn_t e = j->eqns; e != NONE; e = m->eqns.at[e].next) {
        const struct eqn *eqn = &m->eqns.at[e];
        while (dropped < l->fix.dropped.n && l->fix.dropped.at[dropped] < e)
            dropped++;
        if (dropped < l->fix.dropped.n && l->fix.dropped.at[dropped] == e)
            continue;
        for (u32 i = 0; i < eqn->n_atoms; i++) {
            atom_t a = m->atoms.at[eqn->atoms + i];
            if (atom_kind(a) != ATOM_VAR || !memo_get(&l->fix.replaced, atom_id(a)))
                continue;
            edit_atom(l, a, eqn_operand_span(m, e, i));
        }
    }
    for (u32 i = 0; i < j->n_outs; i++)
        if (atom_kind(m->atoms.at[j->outs + i]) == ATOM_VAR &&
            memo_get(&l->fix.replaced, atom_id(m->atoms.at[j->outs + i])))
            edit_atom(l, m->atoms.at[j->outs + i], jaxpr_out_span(m, id, i));
}

/* true if every equation that reads a replaced variable is a call, whose operands have places in the text */
static bool
readers_plain(const struct lint *l, jaxpr_t id)
{
    const struct module *m = l->m;
    for (eqn_t e = m->jaxprs.at[id].eqns; e != NONE; e = m->eqns.at[e].next) {
        const struct eqn *eqn = &m->eqns.at[e];
        for (u32 i = 0; i < eqn->n_atoms && eqn->form != EQN_CALL && eqn->form != EQN_CALL_BARE; i++) {
            atom_t a = m->atoms.at[eqn->atoms + i];
            if (atom_kind(a) == ATOM_VAR && memo_get(&l->fix.replaced, atom_id(a)))
                return false;
        }
    }
    return true;
}

/* true if a jaxpr reads a variable called `_`: removing equations may change which of several it is */
static bool
reads_dropped_name(const struct lint *l, jaxpr_t id)
{
    const struct module *m = l->m;
    for (eqn_t e = m->jaxprs.at[id].eqns; e != NONE; e = m->eqns.at[e].next)
        for (u32 i = 0; i < m->eqns.at[e].n_vars; i++)
            if (l->facts.uses[m->eqns.at[e].vars + i] && is_dropped_name(l, m->eqns.at[e].vars + i))
                return true;
    return false;
}

/* marks the programs inside a removed equation, except shared ones */
static void
mark_gone(struct lint *l, eqn_t e)
{
    struct nested h = nested_start(l->m, e);
    for (jaxpr_t j; (j = nested_next(l->m, &h)) != NONE;)
        l->facts.loops[j] |= l->m->jaxprs.at[j].parent == e ? LOOP_GONE : 0;
}

void
lint_make_edits(struct lint *l, jaxpr_t j)
{
    if (l->facts.loops[j] & LOOP_GONE) {
        for (eqn_t e = l->m->jaxprs.at[j].eqns; e != NONE; e = l->m->eqns.at[e].next)
            mark_gone(l, e);
        l->fix.dropped.n = l->fix.replacements.n = l->fix.dead.n = 0;
        memo_free(l->m->mem, &l->fix.replaced);
        return;
    }
    if (l->fix.dropped.n == 0)
        /* replacements may use results that were unused so far: dead equations are removed in a separate round */
        for (u32 i = 0; i < l->fix.dead.n; i++)
            *vec_push(l->m->mem, &l->fix.dropped) = l->fix.dead.at[i];
    l->fix.dead.n = 0;
    if (l->fix.dropped.n == 0)
        return;
    qsort(l->fix.dropped.at, l->fix.dropped.n, sizeof *l->fix.dropped.at, compare_ids);
    if ((l->fix.replacements.n == 0 || readers_plain(l, j)) && !reads_dropped_name(l, j)) {
        l->last.reported = true;
        l->fix.groups++;
        if (l->fix.replacements.n)
            edit_reads(l, j);
        for (u32 i = 0; i < l->fix.dropped.n; i++)
            if (i == 0 || l->fix.dropped.at[i] != l->fix.dropped.at[i - 1]) {
                edit_drop(l, j, l->fix.dropped.at[i]);
                mark_gone(l, l->fix.dropped.at[i]);
            }
        l->last.reported = false;
    }
    l->fix.dropped.n = l->fix.replacements.n = 0;
    memo_free(l->m->mem, &l->fix.replaced);
}

/* ---- choosing ---- */

static int
compare_edits(const void *a, const void *b)
{
    const struct lint_edit *x = a, *y = b;
    return x->at != y->at ? (x->at > y->at) - (x->at < y->at) : (x->n > y->n) - (x->n < y->n);
}

void
lint_edits_choose(struct lint *l)
{
    struct mem *mem = l->m->mem;
    u32 n = l->m->text.n;
    if (l->fix.edits.n == 0)
        return;
    u8 *taken = mem_zeroed(mem, n + 1ull); /* bytes that an edit changes: 1 by deletion, 2 otherwise */
    for (u32 i = 0, end; i < l->fix.edits.n; i = end) {
        bool free = true;
        for (end = i; end < l->fix.edits.n && l->fix.edits.at[end].group == l->fix.edits.at[i].group; end++) {
            const struct lint_edit *e = &l->fix.edits.at[end].edit;
            for (u32 k = 0; k < e->n && free; k++)
                free = !taken[e->at + k] || (taken[e->at + k] == 1 && e->text.n == 0);
        }
        for (u32 k = i; k < end && free; k++) {
            const struct lint_edit *e = &l->fix.edits.at[k].edit;
            memset(taken + e->at, e->text.n == 0 ? 1 : 2, e->n);
            *vec_push(mem, &l->result->edits) = *e;
        }
    }
    qsort(l->result->edits.at, l->result->edits.n, sizeof *l->result->edits.at, compare_edits);
    mem_free(mem, taken);
}

void
lint_apply(struct sink *out, const struct text *t, const struct lint_result *result)
{
    u32 at = 0;
    for (u32 i = 0; i < result->edits.n; i++) {
        const struct lint_edit *e = &result->edits.at[i];
        if (e->at > at)
            sink_write(out, t->at + at, e->at - at);
        sink_slice(out, e->text);
        u32 end = e->at + e->n;
        at = end > at ? end : at;
    }
    sink_write(out, t->at + at, t->n - at);
}

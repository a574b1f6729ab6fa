/* SPDX-License-Identifier: Apache-2.0
 *
 * How rules speak: every finding about types is made here, so that all primitives sound alike. Nothing below runs on
 * a program without errors; a table of where each variable is bound is made once, by the first message. */
#include "check/blame.h"
#include "check/chain.h"
#include "check/checker.h"
#include "check/poly.h"

#include "base/near.h"
#include "ir/reach.h"

#include <stdarg.h>
#include <stdio.h>

enum { SAY_LONGEST = 160, RESULTS_TOLD = 16 };

/* -- texts --------------------------------------------------------------------------------------------------------- */

/* formats into the scratch memory of the equation */
static const char *
say_list(struct rule *r, const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, format, again);
    va_end(again);
    char *text = scratch_alloc(r->c, (size_t)(n < 0 ? 0 : n) + 1);
    vsnprintf(text, (size_t)(n < 0 ? 0 : n) + 1, format, args);
    return text;
}

const char *
say(struct rule *r, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const char *text = say_list(r, format, args);
    va_end(args);
    return text;
}

const char *
say_slice(struct rule *r, struct slice s)
{
    if (s.n <= SAY_LONGEST)
        return say(r, "%.*s", (int)s.n, s.at);
    return say(r, "%.*s...", SAY_LONGEST - 3, s.at);
}

const char *
say_count(struct rule *r, u32 n, const char *one, const char *many)
{
    return say(r, "%u %s", n, n == 1 ? one : many);
}

const char *
say_prim(struct rule *r)
{
    struct name_buffer buffer;
    if (r->eqn->form == EQN_GET || r->eqn->form == EQN_STORE || r->eqn->form == EQN_SWAP)
        return "<-";
    if (r->eqn->form == EQN_ADDUPDATE)
        return "+=";
    return say_slice(r, module_name(r->m, r->eqn->prim, &buffer));
}

const char *
say_var(struct rule *r, var_t v)
{
    struct name_buffer buffer;
    return say_slice(r, module_name(r->m, r->m->vars.at[v].name, &buffer));
}

const char *
say_atom(struct rule *r, atom_t a)
{
    struct name_buffer buffer;
    switch (atom_kind(a)) {
    case ATOM_VAR:
        return say_var(r, atom_id(a));
    case ATOM_NAME:
        return say_slice(r, module_name(r->m, atom_id(a), &buffer));
    case ATOM_LIT:
        return say_slice(r, module_bytes(r->m, r->m->literals.at[atom_id(a)].value));
    default:
        break;
    }
    atom_t ref = r->m->refs.at[atom_id(a)].ref;
    return atom_kind(ref) == ATOM_VAR ? say_var(r, atom_id(ref)) : "the ref";
}

const char *
say_operand(struct rule *r, u32 i)
{
    return say_atom(r, r->m->atoms.at[r->eqn->atoms + i]);
}

const char *
say_result(struct rule *r, u32 i)
{
    return say_var(r, r->eqn->vars + i);
}

/* a sum as jax.export would print it */
static const char *
say_sum(struct rule *r, struct dim d)
{
    enum { ROOM = 256 };
    char *text = rule_alloc(r, ROOM);
    return poly_write(&d, text, ROOM) ? text : "?";
}

const char *
say_dim(struct rule *r, struct dim d)
{
    struct name_buffer buffer;
    switch (d.kind) {
    case DIM_INT:
        return say(r, "%lld", (long long)d.value);
    case DIM_NAME:
        return say_slice(r, module_name(r->m, d.name, &buffer));
    case DIM_UNKNOWN:
        return "?";
    case DIM_SUM:
    case DIM_WINDOWS:
        return say_sum(r, d);
    default:
        return say_slice(r, d.text);
    }
}

/* the dims joined by a separator, at most 12 of them */
static const char *
join_dims(struct rule *r, const struct dim *dims, u32 n, const char *separator)
{
    const char *text = "";
    for (u32 i = 0; i < n && i < 12; i++)
        text = say(r, "%s%s%s", text, i ? separator : "", say_dim(r, dims[i]));
    return n > 12 ? say(r, "%s%s...", text, separator) : text;
}

const char *
say_dims(struct rule *r, const struct dim *dims, u32 n)
{
    return say(r, n == 1 ? "(%s,)" : "(%s)", join_dims(r, dims, n, ", "));
}

/* a set of element type classes in words: `integer, float or complex` */
static const char *
say_classes(struct rule *r, u32 classes)
{
    static const char *const words[] = {"bool", "signed integer", "unsigned integer", "float", "complex", "float0",
                                        "key"};
    const char *text = "";
    bool integers = (classes & IN_INT) == IN_INT;
    if (integers)
        classes &= ~(u32)IN_UNSIGNED;
    for (u32 i = 0; i < countof(words); i++) {
        bool last = classes >> i == 1;
        if (classes >> i & 1)
            text = say(r, "%s%s%s", text, !*text ? "" : last ? " or " : ", ",
                       integers && 1u << i == IN_SIGNED ? "integer" : words[i]);
    }
    return text;
}

const char *
say_dtype(struct rule *r, const struct aval *a)
{
    if (a->dtype == NONE)
        return a->classes ? say_classes(r, a->classes) : "?";
    return say_slice(r, dtype_text(&r->m->names, a->dtype));
}

const char *
say_aval(struct rule *r, const struct aval *a)
{
    if (a->type != NONE)
        return say_slice(r, type_get(&r->m->types, a->type)->text);
    switch (a->kind) {
    case AVAL_UNKNOWN:
    case AVAL_OTHER:
        return "?";
    case AVAL_TOKEN:
        return "Tok";
    default:
        break;
    }
    const char *shape = a->ranked ? say(r, "%s[%s]", say_dtype(r, a), join_dims(r, a->dims, a->rank, ","))
                                  : say(r, "%s[..]", say_dtype(r, a));
    return a->kind == AVAL_REF ? say(r, "Ref{%s}", shape) : shape;
}

/* -- places -------------------------------------------------------------------------------------------------------- */

struct where
at_param(const struct rule *r, const char *key)
{
    param_t p = rule_param(r, key);
    return p == NONE ? at_prim() : (struct where){AT_PARAM, p, NONE};
}

/* a part of a parameter's value, or the parameter where the part is not of the text */
static struct where
at_text(const struct rule *r, const char *key, struct slice part)
{
    struct where whole = at_param(r, key);
    struct slice value = whole.kind == AT_PARAM ? module_bytes(r->m, r->m->params.at[whole.i].span)
                                                : (struct slice){NULL, 0};
    if (!part.n || part.at < value.at || part.at + part.n > value.at + value.n)
        return whole;
    return (struct where){AT_TEXT, r->m->params.at[whole.i].span.at + (u32)(part.at - value.at), (u32)part.n};
}

struct where
at_list(const struct rule *r, const char *key, const struct ints *list)
{
    return at_text(r, key, list->text);
}

struct where
at_entry(const struct rule *r, const char *key, const struct ints *list, u32 i)
{
    struct cursor c = cursor_of(list->text);
    struct slice entry;
    u32 k = 0;
    for (value_open(&c); value_element(&c, &entry); k++) {
        if (k == i)
            return at_text(r, key, entry);
        if (!value_comma(&c))
            break;
    }
    return at_list(r, key, list);
}

struct where
at_item(const struct rule *r, const char *key, u32 i)
{
    struct slice text;
    return param_text(r, key, &text) ? at_entry(r, key, &(struct ints){.text = text}, i) : at_param(r, key);
}

struct span
where_span(const struct module *m, eqn_t e, struct where where)
{
    struct span s = {NONE, 0};
    switch (where.kind) {
    case AT_OPERAND:
        s = eqn_operand_span(m, e, where.i);
        break;
    case AT_RESULT:
        s = eqn_result_span(m, e, where.i);
        break;
    case AT_PARAM:
        s = m->params.at[where.i].span;
        break;
    case AT_BINDER:
        s = jaxpr_binder_span(m, where.j, where.i);
        break;
    case AT_OUT:
        s = jaxpr_out_span(m, where.j, where.i);
        break;
    case AT_TEXT:
        s = (struct span){where.i, where.j};
        break;
    default:
        break;
    }
    if (s.at == NONE || s.at > m->text.n)
        s = eqn_prim_span(m, e);
    return s.at <= m->text.n ? s : (struct span){0, 0};
}

jaxpr_t
rule_home(struct rule *r)
{
    r->wide = true;
    find_homes(r->c);
    return r->c->homes[r->e];
}

/* -- findings ------------------------------------------------------------------------------------------------------ */

void
end_finding(struct checker *c)
{
    if (c->open == NONE)
        return;
    find_homes(c);
    if (!c->hinted && !hint_swapped(c, c->open) && c->unconverted != NONE) {
        struct rule r = {.c = c, .m = c->m, .e = c->open, .eqn = &c->m->eqns.at[c->open]};
        diag_note(c->ds, NONE, 0, "is a convert_element_type of `%s` missing?", say_operand(&r, c->unconverted));
    }
    note_chain(c->m, c->ds, c->homes, c->homes[c->open]);
    c->open = NONE;
    c->noted = c->hinted = false;
}

bool
row_complete(struct rule *r)
{
    struct prim_param param;
    for (const char *at = r->prim->params; prim_param_next(&at, &param);)
        if (!param.optional && eqn_param(r->m, r->e, param.key) == NONE)
            return false;
    return true;
}

/* false where the row tells that another primitive of its name is meant */
static bool
row_meant(struct rule *r)
{
    struct prim_param param;
    for (const char *at = r->prim->params; prim_param_next(&at, &param);)
        if (param.telling && eqn_param(r->m, r->e, param.key) == NONE)
            return false;
    return true;
}

bool
row_fits(struct rule *r)
{
    bool strange = false;
    struct name_buffer buffer;
    for (param_t p = r->eqn->params; p != NONE; p = r->m->params.at[p].next)
        if (r->m->params.at[p].key != NONE)
            strange |= prim_role(r->prim, module_name(r->m, r->m->params.at[p].key, &buffer)).n == 0;
    return strange ? r->prim->params[0] && row_complete(r) : row_meant(r);
}

/* whether a program that the equation holds could not be read as far as it takes to compare them */
static bool
holds_damaged(const struct rule *r)
{
    struct held held = held_start(r->m, r->e);
    for (jaxpr_t j = held_next(r->m, &held); j != NONE; j = held_next(r->m, &held))
        if (memo_get(&r->m->damaged, j))
            return true;
    return false;
}

/* what an equation makes of an operand that is to blame */
static const char *
say_contrary(struct rule *r, u32 operand, u32 result)
{
    struct aval binder = rule_binder(r, result);
    return say(r, "`%s` is bound as %s, but `%s`, which `%s` makes of it, is %s", say_operand(r, operand),
               say_aval(r, &r->in[operand]), say_result(r, result), say_prim(r), say_aval(r, &binder));
}

/* makes a record that notes may follow; the way out of nested programs is told behind them, by end_finding */
static void
begin_finding(struct rule *r, enum diag_code code, struct span s, const char *text)
{
    struct checker *c = r->c;
    u32 before = c->ds->list.n;
    end_finding(c);
    diag_add(c->ds, code, s.at, s.n, "%s", text);
    c->noted = c->ds->list.n > before;
    c->n_told = 0;
    c->unconverted = NONE;
    if (c->noted)
        c->open = r->e;
}

static bool
report(struct rule *r, enum diag_code code, struct where where, const char *format, va_list args)
{
    struct checker *c = r->c;
    bool marked = r->failed, first = !marked || (where.kind == AT_RESULT && r->told++ < RESULTS_TOLD);
    c->noted = false;
    r->failed = true;
    if (r->probe) {
        r->probe->wrong |= row_fits(r);
        r->probe->mismatch |= r->probe->wrong && code == DIAG_T003;
    }
    if (r->probe || !first || holds_damaged(r))
        return false;
    if (!row_fits(r)) {
        rule_trust(r, at_prim(), "`%s` does not have the parameters of JAX's: its results are taken as printed",
                   say_prim(r));
        return false;
    }
    struct blame blame = c->silent ? (struct blame){NONE, false} : blame_find(r, code, where);
    for (u32 i = 0; i < r->n_results && !marked; i++)
        var_report(c, r->eqn->vars + i);
    if (c->silent || blame_call(r, where) || (where.kind == AT_OUT && blame_out(r, where.j, where.i)))
        return false;
    const char *text = say_list(r, format, args);
    struct span s = where_span(c->m, r->e, where), use = s;
    var_t stated = blame.operand == NONE ? NONE : atom_id(r->m->atoms.at[r->eqn->atoms + blame.operand]);
    struct span binder = stated == NONE ? s : birth_span(c, stated);
    if (binder.at <= c->m->text.n)
        s = binder;
    else
        stated = NONE;
    if (stated != NONE && code == DIAG_T003)
        text = say_contrary(r, blame.operand, where.i);
    begin_finding(r, code, s, text);
    if (c->noted && stated != NONE) {
        diag_note(c->ds, use.at, use.n, "`%s` does not fit here, and only its binder says what %s it has",
                  say_operand(r, blame.operand), blame.dtype ? "element type" : "shape");
        c->told[c->n_told++] = stated;
        var_report(c, stated);
    }
    return false;
}

bool
rule_error(struct rule *r, enum diag_code code, struct where where, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    report(r, code, where, format, args);
    va_end(args);
    return false;
}

bool
rule_stricter(struct rule *r, enum diag_code code, struct where where, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    report(r, code, where, format, args);
    va_end(args);
    if (r->c->noted && r->options->as_jax)
        diag_relevel(r->c->ds, LEVEL_WARNING);
    return false;
}

bool
rule_warning(struct rule *r, enum diag_code code, struct where where, const char *format, ...)
{
    r->wide = true;
    if (r->c->silent || r->probe)
        return true;
    va_list args;
    va_start(args, format);
    const char *text = say_list(r, format, args);
    va_end(args);
    begin_finding(r, code, where_span(r->m, r->e, where), text);
    if (r->c->noted)
        diag_relevel(r->c->ds, LEVEL_WARNING);
    return true;
}

/* the parameter that the row needs, the equation lacks, and a key it prints instead was meant for; or NULL */
static const char *
meant_param(struct rule *r, struct slice key)
{
    struct prim_param param;
    for (const char *at = r->prim->params; prim_param_next(&at, &param);)
        if (!param.optional && eqn_param(r->m, r->e, param.key) == NONE && word_slips(key, param.key))
            return say(r, "%.*s", (int)param.key.n, param.key.at);
    return NULL;
}

/* what could not be worked out because a parameter is misspelt */
static void
warn_of_slips(struct rule *r)
{
    struct name_buffer buffer;
    for (param_t p = r->eqn->params; p != NONE; p = r->m->params.at[p].next) {
        name_t name = r->m->params.at[p].key;
        struct slice key = name == NONE ? SLICE("") : module_name(r->m, name, &buffer);
        const char *meant = key.n == 0 || prim_role(r->prim, key).n ? NULL : meant_param(r, key);
        if (meant)
            rule_warning(r, DIAG_T010, at_param(r, say(r, "%.*s", (int)key.n, key.at)),
                         "`%s` has no parameter `%.*s`: is it `%s`, which is missing?", say_prim(r), (int)key.n, key.at,
                         meant);
    }
}

/* whether something that was trusted is told */
static bool
tells_trust(struct rule *r)
{
    if (!r->wide)
        warn_of_slips(r);
    if (!r->options->strict || r->c->silent || r->probe)
        return false;
    r->wide = true;
    return true;
}

bool
rule_left_open(struct rule *r, struct where where)
{
    if (tells_trust(r) && r->c->left_open++ == 0)
        r->c->first_open = where_span(r->m, r->e, where);
    return true;
}

bool
rule_trust(struct rule *r, struct where where, const char *format, ...)
{
    if (!tells_trust(r))
        return true;
    va_list args;
    va_start(args, format);
    const char *text = say_list(r, format, args);
    va_end(args);
    struct span s = where_span(r->m, r->e, where);
    diag_add(r->c->ds, DIAG_T026, s.at, s.n, "%s", text);
    return true;
}

void
rule_note_operand(struct rule *r, u32 i)
{
    if (!r->c->noted)
        return;
    atom_t a = r->m->atoms.at[r->eqn->atoms + i];
    if (atom_kind(a) == ATOM_REF)
        a = r->m->refs.at[atom_id(a)].ref;
    if (atom_kind(a) != ATOM_VAR)
        return;
    for (u32 k = 0; k < r->c->n_told; k++)
        if (r->c->told[k] == atom_id(a))
            return;
    if (r->c->n_told < countof(r->c->told))
        r->c->told[r->c->n_told++] = atom_id(a);
    struct span s = birth_span(r->c, atom_id(a));
    struct aval printed = aval_of_atom(r->m, a);
    if (s.at <= r->m->text.n)
        diag_note(r->c->ds, s.at, s.n, "`%s` is %s, bound here", say_operand(r, i),
                  say_aval(r, printed.kind == AVAL_UNKNOWN ? &r->in[i] : &printed));
}

static void
note_list(struct rule *r, struct span s, const char *format, va_list args)
{
    if (r->c->noted)
        diag_note(r->c->ds, s.at, s.n, "%s", say_list(r, format, args));
}

void
rule_note(struct rule *r, struct where where, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    note_list(r, where_span(r->m, r->e, where), format, args);
    va_end(args);
}

void
rule_hint(struct rule *r, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    note_list(r, (struct span){NONE, 0}, format, args);
    va_end(args);
    r->c->hinted |= r->c->noted;
}

void
rule_hint_convert(struct rule *r, u32 i)
{
    if (r->c->noted)
        r->c->unconverted = i;
}

void
rule_note_binder(struct rule *r, jaxpr_t j, u32 k)
{
    struct span s = jaxpr_binder_span(r->m, j, k);
    struct aval printed = aval_elsewhere(r, atom_make(ATOM_VAR, r->m->jaxprs.at[j].vars + k));
    if (r->c->noted && s.at <= r->m->text.n)
        diag_note(r->c->ds, s.at, s.n, "`%s` is %s, bound here", say_var(r, r->m->jaxprs.at[j].vars + k),
                  say_aval(r, &printed));
}

void
rule_note_out(struct rule *r, jaxpr_t j, u32 k)
{
    struct span s = jaxpr_out_span(r->m, j, k);
    struct aval given = jaxpr_out_aval(r, j, k);
    if (r->c->noted && s.at <= r->m->text.n)
        diag_note(r->c->ds, s.at, s.n, "result %u of the program is %s", k + 1, say_aval(r, &given));
}

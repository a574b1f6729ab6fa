/* SPDX-License-Identifier: Apache-2.0
 *
 * G: text that differs between two prints of one program, or that cannot be compared. Searches values of parameters
 * that are text; linear in them. */
#include "lint/facts.h"

#include "base/lexical.h"

#include <stdlib.h>

/* the value of a parameter as printed, in which findings have locations; empty if it contains programs or has a
 * syntax of its own */
static struct slice
param_value(const struct module *m, param_t p)
{
    const struct param *param = &m->params.at[p];
    if (param->kind != PARAM_TEXT || param->span.at >= m->text.n)
        return (struct slice){"", 0};
    return module_bytes(m, param->span);
}

static struct span
span_of(const struct module *m, const char *from, const char *to)
{
    return (struct span){(u32)(from - m->text.at), (u32)(to - from)};
}

static bool
is_hex(char c)
{
    return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/* the end of an address whose digits begin at p, or NULL */
static const char *
address_end(const char *p, const char *end)
{
    const char *q = p;
    while (q < end && is_hex(*q))
        q++;
    return q - p >= 4 ? q : NULL;
}

void
lint_G601(struct lint *l, u32 e)
{
    const struct module *m = l->m;
    for (param_t p = m->eqns.at[e].params; p != NONE; p = m->params.at[p].next) {
        struct slice value = param_value(m, p), word = SLICE(" at 0x");
        const char *at = value.at, *end = value.at + value.n, *stop;
        while ((at = memmem(at, (size_t)(end - at), word.at, word.n)) != NULL) {
            at += word.n;
            if ((stop = address_end(at, end)) == NULL)
                continue;
            if (lint_report(l, e, span_of(m, at - 2, stop), "`%s` contains an address, which differs from run to run",
                            lint_key(l, p)))
                lint_edit(l, (u32)(at - m->text.at), (u32)(stop - at), SLICE("XXXXXXXXXXXX"));
            at = stop;
        }
    }
}

/* ---- G602, G606, G607 ---- */

void
lint_G602(struct lint *l, u32 none)
{
    (void)none;
    if (!l->m->text.colored)
        return;
    if (lint_report(l, NONE, (struct span){0, 0}, "the text contains terminal colour codes, which are not shown here"))
        l->result->uncoloured = true;
}

void
lint_G606(struct lint *l, u32 program)
{
    const struct module *m = l->m;
    u32 at = l->run->layout_change ? l->run->layout_change(l->run->user, program) : NONE;
    if (at == NONE)
        return;
    if (lint_report(l, NONE, (struct span){m->jaxprs.at[m->programs.at[program].main].offset, 1},
                    "the program is not laid out as JAX prints it"))
        l->result->unformatted = true;
    lint_note(l, (struct span){at, 0}, "the first difference is here");
    if (l->run->extracted)
        lint_hint(l, "", false);
}

/* true if part of a value was elided: `...`, `[...]`, `[0 1 ... 9]`, `array([0, 1, ..., 9])` */
static bool
is_elided(struct slice value)
{
    return memchr(value.at, '.', value.n) &&
           (slice_eq(value, SLICE("...")) || slice_contains(value, SLICE("[...]")) ||
            slice_contains(value, SLICE(" ... ")) ||
            (slice_contains(value, SLICE(" ...,")) && slice_contains(value, SLICE("array("))));
}

void
lint_G607(struct lint *l, u32 e)
{
    static const char whole[] = "use the whole text that JAX printed";
    const struct module *m = l->m;
    const struct eqn *eqn = &m->eqns.at[e];
    if (eqn->form == EQN_ELLIPSIS) {
        lint_report(l, e, (struct span){eqn->offset, 3}, "equations were omitted here, so a comparison ignores them");
        lint_hint(l, whole, false);
        return;
    }
    for (u32 i = 0; i < eqn->n_atoms; i++) {
        atom_t a = m->atoms.at[eqn->atoms + i];
        if (atom_kind(a) != ATOM_LIT || m->literals.at[atom_id(a)].kind != LIT_ARRAY ||
            !is_elided(module_bytes(m, m->literals.at[atom_id(a)].value)))
            continue;
        lint_report(l, e, eqn_operand_span(m, e, i),
                    "the elements of a literal of type %s are not printed, so a comparison ignores them",
                    lint_type(l, m->literals.at[atom_id(a)].type));
        lint_hint(l, "pass the array as an argument: JAX prints no elements of array literals", false);
    }
    for (param_t p = eqn->params; p != NONE; p = m->params.at[p].next) {
        struct slice value = param_value(m, p);
        if (!value.n || m->params.at[p].key == NONE || !is_elided(value))
            continue;
        bool none = slice_eq(value, SLICE("..."));
        lint_report(l, e, m->params.at[p].span, "%s of `%s` is not printed, so a comparison ignores it",
                    none ? "the value" : "part", lint_key(l, p));
        if (none)
            lint_hint(l, whole, false);
    }
}

/* ---- G603 ---- */

/* the end of the set whose elements begin at p, or NULL if it is not a set; fills the list with the elements */
static const char *
read_set(struct lint *l, const char *p, const char *end, void *list)
{
    VEC(struct slice) *elements = list;
    struct cursor c = {p, end};
    struct slice one;
    elements->n = 0;
    while (value_element(&c, &one)) {
        const char *stop = one.at + one.n;
        if (one.n == 0 || value_find(one.at, stop, ":") < stop || slice_starts(one, SLICE("lambda")))
            return NULL; /* a dict or a program */
        *vec_push(l->m->mem, elements) = one;
    }
    return c.p < end && *c.p == '}' ? c.p : NULL;
}

/* the next `{` that a `}` follows before any other `{`, or NULL */
static const char *
innermost(const char *p, const char *end)
{
    const char *open = NULL;
    for (; p < end; p++) {
        if (*p == '{')
            open = p;
        else if (*p == '}' && open)
            return open;
    }
    return NULL;
}

/* the elements, sorted and joined by `, ` */
static struct slice
join_sorted(struct lint *l, struct slice *at, u32 n)
{
    struct sink out;
    qsort(at, n, sizeof *at, slice_order);
    sink_init_memory(&out, l->m->mem);
    sink_list(&out, at, n);
    return sink_take(&out);
}

void
lint_G603(struct lint *l, u32 e)
{
    const struct module *m = l->m;
    VEC(struct slice) elements = {0};
    for (param_t p = m->eqns.at[e].params; p != NONE; p = m->params.at[p].next) {
        struct slice value = param_value(m, p);
        const char *at = value.at, *end = at + value.n, *close;
        for (; m->params.at[p].key != NONE && (at = innermost(at, end)) != NULL; at++) {
            if ((close = read_set(l, at + 1, end, &elements)) == NULL)
                continue;
            bool sorted = true;
            for (u32 i = 1; i < elements.n; i++)
                sorted &= slice_order(&elements.at[i - 1], &elements.at[i]) <= 0;
            if (!sorted && lint_report(l, e, span_of(m, at, close + 1),
                                       "the order of the set in `%s` may differ between runs", lint_key(l, p)))
                lint_edit(l, (u32)(at + 1 - m->text.at), (u32)(close - at - 1),
                          join_sorted(l, elements.at, elements.n));
        }
    }
    vec_free(m->mem, &elements);
}

/* ---- G604, G605 ---- */

static bool
is_path(char c)
{
    return is_hex(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '-' || c == '.' ||
           c == '+' || c == '/' || c == '@' || c == '~';
}

/* the end of the absolute path at p if it has at least two parts, or NULL; *name becomes its file name */
static const char *
path_end(const char *p, const char *end, const char **name)
{
    const char *q = p;
    u32 parts = 0;
    for (; q < end && is_path(*q); q++)
        if (*q == '/') {
            parts += q + 1 < end && is_path(q[1]) && q[1] != '/';
            *name = q + 1;
        }
    return parts > 1 && q > *name && memchr(*name, '.', (size_t)(q - *name)) ? q : NULL;
}

void
lint_G604(struct lint *l, u32 e)
{
    const struct module *m = l->m;
    for (param_t p = m->eqns.at[e].params; p != NONE; p = m->params.at[p].next) {
        struct slice value = param_value(m, p);
        const char *at = value.at, *end = at + value.n, *stop, *name = at;
        for (; m->params.at[p].key != NONE && (at = memchr(at, '/', (size_t)(end - at))) != NULL; at++) {
            bool url = at > value.at && at[-1] == ':' && at + 1 < end && at[1] == '/';
            if (url || (at > value.at && is_path(at[-1])) || (stop = path_end(at, end, &name)) == NULL)
                continue;
            lint_report(l, e, span_of(m, at, stop), "`%s` contains a path, which differs between machines",
                        lint_key(l, p));
            at = stop - 1;
        }
    }
}

/* the end of the word at p, after a `<`, if it begins an object's description, as in `<QNode: ..` or `<function f`,
 * or NULL */
static const char *
object_name(const char *p, const char *end)
{
    const char *q = p;
    while (q < end && ((*q >= 'a' && *q <= 'z') || (*q >= 'A' && *q <= 'Z') || *q == '_' || (q > p && is_digit(*q))))
        q++;
    if (q - p < 2 || q >= end || slice_eq((struct slice){p, (size_t)(q - p)}, SLICE("unnamed")))
        return NULL;         /* JAX prints `<unnamed wrapped function>` for all such functions */
    bool dotted = *q == '.'; /* `<jax.f object at 0x..>`; an enum's `<Kind.A: 1>` is the same in every run */
    while (q < end && *q != ' ' && *q != ':' && *q != '>' && *q != '<' && *q != '=' && *q != '\n')
        q++;
    if (q >= end || (*q != ' ' && *q != ':') || (*q == ':' && (dotted || q + 1 >= end || q[1] != ' ')))
        return NULL;
    return q;
}

/* the end of an object's description at p, `<function f.<locals>.g at 0x..>`; NULL if there is none */
static const char *
object_end(const char *p, const char *end)
{
    const char *q = object_name(p + 1, end), *stop = q;
    for (u32 depth = 1; q && q < end && depth; q++) {
        depth = *q == '<' ? depth + 1 : *q == '>' ? depth - 1 : depth;
        stop = depth ? stop : q + 1;
    }
    return stop;
}

void
lint_G605(struct lint *l, u32 e)
{
    const struct module *m = l->m;
    for (param_t p = m->eqns.at[e].params; p != NONE; p = m->params.at[p].next) {
        struct slice value = param_value(m, p), wrapped = SLICE(WRAPPED_FUNCTION);
        const char *at = value.at, *end = at + value.n, *stop = NULL;
        if (m->params.at[p].key == NONE || value.n == 0)
            continue;
        const char *found = memmem(at, value.n, wrapped.at, wrapped.n);
        if (found)
            stop = found + wrapped.n - 1;
        for (; !found && (at = memchr(at, '<', (size_t)(end - at))) != NULL; at++)
            if ((stop = object_end(at, end)) != NULL)
                found = at;
            else if (at + 1 == end)
                break;
        if (found)
            lint_report(l, e, span_of(m, found, stop),
                        "`%s` contains the repr of a Python object, which may differ between equal objects",
                        lint_key(l, p));
    }
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Hunks as text or JSON, each written when it is found. Linear in what is written; long values are cut in text. */
#include "diff/show.h"

/* columns of a value in text, beyond which it is cut */
enum { LONGEST = 120 };

void
change_add(struct differ *d, struct change *c, const char *what, struct slice which, struct slice from, struct slice to)
{
    *vec_push(d->a->m->mem, c) = (struct detail){what, which, from, to};
}

void
change_end(struct differ *d, struct change *c)
{
    vec_free(d->a->m->mem, c);
}

/* ---- equations in the names of a -------------------------------------------------------------------------------- */

static void
put_name(struct differ *d, struct sink *out, const struct module *m, var_t v)
{
    struct name_buffer buffer;
    bool other = m == d->b->m && m != d->a->m;
    if (other && v < d->n_names && d->names[v] != NONE) {
        v = d->names[v];
        m = d->a->m;
        other = false;
    }
    sink_slice(out, module_name(m, m->vars.at[v].name, &buffer));
    if (other)
        sink_char(out, '\'');
}

static void
put_atom(struct differ *d, struct sink *out, const struct module *m, atom_t a)
{
    struct name_buffer buffer;
    switch (atom_kind(a)) {
    case ATOM_VAR:
        put_name(d, out, m, atom_id(a));
        break;
    case ATOM_NAME:
        sink_slice(out, module_name(m, atom_id(a), &buffer));
        break;
    case ATOM_LIT: {
        const struct literal *l = &m->literals.at[atom_id(a)];
        sink_slice(out, module_bytes(m, l->value));
        if (l->type != NONE) {
            sink_char(out, ':');
            sink_slice(out, type_get(&m->types, l->type)->text);
        }
        break;
    }
    case ATOM_REF:
        put_atom(d, out, m, m->refs.at[atom_id(a)].ref);
        sink_slice(out, module_bytes(m, m->refs.at[atom_id(a)].index));
        break;
    }
}

static struct slice
kept(struct differ *d, struct sink *out)
{
    struct slice s = arena_copy(d->a->m->mem, (struct slice){out->at, out->n});
    mem_free(out->mem, out->at);
    return s;
}

static struct slice
show_atom(struct differ *d, const struct module *m, atom_t a)
{
    struct sink out;
    sink_init_memory(&out, d->a->m->mem);
    put_atom(d, &out, m, a);
    return kept(d, &out);
}

struct slice
show_atom_a(struct differ *d, atom_t a)
{
    return show_atom(d, d->a->m, a);
}

struct slice
show_atom_b(struct differ *d, atom_t a)
{
    return show_atom(d, d->b->m, a);
}

struct slice
show_type(const struct module *m, type_t t)
{
    return t == NONE ? SLICE("no type") : type_get(&m->types, t)->text;
}

static bool
is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

bool
show_index_same(struct differ *d, const struct refexpr *x, const struct refexpr *y)
{
    struct slice s = module_bytes(d->a->m, x->index), t = module_bytes(d->b->m, y->index);
    size_t i = 0, k = 0;
    while (i < s.n && k < t.n) {
        if (is_word(s.at[i]) && is_word(t.at[k]) && !(s.at[i] >= '0' && s.at[i] <= '9') &&
            !(t.at[k] >= '0' && t.at[k] <= '9')) {
            while (i < s.n && is_word(s.at[i]))
                i++;
            while (k < t.n && is_word(t.at[k]))
                k++;
        } else if (s.at[i++] != t.at[k++]) {
            return false;
        }
    }
    return i == s.n && k == t.n;
}

static void
put_params(struct sink *out, const struct module *m, const struct eqn *e)
{
    struct name_buffer buffer;
    const char *before = "[";
    for (param_t p = e->params; p != NONE; p = m->params.at[p].next) {
        const struct param *param = &m->params.at[p];
        if (param->key == NONE)
            continue;
        sink_printf(out, "%s", before);
        before = " ";
        sink_slice(out, module_name(m, param->key, &buffer));
        sink_char(out, '=');
        struct slice value = module_bytes(m, param->span);
        if (param->kind == PARAM_JAXPR || param->kind == PARAM_MIXED || (param->kind == PARAM_TUPLE && param->a != NONE))
            value = SLICE("{..}");
        for (size_t i = 0; i < value.n && i < LONGEST; i++)
            sink_char(out, value.at[i] == '\n' ? ' ' : value.at[i]);
        if (value.n > LONGEST)
            sink_put(out, "..", 2);
    }
    if (*before == ' ')
        sink_char(out, ']');
}

static void
put_equation(struct differ *d, struct sink *out, const struct module *m, eqn_t id)
{
    const struct eqn *e = &m->eqns.at[id];
    struct name_buffer buffer;
    for (u32 i = 0; i < e->n_vars; i++) {
        if (i > 0)
            sink_char(out, ' ');
        put_name(d, out, m, e->vars + i);
        if (m->vars.at[e->vars + i].type != NONE) {
            sink_char(out, ':');
            sink_slice(out, type_get(&m->types, m->vars.at[e->vars + i].type)->text);
        }
    }
    if (e->n_vars > 0)
        sink_put(out, " = ", 3);
    sink_slice(out, module_name(m, e->prim, &buffer));
    put_params(out, m, e);
    for (u32 i = 0; i < e->n_atoms; i++) {
        sink_char(out, ' ');
        put_atom(d, out, m, m->atoms.at[e->atoms + i]);
    }
}

/* ---- hunks ------------------------------------------------------------------------------------------------------ */

static u32
line_of(struct module *m, eqn_t e)
{
    u32 at = e == NONE ? NONE : m->eqns.at[e].offset;
    return at == NONE || at >= m->text.n ? 0 : text_position(m->mem, &m->text, at).line;
}

static void
put_field(struct sink *out, const char *key, struct slice value)
{
    sink_printf(out, ",\"%s\":", key);
    if (value.n == 0)
        sink_put(out, "null", 4);
    else
        sink_json_string(out, value);
}

static void
put_equation_field(struct differ *d, const char *key, const struct module *m, eqn_t e)
{
    struct sink text;
    sink_init_memory(&text, d->a->m->mem);
    put_equation(d, &text, m, e);
    put_field(d->out, key, (struct slice){text.at, text.n});
    mem_free(text.mem, text.at);
}

static void
start_json(struct differ *d, const char *kind, struct slice path)
{
    sink_printf(d->out, "%s\n  {\"kind\":\"%s\",\"program\":%u", d->hunks ? "," : "", kind, d->program);
    put_field(d->out, "path", path);
}

/* the place of a hunk: `@@ 12 -> 13 @@ in jit f` */
static void
start_text(struct differ *d, u32 a, u32 b, struct slice path)
{
    sink_printf(d->out, "%s@@ ", d->color ? "\x1b[36m" : "");
    if (a)
        sink_printf(d->out, "-%u ", a);
    if (b)
        sink_printf(d->out, "+%u ", b);
    sink_printf(d->out, "@@%s", d->color ? "\x1b[39m" : "");
    if (path.n)
        sink_printf(d->out, " in %.*s", (int)path.n, path.at);
    sink_char(d->out, '\n');
}

static void
put_line(struct differ *d, char sign, const struct module *m, eqn_t e)
{
    const char *color = sign == '-' ? "\x1b[31m" : sign == '+' ? "\x1b[32m" : "";
    sink_printf(d->out, "%s%c ", d->color ? color : "", sign);
    put_equation(d, d->out, m, e);
    sink_printf(d->out, "%s\n", d->color && *color ? "\x1b[39m" : "");
}

static void
put_cut(struct sink *out, struct slice s)
{
    for (size_t i = 0; i < s.n && i < LONGEST; i++)
        sink_char(out, s.at[i] == '\n' ? ' ' : s.at[i]);
    if (s.n > LONGEST)
        sink_put(out, "..", 2);
}

static void
put_detail(struct differ *d, const struct detail *t)
{
    sink_printf(d->out, "    %s", t->what);
    if (t->which.n)
        sink_printf(d->out, " %.*s", (int)t->which.n, t->which.at);
    sink_put(d->out, ": ", 2);
    put_cut(d->out, t->from.n ? t->from : SLICE("(none)"));
    sink_put(d->out, " -> ", 4);
    put_cut(d->out, t->to.n ? t->to : SLICE("(none)"));
    sink_char(d->out, '\n');
}

static bool
writes_hunks(const struct differ *d)
{
    return d->format == DIFF_TEXT || d->format == DIFF_JSON;
}

void
show_change(struct differ *d, eqn_t a, eqn_t b, struct slice path, const struct change *c)
{
    if (d->format == DIFF_JSON) {
        start_json(d, "changed", path);
        sink_printf(d->out, ",\"line_a\":%u,\"line_b\":%u", line_of(d->a->m, a), line_of(d->b->m, b));
        put_equation_field(d, "old", d->a->m, a);
        put_equation_field(d, "new", d->b->m, b);
        sink_printf(d->out, ",\"details\":[");
        for (u32 i = 0; i < c->n; i++) {
            sink_printf(d->out, "%s{\"what\":\"%s\"", i ? "," : "", c->at[i].what);
            put_field(d->out, "which", c->at[i].which);
            put_field(d->out, "old", c->at[i].from);
            put_field(d->out, "new", c->at[i].to);
            sink_char(d->out, '}');
        }
        sink_printf(d->out, "]}");
    } else if (d->format == DIFF_TEXT) {
        start_text(d, line_of(d->a->m, a), line_of(d->b->m, b), path);
        put_line(d, '~', d->a->m, a);
        for (u32 i = 0; i < c->n; i++)
            put_detail(d, &c->at[i]);
    }
    d->hunks++;
}

static void
show_one(struct differ *d, const char *kind, char sign, const struct canon *side, eqn_t e, eqn_t other, struct slice path)
{
    bool first = side == d->a;
    u32 a = first ? line_of(d->a->m, e) : 0, b = first ? line_of(d->b->m, other) : line_of(d->b->m, e);
    if (d->format == DIFF_JSON) {
        start_json(d, kind, path);
        if (a)
            sink_printf(d->out, ",\"line_a\":%u", a);
        if (b)
            sink_printf(d->out, ",\"line_b\":%u", b);
        put_equation_field(d, first ? "old" : "new", side->m, e);
        sink_char(d->out, '}');
    } else if (writes_hunks(d)) {
        start_text(d, a, b, path);
        put_line(d, sign, side->m, e);
    }
    d->hunks++;
}

void
show_removed(struct differ *d, eqn_t a, struct slice path)
{
    show_one(d, "removed", '-', d->a, a, NONE, path);
}

void
show_added(struct differ *d, eqn_t b, struct slice path)
{
    show_one(d, "added", '+', d->b, b, NONE, path);
}

void
show_moved(struct differ *d, eqn_t a, eqn_t b, struct slice path)
{
    show_one(d, "moved", '>', d->a, a, b, path);
}

void
show_interface(struct differ *d, struct slice path, const char *what, struct slice number, struct slice from,
               struct slice to)
{
    d->counts.interface++;
    if (d->format == DIFF_JSON) {
        start_json(d, what, path);
        put_field(d->out, "which", number);
        put_field(d->out, "old", from);
        put_field(d->out, "new", to);
        sink_char(d->out, '}');
    } else if (d->format != DIFF_STAT && (d->format == DIFF_TEXT || path.n == 0)) {
        struct detail t = {what, number, from, to};
        if (d->format == DIFF_TEXT)
            start_text(d, 0, 0, path);
        put_detail(d, &t);
    }
    d->hunks++;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * The canonical bytes of equations: primitive, parameters, types of results, operands as numbers. What the versions of
 * JAX merely spell differently is spelled one way, by the rows of grammar/spellings.def and the few rules here that need
 * to look at types. Linear in the equation. */
#include "diff/canon.h"

#include "rewrite/copy.h"
#include "rewrite/values.h"

#include <stdlib.h>

/* ---- rows of spellings.def ----------------------------------------------------------------------------------------- */

struct silent {
    const char *prim, *key, *value;
};

static const struct silent silents[] = {
#define SILENT(prim, key, value) {prim, key, value},
#include "spellings.def"
#undef SILENT
};

static const struct {
    const char *prim, *key;
} left_out[] = {
#define LEFT_OUT(prim, key) {prim, key},
#include "spellings.def"
#undef LEFT_OUT
};

static const struct {
    const char *prim, *key, *from, *to;
} spelled[] = {
#define SPELLED(prim, key, from, to) {prim, key, from, to},
#include "spellings.def"
#undef SPELLED
};

static const struct {
    const char *prim, *from, *to;
} keyed[] = {
#define KEYED(prim, from, to) {prim, from, to},
#include "spellings.def"
#undef KEYED
};

struct slice
canon_prim(struct canon *c, name_t prim, struct name_buffer *buffer)
{
    const struct prim *row = prims_find(&c->prims, c->m, prim);
    return row != NULL ? slice_of(row->name) : module_name(c->m, prim, buffer);
}

static bool
row_is(const char *prim, const char *key, struct slice the_prim, struct slice the_key)
{
    return slice_eq(slice_of(key), the_key) && (prim[0] == '*' || slice_eq(slice_of(prim), the_prim));
}

static bool
is_listed(struct slice list, struct slice key)
{
    for (size_t i = 0; i < list.n;) {
        size_t n = 0;
        while (i + n < list.n && list.at[i + n] != ',')
            n++;
        if (slice_eq((struct slice){list.at + i, n}, key))
            return true;
        i += n + 1;
    }
    return false;
}

static bool
is_left_out(const struct canon *c, struct slice prim, struct slice key)
{
    for (u32 i = 0; i < countof(left_out); i++)
        if (row_is(left_out[i].prim, left_out[i].key, prim, key))
            return true;
    return is_listed(c->without, key);
}

/* `(False, False)` against `(False)`: a tuple of nothing but the one element */
static bool
tuple_repeats(struct slice value, struct slice pattern)
{
    struct slice one = {pattern.at + 1, pattern.n - 2};
    if (one.n == 0 || value.n < pattern.n || value.at[0] != '(')
        return false;
    for (size_t i = 1; i + one.n < value.n; i += one.n + 2) {
        if (memcmp(value.at + i, one.at, one.n) != 0)
            return false;
        if (i + one.n + 1 == value.n)
            return value.at[i + one.n] == ')';
        if (value.at[i + one.n] != ',' || value.at[i + one.n + 1] != ' ')
            return false;
    }
    return false;
}

static bool
is_silent(struct slice prim, struct slice key, struct slice value)
{
    if (slice_eq(value, SLICE("None")) ||
        slice_starts(value, SLICE("NamedSharding(mesh=AbstractMesh((), axis_types=()), spec=P(None")))
        return true;
    for (u32 i = 0; i < countof(silents); i++) {
        const struct silent *row = &silents[i];
        struct slice silent = slice_of(row->value);
        if (row_is(row->prim, row->key, prim, key) &&
            (slice_eq(silent, value) || (silent.at[0] == '(' && tuple_repeats(value, silent))))
            return true;
    }
    return false;
}

/* ---- rules that look at types --------------------------------------------------------------------------------- */

static const struct type *
var_type(const struct canon *c, var_t v)
{
    type_t t = c->m->vars.at[v].type;
    return t == NONE ? NULL : type_get(&c->m->types, t);
}

static const struct type *
result_type(const struct canon *c, const struct eqn *e)
{
    return e->n_vars ? var_type(c, e->vars) : NULL;
}

/* the dims of a type as the canonical value of a shape parameter */
static bool
shape_is(const struct canon *c, const struct type *t, struct slice value)
{
    if (t == NULL || t->kind != TYPE_ARRAY || t->dynamic || value.n < 2)
        return false;
    size_t at = 1;
    const struct dim *dims = type_dims(&c->m->types, t);
    for (u32 i = 0; i < t->rank; i++) {
        if (i > 0) {
            if (at + 2 > value.n || value.at[at] != ',' || value.at[at + 1] != ' ')
                return false;
            at += 2;
        }
        if (at + dims[i].text.n > value.n || memcmp(value.at + at, dims[i].text.at, dims[i].text.n) != 0)
            return false;
        at += dims[i].text.n;
    }
    return at + 1 == value.n;
}

static bool
is_type_known(struct canon *c, const struct eqn *e, struct slice prim, struct slice key, struct slice value)
{
    if (slice_eq(prim, SLICE("broadcast_in_dim")) && slice_eq(key, SLICE("shape")))
        return shape_is(c, result_type(c, e), value);
    if (slice_eq(key, SLICE("preferred_element_type"))) {
        const struct type *t = result_type(c, e);
        return t != NULL && t->kind == TYPE_ARRAY && t->dtype == dtype_find(value);
    }
    if (slice_eq(prim, SLICE("top_k")) && slice_eq(key, SLICE("axis"))) {
        const struct type *t = result_type(c, e);
        return t != NULL && t->kind == TYPE_ARRAY && text_int(value) + 1 == (i64)t->rank;
    }
    return false;
}

/* constants and carried values of a scan, from whichever parameters tell them */
static bool
put_scan_counts(struct canon *c, struct sink *out, eqn_t e)
{
    struct module *m = c->m;
    param_t tree = eqn_param(m, e, SLICE("ft_in")), consts = eqn_param(m, e, SLICE("num_consts")),
            carry = eqn_param(m, e, SLICE("num_carry"));
    u32 counts[3];
    if (tree != NONE && flat_counts(module_bytes(m, m->params.at[tree].span), counts, 3)) {
        sink_printf(out, " counts=%u %u", counts[0], counts[1]);
        return true;
    }
    if (consts == NONE || carry == NONE)
        return false;
    i64 n_consts = text_int(module_bytes(m, m->params.at[consts].span)),
        n_carry = text_int(module_bytes(m, m->params.at[carry].span));
    sink_printf(out, " counts=%lld %lld", (long long)n_consts, (long long)n_carry);
    return n_consts >= 0 && n_carry >= 0;
}

static bool
is_scan_count(struct slice key)
{
    return slice_eq(key, SLICE("ft_in")) || slice_eq(key, SLICE("ft_out")) || slice_eq(key, SLICE("num_consts")) ||
           slice_eq(key, SLICE("num_carry"));
}

/* ---- parameters ------------------------------------------------------------------------------------------------ */

static void
put_digest(struct canon *c, struct sink *out, jaxpr_t j)
{
    char hex[64];
    if (j == NONE)
        return;
    digest_hex(canon_digest(c, j), hex, sizeof hex);
    sink_put(out, hex, sizeof hex);
}

static void
put_segments(struct canon *c, struct sink *out, const struct param *p)
{
    const struct module *m = c->m;
    if (p->kind == PARAM_TUPLE)
        sink_char(out, '(');
    for (u32 s = p->a; s != NONE; s = m->segments.at[s].next) {
        const struct segment *segment = &m->segments.at[s];
        if (p->kind == PARAM_TUPLE && s != p->a)
            sink_char(out, ' ');
        if (segment->kind == SEGMENT_JAXPR)
            put_digest(c, out, segment->a);
        else if (segment->kind == SEGMENT_PROGRAM)
            put_digest(c, out, m->programs.at[segment->a].main);
        else if (segment->kind == SEGMENT_SHARED && segment->a != NONE)
            put_digest(c, out, m->lets.at[segment->a].jaxpr);
        else
            canon_value(m->mem, out, module_bytes(m, segment->span));
    }
    if (p->kind == PARAM_TUPLE)
        sink_char(out, ')');
}

static void
put_value(struct canon *c, struct sink *out, const struct param *p)
{
    if (p->kind == PARAM_JAXPR)
        put_digest(c, out, p->a);
    else if (p->kind == PARAM_SHARED && p->a != NONE)
        put_digest(c, out, c->m->lets.at[p->a].jaxpr);
    else if (p->kind == PARAM_TUPLE || p->kind == PARAM_MIXED)
        put_segments(c, out, p);
    else
        canon_value(c->m->mem, out, module_bytes(c->m, p->span));
}

/* A parameter and the key it is sorted by. */
struct canon_param {
    struct slice key;
    param_t param;
};

static int
compare_params(const void *a, const void *b)
{
    const struct canon_param *x = a, *y = b;
    int order = memcmp(x->key.at, y->key.at, x->key.n < y->key.n ? x->key.n : y->key.n);
    return order != 0 ? order : x->key.n < y->key.n ? -1 : x->key.n > y->key.n;
}

/* rows that give a value another spelling, which stands in out from `at` on */
static void
respell(struct canon *c, struct sink *out, size_t at, struct slice prim, struct slice key)
{
    struct slice value = {out->at + at, out->n - at};
    for (u32 i = 0; i < countof(spelled); i++)
        if (row_is(spelled[i].prim, spelled[i].key, prim, key) && slice_eq(slice_of(spelled[i].from), value)) {
            out->n = at;
            sink_slice(out, slice_of(spelled[i].to));
            return;
        }
    if (slice_eq(key, SLICE("shape")) && slice_eq(prim, SLICE("random_split")) && value.n && value.at[0] != '(') {
        struct slice count = arena_copy(c->m->mem, value); /* count=3 */
        out->n = at;
        sink_printf(out, "(%.*s)", (int)count.n, count.at);
    }
}

static void
put_param(struct canon *c, struct sink *out, const struct eqn *e, struct slice prim, const struct canon_param *cp)
{
    size_t from = out->n;
    sink_char(out, ' ');
    sink_slice(out, cp->key);
    sink_char(out, '=');
    size_t at = out->n;
    put_value(c, out, &c->m->params.at[cp->param]);
    struct slice value = {out->at + at, out->n - at};
    if (is_silent(prim, cp->key, value) || is_type_known(c, e, prim, cp->key, value))
        out->n = from;
    else
        respell(c, out, at, prim, cp->key);
}

/* the newest name of a key */
static struct slice
newest_key(struct slice prim, struct slice key)
{
    for (u32 i = 0; i < countof(keyed); i++)
        if (row_is(keyed[i].prim, keyed[i].from, prim, key))
            return slice_of(keyed[i].to);
    return key;
}

struct canon_params_list {
    struct canon_param *at;
    u32 n, cap;
};

/* lists the parameters of an equation by key; left-out ones only with `all` */
static void
list_params(struct canon *c, eqn_t id, struct slice prim, bool all, bool counted, struct canon_params_list *list)
{
    struct module *m = c->m;
    struct name_buffer buffer;
    for (param_t p = m->eqns.at[id].params; p != NONE; p = m->params.at[p].next) {
        if (m->params.at[p].key == NONE)
            continue;
        struct slice key = module_name(m, m->params.at[p].key, &buffer);
        if ((!all && is_left_out(c, prim, key)) || (counted && is_scan_count(key)))
            continue;
        key = newest_key(prim, key);
        if (m->params.at[p].key < NAME_OTHER)
            key = arena_copy(m->mem, key); /* it was spelled into the buffer */
        *vec_push(m->mem, list) = (struct canon_param){key, p};
    }
    if (list->n > 1)
        qsort(list->at, list->n, sizeof *list->at, compare_params);
}

void
canon_params(struct canon *c, struct sink *out, eqn_t id)
{
    const struct eqn e = c->m->eqns.at[id];
    struct name_buffer buffer;
    struct canon_params_list list = {0};
    if (e.params == NONE)
        return;
    struct slice prim = canon_prim(c, e.prim, &buffer);
    bool counted = slice_eq(prim, SLICE("scan")) && put_scan_counts(c, out, id);
    list_params(c, id, prim, false, counted, &list);
    for (u32 i = 0; i < list.n; i++)
        put_param(c, out, &e, prim, &list.at[i]);
    vec_free(c->m->mem, &list);
}

void
canon_spell(struct canon *c, struct sink *out, eqn_t e, param_t p)
{
    struct name_buffer buffer, key_buffer;
    struct slice prim = canon_prim(c, c->m->eqns.at[e].prim, &buffer);
    struct slice key = module_name(c->m, c->m->params.at[p].key, &key_buffer);
    size_t at = out->n;
    if (is_left_out(c, prim, key)) { /* shown as it is */
        sink_slice(out, module_bytes(c->m, c->m->params.at[p].span));
        return;
    }
    put_value(c, out, &c->m->params.at[p]);
    respell(c, out, at, prim, newest_key(prim, key));
}

static param_t
add_count(struct module *m, const char *key, u32 value, param_t *last)
{
    struct slice text = arena_printf(m->mem, "%u", value);
    struct param p = {.key = module_intern(m, slice_of(key)), .kind = PARAM_TEXT, .a = NONE, .next = NONE};
    p.span = module_add_bytes(m, text);
    param_t id = m->params.n;
    *vec_push(m->mem, &m->params) = p;
    if (*last != NONE)
        m->params.at[*last].next = id;
    *last = id;
    return id;
}

/* scan's counts under the names they had until 0.10.2, when trees came in their place; false where nothing is to do */
static bool
scan_counts(struct canon *c, eqn_t e, u32 counts[3])
{
    struct module *m = c->m;
    param_t tree = eqn_param(m, e, SLICE("ft_in"));
    return tree != NONE && flat_counts(module_bytes(m, m->params.at[tree].span), counts, 3);
}

/* preferred_element_type goes without saying only where it is what the operands have */
static bool
is_promotion(const struct canon *c, eqn_t id, struct slice key)
{
    const struct eqn *e = &c->m->eqns.at[id];
    const struct type *t = result_type(c, e);
    if (!slice_eq(key, SLICE("preferred_element_type")) || t == NULL)
        return false;
    for (u32 i = 0; i < e->n_atoms; i++) {
        atom_t a = c->m->atoms.at[e->atoms + i];
        const struct type *operand = atom_kind(a) == ATOM_VAR ? var_type(c, atom_id(a)) : NULL;
        if (operand == NULL || operand->dtype != t->dtype)
            return true;
    }
    return false;
}

param_t
canon_sorted(struct canon *c, eqn_t id, bool all)
{
    struct module *m = c->m;
    struct name_buffer buffer;
    struct canon_params_list list = {0};
    struct slice prim = canon_prim(c, m->eqns.at[id].prim, &buffer);
    u32 counts[3];
    bool counted = slice_eq(prim, SLICE("scan")) && scan_counts(c, id, counts);
    list_params(c, id, prim, all, counted, &list);
    param_t first = NONE, last = NONE;
    for (u32 pass = 0; pass < 2; pass++) /* `name` first */
        for (u32 i = 0; i < list.n; i++) {
            struct canon_param *cp = &list.at[i];
            if (slice_eq(cp->key, SLICE("name")) != (pass == 0))
                continue;
            if (counted && slice_starts(cp->key, SLICE("reverse"))) {
                param_t carry = add_count(m, "num_carry", counts[1], &last);
                first = first == NONE ? carry : first;
                add_count(m, "num_consts", counts[0], &last);
            }
            c->key.n = 0;
            put_param(c, &c->key, &m->eqns.at[id], prim, cp);
            bool silent = c->key.n == 0 && !is_promotion(c, id, cp->key);
            u32 kind = m->params.at[cp->param].kind;
            if (silent && (kind == PARAM_TEXT || (kind == PARAM_TUPLE && m->params.at[cp->param].a == NONE)))
                continue;
            param_t copy = copy_param(m, cp->param, &last);
            name_t key = module_intern(m, cp->key);
            m->params.at[copy].key = key;
            first = first == NONE ? copy : first;
        }
    vec_free(m->mem, &list);
    return first;
}

/* ---- types ------------------------------------------------------------------------------------------------------ */

static void
find_dims(struct canon *c, u32 vars, u32 n)
{
    for (u32 i = 0; i < n; i++) {
        const struct type *t = var_type(c, vars + i);
        if (t == NULL || (t->kind == TYPE_ARRAY && t->rank > 0))
            continue;
        memo_set(c->m->mem, &c->dims, c->m->vars.at[vars + i].name, (u64)vars + i + 1);
    }
}

static void
put_dim(struct canon *c, struct sink *out, const struct dim *d)
{
    if (d->kind == DIM_NAME && c->variables) {
        struct module *m = c->m;
        if (c->dims.n == 0) {
            const struct jaxpr *j = &m->jaxprs.at[c->at];
            find_dims(c, j->vars, j->n_consts + j->n_ins);
            for (eqn_t e = j->eqns; e != NONE; e = m->eqns.at[e].next)
                find_dims(c, m->eqns.at[e].vars, m->eqns.at[e].n_vars);
            memo_set(m->mem, &c->dims, NAME_MASK, 1); /* so that it is not empty */
        }
        u64 v = memo_get(&c->dims, d->name);
        if (v && c->number[v - 1] != NONE)
            sink_printf(out, "#%u", c->number[v - 1]);
        else
            sink_slice(out, d->text);
    } else {
        sink_slice(out, d->text);
    }
    if (d->sharding.n) {
        sink_char(out, '@');
        sink_slice(out, d->sharding);
    }
}

void
canon_type(struct canon *c, struct sink *out, type_t id)
{
    if (id == NONE)
        return;
    const struct types *types = &c->m->types;
    const struct type *t = type_get(types, id);
    if (t->kind == TYPE_REF && t->inner != NONE) {
        sink_printf(out, "Ref");
        if (t->space.n && !slice_eq(t->space, SLICE("default")) && !slice_eq(t->space, SLICE("None")))
            sink_printf(out, "<%.*s>", (int)t->space.n, t->space.at);
        sink_char(out, '{');
        t = type_get(types, t->inner);
        if (t->kind == TYPE_REF) { /* never printed by JAX */
            sink_slice(out, t->text);
            sink_char(out, '}');
            return;
        }
    }
    bool ref = type_get(types, id)->kind == TYPE_REF;
    if (t->kind == TYPE_ARRAY) {
        const struct dim *dims = type_dims(types, t);
        sink_slice(out, dtype_text(&c->m->names, t->dtype));
        if (t->space.n)
            sink_printf(out, "<%.*s>", (int)t->space.n, t->space.at);
        sink_char(out, '[');
        for (u32 i = 0; i < t->rank; i++) {
            if (i > 0)
                sink_char(out, ',');
            put_dim(c, out, &dims[i]);
        }
        sink_char(out, ']');
        sink_slice(out, t->vary);
    } else {
        canon_value(c->m->mem, out, t->text);
    }
    if (ref)
        sink_char(out, '}');
}

/* ---- operands --------------------------------------------------------------------------------------------------- */

static bool
is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static void
put_var(struct canon *c, struct sink *out, atom_t a)
{
    struct name_buffer buffer;
    if (atom_kind(a) == ATOM_VAR && c->number[atom_id(a)] < CANON_UNTOLD) {
        sink_printf(out, "#%u", c->number[atom_id(a)]);
    } else {
        name_t name = atom_kind(a) == ATOM_VAR ? c->m->vars.at[atom_id(a)].name : atom_id(a);
        sink_char(out, '?');
        sink_slice(out, module_name(c->m, name, &buffer));
    }
}

/* the whole ref: `[]`, `[...]`, `[:,:]` */
static bool
is_whole(struct slice index)
{
    for (size_t i = 0; i < index.n; i++)
        if (index.at[i] != '[' && index.at[i] != ']' && index.at[i] != '.' && index.at[i] != ':' && index.at[i] != ',')
            return false;
    return true;
}

/* an index with numbers for the variables it mentions, in their order */
static void
put_index(struct canon *c, struct sink *out, const struct refexpr *ref)
{
    const struct module *m = c->m;
    struct slice s = module_bytes(m, ref->index);
    u32 use = 0, braces = 0;
    if (is_whole(s))
        return;
    for (size_t i = 0; i < s.n;) {
        braces += s.at[i] == '{';
        braces -= braces > 0 && s.at[i] == '}';
        if (!is_word(s.at[i])) {
            sink_char(out, s.at[i++]);
            continue;
        }
        size_t word = i;
        while (i < s.n && is_word(s.at[i]))
            i++;
        struct slice name = {s.at + word, i - word};
        bool literal = slice_eq(name, SLICE("Literal")) && i < s.n && s.at[i] == '(';
        bool variable = !(name.at[0] >= '0' && name.at[0] <= '9') && !braces &&
                        !(i < s.n && (s.at[i] == '(' || s.at[i] == '=')) && !slice_eq(name, SLICE("None"));
        if (literal) { /* Literal(3) is 3 */
            for (i++; i < s.n && s.at[i] != ')'; i++)
                sink_char(out, s.at[i]);
            i += i < s.n;
        } else if (variable && use < ref->n_uses) {
            put_var(c, out, m->uses.at[ref->uses + use++]);
        } else {
            sink_slice(out, name);
        }
    }
}

/* the type a nested program's argument gives the operand */
static dtype_t
argument_dtype(const struct canon *c, eqn_t e, u32 i)
{
    const struct module *m = c->m;
    struct held h = held_start(m, e);
    bool loop = prim_is(m, e, SLICE("while")), cond = prim_is(m, e, SLICE("cond"));
    jaxpr_t j = held_next(m, &h), last = j;
    if (j == NONE)
        return NONE;
    if (cond) {
        if (i == 0)
            return DT_i32;
        i--;
    } else if (loop) {
        /* body_jaxpr comes first; constants of the condition stand in front of the operands */
        last = held_next(m, &h);
        const struct jaxpr *body = &m->jaxprs.at[j];
        u32 n = m->eqns.at[e].n_atoms;
        if (body->n_ins > n)
            return NONE;
        u32 front = n - body->n_ins;
        if (i < front)
            j = last;
        else
            i -= front;
    }
    if (j == NONE || i >= m->jaxprs.at[j].n_ins)
        return NONE;
    if (!cond && !loop && m->jaxprs.at[j].n_ins != m->eqns.at[e].n_atoms)
        return NONE;
    const struct type *t = var_type(c, jaxpr_in(&m->jaxprs.at[j], i));
    return t != NULL && t->kind == TYPE_ARRAY ? t->dtype : NONE;
}

/* the element type of the first operand that is an array, else of the first result */
static dtype_t
common_dtype(const struct canon *c, const struct eqn *e, bool results)
{
    for (u32 i = 0; i < e->n_atoms; i++) {
        atom_t a = c->m->atoms.at[e->atoms + i];
        const struct type *t = atom_kind(a) == ATOM_VAR ? var_type(c, atom_id(a)) : NULL;
        if (t != NULL && t->kind == TYPE_ARRAY && (i > 0 || t->dtype != DT_bool || e->n_atoms == 1))
            return t->dtype;
    }
    const struct type *t = results ? result_type(c, e) : NULL;
    return t != NULL && t->kind == TYPE_ARRAY ? t->dtype : NONE;
}

static dtype_t
plain_dtype(const struct literal *l)
{
    switch (l->kind) {
    case LIT_INT:
        return DT_i32;
    case LIT_FLOAT:
        return DT_f32;
    case LIT_BOOL:
        return DT_bool;
    case LIT_COMPLEX:
        return DT_c64;
    default:
        return NONE;
    }
}

/* the element type a literal has by its place: that of the argument it is given to, of the other operands where all
 * are alike, of the result; NONE where the place does not tell */
static dtype_t
place_dtype(struct canon *c, eqn_t id, u32 i)
{
    if (id == NONE)
        return NONE;
    const struct eqn *e = &c->m->eqns.at[id];
    if (e->form > EQN_CALL_BARE)
        return common_dtype(c, e, true);
    if (e->params != NONE) {
        dtype_t d = argument_dtype(c, id, i);
        if (d != NONE)
            return d;
    }
    struct name_buffer buffer;
    struct slice prim = canon_prim(c, e->prim, &buffer);
    if ((slice_eq(prim, SLICE("dynamic_slice")) && i > 0) || (slice_eq(prim, SLICE("dynamic_update_slice")) && i > 1))
        return NONE;
    const struct prim *row = prims_find(&c->prims, c->m, e->prim);
    bool compares = row != NULL && row->dtype == dtype_bool;
    bool alike = row != NULL && (row->dtype == dtype_same || row->dtype == dtype_out || compares);
    return alike ? common_dtype(c, e, !compares) : NONE;
}

dtype_t
canon_expected(struct canon *c, eqn_t e, u32 i, const struct literal *l, bool *told)
{
    dtype_t d = place_dtype(c, e, i);
    *told = d != NONE;
    return d != NONE ? d : plain_dtype(l);
}

void
canon_atom(struct canon *c, struct sink *out, atom_t a, eqn_t e, u32 i)
{
    bool told;
    if (atom_kind(a) == ATOM_LIT) {
        canon_literal(c, out, atom_id(a), canon_expected(c, e, i, &c->m->literals.at[atom_id(a)], &told));
    } else if (atom_kind(a) == ATOM_REF) {
        put_var(c, out, c->m->refs.at[atom_id(a)].ref);
        put_index(c, out, &c->m->refs.at[atom_id(a)]);
    } else {
        put_var(c, out, a);
    }
}

/* ---- equations -------------------------------------------------------------------------------------------------- */

/* what stands in the text of an equation with a form of its own besides names: `mask=`, `(p0)`, `->` */
static void
put_skeleton(struct canon *c, struct sink *out, const struct eqn *e)
{
    struct slice s = module_bytes(c->m, c->m->params.at[e->params].span);
    bool raw = e->form == EQN_RAW;
    u32 depth = 0;
    for (size_t i = 0; i < s.n;) {
        depth += s.at[i] == '[' || s.at[i] == '(' || s.at[i] == '{';
        depth -= depth > 0 && (s.at[i] == ']' || s.at[i] == ')' || s.at[i] == '}');
        if (!is_word(s.at[i])) {
            if (raw && (s.at[i] == '>' || s.at[i] == '@' || (depth && s.at[i] == '=')))
                sink_char(out, s.at[i]);
            i++;
            continue;
        }
        size_t word = i;
        while (i < s.n && is_word(s.at[i]))
            i++;
        bool keyword = i < s.n && s.at[i] == '=', opening = i < s.n && s.at[i] == '(';
        if (keyword || (raw && (opening || depth)))
            sink_printf(out, " %.*s", (int)(i - word), s.at + word);
    }
}

static bool
is_swap(const struct eqn *e)
{
    return e->form == EQN_STORE || e->form == EQN_SWAP;
}

/* true for the type of the value that is put in: that is what comes out, and a result nobody uses is not printed */
static bool
is_swapped_type(const struct canon *c, const struct eqn *e, type_t type)
{
    atom_t value = e->n_atoms > 1 ? c->m->atoms.at[e->atoms + 1] : atom_make(ATOM_NAME, 0);
    if (atom_kind(value) == ATOM_VAR)
        return c->m->vars.at[atom_id(value)].type == type;
    return atom_kind(value) == ATOM_LIT &&
           (c->m->literals.at[atom_id(value)].type == type || c->m->literals.at[atom_id(value)].type == NONE);
}

void
canon_deed(struct canon *c, struct sink *out, eqn_t id)
{
    const struct eqn e = c->m->eqns.at[id];
    struct name_buffer buffer;
    sink_slice(out, canon_prim(c, e.prim, &buffer));
    if (e.form > EQN_CALL_BARE && e.params != NONE)
        put_skeleton(c, out, &e);
    else
        canon_params(c, out, id);
    for (u32 i = 0; i < e.n_vars; i++) {
        if (is_swap(&e) && is_swapped_type(c, &e, c->m->vars.at[e.vars + i].type))
            continue;
        sink_char(out, ' ');
        canon_type(c, out, c->m->vars.at[e.vars + i].type);
    }
    if (c->seen[id])
        sink_printf(out, " after %u", c->seen[id]);
}

static int
compare_texts(const void *a, const void *b)
{
    const struct slice *x = a, *y = b;
    int order = memcmp(x->at, y->at, x->n < y->n ? x->n : y->n);
    return order != 0 ? order : x->n < y->n ? -1 : x->n > y->n;
}

static bool
is_commutative(struct slice prim)
{
    static const char *const prims[] = {"add", "mul", "max", "min", "and", "or", "xor", "eq", "ne", "add_any"};
    for (u32 i = 0; i < countof(prims); i++)
        if (slice_eq(slice_of(prims[i]), prim))
            return true;
    return false;
}

void
canon_eqn(struct canon *c, struct sink *out, eqn_t id)
{
    const struct eqn e = c->m->eqns.at[id];
    struct name_buffer buffer;
    canon_deed(c, out, id);
    if (c->aside & CANON_COMMUTE && e.n_atoms == 2 && is_commutative(canon_prim(c, e.prim, &buffer))) {
        struct slice texts[2];
        for (u32 i = 0; i < 2; i++) {
            c->key.n = 0;
            canon_atom(c, &c->key, c->m->atoms.at[e.atoms + i], id, i);
            texts[i] = arena_copy(c->m->mem, (struct slice){c->key.at, c->key.n});
        }
        qsort(texts, 2, sizeof *texts, compare_texts);
        sink_printf(out, " %.*s %.*s", (int)texts[0].n, texts[0].at, (int)texts[1].n, texts[1].at);
        return;
    }
    for (u32 i = 0; i < e.n_atoms; i++) {
        sink_char(out, ' ');
        canon_atom(c, out, c->m->atoms.at[e.atoms + i], id, i);
    }
}

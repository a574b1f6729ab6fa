/* SPDX-License-Identifier: Apache-2.0
 *
 * From digests to text. Equal nested programs become one jaxpr; equations are linked in canonical order; parameters are
 * sorted and spelled one way; literals have types; unused results are `_`. Then sharing and names follow from structure
 * alone. Each jaxpr is processed once. */
#include "canon/normalize.h"

#include "canon/respell.h"
#include "canon/spelling.h"
#include "ir/ref_text.h"
#include "base/value.h"
#include "base/decimal.h"
#include "print/naming.h"
#include "rewrite/copy.h"
#include "rewrite/rewrite.h"

#include <stdio.h>

struct normal {
    struct canon *c;
    struct module *m;
    struct memo firsts; /* by half a digest: the first jaxpr with it, plus one */
    VEC(u32) opened;    /* of with_commas: the open brackets of a value .. */
    struct sink commas; /* .. and its text */
    struct memo types;  /* by type: its normal form, plus one */
    jaxpr_t main;
    u32 round;       /* for canon_record_normal: the program, plus one */
    bool merged;     /* some jaxpr was replaced by another */
    bool pasted;     /* a program is nested in text */
    bool whole_refs; /* a whole ref is written `a[...]` */
    bool placed;     /* values keep their offsets, because reports refer to them */
};

/* ---- equal programs are one ------------------------------------------------------------------------------------ */

/* A hash that equal jaxprs share: which operations apply to which variables, in any order. */
static u64
outline(const struct normal *n, const struct jaxpr *j)
{
    const struct module *m = n->m;
    u64 sum = hash_number(hash_number(j->n_consts, j->n_ins), j->n_outs);
    for (eqn_t id = j->eqns; id != NONE; id = m->eqns.at[id].next) {
        const struct eqn *e = &m->eqns.at[id];
        const struct prim *row = prims_find(&n->c->prims, m, e->prim);
        u64 h = row != NULL ? row->row : e->prim + (u64)UINT32_MAX;
        for (u32 i = 0; i < e->n_atoms; i++) {
            atom_t a = atom_without_index(m, m->atoms.at[e->atoms + i]); /* its index may be trivial */
            h = hash_number(h, atom_kind(a) == ATOM_VAR ? n->c->number[atom_id(a)] : NONE);
        }
        sum += hash_number(h, e->n_atoms);
    }
    return sum;
}

/* computes the digests of jaxprs that may equal others of the list */
static void
digest_alike(struct normal *n, const struct jaxprs *list)
{
    struct mem *mem = n->m->mem;
    struct memo first = {0}; /* by half an outline: the first jaxpr with it, plus one */
    for (u32 i = 0; i < list->n; i++) {
        jaxpr_t j = list->at[i];
        if (j == n->main)
            continue;
        u32 half = (u32)outline(n, &n->m->jaxprs.at[j]) & INT32_MAX;
        u64 other = memo_get(&first, half);
        if (other == 0)
            memo_set(mem, &first, half, (u64)j + 1);
        else
            *vec_push(mem, &n->c->lacking) = (jaxpr_t)other - 1;
        if (other != 0 || n->m->no_fast_path)
            *vec_push(mem, &n->c->lacking) = j;
    }
    memo_free(mem, &first);
    canon_digest_lacking(n->c);
}

static jaxpr_t
representative(void *user, jaxpr_t j)
{
    struct normal *n = user;
    if (!canon_known(n->c, j))
        return j;
    const struct digest *d = canon_digest(n->c, j);
    u32 half;
    memcpy(&half, d->bytes, sizeof half);
    half &= 0x7FFFFFFF;
    u64 first = memo_get(&n->firsts, half);
    if (first == 0) {
        memo_set(n->m->mem, &n->firsts, half, (u64)j + 1);
        return j;
    }
    const struct digest *other = canon_digest(n->c, (jaxpr_t)first - 1);
    if (first - 1 == j || memcmp(d, other, sizeof *d) != 0)
        return j;
    n->merged = true;
    return (jaxpr_t)first - 1;
}

static void
merge_jaxpr(struct normal *n, jaxpr_t j)
{
    struct module *m = n->m;
    for (eqn_t e = m->jaxprs.at[j].eqns; (e = eqn_with_params(m, e)) != NONE; e = m->eqns.at[e].next)
        for (param_t p = m->eqns.at[e].params; p != NONE; p = m->params.at[p].next) {
            if (m->params.at[p].kind != PARAM_TEXT)
                param_change(m, p, representative, n);
            n->pasted |= m->params.at[p].kind == PARAM_MIXED;
        }
}

/* ---- literals and types ---------------------------------------------------------------------------------------- */

static void
normal_literal(struct normal *n, eqn_t e, u32 i, u32 id)
{
    struct module *m = n->m;
    struct literal *l = &m->literals.at[id];
    dtype_t dtype;
    double value;
    if (canon_literal_value(n->c, id, e, i, &dtype, &value)) {
        struct span span = module_add_bytes(m, decimal_text(m->mem, value));
        l = &m->literals.at[id];
        l->value = span;
        l->kind = LIT_FLOAT;
    }
    if (l->type == NONE && dtype != NONE && dtype < DT_COUNT && l->kind <= LIT_COMPLEX) {
        struct slice text = dtype_text(&m->names, dtype);
        type_t type = types_intern(&m->types, arena_printf(m->mem, "%.*s[]", (int)text.n, text.at));
        m->literals.at[id].type = type;
    }
}

/* an array's type with the short name of its element type: int4[3] is i4[3] */
static type_t
normal_array(struct module *m, type_t id)
{
    const struct type *t = type_get(&m->types, id);
    struct slice dtype = dtype_text(&m->names, t->dtype), text = t->text;
    if (t->dtype >= DT_COUNT || slice_starts(text, dtype))
        return id;
    size_t word = (size_t)(word_end(text.at) - text.at);
    return types_intern(&m->types,
                        arena_printf(m->mem, "%.*s%.*s", (int)dtype.n, dtype.at, (int)(text.n - word), text.at + word));
}

static type_t
normal_type(struct normal *n, type_t id)
{
    struct module *m = n->m;
    const struct type *t = type_get(&m->types, id);
    if (t->kind == TYPE_ARRAY)
        return normal_array(m, id);
    if (t->dynamic || t->kind != TYPE_REF)
        return id;
    size_t from = n->c->scratch.n;
    canon_type(n->c, &n->c->scratch, id);
    return types_intern(&m->types, arena_copy(m->mem, canon_cut(n->c, from)));
}

static void
normal_types(struct normal *n, u32 vars, u32 count)
{
    struct module *m = n->m;
    for (u32 i = 0; i < count; i++) {
        type_t t = m->vars.at[vars + i].type;
        if (t == NONE)
            continue;
        u64 normal = memo_get(&n->types, t);
        if (normal == 0)
            memo_set(m->mem, &n->types, t, normal = normal_type(n, t) + 1ull);
        m->vars.at[vars + i].type = (type_t)(normal - 1);
    }
}

/* ---- parameters ------------------------------------------------------------------------------------------------- */

/* true if a bracket opens a tuple, not the arguments of a call or a part of a sum; `P('x',)` is printed as one */
static bool
opens_tuple(struct slice s, size_t at)
{
    if (at > 0 && s.at[at - 1] == 'P')
        return at == 1 || !(is_word_char(s.at[at - 2]) || s.at[at - 2] == '.');
    while (at > 0 && s.at[at - 1] == ' ')
        at--;
    return at == 0 || memchr("([{,=:", s.at[at - 1], 6) != NULL;
}

/* true if what the bracket at s.at[at] closes is a whole element */
static bool
ends_element(struct slice s, size_t at)
{
    return at + 1 == s.n || memchr(")]},", s.at[at + 1], 4) != NULL;
}

/* `(1)` is a tuple in the canonical form, and `(1,)` in Python; a text with unbalanced brackets is unchanged. The
 * result is valid until the next call */
static struct slice
with_commas(struct normal *n, struct slice s)
{
    enum { SINGLE = 256 }; /* flags a tuple without a comma so far */
    struct sink *out = &n->commas;
    bool even = true;
    if (s.n == 0 || memchr(s.at, '(', s.n) == NULL)
        return s;
    out->n = n->opened.n = 0;
    for (size_t i = 0; i < s.n && even; i++) {
        char c = s.at[i];
        if (c == '\'' || c == '"') {
            size_t stop = (size_t)(quoted_end(s.at + i, s.at + s.n) - s.at);
            sink_write(out, s.at + i, stop - i);
            i = stop - 1;
            continue;
        }
        if (bracket_step(c) > 0) {
            bool single = c == '(' && opens_tuple(s, i) && i + 1 < s.n && s.at[i + 1] != ')';
            *vec_push(n->m->mem, &n->opened) = (u32)c | (single ? SINGLE : 0);
        } else if (c == ',' && n->opened.n) {
            n->opened.at[n->opened.n - 1] &= ~(u32)SINGLE;
        } else if (bracket_step(c) < 0) {
            u32 open = n->opened.n ? n->opened.at[--n->opened.n] : 0;
            even = (open & 255) == (c == ')' ? '(' : c == ']' ? '[' : '{');
            if (open & SINGLE && ends_element(s, i))
                sink_char(out, ',');
        }
        sink_char(out, c);
    }
    return even && n->opened.n == 0 ? (struct slice){out->at, out->n} : s;
}

/* tuples of axes in a tuple, `((1), (0))`, become lists; those in sets, which are sorted, are not changed */
static void
make_lists(char *value, size_t n)
{
    char *open = NULL, *end = value + n;
    if (n == 0 || value[0] != '(' || memchr(value, '{', n) != NULL)
        return;
    for (char *p = value; p < end; p++) {
        if (*p == ')' && open != NULL) {
            *open = '[';
            *p = ']';
        }
        if (*p == '(')
            open = p == value || !is_word_char(p[-1]) ? p : NULL;
        else if (!is_digit(*p) && *p != ',' && *p != ' ')
            open = NULL;
    }
}

/* sets the printed value of a parameter: its canonical spelling if it is part of the identity, else its own text on one
 * line */
static void
normal_param(struct normal *n, eqn_t e, struct slice prim, param_t p)
{
    struct module *m = n->m;
    if (m->params.at[p].kind != PARAM_TEXT)
        return;
    u8 spelling_of_key = spelling_key(n->c, m->eqns.at[e].prim, prim, m->params.at[p].key)->spelling_of_key &
                         (u8) ~(KEY_SILENT | KEY_NEEDED);
    struct slice text = param_bytes(m, &m->params.at[p]);
    bool wrapped = m->params.at[p].a != NONE; /* across lines */
    struct canon_spelled *known = spelling_of_key || wrapped ? NULL : canon_remembered(n->c, text);
    if (known != NULL && known->shown) {
        if (!n->placed)
            m->params.at[p].span.at = known->at; /* all equal texts share one buffer, which stays in the cache */
        return;
    }
    size_t from = n->c->scratch.n;
    canon_spell(n->c, &n->c->scratch, e, p);
    struct slice value = canon_cut(n->c, from);
    if (spelling_of_key & KEY_LISTED)
        make_lists(n->c->scratch.at + from, value.n);
    if (!(spelling_of_key & KEY_LEFT_OUT)) /* values that are left out are printed as they are */
        value = with_commas(n, value);
    if (wrapped || !slice_eq(value, text)) {
        param_set_text(m, p, value);
    } else if (known != NULL) {
        known->shown = true;
        known->at = m->params.at[p].span.at;
    }
}

static void
normal_params(struct normal *n, eqn_t e)
{
    struct module *m = n->m;
    if (m->eqns.at[e].params == NONE || m->eqns.at[e].form > EQN_CALL_BARE)
        return;
    struct canon_operation *slot;
    if (canon_recall_normal(n->c, e, n->round, &slot))
        return;
    param_t list = canon_sorted(n->c, e, true);
    m->eqns.at[e].params = list;
    struct name_buffer buffer;
    struct slice prim = canon_prim(n->c, m->eqns.at[e].prim, &buffer);
    for (param_t p = list; p != NONE; p = m->params.at[p].next)
        normal_param(n, e, prim, p);
    canon_record_normal(n->c, slot, n->round, list);
}

/* ---- refs ------------------------------------------------------------------------------------------------------- */

/* writes indexing text in normal form: a whole ref `a[:,:]` or `a[]` becomes `a[...]`, and Literal(3) becomes 3 */
static void
write_indexed(struct sink *out, struct slice s)
{
    for (size_t i = 0; i < s.n;) {
        struct slice rest = {s.at + i, s.n - i};
        const char *close = canon_whole_close(s, i);
        if (close != NULL) {
            sink_write(out, "[...]", 5);
            i += (size_t)(close + 1 - rest.at);
        } else if (slice_starts(rest, SLICE("Literal(")) && (close = memchr(rest.at, ')', rest.n)) != NULL) {
            sink_write(out, rest.at + 8, (size_t)(close - rest.at) - 8);
            i += (size_t)(close + 1 - rest.at);
        } else {
            sink_char(out, s.at[i++]);
        }
    }
}

static struct span
normal_indexed(struct normal *n, struct span span)
{
    struct slice text = module_bytes(n->m, span);
    size_t from = n->c->scratch.n;
    write_indexed(&n->c->scratch, text);
    struct slice normal = canon_cut(n->c, from);
    return slice_eq(normal, text) ? span : module_add_bytes(n->m, normal);
}

/* brings the indexes of an equation's refs into normal form */
static void
normal_refs(struct normal *n, eqn_t e)
{
    struct module *m = n->m;
    for (u32 k = 0; k < m->eqns.at[e].n_atoms; k++) {
        atom_t a = m->atoms.at[m->eqns.at[e].atoms + k];
        if (atom_kind(a) == ATOM_REF)
            m->refs.at[atom_id(a)].index = normal_indexed(n, m->refs.at[atom_id(a)].index);
    }
}

/* ---- jaxprs ----------------------------------------------------------------------------------------------------- */

/* true if verbatim text of a jaxpr mentions names, which must then be kept until renaming replaces them */
static bool
has_names(const struct module *m, jaxpr_t id)
{
    const struct jaxpr *j = &m->jaxprs.at[id];
    if (jaxpr_effects(m, id).n > 0 || vars_dynamic(m, j->vars, jaxpr_binders(j)))
        return true;
    for (eqn_t id_of = j->eqns; id_of != NONE; id_of = m->eqns.at[id_of].next) {
        const struct eqn *e = &m->eqns.at[id_of];
        if (e->form > EQN_CALL_BARE || vars_dynamic(m, e->vars, e->n_vars) || eqn_indexes(m, e))
            return true;
    }
    return false;
}

/* gives variables distinct names for now, so that no two jaxprs look alike */
static void
name_apart(struct module *m, u32 vars, u32 count)
{
    for (var_t v = vars; v < vars + count; v++)
        m->vars.at[v].name = v < m->names.numeral_limit ? v : module_intern(m, arena_printf(m->mem, "_%u", v));
}

/* Prefetches the texts of equations that are visited soon: canonical order is not the order in memory. */
struct reading {
    const struct module *m;
    eqn_t ahead; /* the one to prefetch next; NONE at the end, and for small jaxprs */
};

static struct reading
reading_start(const struct module *m, jaxpr_t id)
{
    enum { AHEAD = 8, SMALL = 64 }; /* small arrays stay in the cache */
    struct reading r = {m, m->jaxprs.at[id].n_eqns < SMALL ? NONE : m->jaxprs.at[id].eqns};
    for (u32 i = 0; i < AHEAD && r.ahead != NONE; i++)
        r.ahead = m->eqns.at[r.ahead].next;
    return r;
}

/* always_inline for gcc: see canon_fetch */
__attribute__((always_inline)) static inline void
reading_next(struct reading *r)
{
    const struct module *m = r->m;
    if (r->ahead == NONE)
        return;
    const struct eqn *e = &m->eqns.at[r->ahead];
    for (u32 i = 0; i < e->n_atoms; i++)
        if (atom_kind(m->atoms.at[e->atoms + i]) == ATOM_LIT)
            prefetch(module_bytes(m, m->literals.at[atom_id(m->atoms.at[e->atoms + i])].value).at);
    for (param_t p = e->params; p != NONE; p = m->params.at[p].next)
        prefetch(module_bytes(m, m->params.at[p].span).at);
    r->ahead = e->next;
}

static void
normal_jaxpr(struct normal *n, jaxpr_t id, bool named)
{
    struct module *m = n->m;
    canon_relink(n->c, id, !named);
    const struct jaxpr *j = &m->jaxprs.at[id];
    normal_types(n, j->vars, jaxpr_binders(j));
    u32 outs = j->outs, n_outs = j->n_outs;
    bool main = id == n->main;
    struct reading reading = reading_start(m, id);
    for (eqn_t e = j->eqns; e != NONE; e = m->eqns.at[e].next) {
        reading_next(&reading);
        normal_types(n, m->eqns.at[e].vars, m->eqns.at[e].n_vars);
        for (u32 k = 0; k < m->eqns.at[e].n_atoms && m->eqns.at[e].form <= EQN_CALL_BARE; k++) {
            atom_t a = m->atoms.at[m->eqns.at[e].atoms + k];
            if (atom_kind(a) == ATOM_LIT)
                normal_literal(n, e, k, atom_id(a));
        }
    }
    for (u32 i = 0; i < n_outs; i++)
        if (atom_kind(m->atoms.at[outs + i]) == ATOM_LIT)
            normal_literal(n, NONE, main ? i : NONE, atom_id(m->atoms.at[outs + i]));
}

/* gives the primitive of an equation its name in the table */
static void
normal_prim(struct normal *n, eqn_t e)
{
    struct module *m = n->m;
    const char *newest = prims_newest(&n->c->prims, m, m->eqns.at[e].prim);
    if (newest != NULL) {
        name_t name = module_intern(m, slice_of(newest));
        m->eqns.at[e].prim = name;
    }
}

static void
finish_jaxpr(struct normal *n, jaxpr_t id, bool named)
{
    struct module *m = n->m;
    struct reading reading = reading_start(m, id);
    for (eqn_t e = m->jaxprs.at[id].eqns; e != NONE; e = m->eqns.at[e].next) {
        reading_next(&reading);
        normal_params(n, e);
        normal_prim(n, e);
        if (named && n->whole_refs)
            normal_refs(n, e);
        if (!named)
            name_apart(m, m->eqns.at[e].vars, m->eqns.at[e].n_vars);
    }
    const struct jaxpr *j = &m->jaxprs.at[id];
    if (!named)
        name_apart(m, j->vars, jaxpr_binders(j));
}

/* makes the `let`s that are printed before a program, as `version` does; in canonical text all names are chosen before
 * anything is printed */
static void
prepend_binders(struct module *m, program_t program, const struct normal_how *how, struct version_range version)
{
    if (how->share == SHARE_ALWAYS)
        share_program(m, program, range_at(JAX_NAMES_AHEAD), true, true);
    else if (how->share == SHARE_AUTO || !unshare_program(m, program))
        share_program(m, program, version, true, false);
}

void
normal_program(struct canon *c, program_t program, const struct normal_how *how)
{
    struct module *m = c->m;
    struct normal n = {.c = c, .m = m, .main = m->programs.at[program].main, .round = program + 1};
    sink_init_memory(&n.commas, m->mem);
    bool canonical = !range_given(how->jax);
    n.placed = !canonical;
    n.whole_refs = canonical || range_has(how->jax, JAX_WHOLE_REFS_DOTTED);
    struct jaxprs all = {0};
    const struct canon_mode mode = {
        .variables = how->variables,
        .old_shards = !canonical && !range_has(how->jax, JAX_SHARD_MAP_SPECS),
    };
    pass_constants(&(struct passes){.m = m}, program);
    open_program(m, program);
    canon_inside(c, program, mode);
    reach_unpasted(m, program, &all);
    digest_alike(&n, &all);
    for (u32 i = 0; i < all.n; i++)
        merge_jaxpr(&n, all.at[i]);
    if (n.merged || n.pasted) { /* pasted programs are ordered but never shared */
        all.n = 0;
        reach_all(m, program, &all);
    }
    u8 *named = mem_alloc(m->mem, all.n); /* the text of the i-th contains names that must be kept until renaming */
    for (u32 i = all.n; i-- > 0;) {       /* beginning with the last one digested */
        named[i] = has_names(m, all.at[i]);
        normal_jaxpr(&n, all.at[i], named[i]);
    }
    for (u32 i = 0; i < all.n; i++)
        finish_jaxpr(&n, all.at[i], named[i]);
    bool nests = all.n > 1;
    mem_free_all(m->mem, n.firsts.slots, n.opened.at, n.commas.at, n.types.slots, named, all.at);
    if (!canonical)
        respell_program(c, program, how->jax);
    if (nests || !canonical)
        prepend_binders(m, program, how, canonical ? range_at(JAX_NAMES_AHEAD) : how->jax);
    unsigned naming = NAMING_PLAIN | NAMING_APART | (how->variables ? 0 : NAMING_SYMBOLS);
    if (canonical && how->share != SHARE_NEVER)
        naming |= NAMING_ONCE;
    rename_program(m, program, how->jax, naming); /* without a version, names are those of the oldest */
}

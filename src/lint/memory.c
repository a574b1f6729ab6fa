/* SPDX-License-Identifier: Apache-2.0
 *
 * P301 to P303 and P315: how many bytes constants, literals, results, and all that lives at one time have. Sizes that
 * are no numbers stay letters: bytes are a sum of products of letters, each product known by a number. Linear. */
#include "lint/facts.h"

#include "check/dims.h"

/* ---- P301 to P303 ----------------------------------------------------------------------------------------------- */

void
lint_P301(struct lint *l, u32 id)
{
    const struct jaxpr *j = &l->m->jaxprs.at[id];
    for (u32 i = 0; i < j->n_consts; i++) {
        var_t v = jaxpr_const(j, i);
        bool known;
        u64 bytes = lint_type_bytes(l, l->m->vars.at[v].type, &known);
        if (bytes > l->plan->number[SET_constant_bytes])
            lint_tell(l, NONE, jaxpr_binder_span(l->m, id, i), "the constant `%s`, %s, has %s%s", lint_var(l, v),
                      lint_type(l, l->m->vars.at[v].type), known ? "" : "at least ", lint_bytes(l, bytes));
    }
}

static void
judge_literal(struct lint *l, eqn_t e, atom_t a, struct span at)
{
    const struct literal *one = &l->m->literals.at[atom_id(a)];
    bool known;
    u64 bytes = lint_type_bytes(l, one->type, &known);
    if (bytes > l->plan->number[SET_literal_bytes])
        lint_tell(l, e, at, "a literal of %s, %s, stands among the operands", lint_bytes(l, bytes), lint_type(l, one->type));
}

static bool
is_array_literal(const struct module *m, atom_t a)
{
    return atom_kind(a) == ATOM_LIT && m->literals.at[atom_id(a)].kind == LIT_ARRAY;
}

void
lint_P302(struct lint *l, u32 id)
{
    const struct module *m = l->m;
    const struct jaxpr *j = &m->jaxprs.at[id];
    for (eqn_t e = j->eqns; e != NONE; e = m->eqns.at[e].next)
        for (u32 i = 0; i < m->eqns.at[e].n_atoms; i++)
            if (is_array_literal(m, m->atoms.at[m->eqns.at[e].atoms + i]))
                judge_literal(l, e, m->atoms.at[m->eqns.at[e].atoms + i], eqn_operand_span(m, e, i));
    for (u32 i = 0; i < j->n_outs; i++)
        if (is_array_literal(m, m->atoms.at[j->outs + i]))
            judge_literal(l, NONE, m->atoms.at[j->outs + i], jaxpr_out_span(m, id, i));
}

/* true where a type has the shape `[n,n]`: a number is itself, `_` any size, a name the size of that name or, all
 * through the pattern, one and the same size other than 1 */
static bool
has_shape(const struct module *m, const struct type *t, struct slice pattern)
{
    enum { NAMES = 8 };
    struct slice names[NAMES];
    struct dim bound[NAMES];
    u32 n = 0, rank = 0;
    struct cursor c = cursor_of(pattern);
    const struct dim *dims = type_dims(&m->types, t);
    struct slice word;
    for (bool open = value_open(&c); open && !value_close(&c); value_comma(&c), rank++) {
        i64 size;
        if (!value_element(&c, &word) || rank == t->rank)
            return false;
        struct cursor w = cursor_of(word);
        const struct dim *d = &dims[rank];
        if (slice_eq(word, SLICE("_")) || (value_int(&w, &size) && value_done(&w) && dim_is(*d, size)) ||
            (d->kind != DIM_INT && slice_eq(word, d->text)))
            continue;
        if (word.n && word.at[0] >= '0' && word.at[0] <= '9')
            return false;
        u32 k = 0;
        while (k < n && !slice_eq(names[k], word))
            k++;
        if (dim_is(*d, 1) || (k < n && dim_equal(&bound[k], d) != YES) || (k == n && n == NAMES))
            return false;
        names[k] = word;
        bound[k] = *d;
        n = k == n ? n + 1 : n;
    }
    return rank == t->rank && rank > 0;
}

/* the pattern a type has the shape of among several with `+` between; n 0: none */
static struct slice
find_shape(const struct module *m, const struct type *t, struct slice patterns)
{
    const char *p = patterns.at, *end = p + patterns.n;
    while (t && p < end) {
        const char *q = memchr(p, '+', (size_t)(end - p));
        struct slice one = {p, (size_t)((q ? q : end) - p)};
        if (has_shape(m, t, one))
            return one;
        p += one.n + 1;
    }
    return (struct slice){"", 0};
}

void
lint_P303(struct lint *l, u32 e)
{
    const struct module *m = l->m;
    const struct eqn *eqn = &m->eqns.at[e];
    for (u32 i = 0; i < eqn->n_vars; i++) {
        type_t type = m->vars.at[eqn->vars + i].type;
        bool known;
        u64 bytes = lint_type_bytes(l, type, &known), elements = lint_type_elements(l, type, &known);
        u64 most = l->plan->number[SET_intermediate_bytes], many = l->plan->number[SET_intermediate_elements];
        struct slice shape = find_shape(m, type_array(m, type), l->plan->text[SET_intermediate_shape]);
        if (shape.n)
            lint_tell(l, e, eqn_result_span(m, e, i), "`%s`, %s, has the shape %s, which is not wanted",
                      lint_var(l, eqn->vars + i), lint_type(l, type), lint_slice(l, shape));
        else if (most && bytes > most)
            lint_tell(l, e, eqn_result_span(m, e, i), "`%s`, %s, has %s%s, more than %s", lint_var(l, eqn->vars + i),
                      lint_type(l, type), known ? "" : "at least ", lint_bytes(l, bytes), lint_bytes(l, most));
        else if (many && elements > many)
            lint_tell(l, e, eqn_result_span(m, e, i), "`%s`, %s, has %s%llu elements, more than %llu",
                      lint_var(l, eqn->vars + i), lint_type(l, type), known ? "" : "at least ",
                      (unsigned long long)elements, (unsigned long long)many);
    }
}

/* ---- P315 ------------------------------------------------------------------------------------------------------- */

/* A product of sizes that are no numbers, as text: `b*n`; the first is the empty one. */
struct product {
    struct slice text;
    double value; /* where every letter is what the setting says */
};

/* more products than anybody reads are all taken for numbers */
enum { MOST_PRODUCTS = 64 };

/* Bytes of a type: times of a product. */
struct share {
    u32 product;
    u64 times;
};

/* What lives in a jaxpr at its worst. */
struct peak {
    double bytes, inputs; /* with letters as the setting says; those of its binders alone */
    eqn_t at;             /* the equation where that is; NONE: at its beginning */
};

struct living {
    struct lint *l;
    VEC(struct product) products;
    VEC(struct share) of_type; /* by type, product NONE: not worked out yet */
    struct peak *peaks;        /* by jaxpr */
    u32 *last;                 /* by variable: the equation that reads it last, plus one; NONE: it stays */
    double symbol;
};

static int
order_text(struct slice a, struct slice b)
{
    int c = memcmp(a.at, b.at, a.n < b.n ? a.n : b.n);
    return c ? c : (a.n > b.n) - (a.n < b.n);
}

/* the product of the letters of a type, sorted */
static struct slice
product_text(struct living *v, const struct type *t, u32 *letters)
{
    struct module *m = v->l->m;
    const struct dim *dims = type_dims(&m->types, t);
    struct slice last = {"", 0};
    struct sink out;
    sink_init_memory(&out, m->mem);
    *letters = 0;
    for (u32 taken = 0, n = 0; taken < t->rank; taken += n) { /* ranks are small: the least that is left, each time */
        struct slice least = {NULL, 0};
        n = 0;
        for (u32 i = 0; i < t->rank; i++) {
            if (dims[i].kind == DIM_INT || (*letters && order_text(dims[i].text, last) <= 0))
                continue;
            int c = least.at ? order_text(dims[i].text, least) : -1;
            n = c < 0 ? 1 : n + (c == 0);
            least = c < 0 ? dims[i].text : least;
        }
        if (n == 0)
            break;
        for (u32 k = 0; k < n; k++, ++*letters)
            sink_printf(&out, memchr(least.at, ' ', least.n) ? "%s(%.*s)" : "%s%.*s", *letters ? "*" : "", (int)least.n,
                        least.at);
        last = least;
    }
    struct slice text = arena_copy(m->mem, (struct slice){out.at ? out.at : "", out.n});
    mem_free(m->mem, out.at);
    return text;
}

static u32
find_product(struct living *v, struct slice text, u32 letters)
{
    for (u32 i = 0; i < v->products.n; i++)
        if (slice_eq(v->products.at[i].text, text))
            return i;
    double value = 1;
    while (letters--)
        value *= v->symbol;
    *vec_push(v->l->m->mem, &v->products) = (struct product){text, value};
    return v->products.n - 1;
}

static struct share
share_of(struct living *v, type_t type)
{
    struct lint *l = v->l;
    const struct type *t = type_array(l->m, type);
    bool known;
    if (type == NONE || !t)
        return (struct share){0, 0};
    struct share *s = &v->of_type.at[type];
    if (s->product == NONE) {
        u32 letters = 0;
        u64 times = lint_type_bytes(l, type, &known);
        bool plain = !t->dynamic || v->products.n > MOST_PRODUCTS;
        struct slice text = plain ? (struct slice){"", 0} : product_text(v, t, &letters);
        *s = (struct share){plain ? 0 : find_product(v, text, letters), times};
    }
    return *s;
}

static double
bytes_of(struct living *v, var_t var)
{
    struct share s = share_of(v, v->l->m->vars.at[var].type);
    return (double)s.times * v->products.at[s.product].value;
}

static void
note_read(struct living *v, atom_t a, u32 by)
{
    const struct module *m = v->l->m;
    if (atom_kind(a) == ATOM_REF)
        a = m->refs.at[atom_id(a)].ref;
    if (atom_kind(a) == ATOM_VAR && v->l->maker[atom_id(a)] != NONE) /* arguments stay: the caller holds them */
        v->last[atom_id(a)] = by;
}

static void
note_reads(struct living *v, const struct jaxpr *j)
{
    const struct module *m = v->l->m;
    for (u32 i = 0; i < j->n_consts + j->n_ins; i++)
        v->last[j->vars + i] = NONE;
    for (eqn_t e = j->eqns; e != NONE; e = m->eqns.at[e].next) {
        const struct eqn *eqn = &m->eqns.at[e];
        for (u32 i = 0; i < eqn->n_vars; i++)
            v->last[eqn->vars + i] = e + 1;
        for (u32 i = 0; i < eqn->n_atoms; i++)
            note_read(v, m->atoms.at[eqn->atoms + i], e + 1);
    }
    for (u32 i = 0; i < j->n_outs; i++)
        note_read(v, m->atoms.at[j->outs + i], NONE);
}

/* what the programs of an equation need beside its operands */
static double
bytes_inside(struct living *v, eqn_t e)
{
    const struct module *m = v->l->m;
    double most = 0;
    struct held h = held_start(m, e);
    for (jaxpr_t j; m->eqns.at[e].params != NONE && (j = held_next(m, &h)) != NONE;) {
        double more = v->peaks[j].bytes - v->peaks[j].inputs;
        most = more > most ? more : most;
    }
    return most;
}

/* what an equation frees: what it reads last, and results that nobody reads; `sums` (or NULL) by product */
static double
freed_by(struct living *v, eqn_t e, u64 *sums)
{
    const struct module *m = v->l->m;
    const struct eqn *eqn = &m->eqns.at[e];
    double freed = 0;
    for (u32 i = 0; i < eqn->n_atoms + eqn->n_vars; i++) {
        var_t var = i < eqn->n_atoms ? lint_operand(v->l, e, i) : eqn->vars + i - eqn->n_atoms;
        if (var == NONE || v->last[var] != e + 1)
            continue;
        v->last[var] = 0; /* once, however often it is read here */
        freed += bytes_of(v, var);
        struct share s = share_of(v, m->vars.at[var].type);
        if (sums)
            sums[s.product] -= s.times;
    }
    return freed;
}

static void
add_vars(struct living *v, var_t from, u32 n, double *bytes, u64 *sums)
{
    for (u32 i = 0; i < n; i++) {
        struct share s = share_of(v, v->l->m->vars.at[from + i].type);
        *bytes += bytes_of(v, from + i);
        if (sums)
            sums[s.product] += s.times;
    }
}

/* walks a jaxpr up to `stop` (NONE: to its end), filling its peak, or the sums at `stop` */
static void
live_through(struct living *v, jaxpr_t id, eqn_t stop, u64 *sums)
{
    const struct module *m = v->l->m;
    const struct jaxpr *j = &m->jaxprs.at[id];
    double live = 0;
    note_reads(v, j);
    add_vars(v, j->vars, j->n_consts + j->n_ins, &live, sums);
    struct peak peak = {live, live, NONE};
    for (eqn_t e = j->eqns; e != NONE; e = m->eqns.at[e].next) {
        double results = 0, inside = bytes_inside(v, e);
        add_vars(v, m->eqns.at[e].vars, m->eqns.at[e].n_vars, &results, sums);
        double now = live + (results > inside ? results : inside);
        if (now > peak.bytes)
            peak = (struct peak){now, peak.inputs, e};
        if (e == stop)
            return;
        live += results - freed_by(v, e, sums);
    }
    if (stop == NONE)
        v->peaks[id] = peak;
}

/* `8*b*n + 4096` */
static const char *
say_sums(struct living *v, const u64 *sums)
{
    struct sink out;
    sink_init_memory(&out, v->l->m->mem);
    for (u32 i = v->products.n; i-- > 0;)
        if (sums[i] && v->products.at[i].text.n)
            sink_printf(&out, "%s%llu*%.*s", out.n ? " + " : "", (unsigned long long)sums[i],
                        (int)v->products.at[i].text.n, v->products.at[i].text.at);
        else if (sums[i])
            sink_printf(&out, "%s%llu", out.n ? " + " : "", (unsigned long long)sums[i]);
    const char *text = lint_slice(v->l, (struct slice){out.at ? out.at : "", out.n});
    mem_free(v->l->m->mem, out.at);
    return text;
}

static void
tell_peak(struct living *v, jaxpr_t main)
{
    struct lint *l = v->l;
    const struct peak *p = &v->peaks[main];
    const struct jaxpr *j = &l->m->jaxprs.at[main];
    struct span at = p->at == NONE ? (struct span){j->offset, 1} : eqn_prim_span(l->m, p->at);
    u64 *sums = mem_alloc(l->m->mem, (v->products.n + 1ull) * sizeof *sums);
    memset(sums, 0, (v->products.n + 1ull) * sizeof *sums);
    if (p->at != NONE)
        live_through(v, main, p->at, sums);
    else
        add_vars(v, j->vars, j->n_consts + j->n_ins, &(double){0}, sums);
    lint_tell(l, p->at, at, "here %s live at once, more than %s", lint_bytes(l, (u64)p->bytes),
              lint_bytes(l, l->plan->number[SET_live_bytes]));
    lint_note(l, lint_nowhere(), "%s bytes are of arguments, constants and results of this program's own equations", say_sums(v, sums));
    mem_free(l->m->mem, sums);
}

static struct living *
find_living(struct lint *l)
{
    struct module *m = l->m;
    if (l->living)
        return l->living;
    struct living *v = l->living = mem_alloc(m->mem, sizeof *v);
    *v = (struct living){.l = l, .symbol = (double)l->plan->number[SET_live_symbol]};
    *vec_push(m->mem, &v->products) = (struct product){{"", 0}, 1};
    memset(vec_push_n(m->mem, &v->of_type, m->types.list.n + 1u), 0xff, (m->types.list.n + 1u) * sizeof *v->of_type.at);
    v->peaks = mem_alloc(m->mem, (m->jaxprs.n + 1ull) * sizeof *v->peaks);
    memset(v->peaks, 0, (m->jaxprs.n + 1ull) * sizeof *v->peaks);
    v->last = mem_alloc(m->mem, (m->vars.n + 1ull) * sizeof *v->last);
    return v;
}

void
lint_drop_living(struct lint *l)
{
    if (!l->living)
        return;
    struct mem *mem = l->m->mem;
    mem_free(mem, l->living->peaks);
    mem_free(mem, l->living->last);
    vec_free(mem, &l->living->products);
    vec_free(mem, &l->living->of_type);
    mem_free(mem, l->living);
}

void
lint_P315(struct lint *l, u32 program)
{
    struct living *v = find_living(l);
    jaxpr_t main = l->m->programs.at[program].main;
    for (u32 i = 0; i < l->n; i++)
        live_through(v, l->order.at[l->first + i], NONE, NULL);
    if (l->plan->number[SET_live_bytes] && v->peaks[main].bytes > (double)l->plan->number[SET_live_bytes])
        tell_peak(v, main);
}

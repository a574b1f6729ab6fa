/* SPDX-License-Identifier: Apache-2.0
 *
 * Dims and what they refer to. Names are looked up in one stamped table, so that the cost of a scope is that of its
 * bindings; a program whose sizes are all numbers costs nothing. Linear. */
#include "resolve/dim_resolve.h"

#include "base/chars.h"
#include "ir/reach.h"

void
binders_init(struct binders *b, struct module *m)
{
    *b = (struct binders){.m = m, .scope = BINDERS_SCOPE};
}

void
binders_drop(struct binders *b)
{
    memo_free(b->m->mem, &b->vars);
}

void
binders_bind(struct binders *b, var_t v)
{
    name_t name = b->m->vars.at[v].name;
    if (name >= NAME_OTHER && slice_eq(b->m->names.others.at[name - NAME_OTHER], SLICE("_")))
        return;
    if (binders_find(b, name) == NONE)
        memo_set(b->m->mem, &b->vars, name, b->scope | v);
}

void
binders_bind_region(struct binders *b, const struct jaxpr *j)
{
    const struct module *m = b->m;
    for (u32 i = 0; i < jaxpr_binders(j); i++)
        binders_bind(b, j->vars + i);
    for (u32 i = 0; i < j->n_outs; i++)
        if (atom_kind(m->atoms.at[j->outs + i]) == ATOM_VAR)
            binders_bind(b, atom_id(m->atoms.at[j->outs + i]));
}

bool
type_is_dim(const struct module *m, type_t type)
{
    const struct type *t = type == NONE ? NULL : type_get(&m->types, type);
    if (!t || t->kind != TYPE_ARRAY || t->rank != 0 || t->dtype == NONE)
        return false;
    enum dtype_class class = dtype_class(t->dtype);
    return class == CLASS_SIGNED || class == CLASS_UNSIGNED ||
           (class == CLASS_EXTENDED && slice_starts(dtype_text(&m->names, t->dtype), SLICE("bint{")));
}

bool
var_may_be_dim(const struct module *m, var_t v)
{
    return m->vars.at[v].type == NONE || type_is_dim(m, m->vars.at[v].type);
}

/* ---- sizes ---- */

/* the number in a literal operand, or a loose size */
static struct size
size_of_literal(const struct module *m, const struct literal *l)
{
    struct slice text = module_bytes(m, l->value);
    struct size size = {.kind = SIZE_LOOSE, .text = text};
    if (l->kind != LIT_INT || text.n == 0 || text.n > 18)
        return size;
    for (size_t i = 0; i < text.n; i++) {
        if (text.at[i] < '0' || text.at[i] > '9')
            return size;
        size.value = size.value * 10 + (text.at[i] - '0');
    }
    size.kind = SIZE_INT;
    return size;
}

struct size
size_of_dim(const struct module *m, const struct binders *b, const struct dim *d, jaxpr_t j, eqn_t e)
{
    struct size size = {.kind = SIZE_LOOSE, .value = d->value, .var = NONE, .text = d->text};
    const struct eqn *eqn = e == NONE ? NULL : &m->eqns.at[e];
    atom_t operand;
    switch (d->kind) {
    case DIM_INT:
        size.kind = SIZE_INT;
        return size;
    case DIM_NAME:
        size.var = b ? binders_find(b, d->name) : NONE;
        size.kind = b ? size.var == NONE ? SIZE_LOOSE : SIZE_VAR : SIZE_TEXT;
        return size;
    case DIM_INDBIDX:
        if (!eqn || d->value < 0 || d->value >= eqn->n_atoms)
            return size;
        operand = m->atoms.at[eqn->atoms + (u32)d->value];
        if (atom_kind(operand) == ATOM_LIT)
            return size_of_literal(m, &m->literals.at[atom_id(operand)]);
        if (atom_kind(operand) != ATOM_VAR)
            return size;
        size.var = atom_id(operand);
        break;
    case DIM_OUTDBIDX:
        if (!eqn || d->value < 0 || d->value >= eqn->n_vars)
            return size;
        size.var = eqn->vars + (u32)d->value;
        break;
    case DIM_DBIDX:
        if (e != NONE || d->value < 0 || d->value >= jaxpr_binders(&m->jaxprs.at[j]))
            return size;
        size.var = m->jaxprs.at[j].vars + (u32)d->value;
        break;
    default:
        size.kind = SIZE_TEXT;
        return size;
    }
    size.kind = var_may_be_dim(m, size.var) ? SIZE_VAR : SIZE_LOOSE;
    return size;
}

/* ---- variables or symbols ---- */

/* evidence: primitives for symbols; parameters that omit sizes that are variables; parameters that count variables */
static const struct slice symbolic_words[DIM_SYMBOLIC_WORDS] = {SLICE("dimension_size"), SLICE("dim_as_value"),
                                                                SLICE("shape_assertion")};
static const struct slice hole_words[DIM_HOLE_WORDS] = {SLICE("shape"), SLICE("new_sizes"), SLICE("slice_sizes"),
                                                        SLICE("static_shape")};
static const struct slice count_words[DIM_COUNT_WORDS] = {SLICE("nimplicit"), SLICE("num_implicit_inputs"),
                                                          SLICE("nimplicit_outputs"), SLICE("num_implicit_outputs"),
                                                          SLICE("abstract_shapes_slice")};

/* the bit of a name among these words */
static inline u64
bit_of(name_t name)
{
    return 1ull << (name & 63);
}

static void
find_words(const struct module *m, struct dim_words *words, const struct slice *texts, name_t *names, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        names[i] = names_find(&m->names, texts[i]);
        words->may_be |= names[i] != NONE ? bit_of(names[i]) : 0;
    }
}

struct dim_words
dim_words_find(const struct module *m)
{
    struct dim_words words = {.may_be = 0};
    find_words(m, &words, symbolic_words, words.symbolic, countof(symbolic_words));
    find_words(m, &words, hole_words, words.holes, countof(hole_words));
    find_words(m, &words, count_words, words.counts, countof(count_words));
    return words;
}

static inline bool
is_among(name_t name, const name_t *names, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (names[i] == name)
            return name != NONE;
    return false;
}

/* whether a shape among the parameters contains a named size: `(b, 3)` */
static bool
names_size(struct slice shape)
{
    for (size_t i = 0; i < shape.n; i++)
        if (is_word_start(shape.at[i]) && (i == 0 || !is_word_char(shape.at[i - 1])))
            return true;
    return false;
}

/* the evidence of one equation: 's' symbols, 'n' symbols unless contradicted, 'v' variables, 0 none */
static char
eqn_size_score(const struct module *m, const struct dim_words *words, const struct eqn *eqn)
{
    char score = 0;
    if (words->may_be & bit_of(eqn->prim) && is_among(eqn->prim, words->symbolic, countof(words->symbolic)))
        return 's';
    for (param_t p = eqn->params; p != NONE; p = m->params.at[p].next) {
        const struct param *param = &m->params.at[p];
        if (param->kind != PARAM_TEXT || !(words->may_be & bit_of(param->key)))
            continue;
        if (is_among(param->key, words->counts, countof(words->counts)))
            return 'v';
        struct slice text = param_bytes(m, param);
        if (!is_among(param->key, words->holes, countof(words->holes)))
            continue;
        if (text.n > 4 && slice_contains(text, SLICE("None")))
            return 'v';
        if (names_size(text))
            score = 'n';
    }
    return score;
}

/* The evidence of a program about its dims, collected per variable. */
struct evidence {
    struct module *m;
    const struct dim_words *words;
    struct binders *scalars; /* every integer scalar of the program by name */
    bool symbols, variables, bound;
    bool named; /* a parameter contains a named size, which would be omitted if it were a variable */
    /* some dim is a name; some name is not bound before it in its own scope; some name is not that of any integer of
     * the program */
    bool names, unbound, nowhere;
    struct binders *scope;
};

/* What a walk over the program does with binders: inspect dims, bind scalars, or look up names. Few programs have names
 * in their shapes, and only those are walked again. */
static void
look_at_binders(struct evidence *ev, u32 first, u32 n)
{
    for (var_t v = first; v < first + n; v++) {
        const struct type *t = type_array(ev->m, ev->m->vars.at[v].type);
        const struct dim *d = t && t->dynamic ? type_dims(&ev->m->types, t) : NULL;
        for (u32 i = 0; d && i < t->rank; i++) {
            ev->symbols |= d[i].kind == DIM_EXPR && d[i].text.n && dim_expression(d[i].text);
            ev->variables |= d[i].kind == DIM_DBIDX || d[i].kind == DIM_INDBIDX || d[i].kind == DIM_OUTDBIDX;
            ev->names |= d[i].kind == DIM_NAME;
        }
    }
}

static void
gather_binders(struct evidence *ev, u32 first, u32 n)
{
    for (var_t v = first; v < first + n; v++)
        if (type_is_dim(ev->m, ev->m->vars.at[v].type))
            binders_bind(ev->scalars, v);
}

static void
score_binders(struct evidence *ev, u32 first, u32 n)
{
    for (var_t v = first; v < first + n; v++) {
        const struct type *t = type_array(ev->m, ev->m->vars.at[v].type);
        const struct dim *d = t && t->dynamic ? type_dims(&ev->m->types, t) : NULL;
        for (u32 i = 0; d && i < t->rank; i++) {
            if (d[i].kind != DIM_NAME)
                continue;
            bool bound = binders_find(ev->scalars, d[i].name) != NONE,
                 unbound = binders_find(ev->scope, d[i].name) == NONE;
            ev->bound |= bound;
            ev->unbound |= unbound;
            ev->nowhere |= unbound && !bound;
        }
        binders_bind(ev->scope, v);
    }
}

static jaxpr_t
listed(const struct jaxprs *list, u32 i)
{
    return i < list->n ? list->at[i] : NONE;
}

/* calls visit for all binders and results of the program; once for each, as a walk through an opened program would
 * enter its shared programs at each call */
static void
visit_program(struct evidence *ev, const struct program *p, void (*visit)(struct evidence *, u32, u32))
{
    struct module *m = ev->m;
    struct walk w;
    struct jaxprs opened = {0};
    u32 next = 0;
    walk_start_program(&w, m, p);
    if (p->opened > 0)
        reach_all(m, (program_t)(p - m->programs.at), &opened);
    for (jaxpr_t j; (j = p->opened > 0 ? listed(&opened, next++) : walk_next(&w)) != NONE;) {
        binders_open(ev->scope);
        visit(ev, m->jaxprs.at[j].vars, jaxpr_binders(&m->jaxprs.at[j]));
        for (eqn_t e = m->jaxprs.at[j].eqns; e != NONE; e = m->eqns.at[e].next) {
            visit(ev, m->eqns.at[e].vars, m->eqns.at[e].n_vars);
            char score = visit == look_at_binders ? eqn_size_score(m, ev->words, &m->eqns.at[e]) : 0;
            ev->symbols |= score == 's';
            ev->named |= score == 'n';
            ev->variables |= score == 'v';
        }
    }
    vec_free(m->mem, &opened);
    walk_end(&w);
}

/* whether a size that is not bound before it says that all are symbols, if no other evidence says variables */
static bool
unbound_says_symbols(struct module *m, const struct evidence *ev, program_t program)
{
    return ev->named || (ev->names && range_has(program_versions(m, program), JAX_DYNAMIC_SHAPES_REMOVED));
}

bool
dims_score(struct module *m, const struct dim_words *words, const struct program *p, struct binders scopes[2],
           enum dim_reading reading, bool *named)
{
    struct evidence ev = {.m = m, .words = words, .scalars = &scopes[0], .scope = &scopes[1]};
    visit_program(&ev, p, look_at_binders);
    *named = ev.names;
    if (ev.names) {
        binders_open(ev.scalars);
        visit_program(&ev, p, gather_binders);
        visit_program(&ev, p, score_binders);
    }
    if (ev.symbols || ev.variables || (ev.names && !ev.unbound))
        return !ev.symbols;
    if (reading != DIMS_CHECKED)
        return reading == DIMS_OPEN && ev.names && !ev.nowhere;
    return ev.bound && !(ev.unbound && unbound_says_symbols(m, &ev, (program_t)(p - m->programs.at)));
}

bool
dims_must_be_bound(struct module *m, program_t program, bool *symbols)
{
    struct dim_words words = dim_words_find(m);
    struct binders scope;
    struct evidence ev = {.m = m, .words = &words, .scope = &scope};
    binders_init(&scope, m);
    visit_program(&ev, &m->programs.at[program], look_at_binders);
    binders_drop(&scope);
    *symbols = ev.symbols || (!ev.variables && ev.named);
    return *symbols || (!ev.variables && unbound_says_symbols(m, &ev, program));
}

bool
dims_are_variables(struct module *m, const struct program *p, struct binders scopes[2])
{
    struct dim_words words = dim_words_find(m);
    bool named;
    return dims_score(m, &words, p, scopes, DIMS_CHECKED, &named);
}

/* the end of the number or name at i; 0 if it is a number with leading zeros, which JAX does not print */
static size_t
term_end(struct slice text, size_t i)
{
    size_t start = i;
    bool number = is_digit(text.at[i]);
    for (; i < text.n && is_word_char(text.at[i]); i++)
        if (number && !is_digit(text.at[i]))
            return 0;
    return is_padded(text.at + start, text.at + i) ? 0 : i;
}

/* whether a name is a function of sizes, as `floordiv` is (jax/_src/export/shape_poly.py) */
static bool
is_function(struct slice name)
{
    static const struct slice functions[] = {SLICE("floordiv"), SLICE("mod"),          SLICE("max"),
                                             SLICE("min"),      SLICE("non_negative"), SLICE("ceildiv")};
    for (size_t k = 0; k < countof(functions); k++)
        if (slice_eq(name, functions[k]))
            return true;
    return false;
}

/* whether a text is two sizes that a spreadsheet made a date of: `Mar-4`, `4-Mar`. JAX prints a difference with spaces
 */
static bool
is_date(struct slice text)
{
    const char *dash = memchr(text.at, '-', text.n);
    if (!dash)
        return false;
    size_t n = (size_t)(dash - text.at), rest = text.n - n - 1;
    bool first = n == 3 && rest > 0 && is_digit(dash[1]);
    struct slice month = first ? (struct slice){text.at, n} : (struct slice){dash + 1, rest};
    return (first || (rest == 3 && n > 0 && is_digit(*text.at))) &&
           words_have("Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec", month);
}

bool
dim_expression(struct slice text)
{
    if (is_date(text))
        return false;
    bool term = true, named = false; /* a term comes next; the expression contains a name */
    u32 depth = 0;
    for (size_t i = 0, end; i < text.n; i = end) {
        char c = text.at[i];
        end = i + 1;
        if (is_word_char(c)) {
            if (!term || (end = term_end(text, i)) == 0)
                return false;
            bool call = end < text.n && text.at[end] == '(';
            if (call && !is_function((struct slice){text.at + i, end - i}))
                return false;
            term = call;
            named |= !is_digit(c);
            depth += call;
            end += call;
        } else if (c == '(') {
            if (!term)
                return false;
            depth++;
        } else if (c == ')') {
            if (term || depth-- == 0)
                return false;
        } else if (c == ',' || memchr("+-*^", c, 4)) {
            if ((term && c != '-') || (c == '^' && end < text.n && !is_digit(text.at[end])) || (c == ',' && depth == 0))
                return false;
            term = true;
        } else if (!is_blank(c)) {
            return false;
        }
    }
    return !term && depth == 0 && named;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Primitives without a row. Any name may be one, so that it is trusted; but a name one letter away from a known name
 * whose rule accepts the equation is a misspelling of that. So is a known name that lost a `_` or its end, that has
 * similar letters, or that is written twice, in capitals, in two parts, or joined with its operands. Each name is
 * examined once: one pass over the table, and the few rules of near names check the equation. */
#include "verify/unknown_primitive.h"

#include "base/chars.h"
#include "base/near.h"
#include "base/utf8.h"
#include "base/value.h"
#include "base/visible.h"
#include "verify/provenance.h"

enum { LONG = 6 }; /* names of this length rarely differ from another by one letter by chance */

static bool
first_use_of_unknown(struct checker *c, name_t prim)
{
    if (memo_get(&c->unknown_prims, prim))
        return false;
    memo_set(c->m->mem, &c->unknown_prims, prim, 1);
    return true;
}

/* whether an equation has parameters, all of which a row lists */
static bool
row_lists(const struct module *m, eqn_t e, const struct prim *prim)
{
    struct name_buffer buffer;
    const struct eqn *eqn = &m->eqns.at[e];
    for (param_t p = eqn->params; p != NONE; p = m->params.at[p].next) {
        name_t key = m->params.at[p].key;
        if (key == NONE || !prim_role(prim, module_name(m, key, &buffer)).n)
            return false;
    }
    return eqn->params != NONE;
}

/* whether an equation with an unknown name has all parameters of a row, whose rule accepts it; without a rule,
 * parameters specific to the row are evidence */
static bool
row_takes(struct checker *c, eqn_t e, const struct prim *prim)
{
    struct rule r = rule_of(c, e, prim);
    struct probe p = {.result = NONE};
    if (!row_complete(&r) || !row_fits(&r))
        return false;
    bool listed = row_lists(c->m, e, prim);
    bool bare = !prim->params[0] && c->m->eqns.at[e].params == NONE && strlen(prim->name) >= LONG;
    if (prim->is.trusted || (bare && c->m->eqns.at[e].n_vars == 0))
        return listed || bare;
    probe_equation(c, e, prim, &p);
    return !p.wrong && (p.compared || listed);
}

/* whether a variable of this name is bound shortly before an equation */
static bool
is_near_variable(const struct module *m, eqn_t e, struct slice name)
{
    enum { BEFORE = 1024 };
    struct name_buffer buffer;
    var_t last = m->eqns.at[e].vars, first = last > BEFORE ? last - BEFORE : 0;
    for (var_t v = last; v-- > first;)
        if (m->vars.at[v].name != NONE && slice_eq(module_name(m, m->vars.at[v].name, &buffer), name))
            return true;
    return false;
}

bool
is_named_as_variable(const struct module *m, eqn_t e)
{
    struct name_buffer buffer;
    return is_near_variable(m, e, module_name(m, m->eqns.at[e].prim, &buffer));
}

/* whether a key was meant as one of a row: they differ in one letter or, if its value is a program, in two, as `jasper`
 * for `jaxpr`, because few keys of a row have programs */
static bool
key_resembles(const struct param *p, struct slice key, const struct prim_param *known)
{
    return word_is_misspelled(key, known->key) || word_is_replaced(key, known->key) ||
           (p->kind == PARAM_JAXPR && slice_eq(known->role, SLICE("JAXPR")) && word_distance(key, known->key) <= 2);
}

/* whether each key is one of a row, or resembles one: letters were lost or changed throughout the text. A single key,
 * such as `jaxpr`, is little evidence for a short name */
static bool
keys_resemble(const struct module *m, eqn_t e, const struct prim *prim)
{
    struct name_buffer buffer;
    param_t first = m->eqns.at[e].params;
    if (first != NONE && m->params.at[first].next == NONE && strlen(prim->name) < LONG)
        return false;
    struct prim_param param;
    for (param_t p = m->eqns.at[e].params; p != NONE; p = m->params.at[p].next) {
        name_t name = m->params.at[p].key;
        struct slice key = name == NONE ? SLICE("") : module_name(m, name, &buffer);
        bool listed = false;
        for (const char *at = prim->params; !listed && prim_param_next(&at, &param);)
            listed = slice_eq(key, param.key) || key_resembles(&m->params.at[p], key, &param);
        if (!listed)
            return false;
    }
    return m->eqns.at[e].params != NONE;
}

/* whether each letter of a text is a variable that is bound shortly before an equation */
static bool
are_near_variables(const struct module *m, eqn_t e, struct slice letters)
{
    for (size_t i = 0; i < letters.n; i++)
        if (!is_near_variable(m, e, (struct slice){letters.at + i, 1}))
            return false;
    return true;
}

static bool
is_number(struct slice s)
{
    size_t i = 0, dots = 0;
    while (i < s.n && (is_digit(s.at[i]) || (s.at[i] == '.' && i > 0 && dots == 0)))
        dots += s.at[i++] == '.';
    return i == s.n;
}

/* whether the operands of an equation, at least one, are literals: a number in its name may be another, `add0 8` */
static bool
has_only_literals(const struct module *m, const struct eqn *eqn)
{
    u32 i = 0;
    while (i < eqn->n_atoms && atom_kind(m->atoms.at[eqn->atoms + i]) == ATOM_LIT)
        i++;
    return i > 0 && i == eqn->n_atoms;
}

/* whether a name is that of a row joined with its first operand, `mulb 2.0` for `mul b 2.0`, with or without a
 * character between, or with all operands, `mulab` */
static bool
has_operand(const struct module *m, eqn_t e, struct slice name, struct slice known, const struct prim *prim)
{
    enum { MOST = 8 };
    size_t n = known.n;
    const struct eqn *eqn = &m->eqns.at[e];
    if (n < 2 || name.n <= n || !slice_starts(name, known) || eqn->params != NONE || (prim->is.trusted && n < LONG))
        return false;
    if (eqn->n_atoms == 0 && name.n - n > 1 && name.n - n <= MOST && name.n - n >= prim->min &&
        name.n - n <= prim->max && are_near_variables(m, e, (struct slice){name.at + n, name.n - n}))
        return true;
    if (eqn->n_atoms + 1 < prim->min || eqn->n_atoms >= prim->max)
        return false;
    struct slice rest = {name.at + n, name.n - n}, after = {rest.at + 1, rest.n - 1};
    return is_near_variable(m, e, rest) ||
           (is_number(rest) && (memchr(rest.at, '.', rest.n) || has_only_literals(m, eqn))) ||
           (after.n && is_word_char(*rest.at) && *rest.at != '_' && is_near_variable(m, e, after));
}

/* whether a name and the first operand are the name of a row with a space in it, `ad d a b` for `add a b` */
static bool
is_parted(const struct module *m, eqn_t e, struct slice name, struct slice known)
{
    struct name_buffer buffer;
    const struct eqn *eqn = &m->eqns.at[e];
    if (eqn->n_atoms < 2 || known.n <= name.n || !slice_starts(known, name))
        return false;
    atom_t first = m->atoms.at[eqn->atoms];
    name_t variable = atom_kind(first) == ATOM_VAR ? m->vars.at[atom_id(first)].name : NONE;
    if (variable == NONE)
        return false;
    struct slice rest = module_name(m, variable, &buffer);
    return rest.n == known.n - name.n && memcmp(rest.at, known.at + name.n, rest.n) == 0;
}

/* whether the next equation has only the rest of a name, `dot general[..]` for `dot_general[..]` */
static bool
is_parted_before_params(const struct module *m, eqn_t e, struct slice name, struct slice known)
{
    struct name_buffer buffer;
    const struct eqn *eqn = &m->eqns.at[e];
    if (eqn->n_atoms || eqn->params != NONE || eqn->n_vars == 0 || e + 1 >= m->eqns.n || known.n <= name.n + 1 ||
        !slice_starts(known, name) || known.at[name.n] != '_' || m->eqns.at[e + 1].n_vars)
        return false;
    return slice_eq(module_name(m, m->eqns.at[e + 1].prim, &buffer),
                    (struct slice){known.at + name.n + 1, known.n - name.n - 1});
}

/* whether a name is a known one after that of its module, `lax.sin` */
static bool
has_module(struct slice name, struct slice known)
{
    return slice_starts(name, SLICE("lax.")) && slice_eq((struct slice){name.at + 4, name.n - 4}, known);
}

/* functions of NumPy, SciPy and JAX that are near a known name, but for whose names users write primitives */
static const char functions[] =
    "all amax amin arccos arccosh arcsin arcsinh arctan arctan2 arctanh array beta chisquare concat copysign "
    "cosdg coshm cosm cosm1 cov dgamma dot dot_product_attention erfcinv erfcx erfi erfinv exp1 exp10 expi expit "
    "expm expn fabs flatnonzero fmax fmin frexp full gamma gengamma invgamma isfinite isin iv jacobi jv ldexp "
    "log10 log1mexp logaddexp2 loggamma logit logm map matmul poly record rgamma shape shift signm sinc sindg "
    "sinhm sinm sqrtm squareplus sum tandg tanhm tanm trace tri triangular zeros zetac";

/* whether a name is a known one with a wrong letter, with a letter replaced throughout, without a part, or with letters
 * added within it or after it, as `geqiiirf` */
static bool
is_near(struct slice name, struct slice known)
{
    enum { SHORT = 4, LONGER = 5 };
    bool part = name.n >= SHORT && 2 * name.n >= known.n && word_lost_part(name, known, true);
    bool tail = name.n + 1 == SHORT && name.n + 2 >= known.n && known.n > name.n && slice_ends(known, name); /* `oor` */
    size_t most = known.n < SHORT ? 2 : LONG; /* letters that may be added */
    bool added = known.n + 1 >= SHORT && known.n + most >= name.n && name.n > known.n &&
                 (word_lost_part(known, name, false) ||
                  (known.n >= LONGER && slice_starts(name, known) && name.at[known.n] != '_'));
    return part || tail || added || word_is_misspelled(name, known) || word_is_replaced(name, known) ||
           (*known.at <= 'Z' && word_is_recased(name, known)) || word_is_camel(name, known, false) ||
           word_is_reordered(name, known);
}

/* whether a number with a point follows the beginning of a known name, as in `transpos0.5`: another text was printed
 * within it */
static bool
is_cut_by_decimal(struct slice name)
{
    enum { SHORTEST = 6 }; /* users may name `scale0.5` */
    size_t digits = 0;
    while (digits < name.n && !is_digit(name.at[digits]))
        digits++;
    size_t end = digits;
    while (end < name.n && is_digit(name.at[end]))
        end++;
    if (digits < SHORTEST || end + 1 >= name.n || name.at[end] != '.' || !is_digit(name.at[end + 1]))
        return false;
    struct slice start = {name.at, digits};
    for (u32 i = 0, n = prims_count(); i < n; i++) {
        struct slice known = slice_of(prims_row(i).name);
        if (known.n > start.n && slice_starts(known, start) && known.at[start.n] != '_' && name.at[digits - 1] != '_')
            return true;
    }
    return false;
}

/* whether a name is surely not that of a primitive: `dot_gene-`, `unsta...`, `***sum`, one with a replacement
 * character, a word of the syntax */
static bool
is_broken(struct slice name)
{
    size_t at;
    u32 code;
    return words_have("in lambda let", name) || is_cut_by_decimal(name) || (name.n > 1 && name.at[name.n - 1] == '-') ||
           slice_ends(name, SLICE("..")) || name.at[0] == '*' || memchr(name.at, '[', name.n) ||
           find_symbol(name, &at, &code) || slice_contains(name, SLICE("**")) ||
           slice_contains(name, SLICE("\xEF\xBF\xBD"));
}

/* whether a name is the beginning of a known one, or some of its words, in their order: `dot_`, `new` of `new_ref` */
static bool
is_piece(struct slice name, struct slice known)
{
    const char *at = known.at, *end = known.at + known.n;
    if (name.n < 2 || name.n >= known.n)
        return false;
    if (*name.at == *known.at && slice_starts(known, name))
        return name.n > 2;
    for (size_t i = 0, n; i < name.n; i += n + 1) {
        const char *stop = memchr(name.at + i, '_', name.n - i);
        n = stop ? (size_t)(stop - name.at) - i : name.n - i;
        while (at && (at + n > end || memcmp(at, name.at + i, n) != 0 || (at + n < end && at[n] != '_'))) {
            at = memchr(at, '_', (size_t)(end - at));
            at = at ? at + 1 : NULL;
        }
        if (n == 0 || !at)
            return false;
        at += n;
    }
    return true;
}

/* whether an equation has the parameters of a row, and a variable's name or a piece of its name in place of the row's,
 * `s[permutation=(1, 0)]`; a short key, such as `name`, is little evidence */
static bool
has_form_of(const struct module *m, eqn_t e, struct slice name, const struct prim *prim)
{
    enum { LONG_KEYS = 8 };
    struct name_buffer buffer;
    size_t letters = 0;
    if (m->eqns.at[e].params == NONE || !(name.n == 1 || is_piece(name, slice_of(prim->name))))
        return false;
    for (param_t p = m->eqns.at[e].params; p != NONE; p = m->params.at[p].next)
        letters += m->params.at[p].key == NONE ? 0 : module_name(m, m->params.at[p].key, &buffer).n;
    return !prim->is.trusted && letters >= LONG_KEYS && row_lists(m, e, prim);
}

/* whether a name and its parameters are remains of a row's: most keys are its own, at least three, at most one is not,
 * and the name differs in two letters or lost its beginning, as `git[.. jasper=..]` of `jit` and `oor` of `floor` */
static bool
has_keys_of(const struct module *m, eqn_t e, struct slice name, const struct prim *prim)
{
    enum { KEYS = 3 };
    struct name_buffer buffer;
    struct slice known = slice_of(prim->name);
    bool tail = name.n < known.n && memcmp(known.at + known.n - name.n, name.at, name.n) == 0;
    u32 same = 0, other = 0;
    if (!tail && (name.n + 2 < known.n || known.n + 2 < name.n || word_distance(name, known) > 2))
        return false;
    for (param_t p = m->eqns.at[e].params; p != NONE; p = m->params.at[p].next) {
        name_t key = m->params.at[p].key;
        bool listed = key != NONE && prim_role(prim, module_name(m, key, &buffer)).n;
        same += listed;
        other += !listed;
    }
    return other <= 1 && same >= (tail && !other ? KEYS - 1 : KEYS);
}

/* whether a long name is a known one with a letter that was lost, added or changed inside of it: `sema8phore_wait` */
static bool
is_misspelled_long(struct slice name, struct slice known)
{
    enum { LONGER = 10 };
    return known.n >= LONGER && name.n > 1 && word_is_misspelled(name, known) && !slice_starts(name, known) &&
           !slice_starts(known, name) && name.at[0] == known.at[0];
}

bool
makes_operator(const struct module *m, eqn_t e)
{
    const struct eqn *eqn = &m->eqns.at[e];
    type_t type = eqn->n_vars == 1 ? m->vars.at[eqn->vars].type : NONE;
    return type != NONE && slice_eq(type_get(&m->types, type)->text, SLICE("AbstractOperator()"));
}

/* whether a name is a long known one with a capital, `Broadcast_in_dim`, or as of a class, `DotGeneral`; gates and
 * primitives of users may have one */
static bool
is_capitalized(const struct module *m, eqn_t e, struct slice name, struct slice known)
{
    if (name.at[0] < 'A' || name.at[0] > 'Z' || makes_operator(m, e))
        return false;
    return word_is_camel(name, known, true) ||
           (name.n == known.n && name.n > LONG && name.at[0] + 'a' - 'A' == known.at[0] &&
            memcmp(name.at + 1, known.at + 1, name.n - 1) == 0);
}

/* whether a name is surely a known one, whatever its equation has. `cut`: the end of its line may be lost */
static bool
is_surely(struct checker *c, eqn_t e, struct slice name, struct slice known, bool cut)
{
    bool capitals = name.n > 2 && !makes_operator(c->m, e); /* all of them: gates are called `Pow` */
    for (size_t i = 0; capitals && i < name.n; i++)
        capitals = name.at[i] < 'a' || name.at[i] > 'z';
    return word_is_garbled(name, known) || (cut && slice_starts(known, name)) || word_is_doubled(name, known) ||
           word_is_overstruck(name, known) || (capitals && word_is_capital(name, known)) ||
           is_capitalized(c->m, e, name, known) || is_parted(c->m, e, name, known) ||
           is_parted_before_params(c->m, e, name, known) || has_module(name, known) || is_misspelled_long(name, known);
}

/* whether a name is a key of a row, and the name of the row is a key of the equation: `dimensions[squeeze=(0,)]` */
static bool
is_exchanged(const struct module *m, eqn_t e, struct slice name, struct slice known, const struct prim *prim)
{
    struct name_buffer buffer;
    param_t first = m->eqns.at[e].params;
    return first != NONE && m->params.at[first].key != NONE &&
           slice_eq(module_name(m, m->params.at[first].key, &buffer), known) && prim_role(prim, name).n;
}

/* whether nothing follows a name, or only `[...]`, which replaces the rest of the text */
static bool
is_cut(const struct module *m, const struct eqn *eqn)
{
    atom_t only = eqn->n_atoms == 1 ? m->atoms.at[eqn->atoms] : 0;
    bool dots = eqn->n_atoms == 1 && atom_kind(only) == ATOM_LIT && m->literals.at[atom_id(only)].kind == LIT_ARRAY &&
                m->literals.at[atom_id(only)].type == NONE;
    return eqn->params == NONE && (eqn->n_atoms == 0 || dots);
}

/* the known name that was probably meant, or NULL; *other is a second one. If operands are joined with the name,
 * *prefix is the length of what precedes them, else 0 */
static const char *
meant_name(struct checker *c, eqn_t e, struct slice name, u32 *prefix, const char **other)
{
    const struct eqn *eqn = &c->m->eqns.at[e];
    const char *meant = NULL, *with_operand = NULL;
    bool cut = is_cut(c->m, eqn), extended = false;
    if (name.n > LONG && name.at[name.n - 1] == '-') /* `dot_gene-` */
        name.n--;
    u32 joined = 0;    /* the length of the longest name that begins this one, before an operand */
    size_t begins = 0; /* the same before anything */
    for (u32 i = 0, n = prims_count(); i < n; i++) {
        struct prim row = prims_row(i);
        struct slice known = slice_of(row.name);
        const char *also = row.also;
        bool near = false;
        do {
            if (is_surely(c, e, name, known, cut) || is_exchanged(c->m, e, name, known, &row))
                return row.name;
            if (known.n > joined && has_operand(c->m, e, name, known, &row)) {
                with_operand = row.name;
                joined = (u32)known.n;
            }
            if (known.n > begins && slice_starts(name, known)) {
                begins = known.n;
                extended = word_is_extended(name, known);
            }
            near = near || is_near(name, known);
        } while ((known = words_next(&also)).n > 0);
        bool within = !near && word_is_within(name, slice_of(row.name));
        bool alike = ((near || within) && keys_resemble(c->m, e, &row)) || has_keys_of(c->m, e, name, &row);
        bool judged = near || (within && row_lists(c->m, e, &row)) || has_form_of(c->m, e, name, &row);
        if (!alike && (!judged || !row_takes(c, e, &row)))
            continue;
        *other = meant;
        meant = row.name;
    }
    meant = extended ? NULL : meant;
    *prefix = with_operand && !meant ? joined : 0;
    struct slice operands = {name.at + *prefix, name.n - *prefix};
    if (*prefix && !is_number(operands) && !is_near_variable(c->m, e, operands) &&
        (eqn->n_atoms || !are_near_variables(c->m, e, operands)))
        ++*prefix; /* the letter in the place of the blank */
    return *prefix ? with_operand : meant;
}

/* `mul b` for `mulb`, `mul a b` for `mulab` */
static void
suggest_apart(struct checker *c, eqn_t e, const char *meant, struct slice operands)
{
    u32 each = is_near_variable(c->m, e, operands) || is_number(operands) ? (u32)operands.n : 1;
    const char *apart = "";
    for (u32 i = 0; i < operands.n; i += each)
        apart = arena_printf(c->m->mem, "%s %.*s", apart, (int)each, operands.at + i).at;
    diag_note(c->ds, NONE, 0, "did you mean `%s%s`?", meant, apart);
}

void
report_unknown_primitive(struct checker *c, eqn_t e)
{
    enum { NAMES_ASKED = 64 }; /* a text with more of them uses names of its own */
    struct name_buffer buffer;
    name_t prim = c->m->eqns.at[e].prim;
    struct slice name = module_name(c->m, prim, &buffer);
    bool strict = c->options->strict;
    bool first = (strict || c->unknown_prims.n < NAMES_ASKED) && first_use_of_unknown(c, prim);
    if (strict ? makes_operator(c->m, e) : !first)
        return;
    if (first && unlikely(dtype_find(name) != NONE)) {
        struct span s = where_span(c->m, e, at_prim());
        diag_add(c->ds, DIAG_T011, s.at, s.n, "`%s` is an element type, not a primitive", diag_quote(c->ds, name));
        return;
    }
    const struct eqn *eqn = &c->m->eqns.at[e];
    if (!strict && (eqn->n_atoms || eqn->n_vars == 0 || eqn->params == NONE) && is_near_variable(c->m, e, name)) {
        struct span s = where_span(c->m, e, at_prim());
        diag_add(c->ds, DIAG_T011, s.at, s.n, "`%s` is a variable: expected a primitive", diag_quote(c->ds, name));
        diag_relevel(c->ds, LEVEL_WARNING);
        if (eqn->n_atoms + eqn->n_vars == 0)
            diag_note(c->ds, NONE, 0, "is this line an operand of the equation above?");
        return;
    }
    u32 prefix = 0;
    const char *other = NULL, *meant = NULL;
    bool parted = c->m->eqns.at[e].n_atoms == 0 && c->m->eqns.at[e].params == NONE;
    if (first && (parted || !words_have(functions, name)))
        meant = meant_name(c, e, name, &prefix, &other);
    struct span s = where_span(c->m, e, at_prim());
    bool joined = s.at + s.n < c->m->text.n && c->m->text.at[s.at + s.n] == '{'; /* `concat{ lambda` */
    if (!strict && !meant && !(first && (joined || is_broken(name))))
        return;
    if (first && !meant)
        meant = prims_suggest(name);
    diag_add(c->ds, DIAG_T011, s.at, s.n, "unknown primitive `%s`: the types of its results are not verified",
             diag_quote(c->ds, name));
    if (!strict)
        diag_relevel(c->ds, LEVEL_WARNING);
    if (prefix)
        suggest_apart(c, e, meant, (struct slice){name.at + prefix, name.n - prefix});
    else if (other)
        diag_note(c->ds, NONE, 0, "did you mean `%s` or `%s`?", other, meant);
    else if (meant)
        diag_note(c->ds, NONE, 0, "did you mean `%s`?", meant);
}

/* whether a text is brackets, or a name with some, or an object: `(1, 2)`, `PyTreeDef(*)`, `<function f at 0x7f..>` */
static bool
is_bracketed(struct slice s)
{
    size_t open = dotted_until(s, 0);
    if (s.n > 1 && *s.at == '<' && s.at[s.n - 1] == '>')
        return true;
    if (open == s.n || bracket_step(s.at[open]) <= 0)
        return false;
    size_t next = (size_t)(value_find(s.at + open + 1, s.at + s.n, ")]}") - s.at) + 1; /* not one in a string */
    return next == s.n || (next < s.n && bracket_step(s.at[next]) > 0);
}

/* the indentation of the line that begins at a place; NONE if something else precedes the place on its line */
static u32
indent_before(const struct module *m, u32 at)
{
    const char *text = m->text.at, *p = text + at;
    while (p > text && p[-1] == ' ')
        p--;
    return p == text || p[-1] == '\n' ? (u32)(text + at - p) : NONE;
}

/* warns if a literal that begins a line, which is not indented deeper than the equation, is read as an operand: without
 * a row, the number of operands is not limited */
static void
report_stray_operand(struct checker *c, eqn_t e)
{
    const struct module *m = c->m;
    const struct eqn *eqn = &m->eqns.at[e];
    const char *text = m->text.at, *line = text + where_span(m, e, at_prim()).at;
    while (line > text && line[-1] != '\n')
        line--;
    for (u32 i = 0; i < eqn->n_atoms; i++) {
        struct span s = where_span(m, e, at_operand(i));
        u32 indent = atom_kind(m->atoms.at[eqn->atoms + i]) == ATOM_LIT ? indent_before(m, s.at) : NONE;
        if (indent == NONE || text + s.at < line || indent > (size_t)(skip_spaces(line) - line))
            continue;
        diag_add(c->ds, DIAG_T010, s.at, s.n,
                 "this line is read as an operand of `%s`; indent it further, or delete it",
                 quote_name(m, c->ds, eqn->prim));
        diag_relevel(c->ds, LEVEL_WARNING);
        return;
    }
}

/* reports that an operator of PennyLane has fewer operands than wires, which are its last operands
 * (pennylane/operation.py) */
static void
report_lost_wires(struct checker *c, eqn_t e)
{
    const struct module *m = c->m;
    const struct eqn *eqn = &m->eqns.at[e];
    param_t p = makes_operator(m, e) ? eqn_param(m, e, SLICE("n_wires")) : NONE;
    i64 wires;
    if (p == NONE || m->params.at[p].kind != PARAM_TEXT)
        return;
    struct cursor text = cursor_of(value_trim(param_bytes(m, &m->params.at[p])));
    if (!value_int(&text, &wires) || (wires >= 0 && wires <= (i64)eqn->n_atoms))
        return;
    struct span s = m->params.at[p].span;
    diag_add(c->ds, DIAG_T010, s.at, s.n, "`n_wires` of `%s` is %lld, but the equation has %u operand%s",
             quote_name(m, c->ds, eqn->prim), (long long)wires, eqn->n_atoms, eqn->n_atoms == 1 ? "" : "s");
}

/* whether `...` replaces the middle of a value, within its words: `No...False` */
static bool
is_cut_inside(struct slice s)
{
    size_t n = dotted_until(s, 0);
    const char *dots = n == s.n ? memmem(s.at, s.n, "...", 3) : NULL;
    return dots && dots > s.at && is_word_char(dots[-1]) && is_word_start(dots[3]);
}

void
report_unknown_values(struct checker *c, eqn_t e)
{
    struct module *m = c->m;
    if (unlikely(m->text.repairs & REPAIR_LAYOUT))
        report_stray_operand(c, e);
    report_lost_wires(c, e);
    for (param_t i = m->eqns.at[e].params; i != NONE; i = m->params.at[i].next) {
        const struct param *p = &m->params.at[i];
        bool plain = p->key != NONE && (p->kind == PARAM_TEXT || (p->kind == PARAM_TUPLE && p->a == NONE));
        struct slice text = plain ? value_trim(param_bytes(m, p)) : SLICE("");
        bool bracketed = plain && is_bracketed(text), opened = plain && brackets_open(text) > 0;
        struct span line = plain ? aligned_line(m, p) : (struct span){0, 0};
        if (line.n) {
            diag_add(c->ds, DIAG_T010, line.at, line.n, LINE_IN_VALUE, quote_name(m, c->ds, p->key));
            diag_relevel(c->ds, LEVEL_WARNING);
        }
        const char *fault = is_cut_inside(text)      ? "is incomplete: its middle is `...`"
                            : begins_with_sign(text) ? "begins with a sign, as no value does"
                                                     : NULL;
        if (!line.n && fault) {
            diag_add(c->ds, DIAG_T010, p->span.at, p->span.n, "`%s` of `%s` %s", quote_name(m, c->ds, p->key),
                     quote_name(m, c->ds, m->eqns.at[e].prim), fault);
            diag_relevel(c->ds, LEVEL_WARNING);
            continue;
        }
        if (line.n || (!bracketed && !opened) || value_is_object(text))
            continue;
        struct slice odd;
        const char *key = quote_name(m, c->ds, p->key), *prim = quote_name(m, c->ds, m->eqns.at[e].prim),
                   *malformed = value_malformed(c->ds, text, SLICE(""), true, &odd);
        struct span at = malformed && bracketed ? value_span(m, p, odd) : p->span;
        if (!bracketed)
            diag_add(c->ds, DIAG_T010, at.at, at.n,
                     "`%s` of `%s` opens a bracket that it does not close; is its end missing?", key, prim);
        else if (malformed)
            diag_add(c->ds, DIAG_T010, at.at, at.n, VALUE_IS_MALFORMED, key, prim, malformed);
        else
            diag_add(c->ds, DIAG_T010, at.at, at.n, "`%s` of `%s` must be the repr of a Python value, %s", key, prim,
                     value_got(c->ds, text, SLICE(""), true));
        diag_relevel(c->ds, LEVEL_WARNING);
    }
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Reports unknown names in parameters of the right kind: an element type that does not exist, a size that no type
 * shows. These are warnings, as a later release may print them; a mesh axis that a shard_map leaves to the compiler is
 * an error. Linear in the bytes of the parameters, and once in those of all sizes. */
#include "verify/checker.h"

#include "base/near.h"
#include "verify/mesh.h"
#include "verify/sharding_rules.h"

#include "base/chars.h"
#include "types/type_fault.h"

/* reads the next name in a size, and whether it is called: first `b` and then `mod` in `4*b - mod(b, 3)`. Numbers, and
 * `np.int64(3)`, are skipped */
static bool
size_word(struct slice *rest, struct slice *word, bool *called)
{
    size_t i = 0;
    while (i < rest->n) {
        size_t from = i;
        while (i < rest->n && (is_word_char(rest->at[i]) || (u8)rest->at[i] >= 0x80))
            i++;
        *word = (struct slice){rest->at + from, i - from};
        char next = i < rest->n ? rest->at[i] : ' ';
        *called = next == '(';
        i += i == from;
        bool number = *called ? from > 0 && word->at[-1] == '.' : word->n && is_digit(*word->at);
        if (word->n && !number && next != '.') {
            *rest = (struct slice){rest->at + i, rest->n - i};
            return true;
        }
    }
    return false;
}

/* whether a name is plausible for a new element type: `float6_e3m2fn`, `int3` */
static bool
is_likely_dtype(struct slice s)
{
    size_t letters = 0;
    while (letters < s.n && s.at[letters] >= 'a' && s.at[letters] <= 'z')
        letters++;
    return letters > 2 && letters < s.n && is_digit(s.at[letters]) && !dtype_is_misspelled(s);
}

/* warns of a word that is not a known element type and does not look like a new one, and of the short name of one */
static bool
report_dtype(struct rule *r, const struct prim_param *param, const struct param *p)
{
    struct slice text = value_trim(param_bytes(r->m, p));
    dtype_t dtype = dtype_find(text);
    if (likely(dtype != NONE && slice_eq(dtype_long(&r->m->names, dtype), text)))
        return true;
    const char *key = format_slice(r, param->key);
    if (dtype != NONE)
        return rule_warning(r, DIAG_T010, at_param(r, key), "`%s` of `%s` is `%s`, which JAX prints as `%s`", key,
                            format_prim(r), format_slice(r, text), format_slice(r, dtype_long(&r->m->names, dtype)));
    bool word = true;
    for (size_t i = 0; i < text.n; i++)
        word &= is_word_char(text.at[i]);
    struct aval binder = rule_binder(r, 0);
    bool new = is_likely_dtype(text) && binder.dtype >= DT_COUNT; /* a result of known type rules that out */
    if (!word || new || slice_eq(text, SLICE("None")) || param_dtype(r, key, &dtype))
        return true;
    if (binder.dtype != NONE && slice_eq(dtype_text(&r->m->names, binder.dtype), text))
        return true; /* an extended type of a user */
    u32 least = 0;
    struct slice given = binder.dtype < DT_COUNT ? dtype_long(&r->m->names, binder.dtype) : SLICE("");
    return rule_warning(r, DIAG_T010, at_param(r, key), "`%s` of `%s` is the unknown element type `%s`%s", key,
                        format_prim(r), format_slice(r, text),
                        given.n && word_nearer(text, given, &least)
                            ? format_text(r, "; did you mean `%s`?", format_slice(r, given))
                            : "");
}

static u32
word_id(struct slice word)
{
    return (u32)(hash_slice(0, word) >> 33);
}

/* whether some type in the text has a size that contains this word */
static bool
is_size_name(struct checker *c, struct slice word)
{
    const struct module *m = c->m;
    struct mem *mem = m->mem;
    if (!c->size_names.read) {
        c->size_names.read = true;
        for (u32 i = 0; i < m->types.dims.n; i++) {
            const struct dim *d = &m->types.dims.at[i];
            struct slice rest = d->kind == DIM_INT ? SLICE("") : d->text;
            bool called;
            for (struct slice found; size_word(&rest, &found, &called);)
                if (!called)
                    memo_set(mem, &c->size_names.words, word_id(found), 1);
        }
    }
    return memo_get(&c->size_names.words, word_id(word)) != 0;
}

/* warns of a named size in a parameter that occurs in no type: JAX prints the sizes of operands and results */
static bool
report_sizes(struct rule *r, const struct prim_param *param, const struct param *p)
{
    const char *key = format_slice(r, param->key);
    struct slice text = value_trim(param_bytes(r->m, p)), word, rest = text;
    bool objects = slice_contains(text, SLICE("Traced<")) || slice_contains(text, SLICE("rray("));
    if (objects || slice_eq(text, SLICE("...")))
        return true;
    for (u32 i = 0; i < r->n_results; i++)
        if (rule_binder(r, i).type == NONE)
            return true;
    bool called, known = true;
    while (known && size_word(&rest, &word, &called))
        known = called || slice_eq(word, SLICE("None")) || is_size_name(r->c, word);
    if (known)
        return true;
    return rule_warning(r, DIAG_T010, at_slice(r, key, word),
                        "`%s` of `%s` contains the size `%s`, which no type in the program contains", key,
                        format_prim(r), format_slice(r, word));
}

/* reports a mesh axis that the mesh around the equation, or the sharding of an operand or result, shows to be explicit,
 * while no shard_map makes it manual (jax/_src/lax/parallel.py 0.12, _check_axis_names) */
static bool
report_explicit(struct rule *r, struct where where, struct slice name)
{
    u32 i = 0;
    struct aval a = aval_unknown();
    for (; i < r->n + r->n_results; i++) {
        a = i < r->n ? r->in[i] : rule_binder(r, i - r->n);
        if (a.kind == AVAL_ARRAY && sharded_over(&a, name))
            break;
    }
    bool shown = i < r->n + r->n_results;
    if (!shown && rule_axis_kind(r, name) != AXIS_EXPLICIT)
        return true;
    rule_error(r, DIAG_T010, where, "`%s` names the axis `%s`, which must be manual, but is explicit%s", format_prim(r),
               format_slice(r, name),
               !shown ? " in the enclosing mesh"
                      : format_text(r, ": `%s` is %s", i < r->n ? format_operand(r, i) : format_result(r, i - r->n),
                                    format_aval(r, &a)));
    if (shown && i < r->n)
        rule_note_operand(r, i);
    return rule_hint(r, "a `shard_map` makes axes manual for its program");
}

/* reports a mesh axis that the enclosing shard_map leaves to the compiler, or that no enclosing mesh has: JAX has no
 * size for it (jax/_src/core.py, axis_size) */
static bool
report_axis(struct rule *r, const struct prim_param *param, struct slice name)
{
    struct where where = at_slice(r, format_slice(r, param->key), name);
    switch (rule_axis_scope(r, name)) {
    case AXIS_BOUND:
        break;
    case AXIS_FREE:
        return report_explicit(r, where, name);
    case AXIS_LEFT:
        return rule_error(r, DIAG_T010, where,
                          "`%s` names the axis `%s`, which is not manual in the enclosing `shard_map`", format_prim(r),
                          format_slice(r, name)) ||
               rule_note_manual(r, name);
    case AXIS_UNBOUND: /* a vmap may bind it: JAX also prints programs that are traced inside of one */
        return rule_warning(r, DIAG_T010, where, "`%s` names the axis `%s`, which no enclosing mesh has",
                            format_prim(r), format_slice(r, name)) &&
               !rule_note_mesh(r);
    }
    return true;
}

/* reports the position of an axis, which has no name: only reductions take them (jax/_src/lax/parallel.py). Some other
 * rules of JAX do not look at it */
static bool
report_position(struct rule *r, const struct prim_param *param, struct slice position)
{
    const char *key = format_slice(r, param->key);
    if (r->prim->is.positions)
        return true;
    return rule_stricter(r, DIAG_T010, at_slice(r, key, position),
                         "`%s` of `%s` must name mesh axes, but contains the positional axis %s", key, format_prim(r),
                         format_slice(r, position));
}

static bool
report_axes(struct rule *r, const struct prim_param *param, const struct param *p)
{
    struct axis_names names = axis_names_of(value_trim(param_bytes(r->m, p)));
    struct slice name;
    bool fine = true, position;
    if (rule_param(r, "call_jaxpr") != NONE) /* it binds the axis */
        return true;
    while (fine && axis_names_next(&names, &name, &position))
        fine = position ? report_position(r, param, name) : report_axis(r, param, name);
    return fine;
}

/* checks groups of the devices along mesh axes: together they have all devices, and each has as many as are gathered or
 * scattered (jax/_src/lax/parallel.py, _replica_groups) */
static bool
report_groups(struct rule *r, const struct prim_param *param, const struct param *p)
{
    const char *key = format_slice(r, param->key);
    struct slice text = value_trim(param_bytes(r->m, p)), group;
    struct cursor c = cursor_of(text);
    i64 size = 0, total = 0, each = 0;
    u32 n;
    const char *by = "";
    if (!value_open(&c))
        return true;
    bool even = prim_role(r->prim, SLICE("axis_size")).n || prim_role(r->prim, SLICE("split_axis")).n;
    if (param_int(r, "axis_size", &each))
        by = "axis_size=";
    for (u32 i = 0; value_element(&c, &group) && value_count(group, &n); i++, total += n) {
        each = each ? each : n;
        if (even && n != each)
            return rule_stricter(r, DIAG_T010, at_item(r, key, i),
                                 "groups in `%s` of `%s` must have %s%lld indices%s, got %u", key, format_prim(r), by,
                                 (long long)each, *by ? "" : ", as the first has", n) ||
                   (*by && rule_note(r, at_param(r, "axis_size"), "`axis_size` is set here"));
    }
    size = rule_axes_size(r);
    if (size > 0 && total != size) {
        const char *axes = rule_param(r, "axis_name") != NONE ? "axis_name" : "axes";
        rule_warning(r, DIAG_T010, at_param(r, key), "`%s` of `%s` has %lld indices, but %s=%s spans %lld devices", key,
                     format_prim(r), (long long)total, axes, format_param(r, axes), (long long)size);
        rule_note_axes(r);
    }
    return true;
}

bool
rule_param_names(struct rule *r, const struct param *p, const struct prim_param *param)
{
    switch ((enum param_role)param->kind) {
    case ROLE_DTYPE:
    case ROLE_NUMBERS:
        return report_dtype(r, param, p);
    case ROLE_SHAPE:
    case ROLE_DIM:
    case ROLE_INTS:
    case ROLE_PAIRS:
        return report_sizes(r, param, p);
    case ROLE_NAMES:
    case ROLE_NAMEDAXES:
        return report_axes(r, param, p);
    case ROLE_GROUPS:
        return report_groups(r, param, p);
    default:
        return true;
    }
}

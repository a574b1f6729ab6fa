/* SPDX-License-Identifier: Apache-2.0
 *
 * Equations in the notation of kernels, which are kept as text, `copy_smem_to_gmem[commit_group=False] a[..] -> b[..]`:
 * their parameters, and the signs between their operands. Linear in the text, times the parameters of one primitive. */
#include "verify/checker.h"

#include "base/lexical.h"
#include "base/value.h"

/* takes the next `key=value` of a list that a blank separates, with blanks between brackets as parts of values */
static bool
next_pair(struct slice *list, struct slice *key, struct slice *value)
{
    *list = value_trim(*list);
    size_t equals = word_until(*list, 0), end = equals;
    for (u32 depth = 0; end < list->n && (depth || !is_blank(list->at[end])); end++)
        depth = bracket_depth(depth, list->at[end]);
    bool pair = equals < list->n && list->at[equals] == '=';
    *key = (struct slice){list->at, pair ? equals : end};
    *value = pair ? (struct slice){list->at + equals + 1, end - equals - 1} : SLICE("");
    *list = (struct slice){list->at + end, list->n - end};
    return end > 0;
}

/* the place of a part of an equation's text */
static struct where
at_part(const struct rule *r, struct slice part)
{
    struct span s = value_span(r->m, &r->m->params.at[r->eqn->params], part);
    return at_text(s.at, s.n);
}

static void
report_key(struct rule *r, struct slice key)
{
    u32 meant = misspelled_param(r->prim, key, 0);
    rule_unread(r, DIAG_T010, at_part(r, key), "`%s` has no parameter `%s` in any known version of JAX%s",
                format_prim(r), format_slice(r, key),
                meant == NONE ? ", so its value is not checked"
                              : format_text(r, "; did you mean `%s`?", format_slice(r, r->prim->listed[meant].key)));
}

/* whether a value is a variable, `a`, or a literal, `True:bool[]` */
static bool
is_operand(struct slice value)
{
    size_t end = word_until(value, 0);
    return end && (end == value.n || slice_eq((struct slice){value.at + end, value.n - end}, SLICE(":bool[]")));
}

/* reports the parameters in a list, `key=value key=value`, that the row does not have or that have a value of another
 * kind */
static void
check_params_of(struct rule *r, struct slice list)
{
    struct slice key, value;
    while (next_pair(&list, &key, &value)) {
        u32 i = prim_listed(r->prim, key);
        /* an operand is printed in place of `has_user_predicate=True` */
        bool operand =
            slice_eq(key, SLICE("user_predicate")) && prim_listed(r->prim, SLICE("has_user_predicate")) != NONE;
        if (operand && !is_operand(value))
            rule_error(r, DIAG_S001, at_part(r, value.n ? value : key),
                       "`user_predicate` must be a variable or a literal");
        if (i == NONE && !operand)
            report_key(r, key);
        if (i == NONE)
            continue;
        const struct prim_param *listed = &r->prim->listed[i];
        struct span at = value_span(r->m, &r->m->params.at[r->eqn->params], value);
        struct param p = {.key = NONE, .kind = PARAM_TEXT, .a = NONE, .span = at, .next = NONE};
        if (!value_fits(r->m, &p, listed))
            rule_stricter(r, DIAG_T010, at_part(r, value.n ? value : key), VALUE_OF_OTHER_KIND, format_slice(r, key),
                          format_prim(r), listed->nullable ? "None or " : "", param_noun(r->c->ds, listed),
                          value_got(r->c->ds, value, SLICE(""), true));
    }
}

/* takes the next sign of a text: not a bracket, nor what is in braces, the names of axes */
static bool
next_sign(struct slice *text, u32 *braces, struct slice *sign)
{
    const char *p = text->at, *end = p + text->n;
    for (; p < end && (*braces || is_blank(*p) || bracket_step(*p) || *p == ','); p++)
        *braces = *p == '{' ? *braces + 1 : *braces - (*p == '}' && *braces);
    const char *from = p;
    while (p < end && !is_blank(*p) && !bracket_step(*p))
        p++;
    *sign = (struct slice){from, (size_t)(p - from)};
    *text = (struct slice){p, (size_t)(end - p)};
    return sign->n > 0;
}

/* reports the first sign in the text of the operands that the primitive does not print, and one that is missing */
static void
check_signs(struct rule *r, struct slice operands)
{
    static const struct {
        const char *signs, *example;
    } printed[] = {
        [SIGNS_NONE] = {"", "`a[...] b[...]`"},
        [SIGNS_COPY] = {"->", "`a[...] -> b[...]`"},
        [SIGNS_COPY_USING] = {"-> using", "`a[...] -> b[...] using c[...]`"},
        [SIGNS_PRODUCT] = {"<- @", "`a[...] <- b[...] @ c[...]`"},
    };
    const struct module *m = r->m;
    const char *example = printed[r->prim->is.signs].example;
    struct slice wanted = slice_of(printed[r->prim->is.signs].signs), sign, next;
    u64 first = memo_get(&m->statements, r->eqn->params);
    u32 braces = 0, none = 0;
    if (m->params.at[r->eqn->params].span.at >= m->text.n) /* respelled by a pass; its pieces are elsewhere */
        return;
    for (u64 i = first; i != 0; i++) {
        const struct piece *piece = &m->pieces.at[i - 1];
        struct slice text = module_bytes(m, piece->text);
        size_t before = text.at < operands.at ? (size_t)(operands.at - text.at) : 0;
        text = before < text.n ? (struct slice){text.at + before, text.n - before} : SLICE("");
        while (next_sign(&text, &braces, &sign))
            if (!next_sign(&wanted, &none, &next) || !slice_eq(sign, next)) {
                rule_error(r, DIAG_S001, at_part(r, sign), "unexpected `%s`; `%s` has operands such as %s",
                           format_slice(r, sign), format_prim(r), example);
                return;
            }
        if (piece->operand == NONE)
            break;
    }
    if (r->n > 1 && next_sign(&wanted, &none, &next) && !slice_eq(next, SLICE("using")))
        rule_error(r, DIAG_S001, at_prim(), "`%s` lacks a `%s`; it has operands such as %s", format_prim(r),
                   format_slice(r, next), example);
}

void
check_notation(struct rule *r, struct slice rest)
{
    const char *end = rest.at + rest.n, *params = raw_params_end(rest.at, end);
    if (params > rest.at)
        check_params_of(r, (struct slice){rest.at + 1, (size_t)(params - rest.at) - 2});
    size_t before = rest.n && bracket_step(*rest.at) > 0 ? bracket_end(rest, 0) + 1 : 0;
    check_signs(r, (struct slice){rest.at + before, rest.n - before});
    struct aval out = aval_unknown();
    if (r->prim->is.notation)
        prim_shape(r, &out);
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Places that findings name: operands, results, parameters and parts of their values, and the spans of these. A place
 * in a list is linear in it; nothing here runs on a program without errors. */
#include "verify/checker.h"

struct where
at_param(const struct rule *r, const char *key)
{
    param_t p = rule_param(r, key);
    return p == NONE ? at_prim() : (struct where){.kind = AT_PARAM, .i = p, .j = NONE};
}

struct span
value_span(const struct module *m, const struct param *p, struct slice part)
{
    struct slice value = module_bytes(m, p->span);
    if (!part.n || part.at < value.at || part.at + part.n > value.at + value.n)
        return p->span;
    const char *end = part.at + part.n;
    bool quoted = part.at > value.at && end < value.at + value.n && part.at[-1] == '\'' && *end == '\'';
    return (struct span){p->span.at + (u32)(part.at - value.at) - quoted, (u32)part.n + 2u * quoted};
}

struct where
at_slice(const struct rule *r, const char *key, struct slice part)
{
    struct where whole = at_param(r, key);
    if (whole.kind != AT_PARAM)
        return whole;
    struct span all = r->m->params.at[whole.i].span, s = value_span(r->m, &r->m->params.at[whole.i], part);
    return s.at == all.at && s.n == all.n ? whole : at_text(s.at, s.n);
}

struct where
at_result_field(const struct rule *r, u32 i, const char *key)
{
    struct span s = eqn_result_span(r->m, r->e, i);
    struct slice field;
    if (s.at >= r->m->text.n || !value_field(module_bytes(r->m, s), key, &field))
        return at_result(i);
    return at_text((u32)(field.at - r->m->text.at), (u32)field.n);
}

struct where
at_list(const struct rule *r, const char *key, const struct ints *list)
{
    return at_slice(r, key, list->text);
}

/* entry i of a list, or an empty slice */
static struct slice
entry_of(struct slice list, u32 i)
{
    struct cursor c = cursor_inside(list);
    struct slice entry;
    for (u32 k = 0; value_element(&c, &entry); k++)
        if (k == i)
            return entry;
    return (struct slice){"", 0};
}

struct where
at_entry(const struct rule *r, const char *key, const struct ints *list, u32 i)
{
    struct slice entry = entry_of(list->text, i);
    return entry.n ? at_slice(r, key, entry) : at_list(r, key, list);
}

struct where
at_item(const struct rule *r, const char *key, u32 i)
{
    struct slice text;
    return param_text(r, key, &text) ? at_entry(r, key, &(struct ints){.text = text}, i) : at_param(r, key);
}

struct where
at_item_part(const struct rule *r, const char *key, u32 i, u32 k)
{
    struct slice text;
    return param_text(r, key, &text) ? at_entry(r, key, &(struct ints){.text = entry_of(text, i)}, k)
                                     : at_param(r, key);
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

/* SPDX-License-Identifier: Apache-2.0
 *
 * JAX prints parameter values with no mark where they end. A value of balanced brackets, without blanks between them,
 * ends at one place in every layout, if the keys ascend as JAX sorts them; any other may be cut differently when the
 * lines are. Promises about layout are made for programs whose values are of the first kind. Linear; no recursion. */
#include "target.h"

#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 512, MOST_JAXPRS = 4096 };

/* Whether the text ends where its brackets say; blanks and quotes count inside brackets only. */
static bool
ends_by_itself(struct jx_string s, bool blanks)
{
    char open[DEEPEST];
    size_t depth = 0;
    for (size_t i = 0; i < s.n; i++) {
        char c = s.at[i];
        if (c == '(' || c == '[' || c == '{') {
            if (depth == DEEPEST)
                return false;
            open[depth++] = c == '(' ? ')' : c == '[' ? ']' : '}';
        } else if (c == ')' || c == ']' || c == '}') {
            if (depth == 0 || open[--depth] != c)
                return false;
        } else if (c == '\'' || c == '"' || c == '#' || c == '\\') {
            return false;
        } else if (c == '\n' || c == '\r' || c == '\t' || c == '<' || c == '>') {
            return false;
        } else if (c == ' ' && depth == 0 && !blanks) {
            return false;
        } else if (c == '=' && depth == 0) {
            return false;
        }
    }
    return depth == 0;
}

struct search {
    jx_module *module;
    uint32_t todo[MOST_JAXPRS];
    size_t n;
    bool certain;
};

/* Whether two keys may follow each other in JAX's order, in which only `name` may come first out of turn. */
static bool
in_order(struct jx_string before, struct jx_string key)
{
    if (before.n == 0 || (before.n == 4 && memcmp(before.at, "name", 4) == 0))
        return true;
    int order = memcmp(before.at, key.at, before.n < key.n ? before.n : key.n);
    return order < 0 || (order == 0 && before.n < key.n);
}

static void
look_at_parameter(struct search *s, uint32_t id, const struct jx_parameter *p)
{
    if (p->jaxprs == 0) {
        s->certain &= ends_by_itself(p->value, p->key.n == 0);
        return;
    }
    /* programs alone, or a tuple of them; other text with programs inside is only as certain as what is around them */
    s->certain &= p->value.at[0] == '{' || p->value.at[0] == '(' || memchr(p->value.at, '{', p->value.n) == NULL;
    for (uint32_t k = 0; k < p->jaxprs; k++) {
        if (s->n == MOST_JAXPRS)
            s->certain = false;
        else
            s->todo[s->n++] = jx_parameter_jaxpr(s->module, id, k);
    }
}

static void
look_at_jaxpr(struct search *s, uint32_t id)
{
    struct jx_jaxpr j;
    struct jx_equation e;
    struct jx_parameter p;
    if (!jx_jaxpr_at(s->module, id, &j))
        return;
    for (uint32_t q = j.first_equation; s->certain && jx_equation_at(s->module, q, &e); q = e.next) {
        struct jx_string before = {"", 0};
        for (uint32_t v = e.first_parameter; s->certain && jx_parameter_at(s->module, v, &p); v = p.next) {
            s->certain &= in_order(before, p.key);
            before = p.key;
            look_at_parameter(s, v, &p);
        }
    }
}

/* Whether everything that looks like a program was read as one: text like it may be read otherwise when it is
 * joined. */
static bool
programs_are_programs(jx_module *module, const char *bytes, size_t n)
{
    uint32_t jaxprs = 0, seen = 0;
    struct jx_jaxpr j;
    while (jx_jaxpr_at(module, jaxprs, &j))
        jaxprs++;
    for (size_t i = 0; i + 6 < n; i++)
        seen += memcmp(bytes + i, "lambda", 6) == 0;
    return seen == jaxprs;
}

bool
layout_is_certain(jx_module *module, const char *bytes, size_t n)
{
    if (!programs_are_programs(module, bytes, n))
        return false;
    struct search *s = malloc(sizeof *s);
    struct jx_program p;
    if (s == NULL)
        abort();
    s->module = module;
    s->certain = true;
    s->n = 0;
    for (uint32_t i = 0; s->certain && i < jx_program_count(module); i++) {
        struct jx_string name;
        uint32_t jaxpr;
        if (!jx_program_at(module, i, &p))
            continue;
        look_at_jaxpr(s, p.jaxpr);
        for (uint32_t k = 0; k < p.shared && jx_shared_at(module, p.first_shared + k, &name, &jaxpr); k++)
            look_at_jaxpr(s, jaxpr);
        /* a shared program is named again inside: those are looked at once, above */
        for (size_t done = 0; s->certain && done < s->n && done < 1000; done++)
            look_at_jaxpr(s, s->todo[done]);
        s->n = 0;
    }
    bool certain = s->certain;
    free(s);
    return certain;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * JAX does not mark the ends of parameter values. A value of balanced brackets, without spaces between them, has the
 * same end in every layout if the keys are in JAX's order; other values may end elsewhere when lines change.
 * Properties of layout are tested for programs whose values are all of the first kind. Linear; no recursion. */
#include "target.h"

#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 512, MOST_JAXPRS = 4096 };

/* Whether a value has balanced brackets, no quotes, comments or line breaks, and, unless `blanks`, no spaces outside of
 * brackets. Text with equations or results is not a value: on one line, its `in (` may end the enclosing program. */
static bool
ends_by_itself(struct jx_string s, bool blanks)
{
    if (s.n > 0 && (memchr(s.at, ';', s.n) != NULL || memmem(s.at, s.n, "in (", 4) != NULL))
        return false;
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

static bool
begins_program(struct jx_string s, size_t at)
{
    static const char lambda[] = "{ lambda ";
    return s.n - at >= sizeof lambda && memcmp(s.at + at, lambda, sizeof lambda - 1) == 0;
}

/* Whether a value with programs is one group, from its first bracket to the one that closes it, with only programs in
 * its parentheses or brackets; names of shared programs have no brackets. */
static bool
is_one_group(struct jx_string s)
{
    char open[DEEPEST];
    size_t depth = 0;
    for (size_t i = 0; i < s.n; i++) {
        char c = s.at[i];
        bool between = depth == (s.at[0] != '{'); /* a program may begin here */
        if (between && ((c == '=' && i > 0) || (c == '{' && !begins_program(s, i)))) {
            return false;
        } else if (c == '(' || c == '[' || c == '{') {
            if (depth == DEEPEST || (i > 0 && depth == 0) || (depth == 1 && s.at[0] != '{' && c != '{'))
                return false;
            open[depth++] = c == '(' ? ')' : c == '[' ? ']' : '}';
        } else if (c == ')' || c == ']' || c == '}') {
            if (depth == 0 || open[--depth] != c || (depth == 0 && i + 1 < s.n))
                return false;
        } else if (c == '\'' || c == '"' || c == '#' || c == '\\') {
            return false;
        }
    }
    return depth == 0;
}

/* Whether an operand is a name or a literal with an unambiguous end. */
static bool
operand_is_plain(const struct jx_operand *o)
{
    return o->text.n > 0 && o->text.at[0] != '[' && o->text.at[0] != '{' && ends_by_itself(o->text, false) &&
           ends_by_itself(o->type, false);
}

/* Whether the equation reads or writes a reference, which has special syntax: `a[0] <- b`. */
static bool
is_of_state(struct jx_string primitive)
{
    static const char *const names[] = {"get", "swap", "addupdate"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (primitive.n == strlen(names[i]) && memcmp(primitive.at, names[i], primitive.n) == 0)
            return true;
    return false;
}

struct search {
    jx_module *module;
    uint32_t todo[MOST_JAXPRS];
    size_t n;
    bool certain;
};

/* Whether two keys may follow each other in JAX's order, in which only a leading `name` may be out of order. */
static bool
in_order(struct jx_string before, struct jx_string key, bool second)
{
    if (before.n == 0 || (second && before.n == 4 && memcmp(before.at, "name", 4) == 0))
        return true;
    int order = memcmp(before.at, key.at, before.n < key.n ? before.n : key.n);
    return order < 0 || (order == 0 && before.n < key.n);
}

static void
look_at_parameter(struct search *s, uint32_t id, const struct jx_parameter *p, bool state)
{
    /* an equation of an unknown form continues to the end of its line, which depends on the layout */
    s->certain &= p->value.n > 0 && (p->key.n > 0 || state);
    if (p->jaxprs == 0) {
        s->certain &= ends_by_itself(p->value, state);
        return;
    }
    s->certain &= is_one_group(p->value);
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
        bool state = is_of_state(e.primitive);
        uint32_t at = 0;
        for (uint32_t v = e.first_parameter; s->certain && jx_parameter_at(s->module, v, &p); v = p.next) {
            s->certain &= in_order(before, p.key, at++ == 1);
            before = p.key;
            look_at_parameter(s, v, &p, state);
        }
        struct jx_operand o;
        for (uint32_t i = 0; s->certain && i < e.operands && jx_operand_at(s->module, q, i, &o); i++)
            s->certain &= operand_is_plain(&o) && (o.index.n == 0 || state);
    }
}

/* Whether every `lambda` began a program: other text with this word may be read differently when lines are joined. */
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

/* Whether every parameter value ends at the same position, wherever lines are broken. */
static bool
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
        /* nested programs; shared ones were checked above */
        for (size_t done = 0; s->certain && done < s->n && done < 1000; done++)
            look_at_jaxpr(s, s->todo[done]);
        s->n = 0;
    }
    bool certain = s->certain;
    free(s);
    return certain;
}

bool
can_be_laid_out(const char *bytes, size_t n)
{
    jx_context *context = must_make_context();
    jx_module *module = must_read(context, bytes, n);
    bool good = jx_diagnostic_count(module, JX_NOTE) == 0 && layout_is_certain(module, bytes, n);
    jx_context_free(context);
    return good;
}

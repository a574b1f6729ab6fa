/* SPDX-License-Identifier: Apache-2.0
 *
 * The text that a syntax error made unreadable may bind a name, and a lost bracket may end a scope too early. So a name
 * is only unbound for certain if each of its occurrences in the text is an unbound use, and no error where a binder may
 * have been precedes it. Linear in the text. */
#include "resolve/broken_names.h"

#include "base/chars.h"

#include <stdlib.h>

enum {
    BOUND = 0xffffffff, /* in place of a count: the name also occurs elsewhere */
    LONGEST_LINE = 512  /* how far the start of a statement is searched */
};

static int
by_offset(const void *a, const void *b)
{
    const u32 *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

void
syntax_errors_read(struct syntax_errors *errors, const struct diags *ds)
{
    if (errors->read)
        return;
    for (u32 i = 0; i < ds->list.n; i++) {
        const struct diag *d = &ds->list.at[i];
        if (d->stage == STAGE_READ && d->level == LEVEL_ERROR)
            *vec_push(ds->mem, &errors->list) = d->at;
    }
    if (errors->list.n)
        qsort(errors->list.at, errors->list.n, sizeof *errors->list.at, by_offset);
    errors->read = true;
}

bool
syntax_error_between(const struct syntax_errors *errors, u32 from, u32 to)
{
    u32 first = vec_before(&errors->list, from);
    return first < errors->list.n && errors->list.at[first] < to;
}

/* whether the text before byte `at` of a text, from the statement or list that contains it, has an `=` */
static bool
is_after_equals(struct slice text, size_t at)
{
    size_t from = at < LONGEST_LINE ? 0 : at - LONGEST_LINE;
    for (size_t i = at; i-- > from;) {
        if (memchr("\n;{", text.at[i], 3) || (at - i >= 4 && memcmp(text.at + i, "let ", 4) == 0))
            return false;
        if (at - i >= 3 && (memcmp(text.at + i, " = ", 3) == 0))
            return true;
    }
    return false;
}

void
broken_names_add(struct mem *mem, struct broken_names *b, name_t name)
{
    u64 uses = memo_get(&b->uses, name);
    memo_set(mem, &b->uses, name, uses ? uses + 1 : 2);
}

/* the text of a program, and what follows it up to the next one */
static struct slice
program_text(const struct module *m, program_t p)
{
    u32 from = m->programs.at[p].offset, end = m->text.n;
    for (program_t next = p + 1; next < m->programs.n && end == m->text.n; next++)
        if (!m->programs.at[next].pasted && m->programs.at[next].offset > from && m->programs.at[next].offset < end)
            end = m->programs.at[next].offset;
    return from < end ? (struct slice){m->text.at + from, end - from} : (struct slice){NULL, 0};
}

u32
hidden_binder(const struct module *m, const struct syntax_errors *errors, program_t p)
{
    struct slice text = program_text(m, p);
    u32 from = m->programs.at[p].offset, end = from + (u32)text.n;
    for (u32 i = vec_before(&errors->list, from); i < errors->list.n && errors->list.at[i] < end; i++)
        if (!is_after_equals(text, errors->list.at[i] - from))
            return errors->list.at[i];
    return NONE;
}

void
broken_names_read(const struct module *m, struct broken_names *b, program_t p)
{
    struct slice text = program_text(m, p);
    for (size_t i = 0; i < text.n; i++) {
        struct slice word = {text.at + i, word_until(text, i) - i};
        i += word.n;
        name_t name = word.n && !is_digit(word.at[0]) ? names_find(&m->names, word) : NONE;
        u64 left = name == NONE ? 0 : memo_get(&b->uses, name);
        if (left && left != BOUND)
            memo_set(m->mem, &b->uses, name, left > 1 ? left - 1 : BOUND);
    }
}

bool
broken_names_certain(const struct broken_names *b, name_t name)
{
    return memo_get(&b->uses, name) == 1;
}

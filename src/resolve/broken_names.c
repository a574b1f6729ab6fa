/* SPDX-License-Identifier: Apache-2.0
 *
 * The text that a syntax error made unreadable may bind a name, and a lost bracket may end a scope too early. So a name
 * is only unbound for certain if each of its occurrences in the text is an unbound use, or is read by a broken line,
 * and no line before it has lost the name of a binder. Linear in the text. */
#include "resolve/broken_names.h"

#include "base/chars.h"

enum {
    BOUND = 0xffffffff, /* in place of a count: the name also occurs elsewhere */
    LONGEST_WORD = 64   /* words whose parts may be names */
};

void
broken_names_add(struct mem *mem, struct broken_names *b, name_t name)
{
    u64 uses = memo_get(&b->uses, name);
    memo_set(mem, &b->uses, name, uses ? uses + 1 : 2);
}

struct span
broken_names_text(const struct module *m, program_t p)
{
    u32 from = m->programs.at[p].offset, end = (u32)m->text.n;
    for (program_t next = p + 1; next < m->programs.n && end == m->text.n; next++)
        if (!m->programs.at[next].pasted && m->programs.at[next].offset > from && m->programs.at[next].offset < end)
            end = m->programs.at[next].offset;
    return (struct span){from, from < end ? end - from : 0};
}

/* counts a word of the text; `only`: it is not a use, whatever the count */
static void
count_word(const struct module *m, struct broken_names *b, struct slice word, bool only)
{
    name_t name = word.n && !is_digit(word.at[0]) ? names_find(&m->names, word) : NONE;
    u64 left = name == NONE ? 0 : memo_get(&b->uses, name);
    if (left && left != BOUND)
        memo_set(m->mem, &b->uses, name, left > 1 && !only ? left - 1 : BOUND);
}

/* a broken line may bind each part of a word: a character between a name and its type may be lost */
static void
count_parts(const struct module *m, struct broken_names *b, struct slice word)
{
    count_word(m, b, word, true);
    for (size_t n = 1; n < word.n && word.n <= LONGEST_WORD; n++) {
        count_word(m, b, (struct slice){word.at, n}, true);
        count_word(m, b, (struct slice){word.at + n, word.n - n}, true);
    }
}

/* whether a line contains a name as a word */
static bool
line_has_name(const struct module *m, const struct broken_line *line, name_t name)
{
    struct name_buffer buffer;
    struct slice text = {m->text.at, line->right}, wanted = module_name(m, name, &buffer);
    for (size_t i = line->from, end; i < text.n; i = end + (end == i)) {
        end = word_until(text, i);
        if (slice_eq((struct slice){text.at + i, end - i}, wanted))
            return true;
    }
    return false;
}

/* keeps a lost name only if one of its numerals occurs nowhere in the text, or only in unbound uses, or if its line
 * still has all of them: else JAX has not chosen the names of the program, and the name may be any */
static void
confirm_lost(const struct module *m, const struct broken_names *b, struct broken_lines *lines)
{
    for (u32 i = 0; i < lines->n_names; i++) {
        const struct lost_name *lost = &lines->names[i];
        const struct broken_line *line = broken_line_at(lines, lost->from);
        bool found = false, all = line && lost->low < lost->high;
        for (name_t name = lost->low; name < lost->high && !found; name++) {
            found = broken_names_certain(b, name);
            all = all && line_has_name(m, line, name);
        }
        if (!found && !all && lost->from < lines->lost)
            lines->lost = lost->from;
    }
}

void
broken_names_read(const struct module *m, struct broken_names *b, struct span text, struct broken_lines *lines)
{
    for (u32 i = 0; i < lines->n_names; i++)
        for (name_t name = lines->names[i].low; name < lines->names[i].high; name++)
            if (!memo_get(&b->uses, name))
                memo_set(m->mem, &b->uses, name, 1);
    struct slice all = {m->text.at, text.at + text.n};
    u32 line = 0;
    for (size_t i = text.at, end; i < all.n; i = end + (end == i)) {
        while (line < lines->list.n && lines->list.at[line].end <= i)
            line++;
        const struct broken_line *broken = line < lines->list.n ? &lines->list.at[line] : NULL;
        struct slice word = {all.at + i, (end = word_until(all, i)) - i};
        if (broken == NULL || i < broken->from)
            count_word(m, b, word, false);
        else if (i < broken->right)
            count_parts(m, b, word);
    }
    confirm_lost(m, b, lines);
}

bool
broken_names_certain(const struct broken_names *b, name_t name)
{
    return memo_get(&b->uses, name) == 1;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * A long text is divided between programs, threads read the parts, each into a module of its own, and these are
 * appended: the result is the module that one thread makes. A part with findings is not used, nor are those after
 * it: findings may depend on all the text before, so that one thread continues there. */
#include "parse/parts.h"

#include "ir/module_append.h"

enum { LEAST_PART = 1 << 17 }; /* shorter texts are read faster than a thread starts */

struct part {
    struct module *into; /* the module itself, for the first part; else `own` */
    struct module own;
    struct mem *mem;
    struct diags found;
    u64 lookahead; /* what is left of it */
    bool hashes;
    u32 at, n;
    char head[TEXT_PADDING]; /* its first bytes, which the padding of the previous part overwrites */
};

/* true if the line before p, ignoring comments, ends a program */
static bool
ends_program(const char *begin, const char *p)
{
    while (p > begin) {
        const char *last = p - 1, *line = last;
        while (line > begin && line[-1] != '\n')
            line--;
        while (last > line && is_blank(last[-1]))
            last--;
        if (last > line && *line != '#')
            return last[-1] == '}';
        p = line;
    }
    return false;
}

/* the next line at or after p that begins a program after another one; `end` if there is none */
static const char *
find_cut(const char *begin, const char *p, const char *end)
{
    while ((p = memchr(p, '\n', (size_t)(end - p))) != NULL && ++p < end)
        if ((memcmp(p, "{ lambda", 8) == 0 || memcmp(p, "let ", 4) == 0) && ends_program(begin, p))
            return p;
    return end;
}

/* cuts the text into at most `most` parts of about the same length; returns how many */
static u32
cut_text(const struct text *t, struct part *parts, u32 most)
{
    const char *end = t->at + t->n, *p = t->at;
    u32 n = 0;
    while (p < end) {
        u32 left = (u32)(end - p), wanted = left / (most - n);
        const char *cut = n + 1 < most ? find_cut(p, p + wanted, end) : end;
        if (end - cut < LEAST_PART)
            cut = end;
        parts[n++] = (struct part){.at = (u32)(p - t->at), .n = (u32)(cut - p)};
        p = cut;
    }
    return n;
}

static void
read_part(void *arg, u32 i)
{
    struct part *part = &((struct part *)arg)[i];
    const struct module *whole = ((struct part *)arg)->into;
    struct token_source f;
    diags_init(&part->found, part->mem);
    part->found.limit = 1;
    if (i > 0) {
        struct text text = {0};
        char *bytes = mem_alloc(part->mem, part->n + TEXT_PADDING);
        memcpy(bytes, part->head, TEXT_PADDING);
        memcpy(bytes + TEXT_PADDING, whole->text.at + part->at + TEXT_PADDING, part->n - TEXT_PADDING);
        text_adopt(part->mem, &text, whole->text.name, bytes, part->n);
        module_init(&part->own, part->mem, text);
        part->own.names.numeral_limit = whole->names.numeral_limit;
        part->own.no_fast_path = whole->no_fast_path;
    }
    token_source_open(&f, part->into, &part->found, part->hashes, part->lookahead);
    f.typed = i > 0;
    read_programs(&f, f.begin);
    part->lookahead = f.lookahead;
    token_source_close(&f);
}

/* true if a part was read as in the whole text, after `before`, which is NULL for the first */
static bool
part_is_clean(const struct part *part, const struct module *before)
{
    const struct module *m = part->into;
    bool typed = !before || (before->vars.n && before->vars.at[before->vars.n - 1].type != NONE);
    return part->found.total == 0 && m->extra.n == 0 && typed;
}

/* appends n modules to the first part's */
static void
join_parts(struct part *parts, u32 n, const struct crew *crew)
{
    struct module *m = parts->into;
    struct module_append *all = mem_alloc(m->mem, n * sizeof *all);
    for (u32 i = 1; i < n; i++)
        module_append_begin(&all[i - 1], m, parts[i].into, parts[i].at);
    crew->run(crew->user, module_append_share, all, (n - 1) * APPEND_SHARES);
    for (u32 i = 1; i < n; i++)
        module_append_end(&all[i - 1]);
    mem_free(m->mem, all);
}

/* reads all parts at once; meanwhile the text of the first ends where the second begins */
static void
read_all_parts(struct part *parts, u32 n, const struct crew *crew)
{
    struct module *m = parts->into;
    struct mem **pools = mem_alloc(m->mem, n * sizeof *pools);
    char *cut = m->text.at + parts->n;
    u32 length = m->text.n;
    for (u32 i = 0; i < n; i++)
        pools[i] = parts[i].mem;
    for (u32 i = 1; i < n; i++)
        memcpy(parts[i].head, m->text.at + parts[i].at, TEXT_PADDING);
    memset(cut, 0, TEXT_PADDING);
    m->text.n = parts->n;
    crew_work(crew, m->mem, pools, n, read_part, parts);
    m->text.n = length;
    memcpy(cut, parts[1].head, TEXT_PADDING);
    mem_free(m->mem, pools);
}

const char *
read_parts(struct module *m, const struct crew *crew, bool hashes, u64 *lookahead)
{
    u32 most = m->text.n / LEAST_PART < crew->threads ? m->text.n / LEAST_PART : crew->threads, clean = 0;
    struct part *parts = most > 1 ? mem_alloc(m->mem, most * sizeof *parts) : NULL;
    u32 n = parts ? cut_text(&m->text, parts, most) : 0;
    const char *rest = m->text.at;
    if (n > 1) {
        for (u32 i = 0; i < n; i++) {
            parts[i].into = i == 0 ? m : &parts[i].own;
            parts[i].mem = i == 0 ? m->mem : mem_inner(m->mem);
            parts[i].hashes = hashes;
            parts[i].lookahead = *lookahead;
        }
        read_all_parts(parts, n, crew);
        u64 used = 0, whole = *lookahead;
        while (clean < n && (used += whole - parts[clean].lookahead) <= whole &&
               part_is_clean(&parts[clean], clean ? parts[clean - 1].into : NULL)) {
            *lookahead = whole - used;
            clean++;
        }
        if (clean == 0) {
            module_reset(m);
            m->text.repairs = 0; /* those of values, which are computed again */
        } else {
            join_parts(parts, clean, crew);
        }
        rest = m->text.at + (clean < n ? parts[clean].at : m->text.n);
        for (u32 i = 1; i < n; i++)
            mem_inner_drop(parts[i].mem);
    }
    mem_free(m->mem, parts);
    return rest;
}

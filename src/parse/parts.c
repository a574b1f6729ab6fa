/* SPDX-License-Identifier: Apache-2.0
 *
 * A long text is divided between programs and inside them, threads read the parts, each into a module of its own, and
 * these are appended: the result is the module that one thread makes. Every second part is short, and read last, by the
 * threads that finish first. A part with findings is not used, nor are those after it: findings may depend on all the
 * text before, so one thread continues there, from the program in which the part begins. */
#include "parse/parts.h"

#include "parse/build.h"

enum {
    LEAST_PART = 1 << 17,  /* shorter texts are read in less time than starting a thread takes */
    LEAST_SHORT = 1 << 15, /* the least length of a short part between others .. */
    TIMES_SHORT = 7,       /* .. which are this many times as long */
};

struct part {
    struct module *into; /* the module itself, for the first part; else `own` */
    struct module own;
    struct mem *mem;
    struct diags found;
    u64 lookahead; /* what is left of the lookahead */
    bool hashes;
    struct cut_part text;
    u32 at, n;
    char head[TEXT_PADDING]; /* its first bytes, which the padding of the previous part overwrites */
};

/* How many parts to make, and of what length: every second one is short, or none. */
struct cuts {
    u32 most, times; /* the most parts; how many times as long the others are */
};

static struct cuts
cuts_wanted(const struct text *t, u32 threads)
{
    u32 most = t->n / LEAST_PART < threads ? t->n / LEAST_PART : threads;
    bool shorts = most > 1 && t->n / ((TIMES_SHORT + 1) * LEAST_SHORT) >= most;
    return shorts ? (struct cuts){2 * most, TIMES_SHORT} : (struct cuts){most, 1};
}

/* cuts the text into parts; returns how many */
static u32
cut_text(const struct text *t, struct part *parts, struct cuts cuts)
{
    const char *end = t->at + t->n, *p = t->at;
    u32 n = 0, least = cuts.times > 1 ? LEAST_SHORT : LEAST_PART;
    enum cut cut = CUT_BETWEEN;
    while (p < end) {
        u32 left = cuts.most - n, shorts = left / 2, size = n % 2 ? 1 : cuts.times;
        size_t wanted = (size_t)(end - p) * size / ((left - shorts) * cuts.times + shorts);
        enum cut next = CUT_BETWEEN;
        const char *to = left > 1 ? find_cut(t->at, p + wanted, end - least, &next) : NULL;
        if (!to)
            to = end;
        parts[n++] = (struct part){.at = (u32)(p - t->at), .n = (u32)(to - p), .text = {.begins = cut, .ends = next}};
        cut = next;
        p = to;
    }
    return n;
}

struct reading {
    struct part *parts;
    u32 n;
};

/* the i-th part to be read: the long ones come first */
static u32
part_in_turn(u32 n, u32 i)
{
    u32 first = (n + 1) / 2;
    return i < first ? 2 * i : 2 * (i - first) + 1;
}

/* begins the module of a part. Parts with odd numbers are copied, because padding follows each text; the others are
 * read in place */
static void
begin_module(struct part *part, const struct module *whole, bool copied)
{
    struct text text = {0};
    char *bytes = whole->text.at + part->at;
    if (copied) {
        bytes = mem_alloc(part->mem, part->n + TEXT_PADDING);
        memcpy(bytes, part->head, TEXT_PADDING);
        memcpy(bytes + TEXT_PADDING, whole->text.at + part->at + TEXT_PADDING, part->n - TEXT_PADDING);
    }
    text_adopt(part->mem, &text, whole->text.name, bytes, part->n);
    module_init(&part->own, part->mem, text);
    part->own.names.numeral_limit = whole->names.numeral_limit;
    part->own.no_fast_path = whole->no_fast_path;
}

static void
read_one(void *arg, u32 turn)
{
    const struct reading *reading = arg;
    const u32 i = part_in_turn(reading->n, turn);
    struct part *part = &reading->parts[i];
    struct token_source f;
    diags_init(&part->found, part->mem);
    part->found.limit = 1;
    if (i > 0)
        begin_module(part, reading->parts->into, i % 2 == 1);
    token_source_open(&f, part->into, &part->found, part->hashes, part->lookahead);
    f.typed = i > 0;
    read_part(&f, &part->text);
    part->lookahead = f.lookahead;
    token_source_close(&f);
}

/* true if a program in a part is inside a value, and has lets of its own */
static bool
nests_lets(const struct module *m)
{
    for (program_t p = 0; p < m->programs.n; p++)
        if (m->programs.at[p].pasted && m->programs.at[p].n_lets)
            return true;
    return false;
}

/* true if the program inside which a part begins has an atom with a name, before the part binds this name */
static bool
uses_name(const struct part *part, struct slice name, const struct part_length *before)
{
    const struct module *m = part->into;
    atom_t atom = atom_make(ATOM_NAME, names_find(&m->names, name));
    bool found = false;
    for (u32 i = 0; i < before->atoms; i++)
        found |= m->atoms.at[i] == atom;
    for (u32 i = 0; i < before->uses; i++)
        found |= m->uses.at[i] == atom;
    return found;
}

/* true if a part did not take a variable of the program that is cut before it as a number, or a number as a variable;
 * `bound`: enum bound_numbers before the cut */
static bool
numbers_are_right(const struct part *part, u32 bound)
{
    const struct module *m = part->into;
    u32 missed = bound & ~part->text.assumed, wrong = part->text.assumed & ~bound;
    for (u32 i = 0; missed && i < m->literals.n; i++) {
        struct slice text = module_bytes(m, m->literals.at[i].value);
        if (m->literals.at[i].type == NONE && (slice_eq(text, SLICE("inf")) || slice_eq(text, SLICE("nan"))))
            return false;
    }
    return !wrong ||
           (part->text.closed && !((wrong & BOUND_INF) && uses_name(part, SLICE("inf"), &part->text.binds_inf)) &&
            !((wrong & BOUND_NAN) && uses_name(part, SLICE("nan"), &part->text.binds_nan)));
}

/* true if a part was read as it would have been in the whole text, after `before`, which is NULL for the first */
static bool
part_is_clean(const struct part *part, const struct part *before)
{
    const struct module *m = part->into, *last = before ? before->into : NULL;
    const struct cut_part *text = &part->text;
    bool typed = !before || (last->vars.n && last->vars.at[last->vars.n - 1].type != NONE);
    bool cut = text->begins != CUT_BETWEEN || text->ends != CUT_BETWEEN;
    return part->found.total == 0 && m->extra.n == 0 && typed && text->ended == (text->ends != CUT_BETWEEN) &&
           !text->guessed && (text->begins == CUT_BETWEEN || (before && numbers_are_right(part, before->text.bound))) &&
           !(before && cut_in_body(text->begins) && before->text.last_column != text->column) &&
           !(cut && nests_lets(m));
}

/* how many of n clean parts are used: one thread continues between programs */
static u32
usable_parts(const struct part *parts, u32 n)
{
    while (n > 0 && parts[n - 1].text.ends != CUT_BETWEEN)
        n--;
    return n;
}

/* adds words [from, end) of a part, which module `a` moved, to those that wait for the end of their program */
static void
add_words(struct mem *mem, struct cut_part *words, const struct cut_part *part, u32 from, u32 end,
          const struct module_append *a)
{
    for (u32 i = from; i < end; i++) {
        struct shared_word word = part->shared.at[i];
        if (a) {
            word.param += a->first.params;
            word.segment = word.segment == NONE ? NONE : word.segment + a->first.segments;
        }
        *vec_push(mem, &words->shared) = word;
    }
}

/* appends n modules to the first part's */
static void
join_parts(struct part *parts, u32 n, const struct executor *executor)
{
    struct module *m = parts->into;
    struct module_append *all = mem_alloc(m->mem, n * sizeof *all);
    struct module_open open;
    struct cut_part words = {0};
    module_open_end(m, parts->text.ends, &open);
    struct program program = open.program;
    for (u32 i = 1; i < n; i++)
        module_append_begin(&all[i - 1], m, parts[i].into, parts[i].at, parts[i].text.ends, &open);
    executor->run(executor->user, module_append_share, all, (n - 1) * APPEND_SHARES);
    add_words(m->mem, &words, &parts->text, 0, parts->text.shared.n, NULL);
    for (u32 i = 1; i < n; i++) {
        const struct cut_part *part = &parts[i].text;
        program_t ended = module_append_end(&all[i - 1], &program);
        add_words(m->mem, &words, part, 0, part->n_closed, &all[i - 1]);
        if (ended != NONE) {
            const struct program *whole = &m->programs.at[ended];
            bind_shared(m, words.shared.at, words.shared.n, whole->lets, whole->n_lets);
            words.shared.n = 0;
        }
        add_words(m->mem, &words, part, part->n_closed, part->shared.n, &all[i - 1]);
    }
    vec_free(m->mem, &words.shared);
    mem_free(m->mem, all);
}

/* reads all parts at once; meanwhile padding follows those with even numbers, the first of which is in the whole
 * module */
static void
read_all_parts(struct part *parts, u32 n, const struct executor *executor)
{
    struct module *m = parts->into;
    struct mem **pools = mem_alloc(m->mem, n * sizeof *pools);
    struct reading reading = {parts, n};
    u32 length = m->text.n;
    for (u32 i = 0; i < n; i++)
        pools[i] = parts[part_in_turn(n, i)].mem;
    for (u32 i = 1; i < n; i += 2) {
        memcpy(parts[i].head, m->text.at + parts[i].at, TEXT_PADDING);
        memset(m->text.at + parts[i].at, 0, TEXT_PADDING);
    }
    m->text.n = parts->n;
    executor_run(executor, m->mem, pools, n, read_one, &reading);
    m->text.n = length;
    for (u32 i = 1; i < n; i += 2)
        memcpy(m->text.at + parts[i].at, parts[i].head, TEXT_PADDING);
    mem_free(m->mem, pools);
}

const char *
read_parts(struct module *m, const struct executor *executor, bool hashes, u64 *lookahead)
{
    const struct cuts cuts = cuts_wanted(&m->text, executor->threads);
    struct part *parts = cuts.most > 1 ? mem_alloc(m->mem, cuts.most * sizeof *parts) : NULL;
    u32 n = parts ? cut_text(&m->text, parts, cuts) : 0, clean = 0;
    const char *rest = m->text.at;
    if (n > 1) {
        for (u32 i = 0; i < n; i++) {
            parts[i].into = i == 0 ? m : &parts[i].own;
            parts[i].mem = i == 0 ? m->mem : mem_inner(m->mem);
            parts[i].hashes = hashes;
            parts[i].lookahead = *lookahead;
        }
        read_all_parts(parts, n, executor);
        u64 used = 0, whole = *lookahead;
        while (clean < n && (used += whole - parts[clean].lookahead) <= whole &&
               part_is_clean(&parts[clean], clean ? &parts[clean - 1] : NULL)) {
            if (parts[clean].text.begins != CUT_BETWEEN && !parts[clean].text.closed)
                parts[clean].text.bound |= parts[clean - 1].text.bound;
            clean++;
        }
        clean = usable_parts(parts, clean);
        for (u32 i = 0; i < clean; i++)
            *lookahead -= whole - parts[i].lookahead;
        if (clean == 0) {
            module_reset(m);
            m->text.repairs = 0; /* repairs of values, which are found again */
        } else {
            join_parts(parts, clean, executor);
        }
        rest = m->text.at + (clean < n ? parts[clean].at : m->text.n);
        for (u32 i = 1; i < n; i++)
            mem_inner_drop(parts[i].mem);
    }
    mem_free(m->mem, parts);
    return rest;
}

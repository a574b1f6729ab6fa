/* SPDX-License-Identifier: Apache-2.0
 *
 * Damages programs at random and does everything with what comes out: whatever happens, the library must come back.
 * Sanitizers make it sharp. The same seed damages the same way, and the input at work is kept in a file.
 *
 *     mutate COUNT SEED LAST FILE...     LAST: where the input at work is written, to be looked at after a crash */
#include "jaxpr.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 1 << 16 };

struct text {
    char *at;
    size_t n;
};

static unsigned long long state;

static size_t
roll(size_t below)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (size_t)(state >> 20) % below;
}

static const char *const pieces[] = {
    "{ lambda ", "}",   "[",    "]",  "(",        ")",      " in ", " let ", " = ",   "<-",    "+=",     "...",
    ";",         ":f32[]", "_", "\n", "\n    ",   "let f = ", "jaxpr=", "{",   "\t",   "\r\n",  "\033[1m", " # a.py",
    "1.0:f32[]", "'",   "\"",   ",",  "f32[n,3]", "DBIdx(0)", "\xe4\xb8\xad", "\xff", "scan[length=3]", "-1",
};

/* Puts n bytes into the text at `at`, as far as there is room. */
static void
insert(struct text *t, size_t at, const char *bytes, size_t n)
{
    n = n < LONGEST - t->n ? n : LONGEST - t->n;
    memmove(t->at + at + n, t->at + at, t->n - at);
    memcpy(t->at + at, bytes, n);
    t->n += n;
}

static void
damage(struct text *t, const struct text *texts, size_t n_texts)
{
    char copy[64];
    size_t at = roll(t->n), n = 1 + roll(sizeof copy);
    n = n < t->n - at ? n : t->n - at;
    switch (roll(6)) {
    case 0: /* another byte */
        t->at[at] = (char)roll(256);
        break;
    case 1: /* a stretch is lost */
        memmove(t->at + at, t->at + at + n, t->n - at - n);
        t->n -= n;
        break;
    case 2: { /* a piece of grammar appears */
        const char *piece = pieces[roll(sizeof pieces / sizeof *pieces)];
        insert(t, at, piece, strlen(piece));
        break;
    }
    case 3: /* the end is lost */
        t->n = at + 1;
        break;
    case 4: /* a stretch appears elsewhere too */
        memcpy(copy, t->at + at, n);
        insert(t, roll(t->n), copy, n);
        break;
    case 5: { /* it goes on as another program */
        const struct text *other = &texts[roll(n_texts)];
        size_t from = roll(other->n);
        t->n = at;
        insert(t, at, other->at + from, other->n - from);
        break;
    }
    }
}

static int
drop(void *user, const char *bytes, size_t n)
{
    *(size_t *)user += n + (n > 0 && bytes[0] == 'x');
    return 0;
}

/* Everything a caller may ask about a text, and about what it was before. */
static void
exercise(const char *bytes, size_t n, const struct text *before)
{
    jx_context *context = jx_context_new(NULL);
    jx_module *module, *whole;
    size_t written = 0;
    bool first = true;
    struct jx_diff_counts counts;
    if (context == NULL || jx_read(context, "mutant", bytes, n, &module) != JX_OK ||
        jx_read(context, "whole", before->at, before->n, &whole) != JX_OK)
        abort();
    jx_diff(whole, module, NULL, &counts, drop, &written);
    jx_format(module, NULL, drop, &written);
    jx_check(module, NULL);
    jx_format(module, NULL, drop, &written);
    jx_write_json(module, &first, drop, &written);
    for (unsigned passes = 0; passes <= (JX_PASS_CONSTANTS | JX_PASS_DCE | JX_PASS_REPAIR); passes++) {
        struct jx_normal_options how = {.size = sizeof how, .passes = passes};
        jx_normalize(module, &how, drop, &written);
    }
    first = true;
    jx_write_signatures(module, NULL, "mutant", &first, drop, &written);
    jx_digests(module, NULL);
    for (uint32_t i = 0; i < jx_program_count(module); i++) {
        struct jx_stats stats;
        struct jx_program program;
        struct jx_jaxpr jaxpr;
        struct jx_variable variable;
        struct jx_costs costs;
        jx_stats(module, i, &stats);
        jx_cost(module, i, JX_COST_BY_SHAPE, &costs);
        if (jx_program_at(module, i, &program) && jx_jaxpr_at(module, program.jaxpr, &jaxpr))
            jx_binder_at(module, program.jaxpr, 0, &variable);
    }
    for (int format = JX_RENDER_TEXT; format <= JX_RENDER_JSONL; format++) {
        struct jx_render_options how = {.size = sizeof how, .format = (enum jx_render_format)format};
        jx_render(context, &module, 1, &how, drop, &written);
    }
    jx_context_free(context);
}

static struct text
text_read(const char *path)
{
    struct text t = {malloc(LONGEST), 0};
    FILE *f = fopen(path, "rb");
    if (f == NULL || t.at == NULL) {
        perror(path);
        exit(2);
    }
    t.n = fread(t.at, 1, LONGEST, f);
    fclose(f);
    return t;
}

static void
keep(const char *path, const struct text *t)
{
    FILE *f = fopen(path, "wb");
    if (f != NULL) {
        fwrite(t->at, 1, t->n, f);
        fclose(f);
    }
}

int
main(int argc, char **argv)
{
    if (argc < 5)
        return 2;
    long count = atol(argv[1]);
    state = 88172645463325252ull + strtoull(argv[2], NULL, 10) * 7919;
    struct text *texts = calloc((size_t)argc, sizeof *texts), mutant = {malloc(LONGEST), 0};
    size_t n_texts = 0;
    if (texts == NULL || mutant.at == NULL)
        return 2;
    for (int i = 4; i < argc; i++) {
        texts[n_texts] = text_read(argv[i]);
        if (texts[n_texts].n > 2)
            n_texts++;
        else
            free(texts[n_texts].at);
    }
    for (long i = 0; n_texts > 0 && i < count; i++) {
        const struct text *from = &texts[roll(n_texts)];
        memcpy(mutant.at, from->at, from->n);
        mutant.n = from->n;
        for (size_t left = 1 + roll(4); left > 0 && mutant.n > 0; left--)
            damage(&mutant, texts, n_texts);
        keep(argv[3], &mutant);
        exercise(mutant.at, mutant.n, from);
    }
    printf("%ld mutants of %zu programs\n", count, n_texts);
    for (size_t i = 0; i < n_texts; i++)
        free(texts[i].at);
    free(texts);
    free(mutant.at);
    return n_texts > 0 ? 0 : 2;
}

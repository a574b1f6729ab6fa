/* SPDX-License-Identifier: Apache-2.0
 *
 * Mutations of tokens, brackets, lines and programs, so that inputs often pass the parser. A call applies one mutation,
 * or, half of the time, up to six; a fifteenth of them change bytes (LLVMFuzzerMutate). The result depends only on the
 * arguments, as inputs.h requires. */
#include "mutator.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_TOKENS = 1 << 14 };

/* A range of the text. */
struct part {
    size_t at, n;
};

struct work {
    uint8_t *at;
    size_t n, max;
    uint64_t state;
    struct part tokens[MOST_TOKENS];
    size_t n_tokens;
};

static size_t
roll(struct work *w, size_t below)
{
    w->state ^= w->state << 13;
    w->state ^= w->state >> 7;
    w->state ^= w->state << 17;
    return below > 0 ? (size_t)((w->state >> 16) % below) : 0;
}

static bool
is_word(uint8_t c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c >= 0x80;
}

/* Divides the text into words, runs of spaces and single bytes. */
static void
tokenize(struct work *w)
{
    w->n_tokens = 0;
    for (size_t i = 0; i < w->n && w->n_tokens < MOST_TOKENS;) {
        size_t from = i++;
        if (is_word(w->at[from]))
            while (i < w->n && is_word(w->at[i]))
                i++;
        else if (w->at[from] == ' ')
            while (i < w->n && w->at[i] == ' ')
                i++;
        w->tokens[w->n_tokens++] = (struct part){from, i - from};
    }
}

static struct part
some_token(struct work *w, bool word)
{
    for (int tries = 0; tries < 30 && w->n_tokens > 0; tries++) {
        struct part t = w->tokens[roll(w, w->n_tokens)];
        if (!word || is_word(w->at[t.at]))
            return t;
    }
    return (struct part){0, 0};
}

/* A range from an opening bracket to the one that closes it, or nothing. */
static struct part
some_group(struct work *w)
{
    size_t start = w->n > 0 ? roll(w, w->n) : 0;
    for (size_t seen = 0; seen < w->n; seen++) {
        size_t i = (start + seen) % w->n;
        if (strchr("{[(", w->at[i]) == NULL || w->at[i] == 0)
            continue;
        size_t depth = 0, j = i;
        for (; j < w->n; j++) {
            if (w->at[j] != 0 && strchr("{[(", w->at[j]) != NULL)
                depth++;
            else if (w->at[j] != 0 && strchr("}])", w->at[j]) != NULL && --depth == 0)
                return (struct part){i, j + 1 - i};
        }
    }
    return (struct part){0, 0};
}

static struct part
some_line(struct work *w)
{
    size_t from = roll(w, w->n), to = from;
    while (from > 0 && w->at[from - 1] != '\n' && w->at[from - 1] != ';')
        from--;
    while (to < w->n && w->at[to] != '\n' && w->at[to] != ';')
        to++;
    return (struct part){from, to < w->n ? to + 1 - from : w->n - from};
}

/* Replaces a range by n bytes, which may be part of the text; does nothing if there is no space. */
static void
replace(struct work *w, struct part old, const void *bytes, size_t n)
{
    if (w->n - old.n + n > w->max)
        return;
    uint8_t *copy = malloc(n + 1);
    if (copy == NULL)
        return;
    memcpy(copy, bytes, n);
    memmove(w->at + old.at + n, w->at + old.at + old.n, w->n - old.at - old.n);
    memcpy(w->at + old.at, copy, n);
    w->n = w->n - old.n + n;
    free(copy);
}

static void
replace_string(struct work *w, struct part old, const char *string)
{
    replace(w, old, string, strlen(string));
}

static void
swap(struct work *w, struct part a, struct part b)
{
    struct part first = a.at < b.at ? a : b, second = a.at < b.at ? b : a;
    if (first.at + first.n > second.at)
        return;
    size_t n = second.at + second.n - first.at, between = second.at - first.at - first.n;
    uint8_t *swapped = malloc(n + 1);
    if (swapped == NULL)
        return;
    memcpy(swapped, w->at + second.at, second.n);
    memcpy(swapped + second.n, w->at + first.at + first.n, between);
    memcpy(swapped + second.n + between, w->at + first.at, first.n);
    memcpy(w->at + first.at, swapped, n);
    free(swapped);
}

/* Puts text around a group, or replaces it by `f` and binds `f` to it at the beginning of the text. */
static void
wrap_group(struct work *w, struct part g)
{
    static const char *const around[][2] = {
        {"{ lambda ; a:f32[]. let b:f32[] = jit[name=f jaxpr=", "] a in (b,) }"},
        {"{ lambda ; a:f32[3]. let\n    b:f32[3] = jit[\n      name=f\n      jaxpr=", "\n    ] a\n  in (b,) }"},
        {"(", ",)"},
        {"(", ", 0)"},
        {"[", "]"},
        {"{'a': ", "}"},
        {"ClosedJaxpr(jaxpr=", ", consts=[])"},
        {"f", ""},
    };
    size_t i = roll(w, sizeof around / sizeof *around + 1);
    if (i == sizeof around / sizeof *around) {
        static const char let[] = "let f = ", in[] = " in\n";
        uint8_t *copy = malloc(g.n + sizeof let + sizeof in);
        if (copy == NULL)
            return;
        memcpy(copy, let, sizeof let - 1);
        memcpy(copy + sizeof let - 1, w->at + g.at, g.n);
        memcpy(copy + sizeof let - 1 + g.n, in, sizeof in - 1);
        replace_string(w, g, "f");
        replace(w, (struct part){0, 0}, copy, g.n + sizeof let + sizeof in - 2);
        free(copy);
        return;
    }
    replace_string(w, (struct part){g.at + g.n, 0}, around[i][1]);
    replace_string(w, (struct part){g.at, 0}, around[i][0]);
}

static void
change_number(struct work *w)
{
    static const char *const numbers[] = {"0",
                                          "1",
                                          "2",
                                          "3",
                                          "-1",
                                          "7",
                                          "80",
                                          "2147483647",
                                          "2147483648",
                                          "4294967295",
                                          "9223372036854775807",
                                          "1000000000000000000000000000000"};
    for (int tries = 0; tries < 30; tries++) {
        struct part t = some_token(w, true);
        if (t.n > 0 && w->at[t.at] >= '0' && w->at[t.at] <= '9') {
            replace_string(w, t, numbers[roll(w, sizeof numbers / sizeof *numbers)]);
            return;
        }
    }
}

static void
change_blank(struct work *w)
{
    struct part t = {0, 0};
    for (int tries = 0; tries < 30 && (t.n == 0 || strchr(" \n", w->at[t.at]) == NULL); tries++)
        t = some_token(w, false);
    replace_string(w, t, roll(w, 2) ? "\n    " : " ");
}

static void
twice_or_gone(struct work *w, struct part p)
{
    if (roll(w, 2))
        replace(w, (struct part){p.at, 0}, w->at + p.at, p.n);
    else
        replace(w, p, "", 0);
}

static void
mutate_once(struct work *w)
{
    tokenize(w);
    struct part one = some_token(w, false), other = some_token(w, false);
    const char *word = mutator_words.n > 0 ? mutator_words.at[roll(w, mutator_words.n)] : "";
    switch (roll(w, 15)) {
    case 0:
        replace_string(w, one, word);
        break;
    case 1:
        replace_string(w, (struct part){one.at, 0}, word);
        break;
    case 2: /* tokens are removed */
        one.n = other.at > one.at && other.at - one.at < 60 ? other.at - one.at : one.n;
        replace(w, one, "", 0);
        break;
    case 3:
        swap(w, one, other);
        break;
    case 4: /* a range is repeated elsewhere */
        one.n = roll(w, w->n - one.at < 200 ? w->n - one.at : 200);
        replace(w, (struct part){other.at, 0}, w->at + one.at, one.n);
        break;
    case 5: /* a name becomes another one of the text */
    case 6:
        one = some_token(w, true);
        other = some_token(w, true);
        replace(w, one, w->at + other.at, other.n);
        break;
    case 7: /* a group replaces another */
        one = some_group(w);
        other = some_group(w);
        replace(w, one, w->at + other.at, other.n);
        break;
    case 8:
        one = some_group(w);
        if (one.n > 0)
            wrap_group(w, one);
        break;
    case 9: /* lines are exchanged */
        one = some_line(w);
        other = some_line(w);
        swap(w, one, other);
        break;
    case 10: /* a line is repeated or removed */
        twice_or_gone(w, some_line(w));
        break;
    case 11:
        change_number(w);
        break;
    case 12:
        change_blank(w);
        break;
    case 13: /* the end is removed */
        w->n = one.at + one.n;
        break;
    default:
        w->n = LLVMFuzzerMutate(w->at, w->n, w->max);
        break;
    }
}

size_t
LLVMFuzzerCustomMutator(uint8_t *data, size_t n, size_t max, unsigned seed)
{
    struct work *w = malloc(sizeof *w);
    if (w == NULL)
        return n;
    *w = (struct work){.at = data, .n = n, .max = max, .state = 88172645463325252u + seed * (uint64_t)2654435761u};
    roll(w, 2);
    for (size_t left = roll(w, 2) ? 1 : 1 + roll(w, 6); left > 0; left--)
        mutate_once(w);
    n = w->n;
    free(w);
    return n;
}

/* The first text with one of its groups or lines replaced by one of the second, or with such a line inserted. */
size_t
LLVMFuzzerCustomCrossOver(const uint8_t *one, size_t n_one, const uint8_t *other, size_t n_other, uint8_t *out,
                          size_t max, unsigned seed)
{
    struct work *w = malloc(2 * sizeof *w), *from = w != NULL ? w + 1 : NULL;
    uint8_t *copy = malloc(n_other + 1);
    n_one = n_one < max ? n_one : max;
    memcpy(out, one, n_one);
    if (w != NULL && copy != NULL) {
        memcpy(copy, other, n_other);
        *w = (struct work){.at = out, .n = n_one, .max = max, .state = 88172645463325252u + seed * (uint64_t)7919};
        *from = (struct work){.at = copy, .n = n_other, .max = n_other, .state = w->state + 1};
        roll(w, 2);
        roll(from, 2);
        bool groups = roll(w, 2) != 0;
        struct part p = n_other == 0 ? (struct part){0, 0} : groups ? some_group(from) : some_line(from);
        struct part at = n_one == 0 ? (struct part){0, 0} : groups ? some_group(w) : some_line(w);
        if (!groups && roll(w, 2))
            at.n = 0;
        replace(w, at, copy + p.at, p.n);
        n_one = w->n;
    }
    free(copy);
    free(w);
    return n_one;
}

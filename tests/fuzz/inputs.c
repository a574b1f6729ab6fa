/* SPDX-License-Identifier: Apache-2.0
 *
 * An input is a seed, sometimes with a piece of another one, changed by the mutator of the coverage-guided fuzzers once
 * or more; LLVMFuzzerMutate below replaces libFuzzer's. */
#include "inputs.h"

#include "mutator.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct word_list mutator_words;

static void *
grown(void *list, size_t n, size_t size)
{
    list = n % 64 == 0 ? realloc(list, (n + 64) * size) : list;
    if (list == NULL)
        abort();
    return list;
}

/* reads a file of words, each followed by a byte 0 */
static void
words_read(struct seeds *seeds, const char *path)
{
    seeds->words = file_bytes(path);
    for (size_t at = 0; at < seeds->words.n; at += strlen(seeds->words.at + at) + 1) {
        seeds->word_list = grown(seeds->word_list, mutator_words.n, sizeof *seeds->word_list);
        seeds->word_list[mutator_words.n++] = seeds->words.at + at;
    }
    mutator_words.at = seeds->word_list;
}

void
seeds_read(struct seeds *seeds, const char *directory)
{
    struct dirent **list;
    int n = scandir(directory, &list, NULL, alphasort); /* compares bytes, as no locale is set */
    if (n < 0) {
        perror(directory);
        exit(2);
    }
    for (int i = 0; i < n; i++) {
        char path[4096];
        const char *name = list[i]->d_name;
        snprintf(path, sizeof path, "%s/%s", directory, name);
        if (strcmp(name, ".words") == 0)
            words_read(seeds, path);
        struct written text = name[0] == '.' ? (struct written){0} : file_bytes(path);
        free(list[i]);
        if (text.n == 0 || text.n > LONGEST_INPUT) {
            free(text.at);
            continue;
        }
        seeds->at = grown(seeds->at, seeds->n, sizeof *seeds->at);
        seeds->at[seeds->n++] = text;
    }
    free(list);
}

void
seeds_drop(struct seeds *seeds)
{
    for (size_t i = 0; i < seeds->n; i++)
        free(seeds->at[i].at);
    free(seeds->at);
    free(seeds->words.at);
    free(seeds->word_list);
    mutator_words = (struct word_list){0};
    *seeds = (struct seeds){0};
}

/* The random state of an input (splitmix64), set anew for every input; global because LLVMFuzzerMutate has no parameter
 * for it. */
static uint64_t state;

static uint64_t
roll(uint64_t below)
{
    uint64_t z = state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (z ^ (z >> 31)) % below;
}

/* Changes bytes regardless of their meaning. */
size_t
LLVMFuzzerMutate(uint8_t *data, size_t n, size_t max)
{
    size_t at = n > 0 ? (size_t)roll(n) : 0, some = 1 + (size_t)roll(8);
    switch (roll(4)) {
    case 0: /* a bit changes */
        if (n > 0)
            data[at] ^= (uint8_t)(1u << roll(8));
        return n;
    case 1: /* a byte changes */
        if (n > 0)
            data[at] = (uint8_t)roll(256);
        return n;
    case 2: /* some are removed */
        some = some < n - at ? some : n - at;
        memmove(data + at, data + at + some, n - at - some);
        return n - some;
    default: /* some equal bytes are inserted */
        some = some < max - n ? some : max - n;
        memmove(data + at + some, data + at, n - at);
        memset(data + at, (int)roll(256), some);
        return n + some;
    }
}

size_t
input_make(char *into, const struct seeds *seeds, const char *target, uint64_t index)
{
    uint8_t *data = (uint8_t *)into;
    state = index;
    for (const char *c = target; *c != 0; c++)
        state = state * 0x100000001b3u + (uint8_t)*c; /* each target has inputs of its own */
    const struct written *seed = &seeds->at[roll(seeds->n)], *other = &seeds->at[roll(seeds->n)];
    size_t n = seed->n;
    memcpy(into, seed->at, n);
    if (roll(4) == 0)
        n = LLVMFuzzerCustomCrossOver((const uint8_t *)seed->at, seed->n, (const uint8_t *)other->at, other->n, data,
                                      LONGEST_INPUT, (unsigned)roll(UINT32_MAX));
    do
        n = LLVMFuzzerCustomMutator(data, n, LONGEST_INPUT, (unsigned)roll(UINT32_MAX));
    while (roll(2) == 0);
    return n;
}

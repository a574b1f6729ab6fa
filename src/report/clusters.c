/* SPDX-License-Identifier: Apache-2.0
 *
 * Clusters are split from the root on, in the order of the list, so nothing recurses. A cluster is split where the
 * next part of its source paths changes; if that makes too many pieces, adjacent ones are merged into clusters that
 * are split later. */
#include "report/clusters.h"

#include "base/sink.h"

enum {
    LEAST = 3,  /* with fewer equations, all are drawn individually */
    WORDS = 32, /* how many different words are counted for a title */
    SHOWN = 3
};

/* A piece of a cluster: consecutive equations whose paths have the same next part. */
struct piece_run {
    u32 first, n;
    struct slice name; /* the text of that part */
};

struct splitting {
    struct module *m;
    struct clusters *c;
    VEC(struct piece_run) pieces;
    u32 last; /* the child that was added last */
};

static struct slice
part_of(const struct splitting *s, u32 i, u32 level)
{
    struct source_path place;
    source_path_read(s->m, s->c->eqns.at[i], &place);
    return level < place.n ? place.part[level] : (struct slice){"", 0};
}

static void
find_pieces(struct splitting *s, u32 first, u32 n, u32 level)
{
    s->pieces.n = 0;
    for (u32 i = first; i < first + n; i++) {
        struct slice name = part_of(s, i, level);
        struct piece_run *before = s->pieces.n ? &s->pieces.at[s->pieces.n - 1] : NULL;
        if (before && name.n > 0 && slice_eq(before->name, name))
            before->n++;
        else
            *vec_push(s->m->mem, &s->pieces) = (struct piece_run){i, 1, name};
    }
}

static void
add_child(struct splitting *s, u32 parent, const struct piece_run *piece, u32 level)
{
    struct clusters *c = s->c;
    *vec_push(s->m->mem, &c->list) = (struct cluster){piece->first, piece->n, parent, NONE, NONE, level, piece->name};
    if (s->last == NONE)
        c->list.at[parent].child = c->list.n - 1;
    else
        c->list.at[s->last].next = c->list.n - 1;
    s->last = c->list.n - 1;
}

/* adds children of about equal size, each made of consecutive pieces */
static void
add_runs(struct splitting *s, u32 parent, u32 level)
{
    u32 n = s->c->list.at[parent].n, runs = (n + CLUSTER_HOLDS - 1) / CLUSTER_HOLDS;
    runs = runs < CLUSTER_HOLDS ? runs : CLUSTER_HOLDS;
    u32 size = (n + runs - 1) / runs;
    for (u32 i = 0; i < s->pieces.n;) {
        struct piece_run run = s->pieces.at[i++];
        bool alone = true;
        while (i < s->pieces.n && run.n + s->pieces.at[i].n <= size) {
            run.n += s->pieces.at[i++].n;
            alone = false;
        }
        if (!alone)
            run.name = (struct slice){"", 0};
        if (run.n >= LEAST)
            add_child(s, parent, &run, alone ? level + 1 : level);
    }
}

static void
split(struct splitting *s, u32 id)
{
    const struct cluster k = s->c->list.at[id];
    u32 level = k.level;
    if (k.n <= CLUSTER_HOLDS)
        return;
    do
        find_pieces(s, k.first, k.n, level);
    while (s->pieces.n == 1 && ++level < PATH_PARTS);
    s->last = NONE;
    if (s->pieces.n > CLUSTER_HOLDS) {
        add_runs(s, id, level);
        return;
    }
    for (u32 i = 0; i < s->pieces.n; i++)
        if (s->pieces.at[i].n >= LEAST)
            add_child(s, id, &s->pieces.at[i], level + 1);
}

void
clusters_read(struct module *m, jaxpr_t j, u32 small, struct clusters *c)
{
    struct splitting s = {.m = m, .c = c};
    *c = (struct clusters){0};
    for (eqn_t e = m->jaxprs.at[j].eqns; e != NONE; e = m->eqns.at[e].next)
        *vec_push(m->mem, &c->eqns) = e;
    *vec_push(m->mem, &c->list) = (struct cluster){0, c->eqns.n, NONE, NONE, NONE, 0, {"", 0}};
    for (u32 i = 0; i < c->list.n && c->eqns.n > small; i++)
        split(&s, i);
    vec_free(m->mem, &s.pieces);
}

void
clusters_drop(struct module *m, struct clusters *c)
{
    vec_free(m->mem, &c->eqns);
    vec_free(m->mem, &c->list);
}

/* How often a word occurs in a cluster. */
struct occurrence {
    struct slice word;
    u32 n;
};

/* a word for the title of an equation's cluster: part `level` of its source path, or its primitive if it has no such
 * part */
static struct slice
word_of(const struct module *m, eqn_t e, u32 level, struct name_buffer *buffer)
{
    struct source_path path;
    source_path_read(m, e, &path);
    return level < path.n ? path.part[level] : module_name(m, m->eqns.at[e].prim, buffer);
}

static u32
count_words(struct module *m, const struct clusters *c, const struct cluster *k, struct occurrence words[WORDS])
{
    u32 n = 0;
    for (u32 i = k->first; i < k->first + k->n; i++) {
        struct name_buffer buffer;
        struct slice word = word_of(m, c->eqns.at[i], k->level, &buffer);
        u32 at = 0;
        while (at < n && !slice_eq(words[at].word, word))
            at++;
        if (at == n && n < WORDS)
            words[n++] = (struct occurrence){arena_copy(m->mem, word), 0};
        if (at < n)
            words[at].n++;
    }
    return n;
}

struct slice
cluster_title(struct module *m, const struct clusters *c, u32 id)
{
    const struct cluster *k = &c->list.at[id];
    struct occurrence words[WORDS];
    struct sink text;
    if (k->name.n > 0)
        return k->name;
    u32 n = count_words(m, c, k, words);
    sink_init_memory(&text, m->mem);
    for (u32 shown = 0; shown < SHOWN && shown < n; shown++) {
        u32 most = shown;
        for (u32 i = shown + 1; i < n; i++)
            most = words[i].n > words[most].n ? i : most;
        struct occurrence word = words[most];
        words[most] = words[shown];
        words[shown] = word;
        sink_printf(&text, "%s", shown ? ", " : "");
        sink_slice(&text, word.word);
        if (word.n > 1)
            sink_printf(&text, " x%u", word.n);
    }
    if (n > SHOWN)
        sink_slice(&text, SLICE(", .."));
    struct slice title = arena_copy(m->mem, (struct slice){text.at, text.n});
    mem_free(m->mem, text.at);
    return title;
}

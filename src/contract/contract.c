/* SPDX-License-Identifier: Apache-2.0
 *
 * For each contract: which programs it applies to, then its clauses, checked against their inventories. A broken
 * clause is one diagnostic, at the first equation that breaks it, with notes for the next ones and for the contract. */
#include "contract/contract.h"

#include "base/value.h"
#include "base/digest.h"
#include "contract/bounds.h"
#include "lint/select.h"

#include <stdatomic.h>

/* ---- what is shared with other clauses ---- */

void
contract_note(const struct contract_check *b, enum diag_code code, u32 node, const char *what)
{
    contract_note_part(b, code, node, (struct slice){"", 0}, what);
}

void
contract_note_part(const struct contract_check *b, enum diag_code code, u32 node, struct slice part, const char *what)
{
    const struct tree_node *word = config_node(b->c, node);
    struct span s = {word->at, word->n};
    if (part.n) {
        u32 at = s.at + word->quoted + (u32)(part.at - word->word.at);
        if (at + part.n <= s.at + s.n && memcmp(b->c->text->at + at, part.at, part.n) == 0) /* no escapes before it */
            s = (struct span){at, (u32)part.n};
    }
    diag_relevel(b->in->ds, (enum diag_level)b->levels[code - DIAG_K801]);
    diag_note_in(b->in->ds, b->c->text, s.at, s.n, "%s", what);
}

u32
contract_check_start(const struct contract_check *b)
{
    return b->in->m->jaxprs.at[b->inventory->root].offset;
}

void
contract_edit(struct contract_edits *edits, u32 node, struct slice key, struct slice now)
{
    u64 at = memo_get(&edits->at, node);
    now = arena_copy(edits->mem, now);
    if (at == 0) {
        *vec_push(edits->mem, &edits->list) = (struct contract_edit){.node = node, .key = key, .now = now};
        memo_set(edits->mem, &edits->at, node, edits->list.n);
    } else if (!slice_eq(edits->list.at[at - 1].now, now)) {
        edits->list.at[at - 1].other = now;
    }
    edits->settled = false;
}

/* a primitive for a message: `name`, and if the pattern is another word, how it matches: `jit` (another name of
 * `pjit`) */
static const char *
prim_words(const struct contract_check *b, const struct used_prim *prim, struct slice pattern)
{
    struct name_buffer buffer;
    struct slice name = module_name(b->in->m, prim->name, &buffer);
    if (slice_eq(name, pattern))
        return arena_printf(b->in->ds->mem, "`%s`", diag_quote(b->in->ds, name)).at;
    const char *quoted = diag_quote(b->in->ds, pattern), *own = diag_quote(b->in->ds, name);
    if (glob_match(pattern, name, false))
        return arena_printf(b->in->ds->mem, "`%s` (matches `%s`)", own, quoted).at;
    if (!glob_is_pattern(pattern))
        return arena_printf(b->in->ds->mem, "`%s` (another name of `%s`)", own, quoted).at;
    return arena_printf(b->in->ds->mem, "`%s` (its other name `%s` matches `%s`)", own,
                        diag_quote(b->in->ds, prim_matched_name(prim, pattern)), quoted)
        .at;
}

/* words for a message: `sin` equations, or equations matching `p*`. `first` is the first primitive that matches, or
 * NULL */
static const char *
equations_of(const struct contract_check *b, const struct used_prim *first, struct slice pattern, const char *plural)
{
    struct name_buffer buffer;
    bool named = first ? slice_eq(module_name(b->in->m, first->name, &buffer), pattern) : !glob_is_pattern(pattern);
    const char *quoted = diag_quote(b->in->ds, pattern);
    return arena_printf(b->in->ds->mem, named ? "`%s` equation%s" : "equation%s matching `%s`", named ? quoted : plural,
                        named ? plural : quoted)
        .at;
}

/* adds notes for the places of a primitive from the one with index `shown` on */
static void
note_further(const struct contract_check *b, const struct used_prim *prim, u32 shown)
{
    for (u32 i = shown; i < prim->places && i < SHOWN; i++) {
        struct span span = eqn_prim_span(b->in->m, prim->first[i]);
        diag_note(b->in->ds, span.at, span.n,
                  shown              ? "another one is here"
                  : prim->places > 1 ? "one of them is here"
                  : prim->count > 1  ? "they are here, in a program that is used more than once"
                                     : "it is here");
    }
    if (prim->places > SHOWN)
        diag_note(b->in->ds, NONE, 0, "and in %u more equation%s", prim->places - SHOWN,
                  prim->places > SHOWN + 1 ? "s" : "");
}

/* ---- forbid, allow, require ---- */

/* the first word of a value that matches a primitive, or NONE */
static u32
find_word(const struct contract_check *b, u32 value, const struct used_prim *prim)
{
    for (u32 i = 0; i < config_count(b->c, value); i++) {
        u32 word = config_word(b->c, value, i);
        if (prim_is_meant(b->in->m, prim, config_node(b->c, word)->word))
            return word;
    }
    return NONE;
}

static void
check_forbidden(const struct contract_check *b)
{
    u32 forbid = contract_value(b, KEY_contract_forbid);
    for (u32 i = 0; forbid != NONE && contract_reports(b, DIAG_K801) && i < b->inventory->prims.n; i++) {
        const struct used_prim *prim = &b->inventory->prims.at[i];
        u32 word = find_word(b, forbid, prim);
        if (word == NONE || find_word(b, contract_value(b, KEY_contract_allow), prim) != NONE)
            continue;
        struct span span = eqn_prim_span(b->in->m, prim->first[0]);
        diag_add(b->in->ds, DIAG_K801, span.at, span.n, "the contract forbids %s",
                 prim_words(b, prim, config_node(b->c, word)->word));
        note_further(b, prim, 1);
        contract_note(b, DIAG_K801, word, "it is forbidden here");
    }
}

static void
check_required(const struct contract_check *b)
{
    u32 require = contract_value(b, KEY_contract_require);
    for (u32 i = 0; contract_reports(b, DIAG_K802) && i < config_count(b->c, require); i++) {
        u32 word = config_word(b->c, require, i);
        struct slice pattern = config_node(b->c, word)->word;
        u32 k = 0;
        while (k < b->inventory->prims.n && !prim_is_meant(b->in->m, &b->inventory->prims.at[k], pattern))
            k++;
        if (k < b->inventory->prims.n)
            continue;
        diag_add(b->in->ds, DIAG_K802, contract_check_start(b), 1, "the program has no `%s` equation",
                 diag_quote(b->in->ds, pattern));
        contract_note(b, DIAG_K802, word, "it is required here");
    }
}

/* ---- count ---- */

/* how many equations a pattern matches; *first becomes the first primitive that matches, or NULL */
static u64
count_meant(const struct contract_check *b, struct slice pattern, const struct used_prim **first)
{
    u64 count = 0;
    *first = NULL;
    if (slice_eq(pattern, SLICE("equations")))
        return b->inventory->equations;
    for (u32 i = 0; i < b->inventory->prims.n; i++) {
        const struct used_prim *prim = &b->inventory->prims.at[i];
        if (!prim_is_meant(b->in->m, prim, pattern))
            continue;
        count = count > UINT64_MAX - prim->count ? UINT64_MAX : count + prim->count;
        const struct module *m = b->in->m;
        if (!*first || m->eqns.at[prim->first[0]].offset < m->eqns.at[(*first)->first[0]].offset)
            *first = prim;
    }
    return count;
}

/* If many exact counts differ, as after a single change, this many are reported and the rest are counted. */
enum { REPORTED = 3 };

static void
check_count(const struct contract_check *b, u32 key, u32 value, u32 *differ)
{
    struct slice pattern = config_node(b->c, key)->word, text = config_node(b->c, value)->word;
    const struct used_prim *first;
    struct bounds bounds;
    bounds_read(text, &bounds);
    u64 count = count_meant(b, pattern, &first);
    struct diags *ds = b->in->ds;
    if (bounds.exact && b->in->edits) {
        contract_edit(b->in->edits, value, pattern, arena_printf(ds->mem, "%llu", (unsigned long long)count));
        return;
    }
    if (bounds_hold(&bounds, count) || !contract_reports(b, DIAG_K803) || (bounds.exact && (*differ)++ >= REPORTED))
        return;
    struct span span = {contract_check_start(b), 1};
    if (first && count > bounds.most)
        span = eqn_prim_span(b->in->m, first->first[0]);
    const char *allows = !bounds.exact ? "requires" : bounds.most ? "requires exactly" : "allows";
    const char *wanted = arena_printf(ds->mem, bounds.exact ? "%s" : "`%s`", diag_quote(ds, text)).at;
    if (slice_eq(pattern, SLICE("equations")))
        diag_add(ds, DIAG_K803, span.at, span.n, "the program has %llu equation%s; the contract %s %s",
                 (unsigned long long)count, count == 1 ? "" : "s", allows, wanted);
    else
        diag_add(ds, DIAG_K803, span.at, span.n, "found %llu %s; the contract %s %s", (unsigned long long)count,
                 equations_of(b, first, pattern, count == 1 ? "" : "s"), allows, wanted);
    if (first)
        note_further(b, first, count > bounds.most);
    contract_note(b, DIAG_K803, value, "the bound is set here");
}

static void
check_counts_of(const struct contract_check *b)
{
    u32 counts = contract_value(b, KEY_contract_count), differ = 0;
    for (u32 i = 0; counts != NONE && i < config_node(b->c, counts)->count / 2; i++)
        check_count(b, tree_key(&b->c->tree, counts, i), tree_value(&b->c->tree, counts, i), &differ);
    if (differ > REPORTED)
        diag_note(b->in->ds, NONE, 0, "%u counts differ; `jaxpr contract update --diff` shows all", differ);
}

/* ---- which programs ---- */

/* A program whose digest is still to be compared with that of a contract. */
struct pending {
    u32 contract, number;
    jaxpr_t root;
    bool whole;
};

struct validating {
    const struct config *c;
    const struct contract_input *in;
    struct prims prims;
    struct signer signer;
    struct inventory inventory; /* of the last jaxpr checked */
    struct memo seen;           /* by jaxpr: the number of the last contract that matched it, plus one */
    VEC(struct pending) hashes;
    u8 levels[CONTRACT_CODES];
};

static struct contract_check
contract_check_of(struct validating *g, u32 contract, u32 number)
{
    return (struct contract_check){g->c,     &g->c->contracts.at[contract], g->in, &g->inventory, &g->signer, number,
                                   g->levels};
}

/* true if a finding from number `before` on reports changed counts or types: the digest would add nothing */
static bool
reported_change(const struct diags *ds, u32 before)
{
    for (u32 i = before; i < ds->list.n; i++)
        if (ds->list.at[i].code == DIAG_K803 || ds->list.at[i].code == DIAG_K804)
            return true;
    return false;
}

static void
check_jaxpr(struct validating *g, u32 contract, u32 number, jaxpr_t root)
{
    if (memo_get(&g->seen, root) == contract + 1)
        return;
    memo_set(g->in->m->mem, &g->seen, root, contract + 1);
    if (g->inventory.root != root) {
        inventory_drop(g->in->m, &g->inventory);
        inventory_collect(g->in->m, &g->prims, root, &g->inventory);
    }
    struct contract_check b = contract_check_of(g, contract, number);
    g->in->ds->program = number;
    atomic_store_explicit(&g->c->state[contract], CONTRACT_CHECKED, memory_order_relaxed);
    u32 before = g->in->ds->list.n;
    check_forbidden(&b);
    check_required(&b);
    check_counts_of(&b);
    contract_types(&b);
    contract_signature(&b);
    if (contract_value(&b, KEY_contract_hash) != NONE && !reported_change(g->in->ds, before)) {
        bool whole = root == g->in->m->programs.at[g->in->stream[number]].main;
        *vec_push(g->in->m->mem, &g->hashes) = (struct pending){contract, number, root, whole};
    }
}

/* digests are checked after everything else */
static void
check_hash(struct validating *g, const struct pending *p)
{
    struct contract_check b = contract_check_of(g, p->contract, p->number);
    u32 value = contract_value(&b, KEY_contract_hash), at = g->in->m->jaxprs.at[p->root].offset;
    struct slice want = config_node(g->c, value)->word;
    struct slice digest = g->in->digest(g->in->user, p->number, p->whole ? NONE : p->root);
    struct diags *ds = g->in->ds;
    ds->program = p->number;
    if (digest.at == NULL && contract_reports(&b, DIAG_K805)) {
        diag_add(ds, DIAG_K805, at, 1, "the program has no digest: it uses a size before it is bound");
        contract_note(&b, DIAG_K805, value, "the contract requires this digest");
    }
    if (digest.at == NULL || digest.n == 0)
        return;
    if (g->in->edits) {
        contract_edit(g->in->edits, value, SLICE("hash"), digest);
    } else if (!slice_eq(want, digest) && contract_reports(&b, DIAG_K805)) {
        bool other = !slice_starts(want, (struct slice){digest.at, digest_version(digest)});
        diag_add(ds, DIAG_K805, at, 1,
                 other ? "the recorded digest cannot be compared with that of this program, %.*s"
                       : "the program changed: its digest is %.*s",
                 (int)digest.n, digest.at);
        contract_note(&b, DIAG_K805, value,
                      other ? "the recorded digest is from another release; `jaxpr contract update` replaces it"
                            : "the contract requires this digest");
    }
}

/* checks the jaxprs of a program that have a name the pattern matches: that of their `let`, or of the equation that
 * contains them */
static void
check_named(struct validating *g, u32 contract, u32 number, struct slice pattern)
{
    struct module *m = g->in->m;
    const struct program *p = &m->programs.at[g->in->stream[number]];
    struct jaxprs all = {0};
    for (u32 i = 0; i < p->n_lets; i++) {
        const struct let *let = &m->lets.at[p->lets + i];
        if (let->references > 0 && glob_match(pattern, module_bytes(m, let->name), false))
            check_jaxpr(g, contract, number, let->jaxpr);
    }
    reach_from(m, p->main, &all);
    for (u32 k = all.n; k-- > 0;)
        for (eqn_t e = m->jaxprs.at[all.at[k]].eqns; e != NONE; e = m->eqns.at[e].next) {
            param_t name = m->eqns.at[e].params == NONE ? NONE : eqn_param(m, e, SLICE("name"));
            if (name == NONE || !glob_match(pattern, module_bytes(m, m->params.at[name].span), false))
                continue;
            struct nested h = nested_start(m, e);
            for (jaxpr_t j; (j = nested_next(m, &h)) != NONE;)
                check_jaxpr(g, contract, number, j);
        }
    vec_free(m->mem, &all);
}

static void
check_contract(struct validating *g, u32 contract)
{
    const struct config_map *map = &g->c->contracts.at[contract];
    const struct module *m = g->in->m;
    u32 name = map->value[KEY_contract_name], index = map->value[KEY_contract_program];
    u64 only = 0;
    if (!config_for_path(g->c, map->value[KEY_contract_files], g->in->path))
        return;
    if (index != NONE)
        value_size(config_node(g->c, index)->word, &only);
    u8 nothing = CONTRACT_UNUSED;
    atomic_compare_exchange_strong(&g->c->state[contract], &nothing, CONTRACT_MATCHED_FILE);
    for (u32 i = 0; i < g->in->n; i++) {
        const struct program *p = &m->programs.at[g->in->stream[i]];
        if (p->broken || p->main == NONE || (index != NONE && only != i + 1))
            continue;
        if (name == NONE)
            check_jaxpr(g, contract, i, p->main);
        else
            check_named(g, contract, i, config_node(g->c, name)->word);
    }
}

/* the severity of contract codes for this file */
static void
read_levels(struct validating *g)
{
    struct config_rules rules;
    struct mem *mem = g->in->m->mem;
    config_rules(g->c, g->in->path, mem, &rules);
    for (u32 k = 0; k < CONTRACT_CODES; k++)
        g->levels[k] = config_level(&rules, (enum diag_code)(DIAG_K801 + k));
    config_rules_free(mem, &rules);
}

void
contracts_check(const struct config *c, const struct contract_input *in)
{
    struct validating g = {.c = c, .in = in, .inventory = {.root = NONE}};
    bool signatures = false;
    if (c->broken || c->contracts.n == 0)
        return;
    for (u32 i = 0; i < c->contracts.n; i++)
        signatures |= c->contracts.at[i].value[KEY_contract_signature] != NONE;
    read_levels(&g);
    prims_init(in->m->mem, &g.prims);
    if (signatures)
        signer_init(&g.signer, in->m);
    for (u32 i = 0; i < c->contracts.n; i++)
        check_contract(&g, i);
    if (signatures)
        signer_drop(&g.signer);
    inventory_drop(in->m, &g.inventory);
    for (u32 i = 0; i < g.hashes.n; i++)
        check_hash(&g, &g.hashes.at[i]);
    vec_free(in->m->mem, &g.hashes);
    memo_free(in->m->mem, &g.seen);
    prims_free(&g.prims);
    in->ds->program = NONE;
    diags_sort(in->ds);
}

void
contracts_report_uncovered(const struct config *c, const struct contract_input *in)
{
    struct validating g = {.c = c, .in = in};
    bool covered = c->broken;
    for (u32 i = 0; i < c->contracts.n; i++)
        covered |= config_for_path(c, c->contracts.at[i].value[KEY_contract_files], in->path);
    read_levels(&g);
    u8 level = g.levels[DIAG_K812 - DIAG_K801];
    if (covered || level == CONFIG_IGNORED)
        return;
    in->ds->program = NONE;
    diag_add(in->ds, DIAG_K812, 0, 1, "no contract applies to this file");
    diag_relevel(in->ds, (enum diag_level)level);
    if (c->contracts.n == 0) {
        diag_note(in->ds, NONE, 0, "the configuration contains no contracts; `jaxpr contract init` prints some");
    } else {
        const struct tree_node *files = config_node(c, c->contracts.at[0].value[KEY_contract_files]);
        diag_note_in(in->ds, c->text, files->at, files->n, "the first contract applies to these files");
        diag_note(in->ds, NONE, 0,
                  "patterns are relative to the directory of the configuration; there, this file is `%s`",
                  diag_quote(in->ds, in->path));
    }
    diags_sort(in->ds);
}

void
contracts_report_unused(const struct config *c, struct diags *ds)
{
    for (u32 i = 0; i < c->contracts.n; i++) {
        const struct config_map *map = &c->contracts.at[i];
        if (c->state[i] != CONTRACT_MATCHED_FILE || map->value[KEY_contract_files] == NONE)
            continue; /* a contract for all files need not match in every run */
        u32 name = map->value[KEY_contract_name], index = map->value[KEY_contract_program];
        u32 node = name != NONE ? name : index != NONE ? index : map->node;
        const struct tree_node *word = config_node(c, node);
        if (name != NONE)
            diag_add(ds, DIAG_K810, word->at, word->n, "no program in the files is named `%s`",
                     diag_quote(ds, word->word));
        else if (index != NONE)
            diag_add(ds, DIAG_K810, word->at, word->n, "no file has at least %s programs", diag_quote(ds, word->word));
        else
            diag_add(ds, DIAG_K810, word->at, 0, "no program in the files could be read");
        diag_note(ds, NONE, 0, "a contract without a program checks nothing");
    }
    config_relevel(c, ds, DIAG_K810);
    diags_sort(ds);
}

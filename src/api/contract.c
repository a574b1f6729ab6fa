/* SPDX-License-Identifier: Apache-2.0
 *
 * The functions of contracts: check, update, or write them from current programs. Digests and text of signatures
 * come from src/canon and src/print, which src/contract may not use. */
#include "api/api.h"

#include "base/chars.h"
#include "signature/signature.h"
#include "canon/canon.h"
#include "canon/prepare.h"
#include "print/signature.h"
#include "resolve/broken.h"

#include <stdlib.h>

/* What a configuration should record about programs. */
struct jx_refresh {
    jx_module *module; /* of the configuration, whose memory this is */
    jx_config *config;
    struct contract_edits edits;
};

/* A module checked against a configuration. */
struct holding {
    jx_module *module;
    jx_config *config;
    struct slice path;
    jx_refresh *refresh; /* where contracts record their results; NULL: the module is checked as well */
    bool coverage;
    jx_module *digested; /* a copy, closed for its digests; NULL until it is needed */
    struct canon canon;
    u8 *states;        /* of each program: enum prepared; NULL until a digest is needed */
    u32 canon_program; /* the program that has digests, NONE if there is none yet */
};

/* makes the copy whose programs are closed and digested; findings that this repairs are not reported for the module */
static void
hold_begin(struct holding *h)
{
    jx_module *module = h->module;
    if (api_copy(module, &h->digested) != JX_OK)
        longjmp(*module->mem.oom, 1);
    jx_module *copy = h->digested;
    copy->mem.oom = module->mem.oom;
    classes_unfold(&copy->ir, NO_VERSION);
    h->states = prepare_programs(&copy->ir, copy->stream.at, copy->stream.n, NULL, &copy->diags);
    canon_init(&h->canon, &copy->ir, 0, (struct slice){"", 0});
    forget_bound(&module->diags, module->stream.n, &copy->diags);
}

/* contract_input's digest */
static struct slice
hold_digest(void *user, u32 number, jaxpr_t j)
{
    struct holding *h = user;
    if (h->digested == NULL)
        hold_begin(h);
    const struct module *m = &h->digested->ir;
    program_t program = h->module->stream.at[number];
    if (h->states[number] & PREPARED_OPEN)
        return (struct slice){NULL, 0};
    const struct canon_mode mode = {.variables = (h->states[number] & PREPARED_VARIABLES) != 0};
    if (h->canon_program != number)
        canon_open(&h->canon, program, mode);
    h->canon_program = number;
    j = j == NONE ? m->programs.at[program].main : j;
    return h->canon.jaxprs.at[j].known ? api_digest_text(h->module, canon_digest(&h->canon, j)) : (struct slice){"", 0};
}

static void
hold_end(struct holding *h)
{
    if (h->digested != NULL)
        api_free_module(h->digested);
    h->digested = NULL;
}

static struct slice
hold_spell(void *user, const struct sig_entry *entries, u32 n)
{
    struct holding *h = user;
    struct sink out;
    sink_init_memory(&out, &h->module->mem);
    signature_write(&out, &h->module->ir, entries, n);
    return sink_take(&out);
}

static void
work_hold(void *arg)
{
    struct holding *h = arg;
    jx_module *module = h->module;
    if (h->refresh != NULL) /* otherwise other threads may be using the configuration */
        h->config->module->mem.oom = module->mem.oom;
    api_resolve(module, LEVEL_WARNING);
    const struct contract_input in = {
        .m = &module->ir,
        .stream = module->stream.at,
        .n = module->stream.n,
        .path = h->path,
        .ds = &module->diags,
        .digest = hold_digest,
        .spell = hold_spell,
        .user = h,
        .edits = h->refresh != NULL ? &h->refresh->edits : NULL,
    };
    if (h->coverage)
        contracts_report_uncovered(&h->config->parsed, &in);
    else
        contracts_check(&h->config->parsed, &in);
    api_sort_diagnostics(module);
}

static enum jx_status
hold(jx_module *module, jx_config *config, const char *path, jx_refresh *refresh, bool coverage)
{
    if (module == NULL || config == NULL || path == NULL)
        return api_misuse(module == NULL ? NULL : module->context, "`config` or `path` is NULL");
    struct holding h = {.module = module,
                        .config = config,
                        .path = slice_of(path),
                        .refresh = refresh,
                        .coverage = coverage,
                        .canon_program = NONE};
    if (api_intact(module) != JX_OK)
        return JX_MISUSE;
    if (config->module->lost)
        return api_left(&config->module->mem);
    enum jx_status status = api_run(module, work_hold, &h);
    hold_end(&h);
    if (refresh != NULL) {
        config->module->mem.oom = NULL;
        config->module->lost |= module->lost;
    }
    return status;
}

enum jx_status
jx_contract_check(jx_module *module, jx_config *config, const char *path)
{
    return hold(module, config, path, NULL, false);
}

enum jx_status
jx_contract_cover(jx_module *module, jx_config *config, const char *path)
{
    return hold(module, config, path, NULL, true);
}

static void
work_unmet(void *arg)
{
    jx_config *config = arg;
    contracts_report_unused(&config->parsed, &config->module->diags);
}

enum jx_status
jx_contract_report_unused(jx_config *config)
{
    return api_run(jx_config_module(config), work_unmet, config);
}

/* ---- what contracts record, brought up to date ---- */

static void
work_begin(void *arg)
{
    jx_refresh *refresh = arg;
    refresh->edits.mem = &refresh->module->mem;
}

enum jx_status
jx_refresh_begin(jx_config *config, jx_refresh **refresh)
{
    if (config == NULL || refresh == NULL)
        return api_misuse(config == NULL ? NULL : config->module->context, "`config` or `refresh` is NULL");
    jx_refresh first = {.module = config->module, .config = config};
    void *made = NULL;
    enum jx_status status = api_make(config->module, &first, sizeof first, work_begin, &made);
    *refresh = made;
    return status;
}

enum jx_status
jx_refresh_add(jx_refresh *refresh, jx_module *module, const char *path)
{
    if (refresh == NULL)
        return api_misuse(module == NULL ? NULL : module->context, "`refresh` is NULL");
    return hold(module, refresh->config, path, refresh, false);
}

void
jx_refresh_free(jx_refresh *refresh)
{
    if (refresh == NULL)
        return;
    struct mem *mem = &refresh->module->mem;
    mem_free_all(mem, refresh->edits.list.at, refresh->edits.at.slots, refresh->edits.placed.at);
    api_let_go(refresh->module);
}

struct changing {
    jx_refresh *refresh;
    u32 i;
    struct jx_contract_change *change;
    bool found;
    struct sink out;
};

static int
by_place(const void *a, const void *b)
{
    const struct placed_edit *x = a, *y = b;
    return (x->at > y->at) - (x->at < y->at);
}

/* Lists the edits that change something, by place. */
static void
place_edits(jx_refresh *refresh)
{
    struct contract_edits *edits = &refresh->edits;
    if (edits->settled)
        return;
    edits->placed.n = 0;
    for (u32 i = 0; i < edits->list.n; i++) {
        const struct contract_edit *e = &edits->list.at[i];
        const struct tree_node *node = config_node(&refresh->config->parsed, e->node);
        if (!slice_eq(e->now, node->word) || e->other.n > 0)
            *vec_push(edits->mem, &edits->placed) = (struct placed_edit){node->at, i};
    }
    if (edits->placed.n > 1)
        qsort(edits->placed.at, edits->placed.n, sizeof *edits->placed.at, by_place);
    edits->settled = true;
}

static void
work_change(void *arg)
{
    struct changing *w = arg;
    const struct contract_edits *edits = &w->refresh->edits;
    place_edits(w->refresh);
    w->found = w->i < edits->placed.n;
    if (!w->found)
        return;
    const struct contract_edit *e = &edits->list.at[edits->placed.at[w->i].edit];
    const struct tree_node *node = config_node(&w->refresh->config->parsed, e->node);
    *w->change = (struct jx_contract_change){api_place(w->refresh->module, node->at, node->n), api_string(e->key),
                                             api_string(node->word), api_string(e->now), api_string(e->other)};
}

bool(jx_refresh_change_at)(jx_refresh *refresh, uint32_t i, struct jx_contract_change *change, size_t size)
{
    struct jx_contract_change all;
    struct changing w = {.refresh = refresh, .i = i, .change = &all};
    return refresh != NULL && api_run(refresh->module, work_change, &w) == JX_OK && w.found &&
           api_answer(change, size, &all, sizeof all);
}

/* Replaces a word: plain if the old one was plain and YAML allows it, else in double quotes. */
static void
write_word(struct sink *out, const struct tree_node *old, struct slice word)
{
    if (old->quoted || word.n == 0 || memchr("([\"", word.at[0], 3))
        sink_json_string(out, word);
    else
        sink_slice(out, word);
}

static void
work_rewrite(void *arg)
{
    struct changing *w = arg;
    const struct text *text = &w->refresh->module->ir.text;
    u32 at = 0;
    const struct contract_edits *edits = &w->refresh->edits;
    place_edits(w->refresh);
    for (u32 i = 0; i < edits->placed.n; i++) {
        const struct contract_edit *e = &edits->list.at[edits->placed.at[i].edit];
        const struct tree_node *node = config_node(&w->refresh->config->parsed, e->node);
        u32 end = node->at + node->n;
        if (e->other.n > 0)
            continue;
        while (end > node->at && strchr(" \t\r\n", text->at[end - 1]))
            end--; /* the blanks that follow a word in its own block */
        sink_write(&w->out, text->at + at, node->at - at);
        write_word(&w->out, node, e->now);
        at = end;
    }
    sink_write(&w->out, text->at + at, text->n - at);
}

enum jx_status
jx_refresh_write(jx_refresh *refresh, jx_write_fn write, void *user)
{
    struct changing w = {.refresh = refresh};
    return api_write(refresh == NULL ? NULL : refresh->module, &w.out, write, user, work_rewrite, &w);
}

/* ---- a contract from a program ---- */

/* A program's contract without its digest: its text ends at `end` in drafting.text. */
struct draft {
    u32 number;
    size_t end;
};

struct drafting {
    struct holding hold;
    VEC(struct draft) drafts;
    struct prims prims;
    struct signer signer;
    struct sink text, out;
    bool *first;
    bool counts;
};

/* Writes the name of a primitive or type as YAML, quoted if YAML would read it as something else. */
static void
write_key(struct sink *out, struct slice word)
{
    bool plain = word.n > 0;
    for (size_t i = 0; i < word.n; i++) {
        char c = word.at[i];
        plain &= (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (i > 0 && is_digit(c));
    }
    if (plain)
        sink_slice(out, word);
    else
        sink_json_string(out, word);
}

/* true if the pattern matches the primitive of some equation */
static bool
has_prim(struct drafting *d, const struct inventory *inventory, struct slice pattern)
{
    for (u32 i = 0; i < inventory->prims.n; i++)
        if (prim_is_meant(&d->hold.module->ir, &inventory->prims.at[i], pattern))
            return true;
    return false;
}

/* Writes the primitives that a program lacks and that a contract may forbid. */
static void
write_absences(struct drafting *d, const struct inventory *inventory)
{
    const struct types *types = &d->hold.module->ir.types;
    u64 most = 0;
    bool wide = false, known;
    for (u32 i = 0; i < inventory->types.n; i++) {
        const struct used_type *t = &inventory->types.at[i];
        const struct type *type = type_get(types, t->type);
        u64 bytes = type_bytes(types, t->type, &known);
        wide |= type->kind == TYPE_ARRAY && (type->dtype == DT_f64 || type->dtype == DT_c128);
        most = t->made > 0 && bytes > most ? bytes : most;
    }
    if (!has_prim(d, inventory, SLICE("*_callback")))
        sink_printf(&d->text, "    forbid: [\"*_callback\"]\n");
    if (!wide)
        sink_printf(&d->text, "    dtypes: {forbid: [f64, c128]}\n");
    sink_printf(&d->text, "    max_bytes: %llu\n", (unsigned long long)most);
}

static int
by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Writes how many equations there are of each primitive, by name. */
static void
write_counts(struct drafting *d, const struct inventory *inventory)
{
    struct module *m = &d->hold.module->ir;
    u32 n = inventory->prims.n;
    const char **names = mem_alloc(m->mem, (n + 1) * sizeof *names);
    for (u32 i = 0; i < n; i++) {
        struct name_buffer buffer;
        struct slice name = module_name(m, inventory->prims.at[i].name, &buffer);
        names[i] = arena_printf(m->mem, "%.*s%c%llu", (int)name.n, name.at, '\0',
                                (unsigned long long)inventory->prims.at[i].count)
                       .at;
    }
    qsort(names, n, sizeof *names, by_name);
    sink_printf(&d->text, "    count:\n      equations: %llu\n", (unsigned long long)inventory->equations);
    for (u32 i = 0; i < n; i++) {
        sink_printf(&d->text, "      ");
        if (strcmp(names[i], "equations") == 0) /* the word that counts all of them: a pattern means the primitive */
            sink_printf(&d->text, "\"[e]quations\"");
        else
            write_key(&d->text, slice_of(names[i]));
        sink_printf(&d->text, ": %s\n", names[i] + strlen(names[i]) + 1);
    }
    mem_free(m->mem, names);
}

static void
write_signature(struct drafting *d, u32 number, jaxpr_t root)
{
    struct module *m = &d->hold.module->ir;
    struct signature sig = {0};
    const struct program *p = &m->programs.at[d->hold.module->stream.at[number]];
    signature_derive(&d->signer, root, dims_are_variables(m, p, d->signer.binders), &sig);
    sink_printf(&d->text, "    signature:\n      in_type: ");
    sink_json_string(&d->text, hold_spell(&d->hold, sig.in.at, sig.in.n));
    sink_printf(&d->text, "\n      out_type: ");
    sink_json_string(&d->text, hold_spell(&d->hold, sig.out.at, sig.out.n));
    sink_char(&d->text, '\n');
    vec_free(m->mem, &sig.in);
    vec_free(m->mem, &sig.out);
}

static void
draft_program(struct drafting *d, u32 number)
{
    struct module *m = &d->hold.module->ir;
    const struct program *p = &m->programs.at[d->hold.module->stream.at[number]];
    struct inventory inventory;
    if (!api_is_readable(d->hold.module, number))
        return;
    inventory_collect(m, &d->prims, p->main, &inventory);
    sink_printf(&d->text, "%s  - files: ", *d->first ? "contracts:\n" : "");
    *d->first = false;
    sink_json_string(&d->text, glob_literal(d->hold.module->ir.mem, d->hold.path));
    if (d->hold.module->stream.n > 1)
        sink_printf(&d->text, "\n    program: %u", number + 1);
    sink_char(&d->text, '\n');
    write_absences(d, &inventory);
    if (d->counts)
        write_counts(d, &inventory);
    write_signature(d, number, p->main);
    inventory_drop(m, &inventory);
    *vec_push(m->mem, &d->drafts) = (struct draft){number, d->text.n};
}

/* Writes the draft, with the digest of each program if counts are pinned; no digest may be requested afterwards. */
static void
write_drafts(struct drafting *d)
{
    struct mem *mem = &d->hold.module->mem;
    size_t at = 0;
    for (u32 i = 0; i < d->drafts.n; i++) {
        struct slice digest = d->counts ? hold_digest(&d->hold, d->drafts.at[i].number, NONE) : SLICE("");
        sink_write(&d->out, d->text.at + at, d->drafts.at[i].end - at);
        at = d->drafts.at[i].end;
        if (digest.n > 0)
            sink_printf(&d->out, "    hash: %.*s\n", (int)digest.n, digest.at);
    }
    mem_free(mem, d->text.at);
    vec_free(mem, &d->drafts);
}

static void
work_draft(void *arg)
{
    struct drafting *d = arg;
    jx_module *module = d->hold.module;
    api_resolve(module, LEVEL_WARNING);
    prims_init(&module->mem, &d->prims);
    signer_init(&d->signer, &module->ir);
    sink_init_memory(&d->text, &module->mem);
    for (u32 i = 0; i < module->stream.n; i++)
        draft_program(d, i);
    signer_drop(&d->signer);
    prims_free(&d->prims);
    write_drafts(d);
}

enum jx_status
jx_contract_write(jx_module *module, const char *path, bool counts, bool *first, jx_write_fn write, void *user)
{
    if (module == NULL || path == NULL || first == NULL)
        return api_misuse(module == NULL ? NULL : module->context, "`path` or `first` is NULL");
    if (api_intact(module) != JX_OK)
        return JX_MISUSE;
    struct drafting d = {
        .first = first, .counts = counts, .hold = {.module = module, .path = slice_of(path), .canon_program = NONE}};
    enum jx_status status = api_write(module, &d.out, write, user, work_draft, &d);
    hold_end(&d.hold);
    return status;
}

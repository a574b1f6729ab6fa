/* SPDX-License-Identifier: Apache-2.0
 *
 * The library's signatures: one for each program of a module, and for the programs inside it when asked. */
#include "api/api.h"

#include "base/chars.h"
#include "base/memo.h"
#include "base/visible.h"
#include "ir/reach.h"
#include "regions/region_map.h"
#include "signature/signature.h"
#include "signature/expand.h"
#include "signature/read.h"
#include "print/signature.h"

struct signing {
    jx_module *module;
    struct jx_signature_options options;
    struct jx_read_signature_options read; /* of signatures that were read */
    struct slice name;
    bool *first;
    struct signer signer;
    struct sink out;
    u32 many; /* programs of the stream */
    program_t program;
    struct region_map map;
    param_t *holders; /* by jaxpr_t: the parameter that contains it, or NONE */
};

static void
write_key(struct sink *out, const char *key, struct slice value)
{
    sink_printf(out, "\"%s\": ", key);
    sink_json_string(out, value);
    sink_write(out, ", ", 2);
}

/* finds the parameter that contains each nested program */
static void
find_holders(struct signing *w)
{
    const struct module *m = &w->module->ir;
    w->holders = mem_alloc(m->mem, ((size_t)m->jaxprs.n + 1) * sizeof *w->holders);
    for (jaxpr_t j = 0; j < m->jaxprs.n; j++)
        w->holders[j] = NONE;
    for (eqn_t e = 0; e < m->eqns.n; e++) {
        struct nested nested = nested_start(m, e);
        for (jaxpr_t j; (j = nested_next(m, &nested)) != NONE;)
            w->holders[j] = m->jaxprs.at[j].parent == NONE ? NONE : nested.param;
    }
}

static void
write_json(struct signing *w, u32 program, jaxpr_t j, const struct signature *sig)
{
    const struct module *m = &w->module->ir;
    struct sink *out = &w->out;
    param_t p = w->holders[j];
    sink_write(out, *w->first ? "{" : ",\n{", *w->first ? 1 : 3);
    *w->first = false;
    write_key(out, "file", w->name);
    sink_printf(out, "\"program\": %u, ", program);
    if (p != NONE) {
        struct name_buffer buffer;
        write_key(out, "primitive", module_name(m, m->eqns.at[m->jaxprs.at[j].parent].prim, &buffer));
        write_key(out, "parameter", module_name(m, m->params.at[p].key, &buffer));
        sink_printf(out, "\"line\": %u, ", api_place(w->module, m->jaxprs.at[j].offset, 1).line);
    }
    sink_printf(out, "\"in_type\": ");
    signature_write_json(out, m, sig->in.at, sig->in.n);
    sink_printf(out, ", \"out_type\": ");
    signature_write_json(out, m, sig->out.at, sig->out.n);
    sink_char(out, '}');
}

static void
write_text(struct signing *w, u32 program, jaxpr_t j, const struct signature *sig)
{
    const struct module *m = &w->module->ir;
    struct sink *out = &w->out;
    param_t p = w->holders[j];
    if (!*w->first && (w->many > 1 || w->options.nested))
        sink_char(out, '\n');
    *w->first = false;
    if (p != NONE) {
        struct name_buffer prim, key;
        struct slice a = module_name(m, m->eqns.at[m->jaxprs.at[j].parent].prim, &prim);
        struct slice b = module_name(m, m->params.at[p].key, &key);
        write_visible(out, w->name);
        sink_printf(out, ":%u: %.*s of %.*s\n", api_place(w->module, m->jaxprs.at[j].offset, 1).line, (int)b.n, b.at,
                    (int)a.n, a.at);
    } else if (w->many > 1) {
        write_visible(out, w->name);
        sink_printf(out, "#%u\n", program + 1);
    }
    if (w->options.arrow && signature_is_plain(m, sig->in.at, sig->in.n) &&
        signature_is_plain(m, sig->out.at, sig->out.n)) {
        signature_write_types(out, m, sig->in.at, sig->in.n, false);
        signature_write_types(out, m, sig->out.at, sig->out.n, true);
    } else {
        sink_printf(out, "in_type   ");
        signature_write(out, m, sig->in.at, sig->in.n);
        sink_printf(out, "\nout_type  ");
        signature_write(out, m, sig->out.at, sig->out.n);
    }
    sink_char(out, '\n');
}

static u32
constants(const struct sig_entry *entries, u32 n)
{
    u32 i = 0;
    while (i < n && entries[i].flag == SIG_CONSTANT)
        i++;
    return i;
}

/* Sets flags from a list of positions, which count arguments after the constants; returns the first position past the
 * last entry, or NONE. */
static u32
mark_explicit(struct sig_entry *entries, u32 n, const char *positions)
{
    u32 beyond = NONE, consts = constants(entries, n);
    if (positions == NULL)
        return beyond;
    for (u32 i = consts; i < n; i++)
        entries[i].flag = SIG_IMPLICIT;
    for (const char *p = positions; *p != 0; p += *p != 0) {
        u64 at = 0;
        for (; is_digit(*p) && at < NONE; p++)
            at = at * 10 + (u64)(*p - '0');
        if (at < n - consts)
            entries[consts + at].flag = SIG_EXPLICIT;
        else if (beyond == NONE)
            beyond = (u32)at;
    }
    return beyond;
}

/* Records which entries the sizes of others refer to by one kind of reference. */
static void
mark_referred(const struct module *m, const struct sig_entry *entries, u32 n, enum dim_kind kind, struct memo *referred)
{
    for (u32 i = 0; i < n; i++) {
        const struct type *t = type_array(m, entries[i].type);
        for (u32 k = 0; t && t->dynamic && k < t->rank; k++) {
            const struct dim *d = &type_dims(&m->types, t)[k];
            if (d->kind == kind && d->value >= 0 && d->value < NONE)
                memo_set(m->mem, referred, (u32)d->value, 1);
        }
    }
}

/* Checks that the flags of the user's lists form a valid signature: implicit entries must provide a size. */
static void
check_explicit(struct signing *w, jaxpr_t id, const struct signature *sig, u32 beyond_in, u32 beyond_out)
{
    struct module *m = &w->module->ir;
    struct diags *ds = &w->module->diags;
    const struct jaxpr *j = &m->jaxprs.at[id];
    struct memo ins = {0}, outs = {0}, seen = {0};
    struct name_buffer buffer;
    u32 listed = constants(sig->in.at, sig->in.n);
    u32 grown_in = sig->in.n - listed - j->n_ins, grown_out = sig->out.n - j->n_outs;
    mark_referred(m, sig->in.at, sig->in.n, DIM_DBIDX, &ins);
    mark_referred(m, sig->out.at, sig->out.n, DIM_INDBIDX, &seen);
    mark_referred(m, sig->out.at, sig->out.n, DIM_OUTDBIDX, &outs);
    for (u32 i = listed + grown_in; i < sig->in.n && w->options.inputs; i++)
        if (sig->in.at[i].flag == SIG_IMPLICIT && !memo_get(&ins, i)) {
            struct span s = jaxpr_binder_span(m, id, j->n_consts + i - listed - grown_in);
            diag_add(ds, DIAG_D122, s.at, s.n,
                     "`%s` cannot be implicit, because it is not a size in the type of a later argument; list it in "
                     "--explicit, as %u (counted from 0)",
                     diag_quote(ds, module_name(m, m->vars.at[jaxpr_in(j, i - listed - grown_in)].name, &buffer)),
                     i - listed);
        }
    for (u32 i = grown_out; i < sig->out.n && w->options.outputs; i++) {
        atom_t a = m->atoms.at[j->outs + i - grown_out];
        u32 argument = atom_kind(a) == ATOM_VAR ? atom_id(a) - j->vars : NONE; /* large if there is none */
        u32 in = argument < j->n_consts ? argument : argument + grown_in;      /* as InDBIdx counts */
        bool sizes = memo_get(&outs, i) || (argument < jaxpr_binders(j) && memo_get(&seen, in));
        if (sig->out.at[i].flag == SIG_IMPLICIT && !sizes) {
            struct span s = jaxpr_out_span(m, id, i - grown_out);
            diag_add(ds, DIAG_D122, s.at, s.n,
                     "`%s` cannot be implicit, because it is not a size in the type of a later result; list it in "
                     "--explicit-results, as %u (counted from 0)",
                     diag_quote(ds, module_bytes(m, s)), i);
        }
    }
    if (beyond_in != NONE)
        diag_add(ds, DIAG_D125, j->offset, 1,
                 "--explicit names argument %u, but the program has %u argument%s; the first is argument 0", beyond_in,
                 sig->in.n - listed, sig->in.n - listed == 1 ? "" : "s");
    if (beyond_out != NONE)
        diag_add(ds, DIAG_D125, j->offset, 1,
                 "--explicit-results names result %u, but the program has %u result%s; the first is result 0",
                 beyond_out, sig->out.n, sig->out.n == 1 ? "" : "s");
    mem_free_all(m->mem, ins.slots, outs.slots, seen.slots);
}

/* The expansion strategy with a name; loops and branches have one for each release of Catalyst
 * (while_loop_expansion_strategy etc.). */
static struct strategy
read_strategy(const struct jx_signature_options *options)
{
    static const struct {
        struct slice name;
        struct strategy how;
    } names[] = {
        {SLICE("for"), {.inputs = true, .index = true}},
        {SLICE("for-resizing"), {.unshare = true, .inputs = true, .index = true}},
        {SLICE("while"), {.inputs = true}},
        {SLICE("while-resizing"), {.unshare = true, .inputs = true}},
        {SLICE("unshare"), {.unshare = true}},
        {SLICE("inputs"), {.inputs = true}},
        {SLICE("index"), {.index = true}},
        {SLICE("ready"), {.ready = true}},
    };
    struct strategy how = {.draft = options->dialect == JX_DIALECT_CATALYST_G1, .last = options->jax != 0};
    for (const char *p = options->expand; *p != 0;) {
        struct slice word = {p, strcspn(p, ",")};
        bool branches = slice_eq(word, SLICE("cond"));
        how.unshare |= branches && !how.draft;
        how.inputs |= branches;
        for (size_t i = 0; i < countof(names); i++)
            if (slice_eq(word, names[i].name)) {
                how.unshare |= names[i].how.unshare;
                how.inputs |= names[i].how.inputs;
                how.index |= names[i].how.index;
                how.ready |= names[i].how.ready;
            }
        p += word.n + (p[word.n] == ',');
    }
    return how;
}

/* Completes the types of entries from the counts of the equation that contains a program: constants first, then
 * implicit sizes. */
static void
mark_counted(struct signing *w, jaxpr_t j, struct signature *sig)
{
    const struct module *m = &w->module->ir;
    struct region_map *l = &w->map;
    eqn_t e = m->jaxprs.at[j].parent;
    if (e == NONE || m->eqns.at[e].params == NONE || !region_map_again(m, e, l) || l->regions.n == 0 ||
        l->system != SYSTEM_CATALYST || sig->in.n != jaxpr_binders(&m->jaxprs.at[j]))
        return;
    const struct region *r = region_of(l, j);
    bool condition = l->kind == REGION_WHILE && r == &l->regions.at[1];
    u32 consts = l->kind == REGION_BRANCH ? sig->in.n : r ? r->n_consts : l->body_carry;
    u32 implicit = l->kind == REGION_BRANCH ? 0 : l->implicit;
    for (u32 i = 0; i < sig->in.n; i++)
        sig->in.at[i].flag = i < consts ? SIG_CONSTANT : i < consts + implicit ? SIG_IMPLICIT : SIG_EXPLICIT;
    for (u32 i = 0; i < sig->out.n && !condition && sig->out.n == m->jaxprs.at[j].n_outs; i++)
        sig->out.at[i].flag = i < l->implicit ? SIG_IMPLICIT : SIG_EXPLICIT;
}

static void
expand_program(struct signing *w, jaxpr_t j, struct signature *sig)
{
    struct module *m = &w->module->ir;
    const struct jaxpr *jaxpr = &m->jaxprs.at[j];
    const struct strategy how = read_strategy(&w->options);
    struct binders *scope = &w->signer.binders[0];
    binders_open(scope);
    for (u32 i = 0; i < jaxpr_binders(jaxpr); i++)
        binders_bind(scope, jaxpr->vars + i);
    for (eqn_t e = jaxpr->eqns; e != NONE; e = m->eqns.at[e].next)
        for (u32 i = 0; i < m->eqns.at[e].n_vars; i++)
            binders_bind(scope, m->eqns.at[e].vars + i);
    signature_expand_arguments(m, j, &how, scope, sig);
    if (j == m->programs.at[w->program].main)
        mark_explicit(sig->in.at, sig->in.n, w->options.inputs);
    signature_expand_results(m, &w->module->diags, j, &how, scope, sig);
}

static void
sign_program(struct signing *w, u32 number, const struct program *p, struct signature *sig)
{
    struct module *m = &w->module->ir;
    bool variables = w->options.dims == JX_DIMS_VARIABLES ||
                     (w->options.dims == JX_DIMS_AUTO && dims_are_variables(m, p, w->signer.binders));
    struct walk walk;
    walk_start(&walk, m, p->main);
    for (jaxpr_t j; (j = walk_next(&walk)) != NONE && w->out.error == 0;) {
        if (w->options.expand)
            expand_program(w, j, sig);
        else
            signature_derive(&w->signer, j, variables, sig);
        if (!w->options.expand)
            mark_counted(w, j, sig);
        if (j == p->main) {
            u32 beyond = mark_explicit(sig->in.at, sig->in.n, w->options.inputs);
            check_explicit(w, j, sig, beyond, mark_explicit(sig->out.at, sig->out.n, w->options.outputs));
        }
        if (w->options.json)
            write_json(w, number, j, sig);
        else
            write_text(w, number, j, sig);
        if (!w->options.nested)
            break;
    }
    walk_end(&walk);
}

static void
work_signatures(void *arg)
{
    struct signing *w = arg;
    struct module *m = &w->module->ir;
    api_resolve(w->module, LEVEL_WARNING);
    api_sort_diagnostics(w->module);
    signer_init(&w->signer, m);
    w->signer.as_jax = w->options.jax != 0;
    w->signer.loops = w->options.dialect >= JX_DIALECT_CATALYST && w->options.dialect <= JX_DIALECT_CATALYST_G0;
    struct signature sig = {0};
    find_holders(w);
    w->many = module_count_programs(m);
    u32 number = 0;
    for (program_t i = 0; i < m->programs.n; i++) {
        const struct program *p = &m->programs.at[i];
        if (p->pasted)
            continue;
        w->program = i;
        w->module->diags.program = number;
        if (!p->broken && p->main != NONE)
            sign_program(w, number, p, &sig);
        number++;
    }
    vec_free(m->mem, &sig.in);
    vec_free(m->mem, &sig.out);
    signer_drop(&w->signer);
    region_map_free(m, &w->map);
    mem_free(m->mem, w->holders);
}

/* ---- signatures that were read ---- */

/* writes a signature; `in` is the one it follows, or NULL. Types before an arrow are only written with those after it,
 * so that a line is never incomplete */
static void
write_read(struct signing *w, const struct signature_text *sig, const struct signature_text *in)
{
    const struct module *m = &w->module->ir;
    if (w->read.json) {
        sink_write(&w->out, *w->first ? "{" : ",\n{", *w->first ? 1 : 3);
        write_key(&w->out, "file", w->name);
        sink_printf(&w->out, "\"%s\": ", sig->out ? "out_type" : "in_type");
        signature_write_json(&w->out, m, sig->entries.at, sig->entries.n);
        sink_char(&w->out, '}');
    } else if (sig->arrow && w->read.arrow) {
        if (!sig->out)
            return;
        if (in && in->arrow)
            signature_write_types(&w->out, m, in->entries.at, in->entries.n, false);
        else
            sink_write(&w->out, "-> ", 3);
        signature_write_types(&w->out, m, sig->entries.at, sig->entries.n, true);
        sink_char(&w->out, '\n');
    } else {
        if (sig->labeled || sig->arrow)
            sink_printf(&w->out, "%-10s", sig->out ? "out_type" : "in_type");
        signature_write(&w->out, m, sig->entries.at, sig->entries.n);
        sink_char(&w->out, '\n');
    }
    *w->first = false;
}

/* The signatures of a text: an out_type is checked against the in_type before it, or against the given operands. */
static void
work_read_signatures(void *arg)
{
    struct signing *w = arg;
    struct module *m = &w->module->ir;
    struct diags *ds = &w->module->diags;
    VEC(struct sig_operand) operands = {0};
    struct signature_text sigs[2] = {0};
    bool known = false;
    const char *given = w->read.results ? w->read.results : w->read.implicit;
    if (given)
        operands_read(m, arena_copy(m->mem, slice_of(given)), &operands);
    for (u32 at = 0, k = 0; signature_read(m, ds, &at, &sigs[k]) && w->out.error == 0;) {
        struct signature_text *sig = &sigs[k], *in = &sigs[1 - k];
        if (sig->broken)
            break;
        bool follows = sig->out && known, paired = follows && !given;
        signature_validate(m, ds, sig, paired ? in : NULL);
        if (!sig->out)
            k = 1 - k;
        known = !sig->out && !sig->broken;
        if (sig->broken)
            continue;
        if (w->read.binders && !sig->out)
            signature_binders(m, sig, &w->out);
        else if (w->read.results && sig->out)
            signature_results(m, ds, sig, operands.at, operands.n, &w->out);
        else if (w->read.implicit && !sig->out)
            signature_implicit(m, ds, sig, operands.at, operands.n, &w->out);
        else
            write_read(w, sig, follows ? in : NULL);
    }
    for (u32 i = 0; i < 2; i++) {
        vec_free(m->mem, &sigs[i].entries);
        vec_free(m->mem, &sigs[i].spans);
        vec_free(m->mem, &sigs[i].flags);
    }
    vec_free(m->mem, &operands);
    diags_sort(ds);
}

enum jx_status
jx_write_signatures(jx_module *module, const struct jx_signature_options *options, const char *name, bool *first,
                    jx_write_fn write, void *user)
{
    struct signing w = {.module = module, .first = first};
    jx_context *context = module == NULL ? NULL : module->context;
    if (module == NULL || name == NULL || first == NULL)
        return api_misuse(context, "`name` or `first` is NULL");
    enum jx_status status = api_intact(module);
    if (status == JX_OK)
        status = api_options(context, &w.options, sizeof w.options, options);
    if (status == JX_OK)
        status = api_enum(context, w.options.dims, JX_DIMS_SYMBOLIC, "`dims` is not an enum jx_dims");
    if (status == JX_OK)
        status = api_enum(context, w.options.dialect, JX_DIALECT_PENNYLANE, "`dialect` is not an enum jx_dialect");
    w.name = slice_of(name);
    return status == JX_OK ? api_write(module, &w.out, write, user, work_signatures, &w) : status;
}

enum jx_status
jx_write_read_signatures(jx_signatures *signatures, const struct jx_read_signature_options *options, const char *name,
                         bool *first, jx_write_fn write, void *user)
{
    if (signatures == NULL || name == NULL || first == NULL)
        return api_misuse(signatures == NULL ? NULL : signatures->module->context, "`name` or `first` is NULL");
    struct signing w = {.module = signatures->module, .name = slice_of(name), .first = first};
    enum jx_status status = api_options(w.module->context, &w.read, sizeof w.read, options);
    return status == JX_OK ? api_write(w.module, &w.out, write, user, work_read_signatures, &w) : status;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Digests of jaxpr_change.h: the identity of every program of a module, and of the programs inside. */
#include "api/api.h"

#include "canon/canon.h"
#include "canon/prepare.h"
#include "ir/reach.h"

struct jx_digest_list {
    jx_module *module;
    struct jx_compare_options options;
    struct api_digests known;
};

struct slice
api_digest_text(jx_module *module, const struct digest *d)
{
    char *text = arena_alloc(&module->mem, sizeof DIGEST_PREFIX + DIGEST_DIGITS);
    memcpy(text, DIGEST_PREFIX, sizeof DIGEST_PREFIX - 1);
    digest_hex(d, text + sizeof DIGEST_PREFIX - 1, DIGEST_DIGITS);
    return (struct slice){text, sizeof DIGEST_PREFIX - 1 + DIGEST_DIGITS};
}

static u64
add_sizes(u64 a, u64 b)
{
    return a + b < a ? UINT64_MAX : a + b;
}

/* The digests of functions, by jaxpr, for a whole module: a jaxpr belongs to one program. */
struct functions {
    u64 *sizes; /* equations, nested ones included */
    u32 *lets;  /* the let that names it, plus one */
};

/* counts the equations of jaxprs, nested ones included; the list has inner jaxprs first */
static void
count_equations(struct functions *known, const struct module *m, const struct jaxprs *all)
{
    for (u32 i = 0; i < all->n; i++) {
        u64 size = m->jaxprs.at[all->at[i]].n_eqns;
        for (eqn_t e = m->jaxprs.at[all->at[i]].eqns; e != NONE; e = m->eqns.at[e].next) {
            struct nested h = nested_start(m, e);
            for (jaxpr_t j; (j = nested_next(m, &h)) != NONE;)
                size = add_sizes(size, known->sizes[j]);
        }
        known->sizes[all->at[i]] = size;
    }
}

/* notes the let that names each jaxpr: the first of several */
static void
find_lets(struct functions *known, const struct module *m, const struct program *p)
{
    for (u32 i = p->n_lets + p->opened; i-- > 0;)
        if (m->lets.at[p->lets + i].jaxpr != NONE)
            known->lets[m->lets.at[p->lets + i].jaxpr] = p->lets + i + 1;
}

/* the name of a jaxpr: that of its let, else that of the equation that contains it */
static struct slice
function_name(const struct functions *known, struct module *m, jaxpr_t j)
{
    eqn_t parent = m->jaxprs.at[j].parent;
    if (parent == NONE && known->lets[j] != 0)
        return module_bytes(m, m->lets.at[known->lets[j] - 1].name);
    param_t name = parent == NONE ? NONE : eqn_param(m, parent, SLICE("name"));
    return name == NONE ? (struct slice){"", 0} : module_bytes(m, m->params.at[name].span);
}

static void
add_functions(jx_module *module, struct functions *known, struct canon *c, u32 number, struct api_digests *answer)
{
    struct module *m = &module->ir;
    program_t program = module->stream.at[number];
    const struct program *p = &m->programs.at[program];
    struct jaxprs all = {0};
    reach_all(m, program, &all);
    count_equations(known, m, &all);
    find_lets(known, m, p);
    for (u32 i = all.n; i-- > 0;) {
        jaxpr_t j = all.at[i];
        if (!c->jaxprs.at[j].known)
            continue; /* an unused let */
        struct api_function f = {.name = function_name(known, m, j),
                                 .program = number,
                                 .at = m->jaxprs.at[j].offset,
                                 .digest = api_digest_text(module, canon_digest(c, j)),
                                 .equations = known->sizes[j],
                                 .whole = j == p->main};
        *vec_push(&module->mem, &answer->functions) = f;
    }
    vec_free(m->mem, &all);
}

/* marks programs with a name that cannot be resolved, which have no digest; an unbound variable counts with its name */
static u8 *
mark_wrong(jx_module *module)
{
    u8 *wrong = mem_zeroed(&module->mem, module->stream.n + 1);
    for (u32 i = 0; i < module->diags.list.n; i++) {
        const struct diag *d = &module->diags.list.at[i];
        bool names = (d->code >= DIAG_S011 && d->code <= DIAG_S016 && d->code != DIAG_S012) || d->code == DIAG_S022 ||
                     d->code == DIAG_S023;
        if (d->level == LEVEL_ERROR && d->program < module->stream.n && names)
            wrong[d->program] = 1;
    }
    return wrong;
}

u8 *
api_prepare(jx_module *module, const u8 *due)
{
    api_resolve(module, LEVEL_ERROR);
    api_sort_diagnostics(module);
    classes_unfold(&module->ir, NO_VERSION);
    return prepare_programs(&module->ir, module->stream.at, module->stream.n, due, &module->diags);
}

/* The state of digesting the programs of a module. */
struct digesting {
    jx_module *module;
    const struct jx_compare_options *options;
    const u8 *states, *leave_out;
    u8 *wrong;            /* for each program: whether it has a name that cannot be resolved */
    struct digest *found; /* of each program */
    struct functions known;
    struct api_digests *answer;
};

static void *
digesting_begin(void *digesting, struct module *m)
{
    const struct digesting *d = digesting;
    struct canon *c = mem_alloc(m->mem, sizeof *c);
    unsigned ignored = (d->options->dce ? CANON_DCE : 0) | (d->options->commute ? CANON_COMMUTE : 0);
    canon_init(c, m, ignored, slice_of(d->options->without != NULL ? d->options->without : ""));
    return c;
}

static bool
is_digested(const struct digesting *d, u32 number)
{
    return !d->wrong[number] && !(d->states[number] & PREPARED_OPEN) &&
           !(d->leave_out != NULL && d->leave_out[number]) && api_is_readable(d->module, number);
}

static void
digest_one(void *digesting, void *own, u32 number, struct sink *out)
{
    struct digesting *d = digesting;
    (void)out;
    if (!is_digested(d, number))
        return;
    const struct canon_mode mode = {.variables = (d->states[number] & PREPARED_VARIABLES) != 0};
    d->found[number] = canon_open(own, d->module->stream.at[number], mode);
    if (d->options->functions)
        add_functions(d->module, &d->known, own, number, d->answer);
}

static void
digesting_end(void *own)
{
    struct canon *c = own;
    struct mem *mem = c->m->mem;
    canon_end(c);
    mem_free(mem, c);
}

void
api_digest(jx_module *module, const struct jx_compare_options *options, const u8 *states, const u8 *leave_out,
           struct api_digests *answer)
{
    struct mem *mem = &module->mem;
    const struct executor *executor =
        options->functions ? NULL : api_executor(module->context); /* one thread lists functions in
                                                                    * order */
    size_t n = options->functions ? module->ir.jaxprs.n + 1 : 1;
    struct digesting d = {module, options, states, leave_out, .wrong = mark_wrong(module), .answer = answer};
    const struct program_work work = {digesting_begin, digest_one, digesting_end, &d, false};
    d.known = (struct functions){mem_zeroed(mem, n * sizeof *d.known.sizes), mem_zeroed(mem, n * sizeof *d.known.lets)};
    d.found = mem_alloc(mem, (module->stream.n + 1) * sizeof *d.found);
    api_each_program(module, executor, &work, NULL);
    for (u32 i = 0; i < module->stream.n; i++) {
        struct slice text = is_digested(&d, i) ? api_digest_text(module, &d.found[i]) : (struct slice){"", 0};
        *vec_push(mem, &answer->programs) = text;
    }
    mem_free_all(mem, d.wrong, d.found, d.known.sizes, d.known.lets);
}

static void
work_digests(void *arg)
{
    jx_digest_list *list = arg;
    u8 *states = api_prepare(list->module, NULL);
    api_digest(list->module, &list->options, states, NULL, &list->known);
    mem_free(&list->module->mem, states);
}

enum jx_status
jx_digests(jx_module *module, const struct jx_compare_options *options, jx_digest_list **answer)
{
    struct jx_compare_options how;
    jx_module *changed = NULL;
    jx_digest_list *list = NULL;
    if (module == NULL || answer == NULL)
        return api_misuse(module == NULL ? NULL : module->context, "`list` is NULL");
    *answer = NULL;
    enum jx_status status = api_options(module->context, &how, sizeof how, options);
    if (status == JX_OK)
        status = api_changeable(module, how.in_place, &changed);
    if (status == JX_OK)
        status = api_result(changed, sizeof *list, (void **)&list);
    if (status == JX_OK) {
        *list = (jx_digest_list){.module = changed, .options = how};
        status = api_run(changed, work_digests, list);
    }
    if (status == JX_OK)
        *answer = list;
    else
        api_release(changed);
    return status;
}

jx_module *
jx_digest_list_module(jx_digest_list *list)
{
    return list == NULL ? NULL : list->module;
}

void
jx_digest_list_free(jx_digest_list *list)
{
    if (list != NULL)
        api_release(list->module);
}

struct jx_string
jx_digest_at(const jx_digest_list *list, uint32_t program)
{
    if (list == NULL || program >= list->known.programs.n)
        return (struct jx_string){"", 0};
    return api_string(list->known.programs.at[program]);
}

bool(jx_function_at)(jx_digest_list *list, uint32_t i, struct jx_function *answer, size_t size)
{
    if (list == NULL || i >= list->known.functions.n)
        return false;
    const struct api_function *f = &list->known.functions.at[i];
    struct jx_place place = {0};
    if (api_find_place(list->module, f->at, 1, &place) != JX_OK)
        return false;
    struct jx_function all = {api_string(f->name), api_string(f->digest), f->program,
                              place.line,          f->equations,          f->whole};
    return api_answer(answer, size, &all, sizeof all);
}

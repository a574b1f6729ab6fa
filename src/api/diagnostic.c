/* SPDX-License-Identifier: Apache-2.0
 *
 * Diagnostics as the library returns them, one by one. Places are computed when they are read. */
#include "api/api.h"

#include "base/near.h"

static struct jx_place
place_in(struct mem *m, struct text *t, u32 at, u32 n)
{
    u32 last = text_last_character(t, at, at + n);
    struct position from = text_position(m, t, at), to = text_position(m, t, last);
    if (n == 0) /* it may be in the middle of what was left out */
        from.column = to.column = (u32)((int)from.column - text_more_points(t, at, 1) + text_more_points(t, at, 0));
    return (struct jx_place){from.line, from.column, to.line, to.column + (last < at + n)};
}

struct jx_place
api_place(jx_module *module, u32 at, u32 n)
{
    if (at == NONE)
        return (struct jx_place){0};
    return place_in(&module->mem, &module->ir.text, at, n);
}

/* Adds the source location of the equation to each finding in program g before `end`; returns the first finding after
 * these. */
static u32
note_sources(struct module *m, program_t g, struct diags *ds, u32 first)
{
    const struct program *p = &m->programs.at[g];
    u32 n = 0;
    while (first + n < ds->list.n && ds->list.at[first + n].at < p->end)
        n++;
    u32 *offsets = mem_alloc(m->mem, (size_t)(n + 1) * 2 * sizeof *offsets);
    eqn_t *equations = offsets + n + 1;
    for (u32 i = 0; i < n; i++)
        offsets[i] = ds->list.at[first + i].at;
    module_equations_at(m, g, offsets, n, equations);
    for (u32 i = 0; i < n; i++) {
        struct diag *d = &ds->list.at[first + i];
        bool about_text = d->code == DIAG_S021; /* not about one equation */
        struct slice source =
            equations[i] != NONE && !d->sourced && !about_text ? equation_source(m, equations[i]) : SLICE("");
        if (source.n == 0)
            continue;
        struct sink note;
        sink_init_memory(&note, m->mem);
        sink_printf(&note, "the reported equation is from ");
        sink_slice(&note, source);
        diag_note_to(ds, first + i, NONE, 0, (struct slice){note.at, note.n});
        mem_free(m->mem, note.at);
        d->sourced = true;
    }
    mem_free(m->mem, offsets);
    return first + n;
}

void
api_sort_diagnostics(jx_module *module)
{
    struct module *m = &module->ir;
    struct diags *ds = &module->diags;
    diags_sort(ds);
    if (m->comments.n == 0 || ds->list.n == 0)
        return;
    comments_anchor(m);
    u32 i = 0;
    for (u32 k = 0; k < module->stream.n; k++) {
        while (i < ds->list.n && ds->list.at[i].at < m->programs.at[module->stream.at[k]].offset)
            i++;
        if (i < ds->list.n && ds->list.at[i].at < m->programs.at[module->stream.at[k]].end)
            i = note_sources(m, module->stream.at[k], ds, i);
    }
}

struct placing {
    jx_module *module;
    u32 at, n;
    struct jx_place *place;
};

static void
work_place(void *arg)
{
    struct placing *p = arg;
    *p->place = api_place(p->module, p->at, p->n);
}

enum jx_status
api_find_place(jx_module *module, u32 at, u32 n, struct jx_place *place)
{
    struct placing placing = {module, at, n, place};
    return api_run(module, work_place, &placing);
}

static enum jx_level
public_level(enum diag_level level)
{
    return level == LEVEL_ERROR ? JX_ERROR : level == LEVEL_WARNING ? JX_WARNING : JX_NOTE;
}

static struct jx_code
public_code(enum diag_code code)
{
    struct diag_info info = diag_info(code);
    return (struct jx_code){info.code, info.name, public_level(info.level), info.title, info.explain};
}

bool
jx_code_at(uint32_t i, struct jx_code *code)
{
    if (i >= DIAG_COUNT)
        return false;
    *code = public_code((enum diag_code)i);
    return true;
}

bool
jx_code_find(const char *code_or_name, struct jx_code *code)
{
    return code_or_name != NULL && jx_code_at((uint32_t)diag_find(slice_of(code_or_name)), code);
}

const char *
jx_nearest(const char *word, const char *const *words, size_t n)
{
    const char *nearest = NULL;
    for (uint32_t i = 0, least = 0; i < n; i++)
        if (word_nearer(slice_of(word), slice_of(words[i]), &least))
            nearest = words[i];
    return nearest;
}

uint32_t
jx_diagnostic_count(const jx_module *module, enum jx_level least)
{
    if (module == NULL)
        return 0;
    const struct diags *ds = &module->diags;
    if (least == JX_ERROR)
        return ds->errors;
    if (least == JX_WARNING)
        return ds->errors + ds->warnings;
    return ds->list.n;
}

/* the i-th name that is kept, or an empty one; `of` may be NULL */
static struct jx_string
name_at(const struct unverified *of, uint32_t i)
{
    return api_string(of != NULL && i < of->n ? of->names[i] : (struct slice){"", 0});
}

uint32_t
jx_unverified_count(const jx_module *module)
{
    return module == NULL ? 0 : module->diags.equations.total;
}

struct jx_string
jx_unverified_primitive(const jx_module *module, uint32_t i)
{
    return name_at(module == NULL ? NULL : &module->diags.equations, i);
}

uint32_t
jx_unknown_type_count(const jx_module *module)
{
    return module == NULL ? 0 : module->diags.types.total;
}

struct jx_string
jx_unknown_type(const jx_module *module, uint32_t i)
{
    return name_at(module == NULL ? NULL : &module->diags.types, i);
}

bool(jx_diagnostic_at)(jx_module *module, uint32_t i, struct jx_diagnostic *diagnostic, size_t size)
{
    if (module == NULL || module->lost || i >= module->diags.list.n)
        return false;
    const struct diag *d = &module->diags.list.at[i];
    struct jx_diagnostic all = {
        .code = public_code(d->code),
        .level = public_level(d->level),
        .message = api_string(d->message),
        .program = d->program,
    };
    for (u32 note = d->notes; note != NONE; note = module->diags.notes.at[note].next)
        all.notes++;
    return api_find_place(module, d->at, d->n, &all.place) == JX_OK && api_answer(diagnostic, size, &all, sizeof all);
}

/* The k-th note of the i-th diagnostic, or NULL. */
static const struct diag_note *
find_note(const jx_module *module, u32 i, u32 k)
{
    if (module == NULL || module->lost || i >= module->diags.list.n)
        return NULL;
    u32 note = module->diags.list.at[i].notes;
    while (note != NONE && k-- > 0)
        note = module->diags.notes.at[note].next;
    return note == NONE ? NULL : &module->diags.notes.at[note];
}

bool
jx_diagnostic_note(jx_module *module, uint32_t i, uint32_t k, struct jx_string *message, struct jx_place *place)
{
    const struct diag_note *note = find_note(module, i, k);
    if (note == NULL)
        return false;
    *message = api_string(note->message);
    if (note->text == NULL || note->at == NONE)
        return api_find_place(module, note->at, note->n, place) == JX_OK;
    /* the lines of another text are already indexed, so this allocates nothing */
    *place = place_in(&module->mem, note->text, note->at, note->n);
    return true;
}

struct jx_string
jx_diagnostic_note_file(const jx_module *module, uint32_t i, uint32_t k)
{
    const struct diag_note *note = find_note(module, i, k);
    return api_string(note == NULL || note->text == NULL ? (struct slice){"", 0} : note->text->name);
}

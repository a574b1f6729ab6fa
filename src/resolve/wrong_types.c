/* SPDX-License-Identifier: Apache-2.0
 *
 * Reports types whose text cannot be one, or that no known printer prints. */
#include "resolve/wrong_types.h"
#include "base/value.h"
#include "regions/span.h"
#include "types/type_fault.h"
#include "types/type_names.h"

/* A wrong type, or a ref whose element type is wrong. */
struct wrong_type {
    type_t id;
    const char *fault;  /* NULL: nothing is wrong */
    struct slice where; /* the wrong part of its text */
    u8 level;           /* LEVEL_WARNING: it is only probably wrong. LEVEL_NOTE: it is only unknown */
};

/* describes what is probably wrong with a damaged type (type_is_damaged); w->where is its text, and becomes the wrong
 * part if that is known */
static void
find_damage(struct mem *mem, struct wrong_type *w)
{
    struct slice text = w->where, stop = value_stop(text, NULL);
    const char *name_end = value_find(text.at, text.at + text.n, "[({< ");
    w->level = LEVEL_WARNING;
    if (ref_is_cut(text)) {
        w->fault = "its end is missing; refs are printed like MemRef<None>{float32[8]}";
        return;
    }
    struct slice meant = type_name_meant(text);
    if (meant.n) {
        bool same = name_end == text.at + meant.n && slice_starts(text, meant);
        w->fault = arena_printf(mem,
                                same ? "its parentheses are missing, as in %.*s()"
                                     : "its name is unknown; did you mean `%.*s`?",
                                (int)meant.n, meant.at)
                       .at;
        return;
    }
    if (slice_starts(text, SLICE("Ref")) || slice_starts(text, SLICE("MemRef"))) {
        w->fault = "its element type is missing; refs are printed like Ref<vmem>{f32[8]}";
        return;
    }
    w->fault = "it lacks a space, a comma or a value, or has one too many";
    if (name_end < text.at + text.n && *name_end == ' ') {
        w->fault = "its name contains a space";
        return;
    }
    for (size_t i = 1, word = 0; i + 1 < text.n; i++)
        if (!is_word_char(text.at[i]) && text.at[i] != '=') {
            word = i + 1;
        } else if (text.at[i] == '=' && strchr(",)", text.at[i + 1])) {
            w->where = (struct slice){text.at + word, i + 1 - word};
            w->fault = arena_printf(mem, "a value is missing after `%.*s`", (int)w->where.n, w->where.at).at;
            return;
        }
    if (stop.n) {
        w->where = stop;
        w->fault = arena_printf(mem, "unexpected `%.*s`", (int)stop.n, stop.at).at;
    }
}

static struct wrong_type
fault_of(const struct module *m, type_t id)
{
    const struct type *t = type_get(&m->types, id);
    bool ref = t->kind == TYPE_REF && t->inner != NONE;
    struct wrong_type w = {id, type_fault(m->mem, t), t->text, LEVEL_ERROR};
    if (!w.fault && ref) {
        t = type_get(&m->types, t->inner);
        w = (struct wrong_type){type_get(&m->types, id)->inner, type_fault(m->mem, t), t->text, LEVEL_ERROR};
    }
    if (!w.fault && type_is_damaged(t))
        find_damage(m->mem, &w);
    if (!w.fault && !type_is_known(&m->names, t)) {
        w.fault = "";
        w.level = LEVEL_NOTE;
    }
    return w;
}

bool
type_is_odd(const struct module *m, type_t id)
{
    return fault_of(m, id).fault != NULL;
}

/* a note with the element type that a misspelled one was meant as, if that is known */
static void
note_meant(const struct module *m, struct diags *ds, type_t id)
{
    const struct type *array = type_array(m, id);
    if (!array || array->dtype < DT_EXTENDED)
        return;
    struct slice meant = dtype_meant(dtype_text(&m->names, array->dtype)), rest = array->text;
    const char *open = rest.n ? memchr(rest.at, '[', rest.n) : NULL;
    if (!meant.n || !open)
        return;
    size_t at = (size_t)(open - rest.at);
    diag_note(ds, NONE, 0, "did you mean `%.*s%s`?", (int)meant.n, meant.at,
              diag_quote(ds, (struct slice){open, bracket_end(rest, at) + 1 - at}));
}

/* the place of a type's text in a binder: w->where if the text is found there, else the binder's type */
static struct span
place_of(const struct module *m, struct span binder, const struct wrong_type *w)
{
    struct span s = typed_part(m, binder);
    struct slice text = module_bytes(m, s), wrong = type_get(&m->types, w->id)->text;
    const char *found = text.n ? memmem(text.at, text.n, wrong.at, wrong.n) : NULL;
    return found ? (struct span){s.at + (u32)(found - text.at + w->where.at - wrong.at), (u32)w->where.n} : s;
}

bool
type_text_fits(struct unknown_types *unknown, const struct module *m, struct diags *ds, type_t id, jaxpr_t j, eqn_t e,
               u32 i)
{
    struct wrong_type w = fault_of(m, id);
    if (likely(w.fault == NULL) || (w.level == LEVEL_NOTE && memo_get(&unknown->seen, w.id)))
        return true;
    struct slice text = type_get(&m->types, w.id)->text;
    struct span s = place_of(m, binder_span(m, j, e, i), &w);
    if (w.level != LEVEL_NOTE) {
        diag_add(ds, DIAG_D108, s.at, s.n, "`%s` is not a type: %s", diag_quote(ds, text), w.fault);
        diag_relevel(ds, (enum diag_level)w.level);
        note_meant(m, ds, w.id);
        return false;
    }
    memo_set(m->mem, &unknown->seen, w.id, 1);
    if (unknown->strict)
        diag_add(ds, DIAG_T026, s.at, s.n, "the type `%s` is unknown, so only its text is compared",
                 diag_quote(ds, text));
    diags_unknown_type(ds, text);
    return true;
}

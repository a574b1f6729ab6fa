/* SPDX-License-Identifier: Apache-2.0
 *
 * Names. Every jaxpr is a closed scope (jax/_src/core.py, _check_jaxpr: a variable is defined once, before it is read,
 * and nothing is read from outside), so one table for all of them, stamped with the number of the jaxpr, is enough.
 * Atoms are resolved in place. Linear; what only messages need is computed for an error. */
#include "resolve/broken_names.h"
#include "resolve/cycle.h"
#include "resolve/enclosing_notes.h"
#include "resolve/scope_parts.h"
#include "resolve/shared_jaxprs.h"
#include "resolve/symbol_names.h"
#include "resolve/untyped.h"

#include "base/chars.h"
#include "base/near.h"
#include "base/utf8.h"
#include "base/visible.h"
#include "prims/prims.h"

struct binding {
    u32 stamp; /* the scope it belongs to */
    var_t var;
};

/* A use of a name before it is bound, or without a binder. */
struct unbound {
    name_t name;
    eqn_t eqn;   /* NONE: a result of the jaxpr */
    u32 operand; /* which operand or result */
    jaxpr_t jaxpr;
};

struct scopes {
    struct module *m;
    struct resolution *found;
    struct diags *ds;
    struct binding *numerals, *others;
    u32 numeral_count;
    u32 stamp;
    name_t underscore;
    bool underscored; /* this jaxpr reads a variable called `_` */
    jaxpr_t main;
    VEC(struct unbound) unbound;
    jaxpr_t *eqn_jaxprs;  /* eqns_to_jaxprs; computed when a message needs it */
    struct span word;     /* the last use found of a name */
    VEC(name_t) reported; /* names of this program that were reported as unbound */
    u32 omitted;          /* the offset of this jaxpr's first `...`, after which names cannot be checked, or NONE */
    bool broken;          /* the program had syntax errors .. */
    VEC(struct unbound) doubtful; /* .. and these names are unbound, unless its unreadable text binds them */
    struct broken_lines lines;    /* computed when a program is broken */
    u32 unprinted;                /* how many equations of this jaxpr have an unprinted result (barrier_test) .. */
    u32 before_unprinted;         /* .. and how many of its names were unbound before the first */
    bool part;                    /* the module is a view, which must not grow; `grows`: it needed to */
    bool grows;
    bool bare; /* a variable of the module has no type */
};

static struct binding *
binding_of(struct scopes *s, name_t name)
{
    return name >= NAME_OTHER ? &s->others[name - NAME_OTHER] : &s->numerals[name];
}

static void
tables_init(struct scopes *s)
{
    struct module *m = s->m;
    u32 most = 0;
    s->underscore = names_find(&m->names, SLICE("_"));
    for (var_t v = 0; v < m->vars.n; v++) {
        if (m->vars.at[v].name < NAME_OTHER && m->vars.at[v].name > most)
            most = m->vars.at[v].name;
        s->bare |= is_bare(m, s->underscore, v);
    }
    s->numeral_count = most + 1;
    s->numerals = mem_zeroed(m->mem, s->numeral_count * sizeof *s->numerals);
    s->others = mem_alloc(m->mem, (m->names.others.n + 1) * sizeof *s->others);
    memset(s->others, 0, (m->names.others.n + 1) * sizeof *s->others);
}

/* adds notes for the nested programs that contain the last finding */
static void
note_place(struct scopes *s, jaxpr_t j)
{
    if (!s->eqn_jaxprs)
        s->eqn_jaxprs = eqns_to_jaxprs(s->m);
    note_enclosing(s->m, s->ds, s->eqn_jaxprs, j);
}

/* reports that the i-th result of e (or the i-th binder of j if e is NONE) has the name of `before` */
static void
report_rebound(struct scopes *s, jaxpr_t j, eqn_t e, u32 i, var_t before)
{
    const struct module *m = s->m;
    struct name_buffer buffer;
    var_t v = e == NONE ? m->jaxprs.at[j].vars + i : m->eqns.at[e].vars + i;
    struct slice name = module_name(m, m->vars.at[v].name, &buffer);
    struct span here = binder_span(m, j, e, i);
    bool explain = s->ds->errors < EXPLAINED;
    diag_add(s->ds, DIAG_S010, here.at, (u32)name.n, "`%s` is bound twice in one program", diag_quote(s->ds, name));
    if (!explain)
        return;
    memo_set(m->mem, &s->found->rebound, v, 1);
    struct span there = var_span(m, j, before);
    diag_note(s->ds, there.at, there.n, "it is already bound here; every binder in a program needs its own name");
    note_place(s, j);
}

static inline void
bind(struct scopes *s, jaxpr_t j, eqn_t e, u32 first, u32 i)
{
    name_t name = s->m->vars.at[first + i].name;
    struct binding *b = binding_of(s, name);
    if (unlikely(b->stamp == s->stamp) && name != s->underscore)
        report_rebound(s, j, e, i, b->var);
    *b = (struct binding){s->stamp, first + i};
}

static void
resolve(struct scopes *s, atom_t *at, eqn_t e, u32 operand)
{
    atom_t atom = *at;
    if (atom_kind(atom) != ATOM_NAME)
        return;
    name_t name = atom_id(atom);
    if (likely(name >= NAME_OTHER || name < s->numeral_count)) {
        const struct binding *b = binding_of(s, name);
        if (likely(b->stamp == s->stamp)) {
            if (unlikely(name == s->underscore))
                s->underscored = true;
            else
                *at = atom_make(ATOM_VAR, b->var);
            return;
        }
    }
    *vec_push(s->m->mem, &s->unbound) = (struct unbound){name, e, operand, NONE};
}

static void
resolve_ref(struct scopes *s, struct refexpr *ref, eqn_t e, u32 operand)
{
    resolve(s, &ref->ref, e, operand);
    for (u32 i = 0; i < ref->n_uses; i++)
        resolve(s, &s->m->uses.at[ref->uses + i], e, operand);
}

/* ---- messages ---- */

/* reports that a name is that of a variable of an enclosing program; false if there is none */
static bool
report_captured(struct scopes *s, jaxpr_t j, name_t name, struct slice text, struct span here)
{
    if (!s->eqn_jaxprs)
        s->eqn_jaxprs = eqns_to_jaxprs(s->m);
    jaxpr_t outer;
    var_t v = find_enclosing(s->m, s->eqn_jaxprs, j, name, &outer);
    if (v == NONE)
        return false;
    struct span there = var_span(s->m, outer, v);
    diag_add(s->ds, DIAG_S016, here.at, here.n,
             "a nested program cannot use `%s`, which is bound in an enclosing program", diag_quote(s->ds, text));
    diag_note(s->ds, there.at, there.n, "it is bound here; pass it as an operand, as `jaxpr norm -p captures` does");
    return true;
}

/* whether `name` is `as` with invisible or space-like characters before or after it */
static bool
has_hidden_characters(struct slice name, struct slice as)
{
    u32 code;
    size_t at, n = find_hidden(name, &at, &code), rest = name.n - as.n;
    return n && as.n && as.n < name.n && memchr(as.at, name.at[at], as.n) == NULL &&
           (memcmp(name.at, as.at, as.n) == 0 || memcmp(name.at + rest, as.at, as.n) == 0);
}

/* whether a variable has the type of another operand or of a result of the equation that uses a name */
static bool
type_fits(const struct module *m, const struct unbound *use, var_t v)
{
    const struct eqn *eqn = use->eqn == NONE ? NULL : &m->eqns.at[use->eqn];
    bool fits = eqn == NULL;
    for (u32 i = 0; eqn && i < eqn->n_atoms && !fits; i++) {
        atom_t a = m->atoms.at[eqn->atoms + i];
        fits = atom_kind(a) == ATOM_VAR && m->vars.at[atom_id(a)].type == m->vars.at[v].type;
    }
    for (u32 i = 0; eqn && i < eqn->n_vars && !fits; i++)
        fits = m->vars.at[eqn->vars + i].type == m->vars.at[v].type;
    return fits;
}

/* notes the invisible or space-like character in a name, if there is one */
static void
note_hidden(struct scopes *s, struct span at, struct slice name, const char *what, const char *else_what)
{
    u32 code;
    size_t offset;
    if (find_hidden(name, &offset, &code))
        diag_note(s->ds, at.at, at.n, "%s contains the character U+%04X; remove it%s", what, code, else_what);
}

/* adds a note with the binder that was probably meant: its name differs by a letter, or by a space-like character.
 * Short names are all similar: for these, a doubled letter or another case counts if the type fits */
static void
note_similar(struct scopes *s, jaxpr_t j, const struct unbound *use, struct slice name)
{
    const struct module *m = s->m;
    const struct jaxpr *jaxpr = &m->jaxprs.at[j];
    for (var_t v = jaxpr->vars, end = jaxpr->vars + 4096; v < m->vars.n && v < end; v++) {
        if (m->vars.at[v].name >= NAME_OTHER ? s->others[m->vars.at[v].name - NAME_OTHER].stamp != s->stamp
                                             : s->numerals[m->vars.at[v].name].stamp != s->stamp)
            continue;
        struct name_buffer buffer;
        struct slice other = module_name(m, m->vars.at[v].name, &buffer);
        bool twice = other.n == 1 && name.n == 2 && name.at[0] == other.at[0] && name.at[1] == name.at[0];
        bool cased = other.n == name.n && name.n == 1 && (name.at[0] ^ other.at[0]) == 32;
        bool misspelled = name.n >= 3 ? word_is_misspelled(name, other) : (twice || cased) && type_fits(m, use, v);
        bool hides = has_hidden_characters(name, other), hidden = !hides && has_hidden_characters(other, name);
        if (!hides && !hidden && !misspelled)
            continue;
        struct span there = var_span(m, j, v);
        if (hides)
            note_hidden(s, (struct span){NONE, 0}, name, "this name", "");
        else if (hidden)
            note_hidden(s, there, other, "the name of this binder", "");
        else
            diag_note(s->ds, there.at, there.n, "did you mean `%s`?", diag_quote(s->ds, other));
        return;
    }
    note_hidden(s, (struct span){NONE, 0}, name, "the name", ", or replace it with a space");
}

/* finds a whole word in the first bytes of a span, and stores its own span in s->word; false if there is none */
static bool
find_word(struct scopes *s, struct span in, struct slice name)
{
    enum { LONGEST = 4096 };
    const char *from = s->m->text.at + in.at, *far = from + (in.n < LONGEST ? in.n : LONGEST);
    for (const char *p = from; p + name.n <= far; p++)
        if (memcmp(p, name.at, name.n) == 0 && !is_word_char(p[name.n]) && (p == from || !is_word_char(p[-1]))) {
            s->word = (struct span){(u32)(p - s->m->text.at), (u32)name.n};
            return true;
        }
    return false;
}

/* the span of the name: the operand, or the word inside special syntax */
static struct span
use_span(struct scopes *s, jaxpr_t j, const struct unbound *use, struct slice name)
{
    const struct module *m = s->m;
    if (use->eqn == NONE)
        return jaxpr_out_span(m, j, use->operand);
    struct span span = eqn_operand_span(m, use->eqn, use->operand);
    if (span.at >= m->text.n)
        return span;
    struct span rest = span;
    if (s->word.at > span.at && s->word.at < span.at + span.n) { /* uses are usually in order */
        rest.at = s->word.at + s->word.n;
        rest.n = span.at + span.n - rest.at;
    }
    return find_word(s, rest, name) || find_word(s, span, name) ? s->word : span;
}

/* true if a name of this program is reported for the first time; after EXPLAINED names, always */
static bool
first_report(struct scopes *s, name_t name)
{
    for (u32 i = 0; i < s->reported.n && i < EXPLAINED; i++)
        if (s->reported.at[i] == name)
            return false;
    *vec_push(s->m->mem, &s->reported) = name;
    return true;
}

/* the equation that binds a variable; arguments have none */
static eqn_t
equation_of(const struct module *m, jaxpr_t j, var_t v)
{
    eqn_t e = m->jaxprs.at[j].eqns;
    while (e != NONE && v - m->eqns.at[e].vars >= m->eqns.at[e].n_vars)
        e = m->eqns.at[e].next;
    return e;
}

static void
report_unbound(struct scopes *s, const struct unbound *use)
{
    name_t name = use->name;
    jaxpr_t j = use->jaxpr;
    struct name_buffer buffer;
    struct slice text = module_name(s->m, name, &buffer);
    if (!first_report(s, name))
        return;
    struct span here = use_span(s, j, use, text);
    bool explain = s->ds->errors < EXPLAINED, known = name >= NAME_OTHER || name < s->numeral_count;
    if (known && binding_of(s, name)->stamp == s->stamp && use->eqn != NONE) {
        const struct eqn *eqn = &s->m->eqns.at[use->eqn];
        var_t v = binding_of(s, name)->var;
        if (v >= eqn->vars && v < eqn->vars + eqn->n_vars) {
            diag_add(s->ds, DIAG_S011, here.at, here.n, "`%s` is used by the equation that binds it",
                     diag_quote(s->ds, text));
            if (explain)
                note_place(s, j);
            return;
        }
        struct span there = explain ? var_span(s->m, j, v) : (struct span){NONE, 0};
        bool nameless = slice_eq(text, SLICE("_"));
        if (explain && report_cycle(s->ds, s->m, j, equation_of(s->m, j, v), use->eqn, here, text)) {
            note_place(s, j);
            return;
        }
        diag_add(s->ds, DIAG_S011, here.at, here.n,
                 nameless ? "`%s` cannot be an operand: JAX prints it in place of the names of unused results"
                          : "`%s` is used before it is bound",
                 diag_quote(s->ds, text));
        diag_note(s->ds, there.at, there.n,
                  nameless ? "if this result is meant, give it a name, and move this equation before its first use"
                           : "it is bound here; move this equation before its first use");
        if (explain)
            note_place(s, j);
        return;
    }
    if (explain && report_captured(s, j, name, text, here))
        return;
    if (utf8_first_bad(text.at, text.n) < text.n)
        return; /* S005 was reported */
    const char *prim = use->eqn != NONE && s->m->eqns.at[use->eqn].form == EQN_GET ? prims_suggest(text) : NULL;
    diag_add(s->ds, DIAG_S012, here.at, here.n, "`%s` is not bound%s", diag_quote(s->ds, text),
             use->eqn == NONE ? ": a result must be a literal, an input, a constant or an equation's result"
             : prim && slice_eq(text, slice_of(prim)) ? ": a primitive comes after `=`; `<-` reads a ref"
                                                      : "");
    if (!explain)
        return;
    if (!memo_get(&s->found->unbound, j))
        memo_set(s->m->mem, &s->found->unbound, j, s->ds->list.n);
    note_similar(s, j, use, text);
    note_place(s, j);
}

/* ---- the walk ---- */

/* makes an unbound `inf` or `nan` a number: up to 0.6.0 JAX prints literals without types, and the parser takes the
 * word as a variable if any program of the text binds it. False for other uses */
static bool
read_as_number(struct scopes *s, jaxpr_t j, const struct unbound *use)
{
    struct module *m = s->m;
    struct name_buffer buffer;
    u32 first = use->eqn == NONE ? m->jaxprs.at[j].outs : m->eqns.at[use->eqn].atoms;
    struct slice name = module_name(m, use->name, &buffer);
    if (m->atoms.at[first + use->operand] != atom_make(ATOM_NAME, use->name) ||
        !(slice_eq(name, SLICE("inf")) || slice_eq(name, SLICE("nan"))))
        return false;
    struct span here = use_span(s, j, use, name);
    s->grows = true;
    if (s->part)
        return true;
    *vec_push(m->mem, &m->literals) = (struct literal){.value = here, .type = NONE, .kind = LIT_FLOAT};
    m->atoms.at[first + use->operand] = atom_make(ATOM_LIT, m->literals.n - 1);
    return true;
}

static never_inline void
resolve_numbers(struct scopes *s, jaxpr_t j)
{
    u32 n = 0;
    for (u32 i = 0; i < s->unbound.n; i++) {
        const struct unbound use = s->unbound.at[i];
        if (!read_as_number(s, j, &use))
            s->unbound.at[n++] = use;
    }
    s->unbound.n = n;
}

/* removes from the unbound names as many as there are unprinted results before them, the first ones */
static void
bind_unprinted(struct scopes *s, jaxpr_t j)
{
    struct memo bound = {0}; /* names of such results */
    u32 n = s->before_unprinted;
    for (u32 i = n; i < s->unbound.n; i++) {
        const struct unbound use = s->unbound.at[i];
        bool known = use.name >= NAME_OTHER || use.name < s->numeral_count;
        if (s->unprinted && !memo_get(&bound, use.name) && !(known && binding_of(s, use.name)->stamp == s->stamp)) {
            s->unprinted--;
            memo_set(s->m->mem, &bound, use.name, 1);
        }
        if (!memo_get(&bound, use.name))
            s->unbound.at[n++] = use;
    }
    if (n == 0 && s->unbound.n)
        memo_set(s->m->mem, &s->m->unprinted, j, 1);
    s->unbound.n = n;
    memo_free(s->m->mem, &bound);
}

/* records where a jaxpr omits equations, and reports it */
static void
begin_omitted(struct scopes *s, u32 offset)
{
    if (s->omitted != NONE)
        return;
    s->omitted = offset;
    diag_add(s->ds, DIAG_S018, offset, 3,
             "equations are omitted here, so the names that this program uses after them cannot be checked");
}

/* whether no omitted equation binds the name of a use */
static bool
is_checked(const struct scopes *s, const struct unbound *use)
{
    return s->omitted == NONE || (use->eqn != NONE && s->m->eqns.at[use->eqn].offset < s->omitted);
}

static never_inline void
report_names(struct scopes *s, jaxpr_t id)
{
    for (u32 i = 0; i < s->unbound.n; i++) {
        struct unbound *use = &s->unbound.at[i];
        use->jaxpr = id;
        if (!is_checked(s, use))
            continue;
        if (s->broken)
            *vec_push(s->m->mem, &s->doubtful) = *use;
        else
            report_unbound(s, use);
    }
}

/* whether a use is where it seems to be, not in a part of an equation after a syntax error or on the line of one, and
 * its binder is not lost */
static bool
is_certain(struct scopes *s, const struct unbound *use)
{
    struct name_buffer buffer;
    struct slice name = module_name(s->m, use->name, &buffer);
    struct span here = use_span(s, use->jaxpr, use, name);
    const struct eqn *e = use->eqn == NONE ? NULL : &s->m->eqns.at[use->eqn];
    u32 from = e ? e->offset : here.at;
    u32 end = e && e->next != NONE ? s->m->eqns.at[e->next].offset : s->m->jaxprs.at[use->jaxpr].end;
    if (broken_near(&s->lines, from, here.at, end))
        return false;
    return here.at < s->lines.lost && slice_eq(module_bytes(s->m, here), name) && !broken_line_at(&s->lines, here.at);
}

/* the offset of the name of a use */
static u32
use_offset(struct scopes *s, const struct unbound *use)
{
    struct name_buffer buffer;
    return use_span(s, use->jaxpr, use, module_name(s->m, use->name, &buffer)).at;
}

/* reports the names of a program with syntax errors that nothing in its text can bind */
static never_inline void
report_doubtful(struct scopes *s, program_t p)
{
    struct broken_names names = {0};
    struct span text = broken_names_text(s->m, p);
    u32 n = 0;
    broken_lines_read(s->m->mem, &s->lines, s->ds, (struct slice){s->m->text.at, s->m->text.n}, text);
    for (u32 i = 0; i < s->doubtful.n; i++)
        if (is_certain(s, &s->doubtful.at[i])) {
            broken_names_add(s->m->mem, &names, s->doubtful.at[i].name);
            s->doubtful.at[n++] = s->doubtful.at[i];
        }
    broken_names_read(s->m, &names, text, &s->lines);
    s->stamp++; /* no variable is suggested: all may be in other scopes */
    for (u32 i = 0; i < n; i++) {
        const struct unbound *use = &s->doubtful.at[i];
        if (broken_names_certain(&names, use->name) && !broken_may_bind(&s->lines, use->name, use_offset(s, use)))
            report_unbound(s, use);
    }
    memo_free(s->m->mem, &names.uses);
}

static never_inline void
scope_jaxpr(struct scopes *s, jaxpr_t id)
{
    struct module *m = s->m;
    const struct jaxpr j = m->jaxprs.at[id];
    const struct binding *numerals = s->numerals;
    const u32 stamp = ++s->stamp, count = s->numeral_count;
    s->unbound.n = 0;
    s->unprinted = 0;
    s->omitted = NONE;
    s->underscored = false;
    for (u32 i = 0; i < jaxpr_binders(&j); i++)
        bind(s, id, NONE, j.vars, i);
    for (eqn_t e = j.eqns; e != NONE; e = m->eqns.at[e].next) {
        mem_poll(m->mem);
        const struct eqn *eqn = &m->eqns.at[e]; /* the module does not grow here */
        atom_t *atoms = &m->atoms.at[eqn->atoms];
        for (u32 i = 0, n = eqn->n_atoms; i < n; i++) {
            atom_t atom = atoms[i];
            /* a name is its own id: ATOM_NAME is 0 */
            if (likely(atom < count && numerals[atom].stamp == stamp))
                atoms[i] = atom_make(ATOM_VAR, numerals[atom].var);
            else if (atom_kind(atom) == ATOM_REF)
                resolve_ref(s, &m->refs.at[atom_id(atom)], e, i);
            else
                resolve(s, &atoms[i], e, i);
        }
        for (u32 i = 0, n = eqn->n_vars; i < n; i++)
            bind(s, id, e, eqn->vars, i);
        if (unlikely(eqn->form == EQN_RAW) && eqn->n_vars == 0 && eqn_columns(m, e)->unprinted && s->unprinted++ == 0)
            s->before_unprinted = s->unbound.n;
        else if (unlikely(eqn->form == EQN_ELLIPSIS))
            begin_omitted(s, eqn->offset);
    }
    for (u32 i = 0; i < j.n_outs; i++)
        resolve(s, &m->atoms.at[j.outs + i], NONE, i);
    if (s->unprinted && s->omitted == NONE && !s->broken)
        bind_unprinted(s, id);
    if (unlikely(s->unbound.n))
        resolve_numbers(s, id);
    if (unlikely(s->underscored))
        *vec_push(m->mem, &s->found->underscored) =
            (struct underscored){id, s->ds->program, id == s->main, s->broken || s->omitted != NONE};
    if (unlikely(s->unbound.n))
        report_names(s, id);
}

static void
scope_program(struct scopes *s, const struct program *p)
{
    struct module *m = s->m;
    s->broken = p->broken;
    s->reported.n = s->doubtful.n = 0;
    s->main = p->main;
    struct walk w;
    walk_start_program(&w, m, p);
    for (jaxpr_t j; (j = walk_next(&w)) != NONE;) {
        scope_jaxpr(s, j);
        check_symbols(m, s->ds, j);
        s->found->places[p - m->programs.at] += m->jaxprs.at[j].n_eqns + 1;
        if (m->stray_texts && !p->excerpt && !p->broken)
            check_let_uses(m, s->ds, p, j);
    }
    walk_end(&w);
    if (p->n_lets)
        check_shared_jaxprs(m, s->ds, p);
    if (s->doubtful.n)
        report_doubtful(s, (program_t)(p - m->programs.at));
    check_missing_types(m, s->ds, p, s->bare, s->underscore);
}

static void
scope_programs(struct scopes *s, program_t from, program_t end, u32 number)
{
    struct module *m = s->m;
    tables_init(s);
    for (program_t p = from; p < end; p++) {
        if (m->programs.at[p].pasted)
            continue; /* visited with the program it is pasted into */
        s->ds->program = number++;
        scope_program(s, &m->programs.at[p]);
    }
    s->ds->program = NONE;
    mem_free_all(m->mem, s->numerals, s->others, s->eqn_jaxprs, s->unbound.at, s->reported.at, s->doubtful.at,
                 s->lines.errors.at, s->lines.list.at);
}

void
check_scopes(struct module *m, struct resolution *found, struct diags *ds)
{
    struct scopes s = {.m = m, .found = found, .ds = ds};
    if (found->scopes)
        return;
    found->places = mem_zeroed(m->mem, (m->programs.n + 1) * sizeof *found->places);
    scope_programs(&s, 0, m->programs.n, 0);
    found->scopes = true;
}

bool
resolve_programs(struct module *view, program_t from, program_t end, u32 number, struct resolution *found)
{
    struct diags ds;
    struct scopes s = {.m = view, .found = found, .ds = &ds, .part = true};
    diags_init(&ds, view->mem);
    scope_programs(&s, from, end, number);
    return ds.total == 0 && view->unprinted.n == 0 && !s.grows;
}

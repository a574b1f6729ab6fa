/* SPDX-License-Identifier: Apache-2.0
 *
 * What a program computes, in order: a row for each scope of the outermost program's equations, or function if they
 * have no scope, with its cost and its parts. Linear. */
#include "report/page.h"
#include "report/source_path.h"

enum { STEPS = 12, PARTS = 6 };

/* The equations of one scope or function. */
struct step {
    struct slice name, file; /* of a function: its file, if known */
    eqn_t first;
    u32 n, n_parts;
    struct slice parts[PARTS]; /* its children, in order */
    double flops, bytes;
};

struct steps {
    struct page *p;
    struct names index;
    VEC(struct step) list;
    struct memo of_program; /* by index into costs.jaxprs: the step that runs the program + 1 */
    double flops, bytes;
    bool reversed; /* some scope belongs to a backward pass */
};

static void
add_part(struct step *s, struct slice part)
{
    for (u32 i = 0; i < s->n_parts; i++)
        if (slice_eq(s->parts[i], part))
            return;
    if (s->n_parts < PARTS)
        s->parts[s->n_parts++] = part;
}

/* the step of an equation of the outermost program */
static struct step *
step_of(struct steps *t, eqn_t e)
{
    struct module *m = t->p->m;
    struct source_path place;
    source_path_read(m, e, &place);
    struct slice name = place.n ? place.part[0] : SLICE("");
    name_t found = names_find(&t->index, name);
    if (found == NONE) {
        struct slice source = equation_source(m, e);
        const char *colon = place.n && place.kind[0] == PATH_FUNCTION ? memchr(source.at, ':', source.n) : NULL;
        found = names_intern(m->mem, &t->index, name);
        *vec_push(m->mem, &t->list) =
            (struct step){.name = name, .file = {source.at, colon ? (size_t)(colon - source.at) : 0}, .first = e};
        t->reversed |= slice_starts(name, SLICE("transpose(jvp("));
    }
    struct step *s = &t->list.at[found - NAME_OTHER];
    if (place.n > 1 && place.kind[1] == PATH_SCOPE)
        add_part(s, place.part[1]);
    return s;
}

/* finds the steps and adds their costs; nested programs belong to the step of the equation that contains them, whose
 * program precedes them */
static void
find_steps(struct steps *t)
{
    struct page *p = t->p;
    const struct module *m = p->m;
    for (eqn_t e = m->jaxprs.at[m->programs.at[p->program].main].eqns; e != NONE; e = m->eqns.at[e].next)
        step_of(t, e)->n++;
    for (u32 i = 1; i < p->costs.jaxprs.n; i++) {
        eqn_t holder = p->costs.jaxprs.at[i].holder;
        u64 in = memo_get(&p->holder_program, holder);
        u64 step = in > 1 ? memo_get(&t->of_program, (u32)in - 1) : (u64)(step_of(t, holder) - t->list.at) + 1;
        memo_set(m->mem, &t->of_program, i, step);
    }
    for (u32 i = 0; i < p->detail.charges.n; i++) {
        const struct cost_charge *c = &p->detail.charges.at[i];
        u64 of = memo_get(&t->of_program, c->program);
        struct step *s = c->program == 0 ? step_of(t, c->eqn) : of ? &t->list.at[of - 1] : NULL;
        t->flops += c->flops;
        t->bytes += c->bytes;
        if (s) {
            s->flops += c->flops;
            s->bytes += c->bytes;
        }
    }
}

/* writes the meaning of a scope: `jvp(Model)` is the forward pass of Model if there is also a backward pass */
static void
write_name(struct steps *t, const struct step *s)
{
    struct sink *out = t->p->out;
    struct slice name = s->name, inner = name;
    bool back = slice_starts(name, SLICE("transpose(jvp(")), ahead = slice_starts(name, SLICE("jvp(")) && t->reversed;
    size_t before = back ? strlen("transpose(jvp(") : strlen("jvp("), after = back ? 2 : 1;
    if ((back || ahead) && name.n >= before + after) {
        inner = (struct slice){name.at + before, name.n - before - after};
        sink_printf(out, "%s pass%s", back ? "backward" : "forward", inner.n ? " of " : ", outside of modules");
    } else if (name.n == 0) {
        sink_printf(out, "equations without a scope or line");
    }
    if (inner.n > 0) {
        sink_printf(out, "<code>");
        html_text_cut(out, inner, 60);
        sink_printf(out, "</code>");
    }
    if (s->file.n > 0) {
        sink_printf(out, " in ");
        html_text_cut(out, s->file, 60);
    }
}

static void
write_step(struct steps *t, const struct step *s)
{
    struct page *p = t->p;
    sink_printf(p->out, "<tr><td>%u</td>", s->n);
    sink_printf(p->out, t->flops > 0 ? "<td>%.1f %%</td>" : "<td></td>", 100 * s->flops / t->flops);
    sink_printf(p->out, t->bytes > 0 ? "<td>%.1f %%</td>" : "<td></td>", 100 * s->bytes / t->bytes);
    sink_printf(p->out, "<td><a href=\"#m%ue%u\">", p->number, s->first);
    write_name(t, s);
    sink_printf(p->out, "</a>");
    for (u32 i = 0; i < s->n_parts; i++) {
        sink_printf(p->out, "%s", i ? ", " : ": ");
        html_text_cut(p->out, s->parts[i], 40);
    }
    sink_printf(p->out, "</td></tr>\n");
}

void
page_steps(struct page *p)
{
    struct steps t = {.p = p};
    struct mem *mem = p->m->mem;
    names_init(mem, &t.index, 0);
    find_steps(&t);
    if (t.list.n > 1) {
        sink_printf(p->out,
                    "<div class=\"wide\"><table class=\"steps\"><thead><tr><th>equations</th><th>operations</th>"
                    "<th>bytes</th><th>computation, in order</th></tr></thead><tbody>\n");
        for (u32 i = 0; i < t.list.n && i < STEPS; i++)
            write_step(&t, &t.list.at[i]);
        sink_printf(p->out, "</tbody></table></div>\n");
        if (t.list.n > STEPS)
            sink_printf(p->out, "<p>%u more scopes and functions are in the flame graphs.</p>\n", t.list.n - STEPS);
    }
    vec_free(mem, &t.list);
    memo_free(mem, &t.of_program);
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes a program as nested lists: a line for each equation, a link from each name to its binder, a fold for each
 * nested program. Unfinished lists are on a stack; the browser indents. Linear. */
#include "ir/reach.h"
#include "report/page.h"

enum {
    LONG = 400,   /* the most bytes of a parameter without a fold */
    SMALL = 8,    /* the most equations of a shared program whose fold is open at first */
    BINDERS = 24, /* the most arguments without a fold */
    OPEN = 40,    /* the most equations of a nested program whose fold is open at first */
    DEEPEST = 200 /* the depth of the stack up to which programs are nested: browsers stop at 512 elements */
};

/* An unfinished program, equation, or print with lets of its own that was pasted into the value of a parameter. */
struct frame {
    jaxpr_t jaxpr;    /* NONE: an equation or a print */
    program_t pasted; /* NONE: an equation or a program */
    eqn_t eqn;        /* the next equation of a program; else the equation itself */
    u32 let;          /* the next let of a print */
    param_t param;    /* the next parameter of an equation */
    u32 segment;      /* the next segment of the current parameter, or NONE */
    bool closes;      /* its end must be written: that of a fold, or the `]` of an equation */
    bool tuple;       /* the segments are those of a tuple of programs, without its parentheses and spaces .. */
    bool later;       /* .. and the first one has been written */
};

struct listing {
    struct page *p;
    VEC(struct frame) stack;
    struct slice source; /* the last source written */
};

static void
put(struct page *p, const char *html)
{
    sink_write(p->out, html, strlen(html));
}

static void
write_name(struct page *p, name_t name)
{
    struct name_buffer buffer;
    html_text(p->out, module_name(p->m, name, &buffer));
}

static void
write_binder(struct page *p, var_t v)
{
    const struct var *var = &p->m->vars.at[v];
    sink_printf(p->out, "<span class=\"b\" id=\"m%uv%u\">", p->number, v);
    write_name(p, var->name);
    put(p, "</span>");
    if (var->type != NONE) {
        put(p, ":<span class=\"t\">");
        html_text(p->out, type_get(&p->m->types, var->type)->text);
        put(p, "</span>");
    }
}

static void
write_atom(struct page *p, atom_t a)
{
    const struct module *m = p->m;
    struct slice index = {"", 0};
    if (atom_kind(a) == ATOM_REF) {
        index = module_bytes(m, m->refs.at[atom_id(a)].index);
        a = m->refs.at[atom_id(a)].ref;
    }
    if (atom_kind(a) == ATOM_VAR) {
        sink_printf(p->out, "<a href=\"#m%uv%u\">", p->number, atom_id(a));
        write_name(p, m->vars.at[atom_id(a)].name);
        put(p, "</a>");
    } else if (atom_kind(a) == ATOM_LIT) {
        const struct literal *l = &m->literals.at[atom_id(a)];
        put(p, "<span class=\"l\">");
        html_text(p->out, module_bytes(m, l->value));
        if (l->type != NONE) {
            put(p, ":");
            html_text(p->out, type_get(&m->types, l->type)->text);
        }
        put(p, "</span>");
    } else {
        put(p, "<span class=\"error\">");
        write_name(p, atom_id(a));
        put(p, "</span>");
    }
    html_text(p->out, index);
}

static void
write_atoms(struct page *p, u32 first, u32 n, const char *between)
{
    for (u32 i = 0; i < n; i++) {
        put(p, i ? between : "");
        write_atom(p, p->m->atoms.at[first + i]);
    }
}

/* writes the findings of an equation or, for the number of equations plus the id of a jaxpr, of its results */
static void
write_findings(struct page *p, u32 id)
{
    for (u64 d = memo_get(&p->found, id); d; d = memo_get(&p->next_found, (u32)d - 1))
        page_finding(p, (u32)d - 1, false);
}

/* ---- programs ---- */

static void
write_header(struct page *p, jaxpr_t id)
{
    const struct jaxpr *j = &p->m->jaxprs.at[id];
    u32 n = jaxpr_binders(j);
    put(p, "{ lambda");
    if (n > BINDERS)
        sink_printf(p->out, " <details><summary>%u arguments</summary>", n);
    for (u32 i = 0; i < n; i++) {
        put(p, i == j->n_consts ? " ; " : " ");
        write_binder(p, j->vars + i);
    }
    put(p, n > BINDERS ? "</details>" : "");
    put(p, j->n_ins ? ". let" : " ; . let");
}

/* writes the cost of one run of a program, if it is known */
static void
write_cost(struct page *p, jaxpr_t j)
{
    u64 known = memo_get(&p->cost_of, j);
    if (!known)
        return;
    const struct cost_jaxpr *c = &p->costs.jaxprs.at[known - 1];
    put(p, "<span class=\"cost\" title=\"one run\">");
    page_amount(p, &c->cost.flops, " flop");
    put(p, ", ");
    page_amount_bytes(p, &c->peak, "live, \xc3\x97 ");
    page_amount(p, &c->times, "</span>");
}

/* writes the beginning of a program, in a fold or not, and pushes it to the stack */
static void
open_program(struct listing *l, jaxpr_t j, bool fold)
{
    struct page *p = l->p;
    const struct jaxpr *program = &p->m->jaxprs.at[j];
    if (fold) {
        sink_printf(p->out, "<details%s><summary>program of %u equation%s", program->n_eqns <= OPEN ? " open" : "",
                    program->n_eqns, program->n_eqns == 1 ? "" : "s");
        write_cost(p, j);
        put(p, "</summary>");
    }
    sink_printf(p->out, "<div class=\"code\" id=\"m%uj%u\"><div>", p->number, j);
    write_header(p, j);
    put(p, "</div><ol>\n");
    *vec_push(p->m->mem, &l->stack) = (struct frame){j, NONE, program->eqns, 0, NONE, NONE, fold, false, false};
}

static void
close_program(struct listing *l, const struct frame *f)
{
    struct page *p = l->p;
    const struct jaxpr *j = &p->m->jaxprs.at[f->jaxpr];
    put(p, "</ol><div>in (");
    write_atoms(p, j->outs, j->n_outs, ", ");
    put(p, j->n_outs == 1 ? ",)" : ")");
    struct span effects = jaxpr_effects(p->m, f->jaxpr);
    if (effects.n) {
        put(p, " : { ");
        html_text(p->out, module_bytes(p->m, effects));
        put(p, " }");
    }
    put(p, " }</div>");
    write_findings(p, p->m->eqns.n + f->jaxpr);
    put(p, f->closes ? "</div></details>" : "</div>\n");
}

/* writes a program nested in an equation: in a fold, or as a link to a shared one */
static void
write_held(struct listing *l, jaxpr_t j, struct slice shared)
{
    struct page *p = l->p;
    if (j == NONE || shared.n) {
        sink_printf(p->out, "<a href=\"#m%uj%u\">", p->number, j);
        html_text(p->out, shared);
        put(p, "</a>");
    } else if (l->stack.n > DEEPEST) {
        put(p, "<span class=\"n\">{ nested too deeply to show }</span>");
    } else {
        open_program(l, j, true);
    }
}

/* ---- equations ---- */

static void
write_value(struct page *p, struct slice value)
{
    if (value.n <= LONG) {
        html_text(p->out, value);
        return;
    }
    put(p, "<details><summary>");
    html_text_cut(p->out, value, 60);
    put(p, "</summary>");
    html_text(p->out, value);
    put(p, "</details>");
}

/* writes the source of an equation, if it differs from the last one written */
static void
write_source(struct listing *l, eqn_t e)
{
    struct slice source = equation_source(l->p->m, e);
    if (source.n == 0 || slice_eq(source, l->source))
        return;
    l->source = source;
    put(l->p, "<span class=\"src\">");
    html_text_cut(l->p->out, source, 60);
    put(l->p, "</span>");
}

/* writes the results and the primitive, up to the parameters, and pushes the equation to the stack */
static void
open_equation(struct listing *l, eqn_t e)
{
    struct page *p = l->p;
    const struct eqn *eqn = &p->m->eqns.at[e];
    u64 found = memo_get(&p->found, e);
    const char *level = !found ? NULL : p->diags->list.at[found - 1].level == LEVEL_ERROR ? "has-error" : "has-warning";
    const char *mark = page_mark(p, e), *class = mark ? mark : level;
    sink_printf(p->out, "<li id=\"m%ue%u\" tabindex=\"0\"", p->number, e);
    if (class)
        sink_printf(p->out, " class=\"%s\"", class);
    put(p, ">");
    write_source(l, e);
    for (u32 i = 0; i < eqn->n_vars; i++) {
        put(p, i ? " " : "");
        write_binder(p, eqn->vars + i);
    }
    bool call = eqn->form == EQN_CALL || eqn->form == EQN_CALL_BARE;
    if (call) {
        put(p, eqn->n_vars ? " = <span class=\"p\">" : "<span class=\"p\">");
        write_name(p, eqn->prim);
        put(p, eqn->params == NONE ? "</span>" : "</span>[");
    } else if (eqn->form == EQN_ELLIPSIS || eqn->form == EQN_DAMAGED) {
        put(p, "<span class=\"p\">");
        write_name(p, eqn->prim);
        put(p, "</span>");
    }
    *vec_push(p->m->mem, &l->stack) =
        (struct frame){NONE, NONE, e, 0, call ? eqn->params : NONE, NONE, call && eqn->params != NONE, false, false};
}

/* writes the text of an equation that is not a call, with operands as links */
static void
write_form(struct page *p, const struct eqn *eqn)
{
    const struct module *m = p->m;
    u64 first = eqn->params == NONE ? 0 : memo_get(&m->statements, eqn->params);
    if (first == 0) {
        if (eqn->params != NONE)
            write_value(p, module_bytes(m, m->params.at[eqn->params].span));
        return;
    }
    for (const struct piece *piece = &m->pieces.at[first - 1];; piece++) {
        html_text(p->out, module_bytes(m, piece->text));
        if (piece->operand == NONE)
            break;
        if (piece->operand < eqn->n_atoms)
            write_atom(p, m->atoms.at[eqn->atoms + piece->operand]);
    }
}

static void
write_operands(struct page *p, const struct eqn *eqn)
{
    if (eqn->form == EQN_CALL || eqn->form == EQN_CALL_BARE) {
        put(p, " "); /* JAX prints it even if there are no operands */
        write_atoms(p, eqn->atoms, eqn->n_atoms, " ");
    } else {
        write_form(p, eqn);
    }
}

static void
close_equation(struct listing *l, const struct frame *f)
{
    struct page *p = l->p;
    put(p, f->closes ? "]" : "");
    write_operands(p, &p->m->eqns.at[f->eqn]);
    write_findings(p, f->eqn);
    put(p, "</li>\n");
}

/* ---- the walk ---- */

static void
next_piece(struct listing *l, struct frame *f)
{
    const struct module *m = l->p->m;
    const struct segment *s = &m->segments.at[f->segment];
    f->segment = s->next;
    put(l->p, f->tuple && f->later ? " " : "");
    f->later = true;
    struct slice text = module_bytes(m, s->span);
    jaxpr_t j = segment_jaxpr(m, s);
    if (j == NONE)
        html_text(l->p->out, text);
    else if (s->kind == SEGMENT_PROGRAM && m->programs.at[s->a].n_lets > 0 && l->stack.n <= DEEPEST)
        *vec_push(m->mem, &l->stack) =
            (struct frame){NONE, s->a, NONE, m->programs.at[s->a].lets, NONE, NONE, false, false, false};
    else
        write_held(l, j, s->kind == SEGMENT_SHARED ? text : (struct slice){"", 0});
}

/* begins a value that contains programs */
static void
open_pieces(struct page *p, struct frame *f, const struct param *param)
{
    f->segment = param->a;
    f->tuple = param->kind == PARAM_TUPLE;
    f->later = false;
    put(p, f->tuple ? "(" : "");
}

static void
next_parameter(struct listing *l, struct frame *f)
{
    struct page *p = l->p;
    const struct param *param = &p->m->params.at[f->param];
    bool first = f->param == p->m->eqns.at[f->eqn].params;
    f->param = param->next;
    put(p, first ? "" : " ");
    if (param->key != NONE) {
        put(p, "<span class=\"k\">");
        write_name(p, param->key);
        put(p, "</span>=");
    }
    jaxpr_t j = jaxpr_in_param(p->m, param);
    if (j != NONE)
        write_held(l, j, param->kind == PARAM_SHARED ? module_bytes(p->m, param->span) : (struct slice){"", 0});
    else if (param->kind == PARAM_TUPLE || param->kind == PARAM_MIXED)
        open_pieces(p, f, param);
    else
        write_value(p, module_bytes(p->m, param->span));
}

/* writes the next let of a pasted print or, after the last one, its program */
static void
next_let(struct listing *l, struct frame *f)
{
    const struct module *m = l->p->m;
    const struct program *g = &m->programs.at[f->pasted];
    u32 at = f->let++;
    put(l->p, at > g->lets ? " in " : "");
    if (at == g->lets + g->n_lets) {
        l->stack.n--;
        open_program(l, g->main, true);
        return;
    }
    put(l->p, "let ");
    html_text(l->p->out, module_bytes(m, m->lets.at[at].name));
    put(l->p, " = ");
    if (m->lets.at[at].jaxpr != NONE)
        open_program(l, m->lets.at[at].jaxpr, true);
}

static void
step(struct listing *l)
{
    struct frame *f = &l->stack.at[l->stack.n - 1];
    struct frame done = *f;
    if (f->pasted != NONE) {
        next_let(l, f);
    } else if (f->jaxpr != NONE) {
        if (f->eqn != NONE) {
            eqn_t e = f->eqn;
            f->eqn = l->p->m->eqns.at[e].next;
            open_equation(l, e);
            return;
        }
        l->stack.n--;
        close_program(l, &done);
    } else if (f->segment != NONE) {
        next_piece(l, f);
    } else if (f->tuple) {
        f->tuple = false;
        put(l->p, ")");
    } else if (f->param != NONE) {
        next_parameter(l, f);
    } else {
        l->stack.n--;
        close_equation(l, &done);
    }
}

static void
write_program(struct listing *l, jaxpr_t j)
{
    open_program(l, j, false);
    while (l->stack.n)
        step(l);
}

void
page_listing(struct page *p)
{
    struct listing l = {.p = p};
    const struct program *program = &p->m->programs.at[p->program];
    for (u32 i = program->lets; i < program->lets + program->n_lets; i++) {
        const struct let *let = &p->m->lets.at[i];
        bool small = let->jaxpr != NONE && p->m->jaxprs.at[let->jaxpr].n_eqns <= SMALL;
        sink_printf(p->out, "<details%s><summary>let <b>", small || program->main == NONE ? " open" : "");
        html_text(p->out, module_bytes(p->m, let->name));
        put(p, "</b>");
        if (let->jaxpr != NONE)
            write_cost(p, let->jaxpr);
        put(p, "</summary>");
        if (let->jaxpr != NONE)
            write_program(&l, let->jaxpr);
        put(p, "</details>\n");
    }
    if (program->main != NONE)
        write_program(&l, program->main);
    vec_free(p->m->mem, &l.stack);
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Digests from the inside out: a depth-first walk over the jaxprs of a program, shared ones and those of pasted prints
 * included, each visited once. For callers that need only the order, only programs in unused equations are digested, as
 * these are sorted by content. */
#include "canon/canon.h"
#include "ir/reach.h"

void
canon_init(struct canon *c, struct module *m, unsigned ignored, struct slice without)
{
    *c = (struct canon){.m = m, .ignored = ignored, .without = without};
    prims_init(m->mem, &c->prims);
    effects_init(&c->effects, m, &c->prims, NO_VERSION);
    c->effects.unpasted = true; /* users store digests, so those of equations with pasted prints must not change */
    c->producer = mem_nones(m->mem, m->vars.n + 1);
    c->number = mem_nones(m->mem, m->vars.n + 1);
    c->done = mem_zeroed(m->mem, m->eqns.n + 1);
    memset(vec_push_n(m->mem, &c->jaxprs, m->jaxprs.n + 1), 0, (m->jaxprs.n + 1) * sizeof *c->jaxprs.at);
    c->underscore = names_find(&m->names, SLICE("_"));
    c->keys = mem_alloc(m->mem, CANON_KEYS * sizeof *c->keys);
    memset(c->keys, 0xff, CANON_KEYS * sizeof *c->keys); /* keys of no primitive */
    u32 bits = 4;
    while (bits < 12 && m->params.n >> bits)
        bits++;
    c->spelled = mem_zeroed(m->mem, sizeof *c->spelled << bits);
    c->spelled_shift = 64 - bits;
    canon_operations_init(c);
    sink_init_memory(&c->bytes, m->mem);
    sink_init_memory(&c->scratch, m->mem);
    sink_reserve(&c->scratch, 1); /* its address is not NULL */
}

void
canon_end(struct canon *c)
{
    struct mem *mem = c->m->mem;
    prims_free(&c->prims);
    effects_end(&c->effects);
    mem_free_all(mem, c->producer, c->number, c->done, c->writes.slots, c->swapped.slots, c->seen.slots, c->jaxprs.at,
                 c->at.order.at, c->pending.at, c->lacking.at, c->params.at, c->keys, c->types.at, c->spelled);
    canon_operations_end(c);
    mem_free_all(mem, c->bytes.at, c->scratch.at, c->dims.slots);
}

const struct digest *
canon_digest(const struct canon *c, jaxpr_t j)
{
    return &c->jaxprs.at[j].digest;
}

static void
write_binders(struct canon *c, const struct jaxpr *j, bool main)
{
    sink_slice(&c->bytes, SLICE("lambda "));
    sink_number(&c->bytes, main ? 0 : j->n_consts);
    sink_char(&c->bytes, ' ');
    sink_number(&c->bytes, main ? jaxpr_binders(j) : j->n_ins);
    sink_char(&c->bytes, '\n');
    for (u32 i = 0; i < jaxpr_binders(j); i++) {
        canon_type(c, &c->bytes, c->m->vars.at[j->vars + i].type);
        sink_char(&c->bytes, '\n');
    }
}

/* the digest of a jaxpr in canonical order */
static struct digest
digest_ordered(struct canon *c, jaxpr_t id, bool main)
{
    enum { RUN = 32 << 10 }; /* small enough to stay in the processor's cache */
    const struct jaxpr j = c->m->jaxprs.at[id];
    struct digest_state d;
    digest_begin(&d);
    c->bytes.n = 0;
    write_binders(c, &j, main);
    for (u32 i = 0; i < c->at.order.n; i++) {
        canon_fetch(c, i);
        canon_eqn(c, &c->bytes, c->at.order.at[i]);
        sink_char(&c->bytes, '\n');
        if (c->bytes.n > RUN) {
            digest_add(&d, c->bytes.at, c->bytes.n);
            c->bytes.n = 0;
        }
    }
    sink_write(&c->bytes, "in", 2);
    for (u32 i = 0; i < j.n_outs; i++) {
        sink_char(&c->bytes, ' ');
        canon_atom(c, &c->bytes, c->m->atoms.at[j.outs + i], NONE, NONE);
    }
    digest_add(&d, c->bytes.at, c->bytes.n);
    return digest_end(&d);
}

/* The position in a jaxpr being walked. */
struct canon_visit {
    jaxpr_t jaxpr;
    eqn_t eqn;            /* the next equation with parameters */
    struct nested nested; /* the programs of the one before it */
    bool link;            /* it may be relinked: see canon_inside */
};

static struct canon_visit
visit(const struct module *m, jaxpr_t j, bool link)
{
    return (struct canon_visit){j, eqn_with_params(m, m->jaxprs.at[j].eqns), nested_in_param(NONE), link};
}

/* the next jaxpr inside the one being visited, NONE at the end */
static jaxpr_t
next_inner(const struct module *m, struct canon_visit *v)
{
    for (;;) {
        jaxpr_t inner = nested_next(m, &v->nested);
        if (inner != NONE || v->eqn == NONE)
            return inner;
        v->nested = nested_start(m, v->eqn);
        v->eqn = eqn_with_params(m, m->eqns.at[v->eqn].next);
    }
}

enum task {
    TASK_ORDER,   /* compute only the digests that an order needs */
    TASK_DIGEST,  /* compute all digests */
    TASK_LACKING, /* all jaxprs are in order: compute the missing digests */
};

/* whether this is the first visit of a jaxpr; one that contains itself has no digest inside itself */
static bool
enter(struct canon *c, jaxpr_t j, enum task task)
{
    struct canon_jaxpr *k = &c->jaxprs.at[j];
    bool *visited = task == TASK_LACKING ? &k->digesting : &k->entered, first = !*visited;
    *visited = true;
    return first && !(task == TASK_LACKING && k->known);
}

/* finishes a jaxpr whose nested jaxprs are finished */
static void
leave(struct canon *c, jaxpr_t id, bool link, enum task task)
{
    if (task != TASK_LACKING)
        effects_add(&c->effects, id);
    canon_order(c, id);
    if (task != TASK_ORDER) {
        c->jaxprs.at[id].digest = digest_ordered(c, id, false);
        c->jaxprs.at[id].known = true;
    } else if (link && !c->at.reads && !canon_is_large(c, id))
        canon_relink(c, id, false);
}

/* finishes all jaxprs nested in a jaxpr, inner ones first */
static void
walk(struct canon *c, jaxpr_t root, bool link, enum task task)
{
    struct module *m = c->m;
    VEC(struct canon_visit) stack = {0};
    *vec_push(m->mem, &stack) = visit(m, root, link);
    while (stack.n) {
        struct canon_visit *v = &stack.at[stack.n - 1];
        jaxpr_t inner = next_inner(m, v);
        if (inner == NONE) {
            if (stack.n > 1)
                leave(c, v->jaxpr, v->link, task);
            stack.n--;
        } else if (enter(c, inner, task)) {
            struct canon_visit next = visit(m, inner, v->link && !v->nested.pasted);
            *vec_push(m->mem, &stack) = next;
        }
    }
    vec_free(m->mem, &stack);
}

void
canon_digest_lacking(struct canon *c)
{
    struct mem *mem = c->m->mem;
    const struct canon_position at = c->at;
    struct jaxprs lacking = c->lacking;
    c->at = (struct canon_position){.jaxpr = NONE};
    c->lacking = (struct jaxprs){0};
    for (u32 i = 0; i < lacking.n; i++)
        if (enter(c, lacking.at[i], TASK_LACKING)) {
            walk(c, lacking.at[i], false, TASK_LACKING);
            leave(c, lacking.at[i], false, TASK_LACKING);
        }
    vec_free(mem, &c->at.order);
    vec_free(mem, &c->lacking);
    memo_free(mem, &c->dims); /* the variables of the last jaxpr digested */
    c->at = at;
    c->lacking = lacking;
    c->lacking.n = 0;
}

void
canon_inside(struct canon *c, program_t program, struct canon_mode mode)
{
    jaxpr_t main = c->m->programs.at[program].main;
    canon_enter(c, program, mode);
    c->sparing = true;
    walk(c, main, true, TASK_ORDER);
    canon_order(c, main);
    c->jaxprs.at[main].entered = true;
}

struct digest
canon_open(struct canon *c, program_t program, struct canon_mode mode)
{
    jaxpr_t main = c->m->programs.at[program].main;
    canon_enter(c, program, mode);
    c->sparing = false;
    walk(c, main, false, TASK_DIGEST);
    canon_order(c, main);
    c->jaxprs.at[main] = (struct canon_jaxpr){.entered = true, .known = true};
    c->jaxprs.at[main].digest = digest_ordered(c, main, true);
    return c->jaxprs.at[main].digest;
}

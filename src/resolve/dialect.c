/* SPDX-License-Identifier: Apache-2.0
 *
 * Which system printed a program. The loops and branches of Catalyst and PennyLane have names of their own for their
 * parameters, and the counts among them distinguish the generations of Catalyst; a program without any is taken as one
 * of JAX. Linear. */
#include "regions/region_map.h"
#include "resolve/dim_resolve.h"
#include "base/value.h"

/* The dialect that an equation indicates. */
struct evidence {
    enum dialect dialect; /* DIALECT_AUTO: none */
    const char *why;      /* with `%s` for the primitive */
};

static bool
is_true(const struct module *m, eqn_t e, struct slice key)
{
    param_t p = eqn_param(m, e, key);
    return p != NONE && slice_eq(value_trim(param_bytes(m, &m->params.at[p])), SLICE("True"));
}

static struct evidence
of_equation(const struct module *m, eqn_t e, struct region_map *l)
{
    struct name_buffer buffer;
    struct slice name = module_name(m, m->eqns.at[e].prim, &buffer);
    if (slice_eq(name, SLICE("quantum_kernel")) || slice_eq(name, SLICE("func")))
        return (struct evidence){DIALECT_CATALYST, "`%s` is a primitive of Catalyst"};
    if (m->eqns.at[e].params == NONE || !region_map_read(m, e, l))
        return (struct evidence){DIALECT_AUTO, NULL};
    switch (l->system) {
    case SYSTEM_PENNYLANE:
        return (struct evidence){DIALECT_PENNYLANE, "`%s` has its operands in PennyLane's order"};
    case SYSTEM_CATALYST_G0:
        return (struct evidence){DIALECT_CATALYST_G0, "`%s` has neither `nimplicit` nor `num_implicit_inputs`"};
    case SYSTEM_CATALYST:
        if (l->kind == REGION_BRANCH)
            return (struct evidence){DIALECT_CATALYST, "`%s` has `branch_jaxprs`"};
        if (!is_true(m, e, SLICE("preserve_dimensions")))
            return (struct evidence){DIALECT_CATALYST, "`%s` has no preserve_dimensions=True"};
        if (l->implicit)
            return (struct evidence){DIALECT_CATALYST_G1, "`%s` has preserve_dimensions=True and implicit arguments"};
        return (struct evidence){DIALECT_CATALYST, "`%s` has preserve_dimensions=True and no implicit arguments"};
    default:
        return (struct evidence){DIALECT_AUTO, NULL};
    }
}

/* how specific the evidence of an equation is: forms that several generations print are less specific than those of one
 */
static u32
weight(enum dialect d)
{
    return d == DIALECT_AUTO ? 0 : d == DIALECT_CATALYST ? 1 : 2;
}

/* the first equation of a program with the most specific evidence; NONE if there is none. *named: some shape contains
 * names */
static eqn_t
strongest(const struct module *m, const struct program *p, struct region_map *l, struct evidence *best, bool *named)
{
    eqn_t at = NONE;
    *best = (struct evidence){DIALECT_AUTO, NULL};
    *named = false;
    struct walk w;
    walk_start_program(&w, m, p);
    for (jaxpr_t j; (j = walk_next(&w)) != NONE;) {
        *named |= vars_dynamic(m, m->jaxprs.at[j].vars, jaxpr_binders(&m->jaxprs.at[j]));
        for (eqn_t e = m->jaxprs.at[j].eqns; e != NONE; e = m->eqns.at[e].next) {
            *named |= vars_dynamic(m, m->eqns.at[e].vars, m->eqns.at[e].n_vars);
            struct evidence found = of_equation(m, e, l);
            if (weight(found.dialect) <= weight(best->dialect))
                continue;
            *best = found;
            at = e;
        }
    }
    walk_end(&w);
    return at;
}

/* how check_dims interprets the sizes of a program */
static const char *
sizes_word(struct module *m, const struct program *p, const struct check_options *options, struct binders *scopes)
{
    bool variables = options->dims == DIMS_VARS || (options->dims == DIMS_AUTO && dims_are_variables(m, p, scopes));
    return variables ? "; names in shapes are read as variables" : "; names in shapes are read as symbols";
}

void
check_dialect(struct module *m, const struct check_options *options, struct diags *ds)
{
    static const char *const words[] = {"jax", "jax", "catalyst", "catalyst-g1", "catalyst-g0", "pennylane"};
    struct region_map l = {0};
    struct binders scopes[2];
    binders_init(&scopes[0], m);
    binders_init(&scopes[1], m);
    for (program_t p = 0, n = 0; p < m->programs.n; p++) {
        const struct program *program = &m->programs.at[p];
        struct evidence best;
        if (program->pasted)
            continue;
        ds->program = n++;
        if (program->main == NONE)
            continue;
        bool named;
        eqn_t e = strongest(m, program, &l, &best, &named);
        const char *sizes = named ? sizes_word(m, program, options, scopes) : "";
        if (options->dialect != DIALECT_AUTO) {
            diag_add(ds, DIAG_D116, m->jaxprs.at[program->main].offset, 1, "read as the %s dialect, as requested%s",
                     words[options->dialect], sizes);
        } else if (e == NONE) {
            diag_add(ds, DIAG_D116, m->jaxprs.at[program->main].offset, 1,
                     "read as the jax dialect, because the program has no loop or branch of Catalyst or PennyLane%s",
                     sizes);
        } else {
            struct span s = eqn_prim_span(m, e);
            const char *prim = quote_name(m, ds, m->eqns.at[e].prim);
            const char *mark = strchr(best.why, '%');
            diag_add(ds, DIAG_D116, s.at, s.n, "read as the %s dialect, because %.*s%s%s%s", words[best.dialect],
                     (int)(mark - best.why), best.why, prim, mark + 2, sizes);
        }
    }
    ds->program = NONE;
    region_map_free(m, &l);
    binders_drop(&scopes[0]);
    binders_drop(&scopes[1]);
}

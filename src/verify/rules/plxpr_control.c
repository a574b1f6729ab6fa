/* SPDX-License-Identifier: Apache-2.0
 *
 * Loops, branches and kernels of Catalyst and PennyLane, which share their names. What distinguishes them is how they
 * say where their operands lie: Catalyst counts (`body_nconsts`, `nimplicit`), PennyLane cuts slices (`args_slice`) or,
 * up to 0.39, counts constants. Layouts are those of catalyst/jax_primitives.py and pennylane/capture (0.38 to 0.45).
 * Linear in operands and binders. */
#include "regions/region_map.h"
#include "verify/call_check.h"

/* operands [at, at + n) */
struct range {
    u32 at, n;
};

/* reads `(2, 3, None)` or `slice(2, 3, None)` as a range of n operands */
static bool
read_range(struct slice text, u32 n, struct range *out)
{
    struct cursor c = cursor_of(text);
    i64 ends[2] = {0, n};
    value_word(&c, "slice");
    if (!value_open(&c))
        return false;
    for (u32 i = 0; i < 2; i++) {
        if (!value_word(&c, "None") && (!value_int(&c, &ends[i]) || ends[i] < 0))
            return false;
        if (!value_comma(&c))
            return false;
    }
    if (ends[1] > n)
        ends[1] = n;
    if (ends[0] > ends[1])
        ends[0] = ends[1];
    *out = (struct range){(u32)ends[0], (u32)(ends[1] - ends[0])};
    return true;
}

static bool
param_range(const struct rule *r, const char *key, u32 n, struct range *out)
{
    struct slice text;
    return param_text(r, key, &text) && read_range(text, n, out);
}

/* what a program of PennyLane takes: constants go to its constvars, where it has any, else to its first invars */
struct intake {
    const char *key;
    struct range consts, shapes, args;
    u32 index; /* 1 where the loop's index is between shapes and args */
};

/* binds operands to the program, `first` operands being left out of the ranges */
static bool
bind_intake(struct rule *r, jaxpr_t j, const struct intake *in, u32 first)
{
    u32 takes = jaxpr_consts(r, j) + jaxpr_ins(r, j), given = in->consts.n + in->shapes.n + in->index + in->args.n;
    if (takes != given)
        return rule_error(r, DIAG_T012, at_param(r, in->key),
                          "`%s` takes %u values, but `%s` passes %u constants, %u sizes and %u others", in->key, takes,
                          format_prim(r), in->consts.n, in->shapes.n, in->index + in->args.n);
    u32 k = in->consts.n;
    return bind_operands(r, AS_JAX, j, 0, first + in->consts.at, in->consts.n) &&
           bind_operands(r, AS_JAX, j, k, first + in->shapes.at, in->shapes.n) &&
           bind_operands(r, AS_JAX, j, k + in->shapes.n + in->index, first + in->args.at, in->args.n);
}

/* ---- branches ---- */

/* the first n operands are bool[]s */
static bool
are_conditions(struct rule *r, u32 n)
{
    struct aval wanted = aval_scalar(DT_bool);
    for (u32 i = 0; i < n; i++)
        if (avals_agree(&wanted, &r->in[i]) == NO)
            return rule_error_operand(r, DIAG_T014, i, "the predicates of `%s` must be bool[]", format_prim(r));
    return true;
}

/* the index of a switch and its case keys are integers */
static bool
are_cases(struct rule *r, u32 n)
{
    for (u32 i = 0; i < n; i++) {
        const struct aval *a = &r->in[i];
        if (a->kind != AVAL_ARRAY || ((a->classes & (IN_INT | IN_BOOL)) && (!a->ranked || a->rank == 0)))
            continue;
        return rule_error_operand(r, DIAG_T014, i, "the index of `%s` must be an integer scalar", format_prim(r));
    }
    return true;
}

bool
cond_of_catalyst(struct rule *r, const struct jaxpr_list *all, bool cases)
{
    if (all->n == 0)
        return rule_error(r, DIAG_T010, at_param(r, "branch_jaxprs"), "`%s` has no branches", format_prim(r));
    u32 choosing = all->n - 1 + cases;
    if (r->n < choosing)
        return rule_error(r, DIAG_T005, at_prim(),
                          "`%s` of %u branches requires %u operand%s to select one, but %u %s given", format_prim(r),
                          all->n, choosing, choosing == 1 ? "" : "s", r->n, r->n == 1 ? "is" : "are");
    jaxpr_t zero = all->at[0];
    u32 implicit = 0;
    const char *key = "num_implicit_outputs";
    if (!param_count(r, key, &implicit) && !r->failed)
        param_count(r, key = "nimplicit_outputs", &implicit);
    if (implicit > r->n_results)
        return rule_error(r, DIAG_T018, at_param(r, key), "`%s` has %u implicit results, but %u %s bound",
                          format_prim(r), implicit, r->n_results, r->n_results == 1 ? "is" : "are");
    if (r->failed)
        return false;
    if (!(cases ? are_cases(r, choosing) : are_conditions(r, choosing)) || !branches_agree(r, all, true))
        return false;
    if (zero == NONE)
        return rule_trust(r, at_param(r, "branch_jaxprs"), "a branch of `%s` is not a program", format_prim(r));
    return bind_count(r, AS_JAX, zero, r->n - choosing, "branch_jaxprs") &&
           bind_operands(r, AS_JAX, zero, jaxpr_consts(r, zero), choosing, r->n - choosing) &&
           bind_outs(r, zero, "branch_jaxprs");
}

bool
shape_switch(struct rule *r, struct aval *out)
{
    struct jaxpr_list all;
    *out = aval_unknown();
    if (!rule_jaxprs(r, "branch_jaxprs", &all))
        return rule_trust(r, at_prim(), "the branches of `%s` are not printed", format_prim(r));
    return cond_of_catalyst(r, &all, true);
}

/* the ranges of each branch's constants; false where they are not printed as ranges */
static bool
branch_constants(struct rule *r, const struct jaxpr_list *all, struct range *consts)
{
    struct slice text, element;
    u32 count, per;
    if (param_count(r, "n_consts_per_branch", &per))
        return false;
    if (!param_text(r, "consts_slices", &text) || !value_count(text, &count) || count != all->n)
        return false;
    struct cursor c = cursor_inside(text);
    for (u32 b = 0; b < all->n; b++)
        if (!value_element(&c, &element) || !read_range(element, r->n, &consts[b]))
            return false;
    return true;
}

bool
cond_of_pennylane(struct rule *r, const struct jaxpr_list *all)
{
    struct intake in = {.key = "jaxpr_branches"};
    struct range *consts = rule_alloc(r, (all->n + 1u) * sizeof *consts);
    u32 first = r->n, zero = 0;
    while (zero < all->n && all->at[zero] == NONE)
        zero++;
    if (zero == all->n || !branch_constants(r, all, consts) || !param_range(r, "args_slice", r->n, &in.args))
        return !r->failed && rule_trust(r, at_prim(), "the operand layout of `%s` is not printed", format_prim(r));
    for (u32 b = 0; b < all->n; b++)
        first = consts[b].at < first ? consts[b].at : first;
    first = in.args.at < first ? in.args.at : first;
    if (!are_conditions(r, first < all->n ? first : all->n) || !branches_agree(r, all, false))
        return false;
    for (u32 b = 0; b < all->n; b++) {
        in.consts = consts[b];
        if (all->at[b] != NONE && !bind_intake(r, all->at[b], &in, 0))
            return false;
    }
    return zero == 0 ? bind_outs(r, all->at[0], "jaxpr_branches") : true;
}

/* ---- loops ---- */

/* operands [at, at + n) are the loop's bounds: scalars of a class of element types */
static bool
are_bounds(struct rule *r, u32 at, u32 n, u32 classes)
{
    for (u32 i = at; i < at + n; i++) {
        const struct aval *a = &r->in[i];
        if (a->kind != AVAL_ARRAY || ((a->classes & classes) && (!a->ranked || a->rank == 0)))
            continue;
        return rule_error_operand(r, DIAG_T008, i, "the bounds and the step of `%s` must be %sscalars", format_prim(r),
                                  classes & IN_FLOAT ? "" : "integer ");
    }
    return true;
}

/* what the body of a loop of PennyLane takes at binders [k, k + n) it gives back at outs [out, ..) in the same shape:
 * its capture lets a value come back as a float that went in as an integer */
static bool
shapes_return(struct rule *r, jaxpr_t body, u32 k, u32 out, u32 n)
{
    for (u32 i = 0; i < n; i++) {
        struct aval taken = binder_aval(r, body, k + i), given = jaxpr_out_aval(r, body, out + i);
        if (taken.kind != AVAL_ARRAY || given.kind != AVAL_ARRAY || shapes_agree(&taken, &given) != NO)
            continue;
        rule_error(r, DIAG_T016, at_out(body, out + i),
                   "the carry of `%s` changes its shape: its body takes `%s` as %s and returns `%s`, which is %s",
                   format_prim(r), format_binder(r, body, k + i), format_aval(r, &taken), format_out(r, body, out + i),
                   format_aval(r, &given));
        rule_note_binder(r, body, k + i);
        return false;
    }
    return true;
}

/* results [out, out + n) of a loop of PennyLane: typed as the carry came in at binders [k, ..) or as it comes back */
static bool
loop_results(struct rule *r, jaxpr_t body, u32 k, u32 out, u32 n)
{
    bool right = true;
    for (u32 i = 0; i < n; i++) {
        struct aval taken = binder_aval(r, body, k + i), given = jaxpr_out_aval(r, body, out + i),
                    binder = rule_binder(r, out + i);
        if (result_agrees(r, &taken, &binder) == NO)
            right &= bind_result(r, body, out + i, out + i, &given);
    }
    return right;
}

/* a body that takes the carry at binders [k, ..) gives as many values back, of the same types or shapes */
static bool
carry_of(struct rule *r, jaxpr_t body, const char *key, u32 k, u32 n, bool types)
{
    if (jaxpr_outs(r, body) != n)
        return rule_error(r, DIAG_T016, at_param(r, key), "the body of `%s` returns %u values, but the carry has %u",
                          format_prim(r), jaxpr_outs(r, body), n);
    return types ? carry_returns(r, AS_JAX, DIAG_T016, body, k, 0, n) : shapes_return(r, body, k, 0, n);
}

/* Catalyst's programs inside equations have no constants of their own: where one does, check_loop has said so (D115),
 * and what does not fit follows from it */
static bool
has_constants(struct rule *r, jaxpr_t j)
{
    return jaxpr_consts(r, j) > 0;
}

/* a loop that prints no counts: its body gives as many values as are bound, and is given as many as it takes */
static bool
fits_uncounted(struct rule *r, jaxpr_t body, const char *key, u32 operands)
{
    if (jaxpr_outs(r, body) != r->n_results)
        return bind_outs(r, body, key);
    if (r->n != operands)
        return rule_error(r, DIAG_T005, at_prim(), "`%s` has %s, but its programs take %u", format_prim(r),
                          format_count(r, r->n, "operand", "operands"), operands);
    return true;
}

/* where a loop of Catalyst keeps its constants and implicit sizes when it prints no counts; the loop is laid out as
 * newer ones are. `total`: all operands that its programs and bounds need */
static bool
uncounted(struct rule *r, jaxpr_t body, u32 total, struct region_map *map)
{
    bool known = fits_uncounted(r, body, "body_jaxpr", total) && region_map_read(r->m, r->e, map) && map->regions.n;
    region_map_free(r->m, map);
    if (!known && !r->failed)
        rule_trust(r, at_prim(), "the operand layout of `%s` is not printed", format_prim(r));
    return known;
}

/* Catalyst: constants, implicit sizes, bounds and a second start, carry */
static bool
for_of_catalyst(struct rule *r, jaxpr_t body)
{
    u32 consts = 0, implicit = 0, takes = jaxpr_ins(r, body);
    bool sized = param_count(r, "nimplicit", &implicit) || param_count(r, "num_implicit_inputs", &implicit);
    if (has_constants(r, body))
        return false;
    if (!param_count(r, "body_nconsts", &consts)) {
        struct region_map map = {0};
        if (r->failed || !uncounted(r, body, takes + 3, &map))
            return false;
        sized = true;
        consts = map.body_carry;
        implicit = map.implicit;
    }
    if (r->n != takes + 3 || takes < consts + implicit + 1)
        return rule_error(r, DIAG_T018, at_param(r, "body_nconsts"),
                          "`%s` has %u operands; its body takes %u: %u constants, %u implicit sizes, the index and the "
                          "carry, and the operands also contain 3 bounds before the index",
                          format_prim(r), r->n, takes, consts, implicit);
    u32 head = consts + implicit, carry = takes - head - 1;
    /* up to 0.6 the bounds came first */
    u32 bounds = sized ? head : 0, first = sized ? 0 : 3;
    if (!are_bounds(r, bounds, 3, IN_INT) || !bind_operands(r, AS_JAX, body, 0, first, head) ||
        !bind_operands(r, AS_JAX, body, head, head + 3, 1) ||
        !bind_operands(r, AS_JAX, body, head + 1, head + 4, carry))
        return false;
    if (jaxpr_outs(r, body) != implicit + carry)
        return rule_error(r, DIAG_T016, at_param(r, "body_jaxpr"),
                          "the body of `%s` returns %u values, but the carry has %u with %u implicit sizes",
                          format_prim(r), jaxpr_outs(r, body), implicit + carry, implicit);
    return carry_returns(r, AS_JAX, DIAG_T016, body, consts, 0, implicit) &&
           carry_returns(r, AS_JAX, DIAG_T016, body, head + 1, implicit, carry) && bind_outs(r, body, "body_jaxpr");
}

/* PennyLane: bounds, then constants, shapes and arguments where the slices say */
static bool
for_of_pennylane(struct rule *r, jaxpr_t body)
{
    struct intake in = {.key = "jaxpr_body_fn", .index = 1};
    if (r->n < 3)
        return rule_error(r, DIAG_T005, at_prim(), "`%s` requires a start, a stop and a step", format_prim(r));
    u32 rest = r->n - 3, count = 0;
    if (param_count(r, "n_consts", &count) && count <= rest) {
        in.consts.n = count;
        in.args = (struct range){count, rest - count};
    } else if (!param_range(r, "consts_slice", rest, &in.consts) || !param_range(r, "args_slice", rest, &in.args)) {
        return !r->failed && rule_trust(r, at_prim(), "the operand layout of `%s` is not printed", format_prim(r));
    }
    param_range(r, "abstract_shapes_slice", rest, &in.shapes);
    if (!are_bounds(r, 0, 3, IN_INT | IN_FLOAT) || !bind_intake(r, body, &in, 3))
        return false;
    u32 k = in.consts.n, shapes = in.shapes.n;
    if (jaxpr_outs(r, body) != shapes + in.args.n)
        return rule_error(r, DIAG_T016, at_param(r, in.key), "the body of `%s` returns %u values, but the carry has %u",
                          format_prim(r), jaxpr_outs(r, body), shapes + in.args.n);
    if (r->n_results != jaxpr_outs(r, body))
        return bind_outs(r, body, in.key);
    return shapes_return(r, body, k, 0, shapes) && shapes_return(r, body, k + shapes + 1, shapes, in.args.n) &&
           loop_results(r, body, k, 0, shapes) && loop_results(r, body, k + shapes + 1, shapes, in.args.n);
}

bool
shape_for_loop(struct rule *r, struct aval *out)
{
    jaxpr_t body = rule_jaxpr(r, "body_jaxpr");
    *out = aval_unknown();
    if (body != NONE)
        return for_of_catalyst(r, body);
    body = rule_jaxpr(r, "jaxpr_body_fn");
    return body != NONE ? for_of_pennylane(r, body)
                        : rule_trust(r, at_prim(), "the body of `%s` is not printed", format_prim(r));
}

static bool
while_of_catalyst(struct rule *r, jaxpr_t body, jaxpr_t cond)
{
    u32 body_consts = 0, cond_consts = 0;
    if (has_constants(r, body) || has_constants(r, cond))
        return false;
    if (!param_count(r, "body_nconsts", &body_consts) || !param_count(r, "cond_nconsts", &cond_consts)) {
        u32 gives = jaxpr_outs(r, body), takes = jaxpr_ins(r, body), tests = jaxpr_ins(r, cond);
        struct region_map map = {0};
        if (r->failed || !uncounted(r, body, takes + (tests > gives ? tests - gives : 0), &map))
            return false;
        body_consts = map.body_carry;
        cond_consts = map.carry - map.body_carry;
    }
    u32 consts = body_consts + cond_consts, carry = r->n - consts;
    if (consts > r->n || jaxpr_ins(r, body) != body_consts + carry || jaxpr_ins(r, cond) != cond_consts + carry)
        return rule_error(r, DIAG_T018, at_param(r, "body_nconsts"),
                          "`%s` has %u operands, of which %u are constants of its condition and %u of its body; the "
                          "condition takes %u values, the body %u",
                          format_prim(r), r->n, cond_consts, body_consts, jaxpr_ins(r, cond), jaxpr_ins(r, body));
    return bind_operands(r, AS_JAX, cond, 0, 0, cond_consts) &&
           bind_operands(r, AS_JAX, body, 0, cond_consts, body_consts) &&
           bind_operands(r, AS_JAX, cond, cond_consts, consts, carry) &&
           bind_operands(r, AS_JAX, body, body_consts, consts, carry) &&
           carry_of(r, body, "body_jaxpr", body_consts, carry, true) && returns_bool(r, cond, "cond_jaxpr", false) &&
           bind_outs(r, body, "body_jaxpr");
}

static bool
while_of_pennylane(struct rule *r, jaxpr_t body, jaxpr_t cond)
{
    struct intake b = {.key = "jaxpr_body_fn"}, c = {.key = "jaxpr_cond_fn"};
    u32 nb = 0, nc = 0;
    if (param_count(r, "n_consts_body", &nb) && param_count(r, "n_consts_cond", &nc) && nb + nc <= r->n) {
        b.consts = (struct range){0, nb};
        c.consts = (struct range){nb, nc};
        b.args = (struct range){nb + nc, r->n - nb - nc};
    } else if (!param_range(r, "body_slice", r->n, &b.consts) || !param_range(r, "cond_slice", r->n, &c.consts) ||
               !param_range(r, "args_slice", r->n, &b.args)) {
        return !r->failed && rule_trust(r, at_prim(), "the operand layout of `%s` is not printed", format_prim(r));
    }
    c.args = b.args;
    return bind_intake(r, body, &b, 0) && bind_intake(r, cond, &c, 0) &&
           carry_of(r, body, b.key, b.consts.n, b.args.n, false) && returns_bool(r, cond, c.key, false) &&
           (r->n_results == b.args.n ? loop_results(r, body, b.consts.n, 0, b.args.n) : bind_outs(r, body, b.key));
}

bool
shape_while_loop(struct rule *r, struct aval *out)
{
    jaxpr_t body = rule_jaxpr(r, "body_jaxpr"), cond = rule_jaxpr(r, "cond_jaxpr");
    *out = aval_unknown();
    if (body != NONE && cond != NONE)
        return while_of_catalyst(r, body, cond);
    body = rule_jaxpr(r, "jaxpr_body_fn");
    cond = rule_jaxpr(r, "jaxpr_cond_fn");
    return body != NONE && cond != NONE ? while_of_pennylane(r, body, cond)
                                        : rule_trust(r, at_prim(), "the body of `%s` is not printed", format_prim(r));
}

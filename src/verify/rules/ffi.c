/* SPDX-License-Identifier: Apache-2.0
 *
 * ffi_call: the layouts of its operands and results, and the operands whose memory its results use (jax/_src/ffi.py:
 * ffi_call, which checks them as a program is traced, and ffi_lowering). Linear in operands, results and ranks. */
#include "verify/axes.h"
#include "verify/call_check.h"

/* adds a note where an array that has a layout is bound */
static bool
note_array(struct rule *r, u32 i, bool operand)
{
    return operand ? rule_note_operand(r, i) : i < r->n_results && rule_note_result(r, i);
}

/* checks that a layout orders the axes of an array: `(1, 0)`; `None` and objects are not compared. Another number of
 * axes is a warning, as vmap up to 0.6 did not change layouts */
static bool
layout_fits(struct rule *r, const char *key, u32 i, struct slice layout, const struct aval *a, const char *name)
{
    bool operand = a == &r->in[i];
    struct ints axes;
    if (a->kind != AVAL_ARRAY || !a->ranked || a->classes & (IN_KEY | IN_FLOAT0))
        return true;
    if (!read_ints(r, layout, &axes)) {
        if (slice_eq(layout, SLICE("None")) || slice_contains(layout, SLICE("Layout")))
            return true;
        return rule_stricter(r, DIAG_T010, at_item(r, key, i),
                             "the layout of `%s` in `%s` of `%s` must be a tuple of axes, got `%s`", name, key,
                             format_prim(r), format_slice(r, layout));
    }
    if (axes.n != a->rank)
        return rule_warning(r, DIAG_T009, at_item(r, key, i),
                            "the layout of `%s` in `%s` of `%s` has %s, but `%s` is %s", name, key, format_prim(r),
                            format_count(r, axes.n, "axis", "axes"), name, format_aval(r, a)) &&
               !note_array(r, i, operand);
    u8 *seen = axis_marks(r, a->rank);
    for (u32 k = 0; k < axes.n; k++) {
        i64 axis = axes.at[k];
        if (axis < 0 || axis >= a->rank || seen[axis])
            return rule_stricter(r, DIAG_T009, at_item(r, key, i),
                                 "the layout of `%s` in `%s` of `%s` must contain each axis once, got %s: `%s` is %s",
                                 name, key, format_prim(r), format_slice(r, layout), name, format_aval(r, a)) ||
                   note_array(r, i, operand);
        seen[axis] = 1;
    }
    return true;
}

/* checks that there is a layout for each of n arrays, operands or results */
static bool
layouts_fit(struct rule *r, const char *key, const struct aval *arrays, u32 n, bool operands)
{
    struct slice text, layout;
    u32 count, i = 0;
    if (!param_text(r, key, &text) || !value_count(text, &count))
        return true;
    if (!bind_entries(r, STRICTER, key, count, n, operands ? "operand" : "result"))
        return false;
    for (struct cursor c = cursor_inside(text); i < n && value_element(&c, &layout); i++)
        if (!layout_fits(r, key, i, layout, &arrays[i],
                         operands           ? format_operand(r, i)
                         : i < r->n_results ? format_result(r, i)
                                            : "a result"))
            return false;
    return true;
}

static bool
aliases_fit(struct rule *r, const char *list, const struct avals *types)
{
    struct slice text, pair;
    struct ints ends;
    u32 i = 0;
    if (!param_text(r, "input_output_aliases", &text))
        return true;
    for (struct cursor c = cursor_inside(text); value_element(&c, &pair) && read_ints(r, pair, &ends) && ends.n == 2;
         i++)
        if (!alias_fits(r, &(struct alias){i, ends.at[0], ends.at[1]}, 0, list, types))
            return false;
    return true;
}

/* checks that attributes are used only from version 4 of the API on, and a configuration only below it */
static bool
version_fits(struct rule *r)
{
    i64 version;
    struct slice text;
    if (!param_int(r, "custom_call_api_version", &version))
        return true;
    const char *key = version < 4 ? "attributes" : "legacy_backend_config";
    bool given = param_text(r, key, &text) && !slice_eq(text, SLICE("()")) && !slice_eq(text, SLICE("None"));
    return !given ||
           rule_stricter(r, DIAG_T010, at_param(r, key), "`%s` of `%s` requires `custom_call_api_version` %s, got %lld",
                         key, format_prim(r), version < 4 ? "4 or above" : "below 4", (long long)version) ||
           rule_note(r, at_param(r, "custom_call_api_version"), "the version is set here");
}

bool
shape_ffi_call(struct rule *r, struct aval *out)
{
    struct avals types;
    *out = aval_unknown();
    const char *key = listed_types(r, &types);
    if (!key)
        return shape_listed(r, out);
    return results_listed(r, key, &types) && layouts_fit(r, "input_layouts", r->in, r->n, true) &&
           layouts_fit(r, "output_layouts", types.at, types.n, false) && aliases_fit(r, key, &types) && version_fits(r);
}

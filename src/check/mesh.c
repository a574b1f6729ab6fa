/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads `Mesh('i': 4, 'j': 2, axis_types=(Auto, Auto))` and finds who binds an axis. Linear in the axes of a mesh. */
#include "check/mesh.h"

bool
mesh_find(struct slice mesh, struct slice name, struct mesh_axis *axis)
{
    const char *open = memchr(mesh.at, '(', mesh.n);
    struct cursor c = {open ? open : mesh.at, mesh.at + mesh.n};
    struct slice element, types, type = {"", 0};
    u32 index = 0;
    bool found = false;
    for (value_open(&c); !found && value_element(&c, &element); value_comma(&c), index += !found) {
        if (element.n < name.n + 3 || element.at[0] != '\'' || memcmp(element.at + 1, name.at, name.n) != 0 ||
            element.at[name.n + 1] != '\'' || element.at[name.n + 2] != ':')
            continue;
        struct cursor at = {element.at + name.n + 3, element.at + element.n};
        found = value_int(&at, &axis->size) && axis->size > 0;
    }
    axis->manual = false;
    if (!found || !value_field(mesh, "axis_types", &types))
        return found;
    c = cursor_of(types);
    value_open(&c);
    for (u32 i = 0; i <= index && value_element(&c, &type); i++)
        value_comma(&c);
    axis->manual = slice_eq(type, SLICE("Manual"));
    return true;
}

/* steps from an equation out to the one that holds its program; false at the outermost */
static bool
step_out(struct rule *around)
{
    jaxpr_t j = rule_home(around);
    around->e = j == NONE ? NONE : around->m->jaxprs.at[j].parent;
    if (around->e == NONE)
        return false;
    around->eqn = &around->m->eqns.at[around->e];
    return true;
}

i64
rule_axis_size(struct rule *r, struct slice name)
{
    struct rule around = *r;
    struct mesh_axis axis;
    struct slice text;
    i64 size;
    r->wide = true;
    while (step_out(&around)) {
        if (param_text(&around, "mesh", &text) && mesh_find(text, name, &axis))
            return axis.size;
        if (param_text(&around, "axis_name", &text) && slice_eq(text, name) && param_int(&around, "axis_size", &size) &&
            rule_param(&around, "call_jaxpr") != NONE)
            return size;
    }
    return 0;
}

bool
rule_varying_checked(struct rule *r)
{
    struct rule around = *r;
    bool checked = false;
    r->wide = true;
    while (step_out(&around))
        if (param_bool(&around, "check_vma", &checked))
            return checked;
    return false;
}

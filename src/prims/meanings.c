/* SPDX-License-Identifier: Apache-2.0
 *
 * grammar/meanings.def: one-line descriptions of primitives and parameters. A linear search, as it is rarely used. */
#include "prims/prims.h"

struct meaning {
    const char *name, *key, *what;
};

static const struct meaning meanings[] = {
#define MEANING(name, what) {name, NULL, what},
#define PARAMETER(name, key, what) {name, key, what},
#include "meanings.def"
#undef MEANING
#undef PARAMETER
};

/* what messages call the values of a role */
static const char *
role_text(struct slice role)
{
    static const struct {
        const char *name, *what;
    } roles[] = {
#define ROLE(name, what) {#name, what},
        PARAM_ROLES(ROLE)
#undef ROLE
    };
    for (u32 i = 0; i < countof(roles); i++)
        if (slice_eq(role, slice_of(roles[i].name)))
            return roles[i].what;
    return "";
}

const char *
prim_meaning(const char *name)
{
    for (u32 i = 0; i < countof(meanings); i++)
        if (meanings[i].key == NULL && strcmp(meanings[i].name, name) == 0)
            return meanings[i].what;
    return "";
}

const char *
prim_param_meaning(const struct prim *p, struct slice key)
{
    const char *what = NULL;
    for (u32 i = 0; i < countof(meanings); i++) {
        const struct meaning *m = &meanings[i];
        if (m->key == NULL || !slice_eq(key, slice_of(m->key)))
            continue;
        if (p != NULL && strcmp(m->name, p->name) == 0)
            return m->what;
        if (m->name[0] == 0)
            what = m->what;
    }
    return what != NULL ? what : p != NULL ? role_text(prim_role(p, key)) : "";
}

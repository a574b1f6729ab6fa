/* SPDX-License-Identifier: Apache-2.0
 *
 * Validates a tree by the tables of config.def: each map's keys are looked up in its section, each value is checked
 * by its kind. Nested maps are put in a list, so that nothing recurses. Linear in the tree, in which an alias counts
 * as a copy of its anchor; at most three levels are read. */
#include "contract/config.h"

#include "base/near.h"
#include "contract/validate.h"
#include "lint/select.h"

static const char *const section_names[] = {
#define SECTION(id, what) what,
#include "config.def"
#undef SECTION
};

enum kind {
    ONE,
    MANY,
    GLOBS,
    RULES,
    LEVELS,
    SETTINGS,
    NAME,
    INDEX,
    PRIMS,
    COUNTS,
    SIZE,
    BYTES,
    SHAPES,
    DTYPES,
    TYPES,
    DIGEST
};

static const struct key_row {
    const char *name;
    u8 section, kind, of;
} keys[] = {
#define KEY(section, key, kind, of, help) {#key, SECTION_##section, kind, SECTION_##of},
#include "config.def"
#undef KEY
};

/* A map still to be read, and the owner of its values. */
struct waiting {
    u32 node;
    u8 section;
    u32 index; /* into contracts or overrides; NONE: the top level */
};

struct config_reader {
    struct validator validator;
    struct config *c;
    struct mem *mem;
    VEC(struct waiting) waiting;
};

static struct config_map *
map_of(struct config *c, u8 section, u32 index)
{
    if (section == SECTION_top)
        return &c->top;
    return section == SECTION_override ? &c->overrides.at[index] : &c->contracts.at[index];
}

/* the keys of a section as a list for a message */
static const char *
list_keys(struct config_reader *r, u8 section)
{
    struct slice list = {"", 0};
    for (u32 i = 0; i < countof(keys); i++)
        if (keys[i].section == section)
            list = arena_printf(r->mem, "%s%s`%s`", list.at, list.n ? ", " : "", keys[i].name);
    return list.at;
}

/* true if a value is a map; reports other values */
static bool
is_map(struct config_reader *r, u32 node, const struct key_row *row)
{
    if (config_node(r->c, node)->kind == TREE_MAP)
        return true;
    const char *list = list_keys(r, row->of);
    validate_kind(&r->validator, node, slice_of(row->name),
                  arena_printf(r->mem,
                               strchr(list, ',') ? "a map with one or more of the keys %s" : "a map with the key %s",
                               list)
                      .at);
    return false;
}

static void
wait_for(struct config_reader *r, u32 node, u8 section, u32 index)
{
    *vec_push(r->mem, &r->waiting) = (struct waiting){node, section, index};
}

static void
start_map(struct config_map *map, u32 node)
{
    map->node = node;
    for (u32 i = 0; i < KEY_COUNT; i++)
        map->value[i] = NONE;
}

/* a list of maps, each of which gets a record */
static void
read_many(struct config_reader *r, const struct key_row *row, u32 value)
{
    const struct tree_node *list = config_node(r->c, value);
    if (list->kind != TREE_LIST) {
        validate_kind(&r->validator, value, slice_of(row->name), "a list whose items begin with `-`");
        return;
    }
    for (u32 i = 0; i < list->count; i++) {
        u32 item = tree_item(&r->c->tree, value, i);
        if (config_node(r->c, item)->kind != TREE_MAP) {
            validate_item_kind(&r->validator, item, slice_of(row->name), "maps");
            continue;
        }
        struct config_map *map =
            row->of == SECTION_override ? vec_push(r->mem, &r->c->overrides) : vec_push(r->mem, &r->c->contracts);
        start_map(map, item);
        wait_for(r, item, row->of, (row->of == SECTION_override ? r->c->overrides.n : r->c->contracts.n) - 1);
    }
}

/* the row of a key in a section, or NULL after a report */
static const struct key_row *
find_key(struct config_reader *r, const struct tree_node *key, u8 section)
{
    const char *nearest = NULL;
    u32 least = 0;
    for (u32 i = 0; i < countof(keys); i++) {
        if (keys[i].section != section)
            continue;
        if (slice_eq(slice_of(keys[i].name), key->word))
            return &keys[i];
        if (word_nearer(key->word, slice_of(keys[i].name), &least))
            nearest = keys[i].name;
    }
    struct diags *ds = r->validator.ds;
    diag_add(ds, DIAG_K821, key->at, key->n, "unknown key `%s` in %s", diag_quote(ds, key->word),
             section_names[section]);
    if (nearest)
        diag_note(ds, NONE, 0, "did you mean `%s`?", nearest);
    else
        diag_note(ds, NONE, 0, "known keys: %s", list_keys(r, section));
    return NULL;
}

static void
read_value(struct config_reader *r, const struct key_row *row, u32 value, u32 index)
{
    static void (*const validators[])(struct validator *, u32, struct slice) = {
        [GLOBS] = validate_globs,       [RULES] = validate_rules,   [LEVELS] = validate_levels,
        [SETTINGS] = validate_settings, [NAME] = validate_name,     [INDEX] = validate_index,
        [PRIMS] = validate_prims,       [COUNTS] = validate_counts, [SIZE] = validate_size,
        [BYTES] = validate_bytes,       [SHAPES] = validate_shapes, [DTYPES] = validate_dtypes,
        [TYPES] = validate_types,       [DIGEST] = validate_digest,
    };
    if (row->kind == MANY)
        read_many(r, row, value);
    else if (row->kind != ONE)
        validators[row->kind](&r->validator, value, slice_of(row->name));
    else if (is_map(r, value, row))
        wait_for(r, value, row->of, index);
}

static void
read_map(struct config_reader *r, struct waiting w)
{
    const struct tree *t = &r->c->tree;
    u32 n = t->nodes.at[w.node].count / 2;
    for (u32 i = 0; i < n; i++) {
        const struct tree_node *key = &t->nodes.at[tree_key(t, w.node, i)];
        const struct key_row *row = find_key(r, key, w.section);
        if (!row)
            continue;
        u32 value = tree_value(t, w.node, i);
        map_of(r->c, w.section, w.index)->value[row - keys] = value;
        read_value(r, row, value, w.index);
    }
    if (w.section == SECTION_override && map_of(r->c, w.section, w.index)->value[KEY_override_files] == NONE)
        diag_add(r->validator.ds, DIAG_K821, t->nodes.at[w.node].at, 0, "an override must have the key `files`");
}

void
config_read(struct config *c, struct mem *m, struct text *text, struct tree_source *source, struct diags *ds)
{
    *c = (struct config){.text = text};
    start_map(&c->top, NONE);
    struct config_reader r = {.c = c, .mem = m};
    if (tree_read(&c->tree, m, text, source, ds) && c->tree.root != NONE) {
        const struct tree_node *root = &c->tree.nodes.at[c->tree.root];
        validator_start(&r.validator, c, ds);
        c->top.node = c->tree.root;
        if (root->kind == TREE_MAP)
            wait_for(&r, c->tree.root, SECTION_top, NONE);
        else if (root->kind == TREE_LIST || root->quoted || root->word.n > 0)
            diag_add(ds, DIAG_K822, root->at, 0,
                     "the configuration must be a map with keys such as `contracts`, but it is %s",
                     validator_kind_word(&r.validator, root));
        while (r.waiting.n > 0)
            read_map(&r, r.waiting.at[--r.waiting.n]);
    }
    vec_free(m, &r.waiting);
    if (ds->errors == 0)
        config_relevel(c, ds, DIAG_K811);
    c->state = arena_alloc(m, c->contracts.n + 1);
    memset((void *)c->state, 0, c->contracts.n + 1);
    diags_sort(ds);
    c->broken = ds->errors > 0;
    text_position(m, text, 0); /* builds the index of lines now: threads share the text */
}

/* ---- reading a configuration ---- */

u32
config_count(const struct config *c, u32 value)
{
    if (value == NONE)
        return 0;
    const struct tree_node *node = config_node(c, value);
    return node->kind == TREE_LIST ? node->count : 1;
}

u32
config_word(const struct config *c, u32 value, u32 i)
{
    return config_node(c, value)->kind == TREE_LIST ? tree_item(&c->tree, value, i) : value;
}

bool
config_for_path(const struct config *c, u32 files, struct slice path)
{
    if (files == NONE)
        return true;
    struct slice base = path;
    for (size_t i = path.n; i > 0 && base.n == path.n; i--)
        if (path.at[i - 1] == '/')
            base = (struct slice){path.at + i, path.n - i};
    for (u32 i = 0; i < config_count(c, files); i++) {
        struct slice glob = config_node(c, config_word(c, files, i))->word;
        bool whole = memchr(glob.at, '/', glob.n) != NULL;
        if (slice_starts(glob, SLICE("./")))
            glob = (struct slice){glob.at + 2, glob.n - 2};
        if (glob_match(glob, whole ? path : base, true))
            return true;
    }
    return false;
}

/* appends the words of a value to a list of slices */
#define APPEND_WORDS(c, mem, list, value) \
    do { \
        for (u32 word_ = 0; word_ < config_count(c, value); word_++) \
            *vec_push(mem, list) = config_node(c, config_word(c, value, word_))->word; \
    } while (0)

/* the rule settings of one map; the keys of the top level are in the same order as those of an override */
static void
add_rules(const struct config *c, const u32 *value, struct mem *m, struct config_rules *out)
{
    const struct tree *t = &c->tree;
    if (value[0] != NONE) {
        out->has_select = true;
        out->select.n = out->extend_select.n = out->ignore.n = 0;
    }
    APPEND_WORDS(c, m, &out->select, value[0]);
    APPEND_WORDS(c, m, &out->extend_select, value[1]);
    APPEND_WORDS(c, m, &out->ignore, value[2]);
    for (u32 i = 0; value[3] != NONE && i < config_node(c, value[3])->count / 2; i++) {
        enum diag_level level;
        validate_level(t->nodes.at[tree_value(t, value[3], i)].word, &level);
        *vec_push(m, &out->levels) = (struct rule_level){t->nodes.at[tree_key(t, value[3], i)].word, level};
    }
    for (u32 i = 0; value[4] != NONE && i < config_node(c, value[4])->count / 2; i++) {
        u32 settings = tree_value(t, value[4], i);
        struct slice rule = t->nodes.at[tree_key(t, value[4], i)].word;
        for (u32 k = 0; k < t->nodes.at[settings].count / 2; k++)
            *vec_push(m, &out->settings) = (struct config_setting){rule, t->nodes.at[tree_key(t, settings, k)].word,
                                                                   t->nodes.at[tree_value(t, settings, k)].word};
    }
}

_Static_assert(KEY_top_rules - KEY_top_select == 4 && KEY_override_rules - KEY_override_select == 4, "see add_rules");

void
config_rules(const struct config *c, struct slice path, struct mem *m, struct config_rules *out)
{
    memset(out, 0, sizeof *out);
    add_rules(c, c->top.value + KEY_top_select, m, out);
    for (u32 i = 0; i < c->overrides.n; i++)
        if (config_for_path(c, c->overrides.at[i].value[KEY_override_files], path))
            add_rules(c, c->overrides.at[i].value + KEY_override_select, m, out);
}

u8
config_level(const struct config_rules *rules, enum diag_code code)
{
    u8 level = (u8)diag_info(code).level;
    for (u32 i = 0; i < rules->levels.n; i++)
        if (lint_selector_names(rules->levels.at[i].rule, code))
            level = (u8)rules->levels.at[i].level;
    for (u32 i = 0; i < rules->ignore.n; i++)
        if (lint_selector_names(rules->ignore.at[i], code))
            return CONFIG_IGNORED;
    return level;
}

static bool
has_code(const struct diag *d, u32 i, const void *code)
{
    (void)i;
    return d->code == *(const enum diag_code *)code;
}

void
config_relevel(const struct config *c, struct diags *ds, enum diag_code code)
{
    struct config_rules rules = {.has_select = false};
    add_rules(c, c->top.value + KEY_top_select, ds->mem, &rules);
    u8 level = config_level(&rules, code);
    if (level == CONFIG_IGNORED)
        diags_drop(ds, has_code, &code);
    else
        diags_relevel(ds, code, (enum diag_level)level);
    config_rules_free(ds->mem, &rules);
}

void
config_rules_free(struct mem *m, struct config_rules *rules)
{
    mem_free_all(m, rules->select.at, rules->extend_select.at, rules->ignore.at, rules->levels.at, rules->settings.at);
}

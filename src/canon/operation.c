/* SPDX-License-Identifier: Apache-2.0
 *
 * The canonical bytes of equations without their operands. Most equations of a program repeat one of a few combinations
 * of primitive, types and parameter list, byte for byte: their canonical bytes are copied. A table has one operation in
 * each slot, whose memory is reused; a look-up is linear in the bytes of the list. */
#include "canon/canon.h"

#include "base/chars.h"

enum { LEAST_BITS = 4, MOST_BITS = 11, MOST_ITEMS = 16, LONGEST_LIST = 1024 };

/* A parameter in its list: its key and the location of its text. */
struct item {
    u32 key, kind, at, n;
};

/* An operation seen before; memory contains its items, the bytes of its list, and its canonical bytes. */
struct canon_operation {
    u64 hash; /* of the key; 0: free */
    name_t prim;
    type_t type;
    u32 n_atoms, operands[2]; /* the default values of parameters may depend on these */
    u32 n_items, n_list, n_bytes, room;
    bool written;   /* it has canonical bytes */
    u32 settled;    /* the round of canon_record_normal in which .. */
    param_t normal; /* .. this was recorded as its parameter list in normal form */
    char *memory;
};

/* the key of an operation. It has copies of lists, not references that ir/identity.h could compare: normal form
 * replaces the lists of the module */
struct key {
    struct canon_operation o; /* everything except memory and the fields for canonical bytes */
    struct slice list;
    struct item items[MOST_ITEMS];
};

void
canon_operations_init(struct canon *c)
{
    u32 bits = LEAST_BITS;
    while (bits < MOST_BITS && c->m->eqns.n >> bits)
        bits++;
    c->operations = mem_zeroed(c->m->mem, sizeof *c->operations << bits);
    c->operations_shift = 64 - bits;
}

void
canon_operations_end(struct canon *c)
{
    for (u32 i = 0; i < 1u << (64 - c->operations_shift); i++)
        mem_free(c->m->mem, c->operations[i].memory);
    mem_free(c->m->mem, c->operations);
}

/* reads a list of parameters that are all plain text; false otherwise */
static bool
read_list(const struct module *m, param_t first, struct key *k)
{
    u32 base = m->params.at[first].span.at, end = base;
    u64 hash = k->o.hash;
    for (param_t p = first; p != NONE; p = m->params.at[p].next) {
        const struct param *q = &m->params.at[p];
        if ((q->kind != PARAM_TEXT && q->kind != PARAM_TUPLE) || q->a != NONE || q->span.at < end ||
            k->o.n_items == MOST_ITEMS)
            return false;
        end = q->span.at + q->span.n;
        k->items[k->o.n_items++] = (struct item){q->key, q->kind, q->span.at - base, q->span.n};
        hash = hash_number(hash, (u64)q->key << 32 | q->span.n);
    }
    if (end - base > LONGEST_LIST || (base < m->text.n && end > m->text.n))
        return false;
    k->list = module_bytes(m, (struct span){base, end - base});
    k->o.n_list = end - base;
    k->o.hash = hash_bytes(hash, k->list.at, k->list.n);
    return true;
}

/* the part of an operand that matters: its kind and type */
static u32
operand_of(const struct module *m, const struct eqn *e, u32 i)
{
    atom_t a = i < e->n_atoms ? m->atoms.at[e->atoms + i] : ATOM_NAME;
    return atom_make(atom_kind(a), atom_type(m, a) & NAME_MASK);
}

/* makes the key of an equation; false if its canonical bytes also depend on something else */
static bool
read_key(struct canon *c, eqn_t id, struct key *k)
{
    const struct module *m = c->m;
    const struct eqn *e = &m->eqns.at[id];
    type_t type = e->n_vars == 1 ? m->vars.at[e->vars].type : NONE;
    if (m->no_fast_path || c->seen.n > 0 || e->form > EQN_CALL_BARE || !canon_is_constant(c, type))
        return false;
    k->list = (struct slice){"", 0};
    k->o = (struct canon_operation){.prim = e->prim, .type = type};
    k->o.hash = hash_number((u64)e->prim << 32 | type, e->n_atoms);
    if (e->params != NONE) {
        const struct prim *row = prims_find(&c->prims, m, e->prim);
        if (row != NULL && row->is.control)
            return false;
        k->o.n_atoms = e->n_atoms;
        k->o.operands[0] = operand_of(m, e, 0);
        k->o.operands[1] = operand_of(m, e, 1);
        k->o.hash = hash_number(k->o.hash, (u64)k->o.operands[0] << 32 | k->o.operands[1]);
        if (!read_list(m, e->params, k))
            return false;
    }
    k->o.hash |= 1;
    return true;
}

static inline struct canon_operation *
slot_of(const struct canon *c, const struct key *k)
{
    return &c->operations[k->o.hash >> c->operations_shift];
}

static inline bool
holds(const struct canon_operation *o, const struct key *k)
{
    size_t items = k->o.n_items * sizeof *k->items;
    return o->hash == k->o.hash && o->prim == k->o.prim && o->type == k->o.type && o->n_atoms == k->o.n_atoms &&
           o->operands[0] == k->o.operands[0] && o->operands[1] == k->o.operands[1] && o->n_items == k->o.n_items &&
           o->n_list == k->o.n_list &&
           (items == 0 ||
            (memcmp(o->memory, k->items, items) == 0 && memcmp(o->memory + items, k->list.at, k->list.n) == 0));
}

static struct slice
bytes_of(const struct canon_operation *o)
{
    return (struct slice){o->memory + o->n_items * sizeof(struct item) + o->n_list, o->n_bytes};
}

static void
remember(struct canon *c, struct canon_operation *o, const struct key *k, struct slice bytes, bool written)
{
    size_t items = k->o.n_items * sizeof *k->items, size = items + k->list.n + bytes.n;
    char *memory = o->memory;
    u32 room = o->room;
    if (size > room) {
        mem_free(c->m->mem, memory);
        room = (u32)size;
        memory = mem_alloc(c->m->mem, size);
    }
    *o = k->o;
    o->memory = memory;
    o->room = room;
    o->n_bytes = (u32)bytes.n;
    o->written = written;
    memcpy(memory, k->items, items);
    memcpy(memory + items, k->list.at, k->list.n);
    memcpy(memory + items + k->list.n, bytes.at, bytes.n);
}

/* the text of an equation with special syntax, without names: `mask=`, `(p0)`, `->` */
static void
write_skeleton(struct canon *c, struct sink *out, const struct eqn *e)
{
    struct slice s = module_bytes(c->m, c->m->params.at[e->params].span);
    bool raw = e->form == EQN_RAW, operands = false; /* variables are numbered after the primitive's own brackets */
    u32 depth = 0, words = 0;
    bool named = false; /* a word is an operand, `user_predicate=b` */
    for (size_t i = 0; i < s.n;) {
        operands |= depth == 0 && s.at[i] == ' ' && words > 0;
        depth = bracket_depth(depth, s.at[i]);
        if (!is_word_char(s.at[i])) {
            if (raw && (s.at[i] == '>' || s.at[i] == '@' || (depth && s.at[i] == '=')))
                sink_char(out, s.at[i]);
            i++;
            continue;
        }
        size_t word = i;
        i = word_until(s, i);
        bool keyword = i < s.n && s.at[i] == '=', opening = i < s.n && s.at[i] == '(';
        words++;
        if (keyword || (raw && !named && (opening || (depth && !operands))))
            sink_printf(out, " %.*s", (int)(i - word), s.at + word);
        named = keyword && slice_eq((struct slice){s.at + word, i - word}, SLICE("user_predicate"));
    }
}

static bool
is_swap(const struct eqn *e)
{
    return e->form == EQN_STORE || e->form == EQN_SWAP;
}

static void
write_operation(struct canon *c, struct sink *out, eqn_t id)
{
    const struct eqn e = c->m->eqns.at[id];
    struct name_buffer buffer;
    sink_slice(out, canon_prim(c, e.prim, &buffer));
    if (e.form > EQN_CALL_BARE && e.params != NONE)
        write_skeleton(c, out, &e);
    else
        canon_params(c, out, id);
    for (u32 i = 0; i < e.n_vars; i++) {
        if (is_swap(&e) && swap_has_type(c->m, &e, c->m->vars.at[e.vars + i].type))
            continue;
        sink_char(out, ' ');
        canon_type(c, out, c->m->vars.at[e.vars + i].type);
    }
    u32 seen = (u32)memo_get(&c->seen, id);
    if (seen > 0)
        sink_printf(out, " after %u", seen);
}

void
canon_operation(struct canon *c, struct sink *out, eqn_t id)
{
    struct key k;
    if (!read_key(c, id, &k)) {
        write_operation(c, out, id);
        return;
    }
    struct canon_operation *o = slot_of(c, &k);
    if (likely(o->written && holds(o, &k))) {
        sink_slice(out, bytes_of(o));
        return;
    }
    size_t from = out->n;
    c->own_program = false;
    write_operation(c, out, id);
    if (!c->own_program || c->m->programs.n == 1)
        remember(c, o, &k, (struct slice){out->at + from, out->n - from}, true);
}

bool
canon_recall_normal(struct canon *c, eqn_t id, u32 round, struct canon_operation **slot)
{
    struct module *m = c->m;
    struct key k;
    struct canon_operation *o = *slot = read_key(c, id, &k) ? slot_of(c, &k) : NULL;
    if (o == NULL)
        return false;
    if (!holds(o, &k))
        remember(c, o, &k, (struct slice){"", 0}, false);
    if (o->settled != round)
        return false;
    param_t *to = &m->eqns.at[id].params;
    for (param_t from = o->normal; from != NONE; from = m->params.at[from].next) {
        param_t after = m->params.at[*to].next;
        m->params.at[*to] = m->params.at[from];
        m->params.at[*to].next = after;
        to = &m->params.at[*to].next;
    }
    *to = NONE;
    return true;
}

void
canon_record_normal(const struct canon *c, struct canon_operation *slot, u32 round, param_t normal)
{
    u32 n = 0;
    for (param_t p = normal; p != NONE; p = c->m->params.at[p].next)
        n++;
    if (slot == NULL || n > slot->n_items)
        return;
    slot->settled = round;
    slot->normal = normal;
}

u64
canon_operation_hash(struct canon *c, eqn_t id)
{
    enum { SEED = 7 };
    size_t from = c->scratch.n;
    canon_operation(c, &c->scratch, id);
    struct slice text = canon_cut(c, from);
    return hash_bytes(SEED, text.at, text.n);
}

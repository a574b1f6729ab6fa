/* SPDX-License-Identifier: Apache-2.0
 *
 * A key of a finding that does not change if lines are added elsewhere in its file, so that services can distinguish
 * old findings from new ones: a hash of its code and the text around it, not of its line. O(1) for each finding. */
#include "diag/render.h"

#include "base/names.h"

/* how many bytes on each side of a finding its fingerprint uses */
enum { AROUND = 64 };

/* part of every fingerprint; changing it also requires a new SARIF key, `jaxprFinding/v1` */
static const u64 fingerprint_seed = 0x6a61787072763031u;

/* the slot that contains the fingerprint, or the empty one for it */
static u32
slot_of(const struct fingerprints *f, const struct mem *m, u64 print)
{
    u32 at = (u32)hash_bytes(m->secret, (const char *)&print, sizeof print) & f->mask;
    while (f->times[at] && f->seen[at] != print)
        at = (at + 1) & f->mask;
    return at;
}

static void
grow(struct fingerprints *f, struct mem *m)
{
    struct fingerprints old = *f;
    u32 size = old.seen ? (old.mask + 1) * 2 : 64;
    f->mask = size - 1;
    f->seen = mem_alloc(m, size * sizeof *f->seen);
    f->times = mem_zeroed(m, size * sizeof *f->times);
    for (u32 i = 0; old.seen && i <= old.mask; i++) {
        if (old.times[i] == 0)
            continue;
        u32 at = slot_of(f, m, old.seen[i]);
        f->seen[at] = old.seen[i];
        f->times[at] = old.times[i];
    }
    mem_free(m, old.seen);
    mem_free(m, old.times);
}

/* counts an occurrence of a fingerprint; returns how often it has occurred */
static u32
count(struct fingerprints *f, struct mem *m, u64 print)
{
    if (f->seen == NULL || f->n > f->mask / 2)
        grow(f, m);
    u32 at = slot_of(f, m, print);
    f->n += f->times[at] == 0;
    f->seen[at] = print;
    return ++f->times[at];
}

static u64
fingerprint(const struct findings *f)
{
    const struct diag *d = f->diag;
    const struct text *t = f->report->text;
    u64 print = hash_bytes(fingerprint_seed, diag_info(d->code).code, strlen(diag_info(d->code).code));
    if (!f->placed)
        return print;
    u32 from = f->place.line_start, to = f->place.line_end, at = d->at < to ? d->at : to;
    from = at - from > AROUND ? at - AROUND : from;
    to = to - at > AROUND ? at + AROUND : to;
    while (from < to && (t->at[from] == ' ' || t->at[from] == '\t'))
        from++;
    print = hash_bytes(print, t->at + from, to - from);
    return hash_bytes(print, t->at + at, at < to && d->n < to - at ? d->n : to - at);
}

void
write_fingerprint(const struct findings *f, struct slice salt)
{
    struct rendering *d = f->document;
    u64 print = fingerprint(f);
    if (salt.n)
        print = hash_slice(print, salt);
    /* equal fingerprints are numbered within a file, so that other files do not change the numbers */
    struct slice name = f->report->text->name;
    u32 times = count(&d->prints, d->mem, hash_slice(print, name));
    sink_printf(d->out, "%016llx:%u", (unsigned long long)print, times);
}

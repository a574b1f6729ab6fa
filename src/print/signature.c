/* SPDX-License-Identifier: Apache-2.0
 *
 * Signatures as Python tuples and as JSON arrays. Linear. */
#include "print/signature.h"

static void
write_text(struct sink *out, const char *text)
{
    sink_write(out, text, strlen(text));
}

void
signature_write(struct sink *out, const struct module *m, const struct sig_entry *entries, u32 n)
{
    static const char *const flags[] = {
        [SIG_IMPLICIT] = ",False)", [SIG_EXPLICIT] = ",True)", [SIG_CONSTANT] = ",const)"};
    sink_char(out, '(');
    for (u32 i = 0; i < n; i++) {
        write_text(out, i ? ",(" : "(");
        sink_slice(out, entries[i].type == NONE ? SLICE("?") : type_get(&m->types, entries[i].type)->text);
        write_text(out, flags[entries[i].flag]);
    }
    /* a tuple of one */
    write_text(out, n == 1 ? ",)" : ")");
}

bool
signature_is_plain(const struct module *m, const struct sig_entry *entries, u32 n)
{
    for (u32 i = 0; i < n; i++) {
        const struct type *t = type_array(m, entries[i].type);
        if (entries[i].flag != SIG_EXPLICIT || (t && t->dynamic))
            return false;
    }
    return true;
}

void
signature_write_types(struct sink *out, const struct module *m, const struct sig_entry *entries, u32 n, bool results)
{
    bool alone = results && n == 1;
    write_text(out, alone ? "" : "(");
    for (u32 i = 0; i < n; i++) {
        write_text(out, i ? ", " : "");
        sink_slice(out, entries[i].type == NONE ? SLICE("?") : type_get(&m->types, entries[i].type)->text);
    }
    write_text(out, alone ? "" : ")");
    write_text(out, results ? "" : " -> ");
}

void
signature_write_json(struct sink *out, const struct module *m, const struct sig_entry *entries, u32 n)
{
    static const char *const flags[] = {
        [SIG_IMPLICIT] = "false]", [SIG_EXPLICIT] = "true]", [SIG_CONSTANT] = "\"const\"]"};
    sink_char(out, '[');
    for (u32 i = 0; i < n; i++) {
        write_text(out, i ? ", [" : "[");
        if (entries[i].type == NONE)
            write_text(out, "null");
        else
            sink_json_string(out, type_get(&m->types, entries[i].type)->text);
        write_text(out, ", ");
        write_text(out, flags[entries[i].flag]);
    }
    sink_char(out, ']');
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * jaxpr explain: the page of a code of diagnostics.def, or the list of all codes. */
#include "command/command.h"

#include <string.h>

int
command_explain(const struct invocation *in)
{
    struct output *o = &standard_output;
    struct jx_code code;
    int status = EXIT_CLEAN;
    if (in->files == in->no_files) {
        for (uint32_t i = 0; jx_code_at(i, &code); i++)
            output_printf(o, "%s %-28s %s\n", code.code, code.name, code.title);
        return EXIT_CLEAN;
    }
    for (int i = 0; i < in->n_files; i++) {
        if (!jx_code_find(in->files[i], &code)) {
            complain("unknown code or name `%s`; `jaxpr explain` lists all codes", in->files[i]);
            status = EXIT_TROUBLE;
            continue;
        }
        output_printf(o, "%s%s %s (%s): %s\n\n%s", i > 0 ? "\n" : "", code.code, code.name, level_name(code.level),
                      code.title, code.explain);
        if (code.explain[0] != 0 && code.explain[strlen(code.explain) - 1] != '\n')
            output_puts(o, "\n");
    }
    return status;
}

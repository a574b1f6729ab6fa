/* SPDX-License-Identifier: Apache-2.0
 *
 * Reports that this build has no `jaxpr lsp`, as it has no yajl, the JSON parser of the language server. */
#include "command/command.h"

int
command_lsp(const struct invocation *in)
{
    (void)in;
    complain("lsp: built without yajl, which is needed to read messages from editors");
    return EXIT_TROUBLE;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Reports that this build has no `jaxpr lsp`, because yajl, which parses JSON for the language server, was missing. */
#include "command/command.h"

int
command_lsp(const struct invocation *in)
{
    (void)in;
    complain("lsp: built without yajl, which is needed to read messages from editors");
    return EXIT_TROUBLE;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * In place of the language server in a program without yajl, which reads what editors send. */
#include "command/command.h"

int
command_lsp(const struct invocation *in)
{
    (void)in;
    complain("lsp: built without yajl, which reads what editors send");
    return EXIT_TROUBLE;
}

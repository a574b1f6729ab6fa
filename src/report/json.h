/* SPDX-License-Identifier: Apache-2.0
 *
 * The parsed program as JSON; man/jaxpr-json.5 is the reference of its fields. */
#ifndef JX_JSON_H
#define JX_JSON_H

#include "base/sink.h"
#include "ir/module.h"

/* writes each program of the stream as a JSON object on a line of its own, separated by `,`; unless `first`, a `,`
 * precedes the first one, too. Returns how many were written. Linear in the module */
u32 json_module(struct sink *out, struct module *m, bool first);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * A client that calls every function of the library, step by step, and continues whatever a call returns. Tests run it
 * while memory runs out, with modules that can no longer be used, and on several threads; tests/exercised.py reports
 * functions that it does not call. */
#ifndef TOUR_H
#define TOUR_H

#include "jaxpr.h"

/* The results of the tour go to `write`, so that two tours can be compared. */
struct tour {
    jx_context *context;
    jx_module *module; /* of `context`; may be NULL, without programs, or unusable after memory ran out */
    jx_write_fn write;
    void *user;
    enum jx_status status; /* the first that was not JX_OK */
};

struct station {
    const char *name;
    void (*visit)(struct tour *t);
};

/* all steps, ended by one whose name is NULL */
extern const struct station stations[];

/* a program with something for every step */
extern const char tour_text[];

#endif

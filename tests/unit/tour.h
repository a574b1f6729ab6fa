/* SPDX-License-Identifier: Apache-2.0
 *
 * A client that calls every function of the library, station by station, and goes on whatever a call answers. Tests
 * take it where memory runs out, with modules that can no longer be used, and on several threads; tests/exercised.py
 * names the functions that it leaves out. */
#ifndef TOUR_H
#define TOUR_H

#include "jaxpr.h"

/* The results of the tour go to `write`, so that two tours can be compared. */
struct tour {
    jx_context *context;
    jx_module *module; /* of `context`; may be NULL, without programs, or lost */
    jx_write_fn write;
    void *user;
    enum jx_status status; /* of the first call that was not JX_OK */
};

struct station {
    const char *name;
    void (*visit)(struct tour *t);
};

/* all steps; the last has no name */
extern const struct station stations[];

/* a program with something for every step */
extern const char tour_text[];

#endif

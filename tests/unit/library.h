/* SPDX-License-Identifier: Apache-2.0
 *
 * What tests of the library share: a context that lives as long as one test, and a text read into it. */
#ifndef LIBRARY_H
#define LIBRARY_H

#include "jaxpr.h"

#include <check.h>
#include <string.h>

/* The context of the running test. */
static jx_context *context;

/* A checked fixture: makes `context` before a test. */
static void
setup(void)
{
    context = jx_context_new(NULL);
    ck_assert_ptr_nonnull(context);
}

/* The other half of the fixture. */
static void
teardown(void)
{
    jx_context_free(context);
}

/* Reads a text under the name `t.jaxpr`; it lives as long as `context`. */
static jx_module *
read_text(const char *text)
{
    jx_module *module;
    ck_assert_int_eq(jx_read(context, "t.jaxpr", text, strlen(text), &module), JX_OK);
    return module;
}

/* Fails the test unless a struct jx_string has the bytes of a C string. */
#define ck_string(string, expected) \
    do { \
        struct jx_string got = (string); \
        ck_assert_msg(got.n == strlen(expected) && memcmp(got.at, (expected), got.n) == 0, "`%.*s`, not `%s`", \
                      (int)got.n, got.at, (expected)); \
    } while (0)

#endif

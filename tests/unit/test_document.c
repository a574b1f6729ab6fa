/* SPDX-License-Identifier: Apache-2.0
 *
 * Documents: after any edits the results are those of reading the whole text again, even if memory ran out. */
#include "jaxpr.h"
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM = 1 << 16, EDITS = 400 };

static const char start[] = "{ lambda ; a:f32[3] n:i32[]. let\n"
                            "    b:f32[3] = sin a\n"
                            "    c:f32[3] = jit[name=f jaxpr={ lambda ; d:f32[3]. let e:f32[3] = cos d in (e,) }] b\n"
                            "    g:f32[3] = add c a\n"
                            "  in (g, n) }\n";

/* typed text: parts of programs, and text that breaks them */
static const char *const pieces_typed[] = {
    "",   "a", "f32[3]",   "f32[4]", "\n    h:f32[3] = neg a", "(", ")", "{", "}", " ", "\n", "let",
    "in", "=", "\xc2\xa0", "\t",
};

/* Output kept in memory. */
struct kept {
    char at[ROOM];
    size_t n;
};

static int
keep(void *user, const char *bytes, size_t n)
{
    struct kept *k = user;
    if (n > sizeof k->at - k->n)
        return 1;
    memcpy(k->at + k->n, bytes, n);
    k->n += n;
    return 0;
}

/* everything reported about a module */
static enum jx_status
describe(jx_context *context, jx_module *module, struct kept *out)
{
    struct jx_render_options json = {.size = sizeof json, .format = JX_RENDER_JSON};
    bool first = true;
    enum jx_status status = jx_check(module, NULL);
    if (status == JX_OK)
        status = jx_format(module, NULL, keep, out);
    if (status == JX_OK)
        status = jx_write_json(module, &first, keep, out);
    return status == JX_OK ? jx_render(context, &module, 1, &json, keep, out) : status;
}

static struct kept edited, anew;

/* the parts of a document: modules, places and findings */
static void
describe_parts(jx_context *context, jx_document *document, bool found, struct kept *kept)
{
    struct jx_document_part part;
    uint32_t n;
    kept->n = 0;
    ck_assert_int_eq(jx_document_read(document, found, &n), JX_OK);
    ck_assert(!jx_document_part_at(document, n, &part));
    for (uint32_t i = 0; i < n; i++) {
        char place[100];
        ck_assert(jx_document_part_at(document, i, &part));
        snprintf(place, sizeof place, "%u:%u-%u:%u\n", part.place.line, part.place.column, part.place.end_line,
                 part.place.end_column);
        keep(kept, place, strlen(place));
        ck_assert_int_eq(describe(context, part.module, kept), JX_OK);
    }
}

/* the parts of an edited document must be those of a document with its text */
static void
compare_parts(jx_context *context, jx_document *document, bool found)
{
    struct jx_string text = jx_document_text(document);
    jx_document *fresh;
    ck_assert_int_eq(jx_document_new(context, "t", text.at, text.n, &fresh), JX_OK);
    describe_parts(context, document, found, &edited);
    describe_parts(context, fresh, found, &anew);
    jx_document_free(fresh);
    ck_assert_uint_eq(edited.n, anew.n);
    ck_assert_int_eq(memcmp(edited.at, anew.at, anew.n), 0);
}

START_TEST(edits_give_what_reading_gives)
{
    uint64_t dice = 7919u * (unsigned)(_i + 1);
    char *text = malloc(ROOM);
    size_t n = sizeof start - 1;
    jx_context *context = jx_context_new(NULL);
    jx_document *document;
    memcpy(text, start, n);
    ck_assert_int_eq(jx_document_new(context, "t", start, n, &document), JX_OK);
    for (int i = 0; i < EDITS; i++) {
        jx_module *module, *same, *whole;
        dice = dice * 6364136223846793005u + 1442695040888963407u;
        size_t from = (dice >> 40) % (n + 1), most = n - from < 12 ? n - from : 12,
               to = from + (dice >> 33) % (most + 1);
        const char *typed = pieces_typed[(dice >> 20) % (sizeof pieces_typed / sizeof *pieces_typed)];
        memmove(text + from + strlen(typed), text + to, n - to);
        memcpy(text + from, typed, strlen(typed));
        n = n - (to - from) + strlen(typed);
        ck_assert_int_eq(jx_edit(document, from, to, typed, strlen(typed)), JX_OK);
        ck_assert_uint_eq(jx_document_text(document).n, n);
        ck_assert_int_eq(memcmp(jx_document_text(document).at, text, n), 0);
        if (i % 3 != 0)
            continue; /* several edits before the next query */
        edited.n = anew.n = 0;
        ck_assert_int_eq(jx_document_module(document, &module), JX_OK);
        ck_assert_int_eq(jx_document_module(document, &same), JX_OK);
        ck_assert_ptr_eq(module, same);
        jx_module_free(module); /* has no effect: the document owns it */
        ck_assert_int_eq(describe(context, module, &edited), JX_OK);
        ck_assert_int_eq(jx_read(context, "t", text, n, &whole), JX_OK);
        ck_assert_int_eq(describe(context, whole, &anew), JX_OK);
        jx_module_free(whole);
        ck_assert_uint_eq(edited.n, anew.n);
        ck_assert_int_eq(memcmp(edited.at, anew.at, anew.n), 0);
        compare_parts(context, document, _i % 2 > 0);
        if (n < 40) { /* all was deleted */
            ck_assert_int_eq(jx_edit(document, 0, n, start, sizeof start - 1), JX_OK);
            n = sizeof start - 1;
            memcpy(text, start, n);
        }
    }
    jx_document_free(document);
    jx_context_free(context);
    free(text);
}
END_TEST

START_TEST(edits_outside_of_the_text_are_refused)
{
    jx_context *context = jx_context_new(NULL);
    jx_document *document;
    ck_assert_int_eq(jx_document_new(context, "t", "abc", 3, &document), JX_OK);
    ck_assert_int_eq(jx_edit(document, 2, 1, "x", 1), JX_MISUSE);
    ck_assert_int_eq(jx_edit(document, 0, 4, "x", 1), JX_MISUSE);
    ck_assert_int_eq(jx_edit(document, SIZE_MAX, SIZE_MAX, "x", 1), JX_MISUSE);
    ck_assert_int_eq(jx_edit(document, 0, 0, NULL, 1), JX_MISUSE);
    ck_assert_int_eq(jx_edit(document, 0, 0, "x", SIZE_MAX), JX_MISUSE);
    ck_assert_int_eq(jx_edit(NULL, 0, 0, "x", 1), JX_MISUSE);
    ck_assert_int_eq(jx_document_new(NULL, "t", "", 0, &document), JX_MISUSE);
    ck_assert_int_eq(memcmp(jx_document_text(document).at, "abc", 3), 0);
    ck_assert_int_eq(jx_edit(document, 3, 3, "d", 1), JX_OK);
    ck_assert_int_eq(jx_edit(document, 0, 4, NULL, 0), JX_OK);
    ck_assert_uint_eq(jx_document_text(document).n, 0);
    jx_document_free(NULL);
    jx_context_free(context); /* and the document */
}
END_TEST

START_TEST(memory_may_run_out_between_edits)
{
    for (long n = 0;; n++) {
        struct scarce s = {.left = n, .once = true};
        struct jx_allocator allocator = {scarce_resize, &s};
        jx_context *context = jx_context_new(&allocator);
        jx_document *document = NULL;
        jx_module *module;
        enum jx_status status = JX_OUT_OF_MEMORY;
        if (context != NULL)
            status = jx_document_new(context, "t", start, sizeof start - 1, &document);
        if (status == JX_OK) {
            size_t size = jx_document_text(document).n;
            for (int i = 0; i < 3 && status == JX_OK; i++) {
                status = jx_edit(document, 2, 2, start, sizeof start - 1);
                size += status == JX_OK ? sizeof start - 1 : 0;
                ck_assert_uint_eq(jx_document_text(document).n, size);
                if (status == JX_OK)
                    status = jx_document_module(document, &module);
            }
        }
        jx_context_free(context);
        ck_assert_int_eq(s.live, 0);
        if (s.left >= 0) {
            ck_assert_int_eq(status, JX_OK);
            ck_assert_int_gt(n, 5);
            break;
        }
        ck_assert_int_eq(status, JX_OUT_OF_MEMORY);
    }
}
END_TEST

static const char in_log[] =
    "started\n1 | { lambda ; a:f32[3]. let\n1 |     b:f32[3] = sin a\n1 |   in (b,) }\nended\n";

/* replaces a document's only embedded program by `text`; if the status is JX_UNSUPPORTED, *why is the reason */
static enum jx_status
embed(jx_context *context, const char *in, const char *text, struct kept *out, const char **why)
{
    jx_document *document = NULL;
    uint32_t n = 0;
    out->n = 0;
    enum jx_status status = jx_document_new(context, "t", in, strlen(in), &document);
    if (status == JX_OK)
        status = jx_document_read(document, true, &n);
    if (status == JX_OK) {
        ck_assert_uint_eq(n, 1);
        status = jx_document_embed(document, 0, (struct jx_string){text, strlen(text)}, keep, out, why);
    }
    jx_document_free(document);
    return status;
}

START_TEST(embedded_programs_are_replaced_in_place)
{
    const char *why = NULL;
    const char *text = "{ lambda ; a:f32[3]. let\n    b:f32[3] = cos a\n    c:f32[3] = neg b\n  in (c,) }\n";
    static const char in_diff[] = "+{ lambda ; a:f32[3]. let\n+    b:f32[3] = sin a\n+  in (b,) }\n";
    jx_context *context = jx_context_new(NULL);
    ck_assert_int_eq(embed(context, in_log, text, &edited, &why), JX_OK);
    ck_assert_ptr_null(why);
    static const char expected[] =
        "{ lambda ; a:f32[3]. let\n1 |     b:f32[3] = cos a\n1 |     c:f32[3] = neg b\n1 |   in (c,) }";
    ck_assert_uint_eq(edited.n, sizeof expected - 1);
    ck_assert_int_eq(memcmp(edited.at, expected, edited.n), 0);
    ck_assert_int_eq(embed(context, in_log, "nothing", &edited, &why), JX_UNSUPPORTED);
    ck_assert_ptr_nonnull(why);
    ck_assert_int_eq(embed(context, in_log, "", &edited, &why), JX_UNSUPPORTED);
    ck_assert_int_eq(embed(context, in_diff, text, &edited, &why), JX_UNSUPPORTED);
    ck_assert_str_eq(why, "it is part of a diff");
    ck_assert_int_eq(jx_document_embed(NULL, 0, (struct jx_string){"", 0}, keep, &edited, &why), JX_MISUSE);
    jx_context_free(context);
    for (long n = 0;; n++) { /* the same while memory runs out */
        struct scarce s = {.left = n, .once = true};
        struct jx_allocator allocator = {scarce_resize, &s};
        context = jx_context_new(&allocator);
        enum jx_status status = context != NULL ? embed(context, in_log, text, &edited, &why) : JX_OUT_OF_MEMORY;
        jx_context_free(context);
        ck_assert_int_eq(s.live, 0);
        ck_assert_int_eq(status, s.left >= 0 ? JX_OK : JX_OUT_OF_MEMORY);
        if (s.left >= 0)
            break;
    }
}
END_TEST

START_TEST(parts_are_read_once_more_at_their_places)
{
    jx_context *context = jx_context_new(NULL);
    for (int found = 0; found < 2; found++) {
        jx_document *document;
        jx_module *copy;
        uint32_t n;
        const char *text = found ? in_log : start;
        ck_assert_int_eq(jx_document_new(context, "t", text, strlen(text), &document), JX_OK);
        ck_assert_int_eq(jx_document_part_copy(document, 0, &copy), JX_MISUSE);
        ck_assert_int_eq(jx_document_read(document, found, &n), JX_OK);
        ck_assert_int_eq(jx_document_part_copy(document, 1, &copy), JX_MISUSE);
        ck_assert_int_eq(jx_document_part_copy(document, 0, &copy), JX_OK);
        uint32_t at = jx_offset_at(copy, found ? 3 : 2, found ? 9 : 5);
        ck_assert_int_eq(memcmp(jx_module_text(copy).at + at, "b:f32[3] = sin a\n", 17), 0);
        ck_assert_uint_eq(jx_offset_at(copy, found ? 1 : 100, 1), JX_NONE);
        ck_assert_uint_eq(jx_offset_at(copy, 3, 100), JX_NONE);
        ck_assert_uint_eq(jx_offset_at(NULL, 1, 1), JX_NONE);
        ck_assert_uint_eq(jx_module_text(NULL).n, 0);
        jx_module_free(copy);
        jx_document_free(document);
    }
    jx_context_free(context);
}
END_TEST

int
main(void)
{
    Suite *suite = suite_create("document");
    TCase *tc = tcase_create("document");
    tcase_set_timeout(tc, 0);
    tcase_add_loop_test(tc, edits_give_what_reading_gives, 0, 8);
    tcase_add_test(tc, edits_outside_of_the_text_are_refused);
    tcase_add_test(tc, memory_may_run_out_between_edits);
    tcase_add_test(tc, embedded_programs_are_replaced_in_place);
    tcase_add_test(tc, parts_are_read_once_more_at_their_places);
    suite_add_tcase(suite, tc);
    return suite_run(suite);
}

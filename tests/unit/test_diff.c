/* SPDX-License-Identifier: Apache-2.0
 *
 * Matching: alignment of sequences, of the programs of two streams, and of equations. */
#include "resolve/check.h"
#include "diff/diff.h"
#include "unit.h"

#include <stdio.h>

/* ---- sequences ---- */

/* Counts the pairs of an alignment, and checks that they ascend and are equal. */
struct taken {
    u32 n, last_a, last_b;
    bool ascending, equal;
    const u64 *a, *b;
};

static void
consume(void *arg, u32 a, u32 b)
{
    struct taken *t = arg;
    t->ascending &= t->n == 0 || (a > t->last_a && b > t->last_b);
    t->equal &= t->a[a] == t->b[b];
    t->last_a = a;
    t->last_b = b;
    t->n++;
}

static u32
aligned(const u64 *a, u32 n_a, const u64 *b, u32 n_b)
{
    struct taken t = {.ascending = true, .equal = true, .a = a, .b = b};
    diff_anchor(&mem, (struct diff_keys){a, n_a}, (struct diff_keys){b, n_b}, consume, &t);
    ck_assert(t.ascending);
    ck_assert(t.equal);
    return t.n;
}

/* the length of the longest common subsequence, by the textbook algorithm */
static u32
longest_common(const u64 *a, u32 n, const u64 *b, u32 m)
{
    u32 row[64] = {0};
    ck_assert_uint_lt(m, 64);
    for (u32 i = 0; i < n; i++)
        for (u32 k = 0, corner = 0; k < m; k++) {
            u32 above = row[k + 1];
            row[k + 1] = a[i] == b[k] ? corner + 1 : above > row[k] ? above : row[k];
            corner = above;
        }
    return row[m];
}

START_TEST(short_sequences_keep_all_they_share)
{
    u64 seed = 12345, a[40], b[40];
    for (u32 round = 0; round < 2000; round++) {
        u32 n[2];
        for (u32 side = 0; side < 2; side++) {
            seed = hash_number(seed, round);
            n[side] = (u32)(seed >> 40) % 40;
            for (u32 i = 0; i < n[side]; i++) {
                seed = hash_number(seed, i);
                (side ? b : a)[i] = (seed >> 33) % 5 + 1;
            }
        }
        ck_assert_uint_eq(aligned(a, n[0], b, n[1]), longest_common(a, n[0], b, n[1]));
    }
}
END_TEST

START_TEST(long_sequences_with_little_in_common_end)
{
    enum { MANY = 20000 };
    u64 *a = arena_alloc(&mem, MANY * sizeof *a), *b = arena_alloc(&mem, MANY * sizeof *b);
    for (u32 i = 0; i < MANY; i++) {
        a[i] = 2 * i + 2;
        b[i] = 2 * i + 1;
    }
    ck_assert_uint_eq(aligned(a, MANY, b, MANY), 0);
    b[MANY / 2] = a[MANY / 3]; /* a single common element in the middle */
    ck_assert_uint_eq(aligned(a, MANY, b, MANY), 1);
}
END_TEST

START_TEST(the_longest_ascending_subsequence_stays)
{
    static const u32 at[] = {5, 0, 1, 7, 2, 9, 3, 4};
    static const u8 want[] = {0, 1, 1, 0, 1, 0, 1, 1};
    u8 keep[sizeof want];
    diff_ascending(&mem, at, sizeof want, keep);
    ck_assert_mem_eq(keep, want, sizeof want);
    diff_ascending(&mem, at, 0, keep);
}
END_TEST

/* ---- streams ---- */

/* the index of a program as text, empty if there is none */
static const char *
place(u32 at)
{
    return at == NONE ? "" : arena_printf(&mem, "%u", at).at;
}

/* pairs as text: `0-1` compared, `0=1` equal, `!` after those out of order */
static void
expect_streams(u64 *a, u64 *names_a, u32 n, u64 *b, u64 *names_b, u32 m, const char *want)
{
    struct diff_partners out = {0};
    char text[256] = "";
    size_t at = 0;
    diff_streams(&mem, &(struct diff_stream){a, names_a, n}, &(struct diff_stream){b, names_b, m}, &out);
    for (u32 i = 0; i < out.n; i++) {
        const struct diff_partner *p = &out.at[i];
        at += (size_t)snprintf(text + at, sizeof text - at, "%s%s%s%s%s", i ? " " : "", place(p->a),
                               p->equal ? "=" : "-", place(p->b), p->moved ? "!" : "");
    }
    ck_assert_str_eq(text, want);
}

static u64 nameless[8];

START_TEST(programs_between_equal_ones_are_paired_in_order)
{
    expect_streams((u64[]){1, 2, 3}, nameless, 3, (u64[]){1, 9, 3}, nameless, 3, "0=0 1-1 2=2");
    expect_streams((u64[]){1, 2, 3}, nameless, 3, (u64[]){1, 3}, nameless, 2, "0=0 1- 2=1");
    expect_streams((u64[]){1, 3}, nameless, 2, (u64[]){8, 1, 3}, nameless, 3, "-0 0=1 1=2");
    expect_streams((u64[]){1, 2}, nameless, 2, (u64[]){8, 9}, nameless, 2, "0-0 1-1");
    expect_streams(nameless, nameless, 0, (u64[]){8}, nameless, 1, "-0");
    expect_streams(nameless, nameless, 0, nameless, nameless, 0, "");
}
END_TEST

START_TEST(an_equal_program_is_found_at_any_place)
{
    expect_streams((u64[]){1, 2, 3}, nameless, 3, (u64[]){2, 3, 1}, nameless, 3, "0=2! 1=0 2=1");
    expect_streams((u64[]){1, 1, 2}, nameless, 3, (u64[]){2, 1, 1}, nameless, 3, "0=1 1=2 2=0!");
}
END_TEST

START_TEST(programs_of_one_name_belong_together)
{
    expect_streams((u64[]){1, 2, 3}, (u64[]){7, 0, 8}, 3, (u64[]){11, 12, 13}, (u64[]){0, 8, 7}, 3, "0-2! 1-0 2-1");
    expect_streams((u64[]){1, 2}, (u64[]){7, 7}, 2, (u64[]){11, 12}, (u64[]){7, 7}, 2, "0-0 1-1");
    /* the name of a program counts more than its contents: these two changed */
    expect_streams((u64[]){1, 2}, (u64[]){7, 8}, 2, (u64[]){2, 1}, (u64[]){7, 8}, 2, "0-0 1-1");
    /* also if they were exchanged */
    expect_streams((u64[]){1, 2}, (u64[]){7, 8}, 2, (u64[]){1, 2}, (u64[]){8, 7}, 2, "0-1! 1-0");
    /* but one that was only renamed is the same */
    expect_streams((u64[]){1, 2}, (u64[]){7, 8}, 2, (u64[]){1, 2}, (u64[]){9, 8}, 2, "0=0 1=1");
    /* of several with the same name, equal ones are matched first, and the others in order */
    expect_streams((u64[]){1, 2, 3}, (u64[]){7, 7, 7}, 3, (u64[]){2, 3, 4}, (u64[]){7, 7, 7}, 3, "0- 1=0 2=1 -2");
    expect_streams((u64[]){1, 2}, (u64[]){7, 7}, 2, (u64[]){2, 1}, (u64[]){7, 7}, 2, "0=1! 1=0");
}
END_TEST

/* ---- equations ---- */

/* The partner of each equation of the left, by its index in the outermost program: `0:1 1:-`. */
static void
expect_match(const char *left, const char *right, const char *want)
{
    struct module *a = module_of(left), *b = module_of(right);
    struct diags diags;
    struct diff d;
    char text[256] = "";
    size_t at = 0;
    diags_init(&diags, &mem);
    check_scopes(a, &(struct resolution){0}, &diags);
    check_scopes(b, &(struct resolution){0}, &diags);
    ck_assert_uint_eq(diags.errors, 0);
    diff_init(&d, &mem, a, b, 0, SLICE(""));
    diff_programs(&d, 0, 0, false);
    for (eqn_t e = a->jaxprs.at[d.a.main].eqns; e != NONE; e = a->eqns.at[e].next) {
        u32 mate = d.a.match[e];
        at += (size_t)snprintf(text + at, sizeof text - at, "%s%u:", at ? " " : "", d.a.rank[e]);
        at +=
            (size_t)snprintf(text + at, sizeof text - at, mate == NONE ? "-" : "%u", mate == NONE ? 0 : d.b.rank[mate]);
        if (mate != NONE)
            ck_assert_uint_eq(d.b.match[mate], e);
    }
    ck_assert_str_eq(text, want);
    diff_end(&d);
}

START_TEST(what_computes_the_same_is_the_same_whatever_it_is_called)
{
    expect_match("{ lambda ; a:f32[]. let b:f32[] = sin a; c:f32[] = cos a; d:f32[] = mul b c in (d,) }",
                 "{ lambda ; x:f32[]. let q:f32[] = cos x; p:f32[] = sin x; z:f32[] = sub p q in (z,) }",
                 "0:1 1:0 2:2");
}
END_TEST

START_TEST(equations_added_and_removed_have_no_partner)
{
    expect_match("{ lambda ; a:f32[]. let b:f32[] = sin a; c:f32[] = exp b; d:f32[] = tan c in (d,) }",
                 "{ lambda ; a:f32[]. let b:f32[] = sin a; d:f32[] = tan b in (d,) }", "0:0 1:- 2:1");
    expect_match("{ lambda ; a:f32[]. let b:f32[] = sin a; d:f32[] = tan b in (d,) }",
                 "{ lambda ; a:f32[]. let b:f32[] = sin a; c:f32[] = exp b; d:f32[] = tan c in (d,) }", "0:0 1:2");
}
END_TEST

START_TEST(repeated_equations_keep_their_order)
{
    expect_match("{ lambda ; a:f32[]. let b:f32[] = sin a; c:f32[] = sin b; d:f32[] = sin c; e:f32[] = sin d in (e,) }",
                 "{ lambda ; a:f32[]. let b:f32[] = sin a; c:f32[] = sin b; x:f32[] = cos c; e:f32[] = sin x in (e,) }",
                 "0:0 1:1 2:2 3:3");
}
END_TEST

START_TEST(a_changed_operand_keeps_its_equation)
{
    expect_match("{ lambda ; a:f32[] b:f32[]. let c:f32[] = sin a; d:f32[] = exp b; e:f32[] = add c d in (e,) }",
                 "{ lambda ; a:f32[] b:f32[]. let c:f32[] = sin a; d:f32[] = exp b; e:f32[] = add c b in (e, d) }",
                 "0:0 1:1 2:2");
}
END_TEST

int
main(void)
{
    Suite *suite = suite_create("diff");
    TCase *sequences = tcase_create("sequences"), *streams = tcase_create("streams"),
          *equations = tcase_create("equations");
    tcase_add_checked_fixture(sequences, mem_open, mem_close);
    tcase_add_test(sequences, short_sequences_keep_all_they_share);
    tcase_add_test(sequences, long_sequences_with_little_in_common_end);
    tcase_add_test(sequences, the_longest_ascending_subsequence_stays);
    suite_add_tcase(suite, sequences);
    tcase_add_checked_fixture(streams, mem_open, mem_close);
    tcase_add_test(streams, programs_between_equal_ones_are_paired_in_order);
    tcase_add_test(streams, an_equal_program_is_found_at_any_place);
    tcase_add_test(streams, programs_of_one_name_belong_together);
    suite_add_tcase(suite, streams);
    tcase_add_checked_fixture(equations, mem_open, mem_close);
    tcase_add_test(equations, what_computes_the_same_is_the_same_whatever_it_is_called);
    tcase_add_test(equations, equations_added_and_removed_have_no_partner);
    tcase_add_test(equations, repeated_equations_keep_their_order);
    tcase_add_test(equations, a_changed_operand_keeps_its_equation);
    suite_add_tcase(suite, equations);
    return suite_run(suite);
}

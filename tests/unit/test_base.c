/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory, names, similar words, texts, UTF-8 and sinks. */
#include "base/decimal.h"
#include "base/memo.h"
#include "base/names.h"
#include "base/near.h"
#include "base/sink.h"
#include "base/text.h"
#include "base/utf8.h"
#include "base/value.h"
#include "unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- memory ---- */

/* an allocator that fails after `left` allocations, and counts the live ones */
struct counted {
    int left, alive;
};

static void *
counted_resize(void *user, void *old, size_t size)
{
    struct counted *c = user;
    if (size == 0) {
        c->alive -= old != NULL;
        free(old);
        return NULL;
    }
    if (c->left-- <= 0)
        return NULL;
    c->alive += old == NULL;
    return realloc(old, size);
}

START_TEST(failed_allocation_leaves_by_the_jump)
{
    struct counted counted = {.left = _i};
    struct mem_hooks hooks = {counted_resize, &counted};
    struct mem pool;
    jmp_buf out;
    volatile bool failed = false;
    mem_init(&pool, &hooks);
    pool.oom = &out;
    if (setjmp(out) == 0) {
        VEC(u32) numbers = {0};
        for (u32 n = 16; n <= 1 << 17; n *= 2)
            vec_reserve(&pool, &numbers, n);
        arena_alloc(&pool, 100);
        arena_alloc(&pool, 1 << 20);
    } else {
        failed = true;
    }
    ck_assert_int_eq(failed, _i < 16);
    mem_drop(&pool);
    ck_assert_int_eq(counted.alive, 0);
}
END_TEST

START_TEST(arena_blocks_do_not_overlap)
{
    char *blocks[300];
    for (int i = 0; i < 300; i++) {
        size_t n = (size_t)(i * 37 % 4000 + 1);
        blocks[i] = arena_alloc(&mem, n);
        ck_assert_uint_eq((uintptr_t)blocks[i] % 8, 0);
        memset(blocks[i], i, n);
    }
    for (int i = 0; i < 300; i++)
        ck_assert_int_eq((unsigned char)blocks[i][i * 37 % 4000], i & 255);
}
END_TEST

/* across the sizes at which a block becomes a mapping, or ends with a huge page */
START_TEST(resized_blocks_keep_their_bytes)
{
    const size_t sizes[] = {100, 3 << 20, (2 << 20) - 16, 9 << 20, 33 << 20, 5000, 8 << 20, 12};
    unsigned char *blocks[2] = {NULL, NULL};
    size_t held = 0;
    for (u32 i = 0; i < countof(sizes); i++) {
        size_t kept = held < sizes[i] ? held : sizes[i];
        for (u32 b = 0; b < 2; b++) {
            blocks[b] = mem_resize(&mem, blocks[b], sizes[i]);
            ck_assert_uint_eq((uintptr_t)blocks[b] % 16, 0);
        }
        for (u32 b = 0; b < 2; b++) {
            for (size_t at = 0; at < kept; at++)
                if (blocks[b][at] != (unsigned char)(at * 7 + b))
                    ck_abort_msg("byte %zu of %zu", at, sizes[i]);
            for (size_t at = 0; at < sizes[i]; at++)
                blocks[b][at] = (unsigned char)(at * 7 + b);
        }
        held = sizes[i];
    }
    mem_free(&mem, blocks[1]);
}
END_TEST

START_TEST(arena_printf_formats)
{
    struct slice s = arena_printf(&mem, "%s-%d", "abc", 42);
    ck_assert(slice_eq(s, SLICE("abc-42")));
    ck_assert_int_eq(s.at[s.n], 0);
}
END_TEST

/* ---- names ---- */

START_TEST(numerals_are_their_own_ids)
{
    struct names names;
    struct name_buffer buffer;
    names_init(&mem, &names, 26 * 26 * 26);
    ck_assert_uint_eq(names_intern(&mem, &names, SLICE("a")), 0);
    ck_assert_uint_eq(names_intern(&mem, &names, SLICE("z")), 25);
    ck_assert_uint_eq(names_intern(&mem, &names, SLICE("ba")), 26);
    ck_assert_uint_eq(names_intern(&mem, &names, SLICE("zz")), 675);
    for (u32 i = 0; i < 26 * 26 * 26; i++) {
        struct slice text = name_text(&names, i, &buffer);
        ck_assert_uint_eq(name_numeral(text.at, text.n), i);
    }
    ck_assert_uint_eq(names.others.n, 0);
}
END_TEST

START_TEST(other_names_are_interned_once)
{
    struct names names;
    struct name_buffer buffer;
    names_init(&mem, &names, 100);
    const char *texts[] = {"add", "aa", "A", "_", "", "scatter-add", "zzzzzzz", "é", "baa"};
    name_t ids[countof(texts)];
    for (size_t i = 0; i < countof(texts); i++) {
        ids[i] = names_intern(&mem, &names, slice_of(texts[i]));
        ck_assert_uint_ge(ids[i], NAME_OTHER);
        ck_assert(slice_eq(name_text(&names, ids[i], &buffer), slice_of(texts[i])));
        for (size_t j = 0; j < i; j++)
            ck_assert_uint_ne(ids[i], ids[j]);
    }
    for (size_t i = 0; i < countof(texts); i++) {
        ck_assert_uint_eq(names_intern(&mem, &names, slice_of(texts[i])), ids[i]);
        ck_assert_uint_eq(names_find(&names, slice_of(texts[i])), ids[i]);
    }
    ck_assert_uint_eq(names_find(&names, SLICE("missing")), NONE);
}
END_TEST

START_TEST(many_names_survive_growth)
{
    struct names names;
    struct name_buffer buffer;
    names_init(&mem, &names, 0);
    for (int i = 0; i < 20000; i++)
        ck_assert_uint_eq(names_intern(&mem, &names, arena_printf(&mem, "n%d", i)), NAME_OTHER + (u32)i);
    for (int i = 0; i < 20000; i += 997)
        ck_assert(slice_eq(name_text(&names, NAME_OTHER + (u32)i, &buffer), arena_printf(&mem, "n%d", i)));
}
END_TEST

/* ---- tables whose keys an attacker chose ---- */

enum { CHOSEN = 2000, CHOSEN_SLOTS = 4096 };

/* the total distance of the names of a table from the slots where a lookup begins */
static u64
names_displaced(const struct names *t)
{
    u64 displaced = 0;
    for (u32 at = 0; at <= t->slot_mask; at++)
        if (t->slots[at])
            displaced += (at - (u32)hash_slice(t->seed, t->others.at[t->slots[at] - 1])) & t->slot_mask;
    return displaced;
}

START_TEST(names_collide_only_if_the_secret_is_known)
{
    static const u64 secrets[] = {0, 1, 2, 0x8000000000000000u, 0x7f3a5c00a010u * 0x9e3779b97f4a7c15u};
    struct slice chosen[CHOSEN];
    for (u32 i = 0, n = 0; n < CHOSEN; i++) { /* names that all have the same first slot if the secret is 3 */
        char name[32];
        struct slice s = {name, (size_t)snprintf(name, sizeof name, "weight_of_layer_%u", i)};
        if ((hash_slice(3, s) & (CHOSEN_SLOTS - 1)) == 5)
            chosen[n++] = arena_copy(&mem, s);
    }
    for (size_t k = 0; k <= countof(secrets); k++) {
        struct names names;
        mem.secret = k == 0 ? 3 : secrets[k - 1];
        names_init(&mem, &names, 0);
        for (u32 i = 0; i < CHOSEN; i++)
            names_intern(&mem, &names, chosen[i]);
        ck_assert_uint_eq(names.slot_mask, CHOSEN_SLOTS - 1);
        if (k == 0)
            ck_assert_uint_eq(names_displaced(&names), (u64)CHOSEN * (CHOSEN - 1) / 2);
        else
            ck_assert_uint_lt(names_displaced(&names), 2 * CHOSEN);
    }
}
END_TEST

/* the total distance of all entries from the slots that an empty table would give them */
static u64
memo_displaced(const struct memo *memo)
{
    struct memo empty = *memo;
    u64 displaced = 0;
    empty.slots = mem_zeroed(&mem, memo->room * sizeof *empty.slots);
    for (u32 at = 0; at < memo->room; at++)
        if (memo->slots[at].id)
            displaced += (at - (u32)(memo_slot(&empty, memo->slots[at].id - 1) - empty.slots)) & (memo->room - 1);
    mem_free(&mem, empty.slots);
    return displaced;
}

/* also with secrets that are near a simple fraction of 2^32 */
START_TEST(consecutive_ids_spread)
{
    static const u32 secrets[] = {1, 3, 0x10001, 0x200001, 0x55555557, 0x80000001, 0xfffffffd, 0x24924925};
    for (u32 k = 0; k < countof(secrets); k++) {
        struct memo memo = {0};
        mem.secret = secrets[k];
        for (u32 i = 0; i < CHOSEN; i++)
            memo_set(&mem, &memo, 1000 + i, i + 1);
        ck_assert_uint_lt(memo_displaced(&memo), 2 * CHOSEN);
        memo_free(&mem, &memo);
    }
}
END_TEST

START_TEST(ids_of_equal_lower_bits_spread)
{
    for (u32 k = 0; k < 4; k++) {
        struct memo memo = {0};
        mem.secret = (0x12345678u + k) * 0x9e3779b97f4a7c15u;
        for (u32 i = 0; i < CHOSEN; i++)
            memo_set(&mem, &memo, i << 16 | k, i + 1);
        ck_assert_uint_lt(memo_displaced(&memo), 4 * CHOSEN);
        for (u32 i = 0; i < CHOSEN; i++)
            ck_assert_uint_eq(memo_get(&memo, i << 16 | k), i + 1);
        ck_assert_uint_eq(memo_get(&memo, CHOSEN << 16 | k), 0);
        memo_free(&mem, &memo);
    }
}
END_TEST

START_TEST(pools_have_secrets_of_their_own)
{
    struct mem pools[2];
    mem_init(&pools[0], NULL);
    mem_init(&pools[1], NULL);
    ck_assert_uint_ne(pools[0].secret, pools[1].secret);
}
END_TEST

/* ---- texts ---- */

START_TEST(positions_count_code_points)
{
    static const char bytes[] = "ab\né=x\r\n\nlast";
    struct text t;
    text_init(&mem, &t, SLICE("t"), bytes, sizeof bytes - 1);
    static const struct {
        u32 offset, line, column;
    } cases[] = {{0, 1, 1}, {2, 1, 3}, {3, 2, 1}, {5, 2, 2}, {6, 2, 3}, {9, 3, 1}, {10, 4, 1}, {14, 4, 5}, {99, 4, 5}};
    for (size_t i = 0; i < countof(cases); i++) {
        struct position p = text_position(&mem, &t, cases[i].offset);
        ck_assert_uint_eq(p.line, cases[i].line);
        ck_assert_uint_eq(p.column, cases[i].column);
    }
    for (u32 i = 0; i < 200; i++) { /* in any order: earlier queries must not change the result */
        u32 k = i * 7 % countof(cases);
        ck_assert_uint_eq(text_position(&mem, &t, cases[k].offset).column, cases[k].column);
    }
    struct position p = text_position(&mem, &t, 5);
    ck_assert_uint_eq(p.line_start, 3);
    ck_assert_uint_eq(p.line_end, 7); /* the carriage return is not part of the line */
}
END_TEST

/* ---- UTF-8 ---- */

START_TEST(malformed_utf8_is_found)
{
    static const struct {
        const char *bytes;
        size_t n, bad;
    } cases[] = {
        {"plain ascii text, longer than a word", 36, 36},
        {"h\xc3\xa9llo", 6, 6},
        {"ab\0cd", 5, 2},
        {"\xff", 1, 0},
        {"\xc0\x80", 2, 0},
        {"\xe0\x80\x80", 3, 0},
        {"\xed\xa0\x80", 3, 0},
        {"\xf4\x90\x80\x80", 4, 0},
        {"12345678\xe2\x89\xa4", 11, 11},
        {"1234567\xe2\x89", 9, 7},
        {"", 0, 0},
    };
    for (size_t i = 0; i < countof(cases); i++)
        ck_assert_uint_eq(utf8_first_bad(cases[i].bytes, cases[i].n), cases[i].bad);
}
END_TEST

START_TEST(cells_of_characters)
{
    ck_assert_int_eq(utf8_cells('a'), 1);
    ck_assert_int_eq(utf8_cells(0x301), 0);   /* combining acute */
    ck_assert_int_eq(utf8_cells(0x4e2d), 2);  /* a Han character */
    ck_assert_int_eq(utf8_cells(0x1f600), 2); /* an emoji */
    ck_assert_int_eq(utf8_cells(0x2264), 1);  /* less or equal */
}
END_TEST

/* ---- sinks ---- */

START_TEST(amounts_are_written_for_people)
{
    static const struct {
        double value;
        const char *text;
    } cases[] = {{0, "0"},
                 {1, "1"},
                 {9999, "9999"},
                 {10000, "10.0 k"},
                 {10049, "10.0 k"},
                 {999499, "999 k"},
                 {999500, "1.00 M"},
                 {24116133, "24.1 M"},
                 {9995000, "10.0 M"},
                 {1e9, "1.00 G"},
                 {1.5e18, "1.50 E"},
                 {999.4e18, "999 E"},
                 {1e21, "1.00e21"},
                 {9.996e29, "1.00e30"},
                 {1e300, "1.00e300"},
                 {0.5, "0.50"},
                 {-24116133, "-24.1 M"},
                 {INFINITY, "inf"},
                 {NAN, "?"}};
    for (u32 i = 0; i < countof(cases); i++) {
        char text[32];
        ck_assert_uint_eq(decimal_write_short(cases[i].value, text), strlen(cases[i].text));
        ck_assert_str_eq(text, cases[i].text);
    }
}
END_TEST

START_TEST(ordinals)
{
    static const struct {
        u64 index;
        const char *text;
    } cases[] = {{0, "first"}, {9, "tenth"}, {10, "11th"},   {12, "13th"},   {20, "21st"},   {21, "22nd"},
                 {22, "23rd"}, {23, "24th"}, {100, "101st"}, {110, "111th"}, {111, "112th"}, {1000000, "1000001st"}};
    for (u32 i = 0; i < countof(cases); i++)
        ck_assert_str_eq(ordinal_of(cases[i].index).text, cases[i].text);
}
END_TEST

START_TEST(sizes)
{
    static const struct {
        const char *text;
        u64 size;
        bool large;
    } cases[] = {{"4096", 4096, false},
                 {"1e6", 1000000, false},
                 {"0e99", 0, false},
                 {"16 MiB", 16 << 20, false},
                 {"16777215T", 16777215ull << 40, false},
                 {"18446744073709551615", UINT64_MAX, false},
                 {"18446744073709551616", 0, true},
                 {"1e20", 0, true},
                 {"1e18446744073709551616", 0, true},
                 {"16777216 TiB", 0, true},
                 {"99999999999999999999 KiB", 0, true},
                 {"99999999999999999999 KiBs", 0, false},
                 {"-1", 0, false},
                 {"many", 0, false}};
    for (u32 i = 0; i < countof(cases); i++) {
        u64 size = 0;
        bool read = value_size(slice_of(cases[i].text), &size);
        ck_assert_msg(!read || size == cases[i].size, "%s", cases[i].text);
        ck_assert_msg(read == (cases[i].size > 0 || cases[i].text[0] == '0'), "%s", cases[i].text);
        ck_assert_msg(value_size_too_large(slice_of(cases[i].text)) == cases[i].large, "%s", cases[i].text);
    }
}
END_TEST

START_TEST(numbers_are_written_as_python_writes_them)
{
    static const struct {
        double value;
        const char *text;
    } cases[] = {
        {0, "0.0"},
        {-0.0, "-0.0"},
        {1, "1.0"},
        {-2.5, "-2.5"},
        {1e15, "1000000000000000.0"},
        {1e16, "1e+16"},
        {1e22, "1e+22"},
        {1e-4, "0.0001"},
        {1e-5, "1e-05"},
        {0.1f, "0.10000000149011612"},
        {1.4142135f, "1.4142135381698608"},
        {0x1p-24, "5.960464477539063e-08"}, /* ..062e-08 is as near, but would be read as another number */
        {-14.5429840087890625, "-14.542984008789062"},
        {1.7976931348623157e308, "1.7976931348623157e+308"},
        {5e-324, "5e-324"},
        {1e308 * 10, "inf"},
        {-1e308 * 10, "-inf"},
    };
    for (u32 i = 0; i < countof(cases); i++) {
        struct slice text = decimal_text(&mem, cases[i].value);
        ck_assert_msg(slice_eq(text, slice_of(cases[i].text)), "%.*s is not %s", (int)text.n, text.at, cases[i].text);
    }
}
END_TEST

/* numbers round-trip, and have 17 digits only if the 16 digits of libc do not round-trip */
START_TEST(numbers_round_trip)
{
    u64 state = 7;
    for (u32 i = 0; i < 20000; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        double value = (double)(i64)(state >> 11), power = 1;
        for (u32 k = 0; k < state % 19; k++)
            power *= 10;
        value /= power;
        char text[40], shorter[40];
        struct slice s = decimal_text(&mem, value);
        memcpy(text, s.at, s.n);
        text[s.n] = 0;
        ck_assert_msg(strtod(text, NULL) == value, "%s is not %.17g", text, value);
        int digits = 0;
        for (size_t k = 0; k < s.n && text[k] != 'e'; k++)
            digits += text[k] >= '0' && text[k] <= '9' && (digits || text[k] != '0');
        if (digits > 16 && text[s.n - 1] != '0') {
            snprintf(shorter, sizeof shorter, "%.15e", value);
            ck_assert_msg(strtod(shorter, NULL) != value, "%s could be %s", text, shorter);
        }
    }
}
END_TEST

static void
read_like_libc(const char *text)
{
    double value;
    ck_assert_msg(decimal_read(slice_of(text), &value), "%s is not read", text);
    ck_assert_msg(value == strtod(text, NULL), "%s is read as %.17g", text, value);
}

START_TEST(numbers_are_read_as_libc_reads_them)
{
    static const char *const hard[] = {"9007199254740993.0",
                                       "9007199254740993.1",
                                       "9007199254740992.5",
                                       "18014398509481986.0",
                                       "9223372036854775807.0",
                                       "0.000000000000000000",
                                       "1844674407370955161.5",
                                       "9999999999999999999",
                                       "-0.10000000149011612",
                                       "0.9999999999999999999",
                                       "1.00000000000000011102230246251565"};
    u64 state = 11;
    for (u32 i = 0; i < countof(hard); i++)
        read_like_libc(hard[i]);
    for (u32 i = 0; i < 20000; i++) {
        char text[64];
        state = state * 6364136223846793005u + 1442695040888963407u;
        snprintf(text, sizeof text, "%llu.%0*llu", (unsigned long long)(state >> 60), (int)(state >> 20 & 15) + 1,
                 (unsigned long long)(state >> 12) % 1000000000000000u);
        read_like_libc(text);
        snprintf(text, sizeof text, "%.17g", (double)(float)((double)(state >> 11) / (double)((u64)1 << 52)));
        read_like_libc(text);
    }
}
END_TEST

START_TEST(json_strings_are_valid_for_any_bytes)
{
    struct sink s;
    sink_init_memory(&s, &mem);
    sink_json_string(&s, (struct slice){"a\"\\\n\x01\x7f\xff\xc3\xa9\0", 10});
    ck_assert_uint_eq(s.n, strlen("\"a\\\"\\\\\\n\\u0001\\u007f\xEF\xBF\xBD\xc3\xa9\\u0000\""));
    ck_assert_mem_eq(s.at, "\"a\\\"\\\\\\n\\u0001\\u007f\xEF\xBF\xBD\xc3\xa9\\u0000\"", s.n);
}
END_TEST

static int
fail_after_first(void *user, const char *bytes, size_t n)
{
    int *calls = user;
    (void)bytes;
    (void)n;
    return ++*calls > 1 ? 5 : 0;
}

START_TEST(near_words)
{
    ck_assert_uint_eq(word_distance(SLICE("scan"), SLICE("scan")), 0);
    ck_assert_uint_eq(word_distance(SLICE("scan"), SLICE("scam")), 1);
    ck_assert_uint_eq(word_distance(SLICE("scan"), SLICE("scna")), 1);
    ck_assert_uint_eq(word_distance(SLICE("remat"), SLICE("ermta")), 2);
    ck_assert_uint_eq(word_distance(SLICE("remat"), SLICE("rmatt")), 2);
    ck_assert_uint_eq(word_distance(SLICE("kitten"), SLICE("sitting")), 3);
    ck_assert_uint_eq(word_distance(SLICE("abcd"), SLICE("wxyz")), 3);
    ck_assert_uint_eq(word_distance(SLICE(""), SLICE("ab")), 2);
    u32 least = 0;
    ck_assert(!word_nearer(SLICE("require"), SLICE("forbid"), &least));
    ck_assert(word_nearer(SLICE("requir"), SLICE("requires"), &least));
    ck_assert(word_nearer(SLICE("requir"), SLICE("require"), &least));
    ck_assert(!word_nearer(SLICE("requir"), SLICE("requirx"), &least));
    ck_assert(word_nearer(SLICE("requir"), SLICE("requir"), &least));
    ck_assert(!word_nearer(SLICE("requir"), SLICE("require"), &least));
    least = 0;
    ck_assert(!word_nearer(SLICE("sin"), SLICE("cos"), &least));
    ck_assert(word_is_garbled(SLICE("a\xC4\x91"), SLICE("add")));
    /* the character may replace two letters, but one is left: AddressSanitizer sees reading beyond it */
    ck_assert(!word_is_garbled(SLICE("ab\xC3\xA9x"), SLICE("abc")));
    ck_assert(word_is_camel(SLICE("DotGeneral"), SLICE("dot_general"), true));
    ck_assert(!word_is_camel(SLICE("Dot"), SLICE("dot"), true));
    ck_assert(word_is_reordered(SLICE("in_broadcast_dim"), SLICE("broadcast_in_dim")));
    ck_assert(!word_is_reordered(SLICE("select_n"), SLICE("select_n")));
}
END_TEST

/* if word_is_worn(a, b), first_look() of both first letters is the same, with the exceptions that near.h names */
START_TEST(first_letters_of_misread_words_look_alike)
{
    static const char letters[] = "aA0oO1lIi5sSbB8rnmcdvwf_";
    enum { N = sizeof letters - 1, HEADS = N * N };
    u32 worn = 0, others = 0;
    for (u32 i = 0; i < HEADS * HEADS; i++) {
        char a[] = {letters[i % N], letters[i / N % N], 'z', 'z'};
        char b[] = {letters[i / HEADS % N], letters[i / HEADS / N], 'z', 'z'};
        if (*b == '_' || *b == 'f' || !word_is_garbled((struct slice){a, sizeof a}, (struct slice){b, sizeof b}))
            continue;
        char first = *a == '_' ? a[1] : *a;
        ck_assert_int_eq(confusable_class(first), confusable_class(*b));
        worn++;
        others += first != *b;
    }
    ck_assert_uint_gt(worn, others);
    ck_assert_uint_gt(others, 100);
}
END_TEST

START_TEST(write_errors_stick)
{
    struct sink s;
    int calls = 0;
    sink_init_writer(&s, &mem, fail_after_first, &calls);
    for (int i = 0; i < 10; i++)
        sink_blanks(&s, 50000);
    ck_assert_int_eq(sink_flush(&s), 5);
    ck_assert_int_eq(calls, 2); /* nothing is written after the first failure */
}
END_TEST

int
main(void)
{
    Suite *suite = suite_create("base");
    TCase *tests = tcase_create("base");
    tcase_add_checked_fixture(tests, mem_open, mem_close);
    tcase_add_loop_test(tests, failed_allocation_leaves_by_the_jump, 0, 17);
    tcase_add_test(tests, arena_blocks_do_not_overlap);
    tcase_add_test(tests, resized_blocks_keep_their_bytes);
    tcase_add_test(tests, arena_printf_formats);
    tcase_add_test(tests, numerals_are_their_own_ids);
    tcase_add_test(tests, other_names_are_interned_once);
    tcase_add_test(tests, many_names_survive_growth);
    tcase_add_test(tests, names_collide_only_if_the_secret_is_known);
    tcase_add_test(tests, consecutive_ids_spread);
    tcase_add_test(tests, ids_of_equal_lower_bits_spread);
    tcase_add_test(tests, pools_have_secrets_of_their_own);
    tcase_add_test(tests, positions_count_code_points);
    tcase_add_test(tests, malformed_utf8_is_found);
    tcase_add_test(tests, cells_of_characters);
    tcase_add_test(tests, numbers_are_written_as_python_writes_them);
    tcase_add_test(tests, numbers_round_trip);
    tcase_add_test(tests, numbers_are_read_as_libc_reads_them);
    tcase_add_test(tests, amounts_are_written_for_people);
    tcase_add_test(tests, ordinals);
    tcase_add_test(tests, sizes);
    tcase_add_test(tests, json_strings_are_valid_for_any_bytes);
    tcase_add_test(tests, near_words);
    tcase_add_test(tests, first_letters_of_misread_words_look_alike);
    tcase_add_test(tests, write_errors_stick);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}

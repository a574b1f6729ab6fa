/* SPDX-License-Identifier: Apache-2.0
 *
 * diag: records, order, limits, and what every renderer prints for texts with unusual characters or long lines. */
#include "base/utf8.h"
#include "diag/diag.h"
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>

static struct text text;
static struct diags diags;
static struct render how;

static void
setup(void)
{
    mem_open();
    diags_init(&diags, &mem);
    how = (struct render){0};
}

static void
set_text(const char *bytes, size_t n)
{
    text_init(&mem, &text, SLICE("f.jaxpr"), bytes, n);
}

/* the output of a renderer for reports, NUL-terminated */
static const char *
document(const struct renderer *form, const struct report *reports, u32 n)
{
    struct sink out;
    sink_init_memory(&out, &mem);
    struct rendering *d = document_begin(form, &out, &mem, &how);
    for (u32 i = 0; i < n; i++)
        document_add(d, &reports[i]);
    document_end(d);
    sink_char(&out, 0);
    return out.at;
}

/* the same for `text` with `diags` */
static const char *
shown(const struct renderer *form)
{
    return document(form, &(struct report){&text, &diags, 1}, 1);
}

#define ck_contains(haystack, needle) \
    ck_assert_msg(strstr((haystack), (needle)) != NULL, "no <%s> in:\n%s", (needle), (haystack))
#define ck_lacks(haystack, needle) \
    ck_assert_msg(strstr((haystack), (needle)) == NULL, "<%s> in:\n%s", (needle), (haystack))

START_TEST(table_is_sound)
{
    for (u32 i = 0; i < DIAG_COUNT; i++) {
        struct diag_info row = diag_info((enum diag_code)i), *info = &row;
        ck_assert_uint_eq(strlen(info->code), 4);
        ck_assert_int_eq(diag_find(slice_of(info->code)), (int)i);
        ck_assert_int_eq(diag_find(slice_of(info->name)), (int)i);
        ck_assert_uint_eq(strspn(info->name, "abcdefghijklmnopqrstuvwxyz0123456789-"), strlen(info->name));
        for (u32 k = 0; k < i; k++)
            ck_assert_str_ne(info->name, diag_info((enum diag_code)k).name);
        size_t column = 0;
        for (const char *p = info->explain; *p; p++) {
            column = *p == '\n' ? 0 : column + 1;
            ck_assert_msg(column <= 78, "%s: a line of the explanation is over 78 columns", info->code);
            ck_assert_msg((u8)*p < 0x7f && (*p == '\n' || *p >= ' '), "%s: not plain text", info->code);
        }
        ck_assert_msg(column == 0, "%s: no newline at the end of the explanation", info->code);
    }
    ck_assert_int_eq(diag_find(SLICE("s012")), DIAG_S012);
    ck_assert_int_eq(diag_find(SLICE("S01")), DIAG_COUNT);
    ck_assert_int_eq(diag_find(SLICE("S0123")), DIAG_COUNT);
    ck_assert_int_eq(diag_find(SLICE("")), DIAG_COUNT);
}
END_TEST

START_TEST(sort_is_stable_and_by_place)
{
    static const u32 places[] = {9, 3, NONE, 3, 0, 9, 3};
    for (u32 i = 0; i < countof(places); i++) {
        diag_add(&diags, DIAG_S001, places[i], 0, "%u", i);
        diag_note(&diags, NONE, 0, "note %u", i);
    }
    diags_sort(&diags);
    char order[countof(places) + 1] = {0};
    for (u32 i = 0; i < diags.list.n; i++) {
        const struct diag *d = &diags.list.at[i];
        order[i] = d->message.at[0];
        ck_assert_int_eq(diags.notes.at[d->notes].message.at[5], order[i]);
    }
    ck_assert_str_eq(order, "2413605");
}
END_TEST

START_TEST(sort_of_many)
{
    for (u32 i = 0; i < 100000; i++)
        diag_add(&diags, DIAG_S001, (i * 7919u) % 1000u, i, "x");
    diags_sort(&diags);
    for (u32 i = 1; i < diags.list.n; i++) {
        const struct diag *a = &diags.list.at[i - 1], *b = &diags.list.at[i];
        ck_assert(a->at < b->at || (a->at == b->at && a->n < b->n));
    }
}
END_TEST

START_TEST(limit_counts_what_it_drops)
{
    diags.limit = 2;
    for (u32 i = 0; i < 5; i++) {
        diag_add(&diags, DIAG_S012, i, 1, "number %u", i);
        diag_note(&diags, 0, 1, "note %u", i);
        if (i == 1 || i == 4)
            diag_relevel(&diags, LEVEL_WARNING);
    }
    ck_assert_uint_eq(diags.list.n, 2);
    ck_assert_uint_eq(diags.notes.n, 2);
    ck_assert_uint_eq(diags.total, 5);
    ck_assert_uint_eq(diags.errors, 3);
    ck_assert_uint_eq(diags.warnings, 2);
    ck_assert_int_eq(diags.list.at[1].level, LEVEL_WARNING);
    set_text("abcdef", 6);
    ck_contains(shown(&render_text), "3 errors, 2 warnings (3 not shown)\n");
    ck_contains(shown(&render_gcc), "note: 3 findings not shown\n");
    how.max_findings = 1;
    ck_contains(shown(&render_text), "3 errors, 2 warnings (4 not shown)\n");
    ck_lacks(shown(&render_text), "number 1");
    ck_lacks(shown(&render_json), "number 1");
}
END_TEST

START_TEST(quote_is_bounded)
{
    char *big = malloc(1 << 20);
    for (size_t i = 0; i + 2 < 1 << 20; i += 3)
        memcpy(big + i, "\u4e2d", 3);
    const char *quoted = diag_quote(&diags, (struct slice){big, (1 << 20) - 1});
    ck_assert_uint_lt(strlen(quoted), 110);
    ck_assert_uint_eq(utf8_first_bad(quoted, strlen(quoted)), strlen(quoted));
    ck_contains(quoted, "...");
    ck_assert_str_eq(diag_quote(&diags, SLICE("short")), "short");
    memset(big, 0x80, 1000);
    ck_assert_uint_lt(strlen(diag_quote(&diags, (struct slice){big, 1000})), 110);
    free(big);
}
END_TEST

START_TEST(text_form)
{
    const char *program = "{ lambda ; a:f32[]. let\n    b:f32[] = sin xy\n  in (b,) }\n";
    set_text(program, strlen(program));
    u32 at = (u32)(strstr(program, "xy") - program);
    diag_add(&diags, DIAG_S012, at, 2, "`%s` is bound nowhere", "xy");
    diag_note(&diags, 11, 7, "this is bound");
    diag_note(&diags, NONE, 0, "did you mean `a`?");
    ck_assert_str_eq(shown(&render_text), "f.jaxpr:2:19: error: `xy` is bound nowhere [S012 unbound-variable]\n"
                                          "   2 |     b:f32[] = sin xy\n"
                                          "     |                   ^~\n"
                                          "f.jaxpr:1:12: note: this is bound\n"
                                          "   1 | { lambda ; a:f32[]. let\n"
                                          "     |            ^~~~~~~\n"
                                          "     = note: did you mean `a`?\n");
    ck_assert_str_eq(shown(&render_gcc), "f.jaxpr:2:19: error: `xy` is bound nowhere [S012]\n"
                                         "f.jaxpr:1:12: note: this is bound\n"
                                         "f.jaxpr:2:19: note: did you mean `a`?\n");
    set_text("a\n \t\n", 5);
    diags.list.at[0].notes = NONE;
    diags.list.at[0].at = 3;
    ck_assert_str_eq(shown(&render_text), "f.jaxpr:2:2: error: `xy` is bound nowhere [S012 unbound-variable]\n");
    diags.list.at[0].at = 0;
    how.color = true;
    const char *colored = shown(&render_text);
    ck_contains(colored, "\033[1;31merror:\033[0m");
    ck_contains(colored, "\033[1;31m^\033[0m\n");
}
END_TEST

START_TEST(carets_are_under_the_token)
{
    static const struct {
        const char *line;
        u32 at, n;
        const char *column, *source, *carets;
    } cases[] = {
        {"a\tbc", 2, 2, ":1:3:", "a       bc", "        ^~"},
        {"\t\tb", 2, 1, ":1:3:", "                b", "                ^"},
        {"a\tb", 1, 1, ":1:2:", "a       b", " ^~~~~~~"},
        {"\u4e2d\u6587 x", 7, 1, ":1:4:", "\u4e2d\u6587 x", "     ^"},
        {"\u4e2d\u6587 x", 3, 3, ":1:2:", "\u4e2d\u6587 x", "  ^~"},
        {"e\u0301 x", 4, 1, ":1:4:", "e\u0301 x", "  ^"},
        {"e\u0301 x", 1, 2, ":1:2:", "e\u0301 x", "^"},
        {"\U0001F600 x", 5, 1, ":1:3:", "\U0001F600 x", "   ^"},
        {"a\xff"
         "b",
         2, 1, ":1:3:",
         "a\\xff"
         "b",
         "     ^"},
        {"a\xff"
         "b",
         1, 1, ":1:2:",
         "a\\xff"
         "b",
         " ^~~~"},
        {"a\033[2Jb", 5, 1, ":1:6:", "a\\x1b[2Jb", "        ^"},
        {"a\u202eb", 4, 1, ":1:3:", "a\\u{202e}b", "         ^"},
        {"a\xc2\x9b"
         "1mb",
         5, 1, ":1:5:", "a\\u{9b}1mb", "         ^"},
        {"a\u4e2d"
         "b",
         2, 1, ":1:3:",
         "a\u4e2d"
         "b",
         " ^~"},
        {"ab", 2, 0, ":1:3:", "ab", "  ^"},
        {"ab", 1, 0, ":1:2:", "ab", " ^"},
        {"ab", 7, 3, ":1:3:", "ab", "  ^"},
        {"ab\r\ncd", 1, 4, ":1:2:", "ab", " ^"},
        {"ab\ncd", 1, 4, ":1:2:", "ab", " ^"},
        {"ab\ncd", 2, 1, ":1:3:", "ab", "  ^"},
        {"ab\ncd", 4, 1, ":2:2:", "cd", " ^"},
    };
    for (u32 i = 0; i < countof(cases); i++) {
        set_text(cases[i].line, strlen(cases[i].line));
        diags_init(&diags, &mem);
        diag_add(&diags, DIAG_S001, cases[i].at, cases[i].n, "here");
        char *want = arena_alloc(&mem, 400);
        snprintf(want, 400, "f.jaxpr%s error: here [S001 syntax-error]\n   %c | %s\n     | %s\n", cases[i].column,
                 cases[i].column[1], cases[i].source, cases[i].carets);
        ck_assert_str_eq(shown(&render_text), want);
    }
}
END_TEST

/* the cells of the first line that begins with the prefix, up to its end; *at_caret: cells before the first `^` */
static u32
line_cells(const char *shown_text, const char *prefix, u32 *at_caret)
{
    const char *p = strstr(shown_text, prefix);
    ck_assert_ptr_nonnull(p);
    u32 cells = 0;
    *at_caret = NONE;
    for (p += strlen(prefix); *p != '\n';) {
        u32 code;
        size_t n = utf8_decode(p, strlen(p), &code);
        ck_assert_uint_gt(n, 0);
        if (*p == '^')
            *at_caret = cells;
        cells += (u32)utf8_cells(code);
        p += n;
    }
    return cells;
}

START_TEST(long_lines_are_cut)
{
    enum { SIZE = 10 << 20 };
    static const struct {
        const char *unit;
        u32 n;
    } fills[] = {{"x", 1}, {"\u4e2d", 3}, {"\u0301", 2}, {"\xff", 1}, {"\t", 1}};
    char *big = malloc(SIZE);
    for (u32 f = 0; f < countof(fills); f++) {
        u32 n = SIZE / fills[f].n * fills[f].n;
        for (u32 i = 0; i < n; i += fills[f].n)
            memcpy(big + i, fills[f].unit, fills[f].n);
        u32 middle = n / fills[f].n / 2 * fills[f].n;
        static const char word[] = "TOKEN!";
        memcpy(big + middle, word, 6);
        memcpy(big, word, 6);
        memcpy(big + n - 6, word, 6);
        set_text(big, n);
        u32 places[] = {0, middle, n - 6};
        for (u32 k = 0; k < 3; k++) {
            diags_init(&diags, &mem);
            diag_add(&diags, DIAG_S001, places[k], 6, "here");
            const char *out = shown(&render_text);
            u32 caret, none;
            u32 all = line_cells(out, "   1 | ", &none);
            ck_assert_uint_le(all, 130);
            if (f == 0)
                ck_assert_uint_ge(all, 120); /* the full width is used at the ends of the line, too */
            line_cells(out, "     | ", &caret);
            ck_assert_uint_ne(caret, NONE);
            ck_contains(out, "^~~~~~\n");
            ck_contains(out, "TOKEN!");
            ck_contains(out, "...");
            /* the token is above the carets */
            const char *line = strstr(out, "   1 | ") + 7;
            u32 cells = 0;
            for (const char *p = line; strncmp(p, word, 6) != 0;) {
                u32 code;
                size_t length = utf8_decode(p, strlen(p), &code);
                cells += (u32)utf8_cells(code);
                p += length;
            }
            ck_assert_uint_eq(cells, caret);
        }
        /* a span longer than the window keeps some text before it visible */
        diags_init(&diags, &mem);
        diag_add(&diags, DIAG_S001, middle, n - middle, "here");
        ck_contains(shown(&render_text), "TOKEN!");
    }
    free(big);
}
END_TEST

START_TEST(many_findings_on_one_long_line)
{
    enum { SIZE = 8 << 20, COUNT = 50000 };
    char *big = malloc(SIZE);
    memset(big, 'x', SIZE);
    set_text(big, SIZE);
    free(big);
    for (u32 i = 0; i < COUNT; i++) {
        diag_add(&diags, DIAG_S012, SIZE / COUNT * i, 1, "here");
        diag_note(&diags, SIZE - 1 - i, 1, "there");
    }
    const char *out = shown(&render_gcc);
    char last[128];
    snprintf(last, sizeof last, "f.jaxpr:1:%u: error: here [S012]\nf.jaxpr:1:%u: note: there\n",
             SIZE / COUNT * (COUNT - 1) + 1, SIZE - COUNT + 1);
    ck_assert_str_eq(out + strlen(out) - strlen(last), last);
    shown(&render_text);
    shown(&render_sarif);
}
END_TEST

START_TEST(columns_agree_with_text_position)
{
    char bytes[20000];
    u32 n = 0;
    for (u32 i = 0; n < sizeof bytes - 8; i++) {
        const char *unit = i % 7 == 0 ? "\u4e2d" : i % 11 == 0 ? "\u00e9" : i % 5000 == 4999 ? "\r\n" : "y";
        memcpy(bytes + n, unit, strlen(unit));
        n += (u32)strlen(unit);
    }
    set_text(bytes, n);
    for (u32 at = 0; at <= n; at += 37)
        diag_add(&diags, DIAG_S001, at, 0, "x");
    const char *out = shown(&render_gcc);
    for (u32 at = 0; at <= n; at += 37) {
        struct position p = text_position(&mem, &text, at);
        char want[128];
        int length = snprintf(want, sizeof want, "f.jaxpr:%u:%u: error: x [S001]\n", p.line, p.column);
        ck_assert_msg(strncmp(out, want, (size_t)length) == 0, "at %u: %s", at, want);
        out += length;
    }
}
END_TEST

START_TEST(no_control_character_reaches_the_terminal)
{
    set_text("\033]0;title\007\b\x7f\xc2\x85\n", 15);
    text.name = SLICE("a\033[31m\n.jaxpr");
    diag_add(&diags, DIAG_S001, 0, 3, "bad `%s`", "\033[2J\r\n\x80\u2066");
    diag_note(&diags, 0, 3, "note \033c");
    const struct renderer *const all[] = {&render_text,  &render_gcc,    &render_github, &render_json,
                                          &render_sarif, &render_gitlab, &render_junit,  &render_jsonl};
    for (u32 i = 0; i < countof(all); i++)
        for (const char *p = shown(all[i]); *p; p++)
            ck_assert_msg((u8)*p >= 0x20 ? *p != 0x7f : *p == '\n', "renderer %u, byte %02x", i, (u8)*p);
    const char *out = shown(&render_text);
    ck_contains(out, "bad `\\x1b[2J\\r\\n\\x80\\u{2066}`");
    ck_contains(out, "a\\x1b[31m\\n.jaxpr:1:1: error");
    ck_assert_uint_eq(utf8_first_bad(out, strlen(out)), strlen(out));
}
END_TEST

START_TEST(json_form)
{
    ck_assert_str_eq(shown(&render_json), "[]\n");
    set_text("ab\n\u4e2d\"x\n", 8);
    diags.program = 3;
    diag_add(&diags, DIAG_S012, 6, 1, "say \"%s\"\n", "x");
    diag_note(&diags, 0, 4, "from \xff here");
    diag_note(&diags, NONE, 0, "no place");
    diags.program = NONE;
    diag_add(&diags, DIAG_S018, NONE, 0, "all of it");
    ck_assert_str_eq(
        shown(&render_json),
        "[\n{\"file\":\"f.jaxpr\",\"line\":2,\"column\":2,\"end_line\":2,\"end_column\":3,\"code\":\"S012\","
        "\"name\":\"unbound-variable\",\"level\":\"error\",\"message\":\"say \\\"x\\\"\\n\",\"program\":3,\"notes\":["
        "{\"line\":1,\"column\":1,\"end_line\":2,\"end_column\":2,\"message\":\"from \xEF\xBF\xBD here\"},"
        "{\"line\":null,\"column\":null,\"end_line\":null,\"end_column\":null,\"message\":\"no place\"}]},\n"
        "{\"file\":\"f.jaxpr\",\"line\":null,\"column\":null,\"end_line\":null,\"end_column\":null,\"code\":\"S018\","
        "\"name\":\"excerpt\",\"level\":\"warning\",\"message\":\"all of it\",\"program\":null,\"notes\":[]}\n]\n");
}
END_TEST

START_TEST(github_form)
{
    set_text("ab\ncd\n", 6);
    text.name = SLICE("a,b:100%.jaxpr");
    diag_add(&diags, DIAG_S012, 3, 2, "100%% of `x`: a, b\nc\rd::error::e");
    diag_note(&diags, 0, 1, "bound, there");
    diag_add(&diags, DIAG_S019, 0, 4, "over lines");
    ck_assert_str_eq(shown(&render_github),
                     "::error file=a%2Cb%3A100%25.jaxpr,line=2,col=1,endColumn=3,title=S012 unbound-variable::"
                     "100%25 of `x`: a, b%0Ac%0Dd::error::e%0A1:1: note: bound, there\n"
                     "::notice file=a%2Cb%3A100%25.jaxpr,line=1,endLine=2,title=S019 untyped-program::over lines\n");
}
END_TEST

START_TEST(several_reports)
{
    struct text second;
    struct diags more, none;
    diags_init(&more, &mem);
    diags_init(&none, &mem);
    set_text("one", 3);
    text_init(&mem, &second, SLICE("g.jaxpr"), "\ntwo", 4);
    diag_add(&diags, DIAG_S001, 1, 1, "m1");
    diag_add(&more, DIAG_S001, 1, 1, "m2");
    diag_add(&more, DIAG_S001, 2, 1, "m3");
    struct report reports[] = {{&text, &none, 1}, {&text, &diags, 1}, {&text, &none, 1}, {&second, &more, 1}};
    how.max_findings = 2;
    ck_assert_str_eq(document(&render_gcc, reports, countof(reports)),
                     "f.jaxpr:1:2: error: m1 [S001]\ng.jaxpr:2:1: error: m2 [S001]\nnote: 1 findings not shown\n");
}
END_TEST

/* the text between `"jaxprFinding/v1":"` and the next quote, the i-th time */
static const char *
fingerprint(const char *sarif, u32 i)
{
    const char *key = "\"jaxprFinding/v1\":\"";
    do
        sarif = strstr(sarif, key) + strlen(key);
    while (i--);
    return arena_copy(&mem, (struct slice){sarif, strcspn(sarif, "\"")}).at;
}

START_TEST(notes_in_another_text)
{
    struct text op_view;
    set_text("one\ntwo", 7);
    text_init(&mem, &op_view, SLICE("asked.yaml"), "a:\n  - two\n", 11);
    text_position(&mem, &op_view, 0);
    diag_add(&diags, DIAG_S012, 4, 3, "m1");
    diag_note_in(&diags, &op_view, 7, 3, "asked for here");
    diag_note(&diags, 0, 3, "own");
    ck_assert_str_eq(shown(&render_text), "f.jaxpr:2:1: error: m1 [S012 unbound-variable]\n"
                                          "   2 | two\n"
                                          "     | ^~~\n"
                                          "asked.yaml:2:5: note: asked for here\n"
                                          "   2 |   - two\n"
                                          "     |     ^~~\n"
                                          "f.jaxpr:1:1: note: own\n"
                                          "   1 | one\n"
                                          "     | ^~~\n");
    ck_assert_str_eq(shown(&render_gcc), "f.jaxpr:2:1: error: m1 [S012]\n"
                                         "asked.yaml:2:5: note: asked for here\n"
                                         "f.jaxpr:1:1: note: own\n");
    ck_contains(shown(&render_json),
                "{\"line\":2,\"column\":5,\"end_line\":2,\"end_column\":8,\"file\":\"asked.yaml\",");
    ck_contains(shown(&render_sarif), "\"uri\":\"asked.yaml\"},\"region\":{\"startLine\":2");
    ck_contains(shown(&render_github), "%0Aasked.yaml:2:5: note: asked for here%0A1:1: note: own");
}
END_TEST

START_TEST(sarif_form)
{
    set_text("ab\ncd\ncd\n", 9);
    text.name = SLICE("/tmp/a b%.jaxpr");
    ck_contains(shown(&render_sarif),
                "\"columnKind\":\"unicodeCodePoints\",\"results\":[],\"tool\":{\"driver\":{\"name\":\"jaxpr\",");
    diags.program = 0;
    diag_add(&diags, DIAG_S012, 3, 2, "a {0} \"b\"");
    diag_note(&diags, 0, 1, "there");
    diag_note(&diags, NONE, 0, "placeless");
    diag_add(&diags, DIAG_S018, 6, 2, "c");
    diag_add(&diags, DIAG_S012, 6, 2, "d");
    const char *out = shown(&render_sarif);
    ck_contains(out,
                "{\"$schema\":\"https://json.schemastore.org/sarif-2.1.0.json\",\"version\":\"2.1.0\",\"runs\":[{");
    ck_contains(out, "\n{\"id\":\"S012\",\"name\":\"unbound-variable\",\"shortDescription\":{\"text\":");
    ck_contains(out, ",\n{\"id\":\"S018\",\"name\":\"excerpt\"");
    ck_contains(out, "\"defaultConfiguration\":{\"level\":\"warning\"}}");
    ck_contains(out,
                "\n{\"ruleId\":\"S012\",\"ruleIndex\":0,\"level\":\"error\",\"message\":{\"text\":\"a {0} \\\"b\\\""
                "\\nnote: placeless\"},\"locations\":[{\"physicalLocation\":{\"artifactLocation\":{\"uri\":"
                "\"file:///tmp/a%20b%25.jaxpr\"},\"region\":{\"startLine\":2,\"startColumn\":1,\"endLine\":2,"
                "\"endColumn\":3}}}],\"relatedLocations\":[{\"id\":0,\"physicalLocation\":{\"artifactLocation\":{");
    ck_contains(out, "\"ruleId\":\"S018\",\"ruleIndex\":1,\"level\":\"warning\"");
    /* equal findings on equal lines have equal hashes and different counts */
    const char *first = fingerprint(out, 0), *second = fingerprint(out, 1), *third = fingerprint(out, 2);
    ck_assert_uint_eq(strlen(first), 18);
    ck_assert_mem_eq(first, third, 16);
    ck_assert_str_eq(first + 16, ":1");
    ck_assert_str_eq(third + 16, ":2");
    ck_assert_mem_ne(first, second, 16);
    /* a line added above changes no fingerprint */
    set_text("new\nab\n  cd\ncd\n", 15);
    diags_init(&diags, &mem);
    diag_add(&diags, DIAG_S012, 9, 2, "other words");
    ck_assert_str_eq(fingerprint(shown(&render_sarif), 0), first);
}
END_TEST

static u32
random_below(u32 n)
{
    return (u32)random() % n;
}

/* a text of unusual characters; most of it on long lines if `lines` is false */
static void
set_random_text(bool lines)
{
    static const char *const units[] = {"a",       " ",        "\t",   "\n",   "\r\n", "\u4e2d",
                                        "e\u0301", "\u0301",   "\xff", "\x80", "\033", "\U0001F600",
                                        "\u202e",  "\xe4\xb8", "%",    ":",    "\"",   "\xc2\x9b"};
    static char bytes[8000];
    u32 n = 0, count = random_below(random_below(2) ? 100 : 2000);
    for (u32 i = 0; i < count; i++) {
        const char *unit = units[random_below(3) ? 0 : random_below((u32)countof(units))];
        if (!lines && (*unit == '\n' || *unit == '\r'))
            continue;
        memcpy(bytes + n, unit, strlen(unit));
        n += (u32)strlen(unit);
    }
    set_text(bytes, n);
}

/* fails unless the output is UTF-8 without control characters, lines are short, and carets end below the line above */
static void
judge_shown(const char *out)
{
    ck_assert_uint_eq(utf8_first_bad(out, strlen(out)), strlen(out));
    u32 above = 0;
    while (*out) {
        u32 cells = 0, code;
        const char *line = out;
        for (; *out != '\n'; out += utf8_decode(out, 4, &code), cells += (u32)utf8_cells(code))
            ck_assert_uint_ge((u8)*out, 0x20);
        out++;
        if (strncmp(line, "     | ", 7) == 0)
            ck_assert_uint_le(cells, above + 1);
        if (strncmp(line, "f.jaxpr:", 8) != 0)
            ck_assert_uint_le(cells, 7 + 3 + 120 + 3);
        above = cells;
    }
}

START_TEST(random_spans_in_random_texts)
{
    srandom(20);
    for (u32 round = 0; round < 60; round++) {
        mem_drop(&mem);
        diags_init(&diags, &mem);
        set_random_text(round % 2);
        for (u32 i = 0; i < 20; i++) {
            diag_add(&diags, (enum diag_code)random_below(DIAG_COUNT), random_below(text.n + 3),
                     random_below(3) ? random_below(5) : random_below(text.n + 5), "%s",
                     diag_quote(&diags, (struct slice){text.at, random_below(text.n + 1)}));
            diag_note(&diags, random_below(text.n + 3), random_below(9), "there");
        }
        diags_sort(&diags);
        judge_shown(shown(&render_text));
        shown(&render_json);
        shown(&render_sarif);
        shown(&render_github);
        shown(&render_gitlab);
        shown(&render_junit);
    }
}
END_TEST

int
main(void)
{
    Suite *suite = suite_create("diag");
    TCase *tc = tcase_create("diag");
    tcase_add_checked_fixture(tc, setup, mem_close);
    tcase_set_timeout(tc, 0);
    tcase_add_test(tc, table_is_sound);
    tcase_add_test(tc, sort_is_stable_and_by_place);
    tcase_add_test(tc, sort_of_many);
    tcase_add_test(tc, limit_counts_what_it_drops);
    tcase_add_test(tc, quote_is_bounded);
    tcase_add_test(tc, text_form);
    tcase_add_test(tc, carets_are_under_the_token);
    tcase_add_test(tc, long_lines_are_cut);
    tcase_add_test(tc, many_findings_on_one_long_line);
    tcase_add_test(tc, columns_agree_with_text_position);
    tcase_add_test(tc, no_control_character_reaches_the_terminal);
    tcase_add_test(tc, json_form);
    tcase_add_test(tc, github_form);
    tcase_add_test(tc, several_reports);
    tcase_add_test(tc, notes_in_another_text);
    tcase_add_test(tc, sarif_form);
    tcase_add_test(tc, random_spans_in_random_texts);
    suite_add_tcase(suite, tc);
    return suite_run(suite);
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * command: parsing the command line, replacing files atomically, and unified diffs, which must rebuild one text from
 * the other. */
#include "command/command.h"
#include "unit.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static struct output
memory_output(void)
{
    return (struct output){.fd = -1};
}

static struct input
text(const char *string)
{
    return (struct input){(char *)(uintptr_t)string, strlen(string)};
}

/* the diff of two texts, NUL-terminated; NULL when there is none */
static char *
diff_of(struct input from, struct input to)
{
    struct output out = memory_output();
    bool any = unified_diff(&out, "old", "new", from, to);
    ck_assert_int_eq(any, out.n > 0);
    if (!any)
        return NULL;
    output_write(&out, "", 1);
    return out.at;
}

START_TEST(diff_of_equal_texts)
{
    ck_assert_ptr_null(diff_of(text("a\nb\n"), text("a\nb\n")));
    ck_assert_ptr_null(diff_of(text(""), text("")));
}
END_TEST

START_TEST(diff_has_context_and_ranges)
{
    char *diff = diff_of(text("1\n2\n3\n4\n5\n6\n7\n8\n9\n"), text("1\n2\n3\n4\nfive\n6\n7\n8\n9\n"));
    ck_assert_str_eq(diff, "--- old\n+++ new\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n");
    free(diff);
}
END_TEST

START_TEST(diff_of_empty_text)
{
    char *diff = diff_of(text(""), text("a\nb\n"));
    ck_assert_str_eq(diff, "--- old\n+++ new\n@@ -0,0 +1,2 @@\n+a\n+b\n");
    free(diff);
    diff = diff_of(text("a\n"), text(""));
    ck_assert_str_eq(diff, "--- old\n+++ new\n@@ -1 +0,0 @@\n-a\n");
    free(diff);
}
END_TEST

START_TEST(diff_reports_a_missing_newline)
{
    char *diff = diff_of(text("a\nb"), text("a\nb\n"));
    ck_assert_str_eq(diff, "--- old\n+++ new\n@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b\n");
    free(diff);
}
END_TEST

/* Applies a diff, and checks the context it contains; every line of the texts ends with a newline. */
static char *
apply(const char *from, const char *diff)
{
    struct output out = memory_output();
    const char *at = from, *d = strchr(strchr(diff, '\n') + 1, '\n') + 1;
    int line = 1, old_first, new_first;
    while (*d != 0) {
        ck_assert_int_eq(sscanf(d, "@@ -%d", &old_first), 1);
        const char *plus = strchr(d, '+');
        ck_assert_int_eq(sscanf(plus, "+%d", &new_first), 1);
        const char *comma = strchr(d, ',');
        bool empty = comma != NULL && comma < plus && comma[1] == '0';
        for (d = strchr(d, '\n') + 1; line < old_first + empty; line++) {
            const char *next = strchr(at, '\n') + 1;
            output_write(&out, at, (size_t)(next - at));
            at = next;
        }
        for (; *d != 0 && *d != '@'; d = strchr(d, '\n') + 1) {
            size_t n = (size_t)(strchr(d, '\n') - d);
            if (*d != '+') {
                ck_assert_msg(strncmp(at, d + 1, n) == 0, "context differs at line %d", line);
                at += n;
                line++;
            }
            if (*d != '-')
                output_write(&out, d + 1, n);
        }
    }
    output_puts(&out, at);
    output_write(&out, "", 1);
    return out.at;
}

static unsigned
roll(unsigned *state)
{
    *state = *state * 1103515245u + 12345u;
    return *state >> 16;
}

/* A random text of few different lines, and another with some of its lines changed. */
static void
make_texts(unsigned seed, char *from, char *to)
{
    unsigned state = seed;
    unsigned n = roll(&state) % 60, kinds = 1 + roll(&state) % 30;
    for (unsigned i = 0; i < n; i++) {
        unsigned kind = roll(&state) % kinds, what = roll(&state) % 8;
        from += sprintf(from, "line %u\n", kind);
        if (what != 0)
            to += sprintf(to, "line %u\n", kind);
        if (what == 1)
            to += sprintf(to, "new %u\n", roll(&state) % 3);
    }
    *from = *to = 0;
}

START_TEST(diff_rebuilds_the_other_text)
{
    char from[4096], to[8192];
    make_texts((unsigned)_i, from, to);
    char *diff = diff_of(text(from), text(to));
    if (diff == NULL) {
        ck_assert_str_eq(from, to);
        return;
    }
    char *rebuilt = apply(from, diff);
    ck_assert_str_eq(rebuilt, to);
    free(rebuilt);
    free(diff);
}
END_TEST

/* Many equal lines in both texts, or no common line: quadratic in a naive algorithm. */
START_TEST(diff_of_the_worst_case_is_fast)
{
    enum { LINES = 200000 };
    struct output one = memory_output(), other = memory_output();
    for (int i = 0; i < LINES; i++) {
        output_puts(&one, i % 3 != 0 ? "a\n" : "b\n");
        if (_i == 0)
            output_puts(&other, i % 2 != 0 ? "b\n" : "a\n");
        else
            output_printf(&other, "%d\n", i);
    }
    clock_t start = clock();
    free(diff_of((struct input){one.at, one.n}, (struct input){other.at, other.n}));
    ck_assert_msg((double)(clock() - start) / CLOCKS_PER_SEC < 10, "took too long");
    output_free(&one);
    output_free(&other);
}
END_TEST

START_TEST(replace_keeps_mode_and_links)
{
    char directory[] = "/tmp/jaxpr-test-XXXXXX", file[64], name[64], content[16] = "";
    ck_assert_ptr_nonnull(mkdtemp(directory));
    snprintf(file, sizeof file, "%s/file", directory);
    snprintf(name, sizeof name, "%s/link", directory);
    FILE *f = fopen(file, "w");
    fputs("old", f);
    fclose(f);
    ck_assert_int_eq(chmod(file, 0640), 0);
    ck_assert_int_eq(symlink("file", name), 0);
    ck_assert_ptr_null(file_replace(name, NULL, "new", 3));
    struct stat st;
    ck_assert_int_eq(lstat(name, &st), 0);
    ck_assert(S_ISLNK(st.st_mode));
    ck_assert_int_eq(stat(file, &st), 0);
    ck_assert_int_eq(st.st_mode & 07777, 0640);
    f = fopen(file, "r");
    ck_assert_ptr_nonnull(fgets(content, sizeof content, f));
    fclose(f);
    ck_assert_str_eq(content, "new");
    ck_assert_str_eq(file_replace(directory, NULL, "x", 1), strerror(EISDIR));
    ck_assert_str_eq(file_replace("/nonexistent/file", NULL, "x", 1), strerror(ENOENT));
    unlink(file);
    unlink(name);
    ck_assert_int_eq(rmdir(directory), 0); /* nothing else remained */
}
END_TEST

START_TEST(arguments_are_taken_apart)
{
    char verb[] = "fmt", w[] = "-wl", width[] = "--width=100", file[] = "x", again[] = "--width", number[] = "90";
    char *argv[] = {verb, w, width, file, again, number, NULL};
    struct invocation in;
    optind = 0; /* getopt starts again */
    ck_assert_int_eq(arguments_read(&in, VERB_fmt, 6, argv), -1);
    ck_assert_ptr_nonnull(in.value[OPTION_write]);
    ck_assert_ptr_nonnull(in.value[OPTION_list]);
    ck_assert_ptr_null(in.value[OPTION_diff]);
    ck_assert_uint_eq(option_number(&in, OPTION_width, 80), 90);
    ck_assert_uint_eq(option_number(&in, OPTION_jobs, 7), 7);
    ck_assert_int_eq(in.n_files, 1);
    ck_assert_str_eq(in.files[0], "x");
}
END_TEST

START_TEST(colour_follows_the_flag_then_the_environment)
{
    struct invocation in = {.verb = VERB_check};
    int fd = open("/dev/null", O_WRONLY);
    unsetenv("NO_COLOR");
    unsetenv("CLICOLOR_FORCE");
    ck_assert(!color_wanted(&in, fd));
    setenv("CLICOLOR_FORCE", "1", 1);
    ck_assert(color_wanted(&in, fd));
    setenv("NO_COLOR", "", 1); /* empty is the same as unset */
    ck_assert(color_wanted(&in, fd));
    setenv("NO_COLOR", "1", 1);
    ck_assert(!color_wanted(&in, fd));
    in.value[OPTION_color] = "always";
    ck_assert(color_wanted(&in, fd));
    unsetenv("NO_COLOR");
    in.value[OPTION_color] = "never";
    ck_assert(!color_wanted(&in, fd));
    in.value[OPTION_color] = "auto";
    setenv("CLICOLOR_FORCE", "0", 1);
    ck_assert(!color_wanted(&in, fd));
    close(fd);
}
END_TEST

START_TEST(write_errors_stick)
{
    struct output full = {.fd = open("/dev/full", O_WRONLY)};
    if (full.fd < 0)
        return;
    output_puts(&full, "x");
    ck_assert(!output_flush(&full));
    ck_assert_int_eq(full.error, ENOSPC);
    ck_assert_int_ne(output_write(&full, "x", 1), 0);
    close(full.fd);
    free(full.at);
}
END_TEST

START_TEST(a_growing_file_is_read_to_its_end)
{
    char path[] = "/tmp/jaxpr-grows-XXXXXX", bytes[64];
    int fd = mkstemp(path);
    ck_assert_int_ge(fd, 0);
    struct source s = {0};
    ck_assert_int_eq(write(fd, "first", 5), 5);
    ck_assert(source_open(&s, path));
    ck_assert_int_eq(source_read(&s, bytes, sizeof bytes), 5);
    ck_assert_int_eq(write(fd, "second", 6), 6);
    ck_assert_int_eq(source_read(&s, bytes, sizeof bytes), 6);
    ck_assert_int_eq(memcmp(bytes, "second", 6), 0);
    ck_assert_int_eq(source_read(&s, bytes, sizeof bytes), 0);
    ck_assert_int_eq(s.error, 0);
    source_close(&s);
    close(fd);
    unlink(path);
}
END_TEST

int
main(void)
{
    Suite *suite = suite_create("command");
    TCase *tc = tcase_create("command");
    tcase_set_timeout(tc, 0);
    tcase_add_test(tc, diff_of_equal_texts);
    tcase_add_test(tc, diff_has_context_and_ranges);
    tcase_add_test(tc, diff_of_empty_text);
    tcase_add_test(tc, diff_reports_a_missing_newline);
    tcase_add_loop_test(tc, diff_rebuilds_the_other_text, 0, 500);
    tcase_add_loop_test(tc, diff_of_the_worst_case_is_fast, 0, 2);
    tcase_add_test(tc, replace_keeps_mode_and_links);
    tcase_add_test(tc, arguments_are_taken_apart);
    tcase_add_test(tc, colour_follows_the_flag_then_the_environment);
    tcase_add_test(tc, write_errors_stick);
    tcase_add_test(tc, a_growing_file_is_read_to_its_end);
    suite_add_tcase(suite, tc);
    return suite_run(suite);
}

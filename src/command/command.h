/* SPDX-License-Identifier: Apache-2.0
 *
 * What the verbs share: the parsed command line, inputs read whole, outputs whose every write is checked, and
 * batches of files, processed one after another or in parallel. Only this directory prints, opens files and exits,
 * and it uses the library only through its public headers. */
#ifndef JX_COMMAND_H
#define JX_COMMAND_H

#include "jaxpr.h"

#include <sys/stat.h>
#include <sys/types.h>

#define printf_like(string, first) __attribute__((format(printf, string, first)))

/* Exit statuses, the same for every verb; that of a batch is the largest of its files. */
enum { EXIT_CLEAN = 0, EXIT_FINDINGS = 1, EXIT_TROUBLE = 2 };

enum verb_id {
#define VERB(id, group, name, arguments, summary, about) VERB_##id,
#include "options.def"
#undef VERB
    VERB_COUNT
};

enum option_id {
#define OPTION(id, letter, name, argument, verbs, help) OPTION_##id,
#include "options.def"
#undef OPTION
    OPTION_COUNT
};

/* The command line of one verb. */
struct invocation {
    enum verb_id verb;
    const char *value[OPTION_COUNT]; /* the argument of the last occurrence, "" for a flag; NULL: not given */
    char **files;                    /* the arguments after the options; `-` alone when there are none */
    int n_files;
    char *no_files[2];
    bool no_fast_path;             /* --no-fast-path, which is hidden from help */
    const void *data;              /* data that a verb shares among its jobs */
    const struct configs *configs; /* NULL if the verb reads no configurations */
};

/* parses argv, whose argv[0] is the verb, and prints usage errors. Returns a negative number to continue, else the
 * exit status */
int arguments_read(struct invocation *in, enum verb_id verb, int argc, char **argv);

/* the verb of a name, or VERB_COUNT */
enum verb_id verb_find(const char *name);

/* the verb, or `--help` or `--version`, that `word` may be a misspelling of; NULL if there is none */
const char *verb_nearest(const char *word);

/* replaces this process by the program `jaxpr-VERB` from PATH, where VERB is argv[0]. Its arguments are those after
 * argv[0], or --help if `help` is set. Returns only on failure: false if there is no such program, else true, after
 * a message */
bool external_run(char **argv, bool help);

/* prints the help of a verb, or of the whole program (VERB_COUNT), and the version; both return the exit status */
int help_print(enum verb_id verb);
int version_print(void);

/* makes a context whose memory --max-memory limits; exits, with a message, if there is none */
jx_context *context_make(const struct invocation *in);

/* the number of threads that --jobs asks for, from 1 to 256 */
int threads_wanted(const struct invocation *in);

/* lets calls on a context use `threads` threads, 1 or more, for parts of one file */
enum jx_status threads_set(jx_context *context, int threads);

/* the jx_run_fn of threads_set; user is the number of threads, including the caller's, as a pointer */
void threads_run(void *user, void (*work)(void *arg, uint32_t i), void *arg, uint32_t n);

/* how many files the command line names, 0 for standard input alone */
int files_given(const struct invocation *in);

/* whether the command line of a verb that compares two files names two; prints an error if not */
bool two_files(const struct invocation *in);

/* the name of a file in messages; standard input is `<stdin>`, or has the name given by --stdin-filename */
const char *input_name(const struct invocation *in, const char *path);

/* the value of a numeric option, or `unset` when it was not given. Values are checked by arguments_read */
uint32_t option_number(const struct invocation *in, enum option_id option, uint32_t unset);

/* the number of an option that takes a version, 428 for `0.4.28`; 0 if it was not given; UINT32_MAX, after a
 * message, if its value is not a version */
uint32_t option_version(const struct invocation *in, enum option_id option);

/* the index of an option's argument among `words`; 0 if it was not given; -1, after a message, for another word */
int option_word(const struct invocation *in, enum option_id option, const char *const *words, int n);

/* the enum jx_dialect of --dialect; -1, after a message, for an unknown word */
int dialect_read(const struct invocation *in);

/* ---- output ---- */

/* A buffered file descriptor, or (fd -1) a buffer in memory. */
struct output {
    int fd;
    char *at;
    size_t n, cap;
    int error;             /* errno of the first write that failed; nothing is written after it */
    const char *separator; /* written before the next byte; NULL: nothing is */
    bool used;             /* something was written */
    bool shown;            /* control characters are escaped, as `\x1b` */
    char begun[4];         /* with `shown`: the bytes of an incomplete character */
    size_t n_begun;
};

extern struct output standard_output, standard_error;

/* appends bytes; a jx_write_fn, user being the struct output */
int output_write(void *output, const char *bytes, size_t n);

/* output_write, or with `color` a writer that keeps escape sequences: the library then escapes the input itself */
jx_write_fn output_writer(bool color);

/* append a string, and text formatted as printf does */
void output_puts(struct output *o, const char *string);
void output_printf(struct output *o, const char *format, ...) printf_like(2, 3);

/* append bytes of an input, and the name of a file, with control characters and line ends escaped */
void output_shown(struct output *o, const char *bytes, size_t n);
void output_name(struct output *o, const char *name);

/* appends bytes as a string of JSON */
void output_json(struct output *o, const char *bytes, size_t n);

/* the ending of a noun after a number, "" or "s"; the name of a level */
const char *plural(uint64_t n);
const char *level_name(enum jx_level level);

/* writes what is buffered to the descriptor, if there is one; false if a write failed */
bool output_flush(struct output *o);
void output_free(struct output *o);

/* open(2), repeated where a signal interrupts it; -1 and errno on failure */
int file_open(const char *path, int flags);

/* flushes and closes a file; 0 or an errno */
int output_close(struct output *o);

/* decides whether control characters in standard output are escaped: on a terminal always, else unless the output is
 * for another program */
void output_prepare(const struct invocation *in);

/* flushes both standard streams and prints what failed; returns the status, or EXIT_TROUBLE where something failed */
int output_finish(int status);

/* appends the line `jaxpr: message`, with control characters escaped */
void output_complain(struct output *o, const char *format, ...) printf_like(2, 3);

/* prints such a line on standard error, after flushing standard output */
void complain(const char *format, ...) printf_like(1, 2);

/* whether to colour what goes to a descriptor: --color, NO_COLOR, CLICOLOR_FORCE, a terminal, in this order */
bool color_wanted(const struct invocation *in, int fd);

/* whether fmt prints programs in colour, and so escapes control characters itself */
bool programs_colored(const struct invocation *in);

/* whether output is paged: it goes to a terminal, and neither --no-pager nor the environment disables that */
bool pager_wanted(const struct invocation *in);

/* prints the contents of an output in memory, already escaped, by the pager, and waits for it */
void pager_print(const struct output *text);

/* malloc and realloc that end the program if memory runs out */
void *must_allocate(size_t n);
void *must_resize(void *old, size_t n);

/* a copy of n bytes as a NUL-terminated string, to be freed */
char *must_copy(const char *bytes, size_t n);

/* the path of a name in a directory, to be freed */
char *path_join(const char *directory, const char *name);

/* ---- input ---- */

/* A run of bytes, such as a file read whole. */
struct input {
    char *at;
    size_t n;
};

/* A file being read. */
struct source {
    int fd;
    int error;       /* errno of what went wrong */
    size_t expected; /* about how many bytes there will be; 0: unknown */
    struct stat was; /* the file when it was opened */
    bool regular;    /* a file, not a pipe or a terminal */
    bool keep;       /* what is read is appended to `kept`, too */
    bool no_devices; /* a pipe, terminal or device is refused, without waiting for one that writes to it */
    int threads;     /* how many threads may read the file; 0: one */
    bool begun;      /* something was read */
    struct input kept;
    size_t cap;
    struct unpacker *unpacker; /* of a gzip file; else NULL */
    const char *why;           /* why it cannot be decompressed; NULL: see `error` */
};

/* opens a file, or standard input for `-`; false (see source_why) if it cannot be read or is a directory. A gzip
 * file is decompressed while it is read */
bool source_open(struct source *s, const char *path);

/* reads the next bytes; a jx_read_fn, user being the struct source. At the end of an empty or growing file, waits
 * for more bytes for up to 20 ms */
ptrdiff_t source_read(void *source, char *into, size_t room);

/* why a source could not be read, as a message; valid after a failure */
const char *source_why(const struct source *s);

/* source_read without decompression */
ptrdiff_t source_read_packed(struct source *s, char *into, size_t room);

/* whether a gzip file begins with these bytes, at least 2 */
bool is_packed(const char *bytes, size_t n);

/* unpack_begin starts to decompress data that begins with these n bytes and continues in the file; unpack_read reads
 * the next bytes, 0 at the end. On failure they set s->why and return false or a negative number. unpack_end frees
 * the decompressor, if there is one */
bool unpack_begin(struct source *s, const char *first, size_t n);
ptrdiff_t unpack_read(struct source *s, char *into, size_t room);
void unpack_end(struct source *s);

/* reads to the end, so that a source with `keep` contains all bytes; false on failure */
bool source_drain(struct source *s);

/* closes the file and frees what was kept */
void source_close(struct source *s);

/* A file, whatever its path is. */
struct file_id {
    dev_t device;
    ino_t number;
};

/* The regular files among some paths. */
struct file_set {
    struct file_id *at;
    size_t n;
};

/* fills a set; the caller frees it. file_set_has: whether a path is one of them. Logarithmic */
void file_set_fill(struct file_set *set, char *const *files, int n);
bool file_set_has(const struct file_set *set, const char *path);
void file_set_free(struct file_set *set);

/* why a file that is also an input is not written */
#define IS_INPUT "is also an input; not written"

/* replace the contents of a file atomically, and keep its owner, mode and attributes. They return NULL, or why nothing
 * was written. file_replace follows a link and replaces its target, which must exist and not have changed since it
 * was opened (`was`); file_make makes a missing file, and refuses a link; file_write is file_make that also writes into
 * pipes and devices */
const char *file_replace(const char *path, const struct stat *was, const char *bytes, size_t n);
const char *file_make(const char *path, const char *bytes, size_t n);
const char *file_write(const char *path, const char *bytes, size_t n);

/* removes the temporary files of these three and keeps them from making others, before the program ends;
 * async-signal-safe */
void files_abandon(void);

/* ---- configurations ---- */

/* The configurations of a batch. */
struct configs {
    jx_context *context;
    struct config_file *files;
    struct config_place *places;
    int n_files, n_places;
    int only;    /* the index of the file of --config; -1 without --config */
    bool failed; /* one could not be read */
    bool broken; /* one has errors */
};

/* reads the configurations of all files of a command line: that of --config, or the nearest .jaxpr.yaml of each
 * file; none with --no-config. False, after a message, if one cannot be read; call configs_free in any case */
bool configs_load(const struct invocation *in, struct configs *all);
void configs_free(struct configs *all);

/* the configuration that applies to a file, or NULL, after configs_load; *relative becomes the file's path below the
 * configuration's directory, to be freed, or NULL */
jx_config *config_for(const struct invocation *in, const char *path, char **relative);

/* the i-th configuration and its path, NULL past the last */
jx_config *config_at(const struct configs *all, int i, const char **path);

/* the file of the i-th, when it was opened */
const struct stat *config_was(const struct configs *all, int i);

/* ---- batches ---- */

enum { UNVERIFIED_SHOWN = 8 };

/* The first names of what could not be verified. */
struct unverified_names {
    char *at[UNVERIFIED_SHOWN + 1];
    int n;
};

/* How many equations could not be verified, their primitives, and unknown types. */
struct unverified {
    uint64_t equations;
    struct unverified_names primitives, types;
};

/* The phases of a job that are timed. */
enum timing_phase { TIMING_FETCH, TIMING_READ, TIMING_CHECK, TIMING_PHASES };

/* What check --timing measures: the time of each phase, and the amount of text. */
struct timing {
    double seconds[TIMING_PHASES];
    uint64_t bytes, lines, tokens, equations;
};

/* seconds of a monotonic clock */
double timing_clock(void);

/* counts the bytes, lines and tokens of a text and the equations of its module. Linear */
void timing_count(struct timing *t, jx_module *module, const char *bytes, size_t n);

/* adds the measurements of one file to those of all; prints them on standard error */
void timing_merge(struct timing *all, const struct timing *of);
void timing_print(const struct timing *t);

struct job {
    const struct invocation *in;
    const char *path;
    const char *name; /* its name in messages */
    jx_context *context;
    struct source source;
    jx_module *module;         /* the module that was read; freed after its findings were rendered */
    jx_rewrite *rewrite;       /* of `module`, if a verb keeps both: its findings are rendered; else NULL */
    jx_signatures *signatures; /* the owner of `module` where the text contains signatures */
    struct jx_found found;     /* where the module's program was found in the file, when programs are extracted */
    jx_module **kept;          /* modules of extracted programs whose findings wait for earlier files */
    size_t n_kept;
    uint64_t programs; /* how many programs the verb has printed */
    struct unverified unverified;
    struct timing timing; /* with --timing */
    struct output *out, *err;
    struct output own_out, own_err; /* used where jobs run in parallel */
    int status;
    bool done;
};

/* whether an option was given */
static inline bool
job_given(const struct job *job, enum option_id option)
{
    return job->in->value[option] != NULL;
}

/* reads the file of --highlight-diff (graph.c); false, after a message, if it cannot be read or has errors */
bool job_read_other(struct job *job, const char *path, jx_module **other);

/* adds the count of one file to that of all, and moves its names */
void unverified_merge(struct unverified *all, struct unverified *of);

/* prints how many equations could not be verified, and which types, unless none or quiet, and frees the names */
void unverified_print(struct unverified *all, bool quiet);

/* prints why a job failed; its status becomes EXIT_TROUBLE */
void job_fail(struct job *job, const char *why);

/* Reads every file into job->module (and its bytes into job->source.kept, with `keep_bytes`) and calls `work` for each,
 * one after another or, with --jobs, in parallel. Output is in the order of the files, with `separator` (or NULL)
 * between those that print something. Renders the findings to `findings` in the form of --format, and applies
 * --max-findings and --quiet. Returns the exit status */
int batch_run(const struct invocation *in, void (*work)(struct job *), bool keep_bytes, const char *separator,
              struct output *findings);

/* batch_run for a `work` that prints JSON: the output becomes one array */
int batch_run_json(const struct invocation *in, void (*work)(struct job *));

/* batch_run for the programs found inside logs, notebooks and the files of directories: `work` is called for each
 * program, and memory does not grow with the size of the files */
int batch_extract(const struct invocation *in, void (*work)(struct job *), const char *separator,
                  struct output *findings);

/* replaces the directories among `files`, from the first-th on, by the regular files below them, sorted by name and,
 * without `all`, only *.jaxpr and *.jaxpr.*; a directory without such files stays in the list. The list has *n files;
 * walk_free frees it */
char **walk_files(char *const *files, int first, int *n, bool all);
void walk_free(char **files, int n);

/* the passes that an option names; ~0u, after a message, if a word is not a pass */
unsigned passes_read(const struct invocation *in, enum option_id option);

/* the keys of parameters that a comparison ignores, separated by commas, or NULL; the caller frees it */
char *ignored_keys(const struct invocation *in);

/* how check --fix rewrites programs: by the passes that fix errors, with the rest of the text unchanged */
struct jx_normal_options cure_options(void);

/* how eq and hash compare, by their options; the caller frees *ignored after the use */
struct jx_compare_options compare_options(const struct invocation *in, char **ignored);

/* the digests of a job's module by the options of eq and hash, to be freed; NULL, after a message, on failure.
 * Afterwards only the findings of the module may be used */
jx_digest_list *digests_make(struct job *job);

/* prints the cost of a job's programs, as text or JSON: the work of `stats --cost` */
void cost_work(struct job *job);

/* ---- verbs: each returns the exit status ---- */

#define VERB(id, group, name, arguments, summary, about) int command_##id(const struct invocation *in);
#include "options.def"
#undef VERB

/* writes a unified diff of two texts; false if they are equal. Nearly linear: long runs of changes are not matched
 * line by line */
bool unified_diff(struct output *out, const char *old_name, const char *new_name, struct input from, struct input to);

#endif

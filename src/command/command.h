/* SPDX-License-Identifier: Apache-2.0
 *
 * What the verbs share: the command line taken apart, inputs read whole, outputs whose every write is checked, and a
 * batch of files worked on one after another or side by side. Only this room prints, opens files and exits, and it
 * knows the rest of the program by jaxpr.h alone. */
#ifndef JX_COMMAND_H
#define JX_COMMAND_H

#include "jaxpr.h"

#define printf_like(string, first) __attribute__((format(printf, string, first)))

/* Exit statuses, the same for every verb; of a batch the largest counts. */
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
    const char *value[OPTION_COUNT]; /* what was given, "" for a flag; NULL: not given. The last one counts */
    char **files;                    /* the arguments after the options; `-` alone when there are none */
    int n_files;
    char *no_files[2];
    bool no_fast_path;             /* --no-fast-path, which no help names */
    const void *data;              /* what a verb shares among its jobs */
    const struct configs *configs; /* of verbs that are held to configurations; else NULL */
};

/* takes argv apart (argv[0] is the verb); prints usage errors. Returns a negative number, or the status to exit with */
int arguments_read(struct invocation *in, enum verb_id verb, int argc, char **argv);

/* the verb of a name, or VERB_COUNT */
enum verb_id verb_find(const char *name);

/* the first word of the command line that somebody may have meant by `word`, or NULL */
const char *verb_nearest(const char *word);

/* runs the program `jaxpr-VERB` of PATH in the place of this one, VERB being argv[0], with the arguments after it or,
 * for `help`, with --help. Returns where it cannot be run: false where there is none, true (said on stderr) otherwise
 */
bool external_run(char **argv, bool help);

/* prints the help of a verb, or of the whole program (VERB_COUNT), and the version; both return the exit status */
int help_print(enum verb_id verb);
int version_print(void);

/* makes a context that may take as much memory as --max-memory says; NULL when there is none */
jx_context *context_make(const struct invocation *in);

/* lets calls on a context use so many threads, 1 or more, for parts of one file */
enum jx_status threads_set(jx_context *context, int threads);

/* how many files the command line names, 0 for standard input alone */
int files_given(const struct invocation *in);

/* whether a verb that compares two files was given two; said on stderr where not */
bool two_files(const struct invocation *in);

/* the value of a numeric option, or `unset` when it was not given. Values are checked by arguments_read */
uint32_t option_number(const struct invocation *in, enum option_id option, uint32_t unset);

/* the number of an option that takes a version, 428 for `0.4.28`; 0 when it was not given, UINT32_MAX where it is
 * none */
uint32_t option_version(const struct invocation *in, enum option_id option);

/* which of the words an option names, as an index; 0 when it was not given; -1 (said on stderr) for another word */
int option_word(const struct invocation *in, enum option_id option, const char *const *words, int n);

/* ---- output ---- */

/* A buffer for a file descriptor, or one that keeps everything (fd -1). */
struct output {
    int fd;
    char *at;
    size_t n, cap;
    int error;             /* errno of the first write that failed; nothing is written after it */
    const char *separator; /* written before the next byte, if there is one; NULL for none */
    bool used;             /* something was written */
    bool shown;            /* what would act on a terminal is shown instead, as `\x1b` */
    char begun[4];         /* with `shown`: bytes of a character that is not all there yet */
    size_t n_begun;
};

extern struct output standard_output, standard_error;

/* appends bytes; a jx_write_fn, user being the struct output */
int output_write(void *output, const char *bytes, size_t n);

/* output_write, or with colour one that leaves escapes alone: the library then makes its input visible itself */
jx_write_fn output_writer(bool color);

/* output_write of a string, and of what printf would make */
void output_puts(struct output *o, const char *string);
void output_printf(struct output *o, const char *format, ...) printf_like(2, 3);

/* appends bytes of an input or the name of a file in a line for people to read: line ends are shown, too */
void output_shown(struct output *o, const char *bytes, size_t n);
void output_name(struct output *o, const char *name);

/* appends bytes as a string of JSON */
void output_json(struct output *o, const char *bytes, size_t n);

/* words of sentences: the ending of a noun that is counted, and the name of a level */
const char *plural(uint64_t n);
const char *level_name(enum jx_level level);

/* hands what is buffered to the descriptor (kept where there is none); false when a write failed */
bool output_flush(struct output *o);
void output_free(struct output *o);

/* opens a file with these flags of open(2), however often a signal interrupts that; -1 and errno where it cannot be */
int file_open(const char *path, int flags);

/* writes what is left of a file, and closes it; 0 or an errno */
int output_close(struct output *o);

/* decides whether standard output is shown: on a terminal always, else unless another program is to read the bytes */
void output_prepare(const struct invocation *in);

/* flushes both standard streams and says on stderr what went wrong; returns the status, worse if something did */
int output_finish(int status);

/* appends the line `jaxpr: message`, in which control characters are shown as `\x1b` */
void output_complain(struct output *o, const char *format, ...) printf_like(2, 3);

/* prints such a line on standard error, after flushing standard output */
void complain(const char *format, ...) printf_like(1, 2);

/* whether to colour what goes to a descriptor: --color, NO_COLOR, CLICOLOR_FORCE, a terminal, in this order */
bool color_wanted(const struct invocation *in, int fd);

/* whether fmt prints its programs in colour, and so makes them visible itself */
bool programs_colored(const struct invocation *in);

/* whether output is to be paged: it goes to a terminal, and neither --no-pager nor the environment is against it */
bool pager_wanted(const struct invocation *in);

/* prints what an output in memory holds, which is visible already, by the pager, and waits for it */
void pager_print(const struct output *text);

/* malloc and realloc that end the program when there is no memory */
void *must_allocate(size_t n);
void *must_resize(void *old, size_t n);

/* n bytes as a string of their own, to be freed */
char *must_copy(const char *bytes, size_t n);

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
    bool regular;    /* a file, not a pipe or a terminal */
    bool keep;       /* what is read goes to `kept` as well */
    bool begun;      /* something was read */
    struct input kept;
    size_t cap;
    struct unpacker *unpacker; /* of what gzip packed; else NULL */
    const char *why;           /* why it cannot be unpacked; NULL: see `error` */
};

/* opens a file, or standard input for `-`; false (see source_why) for what cannot be read, directories included. What
 * gzip packed is unpacked as it is read */
bool source_open(struct source *s, const char *path);

/* reads on; a jx_read_fn, user being the struct source. Where a file is empty, or longer than it was a moment ago,
 * somebody is saving it: its bytes are waited for, up to 20 ms */
ptrdiff_t source_read(void *source, char *into, size_t room);

/* why a source could not be read, as words; after something failed */
const char *source_why(const struct source *s);

/* source_read of the bytes as they are, packed or not */
ptrdiff_t source_read_packed(struct source *s, char *into, size_t room);

/* whether bytes are the first of what gzip packed, at least 2 of them */
bool is_packed(const char *bytes, size_t n);

/* unpack what begins with these n bytes and goes on in the file; false, or a negative number, and s->why where that
 * fails, 0 at the end. unpack_end frees what is needed for it, if something is */
bool unpack_begin(struct source *s, const char *first, size_t n);
ptrdiff_t unpack_read(struct source *s, char *into, size_t room);
void unpack_end(struct source *s);

/* reads to the end, so that a source with `keep` holds all bytes; false where that fails */
bool source_drain(struct source *s);

/* closes the file and forgets what was kept */
void source_close(struct source *s);

/* put bytes in the place of a file, all of them or none, with the owner, mode and attributes it had. They answer NULL,
 * or why nothing was written. file_replace follows a link and replaces the file that it names, which must be there;
 * file_make makes what is not there, and refuses a link; file_write does so too, and writes into pipes and devices */
const char *file_replace(const char *path, const char *bytes, size_t n);
const char *file_make(const char *path, const char *bytes, size_t n);
const char *file_write(const char *path, const char *bytes, size_t n);

/* removes the temporary files of these three and keeps them from making new ones, for a program that ends at once;
 * may be called by a signal's handler */
void files_abandon(void);

/* ---- configurations ---- */

/* The configurations of a batch. */
struct configs {
    jx_context *context;
    struct config_file *files;
    struct config_place *places;
    int n_files, n_places;
    int only;    /* that of --config, -1: none was given */
    bool failed; /* one could not be read */
    bool broken; /* one has errors */
};

/* reads the configurations of all files of a command line: that of --config, or the nearest .jaxpr.yaml of each; none
 * with --no-config. False, said on stderr, where one cannot be read; call configs_free in any case */
bool configs_load(const struct invocation *in, struct configs *all);
void configs_free(struct configs *all);

/* the configuration a file is held to (in->configs has been loaded), or NULL; *relative becomes the file's path below
 * the configuration's directory, to be freed, NULL without one */
jx_config *config_for(const struct invocation *in, const char *path, char **relative);

/* the i-th configuration and its path, NULL past the last */
jx_config *config_at(const struct configs *all, int i, const char **path);

/* ---- batches ---- */

enum { UNVERIFIED_SHOWN = 8 };

/* Equations that could not be verified, with the names of their first primitives. */
struct unverified {
    uint64_t equations;
    char *names[UNVERIFIED_SHOWN + 1];
    int n;
};

/* One file at work. */
enum timing_phase { TIMING_FETCH, TIMING_READ, TIMING_CHECK, TIMING_PHASES };

/* What check --timing knows of files: how long each phase took, and what there was. */
struct timing {
    double seconds[TIMING_PHASES];
    uint64_t bytes, lines, tokens, equations;
};

/* seconds since some moment, of a clock that is never set */
double timing_clock(void);

/* counts what is in a text, and the equations that were read from it. Linear */
void timing_count(struct timing *t, jx_module *module, const char *bytes, size_t n);

/* adds what is known of one file to what is known of all; prints it on standard error */
void timing_merge(struct timing *all, const struct timing *of);
void timing_print(const struct timing *t);

struct job {
    const struct invocation *in;
    const char *path;
    const char *name; /* what to call it in messages */
    jx_context *context;
    struct source source;
    jx_module *module;         /* what was read; freed when its findings have been rendered */
    jx_signatures *signatures; /* what owns it where its text holds signatures */
    struct jx_found found;     /* where the module's program was found in the file, when programs are extracted */
    jx_module **kept;          /* modules of programs extracted whose findings wait for earlier files */
    size_t n_kept;
    uint64_t programs; /* how many of them the verb has printed */
    struct unverified unverified;
    struct timing timing; /* where it was asked for */
    struct output *out, *err;
    struct output own_out, own_err; /* used when jobs run side by side */
    int status;
    bool done;
};

/* whether an option was given */
static inline bool
job_given(const struct job *job, enum option_id option)
{
    return job->in->value[option] != NULL;
}

/* reads the file that --highlight-diff names (graph.c); false, and it is said, if it cannot be read or has errors */
bool job_read_other(struct job *job, const char *path, jx_module **other);

/* adds what one file has to the count of all, and takes its names */
void unverified_merge(struct unverified *all, struct unverified *of);

/* prints on standard error how many equations there are, unless none or quiet, and frees the names */
void unverified_print(struct unverified *all, bool quiet);

/* says why a job could not be done; its status becomes EXIT_TROUBLE */
void job_fail(struct job *job, const char *why);

/* Reads every file into job->module (and its bytes into job->source.kept, with `keep_bytes`) and hands the job to
 * `work`, in order or, with --jobs, side by side; output comes in the order of the files all the same, `separator` (or
 * NULL) between those that print something. Renders the findings to `findings` as --format asks, and the options
 * --max-findings, --quiet and --exit-zero are applied here. Returns the exit status */
int batch_run(const struct invocation *in, void (*work)(struct job *), bool keep_bytes, const char *separator,
              struct output *findings);

/* the same for the programs found inside logs, notebooks and the files of directories: `work` is called for each of
 * them, and memory does not grow with the files */
int batch_extract(const struct invocation *in, void (*work)(struct job *), const char *separator,
                  struct output *findings);

/* the regular files below the directories among `files` from the `first` on, each directory's in the order of their
 * names and without `all` only those called *.jaxpr or *.jaxpr.*, and the others as they are, in a list of *n that
 * walk_free takes back. A directory without such files stays in the list */
char **walk_files(char *const *files, int first, int *n, bool all);
void walk_free(char **files, int n);

/* the passes that an option names, ~0u (said on stderr) for a word that is none */
unsigned passes_read(const struct invocation *in, enum option_id option);

/* the keys of parameters that are left aside, with commas between, or NULL; the caller frees it */
char *keys_aside(const struct invocation *in);

/* how check --fix rewrites programs: with the passes that cure errors, the rest of the text staying as it is */
struct jx_normal_options cure_options(void);

/* the digests of a job's module as the options of eq and hash want them, to be freed; NULL, after saying so, when that
 * fails. The module is of use for its findings alone afterwards */
jx_digest_list *digests_make(struct job *job);

/* what a job's programs cost, for people or as JSON objects: the work of `stats --cost` */
void cost_work(struct job *job);

/* ---- verbs: each returns the exit status ---- */

#define VERB(id, group, name, arguments, summary, about) int command_##id(const struct invocation *in);
#include "options.def"
#undef VERB

/* writes what changes from one text to another as a unified diff; false when nothing does. Nearly linear: long runs of
 * changes are not matched up line by line */
bool unified_diff(struct output *out, const char *old_name, const char *new_name, struct input from, struct input to);

#endif

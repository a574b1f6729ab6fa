/* SPDX-License-Identifier: Apache-2.0
 *
 * Diagnostics as data: a code, a span, a message, notes with other places. Every pass adds them; only
 * diag/render_*.c prints them. grammar/diagnostics.def has one row for each code. */
#ifndef JX_DIAG_H
#define JX_DIAG_H

#include "base/sink.h"
#include "base/text.h"

#include <stdarg.h>

enum diag_code {
#define DIAG(code, name, level, title, explain) DIAG_##code,
#include "diagnostics.def"
#undef DIAG
    DIAG_COUNT
};

enum diag_level { LEVEL_NOTE, LEVEL_WARNING, LEVEL_ERROR };

/* One row of diagnostics.def. */
struct diag_info {
    const char *code; /* S012 */
    const char *name; /* kebab-case */
    enum diag_level level;
    const char *title;   /* the fact in a few words */
    const char *explain; /* the page that `jaxpr explain` prints: why, a failing example, its fix */
};

/* the row of a code; its strings are static */
struct diag_info diag_info(enum diag_code code);

/* the code of a text such as `S012`, or of a present or former name such as `unbound-variable`; DIAG_COUNT if there
 * is none */
enum diag_code diag_find(struct slice code_or_name);

/* When a diagnostic or a note was added: a copy of a module keeps those of stages that are not repeated for it. */
enum diag_stage { STAGE_READ, STAGE_NAMES, STAGE_LATER };

struct diag_note {
    u32 at, n; /* span in the text; if `at` is NONE, the note has no place */
    struct slice message;
    struct text *text; /* the text of the span; NULL: that of the diagnostic */
    u32 next;          /* the next note of the same diagnostic, NONE at the end */
    u8 stage;          /* enum diag_stage */
};

struct diag {
    enum diag_code code;
    enum diag_level level; /* that of the code, unless an option changed it */
    u32 at, n;             /* span in the text, bytes; n may be 0 (between two bytes) */
    u32 program;           /* which program of the stream, NONE for the file itself */
    struct slice message;
    u32 notes, last_note; /* first and last note, NONE when there are none */
    bool sourced;         /* a note has the Python source line */
    u8 stage;             /* enum diag_stage */
};

enum { MOST_UNVERIFIED = 9 };

/* What could not be verified, and the names of the first of it. */
struct unverified {
    u32 total, n; /* n: how many names are kept */
    struct slice names[MOST_UNVERIFIED];
};

struct diags {
    struct mem *mem;
    VEC(struct diag) list;
    VEC(struct diag_note) notes;
    u32 errors, warnings;
    u32 limit;                   /* the most records kept; others are only counted. 0: no limit */
    u32 program;                 /* assigned to new records .. */
    u8 stage;                    /* .. with this, an enum diag_stage */
    u32 total;                   /* records added, whether kept or only counted */
    enum diag_level last_level;  /* the level of the record added last */
    struct unverified equations; /* those whose result types were taken as printed, and their primitives */
    struct unverified types;     /* those that no known printer prints */
};

/* makes an empty list whose memory is m's */
void diags_init(struct diags *ds, struct mem *m);

/* adds a diagnostic over text[at .. at + n) with the level of its code and a printf-style message, which is copied;
 * names in it are in backquotes */
void diag_add(struct diags *ds, enum diag_code code, u32 at, u32 n, const char *format, ...) printf_like(5, 6);

/* the same with the arguments as a va_list */
void diag_add_args(struct diags *ds, enum diag_code code, u32 at, u32 n, const char *format, va_list args);

/* adds a note to the diagnostic added last; a note without a place has NONE for `at` */
void diag_note(struct diags *ds, u32 at, u32 n, const char *format, ...) printf_like(4, 5);

/* the same with the arguments as a va_list */
void diag_note_args(struct diags *ds, u32 at, u32 n, const char *format, va_list args);

/* adds a note without a place; the message is not copied and must live as long as the list */
void diag_note_fixed(struct diags *ds, struct slice message);

/* adds a note to the record-th diagnostic of the list, counted from 0; the message is copied */
void diag_note_to(struct diags *ds, u32 record, u32 at, u32 n, struct slice message);

/* diag_note for a place in another text, such as a configuration. The text must outlive the list, and its lines must
 * have been indexed (text_position) */
void diag_note_in(struct diags *ds, struct text *text, u32 at, u32 n, const char *format, ...) printf_like(5, 6);

/* a NUL-terminated copy of bytes, in the list's pool, for a %s of a message; long text is shortened in the middle */
const char *diag_quote(struct diags *ds, struct slice bytes);

/* changes the level of the diagnostic added last */
void diag_relevel(struct diags *ds, enum diag_level level);

/* changes the level of the kept diagnostics with a code. Linear in the list */
void diags_relevel(struct diags *ds, enum diag_code code, enum diag_level level);

/* removes the kept diagnostics for which `drops` is true: it gets each, its index in the list and `user`. Linear in the
 * list */
void diags_drop(struct diags *ds, bool (*drops)(const struct diag *d, u32 i, const void *user), const void *user);

/* counts an equation, or a type, that could not be verified; keeps the first few names */
void diags_unverified(struct diags *ds, struct slice primitive);
void diags_unknown_type(struct diags *ds, struct slice type);

/* copies the diagnostics and notes of STAGE_READ and STAGE_NAMES, but not the bytes of messages. Linear */
void diags_copy_read(struct diags *to, struct mem *m, const struct diags *from);

/* sorts by place (stable), so that passes may report in any order */
void diags_sort(struct diags *ds);

/* How the renderers print. */
struct render {
    bool color;
    u32 max_findings; /* 0: all */
    bool rules_fail;  /* JUnit: findings of rules and contracts fail a test, as errors do */
    u32 fold;         /* text: lint rules with more findings than this in an input are summarized; 0: none */
    const char *link; /* text: the address of the playground, for links that show an input with findings; NULL: none */
};

/* One input and its findings. */
struct report {
    struct text *text;
    const struct diags *diags;
    u32 programs;      /* how many it has */
    u32 first_program; /* the number of the first of them in its input, which may be split into several reports */
};

struct rendering;

struct findings;

/* An output format: functions that begin a document, add reports to it in the order of the inputs, and end it. */
struct renderer {
    void (*begin)(struct rendering *d);                               /* NULL: it begins with nothing */
    void (*report)(struct rendering *d, const struct report *report); /* NULL: `finding` is called for each finding */
    void (*finding)(struct rendering *d, struct findings *f);
    /* called after the findings of a report with equations or types that are not verified; NULL: they are not counted
     * here */
    void (*unverified)(struct rendering *d, const struct report *report);
    void (*end)(struct rendering *d); /* NULL: it ends with nothing */
};

extern const struct renderer render_text;   /* source line, caret span, notes */
extern const struct renderer render_gcc;    /* FILE:LINE:COL: error: message [CODE] */
extern const struct renderer render_json;   /* one JSON array */
extern const struct renderer render_jsonl;  /* the same objects, one on each line */
extern const struct renderer render_sarif;  /* one SARIF 2.1.0 log */
extern const struct renderer render_github; /* GitHub's workflow commands */
extern const struct renderer render_gitlab; /* GitLab's code quality report: one JSON array */
extern const struct renderer render_junit;  /* JUnit's XML: a suite for each input, a case for each program */

/* begins a document in a format, written to `out`; m, which must outlive it, is the pool for what is kept between
 * reports */
struct rendering *document_begin(const struct renderer *form, struct sink *out, struct mem *m,
                                 const struct render *how);

/* writes the findings of one input; the report may be freed afterwards */
void document_add(struct rendering *d, const struct report *report);

/* ends the document, and frees it */
void document_end(struct rendering *d);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * What the renderers share: places found in time independent of the length of a line, the document that reports are
 * added to, and the iteration over the findings to print. Private to diag. */
#ifndef JX_RENDER_H
#define JX_RENDER_H

#include "base/vec.h"
#include "base/visible.h"
#include "diag/diag.h"

/* The place of a span: lines and columns from 1, columns in code points, the end exclusive. */
struct place {
    u32 line, column;
    u32 end_line, end_column;
    u32 line_start, line_end; /* offsets of the first line, without its line end */
};

/* Finds places in one text. On a line of many megabytes columns are counted from marks, one every KiB, so that n
 * places cost O(text + n), in any order. */
struct place_index {
    struct mem *mem;
    struct text *text;
    VEC(u32) marks; /* code points before each 1024th byte; empty until a long line needs them */
};

/* `error`, `warning`, `note` */
const char *level_word(enum diag_level level);

/* How many findings there are of each level, and how many are not printed. */
struct tally {
    u64 errors, warnings, notes, omitted;
};

/* The fingerprints so far and how often each occurred, so that equal ones can be distinguished: a hash table with
 * open addressing. */
struct fingerprints {
    u64 *seen;
    u32 *times;
    u32 n, mask;
};

/* A document of findings that is being written. */
struct rendering {
    const struct renderer *form;
    struct sink *out;
    struct mem *mem;
    struct render how;
    u32 left;           /* how many findings may still be printed */
    bool any;           /* an element of the array was printed */
    struct tally tally; /* of all reports added so far */
    u32 uncovered;      /* text: files that no contract applies to: the first is reported, others are summarized */
    enum diag_level uncovered_level;
    struct sink uncovered_names; /* of the first others */
    u64 unverified;              /* equations of all reports that could not be verified */
    u64 unknown_types;           /* types of all reports that are unknown */
    struct fingerprints prints;
    u32 *rules; /* SARIF: the index of each code's rule plus one, 0 before the first finding with the code */
    u32 n_rules;
};

/* Iterates over the findings of a report that are to be printed, at most the number that the document has left. Usage:
 *
 *     struct findings f;
 *     for (findings_start(&f, document, report); findings_next(&f); ) .. f.diag, f.report, f.place ..
 *     findings_end(&f); */
struct findings {
    struct rendering *document;
    u32 next_diag;
    struct place_index place_index;
    struct place_index other; /* for the last note with a text of its own; its text is NULL before the first */
    /* the current finding */
    const struct report *report;
    const struct diag *diag;
    bool placed; /* false: the finding is about the whole input, and place is all 0 */
    struct place place;
};

/* findings_start begins with a report; findings_next steps to the next finding to print, false after the last;
 * findings_end frees the memory */
void findings_start(struct findings *f, struct rendering *d, const struct report *report);
bool findings_next(struct findings *f);
void findings_end(struct findings *f);

/* write a document that is one JSON array: its brackets, and the separator before each element */
void begin_array(struct rendering *d);
void next_of_array(struct rendering *d);
void end_array(struct rendering *d);

/* the text of a note of the current finding: its own, or that of the report */
const struct text *findings_note_text(const struct findings *f, const struct diag_note *note);

/* writes the fingerprint of the current finding (see fingerprint.c): 16 hexadecimal digits of a hash of `salt`, its
 * code and the text around it, a colon, and a count that distinguishes equal fingerprints of a file */
void write_fingerprint(const struct findings *f, struct slice salt);

/* the place of a note of the current finding; false if it has none */
bool findings_note_place(struct findings *f, const struct diag_note *note, struct place *place);

/* iterates over the notes of a diagnostic: for (u32 i = d->notes; i != NONE; i = ds->notes.at[i].next) */

#endif

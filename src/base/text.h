/* SPDX-License-Identifier: Apache-2.0
 *
 * The text of one input: its bytes, followed by padding, and its lines, which are found when a diagnostic needs them.
 * Offsets are 32-bit byte offsets, so a text is smaller than 2 GiB (flex counts in int). */
#ifndef JX_TEXT_H
#define JX_TEXT_H

#include "base/vec.h"

/* zero bytes after a text: flex needs two, and the scanners look a few bytes ahead */
#define TEXT_PADDING 16

/* Where a part of a text was in the file from which it was taken: its first byte in the text, and the 1-based line and
 * column, in code points, in the file. */
struct origin {
    u32 at;
    u32 line, column;
    bool inside; /* it begins a line of the text, but other text precedes it on its line in the file */
};

/* Where a part of an equation or program was last found: the search for later parts begins there. */
struct text_part {
    u32 of, i; /* the first byte of its owner, plus one; which of the owner's parts */
    u32 at;
};

enum { PART_TABLES = 5, PART_SLOTS = 16 };

/* An offset before which something was left out of the text. The other members are totals up to there: bytes of the
 * file that were left out, those of them that the original has, and how many more code points the file has than the
 * text. */
struct join {
    u32 at, skipped, kept;
    int points;
};

/* What was left out of a text at one offset: how many bytes of the file, whether the original has them, and how many
 * code points, which are negative where one character of the file became several. */
struct left_out {
    u32 n;
    bool kept;
    int points;
};

/* How a text was repaired before it was read; text_repairs describes it. */
enum repair {
    REPAIR_BLANKS = 1 << 0,     /* tabs and non-ASCII spaces became spaces */
    REPAIR_CHARACTERS = 1 << 1, /* typographic characters became ASCII */
    REPAIR_LINE_ENDS = 1 << 2,  /* other line ends became newlines */
    REPAIR_CUT = 1 << 3,        /* lines that were cut at a column were joined */
    REPAIR_FILLED = 1 << 4,     /* line ends of text that was filled (wrapped at spaces) became spaces */
    REPAIR_COMMENTS = 1 << 5,   /* comments after values were separated from them, or respelled with `#` */
    REPAIR_VALUES = 1 << 6,     /* line ends in values became spaces */
    REPAIR_BRACKETS = 1 << 8,   /* values with unclosed brackets were ended by the column of the next key */
    REPAIR_LAYOUT = 1 << 7,     /* lines are indented differently from JAX */
    REPAIR_TYPES = 1 << 9,      /* types had spaces that JAX does not print */
    REPAIR_INVISIBLE = 1 << 10, /* invisible characters were removed */
    REPAIR_COMMENTED = 1 << 11, /* a line that reads like part of the program was taken as a comment */
};
enum { REPAIR_KINDS = 12 };

struct text {
    struct slice name; /* the name that diagnostics give it */
    char *at;          /* bytes; at[n .. n + TEXT_PADDING) are 0 */
    u32 n;
    VEC(u32) lines;               /* offset of each line's first byte; empty before the first text_position */
    u32 last_offset, last_points; /* the last offset given to text_position, and one more than the code points before it
                                   * on its line; 0: none */
    struct origin *origins;       /* by `at`, the first being 0; NULL: the text is the file itself */
    u32 n_origins;
    VEC(struct join) joins;          /* by `at`, ascending */
    char *original;                  /* the text before it was repaired, without colour codes; NULL: nothing changed */
    u32 n_original;                  /* its length, without TEXT_PADDING bytes of 0 after it .. */
    VEC(u32) original_lines;         /* .. and the offset of each of its lines */
    unsigned repairs;                /* enum repair, joined by | */
    u32 repaired_at[REPAIR_KINDS];   /* the offset of the first repair of each kind, by its bit */
    u32 repaired_code[REPAIR_KINDS]; /* for kinds that replace characters: the first one replaced, 0: none .. */
    unsigned repaired_others;        /* .. and the kinds that replaced other characters, too */
    u32 cut_at;                      /* of REPAIR_CUT: the column */
    bool may_hide;                   /* it may have characters that find_hidden finds */
    bool symbols;                    /* it may have characters that find_symbol finds */
    bool colored;                    /* it had colour codes, which were removed */
    struct text_part *parts;         /* PART_TABLES tables of regions/span.c */
};

/* The place of an offset: 1-based line and 1-based column in code points, both in the file that the text was taken
 * from, and the bytes of the text's own line without its end. */
struct position {
    u32 line, column;
    u32 line_start, line_end;
};

/* copies bytes into a padded text; n must be below 2 GiB - 64 KiB */
void text_init(struct mem *m, struct text *t, struct slice name, const char *bytes, size_t n);

/* like text_init, but takes over bytes: a block of mem_alloc with TEXT_PADDING bytes of room after the n */
void text_adopt(struct mem *m, struct text *t, struct slice name, char *bytes, size_t n);

/* the index of the line that contains an offset of a text whose lines are known; O(log lines) */
u32 text_line(const struct text *t, u32 offset);

/* Where columns of the file are counted from: the column of an offset is `column`, which may be negative, plus the code
 * points from `at` to the offset, plus its text_more_points. */
struct text_base {
    u32 at;
    int column;
};

/* the base of the columns of an offset, whose line in the text begins at line_start */
struct text_base text_base(const struct text *t, u32 offset, u32 line_start);

/* how many more code points the file has than the text up to text[at .. at + n); if n is 0, not counting those left out
 * at `at` that the original has */
int text_more_points(const struct text *t, u32 at, u32 n);

/* the offset of the last character of text[at .. end), if the column of `end` is the one after it; else `end` */
u32 text_last_character(const struct text *t, u32 at, u32 end);

/* the offset of the character at a line and a column of the file, the first if it became several; NONE if the text has
 * nothing at or after this place on the line */
u32 text_offset(struct mem *m, struct text *t, u32 line, u32 column);

/* finds the position of a byte offset (clamped to the text); O(text) the first time, then O(log lines + distance within
 * the line from its beginning or from the last offset) */
struct position text_position(struct mem *m, struct text *t, u32 offset);

/* numbers the lines of a text as those after `more` lines of its file */
void text_begin_at(struct mem *m, struct text *t, u32 more);

/* adds `more`, which may be negative, to the line numbers of a text with origins */
void text_move_lines(struct text *t, i64 more);

/* records the origins of the lines of a text that is a whole file, before its line ends are changed */
void text_keep_lines(struct mem *m, struct text *t);

/* notes that text was repaired at an offset */
static inline void
text_repaired(struct text *t, enum repair what, u32 at)
{
    u32 *first = &t->repaired_at[__builtin_ctz(what)];
    *first = (t->repairs & what) && *first < at ? *first : at;
    t->repairs |= what;
}

/* records what was left out before an offset, which is at or after those recorded before */
void text_left_out(struct mem *m, struct text *t, u32 at, struct left_out what);

/* the offset in the original bytes of an offset of the text */
u32 text_source(const struct text *t, u32 offset);

/* keeps the bytes of a text as its original, if it has none, before it is changed */
void text_keep_original(struct mem *m, struct text *t);

/* the same if characters are replaced one by one: begins with the first n bytes of the text, which have not changed;
 * the caller appends the bytes that follow, and calls text_end_original after the last */
void text_begin_original(struct mem *m, struct text *t, u32 n);
void text_end_original(struct mem *m, struct text *t);

static inline void
text_append_original(struct text *t, const char *bytes, size_t n)
{
    memcpy(t->original + t->n_original, bytes, n);
    t->n_original += (u32)n;
}

/* the bytes of the original that became text[at .. at + n); if n is 0, an empty slice where the first character was
 * left out there */
struct slice text_original(const struct text *t, u32 at, u32 n);

/* text[at .. at + n) as it was before it was repaired; as it is now if it was on several lines */
struct slice text_written(const struct text *t, u32 at, u32 n);

/* the line of the original around an offset of it, without its end */
struct slice text_original_line(const struct text *t, u32 offset);

/* the origin of the part that contains an offset of a text with origins */
const struct origin *text_origin(const struct text *t, u32 offset);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * Tokens without text are queued for the parser where a part begins or ends inside a program. O(1), except that
 * words that may name shared programs are copied once. */
#include "parse/text_part.h"

#include "grammar.tab.h"

static void
queue_header(struct token_source *f, u32 offset)
{
    f->read.results = f->m->vars.n;
    f->read.consts = 0;
    queue_token(f, TOK_HEADER, (union token_value){.id = offset});
}

/* true if JAX would assign the name at p after another one of three letters: it counts `a` .. `z`, `aa` .. */
static bool
named_after(const char *p, const char *name)
{
    size_t n = (size_t)(word_end(p) - p);
    return n > 3 || (n == 3 && memcmp(p, name, 3) > 0);
}

void
part_keep_length(const struct token_source *f, struct part_length *first)
{
    if (!first->known)
        *first = (struct part_length){true, f->m->atoms.n, f->m->uses.n};
}

void
part_begins(struct token_source *f)
{
    struct cut_part *part = f->part;
    part->continues = true;
    if (!cut_in_body(part->begins))
        return;
    if (part->begins == CUT_SHARED) {
        top_frame(f)->let = true;
        queue_token(f, TOK_LET_NAME, (union token_value){.span = {0, 0}});
    }
    part->column = (u32)(skip_spaces(f->begin) - f->begin);
    push_frame(f, STATE_BODY)->column = part->column;
    f->bound_inf = named_after(f->begin + part->column, "inf");
    f->bound_nan = named_after(f->begin + part->column, "nan");
    part->assumed = (f->bound_inf ? BOUND_INF : 0) | (f->bound_nan ? BOUND_NAN : 0);
    queue_header(f, 0);
}

void
part_continued(struct token_source *f)
{
    struct cut_part *part = f->part;
    part->continues = false;
    part->closed = !part->ended;
    part->n_closed = part->closed ? part->shared.n : 0;
    part_keep_length(f, &part->binds_inf);
    part_keep_length(f, &part->binds_nan);
}

/* where in a program the text ends; CUT_BETWEEN if it ends in none, or deeper */
static enum cut
place_of_end(struct token_source *f)
{
    const struct frame *top = top_frame(f);
    if (f->frames.n == 1)
        return top->state == STATE_TOP ? CUT_TOP : CUT_BETWEEN;
    if (f->frames.n > 2 || (top->state != STATE_BODY && top->state != STATE_RHS))
        return CUT_BETWEEN;
    return f->frames.at[0].let ? CUT_SHARED : CUT_MAIN;
}

bool
part_ends(struct token_source *f)
{
    struct cut_part *part = f->part;
    const union token_value end = {.id = offset_of(f, f->end)};
    enum cut cut = place_of_end(f);
    if (cut == CUT_BETWEEN || cut != part->ends)
        return false;
    part->ended = true;
    part->last_column = top_frame(f)->column;
    part->bound = (f->bound_inf ? BOUND_INF : 0) | (f->bound_nan ? BOUND_NAN : 0);
    f->operands.n = 0;
    if (cut != CUT_TOP)
        queue_token(f, TOK_ENDS, end);
    if (cut == CUT_SHARED)
        queue_token(f, TOK_IN_LET, end);
    if (cut != CUT_MAIN) { /* adds an empty main jaxpr */
        f->frames.at[0].let = false;
        push_frame(f, STATE_BODY);
        queue_header(f, end.id);
        queue_token(f, TOK_ENDS, end);
    }
    return true;
}

bool
part_keeps_words(struct token_source *f)
{
    struct cut_part *part = f->part;
    u32 n = f->build.shared.n;
    if (f->build.programs.n || !(part->continues || part->ended))
        return false;
    struct shared_word *to = vec_push_n(f->m->mem, &part->shared, n);
    for (u32 i = 0; i < n; i++)
        to[i] = f->build.shared.at[i];
    return true;
}

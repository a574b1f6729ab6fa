/* SPDX-License-Identifier: Apache-2.0
 *
 * Where programs begin, and where they end when their braces do not balance. A beginning is `{ lambda` with a header
 * after it, or the `let f =` before that. A program that stays open is parsed again whenever its length has doubled,
 * and ends at the first line that cannot belong to it: so text that only looks like a program takes time linear in
 * its length. */
#include "extract/extract.h"

#include "base/chars.h"
#include "extract/collect.h"
#include "extract/classify.h"

enum {
    BACK = 8 << 10,           /* how far back the beginning of a line is searched */
    HEADER = 64 << 10,        /* how far the end of a header is searched */
    FIRST_LOOK = 4 << 10,     /* an unterminated program is first parsed at this many bytes */
    LARGEST_WRONG = 16 << 20, /* .. with an error and no line to cut it at, it is abandoned at this many .. */
    LARGEST = 1 << 30,        /* .. and without errors at this many */
    LARGE_TEXT = 1 << 20,     /* from this size on, the last RECENT_BYTES bytes are examined for lines of other text */
    RECENT_BYTES = 64 << 10,  /* see LARGE_TEXT */
    MOST_AGAIN = 4,           /* how many braces in strings of a program are corrected */
};

struct extract {
    struct mem *mem, *scratch;
    struct flow flow;
    u64 at;                           /* the next search begins here */
    struct collector collector;       /* the last find */
    bool settled;                     /* the end of the find is final */
    u32 again;                        /* how often the find was extended */
    bool no_fast_path;                /* of parse_module */
    VEC(struct found_program) claims; /* the ranges of the programs found, as far as they end after `at`, in order */
};

struct extract *
extract_start(struct mem *m, struct mem *scratch, const struct extract_source *source)
{
    struct extract *x = mem_zeroed(m, sizeof *x);
    x->mem = m;
    x->scratch = scratch;
    x->no_fast_path = source->no_fast_path;
    x->collector.mem = m;
    if (source->state == NULL) {
        window_start(&x->flow, m, source->name, source->read, source->user);
        return x;
    }
    x->at = source->state->at;
    window_resume(&x->flow, m, source->from, source->read, source->user);
    window_fill(&x->flow, x->at);
    return x;
}

u64
extract_back(u64 at)
{
    return at > BACK ? at - BACK : 0;
}

/* adds to *open how many ranges end after `at`, and sets *end to the end of the last; false if one begins after `at` */
static bool
look_at_claims(const struct found_program *claims, u32 n, u64 at, u32 *open, u64 *end)
{
    bool inside = true;
    for (u32 i = 0; i < n; i++) {
        if (claims[i].to <= at)
            continue;
        inside &= claims[i].from <= at;
        *end = claims[i].to;
        ++*open;
    }
    return inside;
}

struct extract_state
extract_state(const struct extract *x)
{
    struct extract_state state = {.at = x->at, .seen = x->flow.ended ? UINT64_MAX : window_limit(&x->flow)};
    u32 open = 0;
    bool inside = look_at_claims(x->claims.at, x->claims.n, x->at, &open, &state.at);
    inside &= look_at_claims(x->collector.claims.at, x->collector.claims.n, x->at, &open, &state.at);
    state.free = inside && open <= 1 && x->flow.file_ranges.n == 0;
    return state;
}

bool
extract_failed(const struct extract *x)
{
    return x->flow.failed;
}

bool
extract_unsupported(const struct extract *x)
{
    return x->flow.unsupported;
}

/* ---- beginnings ---- */

/* the position after the last byte before p that is not in a space or colour; not before `begin` */
static const char *
skip_back(const char *begin, const char *p)
{
    for (;;) {
        const char *q = p;
        while (q > begin && (q[-1] == ' ' || q[-1] == '\t'))
            q--;
        if (q > begin && q[-1] == 'm') {
            const char *open = q - 1;
            while (open > begin && q - open < 16 && *open != '[')
                open--;
            for (const char *from = open; from >= begin && open - from < 8; from--)
                if (invisible_length(from, (size_t)(q - from), true) == (size_t)(q - from))
                    q = from;
        }
        if (q == p)
            return p;
        p = q;
    }
}

/* the position of the `let` of `let NAME =` before a brace; NULL if there is none */
static const char *
find_let(const char *line, const char *brace)
{
    const char *equals = skip_back(line, brace);
    if (equals == line || *--equals != '=')
        return NULL;
    for (const char *p = equals; p-- > line;) {
        if (*p == '=' || *p == '{')
            return NULL;
        bool ends = p[3] == ' ' || p[3] == '\x1b' || p[3] == '\\';
        if (ends && memcmp(p, "let", 3) == 0 && (p == line || !is_word_char(p[-1]) || skip_back(line, p) < p))
            return p;
    }
    return NULL;
}

/* true if the text after `lambda` can be a header: constants, `;`, arguments, and no other program before them */
static bool
header_begins(struct extract *x, u64 at)
{
    window_fill(&x->flow, at + HEADER);
    const char *p = window_at(&x->flow, at), *end = window_at(&x->flow, window_limit(&x->flow));
    size_t invisible = invisible_length(p, (size_t)(end - p), true);
    p += invisible;
    if (p >= end || !strchr(" \t\n\r;\\", *p))
        return false;
    if (end - p > HEADER)
        end = p + HEADER;
    u32 semicolons = 0, depth = 0, lines = 0;
    for (; p < end; p++) {
        invisible = *p == '\x1b' || *p == '\\' ? invisible_length(p, (size_t)(end - p), true) : 0;
        if (invisible) {
            p += invisible - 1;
            continue;
        }
        lines += *p == '\n';
        if (*p == '{' && memmem(p, (size_t)(end - p < 32 ? end - p : 32), "lambda", 6))
            return semicolons && lines; /* it may be the output of another process */
        depth += *p == '[' || *p == '{' || *p == '(' || *p == '<';
        if (depth) {
            depth -= *p == ']' || *p == '}' || *p == ')' || *p == '>';
            continue;
        }
        if (*p == '}' || (*p == ':' && p[1] == ' ' && !semicolons && !lines))
            return false; /* Python's `lambda x: y`; on later lines, the colon may be in a prefix */
        semicolons += *p == ';';
        if (semicolons && *p == '.')
            return true;
    }
    return semicolons > 0;
}

/* the range of a program that contains a byte of the text, or NULL; drops earlier ranges */
static const struct found_program *
find_found(struct extract *x, u64 at)
{
    u32 gone = 0;
    while (gone < x->claims.n && x->claims.at[gone].to <= at)
        gone++;
    if (gone) {
        memmove(x->claims.at, x->claims.at + gone, (x->claims.n - gone) * sizeof *x->claims.at);
        x->claims.n -= gone;
    }
    return x->claims.n && x->claims.at[0].from <= at ? &x->claims.at[0] : NULL;
}

/* finds the next beginning of a program; *line becomes the start of its line, at most BACK bytes before it */
static bool
find_start(struct extract *x, u64 *start, u64 *line)
{
    struct flow *f = &x->flow;
    for (;;) {
        window_drop(f, extract_back(x->at));
        const char *from = window_at(f, x->at), *end = window_at(f, window_limit(f));
        const char *p = end - from < 6 ? NULL : memmem(from, (size_t)(end - from), "lambda", 6);
        if (!p) {
            u64 limit = window_limit(f);
            x->at = limit > x->at + 5 ? limit - 5 : x->at;
            if (!window_fill(f, limit + 1))
                return false;
            continue;
        }
        u64 at = f->base + (u64)(p - f->at);
        x->at = at + 6;
        const char *begin = p - (at - f->base > BACK ? BACK : at - f->base);
        const char *brace = skip_back(begin, p);
        if (brace == begin || brace[-1] != '{')
            continue;
        const struct found_program *found_program = find_found(x, at);
        if (found_program || !header_begins(x, at + 6)) {
            x->at = found_program ? found_program->to : x->at;
            continue;
        }
        p = window_at(f, at);
        begin = p - (at - f->base > BACK ? BACK : at - f->base);
        brace = skip_back(begin, p) - 1;
        const char *newline = memrchr(begin, '\n', (size_t)(brace - begin));
        if (newline)
            begin = newline + 1;
        const char *let = find_let(begin, brace);
        *start = f->base + (u64)((let ? let : brace) - f->at);
        *line = f->base + (u64)(begin - f->at);
        return true;
    }
}

/* ---- ends ---- */

/* true if the line at p begins with the word, or with as much of it as was read */
static bool
line_starts(const char *p, const char *end, const char *word)
{
    size_t n = strlen(word), there = (size_t)(end - p);
    return memcmp(p, word, there < n ? there : n) == 0;
}

/* true if the line at p cannot belong to a program: JAX indents equations by four spaces and results by two */
static bool
is_noise(const char *line, const char *end)
{
    const char *p = line;
    while (p < end && (*p == ' ' || *p == '\t'))
        p++;
    if (p == end || *p == '\n' || p - line >= 4)
        return false;
    return !line_starts(p, end, "let") && !line_starts(p, end, "in ") && !line_starts(p, end, "in\n") &&
           !line_starts(p, end, "{ lambda");
}

/* the offset of the first line after that of text[at] that cannot belong to a program; NONE if there is none */
static u32
find_noise(const struct collector *g, u32 at)
{
    const char *text = g->text.at, *end = text + g->text.n;
    const char *line = at ? memrchr(text, '\n', at) : NULL;
    for (line = line ? line : memchr(text, '\n', g->text.n); line; line = memchr(line, '\n', (size_t)(end - line))) {
        if (is_noise(++line, end))
            return (u32)(line - text);
    }
    return NONE;
}

/* true if most lines at the end of a long text cannot belong to a program: only a few lines of values begin in the
 * first column */
static bool
is_lost(const struct collector *g)
{
    const char *end = g->text.at + g->text.n, *line = end - RECENT_BYTES;
    u32 noise = 0, lines = 0;
    if (g->text.n < LARGE_TEXT)
        return false;
    for (; (line = memchr(line, '\n', (size_t)(end - line))); lines++)
        noise += is_noise(++line, end);
    return noise > lines / 2;
}

/* ends the program at offset n of its text, without trailing whitespace */
static void
cut(struct extract *x, u32 n)
{
    const char *text = x->collector.text.at;
    while (n > 1 && strchr(" \t\r\n", text[n - 1]))
        n--;
    collector_cut(&x->collector, n);
    x->settled = true;
}

/* decides where an unterminated program ends */
static void
finish(struct extract *x, struct verdict v)
{
    u32 noise = v.broken ? find_noise(&x->collector, v.early ? 0 : v.error_at) : NONE;
    if (!v.broken)
        cut(x, v.end);
    else if (noise != NONE)
        cut(x, noise);
    else if (!v.early && x->collector.text.n >= LARGEST_WRONG)
        cut(x, v.error_at + 1);
    else
        cut(x, x->collector.text.n);
}

/* collects text until the braces close or cannot close any more */
static void
collect_all(struct extract *x)
{
    struct collector *g = &x->collector;
    u32 most = g->text.n > FIRST_LOOK ? g->text.n * 2 : FIRST_LOOK;
    while (collector_continue(g, most) && g->state == COLLECTOR_OPEN) {
        struct verdict v = classify_text(x->mem, x->scratch, (struct slice){g->text.at, g->text.n}, x->no_fast_path);
        bool abandoned = v.broken && !v.early && (find_noise(g, v.error_at) != NONE || g->text.n >= LARGEST_WRONG);
        if (!v.broken || abandoned || is_lost(g) || g->text.n >= LARGEST) {
            finish(x, v);
            return;
        }
        most = g->text.n * 2;
    }
    if (g->state != COLLECTOR_CLOSED)
        finish(x, classify_text(x->mem, x->scratch, (struct slice){g->text.at, g->text.n}, x->no_fast_path));
}

/* ---- finds ---- */

static void
emit(struct extract *x, struct find *find)
{
    struct collector *g = &x->collector;
    memset(vec_push_n(x->mem, &g->text, TEXT_PADDING), 0, TEXT_PADDING);
    g->text.n -= TEXT_PADDING;
    *find = (struct find){
        .text = {g->text.at, g->text.n},
        .origins = g->origins.at,
        .n_origins = g->origins.n,
        .place = g->begin,
        .around =
            {
                .end = window_place(g->flow, g->next - 1, window_is_notebook(g->flow) ? NULL : &g->last).offset + 1,
                .level = (u8)g->level,
                .quote = g->quote,
                .notebook = window_is_notebook(g->flow),
                .numbered = g->prefix.number_end > 0,
                .signs = g->prefix.signs,
            },
    };
}

/* merges the ranges of the last find into the sorted ranges */
static void
add_found(struct extract *x)
{
    const struct collector *g = &x->collector;
    VEC(struct found_program) all = {0};
    u32 i = 0, k = 0;
    while (i < x->claims.n || k < g->claims.n) {
        bool old = k == g->claims.n || (i < x->claims.n && x->claims.at[i].from < g->claims.at[k].from);
        struct found_program c = old ? x->claims.at[i++] : g->claims.at[k++];
        if (c.to > x->at)
            *vec_push(x->mem, &all) = c;
    }
    vec_free(x->mem, &x->claims);
    x->claims.at = all.at;
    x->claims.n = all.n;
    x->claims.cap = all.cap;
}

bool
extract_next(struct extract *x, struct find *find)
{
    u64 start, line;
    if (x->collector.flow)
        add_found(x);
    collector_end(&x->collector);
    if (!find_start(x, &start, &line))
        return false;
    x->settled = false;
    x->again = 0;
    collector_start(&x->collector, &x->flow, start, window_at(&x->flow, line), (size_t)(start - line));
    collect_all(x);
    emit(x, find);
    return true;
}

bool
extract_again(struct extract *x, const struct verdict *v, struct find *find)
{
    struct collector *g = &x->collector;
    u32 before = g->text.n;
    if (x->settled)
        return false;
    if (!v->broken) {
        const char *rest = g->text.at + v->end;
        if (v->end == before || memcmp(rest, " #", 2) == 0)
            return false;
        cut(x, v->end);
    } else if (v->early && x->again++ < MOST_AGAIN) {
        g->floor--;
        g->state = COLLECTOR_OPEN;
        collect_all(x);
    } else {
        finish(x, *v);
    }
    emit(x, find);
    return g->text.n != before;
}

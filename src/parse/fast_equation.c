/* SPDX-License-Identifier: Apache-2.0
 *
 * The fast path: `a:f32[8] b:f32[] = prim c 1.0:f32[]` up to the end of its line, to the `in (` after it, or to the `[`
 * of its parameters, is one token; so are operands after parameters, a header from `{ lambda` to `. let`, and the end
 * of a body from `in (` to ` }`. Most of a large program is made of them. The scanner reads all other text, from its
 * start, so the result is always the same as without the fast path. Linear: text that is not plain is read twice. */
#include "parse/build.h"
#include "parse/param_lists.h"

#include "grammar.tab.h"

/* reads a name of lower-case letters and `_` at *p; false if there is none, or the token may be longer */
static inline bool
read_name(struct token_source *f, const char **p, name_t *name)
{
    const char *start = *p, *q = start;
    u32 numeral = 0, digit;
    while ((digit = (u32)(u8)*q - 'a') < 26) {
        numeral = numeral * 26 + digit;
        q++;
    }
    size_t n = (size_t)(q - start);
    *p = q;
    if (unlikely(start[0] == 'i' ? n <= 3 && n > 1 && start[1] == 'n' && (n == 2 || start[2] == 'f')
                                 : start[0] == 'n' && n == 3 && start[1] == 'a' && start[2] == 'n'))
        return false;
    if (likely(n && n <= 5 && (*start != 'a' || n == 1) && numeral < f->m->names.numeral_limit)) {
        *name = numeral;
        return true;
    }
    while ((u32)(u8)*q - 'a' < 26 || *q == '_')
        q++;
    *p = q;
    *name = q > start ? names_intern(f->m->mem, &f->m->names, (struct slice){start, (size_t)(q - start)}) : 0;
    return q > start;
}

/* the end of the type `f32[8,n]` at p, or NULL for other forms */
static inline const char *
simple_type_end(const char *p)
{
    if ((u32)(u8)*p - 'a' >= 26)
        return NULL;
    while ((u32)(u8)*p - 'a' < 26 || (u32)(u8)*p - '0' < 10 || *p == '_')
        p++;
    if (*p++ != '[')
        return NULL;
    while ((u32)(u8)*p - 'a' < 26 || (u32)(u8)*p - '0' < 10 || *p == ',')
        p++;
    return *p == ']' ? p + 1 : NULL;
}

/* interns the type at p, if it is a simple one; returns its end, or NULL */
static never_inline const char *
read_new_type(struct token_source *f, const char *p, type_t *type)
{
    const char *end = simple_type_end(p);
    if (end)
        *type = types_intern(&f->m->types, (struct slice){p, (size_t)(end - p)});
    return end;
}

/* the same with a cache by bytes: most types are short and repeated */
static inline const char *
read_type(struct token_source *f, const char *p, type_t *type)
{
    u64 low = load_word(p), high = 0, ends = word_bytes(low, ']');
    u32 n = 8;
    if (likely(ends)) {
        n = first_byte(ends) + 1;
        low &= ~(u64)0 >> (64 - 8 * n);
    } else {
        high = load_word(p + 8);
        ends = word_bytes(high, ']');
        if (!ends)
            return read_new_type(f, p, type);
        n = first_byte(ends) + 1;
        high &= ~(u64)0 >> (64 - 8 * n);
        n += 8;
    }
    struct known_word *known = known_word(f->words.types, low, high);
    if (unlikely(known->low != low || known->high != high)) {
        if (!read_new_type(f, p, type))
            return NULL;
        *known = (struct known_word){low, high, *type, true};
    }
    *type = known->id;
    return p + n;
}

/* reads the number at *p with its type, if it has one; false if it is not plain */
static bool
read_literal(struct token_source *f, const char **p, atom_t *atom)
{
    const char *q = *p + (**p == '-');
    if ((u32)(u8)*q - '0' >= 10)
        return false;
    while (*q != ' ' && *q != '\n' && *q != ':' && *q)
        q++;
    enum literal_kind kind = literal_kind(*p, q);
    if (kind == LIT_OTHER)
        return false;
    struct literal lit = {span_of(f, *p, q), NONE, kind};
    if (*q == ':') {
        q = read_type(f, q + 1, &lit.type);
        if (!q)
            return false;
    }
    *vec_push(f->m->mem, &f->m->literals) = lit;
    *atom = atom_make(ATOM_LIT, f->m->literals.n - 1);
    *p = q;
    return true;
}

/* true if `in (a, ..` or `in ()` at p ends a body; `in (j)` may be a complex number after a variable */
static inline bool
ends_begin(const char *p)
{
    if (memcmp(p, "in (", 4) != 0)
        return false;
    const char *q = p + 4;
    if (*q == ')')
        return true;
    while ((u32)(u8)*q - 'a' < 26)
        q++;
    return *q == ',' && q > p + 4;
}

/* reads operands, a space before each, into the module; returns the end of their line or the space before `in (`, or
 * NULL */
static inline const char *
read_operands(struct token_source *f, const char *p)
{
    f->read.atoms = f->m->atoms.n;
    while (*p == ' ') {
        if (p[1] == 'i' && ends_begin(p + 1))
            return p;
        p++;
        if (*p == '\n' && f->m->atoms.n == f->read.atoms) /* JAX prints a space after a primitive without operands */
            return p;
        atom_t atom;
        name_t name;
        if ((u32)(u8)*p - 'a' < 26) {
            const char *word = p;
            if (!read_name(f, &p, &name) || p - word >= LONG_NAME)
                return NULL;
            atom = atom_make(ATOM_NAME, name);
        } else if (!read_literal(f, &p, &atom)) {
            return NULL;
        }
        *vec_push(f->m->mem, &f->m->atoms) = atom;
    }
    return *p == '\n' ? p : NULL;
}

/* reads the binder at p into the module's variables; returns its end, or NULL */
static inline const char *
read_binder(struct token_source *f, const char *p)
{
    struct module *m = f->m;
    struct var var;
    if (!read_name(f, &p, &var.name) || *p != ':')
        return NULL;
    p = read_type(f, p + 1, &var.type);
    if (p)
        *vec_push(m->mem, &m->vars) = var;
    return p;
}

/* reads binders, a space after each; returns the position of their `=`, or NULL */
static inline const char *
read_binders(struct token_source *f, const char *p)
{
    do {
        p = read_binder(f, p);
        if (!p || *p != ' ')
            return NULL;
        p++;
    } while (*p != '=');
    return p;
}

/* reads the binders of a header, each after spaces; returns the position after them, or NULL */
static const char *
read_section(struct token_source *f, const char *p)
{
    for (p = skip_blanks(p); (u32)(u8)*p - 'a' < 26; p = skip_blanks(p)) {
        p = read_binder(f, p);
        if (!p || !(is_blank(*p) || *p == ';' || *p == '.'))
            return NULL;
        if (*p == '.')
            break;
    }
    return p;
}

/* reads the header at p; returns the position after its `let`, or NULL */
static const char *
read_header(struct token_source *f, const char *p)
{
    u32 vars = f->m->vars.n;
    if (memcmp(p, "{ lambda ", 9) != 0)
        return NULL;
    p = read_section(f, p + 9);
    if (!p || *p != ';')
        return NULL;
    f->read.consts = f->m->vars.n - vars;
    p = read_section(f, p + 1);
    if (!p || memcmp(p, ". let", 5) != 0 || !is_blank(p[5]))
        return NULL;
    return *skip_blanks(p + 5) == 'i' ? NULL : p + 5; /* `in`, or a variable with this name */
}

int
fast_header(struct token_source *f, const char *p, union token_value *value)
{
    struct module *m = f->m;
    u32 vars = m->vars.n;
    const char *end = m->no_fast_path ? NULL : read_header(f, p);
    if (!end) {
        m->vars.n = vars;
        return NO_TOKEN;
    }
    f->read.results = vars;
    value->id = offset_of(f, p);
    push_frame(f, STATE_BODY);
    scan_seek(&f->scan, end);
    f->scan.line = end - column_at(f, end);
    f->starting = true;
    return TOK_HEADER;
}

int
fast_ends(struct token_source *f, const char *p, union token_value *value)
{
    const char *q = p + 4;
    name_t name;
    if (!ends_begin(p) || f->m->no_fast_path)
        return NO_TOKEN;
    f->operands.n = 0;
    while (*q != ')') {
        if (!read_name(f, &q, &name) || (*q != ',' && *q != ')'))
            return NO_TOKEN;
        *vec_push(f->m->mem, &f->operands) = atom_make(ATOM_NAME, name);
        if (*q != ',')
            break;
        q = skip_blanks(q + 1);
        if (*q == ')' && (f->operands.n > 1 || q[-1] == ' ')) /* a result is missing */
            return NO_TOKEN;
    }
    q = skip_blanks(q + 1);
    if (*q != '}')
        return NO_TOKEN;
    scan_seek(&f->scan, ++q);
    f->scan.line = q - column_at(f, q);
    f->resume = NULL;
    value->id = offset_of(f, q);
    return TOK_ENDS;
}

/* makes the scanner continue at p, after an empty token */
static void
resume_at(struct token_source *f, const char *p)
{
    scan_seek(&f->scan, p);
    f->scan.at = p;
    f->scan.n = 0;
    f->scan.first = false;
    f->resume = p;
}

/* reads the primitive at p; returns its end, or NULL */
static inline const char *
read_prim(struct token_source *f, const char *p, name_t *prim)
{
    const char *end = p;
    u64 low = load_word(p), high = 0, ends = word_bytes(low, ' ') | word_bytes(low, '[') | word_bytes(low, '\n');
    if (!ends) {
        high = load_word(p + 8);
        ends = word_bytes(high, ' ') | word_bytes(high, '[') | word_bytes(high, '\n');
        if (ends) {
            end = p + 8 + first_byte(ends);
            high &= ~(~(u64)0 << 8 * first_byte(ends));
        }
    } else {
        end = p + first_byte(ends);
        low &= ~(~(u64)0 << 8 * first_byte(ends));
    }
    struct known_word *known = known_word(f->words.prims, low, high);
    if (likely(end > p && known->low == low && known->high == high && known->plain)) {
        *prim = known->id;
        return end;
    }
    if (!is_word_start(*p) || *p == '*')
        return NULL;
    const char *stop = p;
    while (is_word_char(*stop) || *stop == '.' || *stop == '-')
        stop++;
    *prim = prim_name(f, p, (u32)(stop - p));
    if (stop == end)
        known_word(f->words.prims, low, high)->plain = true;
    return stop;
}

/* reads the parameter list of `prim` that begins at p, if it was read before, and the operands after it; returns their
 * end, or NULL */
static const char *
read_known_list(struct token_source *f, name_t prim, const char *p)
{
    const char *end = param_list_before(f, prim, p), *line;
    u32 literals = f->m->literals.n;
    if (!end)
        return NULL;
    line = param_list_line(f->lists.found, p);
    end = read_operands(f, end);
    if (!end) {
        f->m->literals.n = literals;
        f->m->atoms.n = f->read.atoms;
        f->lists.found = NULL;
    } else if (line) {
        f->scan.line = line;
    }
    return end;
}

/* reads the equation at p; see fast_equation. If it ends before parameters, its operands are not read */
static inline int
read_equation(struct token_source *f, const char *p, union token_value *value)
{
    p = read_binders(f, p);
    if (!p || p[1] != ' ')
        return NO_TOKEN;
    const char *prim = p += 2;
    p = read_prim(f, p, &value->id);
    if (!p)
        return NO_TOKEN;
    if (*p == '[') {
        const char *open = p;
        p = read_known_list(f, value->id, p);
        if (!p && !bracket_opens_params(open))
            return NO_TOKEN;
        if (!p) {
            top_frame(f)->state = STATE_RHS;
            param_list_open(f, value->id, open);
            params_open(f, open + 1, prim_is_class(prim));
            return TOK_EQUATION_OPEN;
        }
    } else {
        p = read_operands(f, p);
        if (!p)
            return NO_TOKEN;
    }
    f->resume = p;
    return TOK_EQUATION;
}

/* fast_equation without the token for the parser */
static inline int
plain_equation(struct token_source *f, const char *p, union token_value *value)
{
    struct module *m = f->m;
    u32 vars = m->vars.n, literals = m->literals.n, atoms = m->atoms.n;
    f->lists.found = NULL;
    int token = read_equation(f, p, value);
    if (token == NO_TOKEN) {
        m->vars.n = vars;
        m->literals.n = literals;
        m->atoms.n = atoms;
        return token;
    }
    f->read.results = vars;
    f->starting = false;
    f->equation_at = offset_of(f, p);
    return token;
}

int
fast_equation(struct token_source *f, const char *p, union token_value *value)
{
    int token = f->m->no_fast_path ? NO_TOKEN : plain_equation(f, p, value);
    if (token == TOK_EQUATION) {
        top_frame(f)->state = STATE_RHS;
        resume_at(f, f->resume);
    }
    if (token != NO_TOKEN) {
        f->token.at = offset_of(f, p);
        f->token.n = 1;
    }
    return token;
}

/* reads the operands of the last equation at p, after its parameters; returns their end, or NULL */
static const char *
add_operands(struct token_source *f, const char *p)
{
    u32 literals = f->m->literals.n;
    const char *end = is_typed(f) ? read_operands(f, p) : NULL; /* untyped: they may include the next equation */
    if (end && f->read.atoms < f->m->atoms.n && build_atoms(f))
        return end;
    if (is_typed(f)) {
        f->m->literals.n = literals;
        f->m->atoms.n = f->read.atoms;
    }
    return NULL;
}

int
fast_next(struct token_source *f, union token_value *value)
{
    const char *from = f->resume, *p = from, *end = p;
    struct frame *frame = top_frame(f);
    int token = NO_TOKEN;
    f->resume = NULL;
    if (frame->state != STATE_RHS || f->m->no_fast_path)
        return NO_TOKEN;
    for (;;) {
        const char *line = p + 1, *q = line;
        if (*p == '\n')
            q = skip_spaces(q);
        if ((*p == '\n' || *p == ' ') && *q == 'i' && ends_begin(q)) {
            f->token.at = offset_of(f, q);
            f->token.n = 1;
            token = fast_ends(f, q, value);
            if (token != NO_TOKEN)
                return token;
            break;
        }
        if (*p == ' ') {
            p = add_operands(f, p);
            if (!p)
                break;
        } else {
            const char *before = f->scan.line;
            if (*p != '\n' || (u32)(q - line) != frame->column)
                break;
            f->scan.line = line;
            token = plain_equation(f, q, value);
            if (token == NO_TOKEN)
                f->scan.line = before;
            if (token != TOK_EQUATION)
                break;
            build_equation(f, value->id);
            p = f->resume;
        }
        end = p;
    }
    if (token == TOK_EQUATION_OPEN) {
        f->token.at = f->equation_at;
        f->token.n = 1;
        f->resume = NULL;
        return token;
    }
    if (end > from)
        resume_at(f, end);
    f->resume = NULL;
    return NO_TOKEN;
}

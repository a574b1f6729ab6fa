/* SPDX-License-Identifier: Apache-2.0
 *
 * Amounts that may depend on open sizes: polynomials in symbols (a dimension, how often a `while` runs) whose
 * coefficients are doubles. Coefficients saturate at AMOUNT_LIMIT; terms beyond AMOUNT_TERMS, and terms with more than
 * AMOUNT_FACTORS symbols, are dropped, and `more` is set.
 *
 * This is not struct poly (types/poly.h): that has exact integers, allocates nothing, so that threads may share a
 * module, and rejects what does not fit, while costs need fractions, upper bounds, and sums of millions of terms, whose
 * monomials are interned. Only poly.c reads expressions; cost/size.c converts them.
 */
#ifndef JX_AMOUNT_H
#define JX_AMOUNT_H

#include "base/names.h"
#include "base/sink.h"

enum { AMOUNT_TERMS = 24, AMOUNT_FACTORS = 12 };

/* the largest coefficient: sums and products saturate at it */
#define AMOUNT_LIMIT 1e300

/* one term: coefficient and monomial, an id of struct amounts */
struct amount_term {
    double times;
    u32 monomial;
};

/* A polynomial used in a computation; it is large, so it is on the stack and passed by address. */
struct amount {
    double constant;
    u32 n;
    bool more; /* terms were dropped */
    struct amount_term terms[AMOUNT_TERMS];
};

/* A stored polynomial. Zero-initialized, it is 0. */
struct amount_kept {
    double constant;
    u32 at; /* its first term in amounts.kept */
    u16 n, cap;
    bool more;
};

/* symbol to the power of `power` */
struct amount_factor {
    u32 symbol, power;
};

struct amount_monomial {
    const struct amount_factor *factors; /* by symbol */
    u32 n, degree;
};

/* The symbols and monomials so far, and the terms of stored polynomials. */
struct amounts {
    struct mem *mem;
    struct names symbols; /* by text */
    VEC(u32) owners; /* by symbol: an id of the caller, which distinguishes symbols of the same text, or NONE for any */
    struct names monomials; /* by the bytes of their factors */
    VEC(struct amount_term) kept;
};

/* makes an empty table; amounts_drop frees it */
void amounts_init(struct amounts *t, struct mem *mem);
void amounts_drop(struct amounts *t);

/* the symbol of a text, whose bytes are not copied. If the text is a symbol of another owner, `else_text` is used
 * instead */
u32 amounts_symbol(struct amounts *t, struct slice text, u32 owner, struct slice else_text);

/* whether a text is a symbol of another owner already */
bool amounts_taken(const struct amounts *t, struct slice text, u32 owner);

/* the factors of a term's monomial */
struct amount_monomial amount_monomial(const struct amounts *t, u32 monomial);

/* sets a to a number, or to a symbol */
void amount_set(struct amount *a, double value);
void amount_symbol(struct amounts *t, struct amount *a, u32 symbol);
void amount_copy(struct amount *to, const struct amount *from);

/* a += b; a += times * b; a *= b; a *= times; b must not be a */
void amount_add(struct amount *a, const struct amount *b);
void amount_add_times(struct amount *a, const struct amount *b, double times);
void amount_multiply(struct amounts *t, struct amount *a, const struct amount *b);
void amount_scale(struct amount *a, double times);

/* a becomes an upper bound of a and b for all symbols not less than 0: the larger of each two coefficients */
void amount_most(struct amount *a, const struct amount *b);

/* true if it is a number, which *value becomes */
static inline bool
amount_number(const struct amount *a, double *value)
{
    *value = a->constant;
    return a->n == 0 && !a->more;
}

/* whether two are the same polynomial; false if terms of one were dropped */
bool amount_equal(const struct amount *a, const struct amount *b);

/* its value if every symbol is 1024, for sorting */
double amount_guess(const struct amounts *t, const struct amount *a);

/* store an amount, reusing the memory of the old one if it is large enough; load it */
void amount_keep(struct amounts *t, struct amount_kept *place, const struct amount *a);
void amount_load(const struct amounts *t, struct amount *a, const struct amount_kept *place);

/* place += a */
void amount_collect(struct amounts *t, struct amount_kept *place, const struct amount *a);

/* writes `2*n^2*while@12 + 3*n + 5`, terms of the highest degree first; ` + ..` after them if terms were dropped;
 * integers up to 2^53 in full, larger numbers with six digits, `1.23457e+21`, and above 1e300 `over 1e300` */
void amount_write(struct sink *out, const struct amounts *t, const struct amount_kept *a);

/* the same for a count, rounded if it is a number: formulas such as n^3/3 give thirds */
void amount_write_whole(struct sink *out, const struct amounts *t, const struct amount_kept *a);

#endif

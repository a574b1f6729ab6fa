/* SPDX-License-Identifier: Apache-2.0
 *
 * Polynomials of few terms. A monomial is interned, so that terms are joined by comparing ids; the constant is kept
 * apart, so that programs without symbols have no terms. Sums are linear, products quadratic in the few terms. */
#include "cost/amount.h"

#include <stdlib.h>

static double
limited(double x)
{
    return x > AMOUNT_LIMIT ? AMOUNT_LIMIT : x < -AMOUNT_LIMIT ? -AMOUNT_LIMIT : x;
}

/* ---- symbols and monomials ---- */

void
amounts_init(struct amounts *t, struct mem *mem)
{
    *t = (struct amounts){.mem = mem};
    names_init(mem, &t->symbols, 0);
    names_init(mem, &t->monomials, 0);
}

void
amounts_drop(struct amounts *t)
{
    mem_free_all(t->mem, t->owners.at, t->kept.at, t->symbols.others.at, t->monomials.others.at, t->symbols.slots,
                 t->monomials.slots);
    *t = (struct amounts){.mem = t->mem};
}

bool
amounts_taken(const struct amounts *t, struct slice text, u32 owner)
{
    name_t symbol = names_find(&t->symbols, text);
    return symbol != NONE && t->owners.at[symbol - NAME_OTHER] != owner;
}

u32
amounts_symbol(struct amounts *t, struct slice text, u32 owner, struct slice else_text)
{
    name_t symbol = names_intern(t->mem, &t->symbols, amounts_taken(t, text, owner) ? else_text : text) - NAME_OTHER;
    if (symbol == t->owners.n)
        *vec_push(t->mem, &t->owners) = owner;
    return symbol;
}

/* the monomial of n factors, by symbol: its bytes are the key */
static u32
monomial_of(struct amounts *t, const struct amount_factor *factors, u32 n)
{
    struct slice bytes = {(const char *)factors, n * sizeof *factors};
    name_t known = names_find(&t->monomials, bytes);
    return (known != NONE ? known : names_intern(t->mem, &t->monomials, arena_copy(t->mem, bytes))) - NAME_OTHER;
}

struct amount_monomial
amount_monomial(const struct amounts *t, u32 monomial)
{
    struct slice bytes = t->monomials.others.at[monomial];
    struct amount_monomial m = {(const void *)bytes.at, (u32)(bytes.n / sizeof *m.factors), 0};
    for (u32 i = 0; i < m.n; i++)
        m.degree += m.factors[i].power;
    return m;
}

/* the product of two monomials, NONE if it has more than AMOUNT_FACTORS symbols or a degree above 2^20 */
static u32
monomial_product(struct amounts *t, u32 a, u32 b)
{
    struct amount_factor product[AMOUNT_FACTORS * 2];
    const struct amount_monomial x = amount_monomial(t, a), y = amount_monomial(t, b);
    u32 i = 0, k = 0, n = 0;
    while (i < x.n || k < y.n) {
        const struct amount_factor *p = i < x.n ? &x.factors[i] : NULL;
        const struct amount_factor *q = k < y.n ? &y.factors[k] : NULL;
        if (p && q && p->symbol == q->symbol) {
            product[n++] = (struct amount_factor){p->symbol, p->power + q->power};
            i++;
            k++;
        } else if (p && (!q || p->symbol < q->symbol)) {
            product[n++] = *p;
            i++;
        } else {
            product[n++] = *q;
            k++;
        }
    }
    return n > AMOUNT_FACTORS || x.degree + y.degree > 1u << 20 ? NONE : monomial_of(t, product, n);
}

/* ---- arithmetic ---- */

void
amount_set(struct amount *a, double value)
{
    a->constant = limited(value);
    a->n = 0;
    a->more = false;
}

void
amount_symbol(struct amounts *t, struct amount *a, u32 symbol)
{
    amount_set(a, 0);
    a->terms[a->n++] = (struct amount_term){1, monomial_of(t, &(struct amount_factor){symbol, 1}, 1)};
}

void
amount_copy(struct amount *to, const struct amount *from)
{
    to->constant = from->constant;
    to->n = from->n;
    to->more = from->more;
    memcpy(to->terms, from->terms, from->n * sizeof *from->terms);
}

/* adds one term, merging it with one of the same monomial */
static void
add_term(struct amount *a, double times, u32 monomial)
{
    for (u32 i = 0; i < a->n; i++)
        if (a->terms[i].monomial == monomial) {
            a->terms[i].times = limited(a->terms[i].times + times);
            if (a->terms[i].times == 0)
                a->terms[i] = a->terms[--a->n];
            return;
        }
    if (a->more && times < 0)
        return; /* the term may be one of those that were dropped */
    if (a->n == AMOUNT_TERMS)
        a->more = true;
    else if (times != 0)
        a->terms[a->n++] = (struct amount_term){times, monomial};
}

void
amount_add_times(struct amount *a, const struct amount *b, double times)
{
    a->constant = limited(a->constant + limited(b->constant * times));
    a->more |= b->more;
    for (u32 i = 0; i < b->n; i++)
        add_term(a, limited(b->terms[i].times * times), b->terms[i].monomial);
}

void
amount_add(struct amount *a, const struct amount *b)
{
    amount_add_times(a, b, 1);
}

void
amount_scale(struct amount *a, double times)
{
    if (times == 0) {
        amount_set(a, 0);
        return;
    }
    a->constant = limited(a->constant * times);
    for (u32 i = 0; i < a->n; i++)
        a->terms[i].times = limited(a->terms[i].times * times);
}

void
amount_multiply(struct amounts *t, struct amount *a, const struct amount *b)
{
    if (b->n == 0 && !b->more) {
        amount_scale(a, b->constant);
        return;
    }
    if (a->n == 0 && !a->more) {
        double times = a->constant;
        amount_copy(a, b);
        amount_scale(a, times);
        return;
    }
    struct amount product;
    amount_set(&product, a->constant * b->constant);
    product.more = a->more || b->more;
    for (u32 i = 0; i < a->n && b->constant != 0; i++)
        add_term(&product, limited(a->terms[i].times * b->constant), a->terms[i].monomial);
    for (u32 k = 0; k < b->n; k++) {
        if (a->constant != 0)
            add_term(&product, limited(b->terms[k].times * a->constant), b->terms[k].monomial);
        for (u32 i = 0; i < a->n; i++) {
            u32 monomial = monomial_product(t, a->terms[i].monomial, b->terms[k].monomial);
            if (monomial == NONE)
                product.more = true;
            else
                add_term(&product, limited(a->terms[i].times * b->terms[k].times), monomial);
        }
    }
    amount_copy(a, &product);
}

void
amount_most(struct amount *a, const struct amount *b)
{
    if (b->constant > a->constant)
        a->constant = b->constant;
    a->more |= b->more;
    for (u32 i = 0; i < a->n;) { /* terms that b lacks count as 0 */
        double other = 0;
        for (u32 k = 0; k < b->n; k++)
            if (b->terms[k].monomial == a->terms[i].monomial)
                other = b->terms[k].times;
        if (other > a->terms[i].times)
            a->terms[i].times = other;
        if (a->terms[i].times == 0)
            a->terms[i] = a->terms[--a->n];
        else
            i++;
    }
    for (u32 k = 0; k < b->n; k++) {
        bool found = b->terms[k].times <= 0;
        for (u32 i = 0; i < a->n && !found; i++)
            found = b->terms[k].monomial == a->terms[i].monomial;
        if (!found)
            add_term(a, b->terms[k].times, b->terms[k].monomial);
    }
}

bool
amount_equal(const struct amount *a, const struct amount *b)
{
    if (a->constant != b->constant || a->n != b->n || a->more || b->more)
        return false;
    for (u32 i = 0; i < a->n; i++) {
        bool found = false;
        for (u32 k = 0; k < b->n && !found; k++)
            found = a->terms[i].monomial == b->terms[k].monomial && a->terms[i].times == b->terms[k].times;
        if (!found)
            return false;
    }
    return true;
}

double
amount_guess(const struct amounts *t, const struct amount *a)
{
    double guess = a->constant;
    for (u32 i = 0; i < a->n; i++) {
        double term = a->terms[i].times;
        for (u32 d = amount_monomial(t, a->terms[i].monomial).degree; d > 0 && term < AMOUNT_LIMIT; d--)
            term *= 1024;
        guess = limited(guess + limited(term));
    }
    return guess;
}

/* ---- storage ---- */

void
amount_keep(struct amounts *t, struct amount_kept *place, const struct amount *a)
{
    if (a->n > place->cap) {
        place->cap = (u16)(a->n + (place->cap ? a->n : 0));
        place->at = t->kept.n;
        memset(vec_push_n(t->mem, &t->kept, place->cap), 0, place->cap * sizeof *t->kept.at);
    }
    place->constant = a->constant;
    place->n = (u16)a->n;
    place->more = a->more;
    if (a->n)
        memcpy(t->kept.at + place->at, a->terms, a->n * sizeof *a->terms);
}

void
amount_load(const struct amounts *t, struct amount *a, const struct amount_kept *place)
{
    a->constant = place->constant;
    a->n = place->n;
    a->more = place->more;
    if (place->n)
        memcpy(a->terms, t->kept.at + place->at, place->n * sizeof *a->terms);
}

void
amount_collect(struct amounts *t, struct amount_kept *place, const struct amount *a)
{
    if (place->n == 0 && a->n == 0) {
        place->constant = limited(place->constant + a->constant);
        place->more |= a->more;
        return;
    }
    struct amount sum;
    amount_load(t, &sum, place);
    amount_add(&sum, a);
    amount_keep(t, place, &sum);
}

/* ---- text ---- */

/* formats six digits as C's `%g`, independently of the locale */
static void
write_rounded(struct sink *out, double x)
{
    char digits[400];
    int exponent = 0;
    for (; x >= 1e6 - 0.5; exponent++)
        x /= 10;
    for (; x < 1e5 - 0.05; exponent--)
        x *= 10;
    u32 whole = (u32)(x + 0.5), n = 6;
    while (n > 1 && whole % 10 == 0) {
        whole /= 10;
        n--;
    }
    for (u32 i = n; i > 0; i--, whole /= 10)
        digits[i - 1] = (char)('0' + whole % 10);
    exponent += 5;
    if (exponent < 0 && exponent >= -4) {
        sink_printf(out, "0.%.*s%.*s", -exponent - 1, "000", (int)n, digits);
    } else if (exponent >= 0 && exponent < 6 && (u32)exponent + 1 < n) {
        sink_printf(out, "%.*s.%.*s", exponent + 1, digits, (int)n - exponent - 1, digits + exponent + 1);
    } else {
        sink_printf(out, "%c%s%.*s", digits[0], n > 1 ? "." : "", (int)n - 1, digits + 1);
        if (exponent)
            sink_printf(out, "e%c%02d", exponent < 0 ? '-' : '+', exponent < 0 ? -exponent : exponent);
    }
}

static void
write_number(struct sink *out, double x)
{
    if (x >= AMOUNT_LIMIT)
        sink_printf(out, "over 1e300");
    else if (x <= 9007199254740992.0 && x == (double)(u64)x)
        sink_printf(out, "%llu", (unsigned long long)x);
    else
        write_rounded(out, x);
}

struct written {
    const struct amounts *t;
    struct amount_term term;
};

/* higher degrees first, then by the texts of the symbols */
static int
by_degree(const void *a, const void *b)
{
    const struct written *x = a, *y = b;
    const struct amounts *t = x->t;
    const struct amount_monomial p = amount_monomial(t, x->term.monomial), q = amount_monomial(t, y->term.monomial);
    if (p.degree != q.degree)
        return p.degree < q.degree ? 1 : -1;
    for (u32 i = 0; i < p.n && i < q.n; i++) {
        const struct amount_factor *f = &p.factors[i], *g = &q.factors[i];
        if (f->symbol != g->symbol)
            return f->symbol < g->symbol ? -1 : 1;
        if (f->power != g->power)
            return f->power < g->power ? 1 : -1;
    }
    return (p.n < q.n) - (p.n > q.n);
}

static void
write_term(struct sink *out, const struct amounts *t, const struct amount_term *term)
{
    const struct amount_monomial m = amount_monomial(t, term->monomial);
    double times = term->times < 0 ? -term->times : term->times;
    if (times != 1) {
        write_number(out, times);
        sink_char(out, '*');
    }
    for (u32 i = 0; i < m.n; i++) {
        const struct amount_factor *f = &m.factors[i];
        if (i)
            sink_char(out, '*');
        sink_slice(out, t->symbols.others.at[f->symbol]);
        if (f->power > 1)
            sink_printf(out, "^%u", f->power);
    }
}

void
amount_write_whole(struct sink *out, const struct amounts *t, const struct amount_kept *a)
{
    struct amount_kept whole = *a;
    if (whole.n == 0 && whole.constant > 0 && whole.constant < 9007199254740992.0)
        whole.constant = (double)(u64)(whole.constant + 0.5);
    amount_write(out, t, &whole);
}

void
amount_write(struct sink *out, const struct amounts *t, const struct amount_kept *a)
{
    struct written terms[AMOUNT_TERMS];
    for (u32 i = 0; i < a->n; i++)
        terms[i] = (struct written){t, t->kept.at[a->at + i]};
    qsort(terms, a->n, sizeof *terms, by_degree);
    for (u32 i = 0; i < a->n; i++) {
        bool minus = terms[i].term.times < 0;
        sink_printf(out, "%s", i == 0 ? minus ? "-" : "" : minus ? " - " : " + ");
        write_term(out, t, &terms[i].term);
    }
    if (a->n == 0 ? a->constant != 0 || !a->more : a->constant != 0) {
        if (a->n || a->constant < 0)
            sink_printf(out, "%s", a->constant < 0 ? a->n ? " - " : "-" : " + ");
        write_number(out, a->constant < 0 ? -a->constant : a->constant);
    }
    if (a->more)
        sink_printf(out, a->n || a->constant != 0 ? " + .." : "..");
}

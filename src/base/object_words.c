/* SPDX-License-Identifier: Apache-2.0
 *
 * Each function examines one word, or one `<..>`, with its surroundings. Linear in its length. */
#include "base/object_words.h"

#include "base/lexical.h"
#include "base/markup.h"
#include "base/near.h"
#include "base/value.h"

bool
number_fits(struct slice s, size_t i)
{
    size_t from = i, end = i + 1;
    while (from && is_word_char(s.at[from - 1]))
        from--;
    struct slice name = {s.at + from, i - from};
    if (from < 3 || memcmp(name.at - 3, "np.", 3) != 0)
        return true;
    while (end < s.n && (is_digit(s.at[end]) || s.at[end] == '-'))
        end++;
    bool whole = end < s.n && s.at[end] == ')';
    if (slice_starts(name, SLICE("float")))
        return !whole && end < s.n && s.at[end] != ',' && words_have(numpy_floats, name);
    bool integer = slice_starts(name, SLICE("int")) || slice_starts(name, SLICE("uint"));
    return !integer || (whole && end > i + 1 && words_have(numpy_integers, name));
}

bool
node_is_quoted(struct slice s, size_t i, size_t end, struct slice *flaw)
{
    static const struct slice class = SLICE("<class ");
    for (; i < end; i++) {
        if (s.at[i] == '\'' || s.at[i] == '"') {
            i = (size_t)(quoted_end(s.at + i, s.at + end) - s.at) - 1;
        } else if (s.at[i] == ',' && (s.at[i - 1] == '[' || (s.at[i - 1] == ' ' && s.at[i - 2] == ','))) {
            *flaw = (struct slice){s.at + i, 1}; /* `[, ]` */
            return false;
        } else if (s.at[i] == '<') {
            struct slice name = {s.at + i + class.n, end - i - class.n};
            if (end - i > class.n && memcmp(s.at + i, class.at, class.n) == 0 && *name.at != '\'') {
                *flaw = (struct slice){name.at, (size_t)(value_find(name.at, s.at + end, ">") - name.at)};
                return false;
            }
        } else if (s.at[i] == '{' && i + 1 < end && is_word_start(s.at[i + 1])) {
            size_t word = i + 1;
            while (word < end && is_word_char(s.at[word]))
                word++;
            if (word + 2 < end && s.at[word] == ':' && s.at[word + 1] == ' ' && s.at[word + 2] == '*') {
                *flaw = (struct slice){s.at + i + 1, word - i - 1};
                return false;
            }
        }
    }
    return true;
}

bool
has_numbers(struct slice s)
{
    u32 depth = 0;
    if (s.n && *s.at == '<')
        return false;
    for (size_t i = 0; i < s.n && (depth || (s.at[i] != ',' && bracket_step(s.at[i]) >= 0)); i++) {
        size_t from = i;
        i = word_until(s, i);
        bool ends = i == s.n || strchr(",)]}", s.at[i]); /* not in `np.int64(1)` */
        struct slice word = {s.at + from, i - from};
        bool wrong = i > from && (is_word_start(*word.at) ? !words_have("None inf", word)
                                                          : word.n > 1 && word.at[1] == 'x'); /* `0x8` */
        if (wrong && ends)
            return false;
        i -= i > from;
        depth = bracket_depth(depth, s.at[i]);
    }
    return true;
}

bool
lacks_shape(struct slice s, size_t i)
{
    size_t end = word_until(s, i + 1);
    return end > i + 1 && end < s.n && strchr(",)", s.at[end]);
}

bool
is_beyond_sizes(struct slice s, size_t i)
{
    if (i == 0 || !(is_digit(s.at[i - 1]) || slice_ends((struct slice){s.at, i}, SLICE("bool"))))
        return false;
    struct slice sizes = {s.at + i + 1, bracket_end(s, i) - i - 1};
    for (size_t k = 0; k + 1 < sizes.n; k++)
        if (sizes.at[k] == '-' && is_digit(sizes.at[k + 1]) && (k == 0 || sizes.at[k - 1] == ','))
            return true;
    return !integers_fit(sizes);
}

bool
follows_number(struct slice s, size_t i)
{
    size_t from = i;
    while (from && is_word_char(s.at[from - 1]))
        from--;
    return from < i && is_digit(s.at[from]) && (!from || s.at[from - 1] != '.');
}

bool
is_foreign_word(struct slice s, size_t from, size_t end, bool of_user)
{
    static const char constants[] = "TRUE FALSE NONE NULL true false null FalseFalse TrueTrue NoneNone NaN "
                                    "WAHR FALSCH VRAI FAUX VERDADERO FALSO VERO VERDADEIRO WAAR ONWAAR SANT FALSKT "
                                    "Wahr Falsch Vrai Faux Verdadero Falso Vero Verdadeiro Ninguno Nessuno Nenhum";
    struct slice word = {s.at + from, end - from};
    bool truth = slice_eq(word, SLICE("None")) || slice_eq(word, SLICE("True")) || slice_eq(word, SLICE("False"));
    if (!truth && strchr("FNOSTVWfnt", *word.at) && words_have(constants, word))
        return true;
    struct slice type = {word.at + (*word.at == 'j'), word.n - (*word.at == 'j')}; /* `jnp.float32` */
    bool number = slice_starts(type, SLICE("np.int")) || slice_starts(type, SLICE("np.uint")) ||
                  slice_starts(type, SLICE("np.float"));
    if (!is_digit(word.at[0]))
        return number && (end == s.n || s.at[end] != '(');
    enum { ADDRESS = 6 }; /* the shortest one */
    bool hex = word.n > 2 && word.at[1] == 'x';
    if (hex && word.n < ADDRESS && !of_user && !slice_ends((struct slice){s.at, from}, SLICE(" at ")))
        return true;
    size_t i = hex ? 2 : 0;
    for (; hex && i < word.n; i++)
        if (!is_digit(word.at[i]) && !strchr("abcdefABCDEFX", word.at[i]))
            return true;
    while (i < word.n && (is_digit(word.at[i]) || word.at[i] == '.'))
        i++;
    bool power = i + 1 < word.n && word.at[i] == 'e' && is_digit(word.at[i + 1]);
    bool after = from && (s.at[from - 1] == '-' || s.at[from - 1] == '+') && from > 1 && s.at[from - 2] == 'e';
    bool zeros = word.n > 1 && word.at[0] == '0' && is_digit(word.at[1]) && i == word.n && !after;
    bool rest = i < word.n && !(i + 1 == word.n && strchr("ej", word.at[i]));
    return power || zeros || rest;
}

bool
is_lower_word(struct slice s, size_t from, size_t end)
{
    struct slice word = {s.at + from, end - from};
    while (from < end && (s.at[from] == '_' || (s.at[from] >= 'a' && s.at[from] <= 'z')))
        from++;
    return from == end && !slice_eq(word, SLICE("nan")) && !slice_eq(word, SLICE("inf"));
}

/* the end of the name of a device, whose `=` is at s.at[i]; 0 if no device has such a name */
static size_t
device_end(struct slice s, size_t i)
{
    size_t from = i + 1, end = from;
    while (end < s.n && (is_word_char(s.at[end]) || memchr(" -./+", s.at[end], 5))) {
        end++;
        for (u32 k = 0; k < 2; k++) { /* as in the names of Intel's */
            struct slice mark = k ? SLICE("(TM)") : SLICE("(R)");
            end += slice_starts((struct slice){s.at + end, s.n - end}, mark) ? mark.n : 0;
        }
    }
    bool name = end > from && is_word_char(s.at[from]) && s.at[end - 1] != ' ';
    return name && end < s.n && strchr(",)", s.at[end]) ? end : 0;
}

/* the end of a name of Pallas before the next field, or i if there is none */
static size_t
origin_end(struct slice s, size_t i)
{
    for (size_t k = i; k + 2 < s.n; k++)
        if (s.at[k] == ',' && s.at[k + 1] == ' ' && is_word_start(s.at[k + 2])) {
            size_t end = word_until(s, k + 2);
            if (end < s.n && s.at[end] == '=')
                return k;
        }
    return i;
}

/* whether the word at s.at[i], with or without an index, `outputs`, `args[0]`, is a whole value: a string without its
 * quotes */
static bool
is_bare_string(struct slice s, size_t i)
{
    i = word_until(s, i);
    size_t index = i + (i < s.n && s.at[i] == '['), end = index;
    while (end < s.n && is_digit(s.at[end]))
        end++;
    i = index > i && end > index && end < s.n && s.at[end] == ']' ? end + 1 : i;
    return i < s.n && strchr(",)", s.at[i]);
}

size_t
text_field_end(struct slice s, struct slice word, size_t i)
{
    if (slice_eq(word, SLICE("device_kind")))
        return device_end(s, i);
    bool origin = slice_eq(word, SLICE("origin")) && i + 1 < s.n && is_word_start(s.at[i + 1]);
    return !origin ? i : is_bare_string(s, i + 1) ? 0 : origin_end(s, i);
}

/* the end of the qualified name at s.at[i], `f.<locals>.<lambda>`; 0 if there is none */
static size_t
path_end(struct slice s, size_t i)
{
    for (;; i++) {
        bool angle = i < s.n && s.at[i] == '<';
        i += angle;
        if (i >= s.n || (!is_word_start(s.at[i]) && (u8)s.at[i] < 0x80))
            return 0;
        while (i < s.n && (is_word_char(s.at[i]) || (u8)s.at[i] >= 0x80))
            i++;
        if (angle && (i >= s.n || s.at[i++] != '>'))
            return 0;
        if (i >= s.n || s.at[i] != '.')
            return i;
    }
}

/* the end of the ` at 0x7f..` that a text begins with, 0 if it does not; people write `X` for the digits that vary */
static size_t
address_end(struct slice s)
{
    size_t i = strlen(" at 0x");
    while (i < s.n && (is_digit(s.at[i]) || (s.at[i] >= 'a' && s.at[i] <= 'f') || strchr("AX.*BCDEF", s.at[i])))
        i++;
    return slice_starts(s, SLICE(" at 0x")) ? i : 0;
}

static bool
is_address(struct slice s)
{
    return s.n && address_end(s) == s.n;
}

/* whether a text is an address, and what Python prints after that of some objects: `; dead`, `; to 'X' at 0x7f..`,
 * ` to X at 0x7f..`, `: unset`, `, file "a.py", line 2`, ` maxsize=0`, ` [unlocked]` */
static bool
is_address_and_state(struct slice s)
{
    size_t i = address_end(s);
    if (i == 0 || i == s.n)
        return i > 0;
    struct slice state = {s.at + i + 1, s.n - i - 1};
    const char *other = memmem(state.at, state.n, " at 0", 5);
    if (i == strlen(" at 0x") || (other && !is_address((struct slice){other, (size_t)(s.at + s.n - other)})))
        return false;
    size_t word = s.at[i] == ' ' ? word_until(state, 0) : 0;
    bool field = word && word + 1 < state.n && state.at[word] == '=';
    bool marked = memchr(";:,", s.at[i], 3) && state.n > 1 && *state.at == ' ' && is_word_start(state.at[1]);
    return marked || field || (s.at[i] == ' ' && other && slice_starts(state, SLICE("to "))) ||
           (s.at[i] == ' ' && state.n && *state.at == '[' && bracket_end(state, 0) + 1 == state.n);
}

/* whether a text has a comma outside brackets */
static bool
has_open_comma(struct slice s)
{
    int depth = 0;
    for (size_t i = 0; i < s.n; i++) {
        depth += bracket_step(s.at[i]);
        if (s.at[i] == ',' && depth <= 0)
            return true;
    }
    return false;
}

/* whether a word is a misspelled one of those that Python and PennyLane print for an object, or the last one is cut:
 * `<X objetc at 0x7f..>`, `<X obje>`, `<X device (wirs=3)>`; `obj` is a word of people */
static bool
has_misspelled_noun(struct slice s)
{
    static const char *const nouns[] = {"object", "device", "wires", "qubit", "total"};
    bool device = slice_contains(s, SLICE(" device (")) || slice_contains(s, SLICE("(wires="));
    for (size_t i = 1, end; i < s.n; i = end + 1) {
        end = word_until(s, i);
        struct slice word = {s.at + i, end - i};
        if (end == s.n && word.n > 3 && s.at[i - 1] == ' ' && word.n < 6 && slice_starts(SLICE("object"), word))
            return true;
        for (u32 k = 0; word.n > 3 && word.at[0] >= 'a' && k < (device ? countof(nouns) : 1); k++) {
            struct slice noun = slice_of(nouns[k]);
            bool number = slice_starts(noun, word) || slice_starts(word, noun); /* `devices`, `wire` */
            bool part = s.at[i - 1] == ' ' || (device && strchr("(.", s.at[i - 1]));
            if (part && !number && word_is_misspelled(word, noun))
                return true;
        }
    }
    return false;
}

bool
is_odd_caret(struct slice s, size_t i, bool of_user)
{
    char next = i + 1 < s.n ? s.at[i + 1] : 0;
    return next == '<' || (!of_user && next >= 'A' && next <= '[');
}

/* whether a text has a character that no name contains: a replacement character or, if it is as Python prints objects
 * by default, a symbol such as an arrow, `#`, `@`, or an accent after a letter, which names contain as one character */
static bool
has_damaged_letter(struct slice s)
{
    bool address = slice_contains(s, SLICE(" at 0x"));
    for (size_t i = 0; i + 1 < s.n; i++) {
        u8 c = (u8)s.at[i], next = (u8)s.at[i + 1], last = i + 2 < s.n ? (u8)s.at[i + 2] : 0;
        bool accent = i && (u8)s.at[i - 1] < 0x80 && ((c == 0xCC && next >= 0x80) || (c == 0xCD && next < 0xB0));
        bool symbol = c == 0xE2 && !(next == 0x80 && last == 0xA6); /* not `…` */
        bool mark = (c == '#' || c == '@') && i && strchr("(=.", s.at[i - 1]) && is_word_char((char)next);
        bool key = c == '^' && is_odd_caret(s, i, false);
        if ((c == 0xEF && next == 0xBF && last == 0xBD) || (address && (symbol || mark || accent || key)))
            return true;
    }
    return false;
}

/* whether the address of an object follows other words than ` at`, `<X object avt 0x7f..>`; other classes may print
 * one alone, as `<axis 0x7f..>` of JAX 0.4 and `<cdata 'int *' 0x7f..>` */
static bool
has_lone_address(struct slice s)
{
    bool object = slice_contains(s, SLICE(" object")) || slice_contains(s, SLICE(" device ("));
    for (size_t i = 1; object && i + 3 < s.n; i++)
        if (memcmp(s.at + i, " 0x", 3) == 0 && !slice_ends((struct slice){s.at, i}, SLICE(" at")))
            return true;
    return false;
}

/* the end of a number, `None` or a traced value at s.at[i], as PennyLane prints for shots and wires; 0 if it is
 * something else */
static size_t
count_end(struct slice s, size_t i)
{
    struct slice rest = {s.at + i, s.n - i};
    const char *close = memchr(rest.at, '>', rest.n);
    if (slice_starts(rest, SLICE("None")))
        return i + strlen("None");
    if (close && slice_contains((struct slice){rest.at, word_until(rest, 0)}, SLICE("Trace")))
        return (size_t)(close + 1 - s.at);
    size_t end = i;
    while (end < s.n && is_digit(s.at[end]))
        end++;
    return end > i ? end : 0;
}

/* whether a text is a device as PennyLane prints it, `<lightning.qubit device (wires=2, shots=10) at 0x7f..>`, or
 * another object, which may print anything else: one of a user's class, or one that contains a device,
 * `<LegacyDeviceFacade: <DefaultGaussian device ..>>`, `Transformed Device(<..> with ..)` */
static bool
device_fits(struct slice s)
{
    static const char *const fields[] = {"wires=", "shots="};
    const char *noun = memmem(s.at, s.n, " device ", 8);
    bool named = noun || slice_contains(s, SLICE("(wires=")) || slice_contains(s, SLICE("(shots="));
    if (!named || !slice_contains(s, SLICE("0x")))
        return true;
    size_t i = noun ? (size_t)(noun - s.at) : 0;
    for (size_t k = 1; k < i; k++)
        if (!is_word_char(s.at[k]) && !strchr(".-", s.at[k]))
            return strchr(" :<", s.at[k]) != NULL;
    if (i < 2 || *s.at != '<' || s.at[s.n - 1] != '>')
        return false;
    i += strlen(" device");
    bool open = i + 1 < s.n && s.at[i + 1] == '(';
    for (u32 k = 0; open && k < countof(fields); k++) {
        struct slice rest = {s.at + i + 2, s.n - i - 2}, field = slice_of(fields[k]);
        if (!slice_starts(rest, field))
            continue;
        i = count_end(s, i + 2 + field.n);
        if (i == 0 || i + 1 >= s.n)
            return false;
        open = s.at[i] == ',' && s.at[i + 1] == ' ';
        if (!open && s.at[i++] != ')')
            return false;
    }
    return !open && is_address((struct slice){s.at + i, s.n - 1 - i});
}

/* whether a text is `Shots(total=10)`, or `Shots(total=30, vector=[10 shots x 3])` */
static bool
shots_fit(struct slice s)
{
    struct slice total = SLICE("Shots(total="), vector = SLICE(", vector=[");
    size_t i = slice_starts(s, total) ? count_end(s, total.n) : 0;
    struct slice rest = {s.at + i, s.n - i};
    return i && (slice_eq(rest, SLICE(")")) || (slice_starts(rest, vector) && slice_ends(rest, SLICE("])"))));
}

bool
is_odd_axis(struct slice s, size_t i)
{
    const char *end = quoted_end(s.at + i, s.at + s.n);
    return end - s.at < (ptrdiff_t)i + 3 || is_blank(s.at[i + 1]) || is_blank(end[-2]);
}

bool
follows_mask(struct slice s, size_t i)
{
    size_t from = i - 1;
    if (s.at[from] != ']')
        return false;
    while (from && is_word_char(s.at[from - 1]))
        from--;
    return from && from + 1 < i && s.at[from - 1] == '[' && is_word_start(s.at[from]) &&
           (from == 1 || !is_word_char(s.at[from - 2]));
}

bool
in_spec(struct slice s, size_t i)
{
    enum { LONGEST = 256 };
    size_t least = i > LONGEST ? i - LONGEST : 0;
    while (i > least && (is_word_char(s.at[i - 1]) || strchr("', ", s.at[i - 1])))
        i--;
    struct slice before = {s.at, i};
    return slice_ends(before, SLICE("PartitionSpec(")) || slice_ends(before, SLICE("=P(")) ||
           slice_ends(before, SLICE(" P(")) || slice_ends(before, SLICE("(P("));
}

bool
has_address(struct slice s)
{
    return slice_contains(s, SLICE(" at 0")) || slice_contains(s, SLICE(" 0x")) || slice_contains(s, SLICE(" 0X"));
}

bool
is_truth(struct slice s)
{
    struct slice word = {s.at, word_until(s, 0)};
    return words_have("True False None", word) ||
           (word.n < s.n && strchr(word.n ? "<(." : ".", s.at[word.n]) && !(word.n && is_digit(*s.at)));
}

bool
option_fits(struct slice field, struct slice value)
{
    enum { ADDED = 3 };
    static const struct {
        const char *field, *values;
    } options[] = {
        {"interface", "auto autograd jax jax-jit numpy tensorflow tf torch"},
        {"diff_method", "adjoint backprop best device finite-diff hadamard parameter-shift spsa"},
        {"method", "auto fd"},
        {"memory_kind", "device pinned_host unpinned_host"},
        {"floatmode", "fixed unique maxprec maxprec_equal"},
    };
    if (has_markup(value))
        return false;
    if (slice_eq(field, SLICE("device")))
        return device_fits(value);
    if (slice_eq(field, SLICE("shots")) && !slice_eq(value, SLICE("None")))
        return shots_fit(value);
    for (u32 i = 0; i < countof(options); i++) {
        if (!slice_eq(field, slice_of(options[i].field)) || words_have(options[i].values, value))
            continue;
        const char *values = options[i].values;
        for (struct slice known; (known = words_next(&values)).n > 0;) {
            bool longer = slice_starts(value, known) && value.n <= known.n + ADDED && value.at[known.n] != '-',
                 shorter = slice_starts(known, value) && known.n <= value.n + ADDED;
            if (longer || shorter || word_is_misspelled(value, known) || word_is_garbled(value, known))
                return false;
        }
    }
    return true;
}

/* whether the path of a class is nearly that of a class whose objects JAX or Catalyst print */
static bool
is_misspelled_class(struct slice path)
{
    static const char *const known[] = {
        "catalyst.api_extensions.callbacks.CallbackWithCustomGrad",
        "catalyst.api_extensions.callbacks.CallbackWithPotentialCustomGrad",
        "catalyst.api_extensions.callbacks.JaxJitCallable",
        "catalyst.api_extensions.callbacks.MemrefCallable",
        "catalyst.api_extensions.differentiation.Grad",
        "catalyst.jax_tracer.Function",
        "jax._src.pallas.core.Blocked",
        "jax._src.pallas.core.Mapped",
        "jax._src.stages.Traced",
        "jax._src.util.Unhashable",
        "jax.experimental.host_callback._CallbackWrapper",
    };
    for (u32 i = 0; i < countof(known); i++) {
        struct slice class = slice_of(known[i]);
        if (slice_eq(path, class))
            return false;
        if (word_resembles(path, class))
            return true;
    }
    return false;
}

bool
angle_fits(struct slice s)
{
    struct slice function = SLICE("function "), class = SLICE("class '");
    bool unquoted = slice_starts(s, SLICE("ufunc ")) || slice_starts(s, SLICE("class "));
    if (has_damaged_letter(s) || has_markup(s) ||
        (unquoted && !slice_starts(s, class) && !slice_starts(s, SLICE("ufunc '"))))
        return false;
    if (slice_starts(s, function)) {
        size_t end = path_end(s, function.n);
        if (end && end < s.n && s.at[end] == '(') /* `make_jaxpr(f)` */
            end = bracket_end(s, end) + 1;
        return end && end < s.n && is_address((struct slice){s.at + end, s.n - end});
    }
    if (slice_starts(s, class)) {
        size_t end = path_end(s, class.n);
        return end && end + 1 == s.n && s.at[end] == '\'';
    }
    bool glued = (slice_starts(s, SLICE("function")) && slice_contains(s, SLICE(" at 0x"))) ||
                 slice_contains(s, SLICE("at0x")) || slice_contains(s, SLICE(" 0X"));
    if (glued || (s.n && (is_blank(*s.at) || strchr(":/[", *s.at)))) /* `</b>`, `<[REDACTED] f at 0x7f..>` */
        return false;
    const char *address = memmem(s.at, s.n, " at 0", 5), *blank = memchr(s.at, ' ', s.n);
    struct slice first = blank ? (struct slice){s.at, (size_t)(blank - s.at)} : s;
    const char *close = memrchr(s.at, ')', s.n);
    if (!blank && close && close + 1 < s.at + s.n && is_word_char(close[1])) /* `<empty(key=f)done>` */
        return false;
    struct slice noun = SLICE("function");
    bool joined = slice_ends(first, noun) && first.n > noun.n && first.at[first.n - noun.n - 1] != '_' &&
                  !slice_eq(first, SLICE("cyfunction")); /* `<readyfunction f at 0x7f..>` */
    bool near = word_is_misspelled(first, noun) || word_is_garbled(first, noun) || joined ||
                word_is_recased(first, noun) || (first.n > 3 && word_lost_part(first, noun, true));
    if ((blank && (near || is_misspelled_class(first))) || slice_contains(s, SLICE(" at Ox")) ||
        slice_contains(s, SLICE(" at ox")) || slice_contains(s, SLICE(" at at ")) || has_misspelled_noun(s) ||
        has_lone_address(s))
        return false;
    if (address && !memchr(s.at, '<', s.n))
        return is_address_and_state((struct slice){address, (size_t)(s.at + s.n - address)}) &&
               !has_open_comma((struct slice){s.at, (size_t)(address - s.at)});
    if (((address || slice_contains(s, SLICE(" 0x"))) && slice_contains(s, SLICE("></"))) ||
        slice_contains(s, SLICE(" at object ")) || (!address && slice_contains(s, SLICE(" object at"))))
        return false;
    const char *colon = memchr(s.at, ':', s.n);
    if (!colon || colon + 1 == s.at + s.n || colon[1] != ' ') /* `<CopySemantics.ALIAS:1>` */
        return !(colon && s.at + path_end(s, 0) == colon && colon + 1 < s.at + s.n && is_digit(colon[1]));
    size_t digits = (size_t)(colon + 2 - s.at), name = path_end(s, 0);
    while (name && s.at[name] == '|') /* members of a flag, `<F.A|B: 3>` */
        name = path_end(s, name + 1);
    if (is_python_constant((struct slice){s.at + digits, s.n - digits}))
        return s.at + name == colon;
    if (!memchr(s.at, '.', (size_t)(colon - s.at))) /* `<CopySemantics,ALIAS: 1>` */
        return !memchr(s.at, ',', (size_t)(colon - s.at));
    digits += digits < s.n && s.at[digits] == '-';
    bool word = digits == s.n;
    while (digits < s.n && is_word_char(s.at[digits]))
        word |= !is_digit(s.at[digits++]);
    return digits < s.n || (!word && s.at + name == colon);
}

struct slice
angle_odd_word(struct slice s)
{
    size_t from = s.n, first = 0;
    while (first < s.n && is_blank(s.at[first]))
        first++;
    if (first)
        return (struct slice){s.at + first, word_until(s, first) - first};
    while (from && !is_blank(s.at[from - 1]))
        from--;
    struct slice last = {s.at + from, s.n - from};
    bool after = slice_ends((struct slice){s.at, from}, SLICE(" at ")),
         wrong = after && !is_address((struct slice){last.at - strlen(" at "), last.n + strlen(" at ")});
    return wrong || slice_starts(last, SLICE("at0x")) ? last : SLICE("");
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds misspelled words in values of parameters: words that differ from a word of JAX by a lost, wrong, swapped or
 * similar letter, or are two words without the space. Strings, and text of Python in `<..>`, are not checked. Linear
 * in the value: a known word is looked up among those of its length, any other word is compared with all. */
#include "verify/checker.h"
#include "verify/value_kinds.h"

#include "base/chars.h"
#include "base/lexical.h"
#include "base/markup.h"
#include "base/near.h"
#include "base/object_records.h"
#include "types/aval.h"
#include "types/type_fault.h"

static const struct {
    size_t n;
    struct slice words;
} known[] = {
#define WORDS(n, words) {n, SLICE(words)},
#include "words.def"
#undef WORDS
};

static const struct {
    struct slice class, members;
} enumerations[] = {
#define ENUMERATION(class, members, numbers) {SLICE(class), SLICE(members)},
#include "enumerations.def"
#undef ENUMERATION
};

/* reads the next of the words separated by spaces; false if there is none */
static bool
next_word(struct slice *rest, struct slice *word)
{
    const char *blank = memchr(rest->at, ' ', rest->n);
    size_t n = blank ? (size_t)(blank - rest->at) : rest->n;
    *word = (struct slice){rest->at, n};
    n += blank != NULL;
    *rest = (struct slice){rest->at + n, rest->n - n};
    return word->n > 0;
}

static bool
is_known(struct slice word)
{
    for (u32 i = 0; i < countof(known) && known[i].n <= word.n; i++) {
        if (known[i].n != word.n)
            continue;
        for (const char *p = known[i].words.at, *end = p + known[i].words.n; p < end; p += word.n + 1)
            if (*p == *word.at && memcmp(p, word.at, word.n) == 0)
                return true;
    }
    for (u32 i = 0; i < countof(enumerations); i++) {
        struct slice rest = enumerations[i].members, member;
        if (slice_eq(word, enumerations[i].class))
            return true;
        while (next_word(&rest, &member))
            if (slice_eq(word, member))
                return true;
    }
    return dtype_find(word) != NONE;
}

/* whether a word has a digit in place of a capital that looks alike: H1GH */
static bool
has_digit_for_capital(struct slice word, struct slice meant)
{
    bool digit = false, capitals = word.n == meant.n;
    for (size_t i = 0; i < word.n && capitals; i++) {
        capitals = meant.at[i] >= 'A' && meant.at[i] <= 'Z';
        digit |= is_digit(word.at[i]);
    }
    return capitals && digit && word_is_garbled(word, meant);
}

/* whether other text was printed within the name of a long class, `GridMappiTrueng`, or before it, `doneAbstractMesh`
 */
static bool
has_text_inside(struct slice word, struct slice class)
{
    enum { LONG = 10, SHORTER = 7 };
    bool lower = *word.at >= 'a' && *word.at <= 'z', capital = *class.at >= 'A' && *class.at <= 'Z';
    return capital && word.n > class.n &&
           ((class.n >= LONG && word_lost_part(class, word, true)) ||
            (class.n >= SHORTER && lower && slice_ends(word, class)));
}

/* whether a word is a misspelling of `meant`, other than its plural or singular, unless it is a long class. `named`:
 * what follows makes it a field or class. As names of users may resemble short words, a short word must be `named`, and
 * a short constant must not */
static bool
is_misspelling_of(struct slice word, struct slice meant, bool named)
{
    enum { SHORT = 6, PART = 4, LONG_CLASS = 12 };
    bool longer = word.n == meant.n + 1 && word.at[meant.n] == 's' && slice_starts(word, meant),
         shorter = meant.n == word.n + 1 && meant.at[word.n] == 's' && slice_starts(meant, word);
    bool class = meant.n > LONG_CLASS && word.at[word.n] == '(' && *meant.at >= 'A' && *meant.at <= 'Z';
    if (longer || shorter)
        return class;
    if (word.at[word.n] == '(' && has_text_inside(word, meant))
        return true;
    if (strchr("(.", word.at[word.n]) && *meant.at >= 'A' && *meant.at <= 'Z' && word_is_recased(word, meant))
        return true;
    if (named && word.n >= PART && 2 * word.n >= meant.n && word_lost_part(word, meant, true))
        return true;
    if (meant.n < SHORT && named == is_python_constant(meant))
        return has_digit_for_capital(word, meant);
    bool alike = word.at[0] == meant.at[0] || word.at[1] == meant.at[1] || (u8)word.at[0] >= 0x80 ||
                 memchr("018OlISBrcv_f", word.at[0], 13) || meant.at[0] == '_' || meant.at[0] == 'f';
    if (!alike && word.at[0] != meant.at[1] && word.at[1] != meant.at[0])
        return false;
    return word_is_garbled(word, meant) || word_is_misspelled(word, meant) || word_is_doubled(word, meant) ||
           word_is_overstruck(word, meant) || (named && word_is_replaced(word, meant));
}

/* the length of the first of the two known words that a word consists of; 0 if it does not */
static size_t
joins_two(struct slice word)
{
    static const char *const constants[] = {"None", "True", "False"};
    for (u32 i = 0; i < countof(constants); i++) {
        struct slice s = slice_of(constants[i]);
        if (slice_starts(word, s) && word.n > s.n &&
            (word.at[s.n] == '_' || (word.at[s.n] >= 'a' && word.at[s.n] <= 'z')))
            return s.n;
    }
    for (size_t i = 4; i < word.n; i++) {
        struct slice head = {word.at, i}, tail = {word.at + i, word.n - i};
        size_t digits = 0;
        while (digits < tail.n && is_digit(tail.at[digits]))
            digits++;
        if ((i >= 8 && digits == tail.n && is_known(head)) || (tail.n >= 4 && is_known(tail) && is_known(head)))
            return i;
    }
    bool numpy = word.n > 2 && slice_starts(word, SLICE("np"));
    return numpy && dtype_find((struct slice){word.at + 2, word.n - 2}) != NONE ? 2 : 0;
}

/* confusable_class of the first letter of a word; 0 if any letter is possible */
static char
word_look(struct slice word)
{
    size_t i = 0;
    while (i < word.n && word.at[i] == '_')
        i++;
    return i < word.n && (u8)word.at[i] < 0x80 ? confusable_class(word.at[i]) : 0;
}

/* false if a word cannot be a misspelling of any word of n letters that begins with `first`: a fast test */
static inline bool
may_mean(struct slice word, char look, size_t n, char first)
{
    return (word.n + 1 >= n && n + 1 >= word.n) || !look || first == '_' || first == 'f' ||
           confusable_class(first) == look;
}

/* whether an unknown word is a misspelling of *meant, which is the beginning of the word if it is two joined words */
static bool
find_intended(struct slice word, bool named, struct slice *meant)
{
    *meant = SLICE("");
    if (dtype_is_misspelled(word)) {
        *meant = dtype_meant(word);
        return true;
    }
    char look = word_look(word);
    for (u32 i = 0; i < countof(known); i++)
        for (const char *p = known[i].words.at, *end = p + known[i].words.n; p < end; p += known[i].n + 1) {
            *meant = (struct slice){p, known[i].n};
            if ((named || may_mean(word, look, known[i].n, *p)) && is_misspelling_of(word, *meant, named))
                return true;
        }
    for (u32 i = 0; i < countof(enumerations); i++) {
        struct slice rest = enumerations[i].members;
        *meant = enumerations[i].class;
        if (is_misspelling_of(word, *meant, named))
            return true;
        while (next_word(&rest, meant))
            if (is_misspelling_of(word, *meant, named))
                return true;
    }
    *meant = (struct slice){word.at, joins_two(word)};
    return meant->n > 0;
}

/* the end of the repr of a Python object, `<..>`, at p; only past the `<` where a memory space follows, as in
 * `MemRef<vmem>{..}`, or the `>` is missing */
static const char *
angle_end(const char *p, const char *end, bool space)
{
    u32 depth = 0;
    for (const char *q = p; q < end && !space; q++) {
        if (likely(*q > '>'))
            continue;
        depth += *q == '<';
        depth -= *q == '>';
        if (depth == 0)
            return q + 1;
    }
    return p + 1;
}

/* whether a word is misspelled. `before` caches words that are not, as most are repeated */
static bool
is_misspelled(struct sound_values *before, struct slice word, bool named, struct slice *meant)
{
    u64 digest = hash_slice((u64)named << 8 | (u8)word.at[word.n], word), *slot = &before->words[digest >> 56];
    if (likely(*slot == digest))
        return false;
    bool known_word = is_known(word);
    if (!known_word && find_intended(word, named, meant))
        return true;
    *meant = known_word && word.at[word.n] == '(' ? record_meant(word) : SLICE(""); /* `mesh` is a field's name */
    if (meant->n)
        return true;
    *slot = digest;
    return false;
}

/* whether the character after a word makes it a field or a class */
static inline bool
names_word(char next)
{
    return next == '(' || next == '=' || next == '<' || next == '{' || next == '[';
}

/* whether the name of a class follows a word, which may be any: `CustomNode(Partial[..`, `namedtuple[Stat]` */
static inline bool
precedes_class(struct slice word, char next)
{
    return (next == '(' && slice_eq(word, SLICE("CustomNode"))) || (next == '[' && slice_eq(word, SLICE("namedtuple")));
}

/* finds the first misspelled word of a text; the values of `origin=` and `device_kind=` are not checked */
static bool
text_has_misspelling(struct sound_values *before, struct slice s, struct slice *word, struct slice *meant)
{
    const char *p = s.at, *end = s.at + s.n;
    bool class = false;
    while (p < end) {
        const char *from = p;
        while (p < end && is_word_char(*p))
            p++;
        *word = (struct slice){from, (size_t)(p - from)};
        bool type = word->n == 2 && p < end && *p == '[' && dtype_is_misspelled(*word); /* `f2[6]` */
        struct slice preceding = {s.at, (size_t)(from - s.at)};
        *meant = slice_ends(preceding, SLICE("dtype=")) ? dtype_of_short(*word) : SLICE("");
        if (meant->n) /* `ShapeDtypeStruct(shape=(2,), dtype=f32)` */
            return true;
        if (type || (word->n > 2 && !is_digit(*from))) {
            if (p < end && *p == '=' && words_have("origin device_kind", *word)) {
                const char *comma = memchr(p, ',', (size_t)(end - p));
                p = comma ? comma : end;
            } else if (!class && is_misspelled(before, *word, p < end && names_word(*p), meant) &&
                       !(slice_ends(preceding, SLICE("np.")) && words_have("False_ True_", *word))) {
                return true;
            }
        }
        class = p < end && precedes_class(*word, *p);
        if (p < end && (*p == '\'' || *p == '"'))
            p = quoted_end(p, end);
        else if (p < end && *p == '<')
            p = angle_end(p, end, word->n > 0);
        else
            p++;
    }
    return false;
}

bool
value_has_misspelling(struct sound_values *before, const struct module *m, const struct param *p,
                      const struct prim_param *param, struct slice *word, struct slice *meant)
{
    if (!role_has_words(param->kind) &&
        !(param->kind == ROLE_WORD && param->nullable)) /* which may be a damaged `None` */
        return false;
    if (p->kind == PARAM_TEXT) {
        struct slice text = param_bytes(m, p);
        return text.n > 2 && !is_python_constant(text) && text_has_misspelling(before, text, word, meant);
    }
    for (u32 i = p->kind == PARAM_MIXED ? p->a : NONE; i != NONE; i = m->segments.at[i].next) {
        const struct segment *s = &m->segments.at[i];
        if (s->kind == SEGMENT_TEXT && text_has_misspelling(before, segment_bytes(m, s), word, meant))
            return true;
    }
    return false;
}

const char *
format_misspelling(struct diags *ds, struct slice word, struct slice meant)
{
    const char *quoted = diag_quote(ds, word), *whole = diag_quote(ds, meant);
    if (meant.n == 0)
        return arena_printf(ds->mem, "the unknown element type `%s`", quoted).at;
    if (meant.at != word.at)
        return arena_printf(ds->mem, "`%s`; did you mean `%s`?", quoted, whole).at;
    const char *rest = diag_quote(ds, (struct slice){word.at + meant.n, word.n - meant.n});
    for (u32 i = 0; i < countof(enumerations); i++)
        if (slice_eq(meant, enumerations[i].class))
            return arena_printf(ds->mem, "`%s`; did you mean `%s.%s`?", quoted, whole, rest).at;
    return arena_printf(ds->mem, "`%s`; is something missing between `%s` and `%s`?", quoted, whole, rest).at;
}

bool
value_is_sound(struct sound_values *before, const struct module *m, const struct param *p,
               const struct prim_param *param)
{
    struct slice word, meant;
    u64 *slot = NULL, digest = 0;
    if (p->kind == PARAM_TEXT) {
        struct slice text = param_bytes(m, p);
        if (text.n && ((param->of.n == 0 && value_is_plain(param->kind, text)) ||
                       (param->nullable && slice_eq(text, SLICE("None")))))
            return true;
        digest = hash_slice(hash_slice((u64)param->kind * 2 + param->nullable, param->of), text);
        slot = &before->digests[digest >> 56];
        if (*slot == digest)
            return true;
    }
    bool sound = value_fits(m, p, param) && !value_has_misspelling(before, m, p, param, &word, &meant);
    if (sound && slot)
        *slot = digest;
    return sound;
}

i64
brackets_open(struct slice text)
{
    i64 depth = 0;
    const char *end = text.at + text.n;
    for (const char *p = text.at; p < end; p++)
        if ((*p == '\'' || *p == '"') && quote_opens(p, text.at))
            p = quoted_end(p, end) - 1;
        else
            depth += bracket_step(*p);
    return depth;
}

/* the end of "`id` must ..", for the value of a field: "be a number" for `id=O`, "be a string" for `name=x` */
static const char *
field_kind(struct slice value, char wanted)
{
    if (wanted == FIELD_TUPLE)
        return "be a tuple";
    if (wanted == FIELD_TUPLE_OR_NONE)
        return "be a tuple or None";
    if (wanted == FIELD_SPEC)
        return "be a `PartitionSpec`";
    if (wanted == FIELD_DTYPE)
        return "be an element type";
    if (wanted == FIELD_TREE)
        return "be a `PyTreeDef(..)`";
    if (wanted == FIELD_OBJECT)
        return "be an object or None";
    if (wanted == FIELD_NUMBERS || wanted == FIELD_TRUTH)
        return wanted == FIELD_TRUTH ? "be True or False" : *value.at == '(' ? "be a tuple of integers" : "be a number";
    return !strchr("'\"", *value.at) ? "be a string" : value.n > 2 ? "be a known name" : "not be empty";
}

/* the form that a text that begins with `<` probably had */
static const char *
angle_form(struct slice text)
{
    struct slice inside = {text.at + 1, text.n - 1};
    if (slice_starts(text, SLICE("<class")))
        return "; expected a form such as `<class 'X'>`";
    if (slice_starts(text, SLICE("<function")))
        return "; expected a form such as `<function f at 0x7f01>`";
    if (slice_contains(text, SLICE(" at")) && !memchr(inside.at, '<', inside.n))
        return "; expected a form such as `<X object at 0x7f01>` or `<function f at 0x7f01>`";
    return memchr(inside.at, ':', inside.n) && !memchr(inside.at, '=', inside.n)
               ? "; expected a form such as `<X.Y: 1>`"
               : "";
}

/* what is wrong with a text that begins with `<` */
static const char *
angle_flaw(struct diags *ds, struct slice text)
{
    struct object_scan o = {0};
    bool whole = object_read(&o, text) < text.n || object_ends(&o);
    if (!whole || slice_contains(text, SLICE("..")))
        return ", which is incomplete";
    return o.flaw.n ? arena_printf(ds->mem, ", which lacks the field `%s`", diag_quote(ds, o.flaw)).at
                    : angle_form(text);
}

/* the last entry of the bracket that is open at `stop` */
static struct slice
entry_before(struct slice text, const char *stop)
{
    const char *from = stop;
    for (i64 depth = 0; from > text.at + 1; from--) {
        depth -= bracket_step(from[-1]);
        if (depth < 0 || (depth == 0 && from[-1] == ','))
            break;
    }
    return value_trim((struct slice){from, (size_t)(stop - from)});
}

/* whether the entry before that of `stop` is a field, as in `R(a=1, stop)` */
static bool
follows_fields(struct slice text, const char *stop)
{
    while (stop > text.at && is_blank(stop[-1]))
        stop--;
    if (stop == text.at || stop[-1] != ',')
        return false;
    struct slice entry = entry_before(text, stop - 1);
    size_t word = word_until(entry, 0);
    return word && word < entry.n && entry.at[word] == '=';
}

/* the dotted name before a bracket, `np.float32` */
static struct slice
class_before(struct slice text, const char *bracket)
{
    const char *name = bracket;
    while (name > text.at && (is_word_char(name[-1]) || name[-1] == '.'))
        name--;
    return (struct slice){name, (size_t)(bracket - name)};
}

/* why no repr contains `stop` at this place: for instance, Python never prints `"x"` and `1_000`; "" if it is
 * unknown */
static const char *
reason_at(struct diags *ds, struct slice text, struct slice stop)
{
    const char *end = stop.at + stop.n, *p = value_find(stop.at, end, "=");
    p = p < end ? p + 1 : stop.at;
    const char *q = *p == '"' ? quoted_end(p, end) : p;
    if (q - p > 1 && q[-1] == '"') {
        const char *inside = diag_quote(ds, (struct slice){p + 1, (size_t)(q - p - 2)});
        return arena_printf(ds->mem, ": Python prints `'%s'`, not `\"%s\"`", inside, inside).at;
    }
    while (q < end && (is_digit(*q) || *q == '_'))
        q++;
    if (q == end && q > p && is_digit(*p) && memchr(p, '_', (size_t)(q - p)))
        return ": Python prints no `_` in numbers";
    bool next_blank = end < text.at + text.n && is_blank(*end), word = dotted_until(stop, 0) == stop.n;
    if (*stop.at == '=')
        return "; is a space missing?";
    struct slice before = {text.at, (size_t)(stop.at - text.at)};
    if (word && (slice_ends(before, SLICE("<class ")) || slice_ends(before, SLICE("{"))))
        return ": its quotes are missing";
    if (slice_ends(before, SLICE("< ")))
        return ": unexpected space before it";
    if (slice_starts(stop, SLICE("at0x")))
        return ": a space is missing after `at`";
    if (slice_starts(stop, SLICE("0x")) || slice_starts(stop, SLICE("Ox")))
        return ": not a hexadecimal number";
    if (slice_eq(stop, SLICE("..")))
        return ": expected `...`";
    if (*stop.at == '<')
        return angle_form((struct slice){stop.at, (size_t)(text.at + text.n - stop.at)});
    if (*stop.at == '-' && stop.n > 1 && is_word_start(stop.at[1]))
        return ": expected `=`";
    if (slice_starts(stop, SLICE("''")))
        return ": the name is empty";
    if (*stop.at == '[' && stop.at > text.at && stop.at[-1] == '(')
        return ": the element type is missing";
    if (*stop.at == '[' && slice_eq(class_before(text, stop.at), SLICE("ShapedArray")))
        return ": expected `(`, as in `ShapedArray(float32[3])`";
    if (*stop.at == ',' && !next_blank && !(stop.at > text.at && strchr("+-*/", stop.at[-1])))
        return ": a space is missing after it";
    if (*stop.at == ',' && slice_starts(text, SLICE("PyTreeDef(")) && strchr("*)]}", stop.at[-1]))
        return ": `PyTreeDef(..)` must contain one tree";
    if (stop.at > text.at && stop.at[-1] == '<' && next_blank)
        return ": a `:` is missing after it";
    if (stop.n > 1 && is_word_start(*stop.at) && end[-1] == '\'' && is_word_char(end[-2]))
        return ": its `=` is missing";
    if (is_word_start(*stop.at) && dotted_until(stop, 0) == stop.n && follows_fields(text, stop.at))
        return ": its `=` is missing";
    if (end > stop.at + 1 && end[-1] == '.')
        return ": nothing follows its `.`";
    if (*stop.at != '(' || stop.at == text.at)
        return "";
    struct slice class = class_before(text, stop.at);
    bool number = class.n > 3 && slice_starts(class, SLICE("np."));
    struct slice type = number ? (struct slice){class.at + 3, class.n - 3} : SLICE("");
    if (number && !words_have(numpy_integers, type) && !words_have(numpy_floats, type))
        return arena_printf(ds->mem, ": NumPy has no type `%s`", diag_quote(ds, type)).at;
    if (slice_starts(type, SLICE("float")))
        return arena_printf(ds->mem, ": the value of `%s` must have a decimal point", diag_quote(ds, class)).at;
    const char *shape = slice_eq(class, SLICE("ShapedArray")) ? ": the shape is missing" : "";
    return number ? ": the value is not an integer" : shape;
}

/* the reason if reason_at finds none */
static const char *
other_reason(struct slice text, struct slice stop)
{
    if (*stop.at == ',')
        return ": a value is missing before it";
    if (bracket_step(*stop.at) > 0)
        return brackets_open((struct slice){text.at, (size_t)(stop.at - text.at)})
                   ? ": expected a comma or a closing bracket"
                   : ": expected the end of the value";
    if (has_markup(stop))
        return ": it contains codes of a colour, or a link";
    return *stop.at != '\'' && memchr(stop.at, '=', stop.n)
               ? ": it looks like another parameter, whose key is misspelled"
               : ": Python prints no such value";
}

const char *
value_malformed(struct diags *ds, struct slice text, struct slice entry, bool angled, struct slice *at)
{
    char wanted;
    struct slice stop = value_stop(text, &wanted);
    *at = stop;
    if (!stop.n && angled && text.n > 1 && text.at[0] == '<') {
        *at = text;
        const char *flaw = is_blank(text.at[1]) ? ": unexpected space after `<`" : angle_flaw(ds, text);
        return arena_printf(ds->mem, "`%s`%s", diag_quote(ds, text), flaw).at;
    }
    if (!stop.n || !integers_fit(text) || slice_starts(text, SLICE("{ lambda")) || has_padded_number(text))
        return NULL;
    bool closes = strchr(")]}", *stop.at) != NULL;
    if (closes && stop.at[-1] == ',') {
        *at = (struct slice){stop.at - 1, 2};
        return arena_printf(ds->mem,
                            "`%s`: Python prints no comma after the last of several entries; is an entry missing?",
                            diag_quote(ds, *at))
            .at;
    }
    if (closes && brackets_open(text) == 0) {
        *at = entry_before(text, stop.at);
        bool only = at->at[-1] == '(', valued = only && at->at > text.at + 1 && at->at[-2] == '=';
        if (valued) { /* of a field: `shape=(4)` */
            const char *inside = diag_quote(ds, *at);
            *at = (struct slice){at->at - 1, at->n + 2};
            return arena_printf(ds->mem, "`(%s)`: a tuple of one entry needs a comma, `(%s,)`", inside, inside).at;
        }
        if (!only && is_word_start(*at->at) && !memchr(at->at, '=', at->n))
            return arena_printf(ds->mem, "`%s`: its `=` is missing", diag_quote(ds, *at)).at;
        return NULL; /* the closing bracket is right: an entry before it is not, and it is unknown which */
    }
    if (*stop.at == '=' && !brackets_open((struct slice){text.at, (size_t)(stop.at - text.at)})) {
        while (at->at > text.at && is_word_char(at->at[-1])) /* `Debugpartitioned=False` */
            *at = (struct slice){at->at - 1, at->n + 1};
        return arena_printf(ds->mem, "`%s`; is the space before the next parameter missing?", diag_quote(ds, *at)).at;
    }
    const char *end = stop.at + stop.n, *equals = value_find(stop.at, end, "=");
    struct slice named = {stop.at, (size_t)(equals - stop.at)};
    const char *field = diag_quote(ds, named);
    if (wanted == FIELD_UNKNOWN || wanted == FIELD_TWICE)
        return arena_printf(ds->mem, "`%s`: %s `%s`", diag_quote(ds, stop),
                            wanted == FIELD_TWICE ? "duplicate field" : "no known version of JAX prints a field", field)
            .at;
    if (!wanted && equals < end && slice_eq(named, SLICE("origin")))
        wanted = FIELD_STRING;
    if (wanted && equals + 1 < end)
        *at = (struct slice){equals + 1, (size_t)(end - equals - 1)};
    if (wanted)
        return arena_printf(ds->mem, "`%s`: `%s` must %s", diag_quote(ds, *at), field, field_kind(*at, wanted)).at;
    const char *reason = reason_at(ds, text, stop);
    if (!*reason && stop.at == entry.at && stop.n == entry.n)
        return NULL;
    if (*reason && *stop.at == '(') { /* `np.float31(2.0)` */
        size_t n = class_before(text, stop.at).n;
        *at = (struct slice){stop.at - n, stop.n + n};
    }
    return arena_printf(ds->mem, "`%s`%s", diag_quote(ds, *at), *reason ? reason : other_reason(text, stop)).at;
}

static const char *
flaw_of(struct diags *ds, struct slice text)
{
    u32 n;
    struct object_scan o = {0};
    if (!integers_fit(text))
        return ", which contains a number larger than 2^63-1";
    if (slice_starts(text, SLICE("{ lambda")))
        return "";
    if (value_count(text, &n) && n == 1 && !memchr(text.at + 1, '(', text.n - 1) && value_lacks_comma(text))
        return arena_printf(ds->mem, "; a tuple of one entry needs a comma: `%s,)`",
                            diag_quote(ds, (struct slice){text.at, text.n - 1}))
            .at;
    if (slice_contains(text, SLICE("((None)")) || slice_contains(text, SLICE(" (None)")))
        return ", which contains `(None)`; a tuple of one entry needs a comma: `(None,)`";
    if (has_padded_number(text))
        return ", which contains a number with a leading zero";
    if (object_read(&o, text) == text.n && !object_ends(&o))
        return ", which is incomplete";
    return text.at[0] == '<' && !value_is_object(text) ? angle_flaw(ds, text) : "";
}

const char *
value_got(struct diags *ds, struct slice text, struct slice odd, bool whole)
{
    if (text.n == 0)
        return "but is empty";
    const char *flaw = whole ? flaw_of(ds, text) : "";
    return odd.n && !*flaw ? arena_printf(ds->mem, "but contains `%s`", diag_quote(ds, odd)).at
                           : arena_printf(ds->mem, "got `%s`%s", diag_quote(ds, text), flaw).at;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether a text is a value as Python prints it. An object may print anything within its own brackets, so this refuses
 * only what no repr contains: two values separated by a space, a missing element, an unmatched bracket or quote,
 * letters beyond ASCII outside strings. This finds lines of other texts and lost characters. One pass. */
#include "base/lexical.h"
#include "base/markup.h"
#include "base/object_records.h"
#include "base/object_words.h"
#include "base/value.h"

/* bits of named[]: whether the current element of a record's arguments has a name, whether an earlier one has, and
 * whether a bracket is the value of a record's field */
enum { NAMED_ITEM = 1, NAMED_ANY = 2, IN_FIELD = 4 };

/* The token before the current position. */
enum { OPENED, COMMA, SIGN, COLON, VALUE };

/* brackets whose elements have rules of their own, in addition to `(`, `[` and `{` */
enum { MESH = 'M', FROZENSET = 'F', TREE = 'T' };

static char
innermost(const struct object_scan *o)
{
    return o->depth ? o->open[o->depth - 1] : 0;
}

static char
closing(char open)
{
    return open == '(' ? ')' : open ? (char)(open + 2) : 0;
}

static bool
follows(struct slice s, size_t i, struct slice word)
{
    return i >= word.n && s.at[i - 1] == word.at[word.n - 1] && memcmp(s.at + i - word.n, word.at, word.n) == 0;
}

/* whether the class `name` is printed before the bracket at s.at[i] */
static bool
follows_class(struct slice s, size_t i, struct slice name)
{
    return follows(s, i, name) && (i == name.n || !is_word_char(s.at[i - name.n - 1]));
}

/* notes the field `word`, whose `=` is at s.at[i]; false if it is in a tuple, its value is not of the field's kind, or
 * the record has no such field or had it before */
static bool
pass_field(struct object_scan *o, struct slice s, struct slice word, size_t i)
{
    u8 of = o->of[o->depth - 1];
    struct slice value = {s.at + i + 1, s.n - i - 1};
    if (of == 0 || of == ELEMENTS)
        return of == 0;
    o->wanted = record_field(of, word, value, &o->fields[o->depth - 1]);
    return o->wanted == 0;
}

/* whether a bracket around the current position is that of a known record */
static bool
in_record(const struct object_scan *o)
{
    u32 i = o->depth;
    while (i > 0 && (o->open[i - 1] == '[' || o->of[i - 1] == 0 || o->of[i - 1] == ELEMENTS))
        i--;
    return i > 0;
}

/* the position after the bracket at s.at[i], or after its contents if they are not a Python list; 0 if no value can
 * have such a bracket */
static size_t
open_bracket(struct object_scan *o, struct slice s, size_t i)
{
    size_t word = i + 1;
    while (s.at[i] == '{' && word < s.n && is_word_char(s.at[word]))
        word++;
    bool frozen = follows(s, i, SLICE("frozenset("));
    /* `GSPMDSharding({devices=[2,4]0,1 last_tile_dim_replicate})` */
    bool hlo =
        s.at[i] == '{' && !frozen && word > i + 1 && !is_digit(s.at[i + 1]) && word < s.n && strchr("= }", s.at[word]);
    bool axes = s.at[i] == '{' && i && s.at[i - 1] == ']' && word > i + 1 && word < s.n && strchr("VUR", s.at[i + 1]) &&
                strchr(":_", s.at[i + 2]); /* `ShapedArray(float32[4]{V:x})` */
    bool node = follows(s, i, SLICE("CustomNode"));
    if (i && s.at[i] != '{' && (s.at[i - 1] == ')' || follows_mask(s, i))) /* `np.int64(1)(1)` */
        return 0;
    bool array = follows_class(s, i, SLICE("ShapedArray(")) || follows_class(s, i, SLICE("ShapedArray"));
    if ((s.at[i] == '[' && array) || (s.at[i] == '(' && !number_fits(s, i)) ||
        (array && (lacks_shape(s, i) || s.at[i + 1] == '(')))
        return 0; /* its element type, shape or value is missing, or its parenthesis, or has another one */
    if (s.at[i] == '[' && is_beyond_sizes(s, i))
        return 0;
    if (s.at[i] == '(' && follows_number(s, i))
        return 0;
    if (hlo || axes || o->depth == countof(o->open) || node) {
        o->before = VALUE;
        size_t close = bracket_end(s, i);
        if (node && !node_is_quoted(s, i, close, &o->flaw))
            return 0;
        return close < s.n ? close + 1 : s.n;
    }
    o->of[o->depth] = s.at[i] == '(' ? record_before(s, i) : 0;
    o->fields[o->depth] = 0;
    o->commas[o->depth] = 0;
    o->named[o->depth] = s.at[i] == '(' && i && s.at[i - 1] == '=' && in_record(o) ? IN_FIELD : 0;
    o->open[o->depth++] = frozen                              ? FROZENSET
                          : follows(s, i, SLICE("Mesh"))      ? MESH
                          : follows(s, i, SLICE("PyTreeDef")) ? TREE
                                                              : s.at[i];
    o->before = OPENED;
    return i + 1;
}

/* ends an element of the innermost bracket; false if it has no name although an earlier one has: `R(a=1, b)` */
static bool
end_element(struct object_scan *o)
{
    u8 of = o->of[o->depth - 1], *named = &o->named[o->depth - 1];
    bool record = (of && of != ELEMENTS) || innermost(o) == MESH;
    bool kept = !record || *named != NAMED_ANY || o->before != VALUE;
    *named = *named ? NAMED_ANY : 0;
    return kept;
}

static bool
close_bracket(struct object_scan *o, char c)
{
    char open = innermost(o), wanted = open == MESH || open == TREE ? ')' : open == FROZENSET ? '}' : closing(open);
    if (c != wanted || o->before == SIGN || (o->before == COLON && open != '[') ||
        (o->before == OPENED && open == TREE) || !record_is_whole(o->of[o->depth - 1], o->fields[o->depth - 1]))
        return false;
    if (o->before == COMMA && (c == ']' || (c == ')' && o->commas[o->depth - 1] > 1))) /* `[1,]`, `(1, 2,)` */
        return false;
    if (o->named[o->depth - 1] == IN_FIELD && o->before == VALUE && o->commas[o->depth - 1] == 0) /* `shape=(4)` */
        return false;
    if (!end_element(o))
        return false;
    o->depth--;
    o->before = VALUE;
    return true;
}

/* the end of `<function f.<locals>.g at 0x..>` at s.at[i]; 0 if it is unterminated or malformed */
static size_t
angle_end(struct object_scan *o, struct slice s, size_t i)
{
    u32 depth = 0;
    for (size_t from = i; i < s.n; i++) {
        char c = s.at[i];
        if (likely(c > '>'))
            continue;
        depth += c == '<';
        depth -= c == '>' && s.at[i - 1] != '-' && s.at[i - 1] != '=';
        if (depth == 0) {
            struct slice inside = {s.at + from + 1, i - from - 1};
            bool fits = angle_fits(inside);
            if (fits && !angle_is_record(inside, &o->flaw))
                return 0;
            o->flaw = fits ? SLICE("") : angle_odd_word(inside);
            return fits ? i + 1 : 0;
        }
        if (c == '.' && s.at[i - 1] == '.' && i + 1 < s.n && (is_word_char(s.at[i + 1]) || s.at[i + 1] == ' '))
            return 0;
    }
    return 0;
}

/* the end of the string at s.at[i]; 0 if it is not closed on its line or is not a repr: double quotes are used only
 * around single quotes, an address must be as an object prints it, and no word or quote may follow directly */
static size_t
string_end(struct slice s, size_t i)
{
    const char *p = s.at + i, *end = quoted_end(p, s.at + s.n);
    size_t n = (size_t)(end - p);
    if (n < 2 || end[-1] != *p || memchr(p, '\n', n) || (*p == '"' && !memchr(p, '\'', n)))
        return 0;
    struct slice inside = {p + 2, n - 4}; /* of `'<default.qubit device (wires=3) at 0x7f..>'` */
    bool object = n > 4 && p[1] == '<' && end[-2] == '>' && has_address(inside);
    if (object && !angle_fits(inside))
        return 0;
    if (n > 4 && has_markup((struct slice){p + 1, n - 2}))
        return 0;
    bool follows = end < s.at + s.n && (is_word_char(*end) || *end == '\'' || *end == '"');
    return follows ? 0 : (size_t)(end - s.at);
}

/* whether the innermost bracket is that of a class that records.def does not list, whose repr may be anything:
 * `Unit(m/s)`, `tensor(0.5000)`, `FlatSymbolRefAttr(@f)` */
static bool
is_of_user(const struct object_scan *o)
{
    return innermost(o) == '(' && o->of[o->depth - 1] == 0;
}

/* whether another character than a parenthesis follows the name of a record, `NamedSharding{mesh=..`, or a module
 * precedes it, `jax.BlockMapping(..)` */
static bool
is_misnamed_record(struct slice s, struct slice word)
{
    size_t end = (size_t)(word.at - s.at) + word.n;
    bool module = s.at[end] == '(' && slice_starts(word, SLICE("jax."));
    u8 record = module || strchr("{[:", s.at[end]) ? record_before(s, end) : 0;
    return (record && record != ELEMENTS) || (module && slice_eq(word, SLICE("jax.ShapedArray"))) ||
           (s.at[end] == ':' && slice_eq(word, SLICE("PyTreeDef")));
}

/* the end of the word or number at s.at[i]; 0 if it is a string without its quotes: `{x: 1}`, `(x,)`, `frozenset({x})`
 */
static size_t
word_end_at(struct object_scan *o, struct slice s, size_t i)
{
    size_t from = i;
    bool dotted = false, foreign = false;
    for (; i < s.n && (is_word_char(s.at[i]) || s.at[i] == '.'); i++) {
        foreign |= (u8)s.at[i] >= 0x80;
        bool part = s.at[i] == '.' && i > from && is_word_start(s.at[from]) && i + 1 < s.n && is_digit(s.at[i + 1]);
        if (part) /* `l.0` */
            return 0;
        dotted |= s.at[i] == '.';
    }
    char open = innermost(o), next = i < s.n ? s.at[i] : 0;
    struct slice word = {s.at + from, i - from};
    bool odd =
        word.at[0] == '.' && !slice_eq(word, SLICE("...")) && (word.n == 1 || !is_digit(word.at[1]) || open != '[');
    if (foreign || (odd && !(word.n > 1 && from && s.at[from - 1] == '>'))) /* `..`, `.HIGHEST`, not `<locals>.f` */
        return 0;
    size_t first = word_until(word, 0);
    bool constant = is_python_constant((struct slice){word.at, first});
    if (constant && (first + 1 < word.n || bracket_step(next) > 0)) /* `None.x`, `None[1]` */
        return 0;
    bool bare_class = slice_eq(word, SLICE("ShapedArray")) || slice_eq(word, SLICE("PartitionSpec"));
    if ((bare_class && open && !is_of_user(o) && next && strchr(",)]", next)) || (next && is_misnamed_record(s, word)))
        return 0;
    if (open == '{' && o->before == VALUE && from > 1 && s.at[from - 2] == ':' && word.n == 1 &&
        strchr("oOl", *word.at) && next && strchr(",}", next))
        return 0; /* `{'a': O}` was a digit; PennyLane prints `O(1)`, SymPy `I` */
    bool size = open == MESH && !o->first && from > 1 && s.at[from - 2] == ':' && *word.at != '.';
    if (size && (is_word_start(*word.at) || dotted))
        return 0; /* `Mesh('x': l)`, `Mesh('x': 4.0)` */
    if (next == '=' && (open == '(' || open == MESH) && o->first && !pass_field(o, s, word, i))
        return 0;
    bool dots = slice_eq(word, SLICE("...")); /* people abridge lists of fields */
    if (o->depth && dots)
        o->fields[o->depth - 1] |= ABRIDGED;
    if (o->depth && (dots || next == '='))
        o->named[o->depth - 1] |= NAMED_ITEM;
    size_t text = next == '=' && open ? text_field_end(s, word, i) : i;
    if (text != i)
        return text;
    if ((open || next != '=') && is_foreign_word(s, from, i, is_of_user(o)))
        return 0;
    bool joined = from > 0 && s.at[from - 1] == ',' && open == '(' && o->of[o->depth - 1] == ELEMENTS &&
                  is_word_start(s.at[from]) && next != '=';
    bool zeros = dotted && is_digit(*word.at) && slice_ends(word, SLICE("0")) && word.at[word.n - 2] != '.';
    if (joined || (zeros && open != '[' && !is_of_user(o))) /* `(Precision,HIGH)`, `1.000`, which arrays print */
        return 0;
    bool tuple = next == ')' && open == '(' && o->of[o->depth - 1] == ELEMENTS;
    if (word.at[word.n - 1] == '.' && !dots && next != '<' &&
        (tuple || is_word_start(*word.at))) /* `(8.)`, `(None.)` */
        return 0;
    if (dotted || !is_word_start(s.at[from]))
        return i;
    bool bare = next == ':'
                    ? i + 1 < s.n && is_blank(s.at[i + 1])
                    : next && strchr(",)}", next) && (open == FROZENSET || (open == '(' && is_lower_word(s, from, i)));
    /* `_ArgMinMaxReducer(gt)` prints a function's name; arguments of specs are strings */
    bool call = next == ')' && from > 1 && s.at[from - 1] == '(' && is_word_char(s.at[from - 2]) &&
                !follows(s, from - 1, SLICE("PartitionSpec")) && !follows(s, from - 1, SLICE("P"));
    return open && o->first && bare && !call ? 0 : i;
}

/* whether a field begins at s.at[i], after a blank without a comma:
 * `SdyShardingRule(.., {'i': 2} reduction_factors=('k',))` */
static bool
begins_factors(struct slice s, size_t i)
{
    size_t end = word_until(s, i);
    return end < s.n && s.at[end] == '=' && slice_starts(s, SLICE("SdyShardingRule(")) &&
           slice_ends((struct slice){s.at, end}, SLICE("_factors"));
}

/* the end of the element that begins at s.at[i], or the position after its opening bracket; 0 if it is invalid. Only
 * arrays separate numbers by spaces alone; objects may occur where functions do, and `...` replaces what people leave
 * out */
static size_t
pass_element(struct object_scan *o, struct slice s, size_t i)
{
    char c = s.at[i];
    if (i == 0 && o->before == VALUE && !o->gap && is_word_char(c)) /* after a program */
        return 0;
    bool again = o->before == VALUE && o->gap && i + 3 <= s.n, more = again && memcmp(s.at + i, "...", 3) == 0,
         file = again && memcmp(s.at + i, "at ", 3) == 0;
    bool factors = again && begins_factors(s, i);
    if (o->before == VALUE && o->gap && innermost(o) != '[' && !more && !file && !factors)
        return 0;
    o->first = o->before == OPENED || o->before == COMMA;
    if (file) { /* `index_map_src_info=<lambda> at /home/me/kernel.py:7` */
        size_t end = (size_t)(value_find(s.at + i, s.at + s.n, ",)]}") - s.at);
        struct slice path = {s.at + i, end - i};
        return path_fits(path) && (o->depth || !slice_starts(path, SLICE("at 0x"))) ? end : 0;
    }
    if (bracket_step(c) > 0)
        return open_bracket(o, s, i);
    o->before = VALUE;
    if ((c == '\'' || c == '"') && i && is_word_char(s.at[i - 1]) && s.at[i - 1] != 'b') /* `(j'y',)` */
        return 0;
    if (c == '\'' && is_odd_axis(s, i) &&
        (innermost(o) == MESH || innermost(o) == FROZENSET || in_spec(s, i) ||
         slice_starts(s, SLICE("SdyShardingRule("))))
        return 0;
    if (c == '<' && innermost(o) == MESH && !o->first) /* `Mesh('x': <N>)` */
        return 0;
    return c == '<' ? angle_end(o, s, i) : c == '\'' || c == '"' ? string_end(s, i) : word_end_at(o, s, i);
}

/* whether a `/` or `:` at s.at[i] is between the letters of two words, outside square brackets, braces and classes of
 * users: `N/A`, `Shaped:Array(..)` */
static bool
joins_words(const struct object_scan *o, struct slice s, size_t i)
{
    char open = innermost(o);
    if (!i || !is_word_start(s.at[i - 1]) || i + 1 == s.n || !is_word_start(s.at[i + 1]) || open == '[' ||
        (is_of_user(o) && !in_spec(s, i)))
        return false;
    size_t word = i;
    while (word && is_word_char(s.at[word - 1]))
        word--;
    bool item = word && s.at[word - 1] == ' ' && s.at[i] == '/'; /* `{'a': N/A}`; types are `D{i8/bf16}` */
    return (open != '{' && open != FROZENSET) || item;
}

/* whether a bracket around the current position is that of a tree */
static bool
in_tree(const struct object_scan *o)
{
    u32 i = o->depth;
    while (i > 0 && o->open[i - 1] != TREE)
        i--;
    return i > 0;
}

/* whether the sign at s.at[i], which follows a value if `after`, is part of a number or of a weak type, `~f32[]` */
static bool
is_signed(struct slice s, size_t i, bool after)
{
    char next = i + 1 < s.n ? s.at[i + 1] : 0;
    if (i > 1 && s.at[i - 1] == 'e' && (is_digit(s.at[i - 2]) || s.at[i - 2] == '.')) /* `1e-07` */
        return true;
    return !after && (s.at[i] == '-' ? is_word_char(next) : s.at[i] == '~' && is_word_start(next));
}

/* the position after the punctuation at s.at[i], or 0 if none is allowed */
static size_t
pass_punctuation(struct object_scan *o, struct slice s, size_t i)
{
    char c = s.at[i], open = innermost(o);
    bool after = o->before == VALUE;
    if (c == '*' && !after) { /* a leaf, `PyTreeDef((*, *))`, but not the `***` that logs print for a secret */
        o->before = VALUE;
        return i + 1 < s.n && s.at[i + 1] == c ? 0 : i + 1;
    }
    /* `perm=1,0` is the only list without brackets */
    if (c == ',' && ((!after && o->before != COLON && !(o->before == OPENED && open == MESH)) ||
                     (!open && (i + 1 == s.n || is_blank(s.at[i + 1])))))
        return 0;
    if ((c == ',' && open == TREE) || (c == '=' && (!after || !open)) || (c == ':' && !after && open != '['))
        return 0; /* `PyTreeDef([*], *)` */
    /* `Mesh('x': 2, 'y': 4)`, `PyTreeDef((*, *))`, `SparseInfo(shape=(3, 5), ..)` */
    bool record = open == '(' && o->of[o->depth - 1] && o->of[o->depth - 1] != ELEMENTS,
         compact = record && record_is_compact(o->of[o->depth - 1]);
    char next = i + 1 < s.n ? s.at[i + 1] : 0;
    if (compact && c == ',' && is_blank(next))
        return 0;
    bool item = open == '{' && c == ',' && (next == '\'' || next == '"'),
         spaced = open == MESH || item || open == TREE || (open == '{' && c == ':') ||
                  (open == '(' && c == ',' && !compact && in_record(o));
    if ((c == ',' && i && s.at[i - 1] == ' ' && open && open != '[') ||
        (spaced && (c == ',' || c == ':') && !strchr(c == ',' ? " \n)" : " \n", next)))
        return 0;
    size_t word = i;
    while (c == '=' && word && is_word_char(s.at[word - 1]))
        word--;
    if (c == '=' && word && s.at[word - 1] == '-') /* `block-size=8` */
        return 0;
    if (strchr("+-*/%^|@!?~", c) && ((i == 0 && c != '@') || record || open == MESH || in_tree(o) || in_spec(s, i)) &&
        !is_signed(s, i, after))
        return 0; /* `NamedSharding(mesh-..)`, `P(None- 'x')`, `PyTreeDef([*+ *])` */
    if (c == '/' && i && is_digit(s.at[i - 1]) && is_digit(next)) /* a date, `4/2/2026` */
        return 0;
    if ((c == '/' || c == ':') && joins_words(o, s, i))
        return 0;
    if (c == '?' && (o->before != VALUE || strchr(",)]} ", next) || is_word_char(next)))
        return 0;
    size_t end = c == '@' ? word_until(s, i + 1) : i;
    bool named = end < s.n && s.at[end] == '=';
    if (c == '@' && (o->before == OPENED || o->before == COMMA) && (named || !is_of_user(o))) /* `R(@a=1)` */
        return 0;
    bool type = c == '~' && next && !is_word_start(next);               /* `array_aval=~int32[1]` */
    bool plus = c == '+' && !after && !is_of_user(o) && is_digit(next); /* `(8, +6)` */
    if (type || plus || (c == '+' && open == MESH) || (c == '^' && is_odd_caret(s, i, is_of_user(o))))
        return 0;
    if (!c || !strchr(",=:+-*/%^|@!?~", c) || (o->before == SIGN && !strchr("-*/~", c)))
        return 0;
    if (o->before == SIGN && i && s.at[i - 1] == '-' && c == '-')
        return 0;
    if (c == ':' && open == MESH)
        o->named[o->depth - 1] |= NAMED_ITEM;
    if (c == ',' && o->depth && !end_element(o))
        return 0;
    if (c == ',' && o->depth && o->commas[o->depth - 1] < 2)
        o->commas[o->depth - 1]++;
    o->before = c == ',' ? COMMA : c == ':' ? COLON : c == '?' || c == '!' ? VALUE : SIGN;
    return i + 1 + (c == '-' && next == '>');
}

/* whether whitespace is allowed here: Python prints one space after a comma, a colon or around an operator, and others
 * only in arrays; people may break lines inside brackets */
static bool
may_part(const struct object_scan *o, struct slice blanks, char next)
{
    if (memchr(blanks.at, '\n', blanks.n))
        return o->depth > 0 || o->before != VALUE || !next;
    if (innermost(o) == '[' || !o->depth)
        return true;
    return blanks.n == 1 && (o->before != OPENED || next == '{') && !(bracket_step(next) < 0 && next != ']' && next);
}

size_t
object_read(struct object_scan *o, struct slice s)
{
    for (size_t i = 0, from; i < s.n;) {
        char c = s.at[i];
        from = i;
        if (is_blank(c)) {
            while (i < s.n && is_blank(s.at[i]))
                i++;
            o->gap = true;
            if (!may_part(o, (struct slice){s.at + from, i - from}, i < s.n ? s.at[i] : 0))
                return i;
            continue;
        }
        if (bracket_step(c) < 0)
            i = close_bracket(o, c) ? i + 1 : 0;
        else if (bracket_step(c) > 0 || c == '<' || c == '\'' || c == '"' || c == '.' || is_word_char(c))
            i = pass_element(o, s, i);
        else
            i = pass_punctuation(o, s, i);
        if (i == 0)
            return from;
        o->gap = false;
    }
    return s.n;
}

bool
object_program(struct object_scan *o)
{
    bool first = o->before != VALUE || innermost(o) == '('; /* a tuple of programs has no commas */
    o->before = VALUE;
    o->gap = false;
    return first;
}

bool
object_ends(const struct object_scan *o)
{
    return o->depth == 0 && o->before == VALUE;
}

bool
value_is_object(struct slice s)
{
    struct object_scan o = {0};
    return object_read(&o, s) == s.n && object_ends(&o);
}

struct slice
value_stop(struct slice s, char *wanted)
{
    struct object_scan o = {0};
    size_t at = object_read(&o, s);
    if (wanted)
        *wanted = o.wanted;
    if (o.flaw.at > s.at && o.flaw.at < s.at + s.n && at < s.n)
        return o.flaw;
    if (at == 0 || at == s.n)
        return SLICE("");
    const char *from = s.at + at;
    size_t n = (size_t)(value_find(from, s.at + s.n, ",)]}") - from);
    return (struct slice){from, n ? n : 1};
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Looking ahead in the text of a parameter list, for value.c: where Python's strings and objects end, and whether
 * operands follow a bracket. It stays within one line. */
#include "ir/ref_text.h"
#include "parse/token_source.h"

/* the position after the brackets of an array literal at p, `[1.,2.]:f32[2]`; NULL if there is none */
static const char *
array_end(const char *p, const char *end)
{
    u32 depth = 0;
    do {
        depth += *p == '[';
        depth -= *p == ']';
        p++;
    } while (p < end && depth && (is_word_char(*p) || (*p && strchr("[], .+-", *p))));
    return depth == 0 && p < end && *p == ':' ? p : NULL;
}

/* more than the length of any complex number */
enum { LONGEST = 128 };

const char *
operands_end(const char *p, const char *end)
{
    for (const char *word = NULL;;) {
        const char *q = p;
        p = skip_indent(p);
        if (p >= end || *p == '\n' || *p == '\r' || *p == ';' || *p == '}' || *p == '#' || p - q >= INDENTED)
            return p;
        if (p == q)
            return NULL;
        if (word && ((*p == '=' && is_blank(p[1])) || (*p == '<' && p[1] == '-')))
            return word;
        if (memcmp(p, "in", 2) == 0 && !is_word_char(p[2]) && *skip_blanks(p + 2) == '(')
            return p;
        word = is_word_start(*p) ? p : NULL;
        if (word && equation_begins(p, end))
            return p;
        q = p;
        if (*p == '(' || (*p == '[' && p[1] == '.')) {
            const char *close = *p == '(' ? memchr(p, ')', end - p < LONGEST ? (size_t)(end - p) : LONGEST) : NULL;
            if (*p == '(' && (!close || literal_kind(p, close + 1) == LIT_OTHER))
                return NULL;
            p = type_scan(p, end);
        } else if (*p == '[') {
            const char *array = array_end(p, end);
            p = array ? type_scan(array + 1, end) : p;
        } else {
            p += *p == '-';
            while (is_word_char(*p) || *p == '.' || *p == '*' || (*p == '-' && p[-1] == 'e') ||
                   (*p == '+' && p[-1] == 'e'))
                p++;
            if (word && is_primitive((struct slice){word, (size_t)(p - word)}))
                return word;
            if (p > q && *p == ':')
                p = type_scan(p + 1, end);
            for (const char *close; word && *p == '['; p = close + 1) { /* a ref with an index */
                close = index_close(p, end - p < LONGEST ? end : p + LONGEST);
                if (!close || memchr(p, '\n', (size_t)(close - p)))
                    return NULL;
            }
        }
        if (p == q || (*p == '=' && p > q))
            return NULL;
    }
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Escaping, and the frame of the page. The content security policy allows the script by its SHA-256, so that text of
 * a program could not run even if escaping failed. */
#include "report/html.h"

#include "base/digest.h"
#include "base/visible.h"

void
html_text(struct sink *out, struct slice text)
{
    struct glyph g;
    for (size_t i = 0; i < text.n;) {
        size_t n = glyph_read(&g, text, i);
        char c = text.at[i];
        if (c == '<')
            sink_slice(out, SLICE("&lt;"));
        else if (c == '>')
            sink_slice(out, SLICE("&gt;"));
        else if (c == '&')
            sink_slice(out, SLICE("&amp;"));
        else if (c == '"')
            sink_slice(out, SLICE("&quot;"));
        else if (c == '\'')
            sink_slice(out, SLICE("&#39;"));
        else if (g.escaped && c != '\n' && c != '\t')
            sink_slice(out, SLICE("\xef\xbf\xbd"));
        else
            sink_write(out, text.at + i, n);
        i += n;
    }
}

void
html_text_cut(struct sink *out, struct slice text, size_t most)
{
    size_t n = text.n;
    if (n > most)
        for (n = most; n > 0 && ((u8)text.at[n] & 0xc0) == 0x80; n--) {
        }
    html_text(out, (struct slice){text.at, n});
    if (n < text.n)
        sink_slice(out, SLICE("\xe2\x80\xa6"));
}

void
html_begin(struct sink *out, struct slice title)
{
    struct digest script = digest_of(html_script, strlen(html_script));
    sink_printf(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                     "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
                     "'unsafe-inline'; script-src 'sha256-");
    sink_base64(out, script.bytes, sizeof script.bytes, false);
    sink_printf(out, "'\">\n<meta name=\"viewport\" content=\"width=device-width\">\n<title>");
    html_text(out, title);
    sink_printf(out, "</title>\n<style>%s</style>\n</head>\n<body>\n<header><h1>", html_style);
    html_text(out, title);
    sink_printf(out, "</h1><p class=\"help\"><kbd>j</kbd> <kbd>k</kbd> next, previous equation; <kbd>n</kbd> "
                     "<kbd>p</kbd> next, previous finding; <kbd>Enter</kbd> fold; <kbd>o</kbd> <kbd>c</kbd> open, "
                     "close all folds; <kbd>b</kbd> back. Names link to their definitions.</p></header>\n<main>\n");
}

void
html_end(struct sink *out)
{
    sink_printf(out, "</main>\n<script>%s</script>\n</body>\n</html>\n", html_script);
}

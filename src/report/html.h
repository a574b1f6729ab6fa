/* SPDX-License-Identifier: Apache-2.0
 *
 * The HTML of reports: escaped text, and the page's own style and script. */
#ifndef JX_HTML_H
#define JX_HTML_H

#include "base/sink.h"

/* appends a text, escaped for content and quoted attributes; control characters and invalid UTF-8 become U+FFFD.
 * Linear */
void html_text(struct sink *out, struct slice text);

/* the same, cut after `most` bytes with an ellipsis */
void html_text_cut(struct sink *out, struct slice text, size_t most);

/* writes everything up to and including `<main>`: the title, style, and a content security policy that allows only the
 * page's own script and no requests */
void html_begin(struct sink *out, struct slice title);

/* closes the page */
void html_end(struct sink *out);

/* the page's style sheet and script */
extern const char html_style[], html_script[];

#endif

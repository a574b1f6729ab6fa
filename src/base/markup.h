/* SPDX-License-Identifier: Apache-2.0
 *
 * What chats, browsers and terminals add to a text, where it can be recognized with certainty. */
#ifndef JX_MARKUP_H
#define JX_MARKUP_H

#include "base/base.h"

/* true if a text contains the codes of a colour without their escape character, `[31mx[0m`, or a link that shows its
 * own address, `[a.py](http://a.py)`, `<http://a.py|a.py>`, `a.py (http://a.py)`. Linear */
bool has_markup(struct slice s);

/* false if the path of a source file contains markup, also as `/<a.py>`. Linear */
bool path_fits(struct slice s);

#endif

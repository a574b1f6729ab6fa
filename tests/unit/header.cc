// SPDX-License-Identifier: Apache-2.0
//
// jaxpr.h as C++ sees it: it compiles, without warnings, and links with the shared library.
#include "jaxpr.h"

#include <cstring>
#include <string>

static int
append(void *user, const char *bytes, size_t n)
{
    static_cast<std::string *>(user)->append(bytes, n);
    return 0;
}

int
main()
{
    const char text[] = "{ lambda ; a:f32[]. let b:f32[] = sin a in (b,) }\n";
    std::string out;
    jx_context *context = jx_context_new(nullptr);
    jx_module *module = nullptr;
    jx_format_options how = {};
    how.size = sizeof how;
    bool good = jx_read(context, "t.jaxpr", text, std::strlen(text), &module) == JX_OK &&
                jx_check(module, nullptr) == JX_OK && jx_diagnostic_count(module, JX_NOTE) == 0 &&
                jx_format(module, &how, append, &out) == JX_OK && out == text;
    jx_context_free(context);
    return good ? 0 : 1;
}

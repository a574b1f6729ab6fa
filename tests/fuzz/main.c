/* SPDX-License-Identifier: Apache-2.0
 *
 * libFuzzer's entry point for one target, whose name is the macro TARGET. */
#include "mutator.h"
#include "target.h"

#define CALL_(name) target_##name
#define CALL(name) CALL_(name)

static const char *const words[] = {
#include "words.inc"
};

struct word_list mutator_words = {words, sizeof words / sizeof *words};

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    CALL(TARGET)(n > 0 ? (const char *)bytes : "", n);
    return 0;
}

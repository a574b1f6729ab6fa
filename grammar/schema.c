/* SPDX-License-Identifier: Apache-2.0
 *
 * Prints config.def as a JSON schema (draft 7), by which editors validate .jaxpr.yaml. Run while building. */
#include <stdio.h>
#include <string.h>

#define WORDS(item) "\"anyOf\": [" item ", {\"type\": \"array\", \"items\": " item "}]"
#define WORD "{\"type\": \"string\", \"minLength\": 1}"
#define SIZE_WORD "\"^[0-9][0-9_]*(e[0-9]+)? *([KMGT]iB)?$\""
#define SIZE "\"anyOf\": [{\"type\": \"number\", \"minimum\": 0}, {\"type\": \"string\", \"pattern\": " SIZE_WORD "}]"
#define BOUND "[0-9][0-9_]*"
#define COMPARED "(<=|>=|==|<|>) *" BOUND

/* the JSON schema of a value of each kind of config.def */
static const struct {
    const char *kind, *schema;
} kinds[] = {
    {"GLOBS", WORDS(WORD)},
    {"RULES", WORDS(WORD)},
    {"PRIMS", WORDS(WORD)},
    {"DTYPES", WORDS(WORD)},
    {"SHAPES", WORDS("{\"type\": \"string\", \"pattern\": \"^[^\\\\[]*\\\\[.*\\\\]$\"}")},
    {"LEVELS", "\"type\": \"object\", \"additionalProperties\": {\"enum\": [\"error\", \"warning\", \"note\"]}"},
    {"SETTINGS", "\"type\": \"object\", \"additionalProperties\": {\"type\": \"object\", \"additionalProperties\": "
                 "{\"type\": [\"string\", \"number\"]}}"},
    {"NAME", "\"type\": \"string\", \"minLength\": 1"},
    {"INDEX", "\"type\": \"integer\", \"minimum\": 1"},
    {"COUNTS", "\"type\": \"object\", \"additionalProperties\": {\"anyOf\": [{\"type\": \"integer\", \"minimum\": 0}, "
               "{\"type\": \"string\", \"pattern\": \"^ *(" BOUND "|" COMPARED "( *, *" COMPARED ")*) *$\"}]}"},
    {"SIZE", SIZE},
    {"BYTES", SIZE},
    {"TYPES", "\"type\": \"string\", \"pattern\": \"^\\\\(.*\\\\)$\""},
    {"DIGEST", "\"type\": \"string\", \"pattern\": \"^jx[0-9]+:[0-9a-f]{64}$\""},
};

static const struct {
    const char *section, *key, *kind, *of, *help;
} keys[] = {
#define KEY(section, key, kind, of, help) {#section, #key, #kind, #of, help},
#include "config.def"
#undef KEY
};

static const char *const sections[] = {
#define SECTION(id, what) #id,
#include "config.def"
#undef SECTION
};

enum {
    KINDS = sizeof kinds / sizeof *kinds,
    KEYS = sizeof keys / sizeof *keys,
    SECTIONS = sizeof sections / sizeof *sections
};

/* prints a key. Its help needs no escaping in JSON: config.def has no double quotes or backslashes in it */
static void
put_key(int i)
{
    printf("        \"%s\": {\"description\": \"%s\", ", keys[i].key, keys[i].help);
    if (strcmp(keys[i].kind, "ONE") == 0)
        printf("\"$ref\": \"#/definitions/%s\"}", keys[i].of);
    else if (strcmp(keys[i].kind, "MANY") == 0)
        printf("\"type\": \"array\", \"items\": {\"$ref\": \"#/definitions/%s\"}}", keys[i].of);
    for (int k = 0; k < KINDS; k++)
        if (strcmp(kinds[k].kind, keys[i].kind) == 0)
            printf("%s}", kinds[k].schema);
}

static void
put_section(const char *section)
{
    const char *between = "\n";
    printf("    \"%s\": {\n      \"type\": \"object\", \"additionalProperties\": false,%s\n      \"properties\": {",
           section, strcmp(section, "override") == 0 ? " \"required\": [\"files\"]," : "");
    for (int i = 0; i < KEYS; i++) {
        if (strcmp(keys[i].section, section) != 0)
            continue;
        printf("%s", between);
        put_key(i);
        between = ",\n";
    }
    printf("\n      }\n    }");
}

int
main(void)
{
    printf("{\n  \"$schema\": \"http://json-schema.org/draft-07/schema#\",\n  \"title\": \".jaxpr.yaml\",\n"
           "  \"anyOf\": [{\"$ref\": \"#/definitions/top\"}, {\"type\": \"null\"}],\n  \"definitions\": {\n");
    for (int i = 0; i < SECTIONS; i++) {
        put_section(sections[i]);
        printf("%s\n", i + 1 < SECTIONS ? "," : "");
    }
    printf("  }\n}\n");
    return ferror(stdout) != 0;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Directories, as the files below them or the programs among these: fts walks, by name, so that the order is the same
 * on every machine. */
#include "command/command.h"

#include <fts.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct list {
    char **at;
    int n, cap;
};

static void
add(struct list *list, const char *path)
{
    if (list->n == list->cap) {
        list->cap = list->cap > 0 ? 2 * list->cap : 16;
        list->at = must_resize(list->at, (size_t)list->cap * sizeof *list->at);
    }
    size_t size = strlen(path) + 1;
    list->at[list->n] = must_allocate(size);
    memcpy(list->at[list->n++], path, size);
}

static int
by_name(const FTSENT **a, const FTSENT **b)
{
    return strcmp((*a)->fts_name, (*b)->fts_name);
}

/* whether a file is called as JAX calls its dumps of programs: NAME.jaxpr, NAME.jaxpr.txt, NAME.jaxpr.gz */
static bool
holds_program(const char *name)
{
    const char *at = strstr(name, ".jaxpr");
    return at != NULL && (at[6] == 0 || at[6] == '.');
}

static void
add_directory(struct list *list, char *path, bool all)
{
    char *const paths[] = {path, NULL};
    int before = list->n;
    FTS *walk = fts_open(paths, FTS_PHYSICAL | FTS_NOCHDIR, by_name);
    if (walk == NULL) {
        add(list, path); /* opening it will tell what is wrong */
        return;
    }
    for (const FTSENT *e; (e = fts_read(walk)) != NULL;)
        if ((e->fts_info == FTS_F && (all || holds_program(e->fts_name))) || e->fts_info == FTS_DNR ||
            e->fts_info == FTS_ERR)
            add(list, e->fts_path);
    fts_close(walk);
    if (list->n == before && !all)
        add(list, path); /* opening it will say that it is a directory */
}

char **
walk_files(char *const *files, int first, int *n, bool all)
{
    struct list list = {0};
    for (int i = 0; i < *n; i++) {
        struct stat st;
        if (i >= first && strcmp(files[i], "-") != 0 && stat(files[i], &st) == 0 && S_ISDIR(st.st_mode))
            add_directory(&list, files[i], all);
        else
            add(&list, files[i]);
    }
    *n = list.n;
    return list.at;
}

void
walk_free(char **files, int n)
{
    for (int i = 0; i < n; i++)
        free(files[i]);
    free(files);
}

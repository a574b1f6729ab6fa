/* SPDX-License-Identifier: Apache-2.0
 *
 * Directories, as the files below them: fts walks, by name, so that the order is the same on every machine. */
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

static void
add_directory(struct list *list, char *path)
{
    char *const paths[] = {path, NULL};
    FTS *walk = fts_open(paths, FTS_PHYSICAL | FTS_NOCHDIR, by_name);
    if (walk == NULL) {
        add(list, path); /* opening it will tell what is wrong */
        return;
    }
    for (const FTSENT *e; (e = fts_read(walk)) != NULL;)
        if (e->fts_info == FTS_F || e->fts_info == FTS_DNR || e->fts_info == FTS_ERR)
            add(list, e->fts_path);
    fts_close(walk);
}

char **
walk_files(char *const *files, int *n)
{
    struct list list = {0};
    for (int i = 0; i < *n; i++) {
        struct stat st;
        if (strcmp(files[i], "-") != 0 && stat(files[i], &st) == 0 && S_ISDIR(st.st_mode))
            add_directory(&list, files[i]);
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

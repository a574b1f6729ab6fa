/* SPDX-License-Identifier: Apache-2.0
 *
 * The files that a command reads, by device and number, so that no output replaces one of them whatever its path is. */
#include "command/command.h"

#include <stdlib.h>
#include <sys/stat.h>

static int
compare_files(const void *a, const void *b)
{
    const struct file_id *x = a, *y = b;
    return x->device != y->device ? (x->device > y->device) - (x->device < y->device)
                                  : (x->number > y->number) - (x->number < y->number);
}

static bool
identify(const char *path, struct file_id *id)
{
    struct stat st;
    if (stat(path, &st) != 0 || !S_ISREG(st.st_mode))
        return false;
    *id = (struct file_id){st.st_dev, st.st_ino};
    return true;
}

void
file_set_fill(struct file_set *set, char *const *files, int n)
{
    set->at = must_allocate((size_t)(n > 0 ? n : 1) * sizeof *set->at);
    set->n = 0;
    for (int i = 0; i < n; i++)
        set->n += identify(files[i], &set->at[set->n]);
    qsort(set->at, set->n, sizeof *set->at, compare_files);
}

bool
file_set_has(const struct file_set *set, const char *path)
{
    struct file_id id;
    return identify(path, &id) && bsearch(&id, set->at, set->n, sizeof id, compare_files) != NULL;
}

void
file_set_free(struct file_set *set)
{
    free(set->at);
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Directories, as the files below them or the programs among these, by name, so that the order is the same on every
 * machine. */
#include "command/command.h"

#include <dirent.h>
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

/* Last entry first: the list is a stack. */
static int
by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*b)->d_name, (*a)->d_name);
}

/* whether a file has a name that JAX gives to dumps of programs: NAME.jaxpr, NAME.jaxpr.txt, NAME.jaxpr.gz */
static bool
holds_program(const char *name)
{
    const char *at = strstr(name, ".jaxpr");
    return at != NULL && (at[6] == 0 || at[6] == '.');
}

static int
is_child(const struct dirent *e)
{
    return strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0;
}

/* Pushes the entries of a directory on a stack; false if it cannot be read. */
static bool
push_entries(struct list *stack, const char *directory)
{
    struct dirent **entries;
    int n = scandir(directory, &entries, is_child, by_name);
    if (n < 0)
        return false;
    size_t length = strlen(directory);
    bool slash = length > 0 && directory[length - 1] == '/';
    for (int i = 0; i < n; i++) {
        size_t size = strlen(entries[i]->d_name) + 1;
        char *path = must_allocate(length + 1 + size);
        memcpy(path, directory, length);
        path[length] = '/';
        memcpy(path + length + !slash, entries[i]->d_name, size);
        add(stack, path);
        free(path);
        free(entries[i]);
    }
    free(entries);
    return true;
}

/* Symbolic links below a directory are not followed. An unreadable directory is listed: opening it reports why. */
static void
add_directory(struct list *list, const char *path, bool all)
{
    struct list stack = {0};
    struct stat st;
    int before = list->n;
    if (!push_entries(&stack, path))
        add(list, path);
    while (stack.n > 0) {
        char *entry = stack.at[--stack.n];
        bool known = lstat(entry, &st) == 0;
        bool directory = known && S_ISDIR(st.st_mode);
        bool wanted = !known || (S_ISREG(st.st_mode) && (all || holds_program(strrchr(entry, '/') + 1)));
        if (wanted || (directory && !push_entries(&stack, entry)))
            add(list, entry);
        free(entry);
    }
    free(stack.at);
    if (list->n == before && !all)
        add(list, path); /* opening it reports that it is a directory */
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

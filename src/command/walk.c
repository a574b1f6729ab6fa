/* SPDX-License-Identifier: Apache-2.0
 *
 * Directories, as the files below them or the programs among these, by name, so that the order is the same on every
 * machine. */
#include "command/command.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct entry {
    char *path;
    unsigned char type; /* DT_REG .., or DT_UNKNOWN */
};

struct list {
    struct entry *at;
    int n, cap;
};

/* Appends a path, which the list then owns. */
static void
add(struct list *list, char *path, unsigned char type)
{
    if (list->n == list->cap) {
        list->cap = list->cap > 0 ? 2 * list->cap : 16;
        list->at = must_resize(list->at, (size_t)list->cap * sizeof *list->at);
    }
    list->at[list->n++] = (struct entry){path, type};
}

char *
path_join(const char *directory, const char *name)
{
    size_t n = strlen(directory), m = strlen(name);
    bool slash = n > 0 && directory[n - 1] == '/';
    char *path = must_allocate(n + m + 2);
    memcpy(path, directory, n);
    path[n] = '/';
    memcpy(path + n + !slash, name, m + 1);
    return path;
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

/* not hidden, as the configuration .jaxpr.yaml and the folder .git are */
static int
is_visible(const struct dirent *e)
{
    return *e->d_name != '.';
}

/* Pushes the entries of a directory on a stack, all or those that are not hidden; false if it cannot be read. */
static bool
push_entries(struct list *stack, const char *directory, bool all)
{
    struct dirent **entries;
    int n = scandir(directory, &entries, all ? is_child : is_visible, by_name);
    if (n < 0)
        return false;
    for (int i = 0; i < n; i++) {
        add(stack, path_join(directory, entries[i]->d_name), entries[i]->d_type);
        free(entries[i]);
    }
    free(entries);
    return true;
}

/* The type of what is at a path, DT_UNKNOWN if there is nothing. */
static unsigned char
type_at(const char *path)
{
    struct stat st;
    return lstat(path, &st) == 0 ? IFTODT(st.st_mode) : DT_UNKNOWN;
}

/* Symbolic links below a directory are not followed. An unreadable directory is listed: opening it reports why. */
static void
add_directory(struct list *list, const char *path, bool all)
{
    struct list stack = {0};
    int before = list->n;
    if (!push_entries(&stack, path, all))
        add(list, must_copy(path, strlen(path)), DT_UNKNOWN);
    while (stack.n > 0) {
        struct entry entry = stack.at[--stack.n];
        unsigned char type = entry.type == DT_UNKNOWN ? type_at(entry.path) : entry.type;
        bool wanted = type == DT_UNKNOWN || (type == DT_REG && (all || holds_program(strrchr(entry.path, '/') + 1)));
        if (wanted || (type == DT_DIR && !push_entries(&stack, entry.path, all)))
            add(list, entry.path, type);
        else
            free(entry.path);
    }
    free(stack.at);
    if (list->n == before && !all)
        add(list, must_copy(path, strlen(path)), DT_UNKNOWN); /* opening it reports that it is a directory */
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
            add(&list, must_copy(files[i], strlen(files[i])), DT_UNKNOWN);
    }
    char **paths = must_allocate((size_t)list.n * sizeof *paths);
    for (int i = 0; i < list.n; i++)
        paths[i] = list.at[i].path;
    free(list.at);
    *n = list.n;
    return paths;
}

void
walk_free(char **files, int n)
{
    for (int i = 0; i < n; i++)
        free(files[i]);
    free(files);
}

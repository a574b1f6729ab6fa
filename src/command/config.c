/* SPDX-License-Identifier: Apache-2.0
 *
 * Which configuration applies to a file: that of --config, else the nearest .jaxpr.yaml in its directory or above.
 * All are read before the files, each once, so that threads only read them. */
#include "command/command.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CONFIG_NAME ".jaxpr.yaml"

/* A configuration that was read. */
struct config_file {
    char *directory; /* an absolute path */
    char *path;
    struct stat was; /* the file when it was opened */
    jx_config *config;
};

/* A directory that was searched. */
struct config_place {
    char *directory;
    int file; /* -1: none above it */
};

/* The absolute directory of a file, and the last part of its path; NULL on failure. The file of --stdin-filename and
 * its directory need not exist: a missing part of the path is kept as given. */
static char *
directory_of(const char *path, const char **base)
{
    const char *slash = strrchr(path, '/');
    *base = slash != NULL ? slash + 1 : path;
    size_t n = slash == NULL ? 0 : slash == path ? 1 : (size_t)(slash - path), there = n;
    for (;;) {
        char *directory = there == 0 ? must_copy(".", 1) : must_copy(path, there), *full = realpath(directory, NULL);
        free(directory);
        if (full != NULL && there < n) {
            const char *rest = path + there + strspn(path + there, "/");
            char *name = must_copy(rest, (size_t)(path + n - rest));
            directory = path_join(full, name);
            free(name);
            free(full);
            return directory;
        }
        if (full != NULL || there <= 1)
            return full;
        while (there > 0 && path[there - 1] != '/')
            there--;
        while (there > 1 && path[there - 1] == '/')
            there--;
    }
}

/* Reads a configuration; its index, or -1 after a message on stderr. Takes ownership of `path`. */
static int
read_file(struct configs *all, char *path)
{
    const char *base;
    struct config_file file = {.path = path};
    struct source source = {.keep = false};
    enum jx_status status = JX_READ_FAILED;
    if (source_open(&source, path))
        status = jx_read_config(all->context, path, source_read, &source, source.expected, &file.config);
    file.directory = status == JX_OK ? directory_of(path, &base) : NULL;
    if (status != JX_OK)
        complain("%s: %s", path, status == JX_READ_FAILED ? source_why(&source) : jx_status_text(status));
    file.was = source.was;
    source_close(&source);
    if (file.directory == NULL) {
        free(path);
        all->failed = true;
        return -1;
    }
    all->broken |= jx_diagnostic_count(jx_config_module(file.config), JX_ERROR) > 0;
    all->files = must_resize(all->files, (size_t)(all->n_files + 1) * sizeof *all->files);
    all->files[all->n_files] = file;
    return all->n_files++;
}

/* Whether a directory is `root` or inside of it; both are absolute. */
static bool
is_inside(const char *directory, const char *root)
{
    size_t n = strlen(root);
    return strncmp(directory, root, n) == 0 && (directory[n] == 0 || directory[n] == '/' || n == 1);
}

/* The path of a file of an absolute directory, relative to the absolute directory `root`; to be freed. */
static char *
relative_to(const char *root, const char *directory, const char *base)
{
    size_t common = 0, up = 0;
    for (size_t i = 0; i == 0 || (root[i - 1] != 0 && root[i - 1] == directory[i - 1]); i++)
        if ((root[i] == 0 || root[i] == '/') && (directory[i] == 0 || directory[i] == '/'))
            common = i;
    for (const char *p = root + common; *p != 0; p++)
        up += *p == '/' && p[1] != 0;
    const char *below = directory + common + strspn(directory + common, "/");
    char *path = must_allocate(3 * up + strlen(below) + strlen(base) + 2), *end = path;
    for (; up > 0; up--)
        end = stpcpy(end, "../");
    snprintf(end, strlen(below) + strlen(base) + 2, "%s%s%s", below, *below != 0 ? "/" : "", base);
    return path;
}

/* The configuration of `directory` for display: relative to the working directory if it is inside of it. */
static char *
shown_path(const char *directory)
{
    char *here = realpath(".", NULL);
    char *path = here != NULL && is_inside(directory, here) ? relative_to(here, directory, CONFIG_NAME)
                                                            : path_join(directory, CONFIG_NAME);
    free(here);
    return path;
}

static int
known_file(const struct configs *all, const char *directory)
{
    for (int i = 0; i < all->n_files; i++)
        if (strcmp(all->files[i].directory, directory) == 0)
            return i;
    return -1;
}

static int
known_place(const struct configs *all, const char *directory)
{
    for (int i = all->n_places; i-- > 0;)
        if (strcmp(all->places[i].directory, directory) == 0)
            return i;
    return -1;
}

/* Searches a directory and those above it for a configuration; its index, or -1 after a message on stderr. */
static int
search_upwards(struct configs *all, const char *directory)
{
    char *at = must_copy(directory, strlen(directory));
    int found = -1;
    for (;;) {
        char *path = path_join(at, CONFIG_NAME);
        bool there = access(path, F_OK) == 0;
        free(path);
        if (there) {
            found = known_file(all, at);
            found = found >= 0 ? found : read_file(all, shown_path(at));
            break;
        }
        char *slash = strrchr(at, '/');
        if (slash == NULL || at[1] == 0)
            break;
        slash[slash == at] = 0;
    }
    free(at);
    return found;
}

bool
configs_load(const struct invocation *in, struct configs *all)
{
    *all = (struct configs){.context = context_make(in), .only = -1};
    const char *given = in->value[OPTION_config];
    if (given != NULL && in->value[OPTION_no_config] != NULL) {
        complain("--config names a configuration: it cannot be used with --no-config");
        return false;
    }
    if (given != NULL)
        all->only = read_file(all, must_copy(given, strlen(given)));
    for (int i = 0; given == NULL && in->value[OPTION_no_config] == NULL && i < in->n_files; i++) {
        const char *base;
        char *directory = directory_of(input_name(in, in->files[i]), &base);
        if (directory == NULL || known_place(all, directory) >= 0) {
            free(directory);
            continue;
        }
        int file = search_upwards(all, directory);
        all->places = must_resize(all->places, (size_t)(all->n_places + 1) * sizeof *all->places);
        all->places[all->n_places++] = (struct config_place){directory, file};
    }
    return !all->failed;
}

/* The nearest configuration in or above a directory among those already read, or -1. For files found in directories. */
static int
nearest_file(const struct configs *all, const char *directory)
{
    int nearest = -1;
    size_t longest = 0;
    for (int i = 0; i < all->n_files; i++) {
        const char *root = all->files[i].directory;
        size_t n = strlen(root);
        if (n >= longest && is_inside(directory, root)) {
            nearest = i;
            longest = n;
        }
    }
    return nearest;
}

jx_config *
config_for(const struct invocation *in, const char *path, char **relative)
{
    const struct configs *all = in->configs;
    const char *base;
    char *directory = directory_of(input_name(in, path), &base);
    int place = directory != NULL && all->only < 0 ? known_place(all, directory) : -1;
    int file = all->only >= 0      ? all->only
               : place >= 0        ? all->places[place].file
               : directory != NULL ? nearest_file(all, directory)
                                   : -1;
    *relative = NULL;
    if (file >= 0 && directory != NULL)
        *relative = relative_to(all->files[file].directory, directory, base);
    else if (file >= 0)
        *relative = must_copy(base, strlen(base));
    free(directory);
    return file >= 0 ? all->files[file].config : NULL;
}

jx_config *
config_at(const struct configs *all, int i, const char **path)
{
    if (i >= all->n_files)
        return NULL;
    *path = all->files[i].path;
    return all->files[i].config;
}

const struct stat *
config_was(const struct configs *all, int i)
{
    return &all->files[i].was;
}

void
configs_free(struct configs *all)
{
    for (int i = 0; i < all->n_files; i++) {
        free(all->files[i].directory);
        free(all->files[i].path);
    }
    for (int i = 0; i < all->n_places; i++)
        free(all->places[i].directory);
    free(all->files);
    free(all->places);
    jx_context_free(all->context);
    *all = (struct configs){.only = -1};
}

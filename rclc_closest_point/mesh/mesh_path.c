/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* realpath */

#include "rclc_closest_point/mesh/mesh_path.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* A package.xml is looked at so far for its name. */
#define PACKAGE_XML_BYTES 8192

static const char *join(clp_arena *arena, const char *folder, const char *rest)
{
  size_t room = strlen(folder) + strlen(rest) + 2;
  char *path = clp_arena_take(arena, room, 1);
  if (path)
    snprintf(path, room, "%s/%s", folder, rest);
  return path;
}

static bool is_folder(const char *path)
{
  struct stat status;
  return path && stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

static bool is_file(const char *path)
{
  struct stat status;
  return path && stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

/* ---- Packages ----------------------------------------------------------------------------- */

static bool is_called(const char *folder, const char *name)
{
  size_t length = strlen(folder), wanted = strlen(name);
  while (length > 1 && folder[length - 1] == '/')
    --length;
  return length > wanted && folder[length - wanted - 1] == '/' &&
         strncmp(folder + length - wanted, name, wanted) == 0;
}

static bool manifest_says(clp_arena *arena, const char *folder, const char *name)
{
  const char *path = join(arena, folder, "package.xml");
  FILE *file = path ? fopen(path, "rb") : NULL;
  if (!file)
    return false;
  char text[PACKAGE_XML_BYTES + 1];
  size_t length = fread(text, 1, PACKAGE_XML_BYTES, file);
  fclose(file);
  text[length] = '\0';
  const char *tag = strstr(text, "<name>"), *value = tag ? tag + 6 : "";
  value += strspn(value, " \t\r\n");
  size_t wanted = strlen(name);
  return strncmp(value, name, wanted) == 0 && strchr(" \t\r\n<", value[wanted]) && value[wanted];
}

static bool is_package(clp_arena *arena, const char *folder, const char *name)
{
  return is_folder(folder) && (is_called(folder, name) || manifest_says(arena, folder, name));
}

/* The folder itself, or one in it. */
static const char *find_in(clp_arena *arena, const char *folder, const char *name)
{
  if (is_package(arena, folder, name))
    return folder;
  const char *child = join(arena, folder, name);
  if (is_folder(child))
    return child;
  DIR *listing = opendir(folder);
  const char *found = NULL;
  for (struct dirent *entry; listing && !found && (entry = readdir(listing));) {
    child = *entry->d_name == '.' ? NULL : join(arena, folder, entry->d_name);
    if (child && manifest_says(arena, child, name))
      found = child;
  }
  if (listing)
    closedir(listing);
  return found;
}

/* In the folders of an environment variable, with colons between them. */
static const char *find_in_variable(clp_arena *arena, const char *variable, const char *below,
                                    const char *name)
{
  const char *value = getenv(variable);
  char *list = clp_arena_string(arena, value ? value : "");
  const char *found = NULL;
  for (char *next = list; next && *next && !found;) {
    char *folder = next, *colon = strchr(next, ':');
    next = colon ? colon + 1 : NULL;
    if (colon)
      *colon = '\0';
    const char *place = *below && *folder ? join(arena, folder, below) : folder;
    if (place && *place)
      found = find_in(arena, place, name);
  }
  return found;
}

/* The folder of a path, without its last slash. */
static char *folder_of(clp_arena *arena, const char *path)
{
  char *folder = clp_arena_string(arena, path), *slash = folder ? strrchr(folder, '/') : NULL;
  if (!slash)
    return folder ? clp_arena_string(arena, ".") : NULL;
  slash[slash == folder] = '\0';
  return folder;
}

/* As it is from the root, so that there are folders above it. */
static char *whole_path(clp_arena *arena, const char *path)
{
  char *whole = realpath(path, NULL), *copy = whole ? clp_arena_string(arena, whole) : NULL;
  free(whole);
  return copy;
}

static const char *find_above(clp_arena *arena, const char *urdf, const char *name)
{
  char *folder = whole_path(arena, folder_of(arena, urdf));
  while (folder && strcmp(folder, "/") != 0) {
    if (is_package(arena, folder, name))
      return folder;
    folder = folder_of(arena, folder);
    const char *beside = folder ? join(arena, folder, name) : NULL;
    const char *manifest = beside ? join(arena, beside, "package.xml") : NULL;
    if (is_file(manifest))
      return beside;
  }
  return NULL;
}

static const char *find_package(clp_arena *arena, clp_package_paths paths, const char *name)
{
  const char *found = NULL;
  for (size_t k = 0; paths.folders && paths.folders[k] && !found; ++k) {
    const char *folder = whole_path(arena, paths.folders[k]);
    found = folder ? find_in(arena, folder, name) : NULL;
  }
  if (!found)
    found = find_in_variable(arena, "AMENT_PREFIX_PATH", "share", name);
  if (!found)
    found = find_in_variable(arena, "ROS_PACKAGE_PATH", "", name);
  return found || !paths.urdf ? found : find_above(arena, paths.urdf, name);
}

/* ---- Staying inside ----------------------------------------------------------------------- */

/* How many folders above where it begins a relative path leads at its highest. */
static int climbs(const char *path)
{
  int depth = 0, highest = 0;
  while (*path) {
    size_t length = strcspn(path, "/");
    if (length == 2 && path[0] == '.' && path[1] == '.')
      highest = --depth < highest ? depth : highest;
    else if (length > 0 && !(length == 1 && *path == '.'))
      ++depth;
    path += length;
    path += *path == '/';
  }
  return -highest;
}

/* `folder` and so many folders above it are all within `root`. */
static bool stays_within(const char *folder, int up, const char *root)
{
  size_t length = strlen(root);
  if (strncmp(folder, root, length) != 0 || (folder[length] != '/' && folder[length] != '\0'))
    return false;
  int levels = 0;
  for (const char *c = folder + length; *c; ++c)
    levels += *c == '/';
  return up <= levels;
}

static const char *package_about(clp_arena *arena, const char *folder)
{
  char *at = clp_arena_string(arena, folder);
  while (at && strcmp(at, "/") != 0) {
    if (is_file(join(arena, at, "package.xml")))
      return at;
    at = folder_of(arena, at);
  }
  return folder;
}

static bool may_climb(clp_arena *arena, clp_package_paths paths, const char *folder, int up)
{
  if (up == 0 || stays_within(folder, up, package_about(arena, folder)))
    return true;
  for (size_t k = 0; paths.folders && paths.folders[k]; ++k) {
    const char *given = whole_path(arena, paths.folders[k]);
    if (given && stays_within(folder, up, given))
      return true;
  }
  return false;
}

/* ---- The three kinds ---------------------------------------------------------------------- */

static const char *in_package(const char *uri, clp_package_paths paths, clp_log *log, int line,
                              clp_arena *arena)
{
  const char *name_begin = uri + strlen("package://");
  name_begin += strspn(name_begin, "/"); /* package:///NAME is written as well */
  const char *slash = strchr(name_begin, '/');
  char *name = clp_arena_string(arena, name_begin);
  if (!name)
    return NULL;
  name[slash ? (size_t)(slash - name_begin) : strlen(name)] = '\0';
  if (!slash || !*name || strcmp(name, ".") == 0 || strcmp(name, "..") == 0) {
    clp_log_defect(log, line, "mesh '%s', expected package://NAME/PATH", clp_show_string(uri).text);
    return NULL;
  }
  if (climbs(slash + 1) > 0) {
    clp_log_defect(log, line, "mesh '%s' leads out of its package, expected a path in it",
                   clp_show_string(uri).text);
    return NULL;
  }
  const char *package = find_package(arena, paths, name);
  if (!package)
    clp_log_defect(log, line,
                   "mesh '%s': there is no package '%s', expected it in a --package-path, in "
                   "AMENT_PREFIX_PATH, in ROS_PACKAGE_PATH or above the URDF",
                   clp_show_string(uri).text, clp_show_string(name).text);
  return package ? join(arena, package, slash + 1) : NULL;
}

static const char *beside_urdf(const char *uri, clp_package_paths paths, clp_log *log, int line,
                               clp_arena *arena)
{
  if (!paths.urdf) {
    clp_log_defect(log, line, "mesh '%s', expected package:// or a whole path: this is no file",
                   clp_show_string(uri).text);
    return NULL;
  }
  const char *folder = whole_path(arena, folder_of(arena, paths.urdf));
  if (folder && may_climb(arena, paths, folder, climbs(uri)))
    return join(arena, folder, uri);
  clp_log_defect(log, line,
                 "mesh '%s' leads out of the URDF's package, expected a path in it or in a "
                 "--package-path",
                 clp_show_string(uri).text);
  return NULL;
}

const char *clp_mesh_path(const char *uri, clp_package_paths paths, clp_log *log, int line,
                          clp_arena *arena)
{
  if (strncmp(uri, "package://", 10) == 0)
    return in_package(uri, paths, log, line, arena);
  if (strncmp(uri, "file:///", 8) == 0)
    return clp_arena_string(arena, uri + 7);
  const char *scheme = strstr(uri, "://");
  if (scheme || strncmp(uri, "file:", 5) == 0) {
    clp_log_defect(log, line, "mesh '%s', expected package://, file:/// or a path",
                   clp_show_string(uri).text);
    return NULL;
  }
  return *uri == '/' ? clp_arena_string(arena, uri) : beside_urdf(uri, paths, log, line, arena);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/mesh/mesh_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "rclc_closest_point/base/text.h"
#include "rclc_closest_point/mesh/assimp_file.h"
#include "rclc_closest_point/model/model.h"

/* What a body may be: within it nothing overflows, and faces can be told from edges. */
#define LEAST_EXTENT 1e-6

typedef clp_status read_function(const char *bytes, size_t length, const char *ending, clp_log *log,
                                 clp_arena *arena, clp_triangles *triangles);

static clp_status read_stl(const char *bytes, size_t length, const char *ending, clp_log *log,
                           clp_arena *arena, clp_triangles *triangles)
{
  (void)ending;
  return clp_stl_read(bytes, length, log, arena, triangles);
}

/* What is behind the last dot of the file's name, with it. */
static const char *ending_of(const char *path)
{
  const char *slash = strrchr(path, '/'), *dot = strrchr(path, '.');
  return dot && (!slash || dot > slash) ? dot : "";
}

static bool is_stl(const char *ending)
{
  return strcmp(ending, ".stl") == 0 || strcmp(ending, ".STL") == 0 ||
         strcmp(ending, ".Stl") == 0 || strcmp(ending, ".stlb") == 0;
}

/* A pipe would keep its reader waiting for ever. */
static bool is_regular(clp_log *log)
{
  struct stat status;
  if (stat(log->file, &status) != 0 || S_ISREG(status.st_mode))
    return true; /* what is not there is said by who opens it */
  clp_log_defect(log, 1, "%s, expected a regular file",
                 S_ISDIR(status.st_mode) ? "a directory" : "a pipe, a socket or a device");
  return false;
}

clp_status clp_mesh_read_bytes(clp_log *log, char **bytes, size_t *length)
{
  return is_regular(log) ? clp_read_file(log, bytes, length) : CLP_ERROR_FORMAT;
}

static clp_status read_triangles(clp_log *log, clp_arena *arena, clp_triangles *triangles)
{
  const char *ending = ending_of(log->file);
  read_function *read = is_stl(ending)             ? read_stl
                        : clp_assimp_knows(ending) ? clp_assimp_read
                                                   : NULL;
  if (!read) {
    clp_log_defect(log, 1, "a mesh of format '%s', expected .stl, .obj, .dae, .ply, .gltf or .glb",
                   clp_show_string(ending).text);
    return CLP_ERROR_FORMAT;
  }
  char *bytes = NULL;
  size_t length = 0;
  clp_status status = clp_mesh_read_bytes(log, &bytes, &length);
  if (status != CLP_OK)
    return status;
  char *ended = length > CLP_MODEL_MAX_BYTES ? NULL : realloc(bytes, length + 1);
  if (ended) {
    bytes = ended;
    bytes[length] = '\0';
    status = read(bytes, length, ending, log, arena, triangles);
  } else if (length > CLP_MODEL_MAX_BYTES) {
    clp_log_defect(log, 1, "the file is larger than %d MiB, which is the limit",
                   (int)(CLP_MODEL_MAX_BYTES >> 20));
    status = CLP_ERROR_FORMAT;
  } else {
    status = CLP_ERROR_MEMORY;
  }
  free(bytes);
  return status;
}

static clp_status scale_triangles(clp_log *log, const double scale[3], clp_triangles *triangles)
{
  for (int k = 0; k < 3; ++k)
    if (!(fabs(scale[k]) >= 1e-9 && fabs(scale[k]) <= 1e6)) {
      clp_log_defect(log, 1, "a scale of %s, expected 1e-9 to 1e6 of either sign",
                     clp_number(scale[k], 6).text);
      return CLP_ERROR_FORMAT;
    }
  for (size_t k = 0; k < 3 * triangles->count; ++k) {
    clp_vec3 *p = &triangles->corners[k];
    *p = (clp_vec3){scale[0] * p->x, scale[1] * p->y, scale[2] * p->z};
  }
  return CLP_OK;
}

static clp_status expect_extent(clp_log *log, const clp_mesh *mesh)
{
  if (mesh->triangle_count > 0 && mesh->size >= LEAST_EXTENT)
    return CLP_OK;
  if (mesh->triangle_count == 0)
    clp_log_defect(log, 1, "no triangles, expected at least one");
  else
    clp_log_defect(log, 1, "all triangles within %s m, expected an extent of at least 1e-6 m",
                   clp_number(mesh->size, 3).text);
  return CLP_ERROR_FORMAT;
}

clp_status clp_mesh_load(const char *path, const double scale[3], clp_model_sink sink,
                         clp_arena *arena, clp_mesh *mesh)
{
  clp_log log = {.file = path, .sink = sink};
  clp_triangles triangles = {0};
  clp_status status = read_triangles(&log, arena, &triangles);
  if (status == CLP_OK)
    status = scale_triangles(&log, scale, &triangles);
  if (status == CLP_OK && !clp_mesh_make(&triangles, arena, mesh))
    status = CLP_ERROR_MEMORY;
  if (status == CLP_OK)
    status = expect_extent(&log, mesh);
  return clp_finish_file(&log, status);
}

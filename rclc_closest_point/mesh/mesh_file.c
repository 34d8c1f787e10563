/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/mesh/mesh_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "rclc_closest_point/base/text.h"
#include "rclc_closest_point/model/model.h"

/* What a body may be: within it nothing overflows, and faces can be told from edges. */
#define LEAST_EXTENT 1e-6

static bool ends_with(const char *path, const char *ending)
{
  size_t length = strlen(path), wanted = strlen(ending);
  if (length < wanted)
    return false;
  for (size_t k = 0; k < wanted; ++k)
    if ((path[length - wanted + k] | 0x20) != (ending[k] | 0x20))
      return false;
  return true;
}

static clp_status read_stl(clp_log *log, clp_arena *arena, clp_triangles *triangles)
{
  char *bytes = NULL;
  size_t length = 0;
  clp_status status = clp_read_file(log, &bytes, &length);
  if (status != CLP_OK)
    return status;
  char *ended = length > CLP_MODEL_MAX_BYTES ? NULL : realloc(bytes, length + 1);
  if (ended) {
    bytes = ended;
    bytes[length] = '\0';
    status = clp_stl_read(bytes, length, log, arena, triangles);
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

static clp_status read_triangles(clp_log *log, clp_arena *arena, clp_triangles *triangles)
{
  if (ends_with(log->file, ".stl") || ends_with(log->file, ".stlb"))
    return read_stl(log, arena, triangles);
  const char *dot = strrchr(log->file, '.');
  clp_log_defect(log, 1, "a mesh of format '%s', expected .stl",
                 clp_show_string(dot ? dot : "").text);
  return CLP_ERROR_FORMAT;
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

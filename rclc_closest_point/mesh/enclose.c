/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* open_memstream */

#include "rclc_closest_point/mesh/enclose.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rclc_closest_point/base/text.h"
#include "rclc_closest_point/mesh/cover.h"
#include "rclc_closest_point/mesh/mend.h"
#include "rclc_closest_point/mesh/mesh_file.h"
#include "rclc_closest_point/mesh/outside.h"

/* Facets are cut off until no vertex is farther beyond the hull than this (m). */
#define CLOSE 2e-5

/* A mesh of the link and the parts that it became. */
typedef struct enclosed_mesh {
  const clp_part_source *source;
  clp_mesh mesh;
  clp_triangle_tree tree;
  clp_division division;
  int first_part; /* among the link's */
} enclosed_mesh;

typedef struct link_work {
  const clp_enclose_task *task;
  const clp_link_source *source;
  clp_arena arena; /* until the link is done */
  clp_link_source made;
  size_t part_capacity;
  enclosed_mesh *meshes;
  int mesh_count;
  clp_tile_link *report;
} link_work;

/* ---- Parts -------------------------------------------------------------------------------- */

static bool name_is_taken(const link_work *w, const char *name)
{
  for (int k = 0; k < w->made.part_count; ++k)
    if (strcmp(w->made.parts[k].name, name) == 0)
      return true;
  for (int k = 0; k < w->source->part_count; ++k)
    if (strcmp(w->source->parts[k].name, name) == 0)
      return true;
  return false;
}

/* The collision's name where its mesh has one part, otherwise that and a number. Visuals all have
 * one name. */
static const char *part_name(link_work *w, const clp_part_source *source, int part, int count)
{
  bool is_visual =
      source >= w->source->visuals && source < w->source->visuals + w->source->visual_count;
  if (count == 1 && !(is_visual && name_is_taken(w, source->name)))
    return source->name;
  size_t room = strlen(source->name) + 24;
  char *name = clp_arena_take(&w->arena, room, 1);
  for (int number = part; name; ++number) {
    snprintf(name, room, "%s_%d", source->name, number);
    if (!name_is_taken(w, name))
      break;
  }
  return name ? name : "";
}

static bool add_part(link_work *w, const clp_part_source *part)
{
  clp_part_source *grown = clp_arena_grow(&w->arena, w->made.parts, (size_t)w->made.part_count,
                                          &w->part_capacity, sizeof *w->made.parts);
  if (!grown)
    return false;
  w->made.parts = grown;
  grown[w->made.part_count++] = *part;
  return true;
}

static bool add_mesh_parts(link_work *w, enclosed_mesh *m)
{
  m->first_part = w->made.part_count;
  for (int k = 0; k < m->division.part_count; ++k) {
    clp_part_source part = *m->source;
    part.name = part_name(w, m->source, k, m->division.part_count);
    part.def = clp_default_body_def(CLP_SHAPE_POLYHEDRON);
    part.def.polyhedron = m->division.parts[k].polyhedron;
    part.def.padding = w->task->wish->round;
    part.complete = true;
    w->report->facets += part.def.polyhedron.face_count;
    if (!add_part(w, &part))
      return false;
  }
  w->report->gap = fmax(w->report->gap, m->division.gap + m->mesh.moved);
  return true;
}

/* ---- Meshes ------------------------------------------------------------------------------- */

bool clp_enclose_is_wanted(const clp_enclose_task *task)
{
  const clp_tile_wish *wish = task->wish;
  return !wish->progress || wish->progress(wish->user, task->done, task->links);
}

static bool is_still_wanted(const void *task)
{
  return clp_enclose_is_wanted(task);
}

static clp_status enclose_mesh(link_work *w, const clp_part_source *source, enclosed_mesh *m)
{
  const clp_enclose_task *task = w->task;
  const clp_tile_wish *wish = task->wish;
  m->source = source;
  w->report->meshes[w->report->mesh_count++] =
      clp_arena_string(task->arena, source->mesh.file ? source->mesh.file : "");
  const char *path = source->mesh.file ? clp_mesh_path(source->mesh.file, task->paths, task->log,
                                                       source->mesh.line, &w->arena)
                                       : NULL;
  if (!path)
    return CLP_ERROR_FORMAT;
  clp_status status = clp_mesh_load(path, source->mesh.scale, task->log->sink, &w->arena, &m->mesh);
  if (status != CLP_OK) {
    clp_log_defect(task->log, source->mesh.line, "link '%s': mesh '%s' cannot be enclosed",
                   clp_show_string(w->source->name).text, clp_show_string(source->mesh.file).text);
    return status == CLP_ERROR_MEMORY ? status : CLP_ERROR_FORMAT;
  }
  if (!clp_mesh_mend(&m->mesh, &w->arena))
    return CLP_ERROR_MEMORY;
  if (m->mesh.moved > 0)
    clp_log_note(task->log, source->mesh.line,
                 "link '%s': mesh '%s' is closed by taking corners for one that are up to %s m "
                 "apart",
                 clp_show_string(w->source->name).text, clp_show_string(source->mesh.file).text,
                 clp_number(m->mesh.moved, 2).text);
  clp_division_wish division = {
      wish->max_gap,   wish->max_parts,
      wish->round,     {(size_t)wish->max_facets, wish->margin + m->mesh.moved, CLOSE},
      is_still_wanted, task};
  if (!clp_triangle_tree_make(&m->mesh, &w->arena, &m->tree) ||
      !clp_divide(&m->tree, division, &w->arena, &m->division) || !add_mesh_parts(w, m))
    return CLP_ERROR_MEMORY;
  w->report->triangles += m->mesh.triangle_count;
  w->report->watertight &= m->mesh.watertight;
  return CLP_OK;
}

static clp_status add_primitive(link_work *w, const clp_part_source *part)
{
  clp_body *body = NULL;
  clp_status status = clp_compile_part(w->task->log, w->source, part, &body);
  clp_body_destroy(body);
  if (status == CLP_OK && !add_part(w, part))
    status = CLP_ERROR_MEMORY;
  return status;
}

/* Every part is tried, so that every defect is said. */
static clp_status add_all(link_work *w)
{
  clp_status worst = CLP_OK;
  const clp_link_source *link = w->source;
  int visuals = w->task->wish->visual ? link->visual_count : 0;
  size_t room = (size_t)(link->part_count + visuals);
  w->meshes = clp_arena_take(&w->arena, room, sizeof *w->meshes);
  w->report->meshes = clp_arena_take(w->task->arena, room, sizeof *w->report->meshes);
  if (!w->meshes || !w->report->meshes)
    return CLP_ERROR_MEMORY;
  for (size_t k = 0; k < room; ++k) {
    const clp_part_source *part =
        (int)k < link->part_count ? &link->parts[k] : &link->visuals[(int)k - link->part_count];
    clp_status status = part->mesh.file || !part->complete
                            ? part->mesh.file ? enclose_mesh(w, part, &w->meshes[w->mesh_count++])
                                              : CLP_ERROR_FORMAT
                            : add_primitive(w, part);
    if (status == CLP_ERROR_MEMORY)
      return status;
    worst = worst == CLP_OK ? status : worst;
  }
  w->report->parts = w->made.part_count;
  return worst;
}

/* ---- Written and read again --------------------------------------------------------------- */

static clp_status write_link(link_work *w, bool whole, char **text, size_t *length)
{
  FILE *memory = open_memstream(text, length);
  if (!memory)
    return CLP_ERROR_MEMORY;
  if (whole)
    fputs("<robot><link name=\"tiled\">\n", memory);
  clp_write_parts(&w->made, memory);
  if (whole)
    fputs("</link></robot>\n", memory);
  return fclose(memory) == 0 ? CLP_OK : CLP_ERROR_MEMORY;
}

/* Of the closed shells that are in no other one; the volume of what is filled, unless they overlap.
 */
static double filled_volume(enclosed_mesh *m)
{
  const clp_mesh *mesh = &m->mesh;
  double sum = 0;
  for (int s = 0; s < mesh->shell_count; ++s) {
    size_t first = 0;
    while (mesh->shell[first] != s)
      ++first;
    bool inner = false;
    for (int other = 0; other < mesh->shell_count && !inner; ++other)
      inner = other != s &&
              clp_triangle_tree_in_shell(&m->tree, clp_mesh_corner(mesh, first, 0), other);
    sum += inner ? 0 : fabs(clp_mesh_shell_volume6(mesh, s)) / 6;
  }
  return sum;
}

static bool prove_mesh(link_work *w, const clp_model *model, enclosed_mesh *m, double *volume)
{
  clp_planes planes[CLP_TILE_MAX_PARTS];
  for (int k = 0; k < m->division.part_count; ++k) {
    clp_part part = clp_model_part(model, 0, m->first_part + k);
    *volume += clp_body_describe(part.body).volume;
    if (!clp_planes_of_body(part.body, &w->arena, &planes[k]))
      return false;
  }
  clp_cover cover = clp_prove_cover(&m->tree, &m->division, planes);
  if (!cover.proven)
    clp_log_defect(w->task->log, m->source->mesh.line,
                   "link '%s': the parts of mesh '%s' are not proven to contain it: at %s it is "
                   "%s m inside them, expected more than rounding",
                   clp_show_string(w->source->name).text,
                   clp_show_string(m->source->mesh.file).text, clp_place(cover.place).text,
                   clp_number(cover.worst, 3).text);
  return cover.proven;
}

static void forget(void *user, clp_severity severity, const char *line)
{
  (void)severity;
  char *first = user;
  if (!*first)
    snprintf(first, 256, "%s", line);
}

static clp_status prove(link_work *w)
{
  char *text = NULL, first[256] = "";
  size_t length = 0;
  clp_model *model = NULL;
  clp_status status = write_link(w, true, &text, &length);
  if (status == CLP_OK)
    status = clp_model_parse(text, length, "tiled", (clp_model_sink){forget, first}, &model);
  free(text);
  if (status != CLP_OK) {
    clp_log_defect(w->task->log, w->source->line, "link '%s': what was made is refused: %s",
                   clp_show_string(w->source->name).text, first);
    return status == CLP_ERROR_MEMORY ? status : CLP_ERROR_FORMAT;
  }
  double volume = 0, filled = 0;
  for (int k = 0; k < w->mesh_count; ++k) {
    if (!prove_mesh(w, model, &w->meshes[k], &volume))
      status = w->arena.failed ? CLP_ERROR_MEMORY : CLP_ERROR_FORMAT;
    filled += w->meshes[k].mesh.watertight && w->mesh_count < 64 ? filled_volume(&w->meshes[k])
                                                                 : (double)NAN;
  }
  clp_model_destroy(model);
  w->report->contained = status == CLP_OK;
  w->report->volume_ratio = w->mesh_count == 0 ? 1 : filled > 0 ? volume / filled : (double)NAN;
  return status;
}

/* ---- Visuals ------------------------------------------------------------------------------ */

/* How far the visual meshes reach beyond the parts; not known where one of them cannot be read,
 * which is no defect of what has been made. */
static clp_status measure_visuals(link_work *w)
{
  double most = 0;
  clp_log silent = {.file = w->task->log->file};
  for (int k = 0; k < w->source->visual_count; ++k) {
    const clp_part_source *visual = &w->source->visuals[k];
    clp_arena scratch = {0};
    clp_mesh mesh;
    double outside = 0;
    const char *path = visual->mesh.file ? clp_mesh_path(visual->mesh.file, w->task->paths, &silent,
                                                         visual->mesh.line, &scratch)
                                         : NULL;
    bool known =
        path && clp_mesh_load(path, visual->mesh.scale, silent.sink, &scratch, &mesh) == CLP_OK;
    if (known)
      known = clp_mesh_outside(&mesh, clp_part_pose(visual), &w->made, &scratch, &outside);
    bool failed = scratch.failed;
    clp_arena_release(&scratch);
    if (failed)
      return CLP_ERROR_MEMORY;
    if (!known)
      return CLP_OK;
    most = fmax(most, outside);
  }
  if (w->source->visual_count > 0)
    w->report->visual_outside = most;
  return CLP_OK;
}

static const char *keep_text(link_work *w, clp_status *status)
{
  char *text = NULL;
  size_t length = 0;
  *status = write_link(w, false, &text, &length);
  const char *kept = *status == CLP_OK ? clp_arena_string(w->task->arena, text) : NULL;
  free(text);
  if (!kept)
    *status = CLP_ERROR_MEMORY;
  return kept;
}

const char *clp_enclose_link(const clp_enclose_task *task, const clp_link_source *link,
                             clp_tile_link *report, clp_status *status)
{
  link_work w = {.task = task, .source = link, .report = report};
  w.made = (clp_link_source){.name = link->name, .line = link->line, .has_patches = true};
  *report = (clp_tile_link){
      .watertight = true, .volume_ratio = (double)NAN, .visual_outside = (double)NAN};
  report->name = clp_arena_string(task->arena, link->name);
  *status = link->flawed ? CLP_ERROR_FORMAT : add_all(&w);
  if (*status == CLP_OK)
    *status = prove(&w);
  if (*status == CLP_OK)
    *status = measure_visuals(&w);
  const char *text = *status == CLP_OK ? keep_text(&w, status) : NULL;
  report->failed = text == NULL;
  clp_arena_release(&w.arena);
  return text;
}

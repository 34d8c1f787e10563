/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* open_memstream */

#include "rclc_closest_point/mesh/tile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rclc_closest_point/mesh/enclose.h"
#include "rclc_closest_point/mesh/urdf_text.h"

clp_tile_wish clp_default_tile_wish(void)
{
  return (clp_tile_wish){.max_gap = 0.02, .max_parts = 8, .max_facets = 300};
}

typedef struct tiling {
  const clp_tile_wish *wish;
  clp_log log;
  clp_arena arena; /* what has been read */
  clp_robot_source robot;
  clp_urdf_source urdf;
  const char **patches; /* by link; NULL: nothing is put in */
  bool *failed;         /* by link */
  clp_tiled *tiled;
} tiling;

/* ---- Links -------------------------------------------------------------------------------- */

static bool is_wanted(const tiling *t, const clp_link_source *link)
{
  if (t->wish->link && strcmp(t->wish->link, link->name) != 0)
    return false;
  return !link->has_patches &&
         (link->part_count > 0 || (t->wish->visual && link->visual_count > 0));
}

static clp_package_paths package_paths(const tiling *t)
{
  static const char *const none[] = {NULL};
  return (clp_package_paths){t->urdf.file, t->wish->package_paths ? t->wish->package_paths : none};
}

static clp_status tile_links(tiling *t)
{
  size_t links = (size_t)t->robot.link_count;
  t->patches = clp_arena_take(&t->arena, links, sizeof *t->patches);
  t->failed = clp_arena_take(&t->arena, links, sizeof *t->failed);
  t->tiled->links = clp_arena_take(&t->tiled->arena, links, sizeof *t->tiled->links);
  if (!t->patches || !t->failed || !t->tiled->links)
    return CLP_ERROR_MEMORY;
  clp_enclose_task task = {.wish = t->wish,
                           .log = &t->log,
                           .paths = package_paths(t),
                           .arena = &t->tiled->arena,
                           .links = t->robot.link_count};
  for (int k = 0; k < t->robot.link_count && clp_enclose_is_wanted(&task); task.done = ++k) {
    if (!is_wanted(t, &t->robot.links[k]))
      continue;
    clp_status status;
    clp_tile_link *report = &t->tiled->links[t->tiled->link_count++];
    t->patches[k] = clp_enclose_link(&task, &t->robot.links[k], report, &status);
    if (status == CLP_ERROR_MEMORY)
      return status;
    t->failed[k] = report->failed;
    t->tiled->failures += report->failed;
  }
  return clp_enclose_is_wanted(&task) ? CLP_OK : CLP_ERROR_LIMIT;
}

/* ---- The text ----------------------------------------------------------------------------- */

static void copy(const tiling *t, FILE *out, size_t begin, size_t end)
{
  fwrite(t->urdf.text + begin, 1, end - begin, out);
}

static bool has_two_dashes(const char *text, size_t length)
{
  for (size_t k = 0; k + 1 < length; ++k)
    if (text[k] == '-' && text[k + 1] == '-')
      return true;
  return false;
}

/* The collisions of a link that failed must not be taken for all of it, so they are put into
 * comments. The link stays uncovered; where nothing else says that it is there, a <visual> of it
 * does. */
static void copy_without_collisions(const tiling *t, FILE *out, const clp_urdf_link_text *link,
                                    const clp_link_source *source, size_t begin)
{
  bool needs_visual = (source->matter & (CLP_MATTER_VISUAL | CLP_MATTER_MASS)) == 0;
  for (size_t k = 0; k < link->collision_count; ++k) {
    clp_text_span span = link->collisions[k];
    copy(t, out, begin, span.begin);
    begin = span.end;
    const char *text = t->urdf.text + span.begin;
    if (has_two_dashes(text, span.end - span.begin))
      fputs("<!-- a collision that could not be enclosed -->", out);
    else
      fprintf(out, "<!-- could not be enclosed: %.*s -->", (int)(span.end - span.begin), text);
    if (needs_visual && k == 0)
      fputs("<visual/>", out);
  }
  copy(t, out, begin, link->end_tag.begin);
}

/* Before the end tag, on lines of their own. */
static void put_patches(const tiling *t, FILE *out, size_t begin, size_t end, const char *patches)
{
  size_t line = end;
  while (line > begin && (t->urdf.text[line - 1] == ' ' || t->urdf.text[line - 1] == '\t'))
    --line;
  bool own_line = line > begin && t->urdf.text[line - 1] == '\n';
  copy(t, out, begin, own_line ? line : end);
  if (!own_line)
    fputc('\n', out);
  fputs(patches, out);
  if (own_line)
    copy(t, out, line, end);
}

static void write_model(const tiling *t, FILE *out, const clp_urdf_text *found)
{
  size_t at = 0;
  for (size_t k = 0; k < found->link_count; ++k) {
    const clp_urdf_link_text *link = &found->links[k];
    if (t->failed[k])
      copy_without_collisions(t, out, link, &t->robot.links[k], at);
    else if (t->patches[k])
      put_patches(t, out, at, link->end_tag.begin, t->patches[k]);
    else
      copy(t, out, at, link->end_tag.begin);
    at = link->end_tag.begin;
  }
  copy(t, out, at, t->urdf.length);
}

/* Only what has been tiled. */
static void write_overlay(const tiling *t, FILE *out)
{
  fputs("<?xml version=\"1.0\"?>\n<robot", out);
  if (t->robot.name)
    clp_write_attribute(out, "name", t->robot.name);
  fputs(">\n", out);
  for (int k = 0; k < t->robot.link_count; ++k) {
    if (!t->patches[k])
      continue;
    fputs("  <link", out);
    clp_write_attribute(out, "name", t->robot.links[k].name);
    fprintf(out, ">\n%s  </link>\n", t->patches[k]);
  }
  fputs("</robot>\n", out);
}

static clp_status write_text(tiling *t)
{
  clp_urdf_text found = {0};
  if (!clp_urdf_text_find(t->urdf.text, t->urdf.length, &t->arena, &found))
    return CLP_ERROR_MEMORY;
  if (found.link_count != (size_t)t->robot.link_count) {
    clp_log_defect(&t->log, 1, "the text shows %d links, its tree %d: expected the same",
                   (int)found.link_count, t->robot.link_count);
    return CLP_ERROR_FORMAT;
  }
  FILE *out = open_memstream(&t->tiled->text, &t->tiled->length);
  if (!out)
    return CLP_ERROR_MEMORY;
  if (t->wish->link)
    write_overlay(t, out);
  else
    write_model(t, out, &found);
  return fclose(out) == 0 ? CLP_OK : CLP_ERROR_MEMORY;
}

/* What is written has to load. Its notes have been said, or are about the text that nobody has yet.
 */
typedef struct defects_only {
  clp_model_sink sink;
} defects_only;

static void pass_defect(void *user, clp_severity severity, const char *line)
{
  const defects_only *filter = user;
  if (severity == CLP_DEFECT && filter->sink.message)
    filter->sink.message(filter->sink.user, severity, line);
}

static clp_status read_again(tiling *t)
{
  defects_only filter = {t->log.sink};
  clp_model *model = NULL;
  clp_status status = clp_model_parse(t->tiled->text, t->tiled->length, t->log.file,
                                      (clp_model_sink){pass_defect, &filter}, &model);
  clp_model_destroy(model);
  return status;
}

/* ---- The whole ---------------------------------------------------------------------------- */

static clp_status expect_link(tiling *t)
{
  for (int k = 0; t->wish->link && k < t->robot.link_count; ++k)
    if (strcmp(t->robot.links[k].name, t->wish->link) == 0)
      return CLP_OK;
  if (!t->wish->link)
    return CLP_OK;
  clp_log_defect(&t->log, 1, "there is no link '%s', expected one of the file's",
                 clp_show_string(t->wish->link).text);
  return CLP_ERROR_FORMAT;
}

static clp_status read_robot(tiling *t)
{
  clp_xml_element *root = NULL;
  clp_reader reader = {
      .log = &t->log, .arena = &t->arena, .for_overlay = true, .with_meshes = true};
  clp_status status = clp_xml_parse(t->urdf.text, t->urdf.length, &t->log, &t->arena, &root);
  if (status != CLP_OK)
    return status;
  clp_read_robot(&reader, root, &t->robot);
  if (t->arena.failed)
    return CLP_ERROR_MEMORY;
  return clp_xml_is(root, "robot") ? CLP_OK : CLP_ERROR_FORMAT;
}

static clp_status tile_robot(tiling *t)
{
  clp_status status = read_robot(t);
  if (status == CLP_OK)
    status = expect_link(t);
  if (status == CLP_OK)
    status = tile_links(t);
  if (status == CLP_OK)
    status = write_text(t);
  return status == CLP_OK ? read_again(t) : status;
}

static bool is_fine(const clp_tile_wish *wish)
{
  return wish->max_parts >= 1 && wish->max_parts <= CLP_TILE_MAX_PARTS &&
         wish->max_facets >= CLP_TILE_MIN_FACETS && wish->max_facets <= CLP_TILE_MAX_FACETS &&
         wish->margin >= 0 && wish->round >= 0 && wish->max_gap > 0;
}

clp_status clp_tile_text(clp_urdf_source urdf, clp_tile_wish wish, clp_model_sink sink,
                         clp_tiled *tiled)
{
  if (!urdf.text || !urdf.name || !tiled || !is_fine(&wish))
    return CLP_ERROR_ARGUMENT;
  *tiled = (clp_tiled){0};
  tiling t = {
      .wish = &wish, .log = {.file = urdf.name, .sink = sink}, .urdf = urdf, .tiled = tiled};
  clp_status status = tile_robot(&t);
  clp_arena_release(&t.arena);
  if (status != CLP_OK)
    clp_tiled_release(tiled);
  return clp_finish_file(&t.log, status);
}

clp_status clp_tile(const char *path, clp_tile_wish wish, clp_model_sink sink, clp_tiled *tiled)
{
  if (!path || !tiled)
    return CLP_ERROR_ARGUMENT;
  clp_log log = {.file = path, .sink = sink};
  char *text = NULL;
  size_t length = 0;
  clp_status status = clp_read_file(&log, &text, &length);
  if (status != CLP_OK)
    return clp_finish_file(&log, status);
  status = clp_tile_text((clp_urdf_source){path, path, text, length}, wish, sink, tiled);
  free(text);
  return status;
}

static bool visit_meshes(tiling *t, const clp_part_source *parts, int count,
                         bool (*visit)(void *user, const char *path), void *user)
{
  bool good = true;
  for (int k = 0; good && k < count; ++k) {
    const clp_mesh_source *mesh = &parts[k].mesh;
    if (mesh->line == 0)
      continue;
    const char *path =
        mesh->file ? clp_mesh_path(mesh->file, package_paths(t), &t->log, mesh->line, &t->arena)
                   : NULL;
    good = path && visit(user, path);
  }
  return good;
}

bool clp_tile_each_mesh(const clp_urdf_source *urdf, const clp_tile_wish *wish,
                        bool (*visit)(void *user, const char *path), void *user)
{
  tiling t = {.wish = wish, .log = {.file = urdf->name}, .urdf = *urdf};
  bool good = read_robot(&t) == CLP_OK;
  for (int k = 0; good && k < t.robot.link_count; ++k) {
    const clp_link_source *link = &t.robot.links[k];
    if (is_wanted(&t, link))
      good = visit_meshes(&t, link->parts, link->part_count, visit, user);
    if (good && is_wanted(&t, link) && wish->visual)
      good = visit_meshes(&t, link->visuals, link->visual_count, visit, user);
  }
  clp_arena_release(&t.arena);
  return good;
}

clp_status clp_needs_tiling(const char *text, size_t length, bool *needs)
{
  tiling t = {.log = {.file = ""}, .urdf = {"", NULL, text, length}};
  clp_status status = read_robot(&t);
  *needs = false;
  for (int k = 0; status == CLP_OK && k < t.robot.link_count; ++k)
    for (int j = 0; j < t.robot.links[k].part_count && !t.robot.links[k].has_patches; ++j)
      *needs = *needs || t.robot.links[k].parts[j].mesh.line > 0;
  clp_arena_release(&t.arena);
  return status == CLP_ERROR_MEMORY ? status : CLP_OK;
}

void clp_tiled_release(clp_tiled *tiled)
{
  free(tiled->text);
  clp_arena_release(&tiled->arena);
  *tiled = (clp_tiled){0};
}

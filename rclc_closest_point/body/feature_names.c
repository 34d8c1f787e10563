/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rclc_closest_point/base/tolerance.h"
#include "rclc_closest_point/body/builder.h"
#include "rclc_closest_point/math/vec3.h"

/* Edges are called after their two faces, vertices after all of theirs, in the order of bytes:
 * "A|B", "A|B|C". Where that is not unique, "#1", "#2", ... follow by position. */

typedef struct name_entry {
  const char **name;
  clp_vec3 place;
} name_entry;

static int compare_strings(const void *left, const void *right)
{
  const char *const *a = left, *const *b = right;
  return strcmp(*a, *b);
}

/* ---- Faces -------------------------------------------------------------------------------- */

void clp_expect_unique_names(clp_builder *builder)
{
  if (builder->def->shape == CLP_SHAPE_POLYHEDRON)
    return; /* its faces are called by their numbers */
  bool planar = builder->def->shape == CLP_SHAPE_CURVES;
  size_t count = planar ? builder->edge_count : builder->face_count;
  const char **names = clp_arena_take(&builder->arena, count + 1, sizeof *names);
  if (!names)
    return;
  for (size_t k = 0; k < count; ++k)
    names[k] = planar ? builder->edges[k].edge.name : builder->faces[k].face.name;
  qsort(names, count, sizeof *names, compare_strings);
  for (size_t k = 1; k < count; ++k)
    if (strcmp(names[k - 1], names[k]) == 0) {
      clp_subject subject = {.kind = CLP_FINDING_NAME, .item = -1, .number = -1};
      clp_defect(builder, subject, "the name '%.40s' occurs twice", names[k]);
    }
}

/* ---- Joining ------------------------------------------------------------------------------ */

/* The names, sorted and (for a vertex) each once, joined by '|'. */
static const char *join_names(clp_builder *builder, const char **names, size_t count, bool once)
{
  size_t room = 1, length = 0;
  if (count > 2 || (count == 2 && strcmp(names[0], names[1]) > 0))
    qsort(names, count, sizeof *names, compare_strings);
  for (size_t k = 0; k < count; ++k)
    room += strlen(names[k]) + 1;
  char *text = clp_arena_take(&builder->arena, room, 1);
  if (!text)
    return "";
  for (size_t k = 0; k < count; ++k) {
    if (once && k > 0 && strcmp(names[k], names[k - 1]) == 0)
      continue;
    if (length > 0)
      text[length++] = '|';
    size_t letters = strlen(names[k]);
    memcpy(text + length, names[k], letters);
    length += letters;
  }
  return text;
}

static const char *face_name(const clp_builder *builder, uint32_t use)
{
  return builder->faces[builder->uses[use].face].face.name;
}

static void name_edge(clp_builder *builder, clp_edge *edge)
{
  if (edge->kind == CLP_EDGE_CURVE)
    return; /* a planar body's curves brought their names along */
  uint32_t second = edge->use[1] == CLP_NONE ? edge->use[0] : edge->use[1];
  const char *names[2] = {face_name(builder, edge->use[0]), face_name(builder, second)};
  edge->name = join_names(builder, names, 2, false);
}

/* A planar body's vertex is called after its curves. */
static void name_vertex(clp_builder *builder, clp_vertex *vertex)
{
  bool planar = builder->def->shape == CLP_SHAPE_CURVES;
  size_t count = planar ? vertex->end_count : vertex->corner_count;
  const char **names = clp_arena_take(&builder->arena, count + 1, sizeof *names);
  if (!names)
    return;
  for (size_t k = 0; k < count; ++k)
    names[k] = planar ? builder->edges[builder->ends[vertex->first_end + k].edge].edge.name
                      : builder->faces[builder->corners[vertex->first_corner + k].face].face.name;
  vertex->name = join_names(builder, names, count, true);
}

/* ---- Numbering ---------------------------------------------------------------------------- */

/* The unit of comparing positions, so that rounding does not decide the order. */
static clp_vec3 rounded(clp_vec3 place, double unit)
{
  return (clp_vec3){round(place.x / unit), round(place.y / unit), round(place.z / unit)};
}

static int compare_entries(const void *left, const void *right)
{
  const name_entry *a = left, *b = right;
  int order = strcmp(*a->name, *b->name);
  if (order != 0)
    return order;
  if (a->place.x != b->place.x)
    return a->place.x < b->place.x ? -1 : 1;
  if (a->place.y != b->place.y)
    return a->place.y < b->place.y ? -1 : 1;
  return (a->place.z > b->place.z) - (a->place.z < b->place.z);
}

/* FNV-1a. */
static uint64_t hash_of(const char *name)
{
  uint64_t hash = 0xcbf29ce484222325u;
  for (; *name; ++name)
    hash = (hash ^ (unsigned char)*name) * 0x100000001b3u;
  return hash;
}

/* Names whose slot in a table, much larger than their number, nobody else has are not looked at
 * again: nearly all. Keeps the others, and returns how many they are. */
static size_t keep_suspects(clp_builder *builder, name_entry *entries, size_t count)
{
  enum { MANY = 2 };
  size_t slots = 64, kept = 0;
  while (slots < 16 * count)
    slots *= 2;
  unsigned char *users = clp_arena_take(&builder->arena, slots, 1);
  uint32_t *slot = clp_arena_take(&builder->arena, count + 1, sizeof *slot);
  if (!users || !slot)
    return 0;
  for (size_t k = 0; k < count; ++k) {
    uint64_t hash = hash_of(*entries[k].name);
    slot[k] = (uint32_t)((hash ^ hash >> 32) & (slots - 1));
    users[slot[k]] = users[slot[k]] ? MANY : 1;
  }
  for (size_t k = 0; k < count; ++k)
    if (users[slot[k]] == MANY)
      entries[kept++] = entries[k];
  return kept;
}

static void number_equal_names(clp_builder *builder, name_entry *entries, size_t count)
{
  count = keep_suspects(builder, entries, count);
  qsort(entries, count, sizeof *entries, compare_entries);
  for (size_t first = 0, end; first < count; first = end) {
    end = first + 1;
    while (end < count && strcmp(*entries[end].name, *entries[first].name) == 0)
      ++end;
    const char *name = *entries[first].name;
    for (size_t k = first; end - first > 1 && k < end; ++k) {
      size_t room = strlen(name) + 24;
      char *text = clp_arena_take(&builder->arena, room, 1);
      if (!text)
        return;
      snprintf(text, room, "%s#%d", name, (int)(k - first + 1));
      *entries[k].name = text;
    }
  }
}

void clp_name_features(clp_builder *builder)
{
  size_t room = builder->edge_count + builder->vertex_count + 1;
  name_entry *entries = clp_arena_take(&builder->arena, room, sizeof *entries);
  if (!entries)
    return;
  double unit = fmax(CLP_TOLERANCE_MATCH * builder->size, CLP_NOT_ZERO);
  for (size_t k = 0; k < builder->edge_count; ++k) {
    clp_edge *edge = &builder->edges[k].edge;
    name_edge(builder, edge);
    clp_vec3 middle = clp_curve_point(&edge->curve, clp_edge_fraction(edge, 0.5));
    entries[k] = (name_entry){&edge->name, rounded(middle, unit)};
  }
  number_equal_names(builder, entries, builder->edge_count);
  if (builder->def->shape == CLP_SHAPE_POINT)
    return; /* its vertex is called "point" */
  for (size_t k = 0; k < builder->vertex_count; ++k) {
    clp_vertex *vertex = &builder->vertices[k];
    name_vertex(builder, vertex);
    entries[k] = (name_entry){&vertex->name, rounded(vertex->place, unit)};
  }
  number_equal_names(builder, entries, builder->vertex_count);
}

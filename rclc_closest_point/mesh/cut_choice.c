/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/mesh/cut_choice.h"

#include <stdlib.h>

#include "rclc_closest_point/math/vec3.h"

#define OFFSETS 10        /* planes in each direction, evenly, and one through the deepest place */
#define SAMPLES 300       /* on the surface, evenly by area */
#define SECTION_POINTS 48 /* where the surface crosses a plane */
#define FINALISTS 4

/* A sheet that is thinner (m, or of the mesh's size) would be nearly flat: its hull costs nothing,
 * so cutting it off would always look good. */
#define LEAST_SHEET 0.002
#define LEAST_SHEET_OF_SIZE 0.02

/* ---- Portions ----------------------------------------------------------------------------- */

typedef struct corner_list {
  clp_triangle_tree *tree;
  clp_vec3 *points;
  size_t count, capacity;
  clp_arena *arena;
} corner_list;

static bool add_if_solid(void *user, clp_vec3 corner)
{
  corner_list *list = user;
  if (clp_triangle_tree_where(list->tree, corner) == CLP_OUTSIDE)
    return true;
  clp_vec3 *grown =
      clp_arena_grow(list->arena, list->points, list->count, &list->capacity, sizeof *list->points);
  if (!grown)
    return false;
  list->points = grown;
  grown[list->count++] = corner;
  return true;
}

static bool has_inside(const clp_mesh *mesh)
{
  for (int s = 0; s < mesh->shell_count; ++s)
    if (mesh->closed[s])
      return true;
  return false;
}

bool clp_portion_points(clp_triangle_tree *tree, const clp_portion *portion, clp_arena *arena,
                        clp_vec3 **points, size_t *count)
{
  clp_mesh merged;
  corner_list corners = {.tree = tree, .arena = arena};
  if (!clp_mesh_make(&(clp_triangles){&portion->soup.triangles[0][0], portion->soup.count}, arena,
                     &merged))
    return false;
  if (portion->cell.count > 6 && has_inside(tree->mesh) &&
      !clp_cell_corners(&portion->cell, 1e-9 * tree->mesh->size, add_if_solid, &corners))
    return false;
  *count = merged.vertex_count + corners.count;
  *points = clp_arena_take(arena, *count, sizeof **points);
  for (size_t k = 0; *points && k < *count; ++k)
    (*points)[k] =
        k < merged.vertex_count ? merged.vertices[k] : corners.points[k - merged.vertex_count];
  return *points != NULL;
}

bool clp_portion_cut(const clp_portion *portion, clp_half_space wall, clp_arena *arena,
                     clp_portion *half)
{
  *half = (clp_portion){.soup = {.arena = arena}, .cell = portion->cell};
  half->cell.walls[half->cell.count++] = wall;
  return clp_soup_clip(&portion->soup, clp_cut_direction(wall.direction), wall.offset, wall.sign,
                       &half->soup);
}

/* ---- Samples ------------------------------------------------------------------------------ */

typedef struct ranking {
  clp_triangle_tree *tree;
  const clp_portion *portion;
  clp_arena *arena;  /* until the cut is chosen */
  clp_vec3 *samples; /* on the surface, and corners of the hull */
  double *heights;   /* of the samples, then of the triangles' corners, in one direction */
  size_t sample_count;
  clp_vec3 *beyond;  /* the points of one side of a plane */
  clp_vec3 *section; /* the points on the plane */
  size_t section_count;
  struct {
    double volume;
    int direction;
    double offset;
  } best[FINALISTS];
  int best_count;
} ranking;

static double area_of(const clp_vec3 t[3])
{
  return 0.5 * clp_norm(clp_cross(clp_sub(t[1], t[0]), clp_sub(t[2], t[0])));
}

/* Along the list of triangles each sample stands for the same area; where in its triangle it lies
 * follows a sequence that fills the triangle evenly. */
static void sample_surface(ranking *r)
{
  double all = 0, before = 0;
  const clp_soup *soup = &r->portion->soup;
  for (size_t t = 0; t < soup->count; ++t)
    all += area_of(soup->triangles[t]);
  size_t made = 0;
  for (size_t t = 0; t < soup->count; ++t) {
    const clp_vec3 *c = soup->triangles[t];
    before += area_of(c);
    for (; made < SAMPLES && ((double)made + 0.5) * all <= before * SAMPLES; ++made) {
      double u = fmod(0.754877666 * (double)(made + 1), 1),
             v = fmod(0.569840296 * (double)(made + 1), 1);
      if (u + v > 1) {
        u = 1 - u;
        v = 1 - v;
      }
      clp_vec3 p = clp_add_scaled(c[0], u, clp_sub(c[1], c[0]));
      r->samples[r->sample_count++] = clp_add_scaled(p, v, clp_sub(c[2], c[0]));
    }
  }
}

static bool sample(ranking *r)
{
  clp_vec3 *points;
  size_t count;
  clp_hull hull;
  if (!clp_portion_points(r->tree, r->portion, r->arena, &points, &count))
    return false;
  clp_hull_outcome outcome = clp_hull_make(points, count, r->arena, &hull);
  if (outcome == CLP_HULL_NO_MEMORY)
    return false;
  size_t corners = outcome == CLP_HULL_SOLID ? hull.corner_count : 0, step = 1 + corners / SAMPLES;
  size_t room = SAMPLES + corners + SECTION_POINTS;
  r->samples = clp_arena_take(r->arena, room, sizeof *r->samples);
  r->beyond = clp_arena_take(r->arena, room, sizeof *r->beyond);
  r->section = clp_arena_take(r->arena, 2 * r->portion->soup.count, sizeof *r->section);
  r->heights = clp_arena_take(r->arena, room + 3 * r->portion->soup.count, sizeof *r->heights);
  if (!r->samples || !r->beyond || !r->section || !r->heights)
    return false;
  sample_surface(r);
  for (size_t k = 0; k < corners; k += step)
    r->samples[r->sample_count++] = points[hull.corners[k]];
  return true;
}

/* ---- Fitting planes ---------------------------------------------------------------------- */

static double least_sheet(const clp_triangle_tree *tree)
{
  return fmax(LEAST_SHEET, LEAST_SHEET_OF_SIZE * tree->mesh->size);
}

bool clp_cut_fits(const clp_triangle_tree *tree, const clp_portion *portion,
                  const clp_cut_choice *cut)
{
  clp_vec3 d = clp_cut_direction(cut->direction);
  double lo = HUGE_VAL, hi = -HUGE_VAL, sheet = clp_norm(d) * least_sheet(tree);
  for (size_t t = 0; t < portion->soup.count; ++t)
    for (int c = 0; c < 3; ++c) {
      double height = clp_dot(d, portion->soup.triangles[t][c]);
      lo = fmin(lo, height);
      hi = fmax(hi, height);
    }
  return cut->offset - lo >= sheet && hi - cut->offset >= sheet;
}

/* ---- Ranking ------------------------------------------------------------------------------ */

static void find_section(ranking *r, double offset)
{
  const clp_soup *soup = &r->portion->soup;
  const double *heights = r->heights + r->sample_count;
  r->section_count = 0;
  for (size_t t = 0; t < soup->count; ++t)
    for (int e = 0; e < 3; ++e) {
      double a = heights[3 * t + (size_t)e] - offset,
             b = heights[3 * t + (size_t)(e + 1) % 3] - offset;
      if (a < 0 && b > 0 && r->section_count < 2 * soup->count)
        r->section[r->section_count++] =
            clp_lerp(soup->triangles[t][e], soup->triangles[t][(e + 1) % 3], a / (a - b));
    }
}

static double hull_volume(ranking *r, const clp_vec3 *points, size_t count)
{
  clp_arena scratch = {0};
  clp_hull hull;
  double volume = 0;
  if (count > 3 && clp_hull_make(points, count, &scratch, &hull) == CLP_HULL_SOLID)
    volume = hull.volume;
  r->arena->failed |= scratch.failed;
  clp_arena_release(&scratch);
  return volume;
}

static double sampled_volume(ranking *r, double offset, int sign)
{
  size_t count = 0, step = 1 + r->section_count / SECTION_POINTS;
  for (size_t k = 0; k < r->sample_count; ++k)
    if (sign * (r->heights[k] - offset) <= 0)
      r->beyond[count++] = r->samples[k];
  for (size_t k = 0; k < r->section_count; k += step)
    r->beyond[count++] = r->section[k];
  return hull_volume(r, r->beyond, count);
}

static void rank(ranking *r, int direction, double offset)
{
  find_section(r, offset);
  double volume = sampled_volume(r, offset, 1) + sampled_volume(r, offset, -1);
  int at = r->best_count < FINALISTS ? r->best_count++ : FINALISTS;
  if (at == FINALISTS && volume >= r->best[FINALISTS - 1].volume)
    return;
  at = at == FINALISTS ? FINALISTS - 1 : at;
  for (; at > 0 && r->best[at - 1].volume > volume; --at)
    r->best[at] = r->best[at - 1];
  r->best[at].volume = volume;
  r->best[at].direction = direction;
  r->best[at].offset = offset;
}

static void rank_direction(ranking *r, int direction, clp_vec3 deepest)
{
  clp_vec3 d = clp_cut_direction(direction);
  double lo = HUGE_VAL, hi = -HUGE_VAL, length = clp_norm(d);
  for (size_t k = 0; k < r->sample_count; ++k)
    r->heights[k] = clp_dot(d, r->samples[k]);
  double *heights = r->heights + r->sample_count;
  for (size_t t = 0; t < r->portion->soup.count; ++t)
    for (size_t c = 0; c < 3; ++c) {
      heights[3 * t + c] = clp_dot(d, r->portion->soup.triangles[t][c]);
      lo = fmin(lo, heights[3 * t + c]);
      hi = fmax(hi, heights[3 * t + c]);
    }
  double sheet = length * least_sheet(r->tree);
  for (int k = 0; k <= OFFSETS; ++k) {
    double offset = k < OFFSETS ? lo + (hi - lo) * (k + 1) / (OFFSETS + 1) : clp_dot(d, deepest);
    if (offset - lo >= sheet && hi - offset >= sheet)
      rank(r, direction, offset);
  }
}

/* ---- The choice --------------------------------------------------------------------------- */

/* The volume of the hulls of both sides, of all that they have to hold. */
static double full_volume(ranking *r, int direction, double offset)
{
  double sum = 0;
  for (int sign = -1; sign <= 1; sign += 2) {
    clp_arena scratch = {0};
    clp_portion half;
    clp_vec3 *points;
    size_t count;
    if (clp_portion_cut(r->portion, (clp_half_space){direction, offset, sign}, &scratch, &half) &&
        clp_portion_points(r->tree, &half, &scratch, &points, &count))
      sum += count > 3 ? hull_volume(r, points, count) : 0;
    r->arena->failed |= scratch.failed;
    clp_arena_release(&scratch);
  }
  return sum;
}

bool clp_choose_cut(clp_triangle_tree *tree, const clp_portion *portion, clp_vec3 deepest,
                    clp_cut_choice *choice)
{
  clp_arena arena = {0};
  ranking r = {.tree = tree, .portion = portion, .arena = &arena};
  *choice = (clp_cut_choice){0};
  if (sample(&r)) {
    for (int d = 0; d < CLP_CUT_DIRECTIONS; ++d)
      rank_direction(&r, d, deepest);
    double least = HUGE_VAL;
    for (int k = 0; k < r.best_count; ++k) {
      double volume = full_volume(&r, r.best[k].direction, r.best[k].offset);
      if (volume < least) {
        least = volume;
        *choice = (clp_cut_choice){true, r.best[k].direction, r.best[k].offset};
      }
    }
  }
  bool good = !arena.failed;
  clp_arena_release(&arena);
  return good;
}

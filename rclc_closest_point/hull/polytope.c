/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/hull/polytope.h"

#include <stdlib.h>

#include "rclc_closest_point/base/tolerance.h"
#include "rclc_closest_point/math/vec3.h"

#define NONE (-1)

/* A plane is moved outwards so often before it is left out, by `apart` each time. */
#define MOST_MOVES 12

/* Two faces that meet at a smaller angle (radians) are one: over a face as large as the polytope
 * the second one cuts off this much of the size. */
#define LEAST_ANGLE 1e-4

/* A face's least area, of the square of the box's diagonal. A body's face needs an area of
 * CLP_TOLERANCE_PLANAR of the square of its size, which is not more. */
#define LEAST_AREA (8 * CLP_TOLERANCE_PLANAR)

/* A face's area over its circumference, in shortest edges: of a long one half its width. */
#define LEAST_WIDTH 0.2

static int slot_of(const clp_polytope_vertex *v, int face)
{
  return v->face[0] == face ? 0 : v->face[1] == face ? 1 : v->face[2] == face ? 2 : NONE;
}

static int add_vertex(clp_polytope *p, clp_vec3 place)
{
  clp_polytope_vertex *grown = clp_arena_grow(p->arena, p->vertices, p->vertex_count,
                                              &p->vertex_capacity, sizeof *p->vertices);
  if (!grown)
    return NONE;
  p->vertices = grown;
  grown[p->vertex_count] =
      (clp_polytope_vertex){.place = place, .face = {NONE, NONE, NONE}, .next = {NONE, NONE, NONE}};
  return (int)p->vertex_count++;
}

static int add_face(clp_polytope *p, clp_vec3 normal, double offset)
{
  clp_polytope_face *grown =
      clp_arena_grow(p->arena, p->faces, p->face_count, &p->face_capacity, sizeof *p->faces);
  if (!grown)
    return NONE;
  p->faces = grown;
  grown[p->face_count] = (clp_polytope_face){normal, offset, NONE};
  return (int)p->face_count++;
}

/* Faces x-, x+, y-, y+, z-, z+; bit k of a vertex's number says whether it is at the upper end of
 * axis k, and flipping it goes along the edge of the other two axes' faces. */
bool clp_polytope_begin(clp_polytope *polytope, clp_arena *arena, clp_box3 box, double apart)
{
  *polytope =
      (clp_polytope){.arena = arena, .apart = apart, .size = clp_distance(box.min, box.max)};
  const double ends[3][2] = {
      {box.min.x, box.max.x}, {box.min.y, box.max.y}, {box.min.z, box.max.z}};
  for (int f = 0; f < 6; ++f) {
    double sign = f & 1 ? 1 : -1;
    clp_vec3 normal = {f / 2 == 0 ? sign : 0, f / 2 == 1 ? sign : 0, f / 2 == 2 ? sign : 0};
    if (add_face(polytope, normal, sign * ends[f / 2][f & 1]) == NONE)
      return false;
  }
  for (int v = 0; v < 8; ++v) {
    clp_vec3 place = {ends[0][v & 1], ends[1][v >> 1 & 1], ends[2][v >> 2 & 1]};
    int made = add_vertex(polytope, place);
    if (made == NONE)
      return false;
    for (int axis = 0; axis < 3; ++axis) {
      int face = 2 * axis + (v >> axis & 1);
      polytope->vertices[made].face[axis] = face;
      polytope->vertices[made].next[axis] = v ^ 1 << axis;
      polytope->faces[face].vertex = made;
    }
  }
  return true;
}

/* ---- Where the plane passes --------------------------------------------------------------- */

static double height_of(const clp_polytope *p, int vertex, clp_vec3 normal)
{
  return clp_dot(normal, p->vertices[vertex].place);
}

/* A vertex from which none of the three edges goes up is the highest of a convex polytope. */
static int climb(const clp_polytope *p, clp_vec3 normal)
{
  int at = p->start;
  for (;;) {
    int best = at;
    for (int k = 0; k < 3; ++k) {
      int other = p->vertices[at].next[k];
      if (height_of(p, other, normal) > height_of(p, best, normal))
        best = other;
    }
    if (best == at)
      return at;
    at = best;
  }
}

static bool take(clp_polytope *p, int vertex)
{
  int *grown =
      clp_arena_grow(p->arena, p->region, p->region_count, &p->region_capacity, sizeof *p->region);
  if (!grown)
    return false;
  p->region = grown;
  grown[p->region_count++] = vertex;
  p->vertices[vertex].mark = p->round;
  return true;
}

/* All vertices at least so high: they hang together. */
static bool gather(clp_polytope *p, clp_vec3 normal, double least)
{
  ++p->round;
  p->region_count = 0;
  int top = climb(p, normal);
  if (height_of(p, top, normal) < least)
    return true;
  if (!take(p, top))
    return false;
  for (size_t k = 0; k < p->region_count; ++k)
    for (int e = 0; e < 3; ++e) {
      int other = p->vertices[p->region[k]].next[e];
      if (p->vertices[other].mark != p->round && height_of(p, other, normal) >= least &&
          !take(p, other))
        return false;
    }
  return true;
}

/* The least offset from `from` on that has no vertex within `apart`. */
static double free_offset(const clp_polytope *p, clp_vec3 normal, double from)
{
  double offset = from;
  for (bool moved = true; moved;) {
    moved = false;
    for (size_t k = 0; k < p->region_count; ++k) {
      double height = height_of(p, p->region[k], normal);
      if (fabs(height - offset) < p->apart && height + p->apart > offset) {
        offset = height + p->apart;
        moved = true;
      }
    }
  }
  return offset;
}

/* ---- The cut ------------------------------------------------------------------------------ */

/* The new vertex on the edge from `above` down to its k-th neighbor. */
static bool add_crossing(clp_polytope *p, int above, int k, clp_vec3 normal, double offset,
                         int face)
{
  int below = p->vertices[above].next[k];
  double up = height_of(p, above, normal) - offset, down = offset - height_of(p, below, normal);
  clp_vec3 place = clp_lerp(p->vertices[below].place, p->vertices[above].place, down / (up + down));
  int made = add_vertex(p, place);
  if (made == NONE)
    return false;
  clp_polytope_vertex *v = &p->vertices[made];
  v->face[0] = face;
  v->face[1] = p->vertices[above].face[(k + 1) % 3];
  v->face[2] = p->vertices[above].face[(k + 2) % 3];
  v->next[0] = below;
  v->mark = above; /* for going back */
  return true;
}

/* On each face that the plane crosses there are two new vertices, joined by an edge of the new
 * face. Finds the partner of v's edge in its face s; v's other slot is the edge's. */
static int partner(const clp_polytope *p, size_t v, int s)
{
  int face = p->vertices[v].face[s];
  for (size_t w = p->fresh; w < p->vertex_count; ++w)
    if (w != v && (p->vertices[w].face[1] == face || p->vertices[w].face[2] == face))
      return (int)w;
  return NONE;
}

static bool join_fresh(clp_polytope *p)
{
  for (size_t v = p->fresh; v < p->vertex_count; ++v)
    for (int s = 1; s < 3; ++s) {
      int other = partner(p, v, s);
      if (other == NONE)
        return false;
      p->vertices[v].next[3 - s] = other; /* the edge of face[0] and face[s] */
      if (clp_distance(p->vertices[v].place, p->vertices[other].place) < p->apart)
        return false;
    }
  return p->vertex_count - p->fresh >= 3;
}

/* Whether the face has an area, and is nowhere near as thin as rounding: a plane through corners
 * that are off by e is off by e times the body's size over the face's width. The walk works on a
 * face that is being cut, too, once the links across the cut stand. */
static bool is_large_enough(const clp_polytope *p, int face, int start)
{
  clp_vec3 sum = {0, 0, 0}, from = p->vertices[start].place;
  double round = 0;
  int before = NONE, at = start;
  do {
    const clp_polytope_vertex *v = &p->vertices[at];
    int s = slot_of(v, face), a = v->next[(s + 1) % 3], b = v->next[(s + 2) % 3];
    int after = a == before ? b : a;
    clp_vec3 to = p->vertices[after].place;
    sum = clp_add(sum, clp_cross(clp_sub(v->place, from), clp_sub(to, from)));
    round += clp_distance(v->place, to);
    before = at;
    at = after;
  } while (at != start);
  double area = 0.5 * clp_norm(sum);
  return area >= LEAST_AREA * p->size * p->size && area >= LEAST_WIDTH * p->apart * round;
}

/* Points what is left of the cut edges at the new vertices, or back at what is cut off. */
static void relink(clp_polytope *p, bool forward)
{
  for (size_t v = p->fresh; v < p->vertex_count; ++v) {
    clp_polytope_vertex *below = &p->vertices[p->vertices[v].next[0]];
    for (int k = 0; k < 3; ++k) {
      bool of_edge = slot_of(&p->vertices[v], below->face[(k + 1) % 3]) != NONE &&
                     slot_of(&p->vertices[v], below->face[(k + 2) % 3]) != NONE;
      if (of_edge && forward)
        below->next[k] = (int)v;
      else if (of_edge && below->next[k] == (int)v)
        below->next[k] = p->vertices[v].mark;
    }
  }
}

static bool faces_large_enough(const clp_polytope *p, int face)
{
  if (!is_large_enough(p, face, (int)p->fresh))
    return false;
  for (size_t v = p->fresh; v < p->vertex_count; ++v)
    for (int s = 1; s < 3; ++s)
      if (!is_large_enough(p, p->vertices[v].face[s], (int)v))
        return false;
  return true;
}

static bool angles_large_enough(const clp_polytope *p, clp_vec3 normal)
{
  for (size_t v = p->fresh; v < p->vertex_count; ++v)
    for (int s = 1; s < 3; ++s) {
      clp_vec3 other = p->faces[p->vertices[v].face[s]].normal;
      if (clp_dot(normal, other) > 0 && clp_norm(clp_cross(normal, other)) < LEAST_ANGLE)
        return false;
    }
  return true;
}

/* Takes the cut vertices away, and faces that have lost all of theirs. */
static void finish(clp_polytope *p, int face)
{
  for (size_t k = 0; k < p->region_count; ++k) {
    clp_polytope_vertex *v = &p->vertices[p->region[k]];
    if (v->mark != p->round)
      continue;
    for (int s = 0; s < 3; ++s)
      p->faces[v->face[s]].vertex = NONE;
    v->face[0] = v->face[1] = v->face[2] = NONE;
  }
  for (size_t v = p->fresh; v < p->vertex_count; ++v) {
    for (int s = 0; s < 3; ++s)
      p->faces[p->vertices[v].face[s]].vertex = (int)v;
    p->vertices[v].mark = 0;
  }
  p->faces[face].vertex = (int)p->fresh;
  p->start = (int)p->fresh;
}

/* Whether the plane could be put at this offset; if not, nothing has changed. */
static clp_cut cut_at(clp_polytope *p, clp_vec3 normal, double offset)
{
  p->fresh = p->vertex_count;
  int face = add_face(p, normal, offset);
  if (face == NONE)
    return CLP_CUT_NO_MEMORY;
  ++p->round;
  size_t above = 0;
  for (size_t k = 0; k < p->region_count; ++k)
    if (height_of(p, p->region[k], normal) > offset) {
      p->vertices[p->region[k]].mark = p->round;
      ++above;
    }
  for (size_t k = 0; k < p->region_count; ++k)
    for (int e = 0; e < 3 && p->vertices[p->region[k]].mark == p->round; ++e) {
      if (p->vertices[p->vertices[p->region[k]].next[e]].mark == p->round)
        continue;
      if (!add_crossing(p, p->region[k], e, normal, offset, face))
        return CLP_CUT_NO_MEMORY;
    }
  bool good = above > 0 && join_fresh(p) && angles_large_enough(p, normal);
  if (good) {
    relink(p, true);
    good = faces_large_enough(p, face);
    if (!good)
      relink(p, false);
  }
  if (good) {
    finish(p, face);
    return CLP_CUT_DONE;
  }
  p->vertex_count = p->fresh;
  --p->face_count;
  return CLP_CUT_LEFT_OUT;
}

clp_cut clp_polytope_cut(clp_polytope *polytope, clp_vec3 normal, double offset)
{
  if (!gather(polytope, normal, offset - polytope->apart))
    return CLP_CUT_NO_MEMORY;
  double wanted = offset;
  for (int k = 0; k < MOST_MOVES && polytope->region_count > 0; ++k) {
    wanted = free_offset(polytope, normal, wanted);
    clp_cut outcome = cut_at(polytope, normal, wanted);
    if (outcome != CLP_CUT_LEFT_OUT)
      return outcome;
    wanted += polytope->apart;
  }
  return CLP_CUT_LEFT_OUT;
}

/* ---- Faces -------------------------------------------------------------------------------- */

size_t clp_polytope_walk(const clp_polytope *polytope, int face, int *corners)
{
  size_t count = 0;
  int start = polytope->faces[face].vertex, before = NONE, at = start;
  if (start == NONE)
    return 0;
  do {
    const clp_polytope_vertex *v = &polytope->vertices[at];
    int s = slot_of(v, face), a = v->next[(s + 1) % 3], b = v->next[(s + 2) % 3];
    corners[count++] = at;
    int after = a == before ? b : a;
    before = at;
    at = after;
  } while (at != start);
  clp_vec3 sum = {0, 0, 0}, from = polytope->vertices[start].place;
  for (size_t k = 0; k + 1 < count; ++k)
    sum = clp_add(sum, clp_cross(clp_sub(polytope->vertices[corners[k]].place, from),
                                 clp_sub(polytope->vertices[corners[k + 1]].place, from)));
  if (clp_dot(sum, polytope->faces[face].normal) < 0)
    for (size_t k = 0; k < count / 2; ++k) {
      int other = corners[k];
      corners[k] = corners[count - 1 - k];
      corners[count - 1 - k] = other;
    }
  return count;
}

/* Numbers the vertices that are left, and copies their places. */
static int number_vertices(const clp_polytope *p, int *number, double *places)
{
  int count = 0;
  for (size_t v = 0; v < p->vertex_count; ++v) {
    if (p->vertices[v].face[0] == NONE)
      continue;
    clp_vec3 place = p->vertices[v].place;
    places[3 * count] = place.x;
    places[3 * count + 1] = place.y;
    places[3 * count + 2] = place.z;
    number[v] = count++;
  }
  return count;
}

bool clp_polytope_define(const clp_polytope *polytope, clp_polyhedron_def *def)
{
  size_t most = polytope->vertex_count;
  int *number = clp_arena_take(polytope->arena, most, sizeof *number);
  double *places = clp_arena_take(polytope->arena, 3 * most, sizeof *places);
  int *corners = clp_arena_take(polytope->arena, 4 * most, sizeof *corners);
  int *sizes = clp_arena_take(polytope->arena, polytope->face_count, sizeof *sizes);
  if (!number || !places || !corners || !sizes)
    return false;
  *def = (clp_polyhedron_def){.vertices = places, .faces = corners, .face_sizes = sizes};
  def->vertex_count = number_vertices(polytope, number, places);
  size_t used = 0; /* each vertex is a corner of three faces */
  for (size_t f = 0; f < polytope->face_count; ++f) {
    size_t count = clp_polytope_walk(polytope, (int)f, corners + used);
    for (size_t k = used; k < used + count; ++k)
      corners[k] = number[corners[k]];
    used += count;
    if (count > 0)
      sizes[def->face_count++] = (int)count;
  }
  return true;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/mesh/outside.h"

#include "rclc_closest_point/hull/planes.h"
#include "rclc_closest_point/math/pose.h"

#define CLOSE_ENOUGH 1e-4 /* m */
#define RELATIVE 0.05
#define MOST_PIECES 40000

typedef struct outer_part {
  const clp_part_source *source;
  clp_pose pose;
  clp_planes planes; /* of a polyhedron */
} outer_part;

typedef struct piece {
  clp_vec3 corner[3]; /* in the link */
} piece;

typedef struct looking {
  outer_part *parts;
  int part_count;
  piece *pieces; /* still to be looked at */
  size_t count, capacity;
  clp_arena *arena;
  double found, most;
  int looked;
} looking;

/* ---- One point, one part ------------------------------------------------------------------ */

static double outside_part(const outer_part *part, clp_vec3 p_L)
{
  clp_vec3 p = clp_transform_back(part->pose, p_L);
  const clp_body_def *def = &part->source->def;
  double across = hypot(p.x, p.y), half = 0.5 * def->length;
  clp_vec3 beyond = {fmax(fabs(p.x) - 0.5 * def->size.x, 0), fmax(fabs(p.y) - 0.5 * def->size.y, 0),
                     fmax(fabs(p.z) - 0.5 * def->size.z, 0)};
  switch (def->shape) {
    case CLP_SHAPE_BOX:
      return clp_norm(beyond);
    case CLP_SHAPE_SPHERE:
      return fmax(clp_norm(p) - def->radius, 0);
    case CLP_SHAPE_CYLINDER:
      return hypot(fmax(across - def->radius, 0), fmax(fabs(p.z) - half, 0));
    case CLP_SHAPE_CAPSULE:
      return fmax(hypot(across, fmax(fabs(p.z) - half, 0)) - def->radius, 0);
    default:
      return fmax(clp_planes_beyond(&part->planes, p), 0);
  }
}

/* ---- Pieces ------------------------------------------------------------------------------- */

static bool push(looking *l, piece p)
{
  piece *grown = clp_arena_grow(l->arena, l->pieces, l->count, &l->capacity, sizeof *l->pieces);
  if (!grown)
    return false;
  l->pieces = grown;
  grown[l->count++] = p;
  return true;
}

/* The bound over the piece, and in *near what is so far at its corners, seen from the nearest part
 * each. */
static double bound(looking *l, const piece *p, double *near)
{
  double least = HUGE_VAL, nearest[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL};
  for (int k = 0; k < l->part_count; ++k) {
    double most = 0;
    for (int c = 0; c < 3; ++c) {
      double here = outside_part(&l->parts[k], p->corner[c]);
      most = fmax(most, here);
      nearest[c] = fmin(nearest[c], here);
    }
    least = fmin(least, most);
    if (least <= 0)
      break;
  }
  *near = least <= 0 ? 0 : fmax(nearest[0], fmax(nearest[1], nearest[2]));
  ++l->looked;
  return least;
}

static bool divide(looking *l, const piece *p)
{
  int longest = 0;
  for (int k = 1; k < 3; ++k)
    if (clp_distance(p->corner[k], p->corner[(k + 1) % 3]) >
        clp_distance(p->corner[longest], p->corner[(longest + 1) % 3]))
      longest = k;
  int to = (longest + 1) % 3;
  piece one = *p, other = *p;
  one.corner[to] = other.corner[longest] = clp_lerp(p->corner[longest], p->corner[to], 0.5);
  return push(l, one) && push(l, other);
}

static bool look(looking *l)
{
  while (l->count > 0) {
    piece p = l->pieces[--l->count];
    double near, most = bound(l, &p, &near);
    l->found = fmax(l->found, near);
    if (most > l->found * (1 + RELATIVE) + CLOSE_ENOUGH && l->looked < MOST_PIECES) {
      if (!divide(l, &p))
        return false;
    } else {
      l->most = fmax(l->most, most);
    }
  }
  return true;
}

bool clp_mesh_outside(const clp_mesh *mesh, clp_pose pose, const clp_link_source *link,
                      clp_arena *arena, double *most)
{
  looking l = {.part_count = link->part_count, .arena = arena};
  l.parts = clp_arena_take(arena, (size_t)link->part_count, sizeof *l.parts);
  for (int k = 0; l.parts && k < link->part_count; ++k) {
    l.parts[k] = (outer_part){.source = &link->parts[k], .pose = clp_part_pose(&link->parts[k])};
    if (link->parts[k].def.shape == CLP_SHAPE_POLYHEDRON &&
        !clp_planes_of_polyhedron(&link->parts[k].def.polyhedron, arena, &l.parts[k].planes))
      return false;
    l.parts[k].planes.radius = link->parts[k].def.padding;
  }
  for (size_t t = 0; l.parts && t < mesh->triangle_count; ++t) {
    piece p;
    for (int c = 0; c < 3; ++c)
      p.corner[c] = clp_transform(pose, clp_mesh_corner(mesh, t, c));
    l.looked = t == 0 ? 0 : l.looked;
    if (!push(&l, p) || !look(&l))
      return false;
  }
  *most = l.most;
  return l.parts != NULL;
}

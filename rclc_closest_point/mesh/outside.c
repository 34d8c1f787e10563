/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/mesh/outside.h"

#include "rclc_closest_point/math/pose.h"

#define CLOSE_ENOUGH 1e-4 /* m */
#define RELATIVE 0.05
#define MOST_PIECES 40000
#define MOST_ROUNDS 200

typedef struct outer_part {
  const clp_part_source *source;
  clp_pose pose;
  clp_vec3 *normals; /* of a polyhedron */
  double *offsets;
  double size;
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

static bool find_planes(const clp_polyhedron_def *p, clp_arena *arena, outer_part *part)
{
  part->normals = clp_arena_take(arena, (size_t)p->face_count, sizeof *part->normals);
  part->offsets = clp_arena_take(arena, (size_t)p->face_count, sizeof *part->offsets);
  const int *corner = p->faces;
  for (int f = 0; part->normals && part->offsets && f < p->face_count;
       corner += p->face_sizes[f++]) {
    clp_vec3 sum = {0, 0, 0}, from = {0, 0, 0}, last = {0, 0, 0};
    for (int k = 0; k < p->face_sizes[f]; ++k) {
      const double *v = p->vertices + 3 * (size_t)corner[k];
      clp_vec3 at = {v[0], v[1], v[2]};
      from = k == 0 ? at : from;
      if (k > 1)
        sum = clp_add(sum, clp_cross(clp_sub(last, from), clp_sub(at, from)));
      part->size = fmax(part->size, clp_distance(at, from));
      last = at;
    }
    part->normals[f] = clp_unit(sum);
    part->offsets[f] = clp_dot(part->normals[f], from);
  }
  return part->normals && part->offsets;
}

/* No more than the distance from some point that is inside, which is found by going to the plane
 * that is missed most, again and again, a hair beyond it. */
static double outside_polyhedron(const outer_part *part, clp_vec3 p)
{
  clp_vec3 at = p;
  double hair = 1e-7 * part->size;
  for (int k = 0; k < MOST_ROUNDS; ++k) {
    double beyond = -HUGE_VAL;
    int worst = 0;
    for (int f = 0; f < part->source->def.polyhedron.face_count; ++f) {
      double here = clp_dot(part->normals[f], at) - part->offsets[f];
      if (here > beyond) {
        beyond = here;
        worst = f;
      }
    }
    if (beyond <= 0)
      return clp_distance(at, p);
    at = clp_add_scaled(at, -(beyond + hair), part->normals[worst]);
  }
  return HUGE_VAL;
}

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
      return outside_polyhedron(part, p);
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
        !find_planes(&link->parts[k].def.polyhedron, arena, &l.parts[k]))
      return false;
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

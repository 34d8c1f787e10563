/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/certify/inner_hull.h"

#include "rclc_closest_point/base/rounding.h"
#include "rclc_closest_point/certify/height.h"
#include "rclc_closest_point/math/vec3.h"

/* A polytope whose corners are points of the set grows towards its face that is nearest to the
 * origin, or is passed by it, by the set's farthest point there: what Gilbert's expanding polytopes
 * do, from the inside. What is in the polytope is in the set, however it came about. */

enum { CORNERS = 64, FACES = 2 * CORNERS };

/* A ball as large as this part of the largest that the set can have is large enough. */
#define ENOUGH 0.7

/* A face is not moved out by less (of the size). */
#define NO_FARTHER 1e-12

typedef struct face {
  int corner[3];
  clp_vec3 n;      /* unit, outward */
  double distance; /* of its plane from the origin, negative where that is outside */
} face;

typedef struct polytope {
  const clp_inner_hull *set;
  clp_vec3 p[CORNERS];
  face faces[FACES];
  int corners, count;
} polytope;

typedef struct side {
  int from, to;
} side;

static clp_vec3 farthest(const clp_inner_hull *set, clp_vec3 n)
{
  return clp_sub(clp_highest(set->a, set->X_RA, n), clp_highest(set->b, set->X_RB, clp_negate(n)));
}

/* Less area (of the size squared) leaves no normal worth the name. */
#define AREA_LEAST 1e-10

/* False: it has no area. A normal is off by what rounding does to the sides' product, as a part of
 * the area, and the distance by as much of how far the corners are from the origin. */
static bool add_face(polytope *s, int a, int b, int c)
{
  clp_vec3 n = clp_cross(clp_sub(s->p[b], s->p[a]), clp_sub(s->p[c], s->p[a]));
  double area = clp_norm(n), size = s->set->size;
  if (!(area > AREA_LEAST * size * size) || s->count == FACES)
    return false;
  n = clp_scale(1 / area, n);
  double off = CLP_ROUNDING * (1 + size * size / area) * clp_norm(s->p[a]);
  s->faces[s->count++] = (face){{a, b, c}, n, clp_dot(n, s->p[a]) - off};
  return true;
}

/* Corners of a tetrahedron, farthest in the directions of a regular one's. */
static bool begin(polytope *s)
{
  static const clp_vec3 directions[4] = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
  for (int k = 0; k < 4; ++k)
    s->p[s->corners++] = farthest(s->set, clp_unit(directions[k]));
  const clp_vec3 *p = s->p;
  double volume = clp_dot(clp_sub(p[3], p[0]), clp_cross(clp_sub(p[1], p[0]), clp_sub(p[2], p[0])));
  bool left = volume > 0;
  return add_face(s, 0, left ? 2 : 1, left ? 1 : 2) && add_face(s, 0, left ? 1 : 3, left ? 3 : 1) &&
         add_face(s, 1, left ? 2 : 3, left ? 3 : 2) && add_face(s, 2, left ? 0 : 3, left ? 3 : 0);
}

static int nearest_face(const polytope *s)
{
  int nearest = 0;
  for (int k = 1; k < s->count; ++k)
    if (s->faces[k].distance < s->faces[nearest].distance)
      nearest = k;
  return nearest;
}

/* A side that two of the faces taken away share is none of the hole's. */
static void toggle(side *rim, int *count, int from, int to)
{
  for (int k = 0; k < *count; ++k)
    if (rim[k].from == to && rim[k].to == from) {
      rim[k] = rim[--*count];
      return;
    }
  rim[(*count)++] = (side){from, to};
}

/* Takes away the faces that the new corner is beyond, and closes the hole with others that meet in
 * it. */
static bool add_corner(polytope *s, clp_vec3 p)
{
  side rim[3 * FACES];
  int sides = 0, kept = 0;
  if (s->corners == CORNERS)
    return false;
  for (int k = 0; k < s->count; ++k) {
    const face f = s->faces[k];
    if (clp_dot(f.n, p) <= f.distance) {
      s->faces[kept++] = f;
      continue;
    }
    for (int i = 0; i < 3; ++i)
      toggle(rim, &sides, f.corner[i], f.corner[(i + 1) % 3]);
  }
  s->count = kept;
  s->p[s->corners++] = p;
  for (int k = 0; k < sides; ++k)
    if (!add_face(s, rim[k].from, rim[k].to, s->corners - 1))
      return false;
  return true;
}

double clp_inner_hull_depth(const clp_inner_hull *set)
{
  polytope s = {.set = set, .corners = 0, .count = 0};
  double depth = 0;
  if (!begin(&s))
    return 0;
  for (;;) {
    const face f = s.faces[nearest_face(&s)];
    depth = fmax(depth, f.distance);
    clp_vec3 p = farthest(set, f.n);
    double height = clp_dot(f.n, p);
    if (height <= 0 || f.distance >= ENOUGH * height ||
        height - f.distance <= NO_FARTHER * set->size || !add_corner(&s, p))
      return depth;
  }
}

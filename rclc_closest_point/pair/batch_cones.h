/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_PAIR_BATCH_CONES_H
#define RCLC_CLOSEST_POINT_PAIR_BATCH_CONES_H

/* How far directions are from the cones of normals at edges and vertices, of four pairs at once:
 * clp_cone_margin_usual (normal_cone.h), whatever it does not tell being unsafe. */

#include "rclc_closest_point/pair/batch_features.h"
#include "rclc_closest_point/witness/normal_cone.h"

typedef struct margin {
  clp_four off, depth;
} margin;

AT(clp_wedge, normal[1], offsetof(clp_wedge, normal) + 24);
AT(clp_wedge, across, offsetof(clp_wedge, normal) + 48);
AT(clp_wedge, inwards[0], offsetof(clp_wedge, normal) + 72);
AT(clp_wedge, inwards[1], offsetof(clp_wedge, normal) + 96);

typedef struct wedges {
  clp_quad normal[2], across, inwards[2];
} wedges;

INLINE void gather_wedges(const void *const from[4], wedges *w)
{
  clp_quad *a = &w->normal[0], *b = &w->normal[1], *c = &w->across;
  clp_quad *x = &w->inwards[0], *y = &w->inwards[1];
  const size_t at = offsetof(clp_wedge, normal);
  clp_four_gather(from, at, &a->x, &a->y, &a->z, &b->x);
  clp_four_gather(from, at + 32, &b->y, &b->z, &c->x, &c->y);
  clp_four_gather(from, at + 64, &c->z, &x->x, &x->y, &x->z);
  clp_four_gather(from, at + 88, &x->z, &y->x, &y->y, &y->z);
}

/* clp_into_wedge */
INLINE clp_quad into_wedges(const party *s, clp_quad n)
{
  clp_four c = s->site.x, d = s->site.y;
  return (clp_quad){clp_four_select(s->rim, c * n.x + d * n.y, n.x),
                    clp_four_select(s->rim, c * n.y - d * n.x, n.y), n.z};
}

/* n is in the body's frame. Of a segment, whose direction is a unit vector, all that is square to
 * it is normal. */
INLINE margin margin_at_edge(const party *s, clp_quad n, clp_four_mask *safe)
{
  wedges w;
  gather_wedges(s->wedge, &w);
  clp_quad seen = into_wedges(s, n);
  clp_quad from_a = clp_quad_sub(seen, w.normal[0]), from_b = clp_quad_sub(seen, w.normal[1]);
  clp_four depth =
      clp_four_smaller(clp_quad_dot(from_b, w.inwards[1]), clp_quad_dot(from_a, w.inwards[0]));
  clp_four off = clp_four_abs(clp_quad_dot(from_a, w.across));
  depth = clp_four_select(s->segment, clp_four_of(1), depth);
  off = clp_four_select(s->segment, clp_four_abs(clp_quad_dot(n, s->du)), off);
  *safe &= clp_four_at_most(clp_four_of(0), depth);
  return (margin){off, depth};
}

/* One by one, for each has edges of its own number. */
INLINE double depth_at_vertex(const party *s, int lane, clp_quad n)
{
  clp_vec3 own = {n.x[lane], n.y[lane], n.z[lane]};
  return clp_depth_at_flat_vertex(s->body[lane], s->vertex[lane], own);
}

INLINE margin margin_at_vertex(const party *s, clp_quad n, clp_four_mask *safe)
{
  margin m = {clp_four_of(0),
              {depth_at_vertex(s, 0, n), depth_at_vertex(s, 1, n), depth_at_vertex(s, 2, n),
               depth_at_vertex(s, 3, n)}};
  *safe &= clp_four_less(clp_four_of(CLP_IN_FLAT_VERTEX), m.depth);
  return m;
}

/* Everything is normal to a point. */
INLINE bool are_points(const party *s)
{
  return s->vertex[0]->end_count + s->vertex[1]->end_count + s->vertex[2]->end_count +
             s->vertex[3]->end_count ==
         0;
}

/* n is outward of the body, in the world. */
INLINE margin margin_of(form k, const party *s, clp_quad n, clp_four_mask *safe)
{
  if (k == CLP_BATCH_SPLINE)
    return (margin){s->off, clp_four_of(1)};
  if (is_face(k) || (k == CLP_BATCH_VERTEX && are_points(s)))
    return (margin){clp_four_of(0), clp_four_of(1)};
  clp_quad own = clp_quad_rotate_back(&s->R, n);
  return k == CLP_BATCH_EDGE ? margin_at_edge(s, own, safe) : margin_at_vertex(s, own, safe);
}

#endif

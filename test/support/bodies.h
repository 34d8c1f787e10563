/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TEST_SUPPORT_BODIES_H
#define TEST_SUPPORT_BODIES_H

#include "rclc_closest_point/control/sampling.h"
#include "rclc_closest_point/math/pose.h"
#include "support/random.h"
#include "support/tiled.h"

/* Convex bodies of every kind, random poses and twists, random places on features. */

enum { BODIES = 9 };

static inline clp_body *bodies_make(int k)
{
  static const char *const nets[] = {"cylinder", "lemon", "sphere6", "capped_frustum", "topbox"};
  if (k < 5) {
    tiled t;
    tiled_load(&t, nets[k]);
    return must_create(&t.def);
  }
  clp_body_def def = clp_default_body_def((const clp_shape[]){
      CLP_SHAPE_BOX, CLP_SHAPE_ELLIPSOID, CLP_SHAPE_CYLINDER, CLP_SHAPE_CAPSULE}[k - 5]);
  def.size = k == 6 ? (clp_vec3){1.1, 0.4, 0.7} : (clp_vec3){1.2, 0.8, 0.6};
  def.radius = 0.4;
  def.length = 1.1;
  return must_create(&def);
}

static inline void bodies_make_all(clp_body *bodies[BODIES])
{
  for (int k = 0; k < BODIES; ++k)
    bodies[k] = bodies_make(k);
}

static inline void bodies_destroy_all(clp_body *bodies[BODIES])
{
  for (int k = 0; k < BODIES; ++k)
    clp_body_destroy(bodies[k]);
}

static inline clp_body *bodies_ellipsoid(clp_vec3 radii)
{
  clp_body_def def = clp_default_body_def(CLP_SHAPE_ELLIPSOID);
  def.size = radii;
  return must_create(&def);
}

static inline clp_body *bodies_point(void)
{
  clp_body_def def = clp_default_body_def(CLP_SHAPE_POINT);
  return must_create(&def);
}

static inline clp_pose random_pose(random_state *g, clp_vec3 position)
{
  double roll = random_between(g, -3, 3), pitch = random_between(g, -1.5, 1.5);
  return (clp_pose){clp_rotation_from_rpy(roll, pitch, random_between(g, -3, 3)), position};
}

static inline clp_twist random_twist(random_state *g, double speed)
{
  return (clp_twist){clp_scale(random_between(g, 0.1, 1) * speed, random_direction(g)),
                     clp_scale(random_between(g, 0, 1) * speed, random_direction(g))};
}

/* Somewhere within a feature of the given kind (or the nearest kind that the body has), at least
 * `margin` of its extent from the ends. Smooth and collapsed edges are no features. */
static inline clp_spot random_spot(random_state *g, const clp_body *body, clp_feature_kind kind,
                                   double margin)
{
  double x = random_between(g, margin, 1 - margin), y = random_between(g, margin, 1 - margin);
  for (int tries = 0; kind == CLP_EDGE && tries < 200 && body->edge_count > 0; ++tries) {
    uint32_t id = (uint32_t)(random_bits(g) % body->edge_count);
    if (body->edges[id].kind == CLP_EDGE_SHARP || body->edges[id].kind == CLP_EDGE_CURVE)
      return clp_spot_sample(body, CLP_EDGE, id, x, y);
  }
  if (kind != CLP_VERTEX && body->face_count > 0)
    return clp_spot_sample(body, CLP_FACE, (uint32_t)(random_bits(g) % body->face_count), x, y);
  if (body->vertex_count > 0)
    return clp_spot_on_vertex((uint32_t)(random_bits(g) % body->vertex_count));
  return clp_spot_sample(body, CLP_FACE, 0, x, y);
}

#endif

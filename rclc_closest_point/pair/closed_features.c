/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/math/vec3.h"
#include "rclc_closest_point/pair/cylinder.h"

/* ---- A box's ------------------------------------------------------------------------------ */

static clp_spot spot_on_face(const clp_body *box, int axis, bool high, clp_vec3 q)
{
  uint32_t face = 2 * (uint32_t)axis + high; /* as tile_box makes them */
  const clp_plane *plane = &box->faces[face].surface.as.plane;
  clp_vec3 d = clp_sub(q, plane->origin);
  return clp_spot_on_face(face, (clp_site){{clp_dot(d, plane->a), clp_dot(d, plane->b), 0}});
}

/* On whichever edge passes through q. */
static clp_spot spot_on_edge(const clp_body *box, clp_vec3 q)
{
  uint32_t best = 0;
  double least = HUGE_VAL, at = 0;
  for (uint32_t k = 0; k < box->edge_count; ++k) {
    const clp_edge *edge = &box->edges[k];
    clp_vec3 from = box->vertices[edge->vertex[0]].place, to = box->vertices[edge->vertex[1]].place;
    clp_vec3 along = clp_sub(to, from);
    double t = clp_dot(clp_sub(q, from), along) / clp_norm2(along);
    double off = clp_distance(clp_add_scaled(from, t, along), q);
    if (off < least) {
      least = off;
      best = k;
      at = clp_led_back(t - 0.5, 0.5) + 0.5;
    }
  }
  return clp_spot_on_edge(best, clp_edge_fraction(&box->edges[best], at));
}

static clp_spot spot_on_vertex(const clp_body *box, clp_vec3 q)
{
  uint32_t best = 0;
  for (uint32_t k = 1; k < box->vertex_count; ++k)
    if (clp_distance(box->vertices[k].place, q) < clp_distance(box->vertices[best].place, q))
      best = k;
  return clp_spot_on_vertex(best);
}

clp_spot clp_box_spot(const clp_body *box, clp_vec3 q, clp_vec3 e)
{
  const double way[3] = {e.x, e.y, e.z};
  int beyond = (e.x != 0) + (e.y != 0) + (e.z != 0), axis = e.x != 0 ? 0 : e.y != 0 ? 1 : 2;
  return beyond == 1   ? spot_on_face(box, axis, way[axis] > 0, q)
         : beyond == 2 ? spot_on_edge(box, q)
                       : spot_on_vertex(box, q);
}

/* ---- A capsule's --------------------------------------------------------------------------- */

clp_spot clp_swept_spot(const clp_body *body, const clp_pose *X, double at, clp_vec3 n)
{
  if (body->info.point)
    return clp_spot_on_vertex(0);
  const double half = body->sweep.half;
  clp_vec3 q = clp_rotate_back(X->rotation, n);
  uint32_t face = clp_swept_face(half, at);
  if (half == 0 || face != CLP_SWEPT_SIDE)
    return clp_spot_on_face(face, (clp_site){{q.x, q.y, q.z}});
  double r = hypot(q.x, q.y);
  return clp_spot_on_face(face, (clp_site){{q.x / r, q.y / r, 0.5 + 0.5 * at / half}});
}

/* ---- A cylinder's and a cone's --------------------------------------------------------------- */

/* Of the side: the faces that are not flat. */
static clp_spot spot_on_side(const clp_body *body, clp_vec3 q)
{
  uint32_t face = 0;
  while (body->faces[face].flat)
    ++face;
  const clp_cone *cone = &body->faces[face].surface.as.cone;
  double r = hypot(q.x, q.y);
  return clp_spot_on_face(face, (clp_site){{q.x / r, q.y / r, (q.z - cone->z0) / cone->dz}});
}

static bool looks_up(const clp_face *face)
{
  return face->flat && face->normal.z > 0;
}

static bool looks_down(const clp_face *face)
{
  return face->flat && face->normal.z < 0;
}

/* CLP_NONE where there is no such lid: it ends in a tip. */
static uint32_t lid_of(const clp_body *body, bool high)
{
  for (uint32_t face = 0; face < body->face_count; ++face)
    if (high ? looks_up(&body->faces[face]) : looks_down(&body->faces[face]))
      return face;
  return CLP_NONE;
}

static clp_spot spot_on_lid(const clp_body *body, uint32_t face, clp_vec3 q)
{
  const clp_plane *plane = &body->faces[face].surface.as.plane;
  clp_vec3 d = clp_sub(q, plane->origin);
  return clp_spot_on_face(face, (clp_site){{clp_dot(d, plane->a), clp_dot(d, plane->b), 0}});
}

/* One rim, or two at different heights. */
static clp_spot spot_on_rim(const clp_body *body, bool high, clp_vec3 q)
{
  uint32_t edge = 0;
  if (body->edge_count > 1) {
    double first = body->edges[0].curve.as.ellipse.center.z;
    double second = body->edges[1].curve.as.ellipse.center.z;
    edge = (first > second) == high ? 0 : 1;
  }
  const clp_ellipse *rim = &body->edges[edge].curve.as.ellipse;
  double x = clp_dot(q, rim->a), y = clp_dot(q, rim->b), r = hypot(x, y);
  return clp_spot_on_edge(edge, (clp_curve_site){{x / r, y / r}});
}

clp_spot clp_can_spot(const clp_body *body, int part, clp_vec3 q)
{
  const bool high = part & CLP_CAN_ABOVE;
  if (part == CLP_CAN_BESIDE)
    return spot_on_side(body, q);
  uint32_t lid = lid_of(body, high);
  if (lid == CLP_NONE)
    return clp_spot_on_vertex(0);
  return part & CLP_CAN_BESIDE ? spot_on_rim(body, high, q) : spot_on_lid(body, lid, q);
}

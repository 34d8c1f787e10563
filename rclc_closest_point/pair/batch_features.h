/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_PAIR_BATCH_FEATURES_H
#define RCLC_CLOSEST_POINT_PAIR_BATCH_FEATURES_H

/* One body of each of four pairs (batch_kernel.h): gathered, and the formulas of its feature, which
 * are those of surface/. */

#include <assert.h>
#include <stddef.h>

#include "rclc_closest_point/math/quad.h"
#include "rclc_closest_point/pair/batch_run.h"
#include "rclc_closest_point/pair/batch_splines.h"

#define INLINE CLP_QUAD_INLINE

typedef clp_batch_form form;

INLINE bool is_face(form k)
{
  return k != CLP_BATCH_EDGE && k != CLP_BATCH_VERTEX;
}

/* ---- Gathering ---------------------------------------------------------------------------- */

/* One of the two bodies of each pair. */
typedef struct party {
  clp_quad_mat3 R;
  clp_quad position;
  clp_quad linear, angular;
  clp_four kind_and_id; /* of the spot: bits, not a number */
  clp_quad site, rate;
  clp_four lo[2], hi[2];
  clp_four_mask unbounded;
  clp_quad center, radii;     /* of ellipsoids */
  clp_four r0, z0, dr, dz;    /* of cones */
  clp_quad origin, du, dv;    /* of planes, and of rims, whose axes these are; of a line du is its
                                 direction, dv zero; a vertex is at the origin */
  clp_four_mask rim, segment; /* edges that are, and those without faces */
  clp_quad arm;               /* of a rim from its center to p, of a line zero: what bends it */
  const clp_vertex *vertex[4];
  const clp_body *body[4];
  const void *wedge[4]; /* of edges */
  splines spline;
  clp_four off;            /* rounding of a spline's normal */
  clp_four sign, radius;   /* the surface's party, the body's radius */
  clp_quad axis_u, axis_v; /* the unit sphere's tangents at an ellipsoid's site */
  clp_quad direction;      /* for the normal: need not wait until the site is made unit */
  clp_quad p, u, v;        /* first in the body's frame, then in the world's axes */
  clp_quad f, normal;      /* the corrected witness, likewise */
} party;

/* One number of each. Not lane by lane: what is stored in pieces is slow to load as a whole. */
#define EACH(from, member) \
  ((clp_four){(from)[0]->member, (from)[1]->member, (from)[2]->member, (from)[3]->member})

/* Gathers, and the rows that are scattered, take four numbers in a row across members: these are
 * where they expect them. Where fewer than four are left a gather begins earlier and takes some
 * again, so it ends within the structure. */
#define AT(type, member, bytes) \
  static_assert(offsetof(type, member) == (bytes), "gathers and rows expect it there")

static_assert(sizeof(clp_vec3) == 24, "three numbers and nothing between vectors");
AT(clp_pose, rotation.x, 0);
AT(clp_pose, rotation.y, 24);
AT(clp_pose, rotation.z, 48);
AT(clp_pose, position, 72);
AT(clp_twist, linear, 0);
AT(clp_twist, angular, 24);
AT(clp_ellipsoid, center, 0);
AT(clp_ellipsoid, radii, 24);
AT(clp_plane, origin, 0);
AT(clp_plane, a, 24);
AT(clp_plane, b, 48);
AT(clp_cone, r0, 0);
AT(clp_cone, z0, 8);
AT(clp_cone, dr, 16);
AT(clp_cone, dz, 24);
AT(clp_line, origin, offsetof(clp_plane, origin));
AT(clp_line, direction, offsetof(clp_plane, a));
AT(clp_ellipse, center, offsetof(clp_plane, origin));
AT(clp_ellipse, a, offsetof(clp_plane, a));
AT(clp_ellipse, b, offsetof(clp_plane, b));
AT(clp_domain, hi, offsetof(clp_domain, lo) + 16);
static_assert(offsetof(clp_vertex, place) + 32 <= sizeof(clp_vertex), "a fourth number is read");
AT(clp_spot, kind, 0);
AT(clp_spot, id, 4);
AT(clp_spot, site, 8);
static_assert(sizeof(clp_spot) == 32, "a spot is a row");
AT(clp_twin, x, 0);
AT(clp_twin, y, 16);
AT(clp_twin, z, 32);

INLINE void gather_pose(const void *const X[4], party *s)
{
  clp_quad_mat3 *R = &s->R;
  clp_four_gather(X, 0, &R->x.x, &R->x.y, &R->x.z, &R->y.x);
  clp_four_gather(X, 32, &R->y.y, &R->y.z, &R->z.x, &R->z.y);
  clp_four_gather(X, 64, &R->z.z, &s->position.x, &s->position.y, &s->position.z);
}

INLINE void gather_twist(const void *const V[4], party *s)
{
  clp_quad *v = &s->linear, *w = &s->angular;
  clp_four_gather(V, 0, &v->x, &v->y, &v->z, &w->x);
  clp_four_gather(V, 16, &v->z, &w->x, &w->y, &w->z);
}

INLINE void gather_ellipsoid(const void *const face[4], party *s)
{
  clp_quad *c = &s->center, *r = &s->radii;
  size_t at = offsetof(clp_face, surface.as.ellipsoid);
  clp_four_gather(face, at, &c->x, &c->y, &c->z, &r->x);
  clp_four_gather(face, at + 16, &c->z, &r->x, &r->y, &r->z);
}

/* Nine numbers in a row. */
INLINE void gather_frame(const void *const from[4], size_t at, party *s)
{
  clp_quad *o = &s->origin, *u = &s->du, *v = &s->dv;
  clp_four_gather(from, at, &o->x, &o->y, &o->z, &u->x);
  clp_four_gather(from, at + 32, &u->y, &u->z, &v->x, &v->y);
  clp_four_gather(from, at + 40, &u->z, &v->x, &v->y, &v->z);
}

INLINE void gather_spline(const clp_face *const face[4], const clp_spot *const spot[4], party *s)
{
  const clp_nurbs *nurbs[4];
  for (int n = 0; n < 4; ++n)
    nurbs[n] = &face[n]->surface.as.nurbs;
  gather_splines(nurbs, spot, &s->spline);
}

INLINE void gather_face(form k, const clp_spot *const spot[4], party *s)
{
  const void *from[4];
  const clp_face *face[4];
  for (int n = 0; n < 4; ++n)
    from[n] = face[n] = &s->body[n]->faces[spot[n]->id];
  clp_four whole = EACH(face, domain.kind == CLP_DOMAIN_WHOLE);
  s->unbounded = clp_four_is(whole);
  s->sign = EACH(face, surface.outward);
  clp_four_gather(from, offsetof(clp_face, domain.lo), &s->lo[0], &s->lo[1], &s->hi[0], &s->hi[1]);
  if (k == CLP_BATCH_ELLIPSOID)
    gather_ellipsoid(from, s);
  else if (k == CLP_BATCH_CONE)
    clp_four_gather(from, offsetof(clp_face, surface.as.cone), &s->r0, &s->z0, &s->dr, &s->dz);
  else if (k == CLP_BATCH_SPLINE)
    gather_spline(face, spot, s);
  else
    gather_frame(from, offsetof(clp_face, surface.as.plane), s);
}

/* A line has one axis. What stands where an ellipse has its second one is no number of the line's.
 */
INLINE void gather_edge(const clp_spot *const spot[4], party *s)
{
  const clp_edge *edge[4];
  const void *from[4];
  const clp_four zero = clp_four_of(0);
  for (int n = 0; n < 4; ++n) {
    from[n] = edge[n] = &s->body[n]->edges[spot[n]->id];
    s->wedge[n] = &edge[n]->wedge;
  }
  clp_four rim = EACH(edge, wedge.turned), segment = EACH(edge, use[0] == CLP_NONE);
  s->rim = clp_four_is(rim);
  s->segment = clp_four_is(segment);
  s->lo[0] = EACH(edge, curve.lo);
  s->hi[0] = EACH(edge, curve.hi);
  gather_frame(from, offsetof(clp_edge, curve.as), s);
  s->dv = (clp_quad){clp_four_select(s->rim, s->dv.x, zero), clp_four_select(s->rim, s->dv.y, zero),
                     clp_four_select(s->rim, s->dv.z, zero)};
}

INLINE void gather_vertex(const clp_spot *const spot[4], party *s)
{
  const void *from[4];
  clp_four unused;
  for (int n = 0; n < 4; ++n)
    from[n] = s->vertex[n] = &s->body[n]->vertices[spot[n]->id];
  clp_four_gather(from, offsetof(clp_vertex, place), &s->origin.x, &s->origin.y, &s->origin.z,
                  &unused);
}

INLINE void gather_feature(form k, const clp_body *const body[4], const clp_spot *const spot[4],
                           party *s)
{
  memcpy(s->body, body, sizeof s->body);
  s->radius = EACH(body, radius);
  if (is_face(k))
    gather_face(k, spot, s);
  else if (k == CLP_BATCH_EDGE)
    gather_edge(spot, s);
  else
    gather_vertex(spot, s);
}

INLINE void gather_spot(const clp_spot *const spot[4], party *s)
{
  const void *const from[4] = {spot[0], spot[1], spot[2], spot[3]};
  clp_four_gather(from, 0, &s->kind_and_id, &s->site.x, &s->site.y, &s->site.z);
}

/* A's and B's rates stand side by side in a clp_twin. */
INLINE void gather_rates(const void *const twin[4], clp_quad *a, clp_quad *b)
{
  clp_four_gather(twin, 0, &a->x, &b->x, &a->y, &b->y);
  clp_four_gather(twin, 16, &a->y, &b->y, &a->z, &b->z);
}

/* ---- One feature: the formulas of surface/ ------------------------------------------------ */

/* 1 / sqrt(a) next to 1, without the wait for a root and a division: a prediction is corrected
 * anyway, and the correction ends on the chart exactly. */
INLINE clp_four nearly_over_root(clp_four a)
{
  return 1.5 - 0.5 * a;
}

INLINE void predict(form k, const clp_four *step, party *s)
{
  if (k == CLP_BATCH_VERTEX)
    return;
  s->site = clp_quad_add_scaled(s->site, *step, s->rate);
  if (k == CLP_BATCH_ELLIPSOID)
    s->site = clp_quad_scale(nearly_over_root(clp_quad_dot(s->site, s->site)), s->site);
  if (k == CLP_BATCH_CONE || k == CLP_BATCH_EDGE) {
    clp_four over = nearly_over_root(s->site.x * s->site.x + s->site.y * s->site.y);
    if (k == CLP_BATCH_EDGE)
      over = clp_four_select(s->rim, over, clp_four_of(1));
    s->site.x *= over;
    s->site.y *= over;
  }
}

/* The branch-free orthonormal basis of surface/ellipsoid.h. */
INLINE void find_axes(party *s)
{
  clp_quad q = s->site;
  const clp_four one = clp_four_of(1), zero = clp_four_of(0);
  clp_four sign = clp_four_select((clp_four_mask)q.z < (clp_four_mask)zero, -one, one);
  clp_four a = -1 / (sign + q.z), px = sign * q.x;
  s->axis_u = (clp_quad){one + q.x * (px * a), q.y * (px * a), -px};
  s->axis_v = (clp_quad){q.x * (q.y * a), sign + q.y * (q.y * a), -q.y};
}

INLINE clp_quad point_on(form k, const party *s)
{
  clp_quad q = s->site;
  if (k == CLP_BATCH_ELLIPSOID)
    return clp_quad_add(s->center, clp_quad_stretch(s->radii, q));
  if (k == CLP_BATCH_CONE) {
    clp_four r = s->r0 + q.z * s->dr;
    return (clp_quad){r * q.x, r * q.y, s->z0 + q.z * s->dz};
  }
  if (k == CLP_BATCH_VERTEX)
    return s->origin;
  return clp_quad_add_scaled(clp_quad_add_scaled(s->origin, q.x, s->du), q.y, s->dv);
}

/* Of an edge: along its line, or round its rim. */
INLINE clp_quad tangent_on(const party *s)
{
  clp_four along = clp_four_select(s->rim, -s->site.y, clp_four_of(1));
  return clp_quad_add_scaled(clp_quad_scale(along, s->du), s->site.x, s->dv);
}

/* q is the site, or anything along it where that is a direction. */
INLINE clp_quad normal_on(form k, const party *s, clp_quad q)
{
  clp_quad out;
  if (k == CLP_BATCH_ELLIPSOID) {
    clp_quad r = s->radii;
    out = (clp_quad){r.y * r.z * q.x, r.z * r.x * q.y, r.x * r.y * q.z};
  } else if (k == CLP_BATCH_CONE) {
    out = (clp_quad){s->dz * q.x, s->dz * q.y, -s->dr};
  } else {
    out = clp_quad_cross(s->du, s->dv);
  }
  return clp_quad_scale(s->sign / clp_four_sqrt(clp_quad_dot(out, out)), out);
}

/* The point and its derivatives; those of a vertex are never asked for. */
INLINE void find_footing(form k, party *s)
{
  clp_quad q = s->site;
  if (k == CLP_BATCH_SPLINE) {
    find_jets(&s->site, &s->spline);
    s->p = s->spline.p;
    s->u = s->spline.u;
    s->v = s->spline.v;
    return;
  }
  s->p = point_on(k, s);
  if (k == CLP_BATCH_ELLIPSOID) {
    find_axes(s);
    s->u = clp_quad_stretch(s->radii, s->axis_u);
    s->v = clp_quad_stretch(s->radii, s->axis_v);
  } else if (k == CLP_BATCH_CONE) {
    clp_four r = s->r0 + q.z * s->dr;
    s->u = (clp_quad){-r * q.y, r * q.x, clp_four_of(0)};
    s->v = (clp_quad){s->dr * q.x, s->dr * q.y, s->dz};
  } else if (k == CLP_BATCH_PLANE) {
    s->u = s->du;
    s->v = s->dv;
  } else if (k == CLP_BATCH_EDGE) {
    const clp_four one = clp_four_of(1), zero = clp_four_of(0);
    s->u = tangent_on(s);
    s->arm = clp_quad_scale(clp_four_select(s->rim, one, zero), clp_quad_sub(s->p, s->origin));
  }
}

#endif

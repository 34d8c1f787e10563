/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/depth/depth.h"
#include "rclc_closest_point/math/pose.h"

/* A point in a body. Its depth is the distance of the nearest place of the boundary; from one
 * cycle to the next that may jump from one face to another, or across a face that curves round the
 * point. So each face, and each curve of a planar body, is asked for its nearest place: by a
 * descent of the distance from the nearest of a few samples. */

/* Iterations of one descent, and of the signed equations after it. */
enum { DESCENT_BUDGET = 12, POLISH_BUDGET = 3 };

enum { SAMPLES_MAX = 64, GRID_MAX = 8, CURVE_SAMPLES = 8, PROFILE_SAMPLES = 5 };

typedef struct site_list {
  clp_site sites[SAMPLES_MAX];
  int count;
} site_list;

typedef struct inside {
  const clp_couple *couple;
  const clp_body *body; /* the one that is no point */
  bool is_a;
  clp_vec3 p; /* the point in its frame */
  clp_peak *followed;
} inside;

/* ---- Samples of a face -------------------------------------------------------------------- */

static int grid_count(int degree, int spans)
{
  int count = degree / 2 + 2 * spans;
  return count < GRID_MAX ? count : GRID_MAX;
}

static void sample_rectangle(const clp_face *face, site_list *list)
{
  const clp_domain *d = &face->domain;
  int nu = 2, nv = 2;
  const clp_nurbs *nurbs = clp_surface_spline(&face->surface);
  if (nurbs) {
    nu = grid_count(nurbs->degree_u, nurbs->spans_u);
    nv = grid_count(nurbs->degree_v, nurbs->spans_v);
  }
  for (int i = 0; i < nu; ++i)
    for (int k = 0; k < nv; ++k) {
      double u = (i + 0.5) / nu, v = (k + 0.5) / nv;
      list->sites[list->count++] =
          (clp_site){{(1 - u) * d->lo[0] + u * d->hi[0], (1 - v) * d->lo[1] + v * d->hi[1], 0}};
    }
}

/* A surface of revolution is nearest in the half plane of the point. */
static void sample_profile(const clp_face *face, clp_vec3 p, site_list *list)
{
  double r = hypot(p.x, p.y), c = r > 0 ? p.x / r : 1, s = r > 0 ? p.y / r : 0;
  bool disc = face->domain.kind == CLP_DOMAIN_DISC;
  int axis = disc ? 0 : 1;
  for (int k = 0; k < PROFILE_SAMPLES; ++k) {
    double f = (k + 0.5) / PROFILE_SAMPLES;
    double t = (1 - f) * face->domain.lo[axis] + f * face->domain.hi[axis];
    list->sites[list->count++] = disc ? (clp_site){{t * c, t * s, 0}} : (clp_site){{c, s, t}};
  }
}

/* An ellipsoid is nearest in the point's own octant: its corners, middles of sides and middle, or,
 * where the octant goes beyond the band, what is nearest in the band. */
static void sample_ellipsoid(const clp_ellipsoid *e, const clp_face *face, clp_vec3 p,
                             site_list *list)
{
  clp_vec3 o = clp_sub(p, e->center);
  double lo = face->domain.kind == CLP_DOMAIN_BAND ? fmax(-1, face->domain.lo[1]) : -1;
  double hi = face->domain.kind == CLP_DOMAIN_BAND ? fmin(1, face->domain.hi[1]) : 1;
  for (int k = 1; k < 8; ++k) {
    clp_vec3 q = {k & 1 ? copysign(1, o.x) : 0, k & 2 ? copysign(1, o.y) : 0,
                  k & 4 ? copysign(1, o.z) : 0};
    q = clp_unit(q);
    double z = fmin(hi, fmax(lo, q.z)), flat = hypot(q.x, q.y), ring = sqrt(1 - z * z);
    double x = flat > 0 ? q.x / flat : 1, y = flat > 0 ? q.y / flat : 0;
    list->sites[list->count++] = (clp_site){{ring * x, ring * y, z}};
  }
}

static void sample_face(const clp_face *face, clp_vec3 p, site_list *list)
{
  const clp_ellipsoid *e = clp_surface_ellipsoid(&face->surface);
  if (e)
    sample_ellipsoid(e, face, p, list);
  else if (face->domain.kind == CLP_DOMAIN_RECTANGLE)
    sample_rectangle(face, list);
  else
    sample_profile(face, p, list);
}

/* ---- One feature -------------------------------------------------------------------------- */

static clp_spots spots_of(const inside *in, clp_spot spot)
{
  clp_spot point = clp_spot_on_vertex(0);
  return in->is_a ? (clp_spots){spot, point} : (clp_spots){point, spot};
}

static void start_from(const inside *in, clp_spot spot)
{
  const clp_couple *c = in->couple;
  clp_spots spots = spots_of(in, spot);
  clp_descent d = clp_descend(c, &spots, DESCENT_BUDGET, CLP_DESCENT_TOLERANCE, NULL);
  if (!(d.jets.distance > 0)) /* on the boundary: no direction to compare */
    return;
  clp_extremal e = clp_extremal_start(c, &spots, clp_scale(-1 / d.jets.distance, d.jets.d));
  clp_extremal_end end = clp_extremal_iterate(&e, POLISH_BUDGET, 1e-11);
  if (end == CLP_EXTREMAL_LOST)
    return;
  clp_peak peak = clp_peak_of(&e, end);
  clp_peak_challenge(c, in->followed, &peak);
}

static double box_distance(const clp_box3 *box, clp_vec3 p)
{
  clp_vec3 out = {fmax(0, fmax(box->min.x - p.x, p.x - box->max.x)),
                  fmax(0, fmax(box->min.y - p.y, p.y - box->max.y)),
                  fmax(0, fmax(box->min.z - p.z, p.z - box->max.z))};
  return clp_norm(out);
}

static void try_curved(const inside *in, uint32_t id)
{
  const clp_face *face = &in->body->faces[id];
  site_list list = {.count = 0};
  clp_site best = {{0, 0, 0}};
  double nearest = HUGE_VAL;
  if (clp_is_spent(in->couple->effort) ||
      box_distance(&face->box, in->p) > -in->followed->depth.lower)
    return;
  clp_spend(in->couple->effort, CLP_EFFORT_TRIAL);
  sample_face(face, in->p, &list);
  for (int k = 0; k < list.count; ++k) {
    double distance = clp_distance(in->p, clp_surface_point(&face->surface, list.sites[k]));
    if (distance < nearest) {
      nearest = distance;
      best = list.sites[k];
    }
  }
  start_from(in, clp_spot_on_face(id, best));
}

/* What it takes to compare with a flat face. */
#define HEIGHT_EFFORT (3 * CLP_EFFORT_PLACE)

/* How high the point is above a flat face's plane. */
static double height(const inside *in, const clp_face *face)
{
  clp_site middle = clp_domain_middle(&face->surface, &face->domain);
  clp_vec3 n = clp_surface_normal(&face->surface, &face->domain, middle);
  clp_spend(in->couple->effort, HEIGHT_EFFORT);
  return clp_dot(n, clp_sub(in->p, clp_surface_point(&face->surface, middle)));
}

/* Of a convex body's flat faces the one whose plane is the nearest is nearest itself: the foot on
 * that plane is on no other face's far side. It is one way to go, which is gone in any case. Of
 * more faces than a cycle can compare with the next one goes on. */
static void try_flat(const inside *in)
{
  const uint32_t count = in->body->face_count;
  clp_common *common = in->couple->common;
  uint32_t nearest = CLP_NONE, k = common && common->face < count ? common->face : 0;
  double most = in->followed->depth.lower;
  for (uint32_t i = 0; i < count && !clp_is_spent(in->couple->effort); ++i, k = (k + 1) % count) {
    const clp_face *face = &in->body->faces[k];
    if (face->bend != CLP_BEND_FLAT)
      continue;
    double h = height(in, face);
    if (h > most) {
      most = h;
      nearest = k;
    }
  }
  if (common)
    common->face = k;
  if (nearest == CLP_NONE)
    return;
  const clp_face *face = &in->body->faces[nearest];
  start_from(in, clp_spot_on_face(nearest, clp_domain_middle(&face->surface, &face->domain)));
}

static void try_curve(const inside *in, uint32_t id)
{
  const clp_edge *edge = &in->body->edges[id];
  clp_curve_site best = {{0, 0}};
  double nearest = HUGE_VAL;
  if (clp_is_spent(in->couple->effort))
    return;
  for (int k = 0; k < CURVE_SAMPLES; ++k) {
    clp_curve_site site = clp_edge_fraction(edge, (k + 0.5) / CURVE_SAMPLES);
    double distance = clp_distance(in->p, clp_curve_point(&edge->curve, site));
    if (distance < nearest) {
      nearest = distance;
      best = site;
    }
  }
  start_from(in, clp_spot_on_edge(id, best));
}

void clp_peak_compare_faces(const clp_couple *c, clp_peak *peak)
{
  inside in = {.couple = c, .is_a = !c->a->info.point, .followed = peak};
  in.body = in.is_a ? c->a : c->b;
  if (in.body->info.point)
    return;
  clp_vec3 p = (in.is_a ? c->b : c->a)->vertices[0].place;
  in.p = in.is_a ? clp_transform(c->X_AB, p) : clp_transform_back(c->X_AB, p);
  for (uint32_t k = 0; in.body->info.planar && k < in.body->edge_count; ++k)
    try_curve(&in, k);
  try_flat(&in);
  for (uint32_t k = 0; k < in.body->face_count; ++k)
    if (in.body->faces[k].bend != CLP_BEND_FLAT)
      try_curved(&in, k);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/witness/start_spot.h"

#include "rclc_closest_point/body/compass.h"
#include "rclc_closest_point/math/vec3.h"
#include "rclc_closest_point/witness/effort.h"

/* Starting places are taken from at most this many vertices and as many faces. */
#define LOOK_AT 2048

typedef struct ranked {
  double value;
  clp_spot spot;
} ranked;

enum { RANKS = 6 };

typedef struct ranking {
  ranked best[RANKS]; /* best first */
  int count;
} ranking;

static void rank(ranking *r, double value, clp_spot spot)
{
  int k = r->count < RANKS ? r->count++ : RANKS;
  for (; k > 0 && r->best[k - 1].value < value; --k)
    if (k < RANKS)
      r->best[k] = r->best[k - 1];
  if (k < RANKS)
    r->best[k] = (ranked){value, spot};
}

/* The sites of a face that are looked at: its middle, and all round where it goes round. */
static int face_sites(const clp_face *face, clp_site sites[6])
{
  static const double round[4][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
  sites[0] = clp_domain_middle(&face->surface, &face->domain);
  if (face->domain.kind != CLP_DOMAIN_BAND && face->domain.kind != CLP_DOMAIN_WHOLE)
    return 1;
  bool sphere = clp_surface_site_form(&face->surface) == CLP_SITE_SPHERE;
  double z = sites[0].c[2], across = sphere ? sqrt(fmax(0, 1 - z * z)) : 1;
  for (int k = 0; k < 4; ++k)
    sites[k] = (clp_site){{across * round[k][0], across * round[k][1], z}};
  if (face->domain.kind == CLP_DOMAIN_BAND)
    return 4;
  sites[4] = (clp_site){{0, 0, 1}};
  sites[5] = (clp_site){{0, 0, -1}};
  return 6;
}

static void rank_face(ranking *r, const clp_body *body, uint32_t id, clp_vec3 n)
{
  clp_site sites[6];
  for (int i = face_sites(&body->faces[id], sites) - 1; i >= 0; --i)
    rank(r, clp_dot(n, clp_surface_point(&body->faces[id].surface, sites[i])),
         clp_spot_on_face(id, sites[i]));
}

static void rank_vertex(ranking *r, const clp_body *body, uint32_t id, clp_vec3 n)
{
  rank(r, clp_dot(n, body->vertices[id].place), clp_spot_on_vertex(id));
}

/* The farthest vertex of a polyhedron with a compass, its faces and its neighbors: what lies
 * farthest, roughly, lies there. */
static ranking rank_around(const clp_body *body, clp_vec3 n)
{
  ranking r = {.count = 0};
  uint32_t top = clp_compass_farthest(body, n);
  const clp_vertex *vertex = &body->vertices[top];
  for (uint32_t k = 0; k < vertex->corner_count; ++k)
    rank_face(&r, body, body->corners[vertex->first_corner + k].face, n);
  rank_vertex(&r, body, top, n);
  for (uint32_t k = 0; k < vertex->end_count; ++k)
    rank_vertex(&r, body, clp_vertex_across(body, body->ends[vertex->first_end + k]), n);
  return r;
}

static ranking rank_all(const clp_body *body, clp_vec3 n)
{
  ranking r = {.count = 0};
  uint32_t step = body->face_count / LOOK_AT + 1;
  for (uint32_t k = 0; k < body->face_count; k += step)
    rank_face(&r, body, k, n);
  step = body->vertex_count / LOOK_AT + 1;
  for (uint32_t k = 0; k < body->vertex_count; k += step)
    rank_vertex(&r, body, k, n);
  for (uint32_t k = 0; body->info.planar && k < body->edge_count; ++k) {
    clp_curve_site middle = clp_edge_fraction(&body->edges[k], 0.5);
    rank(&r, clp_dot(n, clp_curve_point(&body->edges[k].curve, middle)),
         clp_spot_on_edge(k, middle));
  }
  return r;
}

/* Of a surface of revolution six sites of each face. */
#define START_PLACES 4

int clp_start_effort(const clp_body *body)
{
  if (body->compass.grid > 0)
    return CLP_EFFORT_SIMPLEX;
  uint32_t faces = body->face_count < LOOK_AT ? body->face_count : LOOK_AT;
  uint32_t vertices = body->vertex_count < LOOK_AT ? body->vertex_count : LOOK_AT;
  return CLP_EFFORT_PLACE * (int)(START_PLACES * faces + 2 * vertices);
}

clp_spot clp_start_spot(const clp_body *body, clp_vec3 n, int skip)
{
  ranking r = body->compass.grid > 0 ? rank_around(body, n) : rank_all(body, n);
  return r.best[skip < r.count ? skip : r.count - 1].spot;
}

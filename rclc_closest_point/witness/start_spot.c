/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/witness/start_spot.h"

#include "rclc_closest_point/math/vec3.h"

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

clp_spot clp_start_spot(const clp_body *body, clp_vec3 n, int skip)
{
  ranking r = {.count = 0};
  uint32_t step = body->face_count / LOOK_AT + 1;
  for (uint32_t k = 0; k < body->face_count; k += step) {
    clp_site sites[6];
    for (int i = face_sites(&body->faces[k], sites) - 1; i >= 0; --i)
      rank(&r, clp_dot(n, clp_surface_point(&body->faces[k].surface, sites[i])),
           clp_spot_on_face(k, sites[i]));
  }
  step = body->vertex_count / LOOK_AT + 1;
  for (uint32_t k = 0; k < body->vertex_count; k += step)
    rank(&r, clp_dot(n, body->vertices[k].place), clp_spot_on_vertex(k));
  for (uint32_t k = 0; body->info.planar && k < body->edge_count; ++k) {
    clp_curve_site middle = clp_edge_fraction(&body->edges[k], 0.5);
    rank(&r, clp_dot(n, clp_curve_point(&body->edges[k].curve, middle)),
         clp_spot_on_edge(k, middle));
  }
  return r.best[skip < r.count ? skip : r.count - 1].spot;
}

/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_WITNESS_SPOT_H
#define RCLC_CLOSEST_POINT_WITNESS_SPOT_H

#include <stddef.h>
#include <string.h>

#include "rclc_closest_point/body/body.h"

/* Where a witness point is on its body: on a face, an edge or a vertex, and where on it. */
typedef struct clp_spot {
  clp_feature_kind kind;
  uint32_t id;
  clp_site site; /* of a face; an edge's curve site is in c[0] and c[1]; unused at a vertex */
} clp_spot;

/* The body's geometry at a spot, in the body's frame: the point, as many tangents as the feature
 * has dimensions, and the second derivatives along them. */
typedef struct clp_spot_jet {
  clp_vec3 p;
  clp_vec3 t[2];   /* face: u, v; edge: t */
  clp_vec3 tt[3];  /* face: uu, uv, vv; edge: tt in tt[0] */
  clp_vec3 normal; /* of a face: outward, unit; else zero */
  double off;      /* rounding may have put the normal off by this much */
  int freedoms;    /* 2, 1, 0 */
  bool singular;   /* a face whose tangents are (nearly) dependent here */
} clp_spot_jet;

clp_vec3 clp_spot_point(const clp_body *body, clp_spot spot);
clp_spot_jet clp_spot_jet_at(const clp_body *body, clp_spot spot);

clp_spot clp_spot_on_face(uint32_t face, clp_site site);
clp_spot clp_spot_on_edge(uint32_t edge, clp_curve_site site);
clp_spot clp_spot_on_vertex(uint32_t vertex);

static inline clp_curve_site clp_spot_curve_site(clp_spot spot)
{
  return (clp_curve_site){{spot.site.c[0], spot.site.c[1]}};
}

/* The fraction (at most 1) of the step x that the feature's bounds allow; *side is the bound met:
 * a face's side, an edge's end (0, 1), or -1. */
double clp_spot_fraction(const clp_body *body, clp_spot spot, const double *x, int *side);

/* The spot moved by x, and onto the bound `side` exactly where that is not -1. */
clp_spot clp_spot_move(const clp_body *body, clp_spot spot, const double *x, int side);

/* Kind and number are compared at once: they are the spot's first eight bytes. */
static inline bool clp_spot_same_feature(const clp_spot *a, const clp_spot *b)
{
  return memcmp(a, b, offsetof(clp_spot, site)) == 0;
}

/* Whether the body has that feature. Inline: every step asks. */
static inline bool clp_spot_exists(const clp_body *body, const clp_spot *spot)
{
  switch (spot->kind) {
    case CLP_FACE:
      return spot->id < body->face_count;
    case CLP_EDGE:
      return spot->id < body->edge_count;
    case CLP_VERTEX:
      return spot->id < body->vertex_count;
  }
  return false;
}

/* Whether the spot is a place of the body at all: an existing feature, coordinates on its chart (a
 * unit vector where that is what they are) and inside its bounds, nothing that is not a number. */
bool clp_spot_valid(const clp_body *body, clp_spot spot);

/* The face's use whose stretch of `side` holds the site, and the place on that use's edge. */
uint32_t clp_face_use_at(const clp_body *body, const clp_face *face, int side, clp_site site);
clp_curve_site clp_face_edge_site(const clp_body *body, const clp_face *face, uint32_t number,
                                  clp_site site);

/* Which of its edge's two uses a use is. */
static inline int clp_use_index(const clp_body *body, uint32_t use)
{
  return body->edges[body->uses[use].edge].use[0] == use ? 0 : 1;
}

#endif

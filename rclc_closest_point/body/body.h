/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_BODY_BODY_H
#define RCLC_CLOSEST_POINT_BODY_BODY_H

/* The compiled body: faces, edges and vertices with their adjacency, in one block, never changed
 * after clp_body_create. Indices instead of pointers wherever one feature names another. */

#include <stdint.h>

#include "rclc_closest_point/closest_point.h"
#include "rclc_closest_point/surface/curvature.h"
#include "rclc_closest_point/surface/curve.h"
#include "rclc_closest_point/surface/surface.h"

#define CLP_NONE UINT32_MAX

/* A stretch of a face's side, as one edge sees it. A side is the ordered run of its uses: usually
 * one, more where other faces' corners lie on it. */
typedef struct clp_use {
  uint32_t face, edge;
  int side;
  double lo, hi; /* the stretch, in the side curve's parameter */
  double sense;  /* +1: the edge's parameter grows with the side's, -1: it falls */
  bool affine;   /* equal fractions of stretch and edge are equal points; else project */
} clp_use;

typedef struct clp_face {
  const char *name;
  clp_surface surface;
  clp_domain domain;
  int item;                      /* index of the definition's patch, face or profile piece */
  uint32_t first_use, use_count; /* in clp_body.uses, ordered by side, then by parameter */
  clp_bend bend;
  clp_vec3 center; /* of a bounding ball */
  double radius;
  clp_box3 box;
  bool flat;       /* a plane, whose outward unit normal is */
  clp_vec3 normal; /* this */
} clp_face;

/* The outward unit normal, and how far off rounding may have put it. */
static inline clp_normal clp_face_normal(const clp_face *face, clp_site site)
{
  if (face->flat)
    return (clp_normal){face->normal, 0};
  return clp_surface_normal_within(&face->surface, &face->domain, site);
}

/* The normals of an edge between two flat faces: all between these two, in the plane square to
 * `across`. A normal is between them where it is on the inner sides of both ends. Of a rim about z
 * between faces that turn about it these are the same all round, but for the turn: here they are
 * those at angle zero, in the plane of x and z. */
typedef struct clp_wedge {
  bool flat;   /* there is one: an edge's */
  bool turned; /* a rim's */
  clp_vec3 normal[2], across;
  clp_vec3 inwards[2]; /* square to a normal and to `across`, towards the other one */
} clp_wedge;

typedef struct clp_edge {
  const char *name;
  clp_edge_kind kind;
  bool reflex;        /* the dihedral angle inside the body exceeds 180 degrees somewhere */
  clp_curve curve;    /* the first use's side, cut to the stretch; a planar body's curve */
  clp_curve second;   /* the second use's side; only where that use is not affine */
  uint32_t use[2];    /* CLP_NONE where no face is on that side */
  uint32_t vertex[2]; /* at curve.lo and curve.hi; CLP_NONE on a closed curve */
  clp_wedge wedge;
} clp_edge;

/* Its faces meet tangentially: it owns no places, they do. */
static inline bool clp_edge_is_smooth(const clp_edge *edge)
{
  return edge->kind == CLP_EDGE_SMOOTH || edge->kind == CLP_EDGE_SEAM;
}

/* Normals that differ by less have no plane in common that could be told from rounding. */
#define CLP_SAME_DIRECTION 1e-12

/* A face's corner, or its collapsed side, at a vertex. */
typedef struct clp_corner {
  uint32_t face;
  int side; /* the collapsed side, or -1 for a corner */
  clp_site site;
} clp_corner;

typedef struct clp_edge_end {
  uint32_t edge;
  int end;       /* 0: at curve.lo, 1: at curve.hi */
  clp_vec3 away; /* of a flat vertex: along the edge, unit, square to its faces' normals if any; of
                    others the edge's direction out of the vertex */
} clp_edge_end;

typedef struct clp_vertex {
  const char *name;
  clp_vec3 place;
  bool sharp; /* a sharp edge, a rim or a pointed pole ends here */
  bool flat;  /* no faces but flat ones meet here; `away` of the edges that end here, which are none
                 of a point, bounds normals */
  bool round; /* all its faces have the same normal there ... */
  clp_normal normal; /* this */
  bool bent;         /* of a round one: nothing that starts there is straight */
  uint32_t first_corner, corner_count;
  uint32_t first_end, end_count;
} clp_vertex;

/* A straight line turned about z with its lids: a cone, or a frustum. From the low end to the high
 * one, and the unit vector of this way in (r, z). */
typedef struct clp_frustum {
  double low_r, low_z, high_r, high_z;
  double along_r, along_z, length;
} clp_frustum;

/* Everything but `padding` and `info` is about the core, which is what has been tiled. */
struct clp_body {
  clp_body_info info;
  clp_face *faces;
  clp_edge *edges;
  clp_vertex *vertices;
  clp_use *uses;
  clp_corner *corners;
  clp_edge_end *ends;
  double (*firsts)[2]; /* of each face: of its patch's parameters, where its own are 0 */
  uint32_t face_count, edge_count, vertex_count;
  clp_vec3 center; /* of a ball that holds the body */
  double radius;
  double size; /* diagonal of the bounding box: what tolerances are relative to */
  struct {
    double half, radius;
  } sweep;      /* of a sphere or a capsule: the ball that sweeps, and its way on z; else 0 */
  clp_vec3 box; /* of a box: its half edges; else 0 */
  struct {
    double half, radius;
  } cylinder;          /* of a cylinder; else 0 */
  clp_frustum frustum; /* of a cone or a frustum; else 0 */
  struct {
    uint32_t grid; /* 0: none */
    uint32_t *vertex;
  } compass;    /* of a convex polyhedron of many facets: its farthest vertices (compass.h) */
  bool quadric; /* one of its faces is part of an ellipsoid, a cylinder or a cone */
  double blur;  /* places may be computed so far off the surface, beyond the usual last digits */
  double sharpness; /* about the least angle in which its boundary meets itself at an edge, a corner
                       or an apex, inside or outside; pi where it is smooth */
  double padding;   /* m; radius of the ball that sweeps all of it */
  clp_body *core;   /* of a sphere or a capsule: its center or its axis as a body that its radius
                       pads; else NULL */
  const clp_body *whole; /* of such a core: the body whose core it is; else NULL */
};

/* The site at the parameters that a face is documented with. */
static inline clp_site clp_face_site_at(const clp_body *body, uint32_t face, double u, double v)
{
  const double *first = body->firsts[face];
  return clp_surface_site(&body->faces[face].surface, u - first[0], v - first[1]);
}

/* The radius of a ball about `center` that holds all of it, padding included. */
static inline double clp_body_reach(const clp_body *body)
{
  return body->radius + body->padding;
}

/* Whether it may be padded: a ball that sweeps it keeps it convex, and has an inside to start from.
 */
static inline bool clp_body_is_paddable(const clp_body *body)
{
  return body->info.convex && body->info.closed && !body->info.planar;
}

/* The body as others know it. */
static inline const clp_body *clp_body_whole(const clp_body *body)
{
  return body->whole ? body->whole : body;
}

/* Sweeps it by a ball of this radius, on top of what there is; before anybody uses it. False where
 * it may not be padded, or would be larger than bodies are (body_padding.c). */
bool clp_body_pad(clp_body *body, double radius);

/* The site on `face` that is the place `site` of the edge, seen through the edge's use `which`
 * (0 or 1). For a use that is not affine it projects onto the use's own curve. */
clp_site clp_edge_face_site(const clp_edge *edge, int which, const clp_use *use,
                            const clp_face *face, clp_curve_site site);

/* The place at a fraction 0...1 of the edge's parameter range. */
clp_curve_site clp_edge_fraction(const clp_edge *edge, double fraction);

#endif

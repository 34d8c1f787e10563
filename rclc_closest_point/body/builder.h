/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_BODY_BUILDER_H
#define RCLC_CLOSEST_POINT_BODY_BUILDER_H

/* A body under construction. The stages run in this order, each on what the ones before it made:
 *
 *   tile   faces from the definition (tile_*.c); a planar body's curves
 *   match  sides into edges, corners into vertices (body_match.c)
 *   check  orientation, closedness, convexity (body_check.c), figures (body_measure.c)
 *   name   edges and vertices after their faces (feature_names.c)
 *   pack   everything into one block (body_pack.c)
 *
 * Everything lives in the arena until the block is packed. A stage that finds a defect reports it
 * and goes on as far as it can; the body is refused at the end. */

#include <stddef.h>

#include "rclc_closest_point/base/arena.h"
#include "rclc_closest_point/base/tolerance.h"
#include "rclc_closest_point/body/body.h"
#include "rclc_closest_point/surface/gauge.h"

/* After so many findings of one body the rest is only counted. */
#define CLP_MAX_FINDINGS 40

/* The memory that a spline's pointers lead into, so that it can be moved into the block. */
typedef struct clp_storage {
  double *numbers;
  size_t count;
} clp_storage;

/* A plane as the gauge's frame has it: its dual point is n / d (seam.c). */
typedef struct clp_dual_plane {
  clp_vec3 n;
  double d;
} clp_dual_plane;

typedef struct clp_build_face {
  clp_face face;
  clp_storage storage;
  double (*corners)[2]; /* of a polygon; the domain points to them */
  double first[2];      /* of its patch's parameters: where its own are 0 */
  clp_vec3 middle;      /* a point of the face, for messages */
  clp_dual_plane plane; /* of a flat face, found once for all its edges; d is 0 before */
} clp_build_face;

typedef struct clp_build_edge {
  clp_edge edge;
  clp_storage storage, second_storage; /* of edge.curve and edge.second */
  double angle;                        /* largest angle between the two faces' normals along it */
  int item;                            /* of the definition: the first face's, or the curve */
} clp_build_edge;

typedef struct clp_builder {
  const clp_body_def *def;
  clp_reporter reporter;
  clp_arena arena;
  int findings, defects;

  clp_build_face *faces;
  size_t face_count, face_capacity;
  clp_build_edge *edges;
  size_t edge_count, edge_capacity;
  clp_vertex *vertices;
  size_t vertex_count, vertex_capacity;
  clp_use *uses;
  size_t use_count, use_capacity;
  clp_corner *corners;
  size_t corner_count, corner_capacity;
  clp_edge_end *ends;
  size_t end_count, end_capacity;

  clp_box3 box;
  double size;     /* diagonal of the box */
  bool was_split;  /* a patch was not nice */
  bool all_closed; /* no rim was found */
  double snapped;  /* how far a profile was moved onto the axis, its arcs and parabolas (m) */
  int undecided;   /* promises that bounds did not decide */

  /* What is proven of a convex solid, in the frame of its gauge: see body_slack.c. */
  clp_proof_budget budget;
  clp_gauge gauge;
  double height, reach; /* tangent planes are nowhere nearer to the center, points never farther */
  double bend, turn, kinks, jumps, holes;
  double solid_angle;
  double blur;      /* places may be computed so far off the surface (m) */
  double slack;     /* as in clp_body_info (m) */
  double sharpness; /* as in clp_body */
  double area, volume;
} clp_builder;

/* ---- Findings (builder.c) ----------------------------------------------------------------- */

/* What a finding is about, apart from its text. */
typedef struct clp_subject {
  clp_finding_kind kind;
  int item, number;
  bool in_knots_v;
  const clp_vec3 *place;
  double amount;
} clp_subject;

/* Each makes one finding; `format` has only %s and %d conversions, numbers go through
 * clp_number() so that no locale gets into a message. */
void clp_defect(clp_builder *builder, clp_subject subject, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void clp_note(clp_builder *builder, clp_subject subject, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Bounds decide neither way: a defect of kind CLP_FINDING_UNDECIDED, or a note and an unproven body
 * where the definition allows samples. The text says what is not decided and what samples found;
 * what follows from that is added. */
void clp_undecided(clp_builder *builder, clp_subject subject, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* One more note when there were more findings than are reported. */
void clp_report_suppressed(clp_builder *builder);

/* ---- Growing (builder.c) ------------------------------------------------------------------ */

/* So many are to come. */
void clp_expect_faces(clp_builder *builder, size_t count);
void clp_expect_edges(clp_builder *builder, size_t count);

/* Appends a zeroed element and returns it; NULL when there is no memory. */
clp_build_face *clp_add_face(clp_builder *builder, const char *name, int item);
clp_build_edge *clp_add_edge(clp_builder *builder);

/* Room for `count` numbers that the compiled body will keep. */
clp_storage clp_take_storage(clp_builder *builder, size_t count);

/* A defect for padding that is no length, or of what it would not leave convex (body_padding.c). */
void clp_expect_padding(clp_builder *builder);

/* ---- Stages ------------------------------------------------------------------------------- */

void clp_tile_primitive(
    clp_builder *builder); /* box, sphere, ellipsoid, cylinder, capsule, point */
void clp_tile_polyhedron(clp_builder *builder);
void clp_tile_revolved(clp_builder *builder);
void clp_tile_patches(clp_builder *builder);
void clp_tile_curves(clp_builder *builder);

/* A defect for every name that two faces, or two curves of a planar body, have. */
void clp_expect_unique_names(clp_builder *builder);

/* Box and size of what has been tiled; needed by every tolerance after it. */
void clp_measure_box(clp_builder *builder);

/* The frame in which the body is about round; needed by whatever is proven. */
void clp_fit_gauge(clp_builder *builder);

void clp_match_sides(clp_builder *builder);

/* Vertices, corners and edge ends from edges whose `vertex` still counts in `places`. */
void clp_gather_vertices(clp_builder *builder, const clp_vec3 *places, size_t count);

void clp_check_orientation(clp_builder *builder);
void clp_check_convexity(clp_builder *builder);
void clp_check_planar(clp_builder *builder); /* a planar body's ends, direction and convexity */
void clp_measure(clp_builder *builder);      /* area and volume */
void clp_measure_slack(clp_builder *builder);

void clp_name_features(clp_builder *builder);

/* The finished body in one malloc'ed block, or NULL. */
clp_body *clp_pack_body(const clp_builder *builder);

/* ---- Shared by stages --------------------------------------------------------------------- */

/* A finite, positive length; a defect that names `what` otherwise. */
/* Whether a coordinate is one that bodies may reach; no number is none. */
static inline bool clp_is_coordinate(double x)
{
  return fabs(x) <= CLP_LARGEST_COORDINATE;
}

bool clp_expect_positive(clp_builder *builder, double value, const char *what);

/* The rules for control points, knots and names of splines (tile_spline.c). `what` is "patch" or
 * "curve". False after a defect. */
bool clp_expect_name(clp_builder *builder, const char *name, int item, const char *what);
bool clp_expect_knots(clp_builder *builder, const char *name, int item, int degree, int size,
                      const double *knots, bool along_v);
bool clp_expect_control_points(clp_builder *builder, const char *name, int item,
                               const double *points, int count, int stride);

/* A defect: finite numbers that overflow once they are multiplied. */
void clp_refuse_overflow(clp_builder *builder, const char *name, int item);

/* How often `at` occurs among ascending knots. */
int clp_knot_multiplicity(const double *knots, int count, double at);

/* "NAME.k": a piece of a patch or curve that had to be cut. */
const char *clp_piece_name(clp_builder *builder, const char *name, int piece);

/* The site of the edge's use `which` at a fraction of the edge's parameter range. */
clp_site clp_edge_site(const clp_builder *builder, const clp_edge *edge, int which,
                       double fraction);

#endif

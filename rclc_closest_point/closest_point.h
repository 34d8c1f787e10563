/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_CLOSEST_POINT_H
#define RCLC_CLOSEST_POINT_CLOSEST_POINT_H

/* The library without files and without ROS: shapes in, verified bodies out; poses in, certified
 * distances out.
 *
 * A *body* is one rigid part: a closed solid, an open surface, a filled planar region or a point,
 * tiled from *faces* that meet in *edges* and *vertices*. It is compiled once from a definition
 * into one immutable block of memory and may then be read by any number of threads. A *pair* is the
 * mutable state with which the distance of two bodies is followed over time; one thread at a time
 * may use it.
 *
 * Units are meters, seconds and radians. Frames stand in names: X_WA is the pose of frame A in the
 * world. Values are plain and returned as such; a pointer that may be NULL says so, and every other
 * one must point to something. Every function says whether it allocates and from how many threads
 * it may be called: "for different pairs" means that no two calls at a time share a pair. None has
 * variables of its own, and none but clp_body_create makes a system call other than for memory. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rclc_closest_point/status.h"
#include "rclc_closest_point/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Limits of one body; a definition beyond them is refused with CLP_ERROR_LIMIT. */
#define CLP_MAX_DEGREE 9
#define CLP_MAX_CONTROL_POINTS 100000

/* ---- Definitions: plain data owned by the caller, copied by clp_body_create ---------------- */

typedef enum clp_shape {
  CLP_SHAPE_BOX,
  CLP_SHAPE_SPHERE,
  CLP_SHAPE_ELLIPSOID,
  CLP_SHAPE_CYLINDER,
  CLP_SHAPE_CAPSULE,
  CLP_SHAPE_POINT,
  CLP_SHAPE_POLYHEDRON,
  CLP_SHAPE_REVOLVED,
  CLP_SHAPE_PATCHES,
  CLP_SHAPE_CURVES /* a filled planar region in z = 0 */
} clp_shape;

/* A rational B-spline patch. Its outward normal is Su x Sv, reversed by `flip`. */
typedef struct clp_patch_def {
  const char *name;
  int degree_u, degree_v;
  int size_u, size_v;    /* control points along u and along v */
  const double *knots_u; /* size_u + degree_u + 1 numbers, or NULL for one Bezier span */
  const double *knots_v;
  const double *control_points; /* size_u * size_v times (x y z w), v fastest, not premultiplied */
  bool flip;
} clp_patch_def;

/* A rational B-spline curve in the plane z = 0; curves run counter-clockwise round the region. */
typedef struct clp_curve_def {
  const char *name;
  int degree;
  int size;
  const double *knots;          /* size + degree + 1 numbers, or NULL for one Bezier span */
  const double *control_points; /* size times (x y w) */
} clp_curve_def;

typedef struct clp_polyhedron_def {
  const double *vertices; /* vertex_count times (x y z) */
  int vertex_count;
  const int *faces;      /* the faces' vertex indices one after the other, counter-clockwise */
  const int *face_sizes; /* how many of them each face takes */
  int face_count;
} clp_polyhedron_def;

typedef enum clp_profile_kind {
  CLP_PROFILE_LINE,
  CLP_PROFILE_ARC,      /* circle about `center`, the shorter way; 180 degrees: through larger r */
  CLP_PROFILE_PARABOLA, /* r^2 = 4 focal (z - apex_z) */
  CLP_PROFILE_CONIC     /* rational quadratic Bezier over `shoulder` with its `weight` */
} clp_profile_kind;

/* One piece of a profile in the (r, z) half plane, from the previous piece's end to (r, z). */
typedef struct clp_profile_piece {
  clp_profile_kind kind;
  double r, z;
  double center_r, center_z;
  double apex_z, focal;
  double shoulder_r, shoulder_z, weight;
} clp_profile_piece;

/* A profile turned about z, the solid to the left of the direction of travel. It starts and ends
 * on the axis or closes on itself. */
typedef struct clp_revolved_def {
  double start_r, start_z;
  const clp_profile_piece *pieces;
  int piece_count;
} clp_revolved_def;

/* What becomes of a promise that bounds decide neither way within the budget. */
typedef enum clp_proof {
  CLP_PROOF_REQUIRED, /* the body is refused */
  CLP_PROOF_SAMPLED   /* samples decide, a note says so, and no pair with the body is TRACKING */
} clp_proof;

/* Only the members that `shape` names are read. */
typedef struct clp_body_def {
  clp_shape shape;
  bool convex; /* what the definition promises, and clp_body_create verifies */
  bool closed;
  clp_proof proof;
  double padding; /* m, not negative: the part is swept by a ball of this radius, exactly; more than
                     0 only of what is promised to be convex and closed, and not planar */
  clp_vec3 size;  /* box: edge lengths; ellipsoid: radii; point: its position */
  double radius;  /* sphere, cylinder, capsule */
  double length;  /* cylinder; capsule without its caps */
  clp_polyhedron_def polyhedron;
  clp_revolved_def revolved;
  const clp_patch_def *patches;
  int patch_count;
  const clp_curve_def *curves;
  int curve_count;
} clp_body_def;

/* A definition that promises a closed convex solid and has no extent yet. Allocates: no.
 * Thread-safe: yes. */
CLP_API clp_body_def clp_default_body_def(clp_shape shape);

/* ---- Findings: what the compiler and the checker have to say about a definition ------------ */

typedef enum clp_severity {
  CLP_NOTE,  /* worth knowing; the body is usable */
  CLP_DEFECT /* the body is refused */
} clp_severity;

typedef enum clp_finding_kind {
  CLP_FINDING_NUMBER, /* a number that no shape of this kind can have */
  CLP_FINDING_COUNT,  /* too few, too many, or counts that do not fit each other */
  CLP_FINDING_NAME,   /* a name that is missing, repeated or has a forbidden character */
  CLP_FINDING_KNOTS,
  CLP_FINDING_DEGENERATE, /* no area, no normal */
  CLP_FINDING_OPEN,       /* closed was promised */
  CLP_FINDING_OVERLAP,    /* surface that is covered twice */
  CLP_FINDING_ORIENTATION,
  CLP_FINDING_NOT_CONVEX, /* convex was promised */
  CLP_FINDING_NOT_NICE,   /* normals 180 degrees apart or more; the patch is split */
  CLP_FINDING_NOT_PLANAR,
  CLP_FINDING_UNDECIDED /* bounds decide neither way within the budget */
} clp_finding_kind;

typedef struct clp_finding {
  clp_severity severity;
  clp_finding_kind kind;
  int item;        /* index of the patch, curve, polyhedron face or profile piece; -1: the whole */
  int number;      /* index of the offending number in that item's list; -1: none in particular */
  bool in_knots_v; /* `number` counts in knots_v, else (for CLP_FINDING_KNOTS) in knots_u */
  clp_vec3 place;  /* where, in the part's frame; meaningful when has_place */
  bool has_place;
  double amount;  /* how much: meters, radians or 1/m, as `text` says */
  char text[320]; /* one line: what is wrong and what was expected */
} clp_finding;

/* Receives findings in the order in which they are made; called from within clp_body_create. */
typedef struct clp_reporter {
  void (*report)(void *user, const clp_finding *finding);
  void *user;
} clp_reporter;

/* Keeps the first defect in `*defect` for who wants no more than the reason; until there is one its
 * text is empty. Allocates: no. Thread-safe: for different findings. */
CLP_API clp_reporter clp_first_defect(clp_finding *defect);

/* ---- Bodies ------------------------------------------------------------------------------- */

typedef struct clp_body clp_body;

/* Compiles and verifies `def` into `*body`. Every defect found is reported, not only the first;
 * with any defect the call fails and `*body` is untouched. `reporter.report` may be NULL.
 * Allocates: yes (working memory, and one block that stays). Thread-safe: yes. */
CLP_API clp_status clp_body_create(const clp_body_def *def, clp_reporter reporter, clp_body **body);

/* Frees the body's block; NULL is allowed. No pair may use the body any more. Allocates: no.
 * Thread-safe: for different bodies. */
CLP_API void clp_body_destroy(clp_body *body);

/* What a body is. A padded body is what is defined, its core, swept by a ball: bounds, volume and
 * area are the swept body's, and faces, edges and vertices the core's. A place of it lies the
 * padding away from the place of the core that is nearest, and is on the same feature. */
typedef struct clp_body_info {
  int faces, edges, vertices;
  bool closed, convex, planar, point;
  bool nice;         /* no patch had to be split because its normals spread too far */
  bool proven;       /* all that was promised is; else samples decided some of it, as
                        CLP_PROOF_SAMPLED allows, and no pair with the body is TRACKING */
  clp_box3 bounds;   /* tight, in the part's frame (m) */
  double padding;    /* m, as in clp_body_def */
  double volume;     /* m^3; 0 unless closed and solid */
  double area;       /* m^2, of the surface; of the region for a planar body */
  double slack;      /* m, of a convex body: no point of it lies farther beyond any supporting plane
                        at any of its points, proven; every lower bound is so much lower */
  size_t bytes;      /* of the block */
  double build_time; /* seconds it took to compile and verify */
} clp_body_info;

/* Allocates: no. Thread-safe: yes. */
CLP_API clp_body_info clp_body_describe(const clp_body *body);

typedef enum clp_edge_kind {
  CLP_EDGE_SHARP,     /* two faces meet at an angle */
  CLP_EDGE_SMOOTH,    /* two faces meet tangentially: it owns no Voronoi region */
  CLP_EDGE_SEAM,      /* a face meets itself smoothly */
  CLP_EDGE_COLLAPSED, /* a side that is one point */
  CLP_EDGE_BOUNDARY,  /* the rim of an open surface */
  CLP_EDGE_CURVE      /* a curve of a planar body */
} clp_edge_kind;

/* "face", "edge" or "vertex". Allocates: no. Thread-safe: yes. */
CLP_API const char *clp_feature_kind_name(clp_feature_kind kind);

typedef struct clp_feature_info {
  clp_feature_kind kind;
  uint32_t id;        /* as in the messages: counts from 0 within its kind */
  const char *name;   /* lives as long as the body */
  clp_edge_kind edge; /* of an edge */
  bool sharp;         /* of a vertex: false where only smooth edges meet */
  clp_vec3 place;     /* of a vertex; an edge's middle; a point of the face; in the part's frame,
                         and the core's where there is padding */
} clp_feature_info;

/* `id` must be below the kind's count. Allocates: no. Thread-safe: yes. */
CLP_API clp_feature_info clp_body_feature(const clp_body *body, clp_feature_kind kind, uint32_t id);

/* A face's point and outward unit normal, in the part's frame. */
typedef struct clp_face_point {
  clp_vec3 place, normal;
  bool inside; /* whether the parameters are those of the face, not only of its surface */
} clp_face_point;

/* At the parameters u, v that the face's surface is documented with (docs/model_format.md); `id`
 * must be below the number of faces. Allocates: no. Thread-safe: yes. */
CLP_API clp_face_point clp_body_face_point(const clp_body *body, uint32_t id, double u, double v);

/* ---- Pairs: two bodies, asked or tracked --------------------------------------------------- */

/* The values are those of the ClosestPoint message. */
typedef enum clp_pair_status {
  CLP_TRACKING = 0,    /* the interval is proven, and as narrow as the tolerance asks */
  CLP_CONVERGING = 1,  /* it is wider, or a body is not proven */
  CLP_PENETRATING = 2, /* the bodies overlap */
  CLP_STALE = 3,       /* the monitor's: a pose is too old; no pair answers it */
  CLP_OUT_OF_RANGE = 4 /* proven farther apart than the options' range; the rest as ever */
} clp_pair_status;

/* "TRACKING", as the messages name it. Allocates: no. Thread-safe: yes. */
CLP_API const char *clp_pair_status_name(clp_pair_status status);

/* One pair's answer, in the world frame. Apart, the true distance lies in [lower_bound, distance],
 * whatever the status. Overlapping, distance is minus the depth that is followed, the smallest
 * found, and lower_bound is not above it. An open surface has no inside and never overlaps.
 * Where a body is not proven (clp_body_info) lower_bound and PENETRATING are as good as the samples
 * that vouch for it; distance is still that of two places of the bodies, and OUT_OF_RANGE rests on
 * the balls that hold them. */
typedef struct clp_answer {
  clp_pair_status status;
  double distance;           /* m, signed; never NaN, +infinity when nothing is known */
  double lower_bound;        /* m, proven; -infinity when nothing is */
  clp_vec3 point_a, point_b; /* the witnesses: places on A and on B (m) */
  clp_vec3 normal;           /* unit, outward at A's point: point_b = point_a + distance normal */
  clp_feature_kind kind_a, kind_b; /* what the witnesses lie on, as in clp_body_feature */
  uint32_t feature_a, feature_b;
  bool non_unique; /* other points are as close; in exact contact their normals may be others */
  bool scattered;  /* and their normals may be others */
  int steps;       /* tracker iterations spent */
  double spread;   /* how far from these others may lie (m); 0 where these are the only ones */
} clp_answer;

/* What one cycle does with the witnesses (docs/tracking.md). Only auto re-acquires a pair that it
 * has lost; with the others what cannot be proven is CONVERGING until they find back. */
typedef enum clp_controller {
  CLP_CONTROLLER_AUTO,        /* the linearising step where it is safe, else the switching step */
  CLP_CONTROLLER_LINEARISING, /* feedback linearization, with feedforward: local and fast */
  CLP_CONTROLLER_SWITCHING,   /* never leads away, needs no second derivatives; slower */
  CLP_CONTROLLER_COMPENSATED, /* the same, with the part of the motion canceled that hurts */
  CLP_CONTROLLER_NEWTON       /* all pairs of features top-down, each by Newton's method */
} clp_controller;

/* Explicit integration of the three flows among them (linearising, switching, compensated). */
typedef enum clp_integrator {
  CLP_INTEGRATOR_EULER,
  CLP_INTEGRATOR_RK2, /* the midpoint rule */
  CLP_INTEGRATOR_RK4
} clp_integrator;

/* Numbers are finite and not negative. */
typedef struct clp_pair_options {
  clp_controller controller;
  clp_integrator integrator;
  double gain;      /* K (1/s), see clp_pair_gain_bounds; 0: the best for each step */
  bool exponential; /* switching and compensated: K follows the exponential schedule, in which the
                       distance shrinks at the rate `gain` (1/s; 0: 1/cycle) outside of `ball` */
  double ball;      /* the residual |d_t| / |d| below which the schedule takes the best K; 0: 0.1 */
  int substeps;     /* of the three flows: integration steps a cycle, at least 1 */
  bool feedforward; /* use the bodies' motion to predict; switching never does */
  double tolerance; /* relative interval width that counts as TRACKING; 0: 1e-9, or 1e-6 where a
                       part is not convex */
  double range;     /* m; beyond it the answer is OUT_OF_RANGE; 0: no limit */
  int cells;        /* where a part is not convex: how many cells of the proof a cycle may examine,
                       about 10,000 instructions each; what it did not get to goes on in the next
                       one. 0: 64, for cycles of a millisecond */
  int effort;       /* where both are convex: how many instructions a cycle may take after the
                       first, at least 60,000 (about, where faces are splines); what it did not get
                       to goes on in the next one, and until then an answer may be CONVERGING, with
                       bounds that hold (docs/tracking.md). 0: a million, or six where faces are
                       splines */
} clp_pair_options;

/* auto, euler, one substep, with feedforward, all numbers 0. Allocates: no. Thread-safe: yes. */
CLP_API clp_pair_options clp_default_pair_options(void);

typedef struct clp_pair clp_pair;

/* A pair of two bodies, which must outlive it; it may be used by one thread at a time. `options`
 * may be NULL, for the default ones, and are copied. On failure `*pair` is untouched:
 * CLP_ERROR_ARGUMENT for options out of their ranges or a planar body with one that is neither
 * planar nor a point, CLP_ERROR_LIMIT where newton had too many pairs of features to look at
 * (131,072), CLP_ERROR_MEMORY. Allocates: yes, all that the pair will ever use: less than 1 KiB;
 * where a body is not convex and closed, 7 MB and more for the cells of the proof; with newton,
 * some 100 bytes more for each pair of features. Thread-safe: yes. */
CLP_API clp_status clp_pair_create(const clp_body *a, const clp_body *b,
                                   const clp_pair_options *options, clp_pair **pair);

/* NULL is allowed. Allocates: no. Thread-safe: for different pairs. */
CLP_API void clp_pair_destroy(clp_pair *pair);

/* The answer for these poses from scratch, with no memory of earlier calls, but for how deep
 * overlapping bodies are, which may differ by it while its bound holds; the next cycle goes on from
 * it. Never fails: what could not be decided is CONVERGING. Convex bodies named in the other
 * order get the same answer to the last bit, here and in the cycles that follow. Distances are as
 * exact as the rotations are: one that is off by e, at most 1e-6, puts them off by e times how far
 * apart the frames are, which no interval knows of. What of a rotation a body's shape does not ask
 * for is not looked at: of a sphere, or a point at its frame's origin, all of it, of a capsule, a
 * cylinder or a cone what turns it about its axis. Bounded, but meant for the start and for single
 * questions: it may take a thousand times a cycle. Allocates: no, locks nothing, makes no system
 * call. Thread-safe: for different pairs. */
CLP_API clp_answer clp_pair_query(clp_pair *pair, const clp_pose *X_WA, const clp_pose *X_WB);

/* One cycle: the answer for these poses, `step` seconds (not negative) after the last cycle's,
 * continued from it. A pair has no clock of its own: who owns several, as a scene does, whose
 * cycles are given their time, keeps one for all of them and hands down the differences. The twists
 * (world frame, of the frames' origins) are those that led here; they may be NULL, and the bodies
 * then have jumped. The first cycle is a query. Never fails: a pair that is lost is found again in
 * the same call or in later ones, and CONVERGING until then. Allocates: no, locks nothing, makes no
 * system call; bounded. Thread-safe: for different pairs.
 *
 * Poses must be finite and their rotations rotations. Of what is not a number, is farther away than
 * 1e9 m, or is plainly no rotation, nothing is known: such a cycle, like such a query, answers
 * CONVERGING with the interval from -infinity to infinity, and the pair goes on from where it was.
 */
CLP_API clp_answer clp_pair_track(clp_pair *pair, const clp_pose *X_WA, const clp_pose *X_WB,
                                  const clp_twist *V_WA, const clp_twist *V_WB, double step);

/* Starts tracking from given places: a face of each body (for a point 0) and parameters u, v on it.
 * CLP_ERROR_ARGUMENT, and the pair as it was, when there is no such face or (u, v) is not on it.
 * Allocates: no. Thread-safe: for different pairs. */
CLP_API clp_status clp_pair_start(clp_pair *pair, uint32_t face_a, double u_a, double v_a,
                                  uint32_t face_b, double u_b, double v_b);

/* A change of feature during the last query or cycle: at the same points, which had this distance
 * (m). */
typedef struct clp_transition_event {
  int which; /* 0: on A, 1: on B */
  clp_feature_kind from_kind, to_kind;
  uint32_t from, to;
  double distance;
} clp_transition_event;

/* From now on a query or a cycle writes its changes into `events`, the first of them first, as many
 * as there is room for: `capacity` of them, but no more than CLP_MAX_EVENTS. The memory is the
 * caller's and outlives its use, for a pair has none for them: 0 and NULL, as at the start, is for
 * who does not want to know. Allocates: no. Thread-safe: for different pairs. */
#define CLP_MAX_EVENTS 64
CLP_API void clp_pair_keep_events(clp_pair *pair, clp_transition_event *events, int capacity);

/* How many changes there were in the last query or cycle, written or not. Allocates: no.
 * Thread-safe: for different pairs. */
CLP_API int clp_pair_event_count(const clp_pair *pair);

/* The rate of the distance (m/s) from the bodies' motion, positive apart: n.(v_b - v_a) with the
 * velocities of the bodies at the witness points. Where other points are as close the fastest
 * approach that they allow, a lower bound of the rate: with a common normal |n x w| `spread` less,
 * w being the relative angular velocity. Twists as for clp_pair_track; they may not be NULL.
 * Allocates: no. Thread-safe: yes. */
CLP_API double clp_answer_rate(const clp_answer *answer, const clp_pose *X_WA,
                               const clp_twist *V_WA, const clp_pose *X_WB, const clp_twist *V_WB);

/* ---- Gains -------------------------------------------------------------------------------- */

/* Bounds of a twist, B's as seen from A: the speed of B's material at B's witness (m/s) and its
 * turning (rad/s). */
typedef struct clp_twist_bound {
  double linear, angular;
} clp_twist_bound;

/* Which gains K (1/s) a pair's controller may have: from `min`, with which motion does not leave
 * the witnesses farther behind than the bodies are apart, to below `max`, from where on the
 * integrator's steps no longer settle. */
typedef struct clp_gain_bounds {
  double min, max;
  double best;     /* the gain with which errors decay fastest */
  double lag;      /* how far at most the witnesses lag behind steady motion with it (m), measured
                      along each body, square to the normal */
  double step;     /* of the integrator: a cycle over the substeps (s) */
  double distance; /* at which the bounds were evaluated (m) */
} clp_gain_bounds;

/* The bounds for cycles of `cycle` seconds, in which B moves within `motion` as seen from A. They
 * are evaluated at the witnesses of the pair's last answer, in the poses given. With the switching
 * and the compensated controllers `max` falls as the distance grows, like 1 / (1 + distance *
 * curvature): a gain that is to hold over a range of distances is the one for the largest of them.
 * The other controllers' bounds are the same everywhere; auto and newton do not use a gain, and get
 * the linearising one's. Where motion is too fast for any gain `min` is above `max`. All is zero
 * before the first answer. Allocates: no. Thread-safe: for different pairs. */
CLP_API clp_gain_bounds clp_pair_gain_bounds(const clp_pair *pair, const clp_pose *X_WA,
                                             const clp_pose *X_WB, double cycle,
                                             clp_twist_bound motion);

/* CLP_OK for a gain within the bounds; else CLP_ERROR_ARGUMENT, and `text`, which may be NULL, gets
 * a sentence with the bounds, cut off at `size` bytes. Allocates: no. Thread-safe: yes. */
CLP_API clp_status clp_gain_check(const clp_gain_bounds *bounds, double gain, char *text,
                                  size_t size);

#ifdef __cplusplus
}
#endif

#endif

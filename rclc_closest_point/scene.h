/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_SCENE_H
#define RCLC_CLOSEST_POINT_SCENE_H

/* Many links in motion: poses in, the closest distances of all pairs of links out.
 *
 * A *link* is one or several rigid parts that move as one; a *pair* is two links whose distance is
 * wanted. Once a cycle the caller sets the poses of the links that have moved and calls
 * clp_scene_step, which steps the pairs that are near and knows of each of the others how far away
 * it is at least: the lower bound over all pairs is proven, whatever was spared.
 *
 * All memory is taken when the scene is created, and when a pair is added (see clp_scene_add_pair).
 * No call uses variables outside of the scene: different scenes may be used by different threads,
 * one scene by one thread at a time; functions that take a const scene may run side by side. After
 * a failure the scene is what it was. Time and poses are inputs, so the same calls give the same
 * bits. Units are SI and radians. */

#include "rclc_closest_point/closest_point.h"
#include "rclc_closest_point/derivative.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct clp_scene clp_scene;

/* ---- Links and pairs, by id --------------------------------------------------------------- */

/* Zero is nobody. The index of what was removed is given out again, with another generation, so
 * that an old id is known to be one. */
typedef struct clp_link_id {
  uint32_t index, generation;
} clp_link_id;

typedef struct clp_link_pair_id {
  uint32_t index, generation;
} clp_link_pair_id;

typedef struct clp_part {
  const clp_body *body; /* outlives the link */
  clp_pose X_LP;        /* of the part in its link */
  const char *name; /* a model's: "" where the link has one part without a name; a scene does not
                       look at it */
} clp_part;

/* A link as its parts, which a scene copies. */
typedef struct clp_link {
  const clp_part *parts;
  int count;
} clp_link;

/* ---- Creation ----------------------------------------------------------------------------- */

/* How much there may be at once. Zero stands for: as many parts as links, part_pairs as pairs,
 * tracked as part_pairs. */
typedef struct clp_scene_limits {
  int links, parts;
  int pairs;      /* of links */
  int part_pairs; /* a pair of links has as many as the product of their parts */
  int tracked;    /* states of pairs of parts that are kept for tracking, less than 1 KiB each */
} clp_scene_limits;

/* Lends the scene other threads: must call job(context, i) once for every i from 0 to count - 1,
 * in any order, on any threads, and return when all of them have returned. The results do not
 * depend on how it does so. */
typedef struct clp_workers {
  void (*run)(void *user, void (*job)(void *context, int i), void *context, int count);
  void *user;
} clp_workers;

typedef struct clp_scene_options {
  clp_pair_options pair;   /* of all pairs; its range is the monitored one */
  bool nearest_only;       /* step only what could be the nearest of all */
  int max_pairs_per_cycle; /* of links; 0: all that are due */
  int max_new_per_cycle;   /* of these, in clp_scene_step: of which no part is followed yet, and
                              which cost many times the others; 0: all */
  int events;              /* changes of features kept of each tracked state for clp_scene_event, 32
                              bytes each; 0 to CLP_MAX_EVENTS */
  clp_workers workers;     /* run is NULL: the step does it all by itself */
} clp_scene_options;

/* Everything within an unlimited range, in the calling thread. Allocates: no. Thread-safe: yes. */
CLP_API clp_scene_options clp_default_scene_options(void);

/* An empty scene; options of NULL are the default ones. CLP_ERROR_ARGUMENT: no links, no pairs, a
 * negative number. Allocates: yes, all but what clp_scene_add_pair says. Thread-safe: yes. */
CLP_API clp_status clp_scene_create(const clp_scene_limits *limits,
                                    const clp_scene_options *options, clp_scene **scene);

/* NULL is allowed. Allocates: no. Thread-safe: for different scenes. */
CLP_API void clp_scene_destroy(clp_scene *scene);

/* What there is now, and the most of each that there has been at once. Allocates: no.
 * Thread-safe: yes. */
CLP_API clp_scene_limits clp_scene_in_use(const clp_scene *scene);
CLP_API clp_scene_limits clp_scene_high_water(const clp_scene *scene);

/* ---- Between steps: what is in the scene -------------------------------------------------- */

/* All of these are CLP_ERROR_ARGUMENT for an id that is not in use, and CLP_ERROR_LIMIT beyond a
 * limit. */

/* A new link rests at the origin. CLP_ERROR_POSE: a part's is none. CLP_ERROR_ARGUMENT: no
 * parts, or one without a body. Allocates: no. Thread-safe: for different scenes. */
CLP_API clp_status clp_scene_add_link(clp_scene *scene, clp_link link, clp_link_id *id);

/* Its pairs go with it. Takes time in proportion to all pairs. Allocates: no. Thread-safe: for
 * different scenes. */
CLP_API clp_status clp_scene_remove_link(clp_scene *scene, clp_link_id id);

/* The pairs of a link that is not enabled are left out, until it is again. Allocates: no.
 * Thread-safe: for different scenes. */
CLP_API clp_status clp_scene_enable_link(clp_scene *scene, clp_link_id id, bool enabled);

/* The link's pose from the next step on, and its twist over the time that leads there; NULL where
 * that is not known. A link that is not set between two steps rests. CLP_ERROR_POSE: a number that
 * is not finite, or a rotation that is none to 1e-6; distances are as exact as rotations are.
 * CLP_ERROR_ARGUMENT: a twist with such a number.
 * Allocates: no. Thread-safe: for different scenes. */
CLP_API clp_status clp_scene_set_motion(clp_scene *scene, clp_link_id id, const clp_pose *X_WL,
                                        const clp_twist *V_WL);

/* The same of many links: the same results to the last bit, for fewer instructions. All of them or,
 * after a failure, none; V_WL is NULL where no twist is known. CLP_ERROR_ARGUMENT also for a link
 * that is there twice and for a negative count. Allocates: no. Thread-safe: for different scenes.
 */
CLP_API clp_status clp_scene_set_motions(clp_scene *scene, const clp_link_id *ids,
                                         const clp_pose *X_WL, const clp_twist *V_WL, int count);

/* Two different links, in this order. CLP_ERROR_ARGUMENT also for a planar part and one that is
 * neither planar nor a point. Allocates: for each pair of parts that are not both convex and
 * closed, the cells of its search, some 7 MB; for the controller newton, its memory.
 * Thread-safe: for different scenes. */
CLP_API clp_status clp_scene_add_pair(clp_scene *scene, clp_link_id a, clp_link_id b,
                                      clp_link_pair_id *id);

/* Allocates: no. Thread-safe: for different scenes. */
CLP_API clp_status clp_scene_remove_pair(clp_scene *scene, clp_link_pair_id id);

/* The monitored range (0: no limit) and the width of interval that counts as TRACKING, as in
 * clp_pair_options. Allocates: no. Thread-safe: for different scenes. */
CLP_API clp_status clp_scene_set_range(clp_scene *scene, double range);
CLP_API clp_status clp_scene_set_tolerance(clp_scene *scene, double tolerance);

/* A face of a link and parameters on it. */
typedef struct clp_link_spot {
  int part;
  uint32_t face;
  double u, v;
} clp_link_spot;

/* Where tracking of a pair begins, instead of with a search. Allocates: no. Thread-safe: for
 * different scenes. */
CLP_API clp_status clp_scene_start(clp_scene *scene, clp_link_pair_id id, clp_link_spot a,
                                   clp_link_spot b);

/* Whether what is planar meets only what lies in its plane. A distance to what is outside of it
 * means nothing. */
typedef enum clp_meeting {
  CLP_MEETING_FINE,
  CLP_MEETING_WITH_SOLID, /* a planar part, and one that is neither planar nor a point */
  CLP_MEETING_OFF_PLANE   /* a part outside the plane of the other one */
} clp_meeting;

/* In the poses that were set last. CLP_MEETING_FINE for an id that is not in use. Allocates: no.
 * Thread-safe: yes. */
CLP_API clp_meeting clp_scene_meeting(const clp_scene *scene, clp_link_pair_id id);

/* ---- The step ----------------------------------------------------------------------------- */

/* What a cycle has found. All pairs whose links are enabled are counted once in stepped, culled
 * or uncovered. */
typedef struct clp_scene_report {
  uint64_t cycle; /* counts from 1 */
  double time;
  clp_link_pair_id minimum; /* the nearest pair that is not culled; zero where all are */
  double distance;          /* its; infinite where there is none */
  double lower_bound;       /* of all pairs, culled ones included; infinite where there is none */
  int pairs;
  int stepped;    /* answered in this cycle */
  int culled;     /* proven to be out of range, or not to be the nearest */
  int uncovered;  /* neither: beyond a limit or the budget; they are first in the next cycle */
  int part_pairs; /* pairs of parts that were stepped */
} clp_scene_report;

/* One cycle: every pair that is due goes on from its last answer. `time` (s) is that of the
 * poses and does not go backwards: pairs are due at different cycles, and each is tracked over the
 * time since its own last one. Allocates: no; takes no lock and makes no system call, unless the
 * workers do. Thread-safe: for different scenes. */
CLP_API clp_scene_report clp_scene_step(clp_scene *scene, double time);

/* The same from scratch: nothing is used of what earlier cycles have found. Allocates: no.
 * Thread-safe: for different scenes. */
CLP_API clp_scene_report clp_scene_query(clp_scene *scene, double time);

/* ---- Answers ------------------------------------------------------------------------------ */

typedef enum clp_coverage {
  CLP_COVERAGE_NONE, /* an id that is not in use, a link that is not enabled, or no cycle yet */
  CLP_STEPPED,
  CLP_CULLED,
  CLP_UNCOVERED
} clp_coverage;

/* What is known of a pair of links. The nearest pair of parts speaks for them: `answer` is its
 * answer in this cycle, but
 *  - lower_bound is the smallest over all pairs of parts;
 *  - status is PENETRATING when any parts overlap; CONVERGING when some other pair of
 *    parts is not narrowed down, or a body of it not proven, and might be nearer;
 *  - steps counts those of all pairs of parts that were stepped;
 *  - non_unique is also set when other parts are as near elsewhere.
 * When all of them are out of range, it need not be the nearest that speaks.
 * Of a pair that was not stepped, the witnesses are those of its last answer, moved along with the
 * links, or any places, before the first one and where it was given so far away that rounding left
 * no place of the link: the distance is theirs, and the bound is as low as the motion since could
 * have made it; both hold. Status is then OUT_OF_RANGE or CONVERGING, and STALE with infinite
 * bounds for CLP_COVERAGE_NONE. Of a pair with several parts, of which some were stepped and bounds
 * tell that no other is nearer, it is theirs, with CLP_UNCOVERED for the others. The same is said,
 * without events, of a pair that was stepped where coordinates are too large to compute with:
 * `asked` is 0. Features are numbered within their part. */
typedef struct clp_link_answer {
  clp_answer answer;
  int part_a, part_b;
  int asked; /* how many pairs of parts were stepped */
  clp_coverage coverage;
  uint64_t cycle; /* of the last answer; 0: never */
} clp_link_answer;

/* Allocates: no. Thread-safe: yes. */
CLP_API clp_link_answer clp_scene_answer(const clp_scene *scene, clp_link_pair_id id);

/* Where a pair's links were in the last cycle, 0: A, 1: B; of an id that is not in use the origin.
 * Allocates: no. Thread-safe: yes. */
CLP_API clp_pose clp_scene_pose(const clp_scene *scene, clp_link_pair_id id, int which);

/* The derivatives of a pair's answer in the last cycle by its links' twists, as
 * clp_pair_derivatives has them; where several parts are as near, those of all of them, one after
 * the other, of which the distance follows the one that falls fastest. None of a pair that was not
 * stepped. Allocates: no. Thread-safe: yes. */
CLP_API int clp_scene_derivatives(const clp_scene *scene, clp_link_pair_id id,
                                  clp_derivative *derivatives, int capacity);

/* The pairs that were not culled in the last cycle, in the order of their indices. Allocates: no.
 * Thread-safe: yes. */
CLP_API int clp_scene_near_count(const clp_scene *scene);
CLP_API clp_link_pair_id clp_scene_near(const clp_scene *scene, int k);

/* What most callers want of an answer: how near, how near at least, and how well that is known. */
typedef struct clp_link_distance {
  clp_link_pair_id pair;
  double distance, lower_bound;
  clp_pair_status status; /* not TRACKING: not proven, overlapping, out of range, or not known */
  clp_coverage coverage;
} clp_link_distance;

/* Of those pairs, in that order, what clp_scene_answer says of each, to the last bit and for a
 * sixth of the instructions: all that are in range, or may be, and whoever has just been found to
 * be out of it. So many of them as there is room for, NULL for none, and how many there are:
 * clp_scene_near_count. Allocates: no. Thread-safe: yes. */
CLP_API int clp_scene_near_distances(const clp_scene *scene, clp_link_distance *distances,
                                     int capacity);

/* A change of the feature that the links' witness lies on. */
typedef struct clp_link_event {
  int which; /* 0: on A, 1: on B */
  int from_part, to_part;
  clp_transition_event transition;
} clp_link_event;

/* The changes during the last query or cycle. In a cycle these are the transitions of the nearest
 * parts, from the feature of the answer before to that of this one; when other parts take over, the
 * witnesses are found anew, or there were more than the options' `events`, one step on each link
 * whose feature differs. So one event goes on where the one before it on its link ended. In a query
 * they are what the search came across. Of a pair's events those that can be read are counted.
 * Allocates: no. Thread-safe: yes. */
CLP_API int clp_scene_event_count(const clp_scene *scene, clp_link_pair_id id);
CLP_API clp_link_event clp_scene_event(const clp_scene *scene, clp_link_pair_id id, int index);

/* clp_pair_gain_bounds of the nearest parts, where the last answer found them and for the motion of
 * the last cycle, if cycles take so many seconds. All zero for a pair that was not stepped in it.
 * Allocates: no. Thread-safe: yes. */
CLP_API clp_gain_bounds clp_scene_gain_bounds(const clp_scene *scene, clp_link_pair_id id,
                                              double cycle);

#ifdef __cplusplus
}
#endif

#endif

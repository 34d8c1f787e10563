/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_EXCLUSION_SEARCH_H
#define RCLC_CLOSEST_POINT_EXCLUSION_SEARCH_H

/* Inside the exclusion: what is kept between calls, and what one call knows. */

#include "rclc_closest_point/base/larger.h"
#include "rclc_closest_point/base/rounding.h"
#include "rclc_closest_point/exclusion/cell_bowl.h"
#include "rclc_closest_point/exclusion/cell_core.h"
#include "rclc_closest_point/exclusion/cell_inside.h"
#include "rclc_closest_point/exclusion/cell_watch.h"
#include "rclc_closest_point/exclusion/exclusion.h"

/* Witnesses nearer than this (of both bodies' sizes) touch, and those that rounding may have put
 * apart. */
#define CLP_TOUCHING_WITNESSES 1e-12

/* Two covers of all pairs of points by cells, each of which proves a bound. The kept one is
 * retested in every cycle; the other one is built from the roots over as many cycles as it takes,
 * when the kept one does not prove enough any more or has been divided so finely, near earlier
 * witnesses, that it costs more. Whichever proves more counts. */
typedef struct clp_search_cover {
  clp_cell_queue queue;
  int spent; /* cells examined since the roots */
} clp_search_cover;

/* Of a boundary point of one body as seen from the other. */
typedef enum clp_whereabouts {
  CLP_WHEREABOUTS_UNKNOWN,
  CLP_WHEREABOUTS_OUTSIDE,
  CLP_WHEREABOUTS_INSIDE
} clp_whereabouts;

struct clp_exclusion {
  clp_chart_tree tree[2];
  clp_search_cover covers[2];
  int kept;        /* which one is; the other one is being built ... */
  bool building;   /* ... or not */
  clp_spots spots; /* of the last call, and the pose then */
  clp_pose X_AB;
  bool has_core; /* the kept cover's cell about the witnesses, which is not in its queue */
  clp_cell_core core;
  clp_bowls bowls;
  clp_cell_watch watch; /* of the kept cover, which are not in its queue: in quiet cycles alone */
  double core_key;      /* what was proven of it, plus the motion then */
  double core_ends;     /* when the motion is more, nothing is known of it */
  bool non_unique;      /* in the last call */
  clp_whereabouts whereabouts;
  double pace;    /* the motion since the last call */
  double motion;  /* the sum of the motions between calls: what every bound has lost since ... */
  double turn;    /* ... and of the turns */
  double lower;   /* of the last call, plus the motion then */
  uint32_t cycle; /* counts calls */
  int from_roots; /* cells that the kept cover took when it was built */
  int unproven;   /* for how many calls it has not proven enough */
};

/* ---- One call ----------------------------------------------------------------------------- */

typedef struct clp_search {
  clp_exclusion *exclusion;
  const clp_couple *couple;
  clp_charted_couple charted;
  clp_search_cover *cover; /* the one that is worked on */
  clp_spots best;
  double upper;
  bool solid; /* one of the bodies has an inside that the other could be in */
  double tolerance;
  int budget; /* of cells: as many may have been examined, by what is running now */
  int cells, glances;
  int descents, descents_most, next_descent;
  int elsewhere, elsewhere_most;
  bool watching; /* cells that wear go to those that are watched */
} clp_search;

static inline bool clp_search_touches(const clp_search *s)
{
  const clp_couple *c = s->couple;
  double together = c->a->size + c->b->size;
  return s->upper <= clp_max(CLP_TOUCHING_WITNESSES * together, clp_couple_rounding(c, s->upper));
}

/* Nothing that cells could prove is wanted. */
static inline bool clp_search_is_done(const clp_search *s)
{
  return clp_search_touches(s) || (!s->solid && s->upper <= s->tolerance);
}

/* What a sum with the motion proves now: it was rounded where the motion's digits end. */
static inline double clp_bound_now(const clp_exclusion *e, double key)
{
  return key - e->motion - CLP_ROUNDING_UNIT * e->motion;
}

/* Which side of a solid's boundary the other body is on is taken from witnesses whose distance is
 * proven to be the smallest but for this part of it. Nearer ones than that may be on another wall,
 * with the other side towards them: parallel walls are farther by what is between them, and where
 * two walls meet in an angle t the place on the wrong one by t^2 / 2 of the distance at least, of
 * which a quarter is allowed. What rounding and slack take off every proof, of cells a few times
 * that of a pair, is no doubt but where that is more. */
#define CLP_SIDE_DOUBT 1e-5

static inline double clp_search_side_rounding(const clp_search *s)
{
  return 8 * clp_couple_rounding(s->couple, s->upper);
}

/* How much nearer than the wrong wall the right one is by the angles in which walls meet. */
static inline double clp_search_side_angle(const clp_search *s)
{
  const clp_body *a = s->couple->a, *b = s->couple->b;
  double t =
      clp_min(clp_is_solid(a) ? a->sharpness : HUGE_VAL, clp_is_solid(b) ? b->sharpness : HUGE_VAL);
  return 0.125 * clp_min(t * t, 1) * s->upper;
}

/* Beside an edge that is so sharp that digits end before the walls differ it is never told. */
static inline bool clp_search_may_tell_side(const clp_search *s)
{
  return clp_search_side_angle(s) >= clp_search_side_rounding(s);
}

static inline double clp_search_side_gap(const clp_search *s)
{
  const clp_couple *c = s->couple;
  double walls = clp_min(clp_is_solid(c->a) ? c->a->size : HUGE_VAL,
                         clp_is_solid(c->b) ? c->b->size : HUGE_VAL);
  double doubt = clp_min(CLP_SIDE_DOUBT * clp_min(s->upper, walls), clp_search_side_angle(s));
  return clp_max(doubt, clp_search_side_rounding(s));
}

/* Boundaries that have been apart since the side was told have not changed sides. Asked before the
 * call's own proof is put down. */
static inline bool clp_search_knows_side(const clp_search *s)
{
  const clp_exclusion *e = s->exclusion;
  return e->whereabouts != CLP_WHEREABOUTS_UNKNOWN && clp_bound_now(e, e->lower) > 0;
}

/* Cells whose bound is above need no more work. Whether a solid is inside another one can be told
 * only where the boundaries are known to be apart. */
static inline double clp_search_target(const clp_search *s)
{
  double slack = s->solid ? clp_min(s->tolerance, 0.5 * s->upper) : s->tolerance;
  if (s->solid && !clp_search_knows_side(s))
    slack = clp_min(slack, clp_search_side_gap(s));
  return s->upper - slack;
}

/* ---- Witnesses (search_witnesses.c) -------------------------------------------------------- */

/* A descent from the spots, whose end is taken where it is nearer than the best; none where there
 * have been enough of them. */
void clp_search_descend(clp_search *s, clp_spots spots);

/* The witnesses on the features that they belong to, as near as rounding lets them come. */
void clp_search_settle(clp_search *s);

/* Some witnesses to begin with, where the caller has none that are of any use. */
void clp_search_need_witnesses(clp_search *s);

/* From the most promising cell, which at the end of a search is a small one. */
void clp_search_descend_from_first(clp_search *s);

/* Descents start where they gain at once, and now and then from the most promising cell. */
void clp_search_use_verdict(clp_search *s, const clp_tracts *tracts,
                            const clp_cell_verdict *verdict);

/* Whether there are separate witnesses that are as near. */
bool clp_search_finds_elsewhere(clp_search *s);

#endif

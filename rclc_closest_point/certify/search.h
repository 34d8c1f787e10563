/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_CERTIFY_SEARCH_H
#define RCLC_CLOSEST_POINT_CERTIFY_SEARCH_H

#include <math.h>

#include "rclc_closest_point/certify/chain.h"

/* Two parts, and what is known of them for good. */
typedef struct clp_certify_parts {
  int a, b;       /* parts of the chain */
  int owner;      /* the pair of links */
  int shared;     /* movers that both hang on */
  int frame;      /* the last of these, in whose frame directions rest; -1: the root's */
  bool planes;    /* supporting planes bound them; else what is asked at instants, and balls */
  bool proven;    /* else nothing that is asked counts but the distances found */
  double size;    /* of both: what rounding is relative to (m) */
  double radii;   /* of both balls (m) */
  double reach;   /* of both */
  clp_pair *pair; /* asked at one instant after the other */
  long question;  /* in which it was asked last */
} clp_certify_parts;

/* A pair of links while it is worked on. */
typedef struct clp_certify_state {
  int first, end; /* its pairs of parts */
  double lower;   /* of all stretches that are done with */
  double before;  /* what earlier passes have proven */
  double best;    /* the least distance found */
  int segment;    /* when */
  double s;
  int contact;   /* the pair of parts that was found to overlap, or -1 */
  long asked;    /* since there was contact */
  double wanted; /* a stretch whose bound is as high is done with */
  bool busy;     /* it is worked on in this pass */
  bool decided;  /* and not any more in later ones */
} clp_certify_state;

/* A direction that was asked for at one instant: what it proves there, of the signed distance. */
typedef struct clp_end {
  bool asked;
  clp_vec3 n;   /* unit, from A to B, in the pair's frame */
  double gap;   /* along n; -infinity where no planes bound the pair */
  double lower; /* proven */
} clp_end;

/* A pair of parts in a stretch that is not done with. */
typedef struct clp_stretch_entry {
  int pair;
  double lower; /* proven over the stretch */
  double slip;  /* what of that is owed to the stretch being long */
  double way;   /* how far any two points can have come closer since the nearer end */
  clp_end from, middle, to;
} clp_stretch_entry;

struct clp_certifier {
  clp_chain chain;
  clp_certify_pair *links; /* pairs of links, as named */
  clp_certify_parts *pairs;
  clp_certify_state *states;
  int link_pair_count, pair_count;
  clp_instant *instants; /* two ends, then one for each level */
  clp_vec3 *vectors;     /* what they and the rates are made of */
  clp_pose *poses;
  double *numbers;
  bool *known;
  clp_rates rates;
  clp_stretch_entry *entries;
  int capacity;
  clp_joint_course *courses; /* of an edge */

  /* A question while it is worked on. */
  long question; /* its number */
  const clp_course_segment *segments;
  int segment_count;
  clp_certify_options options;
  double coarse; /* of the pass: the tolerance as a part of the distance, where that is more */
  double charge; /* what rounding, and turns that differ between segments, may do to a place (m),
                    for each m of how far from the root it is */
  double jumps;  /* what slides that differ between segments do to one (m) */
  double slides; /* how far movers that slide can have gone (m) */
  long steps;
  int used;        /* entries */
  bool spent;      /* the steps */
  bool given_up;   /* by whoever asked */
  bool first_only; /* what follows the first pair that is not CLEAR does not matter */
  bool ended;      /* that pair was found */
};

/* How often a stretch is halved at most; and of how many pairs there is always room for all of
 * these levels. */
enum { CLP_CERTIFY_LEVELS = 96, CLP_CERTIFY_GROUP = 64 };

/* Between two instants. */
typedef struct clp_stretch {
  const clp_instant *from, *to;
  double length; /* s */
  bool smooth;   /* within one segment */
  bool last;     /* not divided any more */
} clp_stretch;

/* ---- Bounds (stretch.c) ---------------------------------------------------------------- */

/* How fast any two points of A and B approach each other at most in a stretch, and how fast that
 * changes, as seen from the pair's frame (m/s, m/s^2). */
typedef struct clp_closing {
  double speed, acceleration;
} clp_closing;

clp_closing clp_closing_over(clp_certifier *c, const clp_certify_parts *pair,
                             const clp_stretch *stretch);

/* No point of A is nearer to any of B at any instant of the stretch, signed: over balls alone,
 * which is enough for most; and with what is known at the ends. `enough`: no more is wanted. */
double clp_bound_of_balls(clp_certifier *c, const clp_certify_parts *pair,
                          const clp_stretch *stretch, double enough, clp_closing *m);
double clp_bound_over(const clp_certifier *c, const clp_stretch_entry *entry, clp_closing m,
                      const clp_stretch *stretch, double enough);

/* A direction in the pair's frame, and in the root's. */
clp_vec3 clp_into_frame(const clp_certify_parts *pair, const clp_instant *at, clp_vec3 n);
clp_vec3 clp_out_of_frame(const clp_certify_parts *pair, const clp_instant *at, clp_vec3 n);

/* The gap along n, in the pair's frame, at an instant: a lower bound of the signed distance. */
double clp_gap_along(const clp_certifier *c, const clp_certify_parts *pair, const clp_instant *at,
                     clp_vec3 n);

/* A direction in the root's frame in which boxes round both parts are apart at an instant, of any
 * length; zero where they overlap. */
clp_vec3 clp_direction_of_boxes(const clp_certifier *c, const clp_certify_parts *pair,
                                const clp_instant *at);

/* How far these boxes are apart at least: a lower bound of the signed distance. */
double clp_box_gap_at(const clp_certifier *c, const clp_certify_parts *pair, const clp_instant *at);

/* What rounding may have done to a distance between places of both. */
double clp_charge_of(const clp_certifier *c, const clp_certify_parts *pair);

/* ---- Search (search.c) -------------------------------------------------------------------- */

/* All busy pairs over all segments, which there are. */
void clp_search_all(clp_certifier *c);

/* s seconds into a segment, and not after it: its length is rounded. */
static inline double clp_time_of(const clp_certifier *c, int segment, double s)
{
  return fmin(c->segments[segment].from + s, c->segments[segment].to);
}

/* What is wanted of the pair's bounds from now on; whether more is. */
void clp_update_wanted(clp_certifier *c, clp_certify_state *state);

/* Asks for the distance of two parts at an instant; what is found is kept. Nothing is where it has
 * been given up. */
clp_end clp_ask(clp_certifier *c, int pair, const clp_instant *at);

/* ---- Contact (touch.c) -------------------------------------------------------------------- */

/* From an instant at which the pair's parts were found to overlap, as long before and after as it
 * is proven that they do. */
void clp_contact_interval(clp_certifier *c, int link_pair, clp_certified *result);

#endif

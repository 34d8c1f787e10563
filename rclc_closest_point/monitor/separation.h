/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_MONITOR_SEPARATION_H
#define RCLC_CLOSEST_POINT_MONITOR_SEPARATION_H

/* Speed and separation monitoring as in ISO/TS 15066: a zone, and how fast the robot may go.
 *
 * Of every pair that counts the guaranteed distance is compared with the required one,
 *     S_p = v_h (T_r + T_s) + v_r T_r + S_stop + C + Z,  at least stop_distance,
 * v_h, v_r: the speeds at which the obstacle and the robot approach, T_r, T_s: reaction_time and
 * stopping_time, S_stop: stopping_distance, C: intrusion, Z: position_uncertainty. The difference
 * is the pair's *margin*; the pair with the least one decides. What is not known for certain counts
 * as no distance at all. docs/safety.md derives what that guarantees.
 *
 *   margin     < 0     0 ... hysteresis ...     width (+ hysteresis)
 *   zone       STOP    WARN                     CLEAR
 *   scale      0       0         rising to      1
 *
 * Zones become worse at once. They become better when the margin has been beyond the limit by more
 * than the hysteresis, without a break, for minimum_hold. The scale is a function of the margin,
 * but never rises faster than CLP_SCALE_RISE; until it has risen the zone is WARN. So the closer of
 * two histories, being nowhere farther away than the other one, is nowhere faster. */

#include "rclc_closest_point/monitor/report.h"
#include "rclc_closest_point/monitor/settings.h"

/* Per second. Lower bounds fall with the age of a pose and jump up at the next one; the scale
 * follows their lower envelope. */
#define CLP_SCALE_RISE 2.0

typedef enum clp_role {
  CLP_ROLE_ANY, /* it is not said who is the robot: each may be it, the other one a person */
  CLP_ROLE_ROBOT,
  CLP_ROLE_HUMAN, /* may approach at human_speed at any time */
  CLP_ROLE_THING  /* approaches as it is seen to */
} clp_role;

typedef enum clp_doubt {
  CLP_DOUBT_NONE,
  CLP_DOUBT_STALE,
  CLP_DOUBT_PLANE,     /* what is planar is met outside of its plane */
  CLP_DOUBT_UNCOVERED, /* there was no time for it */
  CLP_DOUBT_UNPROVEN,  /* samples vouch for a part, and so for the bound */
  CLP_DOUBTS
} clp_doubt;

typedef struct clp_separation_party {
  const char *body;
  clp_role role;
  bool moves;
  double speed; /* towards the other one; NaN: not measured */
  double age;   /* of its pose */
} clp_separation_party;

typedef struct clp_separation_pair {
  clp_separation_party a, b;
  clp_doubt doubt;
  bool open;             /* the distance itself is not known yet, which the bound does not need */
  double lower_bound;    /* of the distance */
  double approach_speed; /* of both; NaN where it is not known */
} clp_separation_pair;

/* A limit that has been fallen short of. */
typedef struct clp_latch {
  bool on;
  int64_t violated; /* when the margin was last not beyond limit and hysteresis */
} clp_latch;

/* Starts from {0}. */
typedef struct clp_separation {
  bool started;
  int64_t time;
  clp_latch stop, warn;
  double speed_scale;
  /* Of this cycle: */
  const char *alarm; /* or NULL */
  int counts[CLP_DOUBTS];
  clp_separation_pair first[CLP_DOUBTS]; /* of each kind the one with the least margin, */
  double margins[CLP_DOUBTS];            /* which is this */
} clp_separation;

/* Whether two links that are so far apart can be ignored, whatever they do. */
double clp_separation_range(const clp_settings *settings);

/* S_p, or stop_distance where that is larger. */
double clp_separation_required(const clp_separation_pair *pair, const clp_settings *settings);

/* The margin at which WARN begins. */
double clp_separation_warn_width(const clp_settings *settings);

/* A cycle: all pairs that count, then the judgment on them. What a pair requires is returned. A
 * pause between cycles of more than stale_after and ten periods is like a new start. */
double clp_separation_add(clp_separation *separation, const clp_separation_pair *pair,
                          const clp_settings *settings);
/* In this cycle it is STOP for this reason, whatever the distances; held like every other. */
void clp_separation_alarm(clp_separation *separation, const char *reason);
clp_safety clp_separation_judge(clp_separation *separation, const clp_settings *settings,
                                int64_t time);

/* The zone is STOP, and left when the margin has been beyond it for minimum_hold from this time on.
 */
void clp_separation_hold(clp_separation *separation, int64_t time);

/* STOP for a reason that has nothing to do with distances. */
clp_safety clp_separation_stop(const char *reason);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TEST_SUPPORT_MOTION_JUDGE_H
#define TEST_SUPPORT_MOTION_JUDGE_H

#include "support/random_arm.h"

/* Samples of a motion, against what is claimed of all of it. A sample is a pair that is asked at
 * poses of the joint tree: neither knows of what is tested. Of samples close to each other most
 * need no question: no point of B, as A sees it, is farther from where it was at the last question
 * than what the two poses say, so that the distance has not fallen by more. */

enum { JUDGED_MAX = 4 };

typedef struct judged_parts {
  clp_pair *pair;
  clp_pose X_LA, X_LB;
  bool convex;
  clp_vec3 center; /* of a ball that holds B, in B's frame */
  double radius;
  bool asked;
  clp_pose then; /* of B in A's frame, at the last question */
  double lower;  /* what was proven there */
} judged_parts;

typedef struct motion_judge {
  judged_parts parts[JUDGED_MAX];
  int a, b, count;
  long questions;
} motion_judge;

static inline judged_parts judge_parts(clp_part a, clp_part b)
{
  judged_parts p = {.X_LA = a.X_LP, .X_LB = b.X_LP};
  clp_pair_options options = clp_default_pair_options();
  clp_body_info info = clp_body_describe(b.body);
  options.cells = 20000;
  ck_assert_int_eq(clp_pair_create(a.body, b.body, &options, &p.pair), CLP_OK);
  p.convex = info.convex && clp_body_describe(a.body).convex;
  p.center = clp_lerp(info.bounds.min, info.bounds.max, 0.5);
  p.radius = 0.5 * clp_distance(info.bounds.min, info.bounds.max) + info.slack;
  return p;
}

static inline motion_judge judge_make(const random_arm *arm, int pair)
{
  motion_judge j = {.a = arm->pairs[pair].a, .b = arm->pairs[pair].b};
  const clp_link *a = &arm->shapes[j.a], *b = &arm->shapes[j.b];
  for (int k = 0; k < a->count; ++k)
    for (int i = 0; i < b->count; ++i)
      j.parts[j.count++] = judge_parts(a->parts[k], b->parts[i]);
  return j;
}

static inline void judge_destroy(motion_judge *j)
{
  for (int k = 0; k < j->count; ++k)
    clp_pair_destroy(j->parts[k].pair);
}

static inline clp_answer judge_query(judged_parts *p, const clp_pose *X_A, const clp_pose *X_B)
{
  clp_pose A = clp_pose_multiply(*X_A, p->X_LA), B = clp_pose_multiply(*X_B, p->X_LB);
  return clp_pair_query(p->pair, &A, &B);
}

/* The nearest parts at a time, from scratch. */
static inline clp_answer judge_at(const random_arm *arm, motion_judge *j, double time)
{
  clp_answer nearest = {.distance = HUGE_VAL};
  clp_pose X[ARM_LINKS_MAX];
  arm_poses(arm, time, X);
  for (int k = 0; k < j->count; ++k) {
    clp_answer answer = judge_query(&j->parts[k], &X[j->a], &X[j->b]);
    if (answer.distance < nearest.distance)
      nearest = answer;
  }
  return nearest;
}

/* By how much any point of B can have come closer to A since the last question. A turn by an angle
 * t moves a point of the unit ball by 2 sin(t/2) at most, which is what the matrices differ by,
 * square and summed, over the square root of two. */
static inline double judge_moved(const judged_parts *p, const clp_pose *X_AB)
{
  const clp_mat3 *r = &X_AB->rotation, *q = &p->then.rotation;
  double turn2 = clp_norm2(clp_sub(r->x, q->x)) + clp_norm2(clp_sub(r->y, q->y)) +
                 clp_norm2(clp_sub(r->z, q->z));
  return clp_distance(clp_transform(*X_AB, p->center), clp_transform(p->then, p->center)) +
         sqrt(0.5 * turn2) * p->radius;
}

/* What samples may be below a proven bound by, for they are rounded, too (m). */
#define SAMPLE_ROUNDED 1e-12

/* What the depth of bodies that overlap may be off by (m). */
#define DEPTH_OFF 1e-9

/* Whether the parts are nearer than is claimed. How deep parts that are not convex overlap is not
 * defined: there a claim of no more than 0 is all that can be judged. */
static inline bool judge_refutes(motion_judge *j, judged_parts *p, const clp_pose *X_AB,
                                 double claim, double *found)
{
  const clp_pose rest = clp_pose_identity();
  bool first = !p->asked;
  if (!p->convex && claim <= 0)
    return false;
  clp_answer answer = first ? clp_pair_query(p->pair, &rest, X_AB)
                            : clp_pair_track(p->pair, &rest, X_AB, NULL, NULL, 0);
  ++j->questions;
  if (!first && (answer.distance < claim || answer.lower_bound < claim))
    answer = clp_pair_query(p->pair, &rest, X_AB);
  p->asked = true;
  p->then = *X_AB;
  p->lower = answer.lower_bound;
  *found = answer.distance;
  bool overlap = answer.status == CLP_PENETRATING;
  return overlap && !p->convex ? claim > 0
                               : answer.distance < claim - (overlap ? DEPTH_OFF : SAMPLE_ROUNDED);
}

/* A sample: the poses of all links. */
static inline bool judge_sample(motion_judge *j, const clp_pose *X, double claim, double *found)
{
  for (int k = 0; k < j->count; ++k) {
    judged_parts *p = &j->parts[k];
    clp_pose A = clp_pose_multiply(X[j->a], p->X_LA), B = clp_pose_multiply(X[j->b], p->X_LB);
    clp_pose X_AB = clp_pose_multiply(clp_pose_inverse(A), B);
    bool clear = p->asked && p->lower - judge_moved(p, &X_AB) >= claim;
    if (!clear && judge_refutes(j, p, &X_AB, claim, found))
      return true;
  }
  return false;
}

/* Moves the carried obstacle so that the first pair's links pass each other that closely, as far as
 * a few hundred samples know: less than 0 and they overlap a little. */
static inline void arm_graze(random_arm *arm, double gap)
{
  enum { ROUNDS = 6, SAMPLES = 300 };
  motion_judge j = judge_make(arm, 0);
  double from = arm->segments[0].from, to = arm->segments[arm->segment_count - 1].to;
  double sign = arm->pairs[0].b == arm->carried ? 1 : -1;
  for (int round = 0; round < ROUNDS; ++round) {
    clp_answer least = {.distance = HUGE_VAL};
    for (int k = 0; k <= SAMPLES; ++k) {
      clp_answer answer = judge_at(arm, &j, from + (to - from) * k / SAMPLES);
      if (answer.distance < least.distance)
        least = answer;
    }
    for (int k = 0; k < arm->segment_count; ++k) {
      clp_vec3 *place = &arm->carries[k].X_RL.position;
      *place = clp_add_scaled(*place, sign * (gap - least.distance), least.normal);
    }
  }
  judge_destroy(&j);
}

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TEST_SUPPORT_MOTION_JUDGE_H
#define TEST_SUPPORT_MOTION_JUDGE_H

#include "support/random_arm.h"

/* Samples of a motion, against what is claimed of all of it. A sample is a pair that is asked at
 * poses of the joint tree: neither knows of what is tested. Of samples close to each other most
 * need no question: no point of B, as A sees it, is farther from where it was at the last question
 * than what the two poses say, so that the distance has not fallen by more. And most of these need
 * no poses: for a while the joints' speeds alone say that it cannot have fallen by what was left of
 * it. Every answer is held against these speeds, too. */

enum { JUDGED_MAX = 4 };

typedef struct judged_parts {
  clp_pair *pair;
  clp_pose X_LA, X_LB;
  bool convex;
  clp_vec3 center; /* of a ball that holds B, in B's frame */
  double radius;
  bool asked;
  clp_pose then;   /* of B in A's frame, at the last question */
  double lower;    /* what was proven there */
  double way_then; /* of the judge's way() */
} judged_parts;

typedef struct motion_judge {
  judged_parts parts[JUDGED_MAX];
  int a, b, count;
  double speeds[ARM_SEGMENTS_MAX]; /* no two points of both approach each other faster */
  double clear_until;              /* no sample until then is nearer than is claimed */
  long looks, questions;
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

/* ---- How fast two links approach each other ----------------------------------------------- */

/* No point of the link is farther from its origin. */
static inline double judge_reach(clp_link link)
{
  double reach = 0;
  for (int k = 0; k < link.count; ++k) {
    clp_body_info info = clp_body_describe(link.parts[k].body);
    clp_vec3 center = clp_lerp(info.bounds.min, info.bounds.max, 0.5);
    double radius = 0.5 * clp_distance(info.bounds.min, info.bounds.max) + info.slack;
    reach = fmax(reach, clp_norm(link.parts[k].X_LP.position) + clp_norm(center) + radius);
  }
  return reach;
}

typedef struct judged_joint {
  double speed, extent; /* at most, in its own coordinate */
} judged_joint;

static inline judged_joint judge_joint(const random_arm *arm, int segment, int index)
{
  clp_joint joint = clp_joint_tree_joint(arm->tree, index);
  bool follows = joint.follows >= 0;
  const double *c = arm->courses[segment][follows ? joint.follows : index].c;
  double T = arm->segments[segment].to - arm->segments[segment].from, power = 1;
  judged_joint most = {0, fabs(c[0])};
  for (int k = 1; k < 6; ++k) {
    most.speed += k * fabs(c[k]) * power;
    power *= T;
    most.extent += fabs(c[k]) * power;
  }
  return follows ? (judged_joint){fabs(joint.factor) * most.speed,
                                  fabs(joint.factor) * most.extent + fabs(joint.offset)}
                 : most;
}

/* The link that the joint above it hangs on; of a carried link the root. */
static inline int judge_parent(const random_arm *arm, int link)
{
  return link == arm->carried
             ? 0
             : clp_joint_tree_joint(arm->tree, clp_joint_tree_joint_above(arm->tree, link)).parent;
}

static inline bool judge_hangs_on(const random_arm *arm, int link, int above)
{
  while (link != above && link != 0)
    link = judge_parent(arm, link);
  return link == above;
}

/* Of any point of a link, as seen from one that it hangs on: of each joint between them its speed,
 * and, where it turns, times all that there is of the arm beyond it. */
static inline double judge_link_speed(const random_arm *arm, int segment, int link, int above)
{
  double reach = judge_reach(arm->shapes[link]), speed = 0;
  const clp_twist *V = &arm->carries[segment].V_RL;
  if (link == arm->carried)
    return link == above ? 0 : clp_norm(V->linear) + clp_norm(V->angular) * reach;
  for (; link != above; link = judge_parent(arm, link)) {
    int index = clp_joint_tree_joint_above(arm->tree, link);
    clp_joint joint = clp_joint_tree_joint(arm->tree, index);
    judged_joint most = {0, 0};
    if (joint.type != CLP_JOINT_FIXED)
      most = judge_joint(arm, segment, index);
    bool slides = joint.type == CLP_JOINT_PRISMATIC;
    speed += most.speed * (slides ? 1 : reach);
    reach += clp_norm(joint.X_PJ.position) + (slides ? most.extent : 0);
  }
  return speed;
}

/* What both hang on moves them as one. */
static inline double judge_speed(const random_arm *arm, int segment, int a, int b)
{
  int above = a;
  while (!judge_hangs_on(arm, b, above))
    above = judge_parent(arm, above);
  return judge_link_speed(arm, segment, a, above) + judge_link_speed(arm, segment, b, above);
}

static inline int judge_segment(const random_arm *arm, double time)
{
  int k = 0;
  while (k + 1 < arm->segment_count && time > arm->segments[k].to)
    ++k;
  return k;
}

/* How far any two points of both can have come closer since the beginning. */
static inline double judge_way(const random_arm *arm, const motion_judge *j, double time)
{
  int last = judge_segment(arm, time);
  double way = j->speeds[last] * (time - arm->segments[last].from);
  for (int k = 0; k < last; ++k)
    way += j->speeds[k] * (arm->segments[k].to - arm->segments[k].from);
  return way;
}

/* ---- One pair of links -------------------------------------------------------------------- */

static inline motion_judge judge_make(const random_arm *arm, int pair)
{
  motion_judge j = {.a = arm->pairs[pair].a, .b = arm->pairs[pair].b, .clear_until = -HUGE_VAL};
  for (int k = 0; k < arm->segment_count; ++k)
    j.speeds[k] = judge_speed(arm, k, j.a, j.b);
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

/* Whether parts are in contact at a time, as their answer at the last such time leads on: that two
 * overlap is proven or not said. */
static inline bool judge_touches(const random_arm *arm, motion_judge *j, double time, double off)
{
  clp_pose X[ARM_LINKS_MAX];
  arm_poses(arm, time, X);
  for (int k = 0; k < j->count; ++k) {
    judged_parts *p = &j->parts[k];
    clp_pose A = clp_pose_multiply(X[j->a], p->X_LA), B = clp_pose_multiply(X[j->b], p->X_LB);
    clp_answer answer = clp_pair_track(p->pair, &A, &B, NULL, NULL, 0);
    if (answer.status == CLP_PENETRATING || answer.distance < off)
      return true;
  }
  return false;
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

/* Whether the parts are nearer than is claimed, and before that whether speeds have promised that
 * they are not as near. */
static inline bool judge_refutes(motion_judge *j, judged_parts *p, const clp_pose *X_AB, double way,
                                 double claim, double *found)
{
  const clp_pose rest = clp_pose_identity();
  bool first = !p->asked;
  clp_answer answer = first ? clp_pair_query(p->pair, &rest, X_AB)
                            : clp_pair_track(p->pair, &rest, X_AB, NULL, NULL, 0);
  ++j->questions;
  if (!first && (answer.distance < claim || answer.lower_bound < claim))
    answer = clp_pair_query(p->pair, &rest, X_AB);
  if (!first && p->convex && answer.distance < p->lower - (way - p->way_then) - DEPTH_OFF)
    ck_abort_msg("%.17g apart, which the joints' speeds ruled out", answer.distance);
  p->asked = true;
  p->then = *X_AB;
  p->way_then = way;
  p->lower = answer.lower_bound;
  *found = answer.distance;
  bool overlap = answer.status == CLP_PENETRATING;
  return overlap && !p->convex ? claim > 0
                               : answer.distance < claim - (overlap ? DEPTH_OFF : SAMPLE_ROUNDED);
}

/* By how much the parts are farther than is claimed, at least. They are asked anew where half of
 * what was left has been used up: that is worth more than another look soon. */
static inline bool judge_part(motion_judge *j, judged_parts *p, const clp_pose *X, double way,
                              double claim, double *left, double *found)
{
  clp_pose A = clp_pose_multiply(X[j->a], p->X_LA), B = clp_pose_multiply(X[j->b], p->X_LB);
  clp_pose X_AB = clp_pose_multiply(clp_pose_inverse(A), B);
  *left = p->lower - claim - judge_moved(p, &X_AB);
  if (p->asked && *left > 0 && *left >= 0.5 * (p->lower - claim))
    return false;
  bool refuted = judge_refutes(j, p, &X_AB, way, claim, found);
  *left = p->lower - claim;
  return refuted;
}

/* A sample, which is looked at unless it is known to be clear. How deep parts that are not convex
 * overlap is not defined: there a claim of no more than 0 is all that can be judged. */
static inline bool judge_sample(const random_arm *arm, motion_judge *j, double time,
                                const clp_pose *X, double claim, double *found)
{
  double least = HUGE_VAL, way = judge_way(arm, j, time);
  int segment = judge_segment(arm, time);
  ++j->looks;
  for (int k = 0; k < j->count; ++k) {
    double left = HUGE_VAL;
    if (!j->parts[k].convex && claim <= 0)
      continue;
    if (judge_part(j, &j->parts[k], X, way, claim, &left, found))
      return true;
    least = fmin(least, left);
  }
  j->clear_until = time;
  if (least > 0)
    j->clear_until = fmin(time + least / j->speeds[segment], arm->segments[segment].to);
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

/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/certify/chain.h"

#include <stdlib.h>

#include "rclc_closest_point/body/body.h"
#include "rclc_closest_point/math/pose.h"

/* ---- Creation ----------------------------------------------------------------------------- */

/* Where a link is: fixed in a mover's frame. */
typedef struct place {
  int mover;
  clp_pose X_ML;
  bool known;
} place;

typedef struct builder {
  const clp_certify_world *world;
  clp_chain *chain;
  place *places; /* of links */
} builder;

static int carried_index(const clp_certify_world *world, int link)
{
  for (int k = 0; k < world->carried_count; ++k)
    if (world->carried[k] == link)
      return k;
  return -1;
}

static int add_mover(clp_chain *chain, clp_mover mover)
{
  mover.depth = mover.parent < 0 ? 0 : chain->movers[mover.parent].depth + 1;
  chain->movers[chain->mover_count] = mover;
  return chain->mover_count++;
}

static place place_carried(clp_chain *chain, int carried)
{
  clp_mover mover = {.kind = CLP_MOVER_SLIDE,
                     .parent = -1,
                     .joint = -1,
                     .carried = carried,
                     .X_PM = clp_pose_identity()};
  mover.parent = add_mover(chain, mover);
  mover.kind = CLP_MOVER_TURN;
  return (place){add_mover(chain, mover), clp_pose_identity(), true};
}

static bool moves(const clp_joint *joint)
{
  return joint->type == CLP_JOINT_REVOLUTE || joint->type == CLP_JOINT_CONTINUOUS ||
         joint->type == CLP_JOINT_PRISMATIC;
}

/* A joint that is neither fixed nor one number stands at its origin. */
static place place_below(clp_chain *chain, place parent, const clp_joint *joint, int index)
{
  clp_pose X = clp_pose_multiply(parent.X_ML, joint->X_PJ);
  if (!moves(joint))
    return (place){parent.mover, X, true};
  bool follows = joint->follows >= 0;
  clp_mover mover = {.kind = joint->type == CLP_JOINT_PRISMATIC ? CLP_MOVER_SLIDE : CLP_MOVER_TURN,
                     .parent = parent.mover,
                     .joint = follows ? joint->follows : index,
                     .carried = -1,
                     .factor = follows ? joint->factor : 1,
                     .offset = follows ? joint->offset : 0,
                     .X_PM = X,
                     .axis = joint->axis};
  return (place){add_mover(chain, mover), clp_pose_identity(), true};
}

static void place_link(builder *b, int link)
{
  const clp_joint_tree *tree = b->world->tree;
  int carried = carried_index(b->world, link), above = clp_joint_tree_joint_above(tree, link);
  if (b->places[link].known)
    return;
  if (carried >= 0) {
    b->places[link] = place_carried(b->chain, carried);
  } else if (above < 0) {
    b->places[link] = (place){-1, clp_pose_identity(), true};
  } else {
    clp_joint joint = clp_joint_tree_joint(tree, above);
    place_link(b, joint.parent);
    b->places[link] = place_below(b->chain, b->places[joint.parent], &joint, above);
  }
}

/* How far the mover's origin can be from the root's, slides and carried links at zero. */
static double reach_of(const clp_chain *chain, int mover)
{
  double reach = 0;
  for (; mover >= 0; mover = chain->movers[mover].parent)
    reach += clp_norm(chain->movers[mover].X_PM.position);
  return reach;
}

static clp_moving_part make_part(clp_chain *chain, place at, clp_part part)
{
  clp_pose X = clp_pose_multiply(at.X_ML, part.X_LP);
  clp_moving_part made = {.body = part.body,
                          .X_MP = X,
                          .center = clp_transform(X, part.body->center),
                          .radius = clp_body_reach(part.body),
                          .mover = at.mover,
                          .moving = at.mover < 0 ? -1 : chain->moving_count++,
                          .depth = at.mover < 0 ? 0 : chain->movers[at.mover].depth + 1,
                          .first = chain->table};
  clp_box3 box = part.body->info.bounds;
  double more = part.body->info.slack + part.body->blur;
  made.box_middle = clp_lerp(box.min, box.max, 0.5);
  made.box_half = clp_add(clp_scale(0.5, clp_sub(box.max, box.min)), (clp_vec3){more, more, more});
  made.reach =
      reach_of(chain, at.mover) + clp_norm(made.center) + clp_norm(X.position) + made.radius;
  chain->table += made.depth + 1;
  return made;
}

static clp_status fill(builder *b)
{
  clp_chain *chain = b->chain;
  for (int l = 0; l < chain->link_count; ++l) {
    place_link(b, l);
    clp_link link = b->world->links[l];
    chain->first_part[l] = chain->part_count;
    for (int k = 0; k < link.count; ++k)
      chain->parts[chain->part_count++] = make_part(chain, b->places[l], link.parts[k]);
  }
  chain->first_part[chain->link_count] = chain->part_count;
  return CLP_OK;
}

static size_t count_parts(const clp_certify_world *world, int links)
{
  size_t count = 0;
  for (int l = 0; l < links; ++l)
    count += (size_t)world->links[l].count;
  return count;
}

clp_status clp_chain_create(const clp_certify_world *world, clp_chain *chain)
{
  int links = clp_joint_tree_link_count(world->tree);
  int joints = clp_joint_tree_joint_count(world->tree);
  *chain = (clp_chain){
      .link_count = links, .carried_count = world->carried_count, .joint_count = joints};
  size_t movers = (size_t)joints + 2 * (size_t)world->carried_count + 1;
  builder b = {world, chain, calloc((size_t)links + 1, sizeof *b.places)};
  chain->movers = calloc(movers, sizeof *chain->movers);
  chain->parts = calloc(count_parts(world, links) + 1, sizeof *chain->parts);
  chain->first_part = calloc((size_t)links + 1, sizeof *chain->first_part);
  clp_status status = CLP_ERROR_MEMORY;
  if (b.places && chain->movers && chain->parts && chain->first_part)
    status = fill(&b);
  free(b.places);
  if (status != CLP_OK)
    clp_chain_destroy(chain);
  return status;
}

void clp_chain_destroy(clp_chain *chain)
{
  free(chain->movers);
  free(chain->parts);
  free(chain->first_part);
  *chain = (clp_chain){0};
}

/* ---- Instants ----------------------------------------------------------------------------- */

typedef struct placed {
  clp_pose X;
  clp_vec3 axis;
} placed;

/* The slide of a carried link has the axes of the root, and the turn, after it, the link's. */
static placed place_carried_mover(const clp_mover *mover, const clp_carried_course *course,
                                  double s)
{
  placed at = {clp_pose_identity(), clp_unit(course->V_RL.linear)};
  at.X.position = clp_add_scaled(course->X_RL.position, s, course->V_RL.linear);
  if (mover->kind == CLP_MOVER_SLIDE)
    return at;
  double angle = s * clp_norm(course->V_RL.angular);
  at.axis = clp_unit(course->V_RL.angular);
  at.X.rotation = clp_mat3_multiply(clp_rotation_about(at.axis, angle), course->X_RL.rotation);
  return at;
}

static placed place_joint_mover(const clp_mover *mover, const clp_joint_course *course, double s,
                                const clp_pose *X_RM)
{
  double q = mover->factor * clp_course_at(course, s) + mover->offset;
  placed at = {mover->X_PM, {0, 0, 0}};
  if (mover->parent >= 0)
    at.X = clp_pose_multiply(X_RM[mover->parent], mover->X_PM);
  at.axis = clp_rotate(at.X.rotation, mover->axis);
  if (mover->kind == CLP_MOVER_TURN)
    at.X.rotation = clp_mat3_multiply(at.X.rotation, clp_rotation_about(mover->axis, q));
  else
    at.X.position = clp_add_scaled(at.X.position, q, at.axis);
  return at;
}

void clp_chain_place(const clp_chain *chain, const clp_course_segment *segments, int segment,
                     double s, clp_instant *instant)
{
  const clp_course_segment *course = &segments[segment];
  instant->segment = segment;
  instant->s = s;
  for (int k = 0; k < chain->mover_count; ++k) {
    const clp_mover *mover = &chain->movers[k];
    placed at = mover->carried >= 0
                    ? place_carried_mover(mover, &course->carried[mover->carried], s)
                    : place_joint_mover(mover, &course->joints[mover->joint], s, instant->X_RM);
    instant->X_RM[k] = at.X;
    instant->axis[k] = at.axis;
  }
  for (int k = 0; k < chain->part_count; ++k) {
    const clp_moving_part *part = &chain->parts[k];
    if (part->moving < 0)
      continue;
    const clp_pose *X = &instant->X_RM[part->mover];
    instant->center[part->moving] = clp_transform(*X, part->center);
    instant->X_RP[part->moving] = clp_pose_multiply(*X, part->X_MP);
  }
}

/* ---- Stretches of time -------------------------------------------------------------------- */

static clp_course_rates carried_rates(const clp_mover *mover, const clp_course_segment *segment)
{
  clp_twist V = segment->carried[mover->carried].V_RL;
  return (clp_course_rates){clp_norm(mover->kind == CLP_MOVER_SLIDE ? V.linear : V.angular), 0};
}

static clp_course_rates rates_in(const clp_mover *mover, const clp_course_segment *segment,
                                 double s0, double s1)
{
  if (mover->carried >= 0)
    return carried_rates(mover, segment);
  clp_course_rates rates = clp_course_rates_between(&segment->joints[mover->joint], s0, s1);
  double factor = fabs(mover->factor);
  return (clp_course_rates){factor * rates.speed, factor * rates.acceleration};
}

void clp_chain_rates(const clp_chain *chain, const clp_course_segment *segments,
                     const clp_instant *from, const clp_instant *to, clp_rates *rates)
{
  for (int k = 0; k < chain->mover_count; ++k) {
    clp_course_rates most = {0, 0};
    for (int i = from->segment; i <= to->segment; ++i) {
      double length = segments[i].to - segments[i].from;
      clp_course_rates some =
          rates_in(&chain->movers[k], &segments[i], i == from->segment ? from->s : 0,
                   i == to->segment ? to->s : length);
      most.speed = fmax(most.speed, some.speed);
      most.acceleration = fmax(most.acceleration, some.acceleration);
    }
    rates->mover_speed[k] = most.speed;
    rates->mover_acceleration[k] = most.acceleration;
  }
  for (int k = 0; k < chain->moving_count; ++k)
    rates->known[k] = false;
}

/* Of the ball's farthest point from the mover's axis, at an instant. */
static double arm_at(const clp_moving_part *part, const clp_instant *instant, int mover)
{
  clp_vec3 to = clp_sub(instant->center[part->moving], instant->X_RM[mover].position);
  clp_vec3 a = instant->axis[mover];
  return clp_norm(clp_add_scaled(to, -clp_dot(a, to), a)) + part->radius;
}

/* docs/certify.md, section 3. With rho_k no less than any point's distance from the axis of mover k
 * (1 where it slides), w_k and a_k its speed and acceleration, and seen from mover c:
 *     speed         V_c = sum over k > c of w_k rho_k,
 *     acceleration  K_c = K_{c+1} + rho_{c+1} (a_{c+1} + w_{c+1}^2) + 2 w_{c+1} V_{c+1},
 * the last two terms for turns alone. A distance from axis k changes by movers after it alone, as
 * fast as V_{k} at most: from the larger one of both ends by no more than over half of the time. */
void clp_chain_part_rates(const clp_chain *chain, const clp_moving_part *part,
                          const clp_instant *from, const clp_instant *to, double length,
                          clp_rates *rates)
{
  double *V = rates->speed + part->first, *K = rates->acceleration + part->first;
  V[part->depth] = K[part->depth] = 0;
  int k = part->mover;
  for (int c = part->depth - 1; c >= 0; --c, k = chain->movers[k].parent) {
    double w = rates->mover_speed[k], a = rates->mover_acceleration[k], rho = 1;
    bool turns = chain->movers[k].kind == CLP_MOVER_TURN;
    if (turns)
      rho = fmax(arm_at(part, from, k), arm_at(part, to, k)) + 0.5 * length * V[c + 1];
    V[c] = V[c + 1] + w * rho;
    K[c] = K[c + 1] + rho * a + (turns ? w * w * rho + 2 * w * V[c + 1] : 0);
  }
  rates->known[part->moving] = true;
}

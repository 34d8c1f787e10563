/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/monitor/gradients.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "rclc_closest_point/math/pose.h"
#include "rclc_closest_point/model/joint_tree.h"
#include "rclc_closest_point/monitor/monitor_state.h"

/* A carrier's motion in this cycle. */
struct clp_carrier_motion {
  const clp_carrier *carrier;
  clp_link_now now;
  bool placed, known; /* where it is, and how it moves */
  clp_twist rest;     /* without the joints that it hangs on itself */
};

/* ---- From start to end -------------------------------------------------------------------- */

static int link_before(const clp_joint_tree *tree, int link)
{
  return tree->joints[tree->above[link]].parent;
}

static void name_joints(clp_gradients *g, const clp_joint_tree *tree)
{
  for (int j = 0; j < tree->joint_count; ++j) {
    const clp_joint *joint = &tree->joints[j];
    bool told = clp_joint_is_single(joint->type) && joint->follows < 0;
    g->coordinates[j] = told ? g->count : -1;
    if (told)
      g->names[g->count++] = joint->name;
  }
  for (int j = 0; j < tree->joint_count; ++j)
    if (clp_joint_is_single(tree->joints[j].type) && tree->joints[j].follows >= 0)
      g->coordinates[j] = g->coordinates[tree->joints[j].follows];
}

clp_status clp_gradients_create(clp_monitor *monitor)
{
  const clp_joint_tree *tree = monitor->joints.tree;
  clp_gradients *g = &monitor->gradients;
  if (!tree)
    return CLP_OK;
  size_t joints = (size_t)tree->joint_count + 1, links = (size_t)tree->link_count;
  bool few = monitor->pair_count < monitor->settings.max_published;
  size_t rows = few ? (size_t)monitor->pair_count : (size_t)monitor->settings.max_published;
  g->names = calloc(joints, sizeof *g->names);
  g->coordinates = calloc(joints, sizeof *g->coordinates);
  g->axes = calloc(joints, sizeof *g->axes);
  g->X_WL = calloc(links, sizeof *g->X_WL);
  g->motions = calloc((size_t)monitor->carriers.count + 1, sizeof *g->motions);
  g->rows = calloc(rows, sizeof *g->rows);
  if (!g->names || !g->coordinates || !g->axes || !g->X_WL || !g->motions || !g->rows)
    return CLP_ERROR_MEMORY;
  for (int k = 0; k < monitor->carriers.count; ++k)
    g->motions[k].carrier = &monitor->carriers.items[k];
  name_joints(g, tree);
  g->values = calloc(rows * (size_t)g->count + 1, sizeof *g->values);
  for (size_t k = 0; g->values && k < rows; ++k)
    g->rows[k].gradient = g->values + k * (size_t)g->count;
  return g->values ? CLP_OK : CLP_ERROR_MEMORY;
}

void clp_gradients_release(clp_gradients *gradients)
{
  free(gradients->names);
  free(gradients->coordinates);
  free(gradients->motions);
  free(gradients->X_WL);
  free(gradients->axes);
  free(gradients->values);
  free(gradients->rows);
  *gradients = (clp_gradients){0};
}

/* ---- Joints ------------------------------------------------------------------------------- */

/* What has been told of a joint last, or of the one that it follows. */
typedef struct stand {
  double position, speed;
} stand;

static stand stand_at(const clp_joints *joints, int j, int64_t time)
{
  const clp_joint *joint = &joints->tree->joints[j];
  const clp_joint_known *own = &joints->known[j];
  const clp_joint_known *leader = joint->follows >= 0 ? &joints->known[joint->follows] : own;
  bool follows = leader->stamp > own->stamp;
  const clp_joint_known *known = follows ? leader : own;
  if (known->stamp == CLP_NEVER)
    return (stand){(double)NAN, (double)NAN};
  double speed = known->has_speed ? known->speed : 0;
  double position = known->position + speed * 1e-9 * (double)(time - known->stamp);
  return follows ? (stand){joint->factor * position + joint->offset, joint->factor * speed}
                 : (stand){position, speed};
}

static void place_link(clp_monitor *m, int j, int64_t time)
{
  clp_gradients *g = &m->gradients;
  const clp_joint *joint = &m->joints.tree->joints[j];
  clp_pose X = clp_pose_multiply(g->X_WL[joint->parent], joint->X_PJ);
  if (clp_joint_is_single(joint->type)) {
    clp_vec3 direction = clp_rotate(X.rotation, joint->axis);
    g->axes[j] = (clp_joint_axis){X.position, direction, joint->type == CLP_JOINT_PRISMATIC};
    stand at = stand_at(&m->joints, j, time);
    X = clp_pose_multiply(X, clp_joint_motion_at(joint, at.position));
  }
  g->X_WL[joint->child] = X;
}

static void place_links(clp_monitor *m, int64_t time)
{
  clp_gradients *g = &m->gradients;
  const clp_joint_tree *tree = m->joints.tree;
  for (int k = 0; k < m->carriers.count; ++k)
    g->X_WL[m->carriers.items[k].link] = g->motions[k].now.X_WL;
  for (int k = 0; k < tree->joint_count; ++k) {
    int j = tree->order[k], child = tree->joints[j].child;
    if (m->carriers.of_link[child] >= 0 && !clp_is_carrier(tree, child))
      place_link(m, j, time);
  }
}

static clp_vec3 velocity_by(const clp_joint_axis *axis, clp_vec3 at)
{
  return axis->slides ? axis->direction : clp_cross(axis->direction, clp_sub(at, axis->point));
}

/* ---- What is not the joints' -------------------------------------------------------------- */

/* The joints that a carrier hangs on by transforms, one after the other: from it up to the fixed
 * frame, or to where both meet and down again, where a joint moves the fixed frame's side, which is
 * as if it moved this one the other way. */
typedef struct joint_walk {
  const clp_monitor *m;
  const clp_watched *watched;
  int next, at;
  int joint;       /* of the tree */
  double sign;     /* the way that it moves the carrier */
  bool transforms; /* there was something that moves and is no joint */
} joint_walk;

static joint_walk walk_of(const clp_monitor *m, const clp_carrier *c)
{
  const clp_watched *watched = c->watched < 0 ? NULL : &m->input.watched[c->watched];
  return (joint_walk){.m = m, .watched = watched, .at = watched ? watched->frame : -1};
}

static bool walk_on(joint_walk *w)
{
  while (w->watched && w->next < w->watched->chain_count) {
    int frame = w->watched->chain[w->next++];
    const clp_frame *f = &w->m->input.frames.items[frame];
    bool up = frame == w->at;
    if (up)
      w->at = f->parent;
    if (f->is_static)
      continue;
    w->joint = f->joint ? clp_joint_tree_find_joint(w->m->joints.tree, f->joint) : -1;
    w->sign = up ? 1 : -1;
    if (w->joint >= 0)
      return true;
    w->transforms = true;
  }
  return false;
}

/* The carrier's motion, less that by joints. */
static void judge_carrier(const clp_monitor *m, clp_carrier_motion *c, int64_t time)
{
  clp_vec3 none = {0, 0, 0};
  joint_walk walk = walk_of(m, c->carrier);
  c->placed =
      c->now.freshness == CLP_LINK_FRESH && !(walk.watched && walk.watched->chain_count < 0);
  c->known = c->placed && c->now.measured;
  c->rest = c->now.twist;
  while (walk_on(&walk)) {
    const clp_joint_axis *axis = &m->gradients.axes[walk.joint];
    double speed = walk.sign * stand_at(&m->joints, walk.joint, time).speed;
    clp_vec3 by = velocity_by(axis, c->now.X_WL.position);
    c->rest.linear = clp_add_scaled(c->rest.linear, -speed, by);
    if (!axis->slides)
      c->rest.angular = clp_add_scaled(c->rest.angular, -speed, axis->direction);
  }
  if (!walk.transforms)
    c->rest = (clp_twist){none, none};
}

/* ---- Rows --------------------------------------------------------------------------------- */

static void add_joint(const clp_monitor *m, int j, double sign, clp_vec3 along, clp_vec3 at,
                      double *gradient)
{
  const clp_joint *joint = &m->joints.tree->joints[j];
  double factor = sign * (joint->follows < 0 ? 1 : joint->factor);
  gradient[m->gradients.coordinates[j]] +=
      factor * clp_dot(along, velocity_by(&m->gradients.axes[j], at));
}

static const clp_carrier_motion *motion_of(const clp_monitor *m, int link)
{
  return &m->gradients.motions[m->carriers.of_link[link]];
}

static int depth_of(const clp_joint_tree *tree, int link)
{
  int depth = 0;
  for (; !clp_is_carrier(tree, link); link = link_before(tree, link))
    ++depth;
  return depth;
}

/* What both hang on, the nearest, which have one carrier. */
static int fork_of(const clp_joint_tree *tree, int a, int b)
{
  int depth_a = depth_of(tree, a), depth_b = depth_of(tree, b);
  while (a != b) {
    bool first = depth_a >= depth_b;
    int *link = first ? &a : &b, *depth = first ? &depth_a : &depth_b;
    *link = link_before(tree, *link);
    --*depth;
  }
  return a;
}

/* A link's part: how fast its place `at` goes along a direction by each of the joints up to a link
 * that it hangs on. */
static void add_joints(const clp_monitor *m, int link, int top, clp_vec3 along, clp_vec3 at,
                       double *gradient)
{
  const clp_joint_tree *tree = m->joints.tree;
  for (; link != top; link = link_before(tree, link))
    if (clp_joint_is_single(tree->joints[tree->above[link]].type))
      add_joint(m, tree->above[link], 1, along, at, gradient);
}

/* The same of its carrier; returns the rest. */
static double add_carrier(const clp_monitor *m, const clp_carrier_motion *c, clp_vec3 along,
                          clp_vec3 at, double *gradient)
{
  clp_vec3 arm = clp_sub(at, c->now.X_WL.position);
  for (joint_walk walk = walk_of(m, c->carrier); walk_on(&walk);)
    add_joint(m, walk.joint, walk.sign, along, at, gradient);
  return c->known ? clp_dot(along, clp_add(c->rest.linear, clp_cross(c->rest.angular, arm)))
                  : (double)NAN;
}

/* What moves both links of a pair changes nothing, and is left out. */
static double add_pair(const clp_monitor *m, const clp_closest_point *point, double *gradient)
{
  const clp_monitor_pair *pair = &m->pairs[point->pair];
  int a = m->links[pair->a].link, b = m->links[pair->b].link;
  const clp_carrier_motion *of_a = motion_of(m, a), *of_b = motion_of(m, b);
  bool together = of_a == of_b;
  int top = together ? fork_of(m->joints.tree, a, b) : -1;
  clp_vec3 back = clp_scale(-1, point->normal);
  add_joints(m, a, together ? top : of_a->carrier->link, back, point->point_a, gradient);
  add_joints(m, b, together ? top : of_b->carrier->link, point->normal, point->point_b, gradient);
  return together ? 0
                  : add_carrier(m, of_a, back, point->point_a, gradient) +
                        add_carrier(m, of_b, point->normal, point->point_b, gradient);
}

static bool is_known(const clp_monitor *m, const clp_closest_point *point)
{
  if (point->status == CLP_STALE || !point->stepped)
    return false;
  const clp_monitor_pair *pair = &m->pairs[point->pair];
  return motion_of(m, m->links[pair->a].link)->placed &&
         motion_of(m, m->links[pair->b].link)->placed;
}

/* Of a pair without an answer of this cycle nothing is known. Numbers that are not are told from
 * all others, also where they are summed, which cannot be said of a list that is empty. */
static double fill_row(const clp_monitor *m, const clp_closest_point *point, double *gradient)
{
  bool known = is_known(m, point);
  for (int k = 0; k < m->gradients.count; ++k)
    gradient[k] = known ? 0 : (double)NAN;
  return known ? add_pair(m, point, gradient) : (double)NAN;
}

void clp_gradients_report(clp_monitor *monitor, int64_t time)
{
  clp_gradients *g = &monitor->gradients;
  clp_report *report = &monitor->report;
  if (!g->rows)
    return;
  for (int k = 0; k < monitor->carriers.count; ++k)
    g->motions[k].now = clp_carrier_at(monitor, g->motions[k].carrier, time);
  place_links(monitor, time);
  for (int k = 0; k < monitor->carriers.count; ++k)
    judge_carrier(monitor, &g->motions[k], time);
  for (int k = 0; k < report->pair_count; ++k)
    g->rows[k].rate_rest =
        fill_row(monitor, &report->pairs[k], g->values + (size_t)k * (size_t)g->count);
  report->joint_names = g->names;
  report->joint_count = g->count;
  report->gradients = g->rows;
}

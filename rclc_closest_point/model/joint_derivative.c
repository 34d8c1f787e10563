/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/joint_derivative.h"

#include <stdlib.h>
#include <string.h>

#include "rclc_closest_point/math/pose.h"
#include "rclc_closest_point/model/joint_tree.h"

/* A link's place follows its joints one after the other. Along q_i the twist of the link is the
 * column V_i; the second derivative of the distance along q_i and q_j is
 *     mixed(V_i, V_j) + gradient . (how V_j changes along q_i),
 * and where joint i is nearer to the root than joint j, or the same, column j is carried round by
 * it: its velocity changes by w_i x v_j and the turning by w_i x w_j, of which a half is left, for
 * the other half is what turns commute by. A joint with six coordinates is told by a twist that
 * stays as it is: its own turns commute, and only the link's origin goes round. */

/* One way in which a link of a pair moves. */
typedef struct column {
  clp_twist twist; /* of the link, in the world */
  int which;       /* 0: A, 1: B */
  int coordinate;  /* -1: the part of the motion that is none of the tree's */
  int joint;       /* with six coordinates: itself; else -1 */
  int depth;       /* smaller nearer to the root */
} column;

struct clp_joint_space {
  const clp_joint_tree *tree;
  int size, base; /* of the base's coordinates: 0 or 6 */
  int *first;     /* of each joint, or -1 */
  column *columns;
  bool *above; /* of each joint: on the way from A's link to the root */
  int room;
};

enum { TWIST = 6 };

static bool has_twist(clp_joint_type type)
{
  return type == CLP_JOINT_FLOATING || type == CLP_JOINT_PLANAR;
}

/* ---- Creation ------------------------------------------------------------------------------ */

static void number_coordinates(clp_joint_space *space)
{
  const clp_joint_tree *tree = space->tree;
  int next = space->base;
  for (int j = 0; j < tree->joint_count; ++j) {
    const clp_joint *joint = &tree->joints[j];
    bool single = clp_joint_is_single(joint->type) && joint->follows < 0;
    space->first[j] = single || has_twist(joint->type) ? next : -1;
    next += single ? 1 : has_twist(joint->type) ? TWIST : 0;
  }
  for (int j = 0; j < tree->joint_count; ++j)
    if (clp_joint_is_single(tree->joints[j].type) && tree->joints[j].follows >= 0)
      space->first[j] = space->first[tree->joints[j].follows];
  space->size = next;
}

clp_status clp_joint_space_create(const clp_joint_tree *tree, bool floating_base,
                                  clp_joint_space **space)
{
  if (!tree || !space)
    return CLP_ERROR_ARGUMENT;
  size_t joints = (size_t)tree->joint_count;
  clp_joint_space *fresh = calloc(1, sizeof *fresh);
  if (!fresh)
    return CLP_ERROR_MEMORY;
  *fresh = (clp_joint_space){.tree = tree, .base = floating_base ? TWIST : 0};
  fresh->room = (int)(2 * TWIST * (joints + 2));
  fresh->first = malloc((joints + 1) * sizeof *fresh->first);
  fresh->above = malloc((joints + 1) * sizeof *fresh->above);
  fresh->columns = malloc((size_t)fresh->room * sizeof *fresh->columns);
  if (!fresh->first || !fresh->above || !fresh->columns) {
    clp_joint_space_destroy(fresh);
    return CLP_ERROR_MEMORY;
  }
  number_coordinates(fresh);
  *space = fresh;
  return CLP_OK;
}

void clp_joint_space_destroy(clp_joint_space *space)
{
  if (!space)
    return;
  free(space->first);
  free(space->above);
  free(space->columns);
  free(space);
}

int clp_joint_space_size(const clp_joint_space *space)
{
  return space->size;
}

int clp_joint_space_coordinate(const clp_joint_space *space, int joint)
{
  return space->first[joint];
}

/* ---- How the links of a pair move ---------------------------------------------------------- */

/* The link of a pair: its number in the tree or -1, where its origin is, in the world. */
typedef struct mover {
  int which, link;
  clp_vec3 place;
  const clp_twist *own;
} mover;

static clp_vec3 unit_of(const clp_mat3 *r, int k)
{
  return k == 0 ? r->x : k == 1 ? r->y : r->z;
}

/* A frame that moves by a twist along given axes, and the link with it. */
static int add_twist(column *to, const mover *m, const clp_mat3 *axes, clp_vec3 origin, int first,
                     int joint, int depth)
{
  for (int k = 0; k < TWIST; ++k) {
    clp_vec3 e = unit_of(axes, k % 3), none = {0, 0, 0};
    clp_twist twist = {k < 3 ? e : clp_cross(e, clp_sub(m->place, origin)), k < 3 ? none : e};
    to[k] = (column){twist, m->which, first + k, joint, depth};
  }
  return TWIST;
}

static int add_joint(const clp_joint_space *space, int j, const clp_pose *X_WR,
                     const clp_pose *X_RL, const mover *m, int depth, column *to)
{
  const clp_joint *joint = &space->tree->joints[j];
  clp_pose X_WC = clp_pose_multiply(*X_WR, X_RL[joint->child]);
  if (has_twist(joint->type)) {
    clp_mat3 axes = clp_mat3_multiply(
        X_WR->rotation, clp_mat3_multiply(X_RL[joint->parent].rotation, joint->X_PJ.rotation));
    return add_twist(to, m, &axes, X_WC.position, space->first[j], j, depth);
  }
  if (space->first[j] < 0)
    return 0;
  clp_vec3 axis =
      clp_scale(joint->follows < 0 ? 1 : joint->factor, clp_rotate(X_WC.rotation, joint->axis));
  clp_vec3 none = {0, 0, 0};
  clp_twist twist = {axis, none};
  if (joint->type != CLP_JOINT_PRISMATIC)
    twist = (clp_twist){clp_cross(axis, clp_sub(m->place, X_WC.position)), axis};
  *to = (column){twist, m->which, space->first[j], -1, depth};
  return 1;
}

static int joint_before(const clp_joint_tree *tree, int j)
{
  return tree->above[tree->joints[j].parent];
}

static void mark(clp_joint_space *space, int link)
{
  memset(space->above, 0, (size_t)space->tree->joint_count * sizeof *space->above);
  for (int j = link < 0 ? -1 : space->tree->above[link]; j >= 0; j = joint_before(space->tree, j))
    space->above[j] = true;
}

/* Joints that move the other link of the pair too do not change the distance. */
static int add_mover(clp_joint_space *space, const clp_pose *X_WR, const clp_pose *X_RL,
                     const mover *m, int other, column *to)
{
  const clp_joint_tree *tree = space->tree;
  int count = 0, depth = 0;
  if (m->link < 0) {
    to[0] = (column){*m->own, m->which, -1, tree->joint_count, 0};
    return 1;
  }
  mark(space, other);
  for (int j = tree->above[m->link]; j >= 0; j = joint_before(tree, j))
    if (!space->above[j])
      count += add_joint(space, j, X_WR, X_RL, m, --depth, to + count);
  if (space->base > 0 && other < 0)
    count += add_twist(to + count, m, &(clp_mat3){{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, X_WR->position,
                       0, tree->joint_count, --depth);
  return count;
}

/* ---- Derivatives --------------------------------------------------------------------------- */

static double along(const clp_gradient *g, const column *c)
{
  const clp_slope *s = c->which ? &g->b : &g->a;
  return clp_dot(s->linear, c->twist.linear) + clp_dot(s->angular, c->twist.angular);
}

/* How much the gradient has of how one column changes along the other. */
static double carried(const clp_gradient *g, const column *x, const column *y)
{
  const clp_slope *s = x->which ? &g->b : &g->a;
  if (x->which != y->which)
    return 0;
  if (x->joint >= 0 && x->joint == y->joint) {
    clp_vec3 round = {0, 0, 0}; /* of a link of its own the origin goes straight on */
    bool both = clp_norm2(x->twist.angular) > 0 && clp_norm2(y->twist.angular) > 0;
    if (both && x->coordinate >= 0)
      round = clp_add(clp_cross(x->twist.angular, y->twist.linear),
                      clp_cross(y->twist.angular, x->twist.linear));
    return 0.5 * clp_dot(s->linear, round);
  }
  const column *near = x->depth <= y->depth ? x : y, *far = x->depth <= y->depth ? y : x;
  return clp_dot(s->linear, clp_cross(near->twist.angular, far->twist.linear)) +
         0.5 * clp_dot(s->angular, clp_cross(near->twist.angular, far->twist.angular));
}

static double second_of(const clp_derivative *d, const clp_gradient *g, const column *x,
                        const column *y)
{
  static const clp_twist still = {{0, 0, 0}, {0, 0, 0}};
  double mixed =
      clp_derivative_mixed(d, x->which ? &still : &x->twist, x->which ? &x->twist : &still,
                           y->which ? &still : &y->twist, y->which ? &y->twist : &still);
  return mixed + carried(g, x, y);
}

static void write_gradient(const clp_joint_space *space, const clp_gradient *g, int count,
                           clp_joint_row *row)
{
  row->rate_rest = 0;
  for (int k = 0; k < space->size; ++k)
    row->gradient[k] = 0;
  for (int k = 0; k < count; ++k) {
    const column *c = &space->columns[k];
    double rate = along(g, c);
    if (c->coordinate < 0)
      row->rate_rest += rate;
    else
      row->gradient[c->coordinate] += rate;
  }
}

static void add_second(const clp_joint_space *space, const column *x, const column *y, double value,
                       clp_joint_row *row)
{
  if (x->coordinate < 0 && y->coordinate < 0)
    row->rest_rest += value;
  else if (x->coordinate >= 0 && y->coordinate >= 0 && row->second)
    row->second[x->coordinate * space->size + y->coordinate] += value;
  else if (x->coordinate >= 0 && y->coordinate < 0 && row->second_rest)
    row->second_rest[x->coordinate] += value;
}

static void write_second(const clp_joint_space *space, const clp_derivative *d,
                         const clp_gradient *g, int count, clp_joint_row *row)
{
  size_t size = (size_t)space->size;
  row->rest_rest = 0;
  if (row->second)
    memset(row->second, 0, size * size * sizeof *row->second);
  if (row->second_rest)
    memset(row->second_rest, 0, size * sizeof *row->second_rest);
  for (int i = 0; i < count; ++i)
    for (int j = 0; j <= i; ++j) {
      const column *x = &space->columns[i], *y = &space->columns[j];
      double value = second_of(d, g, x, y);
      add_second(space, x, y, value, row);
      if (i != j)
        add_second(space, y, x, value, row);
    }
}

static void derive_pair(clp_joint_space *space, const clp_scene *scene, const clp_pose *X_WR,
                        const clp_pose *X_RL, const clp_joint_pair *pair, clp_joint_row *row)
{
  clp_link_answer links = clp_scene_answer(scene, pair->pair);
  row->answer = links.answer;
  row->known = links.coverage == CLP_STEPPED && links.answer.distance < HUGE_VAL;
  row->branches = 0;
  if (!row->known)
    return;
  clp_pose X_WA = clp_scene_pose(scene, pair->pair, 0), X_WB = clp_scene_pose(scene, pair->pair, 1);
  clp_gradient g = clp_answer_gradient(&links.answer, &X_WA, &X_WB);
  mover a = {0, pair->link_a, X_WA.position, &pair->V_WA};
  mover b = {1, pair->link_b, X_WB.position, &pair->V_WB};
  int count = add_mover(space, X_WR, X_RL, &a, b.link, space->columns);
  count += add_mover(space, X_WR, X_RL, &b, a.link, space->columns + count);
  write_gradient(space, &g, count, row);
  clp_derivative d;
  if (!row->second && !row->second_rest)
    return;
  row->branches = clp_scene_derivatives(scene, pair->pair, &d, 1);
  if (row->branches > 0)
    write_second(space, &d, &g, count, row);
}

clp_status clp_joint_space_derive(clp_joint_space *space, const clp_scene *scene,
                                  const clp_pose *X_WR, const clp_pose *X_RL,
                                  const clp_joint_pair *pairs, int count, clp_joint_row *rows)
{
  if (!space || !scene || !X_WR || !X_RL || count < 0)
    return CLP_ERROR_ARGUMENT;
  int links = space->tree->link_count;
  for (int k = 0; k < count; ++k)
    if (pairs[k].link_a < -1 || pairs[k].link_a >= links || pairs[k].link_b < -1 ||
        pairs[k].link_b >= links || !rows[k].gradient)
      return CLP_ERROR_ARGUMENT;
  for (int k = 0; k < count; ++k)
    derive_pair(space, scene, X_WR, X_RL, &pairs[k], &rows[k]);
  return CLP_OK;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* The library in a loop of your own, without ROS: own_loop cell_with_arm.urdf. An arm goes for four
 * goals, two of them in table and pillar; velocity dampers keep it away. README.md tells how. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <rclc_closest_point/joint_tree.h>
#include <rclc_closest_point/scene.h>

enum { JOINTS = 7, ARM = 4, ALL = 7, PAIRS = ARM * (ALL - ARM), GOALS = 4 };
static const double period = 1e-3, stop = 0.03 /* m */, slow = 0.25 /* m */, decay = 0.2 /* s */;
static const char *const names[] = {"link_4", "link_5", "link_6", "gripper_base",
                                    "table",  "pillar", "torso"};
static const clp_vec3 goals[] = {{.2, -.3, 1.2}, {.1, .3, .7}, {.2, .35, 1.1}, {-.85, .95, 1.2}};
static clp_model *model;
static clp_joint_tree *tree;
static clp_scene *scene;
static clp_link_id ids[ALL];
static clp_link_pair_id pairs[PAIRS];
static int links[ALL], tool, first; /* joint of the arm */
static clp_joint_state *states;     /* of all joints, as many as the file has */
static clp_pose *X_RL;              /* of all links */
static clp_twist *columns;          /* of all joints */
static double least = HUGE_VAL, left;

typedef struct limit {
  double row[JOINTS], most; /* row times the joints' speeds is no more than that */
} limit;

/* The row: how fast a link's place p goes along n at unit speed of each joint. */
static limit limit_of(int link, clp_vec3 p, clp_vec3 n, double most)
{
  const clp_twist *c = columns + first;
  clp_vec3 o = X_RL[link].position, r = {p.x - o.x, p.y - o.y, p.z - o.z};
  clp_vec3 t = {r.y * n.z - r.z * n.y, r.z * n.x - r.x * n.z, r.x * n.y - r.y * n.x};
  limit l = {.most = most};
  clp_joint_tree_jacobian(tree, X_RL, link, columns);
  for (int k = 0; k < JOINTS; ++k)
    l.row[k] = n.x * c[k].linear.x + n.y * c[k].linear.y + n.z * c[k].linear.z +
               t.x * c[k].angular.x + t.y * c[k].angular.y + t.z * c[k].angular.z;
  return l;
}

static double product(const double *a, const double *b)
{
  double sum = 0;
  for (int k = 0; k < JOINTS; ++k)
    sum += a[k] * b[k];
  return sum;
}

/* Allocates nothing, takes no lock, makes no system call. */
static double cycle(double time, clp_vec3 goal)
{
  limit limits[6 + PAIRS + 2 * JOINTS];
  double speeds[JOINTS] = {0}, scale = 1;
  int count = 0;
  clp_joint_tree_motion(tree, states, X_RL, NULL);
  for (int i = 0; i < ALL; ++i)
    clp_scene_set_motion(scene, ids[i], &X_RL[links[i]], NULL);
  clp_scene_step(scene, time);
  clp_vec3 p = X_RL[tool].position, v = {goal.x - p.x, goal.y - p.y, goal.z - p.z};
  for (int s = -1; s <= 1; s += 2) { /* wishes: neither slower nor faster than at 2 v */
    limits[count++] = limit_of(tool, p, (clp_vec3){s, 0, 0}, 2 * s * v.x);
    limits[count++] = limit_of(tool, p, (clp_vec3){0, s, 0}, 2 * s * v.y);
    limits[count++] = limit_of(tool, p, (clp_vec3){0, 0, s}, 2 * s * v.z);
  }
  for (int i = 0; i < PAIRS; ++i) {
    clp_answer a = clp_scene_answer(scene, pairs[i]).answer;
    least = fmin(least, a.lower_bound);
    if (a.lower_bound < slow)
      limits[count++] =
          limit_of(links[i % ARM], a.point_a, a.normal, fmax(0, a.lower_bound - stop) / decay);
  }
  for (int k = 0; k < 2 * JOINTS; ++k) {
    clp_joint joint = clp_joint_tree_joint(tree, first + k / 2);
    double q = states[first + k / 2].position, way = k % 2 ? joint.upper - q : q - joint.lower;
    limits[count] = (limit){.most = fmin(joint.max_speed, fmax(0, way) / decay)};
    limits[count++].row[k / 2] = k % 2 ? 1 : -1;
  }
  for (int i = 0; i < 50 * count; ++i) { /* project the speeds on each limit in turn */
    const limit *l = &limits[i % count];
    double over = product(l->row, speeds) - l->most, size = product(l->row, l->row);
    for (int k = 0; k < JOINTS && over > 0 && size > 0; ++k)
      speeds[k] -= over * l->row[k] / size;
  }
  for (int i = 6; i < count; ++i) /* what that leaves over goes by slowing down, wishes excepted */
    if (product(limits[i].row, speeds) > limits[i].most)
      scale = fmin(scale, limits[i].most / product(limits[i].row, speeds));
  for (int k = 0; k < JOINTS; ++k)
    states[first + k].position += period * scale * speeds[k];
  return sqrt(v.x * v.x + v.y * v.y + v.z * v.z);
}

static void print_line(void *user, clp_severity severity, const char *line)
{
  (void)user, (void)severity;
  fprintf(stderr, "%s\n", line);
}

static bool load(const char *path)
{
  const clp_model_sink sink = {print_line, NULL};
  if (clp_model_load(path, sink, &model) != CLP_OK ||
      clp_joint_tree_load(path, sink, &tree) != CLP_OK)
    return false;
  size_t joints = (size_t)clp_joint_tree_joint_count(tree);
  states = calloc(joints + 1, sizeof *states);
  columns = calloc(joints + 1, sizeof *columns);
  X_RL = calloc((size_t)clp_joint_tree_link_count(tree), sizeof *X_RL);
  tool = clp_joint_tree_find_link(tree, "tcp");
  first = clp_joint_tree_find_joint(tree, "joint_1");
  return states && columns && X_RL && tool >= 0 && first >= 0 && first + JOINTS <= (int)joints;
}

/* With room for as many parts as the links have, and for all pairs of those. */
static bool make_scene(void)
{
  clp_scene_limits room = {.links = ALL, .pairs = PAIRS};
  clp_link parts[ALL];
  for (int i = 0; i < ALL; ++i) {
    links[i] = clp_model_find_link(model, names[i]);
    if (links[i] < 0)
      return false;
    parts[i] = clp_model_link(model, links[i]);
    room.parts += parts[i].count;
  }
  for (int i = 0; i < PAIRS; ++i)
    room.part_pairs += parts[i % ARM].count * parts[ARM + i / ARM].count;
  bool fine = clp_scene_create(&room, NULL, &scene) == CLP_OK;
  for (int i = 0; fine && i < ALL; ++i)
    fine = clp_scene_add_link(scene, parts[i], &ids[i]) == CLP_OK;
  for (int i = 0; fine && i < PAIRS; ++i)
    fine = clp_scene_add_pair(scene, ids[i % ARM], ids[ARM + i / ARM], &pairs[i]) == CLP_OK;
  return fine;
}

int main(int argc, char **argv)
{
  bool fine = argc == 2 && load(argv[1]) && make_scene();
  if (!fine) {
    fputs("own_loop: expected a URDF with this arm and its cell\n", stderr);
    return 1;
  }
  clp_joint_tree_rest(tree, states);
  for (int g = 0; g < GOALS; ++g) {
    for (int k = 0; k < 4000; ++k)
      left = cycle((4000 * g + k) * period, goals[g]);
    printf("%.4f m from goal %d, never closer than %.5f m to anything\n", left, g + 1, least);
    fine = fine && least > stop - 1e-4 && (left < 0.005 || g % 2 == 1);
  }
  return fine ? 0 : 1;
}

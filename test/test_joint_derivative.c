/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/joint_derivative.h"

#include <string.h>

#include "rclc_closest_point/math/pose.h"
#include "support/amount.h"
#include "support/difference.h"
#include "support/findings.h"
#include "support/lines.h"
#include "support/random.h"
#include "support/suite.h"

/* Distances over joint space against differences of a scene's queries: joints of all types, joints
 * that follow others, links on both sides, a floating base and something that moves by itself. */

#define CELL URDF_PATCHES_DIR "/cell_with_arm.urdf"

enum { JOINTS = 64, LINKS = 64, PAIRS = 128, SIZE = 64 };

#define LINK(name) "<link name='" name "'/>\n"
#define JOINT(name, type, from, to, more)                                                       \
  "<joint name='" name "' type='" type "'><parent link='" from "'/><child link='" to "'/>" more \
  "</joint>\n"
#define LIMIT "<limit lower='-9' upper='9' velocity='9' effort='9'/>"

static const char text[] = "<robot name='r'>" LINK("root") LINK("b") LINK("c") LINK("d") LINK("e")
    LINK("f") LINK("g") JOINT("float", "floating", "root", "b",
                              "<origin xyz='0.1 0 0.2' rpy='0.3 0.2 0.1'/>")
        JOINT("hinge", "revolute", "b", "c", "<origin xyz='0.5 0.1 0'/><axis xyz='0 1 0.3'/>" LIMIT)
            JOINT("slide", "prismatic", "c", "d",
                  "<origin xyz='0.3 0 0.2' rpy='0 0.4 0'/>"
                  "<axis xyz='1 0 0.5'/>" LIMIT
                  "<mimic joint='hinge' multiplier='0.6' offset='0.2'/>")
                JOINT("turn", "continuous", "d", "e",
                      "<origin xyz='0.4 0 0' rpy='1 0 0'/>"
                      "<axis xyz='0 0 1'/><mimic joint='other' multiplier='-1.5' offset='0.1'/>")
                    JOINT("other", "revolute", "b", "f",
                          "<origin xyz='-0.4 0.3 0.1'/><axis xyz='1 0 0'/>" LIMIT)
                        JOINT("plane", "planar", "f", "g",
                              "<origin xyz='0 0.5 0.2' rpy='0 0 0.7'/>"
                              "<axis xyz='0 0 1'/>") "</robot>";

/* ---- A tree in a scene ---------------------------------------------------------------------- */

typedef struct world {
  clp_joint_tree *tree;
  clp_joint_space *space;
  clp_model *model; /* or NULL: bodies of its own */
  clp_body *bodies[LINKS + 1];
  clp_scene *scene;
  clp_link_id ids[LINKS + 1]; /* of the tree's links, and one more that is none of them */
  bool there[LINKS + 1];
  clp_joint_pair pairs[PAIRS];
  int pair_count, links, joints, size, asked;
  clp_pose X_WR, X_WO;
  clp_twist V_WR, V_WO;
  clp_joint_state states[JOINTS], start[JOINTS];
  double accelerations[JOINTS];
  clp_pose X_RL[LINKS];
  clp_answer now;
} world;

/* Where everything is at t, and the distances there. */
static void place(world *w, double t)
{
  clp_pose X_WR = difference_pose_after(&w->X_WR, &w->V_WR, t),
           X_WO = difference_pose_after(&w->X_WO, &w->V_WO, t);
  for (int j = 0; j < w->joints; ++j) {
    const clp_joint_state *s = &w->start[j];
    double a = w->accelerations[j];
    w->states[j] = *s;
    w->states[j].position = s->position + t * s->speed + 0.5 * t * t * a;
    w->states[j].pose = difference_pose_after(&s->pose, &s->twist, t);
  }
  ck_assert_int_eq(clp_joint_tree_motion(w->tree, w->states, w->X_RL, NULL), CLP_OK);
  for (int l = 0; l <= w->links; ++l) {
    clp_pose X = l < w->links ? clp_pose_multiply(X_WR, w->X_RL[l]) : X_WO;
    if (w->there[l])
      ck_assert_int_eq(clp_scene_set_motion(w->scene, w->ids[l], &X, NULL), CLP_OK);
  }
  clp_scene_query(w->scene, 0);
}

static bool distance_after(void *user, double t, double *f, double *noise)
{
  world *w = user;
  place(w, t);
  clp_answer a = clp_scene_answer(w->scene, w->pairs[w->asked].pair).answer;
  *f = a.distance;
  *noise = a.distance - a.lower_bound;
  return a.status != CLP_CONVERGING && a.kind_a == w->now.kind_a && a.kind_b == w->now.kind_b &&
         a.feature_a == w->now.feature_a && a.feature_b == w->now.feature_b && !a.non_unique &&
         clp_dot(a.normal, w->now.normal) > 0.9;
}

static clp_twist random_twist(random_state *g)
{
  return (clp_twist){clp_scale(0.4, random_direction(g)), clp_scale(0.5, random_direction(g))};
}

static clp_pose random_pose(random_state *g, double far)
{
  return (clp_pose){clp_rotation_about(random_direction(g), random_between(g, 0, 3)),
                    clp_scale(far, random_direction(g))};
}

static void set_out(world *w, random_state *g)
{
  w->X_WR = random_pose(g, 0.3);
  w->V_WR = random_twist(g);
  w->X_WO = random_pose(g, 2);
  w->V_WO = random_twist(g);
  for (int j = 0; j < w->joints; ++j) {
    w->start[j] = (clp_joint_state){random_between(g, -1, 1), random_between(g, -1, 1),
                                    random_pose(g, 0.4), random_twist(g)};
    w->accelerations[j] = random_between(g, -1, 1);
  }
}

/* ---- Judging ------------------------------------------------------------------------------- */

static void put_twist(double *to, const clp_twist *V)
{
  const clp_vec3 *v = &V->linear, *a = &V->angular;
  const double numbers[6] = {v->x, v->y, v->z, a->x, a->y, a->z};
  memcpy(to, numbers, sizeof numbers);
}

static void find_speeds(const world *w, bool base, double speeds[SIZE], double changes[SIZE])
{
  memset(speeds, 0, SIZE * sizeof *speeds);
  memset(changes, 0, SIZE * sizeof *changes);
  if (base)
    put_twist(speeds, &w->V_WR);
  for (int j = 0; j < w->joints; ++j) {
    clp_joint joint = clp_joint_tree_joint(w->tree, j);
    int k = clp_joint_space_coordinate(w->space, j);
    if (joint.type == CLP_JOINT_FLOATING || joint.type == CLP_JOINT_PLANAR) {
      put_twist(speeds + k, &w->start[j].twist);
    } else if (k >= 0 && joint.follows < 0) {
      speeds[k] = w->start[j].speed;
      changes[k] = w->accelerations[j];
    }
  }
}

/* Along the motion that was set out: first and second derivative. */
static void expected_of(const world *w, const clp_joint_row *row, bool base, double value[2])
{
  double speeds[SIZE], changes[SIZE];
  find_speeds(w, base, speeds, changes);
  value[0] = row->rate_rest;
  value[1] = row->rest_rest;
  for (int i = 0; i < w->size; ++i) {
    value[0] += row->gradient[i] * speeds[i];
    value[1] += row->gradient[i] * changes[i] + 2 * row->second_rest[i] * speeds[i];
    for (int j = 0; j < w->size; ++j)
      value[1] += speeds[i] * row->second[i * w->size + j] * speeds[j];
  }
}

/* Returns how many pairs were judged. */
static int judge_all(world *w, bool base)
{
  static double gradients[PAIRS][SIZE], rest[PAIRS][SIZE], second[PAIRS][SIZE * SIZE];
  static clp_joint_row rows[PAIRS];
  int judged = 0;
  place(w, 0);
  for (int k = 0; k < w->pair_count; ++k) {
    rows[k] =
        (clp_joint_row){.gradient = gradients[k], .second_rest = rest[k], .second = second[k]};
    w->pairs[k].V_WA = w->pairs[k].V_WB = w->V_WO;
  }
  ck_assert_int_eq(
      clp_joint_space_derive(w->space, w->scene, &w->X_WR, w->X_RL, w->pairs, w->pair_count, rows),
      CLP_OK);
  for (int k = 0; k < w->pair_count; ++k) {
    double value[2];
    if (!rows[k].known || rows[k].branches != 1)
      continue;
    w->asked = k;
    w->now = rows[k].answer;
    expected_of(w, &rows[k], base, value);
    difference found;
    difference_find(distance_after, w, 1, 0.02, 6, &found);
    if (!(found.first_error < 1e-6 && found.second_error < 1e-2))
      continue;
    ck_assert_double_eq_tol(value[0], found.first, 2 * found.first_error + 1e-9);
    ck_assert_double_eq_tol(value[1], found.second,
                            2 * found.second_error + 1e-7 * fmax(1, fabs(found.second)));
    ++judged;
  }
  return judged;
}

/* ---- Worlds -------------------------------------------------------------------------------- */

static void add_pair(world *w, int a, int b)
{
  clp_joint_pair *pair = &w->pairs[w->pair_count];
  ck_assert_int_lt(w->pair_count, PAIRS);
  *pair = (clp_joint_pair){.link_a = a < w->links ? a : -1, .link_b = b < w->links ? b : -1};
  ck_assert_int_eq(clp_scene_add_pair(w->scene, w->ids[a], w->ids[b], &pair->pair), CLP_OK);
  ++w->pair_count;
}

static void add_link(world *w, int l, clp_link link)
{
  w->there[l] = true;
  ck_assert_int_eq(clp_scene_add_link(w->scene, link, &w->ids[l]), CLP_OK);
}

static void begin(world *w, bool base)
{
  clp_scene_limits limits = {
      .links = LINKS + 1, .parts = 4 * LINKS, .pairs = PAIRS, .part_pairs = 8 * PAIRS};
  clp_scene_options options = clp_default_scene_options();
  options.pair.tolerance = 1e-12;
  w->links = clp_joint_tree_link_count(w->tree);
  w->joints = clp_joint_tree_joint_count(w->tree);
  ck_assert(w->links <= LINKS && w->joints <= JOINTS);
  ck_assert_int_eq(clp_joint_space_create(w->tree, base, &w->space), CLP_OK);
  w->size = clp_joint_space_size(w->space);
  ck_assert_int_le(w->size, SIZE);
  ck_assert_int_eq(clp_scene_create(&limits, &options, &w->scene), CLP_OK);
}

static void end(world *w)
{
  clp_scene_destroy(w->scene);
  for (int l = 0; l <= LINKS; ++l)
    clp_body_destroy(w->bodies[l]);
  clp_joint_space_destroy(w->space);
  clp_joint_tree_destroy(w->tree);
  clp_model_destroy(w->model);
}

/* Ellipsoids, boxes and cylinders; two on each link, beside each other. */
static void add_bodies(world *w, random_state *g)
{
  static const clp_shape shapes[] = {CLP_SHAPE_ELLIPSOID, CLP_SHAPE_BOX, CLP_SHAPE_CYLINDER};
  for (int l = 0; l <= w->links; ++l) {
    clp_body_def def = clp_default_body_def(shapes[l % 3]);
    def.size = (clp_vec3){0.15, 0.1, 0.2};
    def.radius = 0.1;
    def.length = 0.25;
    w->bodies[l] = must_create(&def);
    clp_part parts[2] = {{w->bodies[l], random_pose(g, 0.1), ""},
                         {w->bodies[l], random_pose(g, 0.3), ""}};
    add_link(w, l, (clp_link){parts, 2});
  }
  for (int a = 0; a <= w->links; ++a)
    for (int b = a + 1; b <= w->links; ++b)
      add_pair(w, a, b);
}

SUITE("joint derivative");

TEST_CASE("differences", 120);

LOOP_TEST(joints_of_all_types, 0, 2)
{
  static world w;
  lines l = {0};
  random_state g = {.s = 3 + (uint64_t)_i};
  bool base = _i == 1;
  int judged = 0, all = amount_of(5);
  w = (world){0};
  ck_assert_msg(clp_joint_tree_parse(text, strlen(text), "text", lines_sink(&l), &w.tree) == CLP_OK,
                "%s", l.text);
  begin(&w, base);
  ck_assert_int_eq(w.size, 6 + 1 + 1 + 6 + (base ? 6 : 0));
  add_bodies(&w, &g);
  for (int k = 0; k < all; ++k) {
    set_out(&w, &g);
    if (!base)
      w.V_WR = (clp_twist){{0, 0, 0}, {0, 0, 0}};
    judged += judge_all(&w, base);
  }
  ck_assert_int_gt(judged, 10 * all);
  end(&w);
}

/* The shipped cell: the arm against itself, and against what stands about. */
TEST(the_cell)
{
  static world w;
  lines l = {0};
  random_state g = {.s = 5};
  static const char *const names[] = {"link_2", "link_4", "link_6", "gripper_base",
                                      "table",  "pillar", "torso"};
  enum { NAMES = sizeof names / sizeof *names };
  int judged = 0, all = amount_of(3), links[NAMES];
  w = (world){0};
  ck_assert_msg(clp_joint_tree_load(CELL, lines_sink(&l), &w.tree) == CLP_OK, "%s", l.text);
  ck_assert_msg(clp_model_load(CELL, lines_sink(&l), &w.model) == CLP_OK, "%s", l.text);
  begin(&w, false);
  for (int k = 0; k < NAMES; ++k) {
    links[k] = clp_joint_tree_find_link(w.tree, names[k]);
    ck_assert_int_ge(links[k], 0);
    add_link(&w, links[k], clp_model_link(w.model, clp_model_find_link(w.model, names[k])));
  }
  for (int a = 0; a < NAMES; ++a)
    for (int b = a + 1; b < NAMES; ++b)
      add_pair(&w, links[a], links[b]);
  for (int k = 0; k < all; ++k) {
    set_out(&w, &g);
    w.V_WR = (clp_twist){{0, 0, 0}, {0, 0, 0}};
    judged += judge_all(&w, false);
  }
  ck_assert_int_gt(judged, 6 * all);
  end(&w);
}

TEST(refused)
{
  static world w;
  lines l = {0};
  double gradient[SIZE];
  clp_joint_row row = {.gradient = gradient};
  random_state g = {.s = 1};
  w = (world){0};
  ck_assert_int_eq(clp_joint_tree_parse(text, strlen(text), "text", lines_sink(&l), &w.tree),
                   CLP_OK);
  begin(&w, false);
  add_bodies(&w, &g);
  set_out(&w, &g);
  place(&w, 0);
  clp_joint_pair pair = w.pairs[0];
  pair.link_a = w.links;
  ck_assert_int_eq(clp_joint_space_derive(w.space, w.scene, &w.X_WR, w.X_RL, &pair, 1, &row),
                   CLP_ERROR_ARGUMENT);
  pair = w.pairs[0];
  pair.pair.generation += 1;
  ck_assert_int_eq(clp_joint_space_derive(w.space, w.scene, &w.X_WR, w.X_RL, &pair, 1, &row),
                   CLP_OK);
  ck_assert(!row.known);
  row.gradient = NULL;
  ck_assert_int_eq(clp_joint_space_derive(w.space, w.scene, &w.X_WR, w.X_RL, w.pairs, 1, &row),
                   CLP_ERROR_ARGUMENT);
  ck_assert_int_eq(clp_joint_space_create(NULL, false, &w.space), CLP_ERROR_ARGUMENT);
  end(&w);
}

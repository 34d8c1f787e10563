/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <string.h>

#include "rclc_closest_point/joint_tree.h"
#include "rclc_closest_point/math/pose.h"
#include "rclc_closest_point/model.h"
#include "support/lines.h"
#include "support/suite.h"

/* What public URDFs have in them that is not as it should be, and does no harm: a note, and the
 * bodies that are there. */

static lines said;

static clp_model *parse(const char *text)
{
  said = (lines){0};
  clp_model *model = NULL;
  clp_status status = clp_model_parse(text, strlen(text), "f", lines_sink(&said), &model);
  ck_assert_msg(status == CLP_OK && model, "%s", said.text);
  return model;
}

#define LINK(inside) "<robot name='r'><link name='a'>" inside "</link></robot>"
#define COLLISION(attributes, shape) \
  "<collision " attributes "><geometry>" shape "</geometry></collision>"
#define BALL "<sphere radius='1'/>"

SUITE("model as it comes");

TEST_CASE("notes", 10);

/* The boxes of the parts hold what is there, and not more than a hundred thousandth beyond it. */
TEST(sizes_of_zero)
{
  static const struct {
    const char *text;
    clp_vec3 half;
    double least;
  } cases[] = {
      {LINK(COLLISION("", "<box size='2 1 0'/>")), {1, 0.5, 0}, 2e-5},
      {LINK(COLLISION("", "<box size='0 0 0'/>")), {0, 0, 0}, 1e-6},
      {LINK(COLLISION("", "<box size='0 3 0'/>")), {0, 1.5, 0}, 3e-5},
      {LINK(COLLISION("", "<sphere radius='0'/>")), {0, 0, 0}, 1e-6},
      {LINK(COLLISION("", "<cylinder radius='0' length='4'/>")), {0, 0, 2}, 4e-5},
      {LINK(COLLISION("", "<cylinder radius='0.5' length='0'/>")), {0.5, 0.5, 0}, 1e-5},
      {LINK(COLLISION("", "<capsule radius='0.5' length='0'/>")), {0.5, 0.5, 0.5}, 1e-5},
  };
  for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
    clp_model *model = parse(cases[k].text);
    char note[64];
    snprintf(note, sizeof note, "note: link 'a': a size of zero in collision 'collision_0'");
    ck_assert_msg(said.notes == 1 && strstr(said.text, note), "%zu: %s", k, said.text);
    clp_box3 box = clp_body_describe(clp_model_part(model, 0, 0).body).bounds;
    const double *lo = &box.min.x, *hi = &box.max.x, *half = &cases[k].half.x;
    for (int axis = 0; axis < 3; ++axis) {
      ck_assert_msg(lo[axis] <= -half[axis] && hi[axis] >= half[axis], "%zu", k);
      ck_assert_msg(hi[axis] - lo[axis] - 2 * half[axis] <= 2 * cases[k].least * (1 + 1e-9),
                    "%zu: %g", k, hi[axis] - lo[axis] - 2 * half[axis]);
    }
    clp_model_destroy(model);
  }
}

TEST(names_of_collisions)
{
  static const struct {
    const char *text, *names[3];
    int notes;
  } cases[] = {
      {LINK(COLLISION("", BALL) COLLISION("", BALL)), {"collision_0", "collision_1"}, 0},
      {LINK(COLLISION("name=''", BALL) COLLISION("name=''", BALL)),
       {"collision_0", "collision_1"},
       2},
      {LINK(COLLISION("name='c'", BALL) COLLISION("name='c'", BALL)), {"c", "collision_1"}, 1},
      {LINK(COLLISION("name='collision_1'", BALL) COLLISION("", BALL)),
       {"collision_1", "collision_2"},
       1},
      {LINK(COLLISION("name='c'", BALL) COLLISION("name='c'", BALL) COLLISION("name='c'", BALL)),
       {"c", "collision_1", "collision_2"},
       2},
      {LINK(COLLISION("name='left arm/1'", BALL)), {"collision_0"}, 1},
  };
  for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
    clp_model *model = parse(cases[k].text);
    ck_assert_msg(said.notes == cases[k].notes, "%zu: %s", k, said.text);
    for (int i = 0; i < 3 && cases[k].names[i]; ++i)
      ck_assert_str_eq(clp_model_part(model, 0, i).name, cases[k].names[i]);
    clp_model_destroy(model);
  }
}

TEST(collisions_without_geometry)
{
  clp_model *model = parse(LINK("<collision/><collision><geometry/></collision>" COLLISION(
      "", BALL) "<collision><geometry><!-- later --></geometry></collision>"));
  ck_assert_int_eq(said.notes, 3);
  ck_assert_int_eq(clp_model_part_count(model, 0), 1);
  clp_model_destroy(model);
}

TEST(plain_ascii)
{
  clp_model *model = parse("<?xml version='1.0' encoding='US-ASCII'?>\n" LINK(COLLISION("", BALL)));
  ck_assert_int_eq(said.notes, 0);
  clp_model_destroy(model);
  clp_model *none = NULL;
  static const char beyond[] =
      "<?xml version='1.0' encoding='us-ascii'?>\n<robot name='\xff'></robot>";
  ck_assert(clp_model_parse(beyond, sizeof beyond - 1, "f", lines_sink(&said), &none) != CLP_OK);
}

#define TO_WORLD                                                                 \
  "<joint name='j' type='fixed'><parent link='world'/><child link='a'/></joint>" \
  "<joint name='k' type='fixed'><origin xyz='0 0 2'/><parent link='a'/><child "  \
  "link='b/c'/></joint>"

/* No model and no tree of joints have a link 'world' of whoever has not said that there is one. */
TEST(a_joint_to_the_world)
{
  static const char text[] = "<robot name='r'><link name='a'>" COLLISION(
      "", BALL) "</link><link name='b/c'>" COLLISION("", BALL) "</link>" TO_WORLD "</robot>";
  clp_model *model = parse(text);
  ck_assert_msg(said.notes == 1 && strstr(said.text, "'world'"), "%s", said.text);
  ck_assert_int_eq(clp_model_link_count(model), 2);
  ck_assert(!clp_model_is_pair(model, 0, 1));
  clp_model_destroy(model);
  clp_joint_tree *tree = NULL;
  ck_assert_int_eq(clp_joint_tree_parse(text, sizeof text - 1, "f", lines_sink(&said), &tree),
                   CLP_OK);
  ck_assert_int_eq(clp_joint_tree_link_count(tree), 2);
  ck_assert_int_eq(clp_joint_tree_joint_count(tree), 1);
  clp_joint_tree_destroy(tree);
}

#define JOINT(type, parent, child)                                                                \
  "<joint name='" parent child "' type='" type "'><parent link='" parent "'/><child link='" child \
  "'/></joint>"
#define BODY(name) "<link name='" name "'>" COLLISION("", BALL) "</link>"
#define FRAME(name) "<link name='" name "'/>"

/* Pairs of links that one letter names, in the order of the file. */
static void expect_pairs(const char *text, const char *expected)
{
  char found[256] = "";
  clp_model *model = parse(text);
  for (int a = 0; a < clp_model_link_count(model); ++a)
    for (int b = a + 1; b < clp_model_link_count(model); ++b)
      if (clp_model_is_pair(model, a, b)) {
        ck_assert(clp_model_is_pair(model, b, a));
        strcat(found, clp_model_link_name(model, a));
        strcat(found, clp_model_link_name(model, b));
        strcat(found, " ");
      }
  ck_assert_str_eq(found, expected);
  clp_model_destroy(model);
}

TEST(what_joints_join)
{
  /* the tool's fingers hang on the wrist by a frame; they are a pair */
  expect_pairs("<robot name='r'>" BODY("w") FRAME("t") BODY("l") BODY("r")
                   JOINT("revolute", "w", "t") JOINT("prismatic", "t", "l")
                       JOINT("prismatic", "t", "r") "</robot>",
               "lr ");
  /* flange, palm and pad are one piece; the arm turns against all but the flange */
  expect_pairs("<robot name='r'>" BODY("a") BODY("f") BODY("p") BODY("q")
                   JOINT("revolute", "a", "f") JOINT("fixed", "f", "p")
                       JOINT("fixed", "p", "q") "</robot>",
               "ap aq ");
  /* whatever stands in the world, fixed or not, is to be kept away from */
  expect_pairs("<robot name='r'>" FRAME("w") BODY("b") BODY("h") BODY("t") JOINT("fixed", "w", "b")
                   JOINT("floating", "w", "h") JOINT("fixed", "w", "t") "</robot>",
               "bh bt ht ");
  /* a frame, a body, a frame: beyond the body it is another one's business */
  expect_pairs("<robot name='r'>" BODY("a") FRAME("m") BODY("b") FRAME("n") BODY("c")
                   JOINT("revolute", "a", "m") JOINT("revolute", "m", "b")
                       JOINT("revolute", "b", "n") JOINT("revolute", "n", "c") "</robot>",
               "ac ");
  /* round in a loop */
  expect_pairs("<robot name='r'>" BODY("a") FRAME("m") BODY("b") JOINT("fixed", "a", "m")
                   JOINT("fixed", "m", "b") JOINT("fixed", "b", "a") "</robot>",
               "");
}

/* A quarter about z, and with cut off digits. */
TEST(quaternions)
{
  static const char *const texts[] = {
      LINK("<collision><origin xyz='1 2 3' quat_xyzw='0 0 0.70710678118654752 "
           "0.70710678118654752'/><geometry>" BALL "</geometry></collision>"),
      LINK("<collision><origin xyz='1 2 3' quat_xyzw='0 0 0.7071 0.7071'/><geometry>" BALL
           "</geometry></collision>"),
      LINK("<patches><origin xyz='1 2 3' quat_xyzw='0 0 0.5 0.5'/><sphere radius='1'/></patches>")};
  for (int k = 0; k < 2; ++k) {
    clp_model *model = parse(texts[k]);
    clp_pose X = clp_model_part(model, 0, 0).X_LP;
    clp_vec3 x = clp_transform(X, (clp_vec3){1, 0, 0});
    ck_assert_double_le(clp_distance(x, (clp_vec3){1, 3, 3}), 1e-15);
    clp_model_destroy(model);
  }
  clp_model *none = NULL;
  said = (lines){0};
  ck_assert(clp_model_parse(texts[2], strlen(texts[2]), "f", lines_sink(&said), &none) != CLP_OK);
  ck_assert_msg(strstr(said.text, "has the norm 0.707107, expected 1"), "%s", said.text);
}

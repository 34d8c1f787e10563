/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/bag/schemas.h"

#include <stdio.h>
#include <string.h>

#include "rclc_closest_point/monitor/topics.h"
#include "support/suite.h"

#define RULE                                 \
  "========================================" \
  "========================================\n"

static int count_of(const char *text, const char *what)
{
  int count = 0;
  for (; (text = strstr(text, what)); ++text)
    ++count;
  return count;
}

SUITE("schemas");

TEST_CASE("texts", 10);

TEST(test_a_schema_is_the_type_and_what_it_is_made_of)
{
  char *text = clp_schema_text("tf2_msgs/msg/TFMessage");
  ck_assert_str_eq(text,
                   "geometry_msgs/TransformStamped[] transforms\n" RULE
                   "MSG: geometry_msgs/TransformStamped\n"
                   "std_msgs/Header header\nstring child_frame_id\n"
                   "geometry_msgs/Transform transform\n" RULE
                   "MSG: std_msgs/Header\nbuiltin_interfaces/Time stamp\nstring frame_id\n" RULE
                   "MSG: geometry_msgs/Transform\ngeometry_msgs/Vector3 translation\n"
                   "geometry_msgs/Quaternion rotation\n" RULE
                   "MSG: builtin_interfaces/Time\nint32 sec\nuint32 nanosec\n" RULE
                   "MSG: geometry_msgs/Vector3\nfloat64 x\nfloat64 y\nfloat64 z\n" RULE
                   "MSG: geometry_msgs/Quaternion\nfloat64 x\nfloat64 y\nfloat64 z\nfloat64 w\n");
  free(text);
}

/* Its own types are its .msg files, word for word. */
TEST(test_own_types_are_the_files)
{
  static const char *const names[] = {"ClosestPoint", "ClosestPointArray", "SafetyStatus",
                                      "JointGradient", "JointGradients"};
  for (size_t k = 0; k < sizeof names / sizeof *names; ++k) {
    char path[512], type[64], file[8192];
    snprintf(path, sizeof path, "%s/../../msg/%s.msg", TEST_DATA_DIR, names[k]);
    snprintf(type, sizeof type, "rclc_closest_point/%s", names[k]);
    FILE *stream = fopen(path, "r");
    ck_assert_ptr_nonnull(stream);
    file[fread(file, 1, sizeof file - 1, stream)] = '\0';
    fclose(stream);
    char *text = clp_schema_text(type);
    ck_assert_ptr_nonnull(text);
    ck_assert_int_eq(strncmp(text, file, strlen(file)), 0);
    free(text);
  }
  char *text = clp_schema_text("rclc_closest_point/ClosestPointArray");
  ck_assert_int_eq(count_of(text, "MSG: rclc_closest_point/ClosestPoint\n"), 1);
  ck_assert_int_eq(count_of(text, "MSG: geometry_msgs/Point\n"), 1);
  free(text);
}

TEST(test_every_topic_has_a_schema)
{
  for (int k = 0; k < CLP_TOPICS; ++k) {
    char *text = clp_schema_text(clp_topic_types[k]);
    ck_assert_msg(text != NULL, "%s has none", clp_topic_types[k]);
    free(text);
  }
  char *joints = clp_schema_text("sensor_msgs/msg/JointState");
  ck_assert_ptr_nonnull(joints);
  free(joints);
  ck_assert_ptr_null(clp_schema_text("sensor_msgs/Nothing"));
  ck_assert_ptr_null(clp_schema_text(""));
}

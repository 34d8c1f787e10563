/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* open_memstream, mkdtemp */

#include "rclc_closest_point/monitor/topics.h"

#include <dds/dds.h>
#include <wire/messages.h>

#include "support/scratch.h"
#include "support/suite.h"

/* The table of topics: the types that go over the wire are those that it names, and the
 * documentation has it. */

static const dds_topic_descriptor_t *const descriptors[CLP_TOPICS] = {
    [CLP_TOPIC_TF] = &tf2_msgs_msg_dds__TFMessage__desc,
    [CLP_TOPIC_TF_STATIC] = &tf2_msgs_msg_dds__TFMessage__desc,
    [CLP_TOPIC_JOINTS] = &sensor_msgs_msg_dds__JointState__desc,
    [CLP_TOPIC_DESCRIPTION] = &std_msgs_msg_dds__String__desc,
    [CLP_TOPIC_CLOCK] = &rosgraph_msgs_msg_dds__Clock__desc,
    [CLP_TOPIC_POINTS] = &rclc_closest_point_msg_dds__ClosestPointArray__desc,
    [CLP_TOPIC_MINIMUM] = &rclc_closest_point_msg_dds__ClosestPoint__desc,
    [CLP_TOPIC_SAFETY] = &rclc_closest_point_msg_dds__SafetyStatus__desc,
    [CLP_TOPIC_WRENCH] = &geometry_msgs_msg_dds__WrenchStamped__desc,
    [CLP_TOPIC_GRADIENTS] = &rclc_closest_point_msg_dds__JointGradients__desc,
    [CLP_TOPIC_MARKERS] = &visualization_msgs_msg_dds__MarkerArray__desc,
    [CLP_TOPIC_DIAGNOSTICS] = &diagnostic_msgs_msg_dds__DiagnosticArray__desc};

SUITE("topics");

TEST_CASE("topics", 10);

/* package/Name is package::msg::dds_::Name_ on the wire. */
LOOP_TEST(types, 0, CLP_TOPICS)
{
  const char *type = clp_topic_types[_i], *slash = strchr(type, '/');
  char expected[128];
  ck_assert_ptr_nonnull(slash);
  snprintf(expected, sizeof expected, "%.*s::msg::dds_::%s_", (int)(slash - type), type, slash + 1);
  ck_assert_str_eq(descriptors[_i]->m_typename, expected);
}

TEST(the_documentation_has_the_table)
{
  static char page[131072];
  char *table = NULL;
  size_t size = 0;
  FILE *stream = open_memstream(&table, &size);
  clp_topics_print_markdown(stream);
  fclose(stream);
  read_whole(URDF_PATCHES_DIR "/../docs/monitor.md", page, sizeof page);
  ck_assert_msg(strstr(page, table) != NULL, "docs/monitor.md does not have this table:\n%s",
                table);
  free(table);
}

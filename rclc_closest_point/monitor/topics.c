/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/monitor/topics.h"

#define STREAM "in, reliable, the newest 100"
#define LATCHED "in, reliable, latched"
#define ANSWER "out, reliable, the newest, deadline, liveliness"
#define ORDER ANSWER ", lifespan"

const clp_topic clp_topics[CLP_TOPICS] = {
    [CLP_TOPIC_TF] = {"/tf", "tf2_msgs/TFMessage", STREAM, "transforms of what moves",
                      CLP_NEED_RELIABLE},
    [CLP_TOPIC_TF_STATIC] = {"/tf_static", "tf2_msgs/TFMessage", LATCHED,
                             "transforms that stay as they are", CLP_NEED_LATCHED},
    [CLP_TOPIC_DESCRIPTION] = {"robot_description", "std_msgs/String", LATCHED,
                               "the model, where no file is set; the first one that can be used",
                               CLP_NEED_LATCHED},
    [CLP_TOPIC_CLOCK] = {"/clock", "rosgraph_msgs/Clock", "in, best effort",
                         "the time, with `use_sim_time`", CLP_NEED_ANY},
    [CLP_TOPIC_POINTS] = {"~/closest_points", "rclc_closest_point/ClosestPointArray", ANSWER,
                          "all pairs within `range`, nearest first, then all stale ones",
                          CLP_NEED_ALONE},
    [CLP_TOPIC_MINIMUM] = {"~/minimum", "rclc_closest_point/ClosestPoint", ANSWER,
                           "the nearest pair; where none has a distance a stale one, or nobody "
                           "OUT_OF_RANGE",
                           CLP_NEED_ALONE},
    [CLP_TOPIC_SAFETY] = {"~/safety", "rclc_closest_point/SafetyStatus", ORDER, "zone and speed",
                          CLP_NEED_ALONE},
    [CLP_TOPIC_WRENCH] = {"~/wrench", "geometry_msgs/WrenchStamped", ORDER,
                          "with `wrench_tool`: the force that keeps it away from everything",
                          CLP_NEED_ALONE},
    [CLP_TOPIC_MARKERS] = {"~/markers", "visualization_msgs/MarkerArray",
                           "out, reliable, the newest",
                           "at `marker_rate`: witness lines, witnesses and normals of all pairs "
                           "with a distance, colored by zone, the smallest distance in words, and "
                           "the bodies",
                           CLP_NEED_NOTHING},
    [CLP_TOPIC_DIAGNOSTICS] = {"/diagnostics", "diagnostic_msgs/DiagnosticArray",
                               "out, reliable, the newest 10",
                               "once a second: rate, lateness of cycles, ages, coverage, refused "
                               "input",
                               CLP_NEED_NOTHING}};

void clp_topics_print_markdown(FILE *stream)
{
  fputs("| topic | type | | |\n|---|---|---|---|\n", stream);
  for (int k = 0; k < CLP_TOPICS; ++k)
    fprintf(stream, "| `%s` | %s | %s | %s |\n", clp_topics[k].name, clp_topics[k].type,
            clp_topics[k].quality, clp_topics[k].description);
}

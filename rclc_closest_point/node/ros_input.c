/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/node/ros_input.h"

#include <std_msgs/msg/string.h>
#include <stdlib.h>
#include <tf2_msgs/msg/tf_message.h>

#include "rclc_closest_point/node/cdr.h"
#include "rclc_closest_point/node/ros_log.h"
#include "rclc_closest_point/node/tf_message.h"

/* The newest that are kept between two cycles. */
#define DEPTH 100

/* Of descriptions that come too late no more is looked at at a time than a cycle can bear. */
#define LATE_BYTES ((size_t)1 << 20)

static rmw_qos_profile_t quality(bool latched)
{
  rmw_qos_profile_t qos = rmw_qos_profile_default;
  qos.depth = DEPTH;
  if (latched)
    qos.durability = RMW_QOS_POLICY_DURABILITY_TRANSIENT_LOCAL;
  return qos;
}

static clp_ros_input nothing(const char *logger)
{
  return (clp_ros_input){.tf = clp_ros_reader_none(logger),
                         .tf_static = clp_ros_reader_none(logger),
                         .description = clp_ros_reader_none(logger)};
}

bool clp_ros_input_create(clp_ros_input *input, bool with_description, rcl_node_t *node)
{
  const rosidl_message_type_support_t *tf = ROSIDL_GET_MSG_TYPE_SUPPORT(tf2_msgs, msg, TFMessage);
  const rosidl_message_type_support_t *text = ROSIDL_GET_MSG_TYPE_SUPPORT(std_msgs, msg, String);
  const char *logger = rcl_node_get_logger_name(node);
  *input = nothing(logger);
  input->arrivals = calloc(CLP_TF_STATIC_ROOM, sizeof *input->arrivals);
  if (!input->arrivals)
    return clp_ros_no_memory(logger, "what is subscribed to");
  return clp_ros_reader_create(&input->tf, node, tf, CLP_TOPIC_TF, quality(false)) &&
         clp_ros_reader_create(&input->tf_static, node, tf, CLP_TOPIC_TF_STATIC, quality(true)) &&
         (!with_description || clp_ros_reader_create(&input->description, node, text,
                                                     CLP_TOPIC_DESCRIPTION, quality(true)));
}

void clp_ros_input_release(clp_ros_input *input, rcl_node_t *node)
{
  clp_ros_reader_release(&input->tf, node);
  clp_ros_reader_release(&input->tf_static, node);
  clp_ros_reader_release(&input->description, node);
  free(input->arrivals);
  *input = nothing(input->tf.logger);
}

static size_t feed_message(clp_ros_input *input, clp_ros_reader *reader, clp_monitor *monitor,
                           int64_t now)
{
  clp_tf_message message;
  bool is_static = reader == &input->tf_static;
  if (!clp_tf_message_read(reader->message.buffer, reader->message.buffer_length, input->arrivals,
                           is_static ? CLP_TF_STATIC_ROOM : CLP_TF_ROOM, &message)) {
    clp_ros_reader_refuse(reader);
    return 1;
  }
  (void)clp_speakers_meet(clp_monitor_speakers(monitor), reader->writer);
  clp_monitor_listen_to(monitor, reader->writer);
  clp_monitor_feed(monitor, input->arrivals, message.count, is_static, now);
  clp_monitor_count(monitor, CLP_FEED_BEYOND, message.beyond);
  input->oversized |= message.beyond > 0;
  return message.count + 1;
}

/* Until enough has been taken for a cycle; what is left is for the next one. What cannot be taken
 * is like nothing, and noticed by its age. */
static void feed_topic(clp_ros_input *input, clp_ros_reader *reader, clp_monitor *monitor,
                       int64_t now)
{
  for (size_t fed = 0; fed < CLP_TF_ROOM && clp_ros_reader_take(reader);)
    fed += feed_message(input, reader, monitor, now);
  clp_monitor_count(monitor, CLP_FEED_MALFORMED, clp_ros_reader_unread(reader));
}

void clp_ros_input_feed(clp_ros_input *input, clp_monitor *monitor, int64_t now)
{
  feed_topic(input, &input->tf_static, monitor, now);
  feed_topic(input, &input->tf, monitor, now);
  clp_monitor_count(monitor, CLP_FEED_MALFORMED, clp_ros_reader_unread(&input->description));
}

/* The text, which is large, is NULL of one that is malformed. */
static bool take_description(clp_ros_input *input, const char **text)
{
  clp_ros_reader *reader = &input->description;
  *text = NULL;
  if (!clp_ros_reader_is_there(reader) || !clp_ros_reader_take(reader))
    return false;
  input->oversized = true;
  if (!clp_cdr_read_text(reader->message.buffer, reader->message.buffer_length, text))
    clp_ros_reader_refuse(reader);
  return true;
}

const char *clp_ros_input_description(clp_ros_input *input)
{
  const char *text;
  return take_description(input, &text) ? text : NULL;
}

void clp_ros_input_tidy(clp_ros_input *input, bool monitored)
{
  const char *unused;
  for (size_t bytes = 0; monitored && bytes < LATE_BYTES && take_description(input, &unused);)
    bytes += input->description.message.buffer_length;
  if (!input->oversized)
    return;
  clp_ros_reader_tidy(&input->tf);
  clp_ros_reader_tidy(&input->tf_static);
  if (clp_ros_reader_is_there(&input->description))
    clp_ros_reader_tidy(&input->description);
  input->oversized = false;
}

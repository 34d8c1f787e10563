/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/monitor/tf_buffer.h"

#include <tf2/buffer_core.h>
#include <tf2/exceptions.h>

#include <exception>
#include <string>

/* What the two generations of tf2 call the same things. */
#ifdef CLP_TF2_OF_ROS2

#include <chrono>
#include <geometry_msgs/msg/transform_stamped.hpp>

namespace
{
typedef geometry_msgs::msg::TransformStamped Stamped;

tf2::Duration duration_of(double seconds)
{
  return tf2::durationFromSec(seconds);
}

tf2::TimePoint time_of(int64_t stamp)
{
  return tf2::TimePoint(std::chrono::nanoseconds(stamp));
}

void set_stamp(Stamped &message, int64_t stamp)
{
  message.header.stamp.sec = static_cast<int32_t>(stamp / 1000000000);
  message.header.stamp.nanosec = static_cast<uint32_t>(stamp % 1000000000);
}
}  // namespace

#else

#include <geometry_msgs/TransformStamped.h>

namespace
{
typedef geometry_msgs::TransformStamped Stamped;

ros::Duration duration_of(double seconds)
{
  return ros::Duration(seconds);
}

ros::Time time_of(int64_t stamp)
{
  return ros::Time(static_cast<uint32_t>(stamp / 1000000000),
                   static_cast<uint32_t>(stamp % 1000000000));
}

void set_stamp(Stamped &message, int64_t stamp)
{
  message.header.stamp = time_of(stamp);
}
}  // namespace

#endif

struct clp_tf_buffer {
  tf2::BufferCore core;

  explicit clp_tf_buffer(double seconds) : core(duration_of(seconds))
  {
  }
};

clp_tf_buffer *clp_tf_buffer_create(double seconds)
{
  try {
    return new clp_tf_buffer(seconds);
  } catch (const std::exception &) {
    return nullptr;
  }
}

void clp_tf_buffer_destroy(clp_tf_buffer *buffer)
{
  delete buffer;
}

bool clp_tf_buffer_set(clp_tf_buffer *buffer, const char *parent, const char *child, int64_t stamp,
                       const clp_tf_transform *X_PC, bool is_static)
{
  if (!buffer)
    return false;
  try {
    Stamped message;
    set_stamp(message, stamp);
    message.header.frame_id = parent;
    message.child_frame_id = child;
    message.transform.translation.x = X_PC->translation.x;
    message.transform.translation.y = X_PC->translation.y;
    message.transform.translation.z = X_PC->translation.z;
    message.transform.rotation.x = X_PC->qx;
    message.transform.rotation.y = X_PC->qy;
    message.transform.rotation.z = X_PC->qz;
    message.transform.rotation.w = X_PC->qw;
    return buffer->core.setTransform(message, "closest_point", is_static);
  } catch (const std::exception &) {
    return false;
  }
}

bool clp_tf_buffer_lookup(const clp_tf_buffer *buffer, const char *target, const char *source,
                          int64_t stamp, clp_tf_transform *X_TS)
{
  if (!buffer)
    return false;
  try {
    const Stamped found = buffer->core.lookupTransform(target, source, time_of(stamp));
    const auto &translation = found.transform.translation;
    const auto &rotation = found.transform.rotation;
    *X_TS = {{translation.x, translation.y, translation.z},
             rotation.x,
             rotation.y,
             rotation.z,
             rotation.w};
    return true;
  } catch (const std::exception &) {
    return false;
  }
}

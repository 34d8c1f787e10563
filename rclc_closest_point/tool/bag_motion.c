/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/tool/bag_motion.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "rclc_closest_point/model/joint_tree.h"
#include "rclc_closest_point/node/joint_message.h"
#include "rclc_closest_point/node/tf_message.h"

/* Nanoseconds that a message may come after others with later stamps, and how many may wait. */
#define PATIENCE INT64_C(1000000000)
#define MOST_WAITING 1000000

/* Of a message's content so much is read. */
enum { TRANSFORMS = 8192 };

typedef union message_room {
  clp_arrival transforms[TRANSFORMS];
  clp_joint_told joints[CLP_JOINT_ROOM];
} message_room;

typedef enum content_kind { NOTHING, MOVING, STILL, JOINT_STATES } content_kind;

static content_kind content_of(clp_bag_topic topic)
{
  const char *slash = strrchr(topic.name, '/');
  if (strcmp(topic.type, "tf2_msgs/msg/TFMessage") == 0)
    return strcmp(topic.name, "/tf") == 0          ? MOVING
           : strcmp(topic.name, "/tf_static") == 0 ? STILL
                                                   : NOTHING;
  bool joints = strcmp(topic.type, "sensor_msgs/msg/JointState") == 0 && slash &&
                strcmp(slash, "/joint_states") == 0;
  return joints ? JOINT_STATES : NOTHING;
}

/* ---- Messages ----------------------------------------------------------------------------- */

/* Some publishers do not stamp. */
static int64_t stamp_of(int64_t told, const clp_bag_message *message)
{
  return told > 0 ? told : message->received;
}

/* False: it is none. */
static bool take_transform(clp_bag_motion *m, const clp_arrival *arrival,
                           const clp_bag_message *message, clp_stamped *entry)
{
  *entry = (clp_stamped){.stamp = stamp_of(arrival->stamp, message),
                         .received = message->received,
                         .target = clp_frame_tree_add(&m->frames, arrival->child),
                         .parent = clp_frame_tree_add(&m->frames, arrival->parent)};
  if (entry->target >= 0 && entry->parent >= 0 && entry->target != entry->parent &&
      clp_pose_of_transform(arrival->translation, arrival->rotation, &entry->pose))
    return true;
  ++m->counts.refused;
  return false;
}

static void wait(clp_bag_motion *m, const clp_stamped *entry)
{
  if (entry->stamp <= m->stamp)
    ++m->counts.late;
  else if (!clp_stamp_queue_put(&m->queue, entry))
    m->exhausted = true;
}

/* Of a frame that is told of again the last one counts. */
static void stand(clp_bag_motion *m, const clp_stamped *entry)
{
  for (size_t k = 0; k < m->still_count; ++k)
    if (m->still[k].target == entry->target) {
      m->still[k] = *entry;
      return;
    }
  if (m->still_count == m->still_room) {
    size_t room = m->still_room > 0 ? 2 * m->still_room : 64;
    clp_stamped *still = realloc(m->still, room * sizeof *still);
    m->exhausted |= !still;
    if (!still)
      return;
    m->still = still;
    m->still_room = room;
  }
  m->still[m->still_count++] = *entry;
}

static void take_transforms(clp_bag_motion *m, const clp_bag_message *message, bool still)
{
  clp_arrival *arrivals = ((message_room *)m->room)->transforms;
  clp_tf_message read;
  if (!clp_tf_message_read(message->bytes, message->size, arrivals, TRANSFORMS, &read)) {
    ++m->counts.malformed;
    return;
  }
  m->counts.refused += read.beyond;
  for (size_t k = 0; k < read.count; ++k) {
    clp_stamped entry;
    if (!take_transform(m, &arrivals[k], message, &entry))
      continue;
    if (still)
      stand(m, &entry);
    else
      wait(m, &entry);
  }
}

static void take_joints(clp_bag_motion *m, const clp_bag_message *message)
{
  clp_joint_told *joints = ((message_room *)m->room)->joints;
  clp_joint_message read;
  uint64_t beyond;
  if (clp_joint_message_read(message->bytes, message->size, joints, &read, &beyond) !=
      CLP_JOINTS_READ) {
    ++m->counts.malformed;
    return;
  }
  m->counts.refused += beyond;
  for (size_t k = 0; k < read.count; ++k) {
    int joint = clp_joint_tree_find_joint(m->joints, joints[k].name);
    clp_stamped entry = {.stamp = stamp_of(read.stamp, message),
                         .received = message->received,
                         .target = joint,
                         .parent = -1,
                         .position = joints[k].position};
    if (joint >= 0 && isfinite(joints[k].position))
      wait(m, &entry);
    else if (joint >= 0)
      ++m->counts.refused;
  }
}

static void take_message(clp_bag_motion *m, const clp_bag_message *message)
{
  content_kind content = content_of(clp_bag_topic_at(m->bag, message->topic));
  if (message->received > m->received)
    m->received = message->received;
  if (content == MOVING && !m->joints)
    take_transforms(m, message, false);
  else if (content == JOINT_STATES && m->joints)
    take_joints(m, message);
}

/* ---- Instants ----------------------------------------------------------------------------- */

static bool is_ready(const clp_bag_motion *m)
{
  const clp_stamped *first = clp_stamp_queue_first(&m->queue);
  return first &&
         (m->ended || m->queue.count > MOST_WAITING || first->received <= m->received - PATIENCE);
}

static void apply(clp_bag_motion *m, const clp_stamped *entry)
{
  if (!m->joints) {
    m->regrown |= clp_frame_tree_hang(&m->frames, entry->target, entry->parent, &entry->pose);
    m->moved |= m->frames.frames[entry->target].watched;
    return;
  }
  m->moved = true;
  m->states[entry->target].position = entry->position;
  m->told[entry->target] = true;
}

bool clp_bag_motion_next(clp_bag_motion *motion, int64_t *stamp)
{
  clp_bag_motion *m = motion;
  clp_bag_message message;
  while (!is_ready(m) && !m->ended && !m->exhausted) {
    if (clp_bag_next(m->bag, &message))
      take_message(m, &message);
    else
      m->ended = true;
  }
  const clp_stamped *first = clp_stamp_queue_first(&m->queue);
  if (!first || m->exhausted)
    return false;
  m->stamp = first->stamp;
  m->moved = m->regrown = false;
  for (; first && first->stamp == m->stamp; first = clp_stamp_queue_first(&m->queue)) {
    apply(m, first);
    clp_stamp_queue_drop(&m->queue);
  }
  *stamp = m->stamp;
  return true;
}

/* ---- From start to end -------------------------------------------------------------------- */

void clp_bag_motion_rewind(clp_bag_motion *motion)
{
  clp_bag_motion *m = motion;
  clp_bag_rewind(m->bag, INT64_MIN);
  clp_frame_tree_cut(&m->frames);
  for (size_t k = 0; k < m->still_count; ++k)
    (void)clp_frame_tree_hang(&m->frames, m->still[k].target, m->still[k].parent,
                              &m->still[k].pose);
  if (m->joints) {
    clp_joint_tree_rest(m->joints, m->states);
    memset(m->told, 0, (size_t)clp_joint_tree_joint_count(m->joints) * sizeof *m->told);
  }
  m->queue.count = 0;
  m->queue.number = 0;
  m->received = m->stamp = INT64_MIN + PATIENCE;
  m->ended = false;
  m->counts = (clp_bag_counts){0};
}

static void inspect(clp_bag_motion *m)
{
  clp_bag_message message;
  while (!m->exhausted && clp_bag_next(m->bag, &message)) {
    content_kind content = content_of(clp_bag_topic_at(m->bag, message.topic));
    m->has_transforms |= content == MOVING;
    m->has_joints |= content == JOINT_STATES;
    if (content == STILL)
      take_transforms(m, &message, true);
  }
}

bool clp_bag_motion_open(clp_bag_motion *motion, clp_bag *bag)
{
  *motion = (clp_bag_motion){.bag = bag, .room = malloc(sizeof(message_room))};
  motion->exhausted = !motion->room;
  inspect(motion);
  if (!motion->exhausted)
    clp_bag_motion_rewind(motion);
  return !motion->exhausted;
}

bool clp_bag_motion_use_joints(clp_bag_motion *motion, const clp_joint_tree *joints)
{
  size_t count = (size_t)clp_joint_tree_joint_count(joints) + 1;
  motion->states = calloc(count, sizeof *motion->states);
  motion->told = calloc(count, sizeof *motion->told);
  if (!motion->states || !motion->told)
    return false;
  motion->joints = joints;
  clp_bag_motion_rewind(motion);
  return true;
}

void clp_bag_motion_close(clp_bag_motion *motion)
{
  clp_bag_close(motion->bag);
  clp_frame_tree_release(&motion->frames);
  clp_stamp_queue_release(&motion->queue);
  free(motion->still);
  free(motion->states);
  free(motion->told);
  free(motion->room);
  *motion = (clp_bag_motion){0};
}

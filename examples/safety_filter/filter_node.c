/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* sigaction */

/* The filter as a node: of the speeds that somebody wishes of joints it lets through what keeps all
 * pairs of links farther apart than the margin, by what the monitor says of how distances change.
 *
 *   filter_node [MARGIN [TOO_OLD]]      m, s: 0.03 and 0.01 unless told
 *
 *   in    /closest_point_monitor/joint_gradients   rclc_closest_point/JointGradients
 *         /wished_velocities                       sensor_msgs/JointState: name, velocity
 *         /joint_states                            of joints that nobody asks anything of: speeds
 *   out   /filtered_velocities                     the same names; the stamp is the gradients'
 *
 * A barrier h = lower bound - margin stays above zero with h' >= -rate h, and h' is linear in the
 * speeds: gradient . v + rate_rest. Where gradients or wishes are older than TOO_OLD, or something
 * is not known of a pair, no joint moves; who drives obeys an answer as long as its stamp is that
 * young. Limits of the joints themselves are the driver's. */

#include <math.h>
#include <wire/messages.h>

#include "../ros.h"
#include "nearest.h"

typedef rclc_closest_point_msg_dds__JointGradients_ gradients_message;
typedef rclc_closest_point_msg_dds__JointGradient_ pair_message;
typedef sensor_msgs_msg_dds__JointState_ joints_message;

static const double rate = 8; /* 1/s, of barriers */

/* Speeds that were let through for one pose are driven at while the arm goes on to another, and
 * then until they are too old: over twice that time a distance falls by what its rate changes by,
 * too, at speeds as here no more than this (m/s^2). */
static const double bend = 5;
enum { AXES = NEAREST_UNKNOWNS - 1, OUT_OF_RANGE = 4 };

/* The newest message that a reader has had, as loaned. */
typedef struct newest {
  dds_entity_t reader;
  void *message;
} newest;

static void take(newest *n)
{
  for (;;) {
    void *sample = NULL;
    dds_sample_info_t info;
    if (dds_take(n->reader, &sample, &info, 1, 1) != 1)
      return;
    void *old = info.valid_data ? n->message : sample;
    if (info.valid_data)
      n->message = sample;
    if (old)
      dds_return_loan(n->reader, &old, 1);
  }
}

static void leave(newest *n)
{
  if (n->message)
    dds_return_loan(n->reader, &n->message, 1);
}

static double age_of(const std_msgs_msg_dds__Header_ *header)
{
  return 1e-9 * (double)dds_time() - header->stamp.sec - 1e-9 * header->stamp.nanosec;
}

static int find(char *const *names, uint32_t count, const char *name)
{
  for (uint32_t k = 0; k < count; ++k)
    if (strcmp(names[k], name) == 0)
      return (int)k;
  return -1;
}

/* The gradient's joints: which of them are wished for, and how fast the others are. */
typedef struct columns {
  const gradients_message *gradients;
  int wished[AXES], count;
  const joints_message *joints; /* NULL: nobody tells of any */
} columns;

/* False: somebody wishes for a joint of which the monitor knows nothing. */
static bool assign(const joints_message *wish, columns *c)
{
  const gradients_message *g = c->gradients;
  c->count = (int)wish->name._length;
  if (c->count > AXES || wish->velocity._length != wish->name._length)
    return false;
  for (int k = 0; k < c->count; ++k) {
    c->wished[k] = find(g->joint_names._buffer, g->joint_names._length, wish->name._buffer[k]);
    if (c->wished[k] < 0 || !isfinite(wish->velocity._buffer[k]))
      return false;
  }
  return true;
}

/* The rate of the distance that is nobody's wish. NaN: not known. */
static double rest_of(const columns *c, const pair_message *pair)
{
  double rest = pair->rate_rest;
  for (uint32_t i = 0; i < pair->gradient._length; ++i) {
    bool wished = false;
    for (int k = 0; k < c->count; ++k)
      wished |= c->wished[k] == (int)i;
    if (wished || pair->gradient._buffer[i] == 0)
      continue;
    int told = c->joints ? find(c->joints->name._buffer, c->joints->name._length,
                                c->gradients->joint_names._buffer[i])
                         : -1;
    bool known = told >= 0 && (uint32_t)told < c->joints->velocity._length;
    rest += pair->gradient._buffer[i] * (known ? c->joints->velocity._buffer[told] : (double)NAN);
  }
  return rest;
}

/* The wish becomes what is let through. False: something is not known. The bounds keep that much
 * (m).
 */
static bool filter(const columns *c, double keep, double *speeds)
{
  static nearest_row rows[NEAREST_ROWS];
  int count = 0;
  for (uint32_t k = 0; k < c->gradients->pairs._length; ++k) {
    const pair_message *pair = &c->gradients->pairs._buffer[k];
    if (pair->status == OUT_OF_RANGE)
      continue;
    nearest_row *row = &rows[count];
    if (++count == NEAREST_ROWS)
      return false;
    *row = (nearest_row){.b = -rate * (pair->lower_bound - keep) - rest_of(c, pair)};
    double sum = row->b;
    for (int i = 0; i < c->count; ++i)
      sum += row->a[i] = pair->gradient._buffer[c->wished[i]];
    if (!isfinite(sum))
      return false;
  }
  nearest_or_least(rows, count, c->count, speeds);
  return true;
}

static void answer(dds_entity_t writer, const newest *in, double margin, double too_old)
{
  const gradients_message *gradients = in[0].message;
  joints_message *wish = in[1].message;
  columns c = {.gradients = gradients, .joints = in[2].message};
  double speeds[NEAREST_UNKNOWNS] = {0};
  if (!wish)
    return;
  uint32_t count = wish->name._length < AXES ? wish->name._length : AXES;
  bool fine = gradients && fabs(age_of(&gradients->header)) <= too_old &&
              fabs(age_of(&wish->header)) <= too_old && assign(wish, &c);
  for (uint32_t k = 0; fine && k < count; ++k)
    speeds[k] = wish->velocity._buffer[k];
  if (!fine || !filter(&c, margin + 2 * bend * too_old * too_old, speeds))
    memset(speeds, 0, sizeof speeds);
  joints_message out = {.header = gradients ? gradients->header : wish->header,
                        .name = {count, count, wish->name._buffer, false},
                        .velocity = {count, count, speeds, false}};
  dds_write(writer, &out);
}

int main(int argc, char **argv)
{
  double margin = argc > 1 ? strtod(argv[1], NULL) : 0.03;
  double too_old = argc > 2 ? strtod(argv[2], NULL) : 0.01;
  const dds_topic_descriptor_t *joints = &sensor_msgs_msg_dds__JointState__desc;
  dds_entity_t node = ros_join();
  newest in[] = {{ros_endpoint(node, "/closest_point_monitor/joint_gradients",
                               &rclc_closest_point_msg_dds__JointGradients__desc, false, false),
                  NULL},
                 {ros_endpoint(node, "/wished_velocities", joints, false, false), NULL},
                 {ros_endpoint(node, "/joint_states", joints, false, false), NULL}};
  dds_entity_t writer = ros_endpoint(node, "/filtered_velocities", joints, true, false);
  if (writer < 0 || in[0].reader < 0 || in[1].reader < 0 || in[2].reader < 0)
    return 1;
  ros_catch_signals();
  while (!ros_must_end) {
    for (int k = 0; k < 3; ++k)
      take(&in[k]);
    answer(writer, in, margin, too_old);
    dds_sleepfor(DDS_MSECS(1));
  }
  for (int k = 0; k < 3; ++k)
    leave(&in[k]);
  dds_delete(node);
  return 0;
}

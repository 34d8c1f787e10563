/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* sigaction */

/* The shipped arm in its cell, for filter_node: it tells of its joints, wishes to go where somebody
 * stands, and drives as fast as the filter permits.
 *
 *   simulated_arm CELL SECONDS TOO_OLD [still]
 *
 * It ends when it has driven for so many seconds, and says how near it was to anything: by the
 * poses themselves, of which the monitor has only heard. What is older than TOO_OLD moves nothing.
 * With "still" the person stands still.
 *
 *   in    /filtered_velocities
 *   out   /joint_states, /wished_velocities, /tf_static (where the person stands) */

#include <math.h>
#include <wire/messages.h>

#include "../ros.h"
#include "task.h"

typedef sensor_msgs_msg_dds__JointState_ joints_message;

static const clp_vec3 goals[] = {{0.25, 0.55, 1.2}, {0.45, 0.0, 1.1}};
static const double period = 0.002; /* s */

/* What is told, of all joints that are one number, and of the arm's axes alone. */
typedef struct told {
  char *names[CELL_LINKS];
  int joints[CELL_LINKS], count;
  char *axes[CELL_AXES];
} told;

static told told_of(const cell *c)
{
  told t = {.count = 0};
  for (int j = 0; j < c->joints; ++j) {
    clp_joint joint = clp_joint_tree_joint(c->tree, j);
    bool one = joint.type == CLP_JOINT_REVOLUTE || joint.type == CLP_JOINT_CONTINUOUS ||
               joint.type == CLP_JOINT_PRISMATIC;
    if (j >= c->first && j < c->first + CELL_AXES)
      t.axes[j - c->first] = (char *)joint.name;
    if (!one || joint.follows >= 0)
      continue;
    t.names[t.count] = (char *)joint.name;
    t.joints[t.count++] = j;
  }
  return t;
}

static std_msgs_msg_dds__Header_ header_at(dds_time_t time)
{
  static char frame[] = "cell";
  return (std_msgs_msg_dds__Header_){{(int32_t)(time / 1000000000), (uint32_t)(time % 1000000000)},
                                     frame};
}

static void tell_joints(dds_entity_t writer, const cell *c, const told *t, dds_time_t time)
{
  double positions[CELL_LINKS], speeds[CELL_LINKS];
  uint32_t count = (uint32_t)t->count;
  for (int k = 0; k < t->count; ++k) {
    positions[k] = c->states[t->joints[k]].position;
    speeds[k] = c->states[t->joints[k]].speed;
  }
  joints_message message = {.header = header_at(time),
                            .name = {count, count, (char **)t->names, false},
                            .position = {count, count, positions, false},
                            .velocity = {count, count, speeds, false}};
  dds_write(writer, &message);
}

static void tell_wish(dds_entity_t writer, const told *t, double *speeds, dds_time_t time)
{
  joints_message message = {.header = header_at(time),
                            .name = {CELL_AXES, CELL_AXES, (char **)t->axes, false},
                            .velocity = {CELL_AXES, CELL_AXES, speeds, false}};
  dds_write(writer, &message);
}

/* The person's place does not change, but for what waist and arms do. */
static void tell_person(dds_entity_t writer, const cell *c)
{
  static char person[] = "person";
  int joint = clp_joint_tree_find_joint(c->tree, "cell_person");
  clp_pose X = clp_joint_tree_joint_pose(c->tree, c->states, joint);
  double w = 0.5 * sqrt(fmax(0, 1 + X.rotation.x.x + X.rotation.y.y + X.rotation.z.z));
  geometry_msgs_msg_dds__TransformStamped_ transform = {
      .header = header_at(dds_time()),
      .child_frame_id = person,
      .transform = {
          {X.position.x, X.position.y, X.position.z},
          {(X.rotation.y.z - X.rotation.z.y) / (4 * w), (X.rotation.z.x - X.rotation.x.z) / (4 * w),
           (X.rotation.x.y - X.rotation.y.x) / (4 * w), w}}};
  tf2_msgs_msg_dds__TFMessage_ message = {.transforms = {1, 1, &transform, false}};
  dds_write(writer, &message);
}

/* What the filter has permitted last, and until when. */
typedef struct permitted {
  dds_entity_t reader;
  double speeds[CELL_AXES];
  dds_time_t until;
} permitted;

static void hear(permitted *p, double too_old)
{
  void *sample = NULL;
  dds_sample_info_t info;
  while (dds_take(p->reader, &sample, &info, 1, 1) == 1) {
    const joints_message *m = sample;
    bool fine = info.valid_data && m->velocity._length == CELL_AXES;
    for (int k = 0; fine && k < CELL_AXES; ++k)
      p->speeds[k] = m->velocity._buffer[k];
    if (fine)
      p->until =
          m->header.stamp.sec * DDS_SECS(1) + m->header.stamp.nanosec + (dds_time_t)(1e9 * too_old);
    dds_return_loan(p->reader, &sample, 1);
    sample = NULL;
  }
}

/* From one time to another, no longer than is permitted; returns for how long (s). */
static double drive(cell *c, const permitted *p, dds_time_t from, dds_time_t to)
{
  dds_time_t end = p->until < to ? p->until : to;
  double moved = end > from ? 1e-9 * (double)(end - from) : 0;
  for (int k = 0; k < CELL_AXES; ++k) {
    clp_joint joint = clp_joint_tree_joint(c->tree, c->first + k);
    clp_joint_state *state = &c->states[c->first + k];
    double next = fmin(fmax(state->position + moved * p->speeds[k], joint.lower), joint.upper);
    state->speed = p->until > to && next != joint.lower && next != joint.upper ? p->speeds[k] : 0;
    state->position = next;
  }
  return moved;
}

int main(int argc, char **argv)
{
  static cell c;
  if (argc < 4 || !cell_create(argv[1], false, &c)) {
    fputs("usage: simulated_arm CELL SECONDS TOO_OLD [still]\n", stderr);
    return 2;
  }
  const dds_topic_descriptor_t *joints = &sensor_msgs_msg_dds__JointState__desc;
  double seconds = strtod(argv[2], NULL), too_old = strtod(argv[3], NULL), driven = 0;
  double least = HUGE_VAL, wished[CELL_AXES] = {0};
  long cycles = 0;
  dds_entity_t node = ros_join();
  dds_entity_t states = ros_endpoint(node, "/joint_states", joints, true, false);
  dds_entity_t wishes = ros_endpoint(node, "/wished_velocities", joints, true, false);
  dds_entity_t fixed =
      ros_endpoint(node, "/tf_static", &tf2_msgs_msg_dds__TFMessage__desc, true, true);
  permitted p = {.reader = ros_endpoint(node, "/filtered_velocities", joints, false, false)};
  told t = told_of(&c);
  if (states < 0 || wishes < 0 || fixed < 0 || p.reader < 0)
    return 1;
  ros_catch_signals();
  bool still = argc > 4;
  cell_move_person(&c, 0, 0);
  for (int k = 0; k < c.joints && still; ++k)
    c.states[k].speed = 0;
  tell_person(fixed, &c);
  dds_time_t begin = dds_time(), last = begin;
  for (; !ros_must_end && driven < seconds; ++cycles) {
    dds_time_t time = dds_time();
    hear(&p, too_old);
    driven += drive(&c, &p, last, time);
    if (!still)
      cell_move_person(&c, 1e-9 * (double)(time - begin), 0);
    cell_step(&c, 1e-9 * (double)(time - begin), cycles == 0);
    least = fmin(least, c.least);
    task_speeds(&c, goals[driven > 0.5 * seconds], wished);
    tell_joints(states, &c, &t, time);
    tell_wish(wishes, &t, wished, time);
    last = time;
    dds_sleepfor((dds_duration_t)(1e9 * period));
  }
  printf("driven_s,%.3f\nleast_m,%.6f\n", driven, least);
  cell_destroy(&c);
  dds_delete(node);
  return 0;
}

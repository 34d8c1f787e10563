/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* kill, setenv, clock_gettime */

#include <string.h>

#include "e2e/e2e.h"
#include "rclc_closest_point/joint_tree.h"
#include "rclc_closest_point/math/quaternion.h"
#include "support/jointed.h"

/* How old the robot is that answers know of, and what that costs their bounds, when it is told by
 * its joints, and when another process makes transforms of them first. No test: it takes its time,
 * and prints a table (target joints_latency_dds). A driver, a process of its own, tells of all
 * joints of support/jointed.h 500 times a second, all in motion; in place of robot_state_publisher
 * is a process that does nothing else than it does, in C: at once, or as often as that does unless
 * it is told otherwise, 20 times a second. */

/* Not in step with the cycles, so that all waits for the next one are met. */
#define DRIVER_PERIOD (2 * MILLISECOND + 3000)
#define SAMPLES 200000

static const char *const names[] = {"shoulder", "elbow", "slide", "roll", "grip"};
enum { JOINTS = 5 };

/* ---- The driver --------------------------------------------------------------------------- */

static void drive(void)
{
  static const double size[JOINTS] = {0.8, 0.6, 0.1, 1, 0.02}, middle[JOINTS] = {0, 0, 0, 0, 0.025};
  dds_entity_t writer =
      endpoint("rt/joint_states", &sensor_msgs_msg_dds__JointState__desc, true, false, 10);
  char texts[JOINTS][16], base[] = "", *list[JOINTS];
  for (int k = 0; k < JOINTS; ++k) {
    snprintf(texts[k], sizeof texts[k], "%s", names[k]);
    list[k] = texts[k];
  }
  for (int64_t begin = now(), due = begin;; due += DRIVER_PERIOD) {
    double positions[JOINTS], speeds[JOINTS];
    while (now() < due)
      nanosleep(&(struct timespec){0, 50000}, NULL);
    int64_t stamp = now();
    for (int k = 0; k < JOINTS; ++k) {
      double rate = 1 + 0.2 * k, t = 1e-9 * (double)(stamp - begin);
      positions[k] = middle[k] + size[k] * sin(rate * t);
      speeds[k] = size[k] * rate * cos(rate * t);
    }
    sensor_msgs_msg_dds__JointState_ message = {
        .header = {{(int32_t)(stamp / SECOND), (uint32_t)(stamp % SECOND)}, base},
        .name = {JOINTS, JOINTS, list, false},
        .position = {JOINTS, JOINTS, positions, false},
        .velocity = {JOINTS, JOINTS, speeds, false}};
    dds_write(writer, &message);
  }
}

/* ---- In place of robot_state_publisher ----------------------------------------------------- */

typedef struct relay {
  clp_joint_tree *tree;
  clp_joint_state states[16];
  char names[16][2][32];
  geometry_msgs_msg_dds__TransformStamped_ transforms[16];
  dds_entity_t tf, tf_static;
} relay;

/* Of fixed joints, or of the others. */
static void send_transforms(relay *r, bool fixed, int64_t stamp)
{
  uint32_t count = 0;
  for (int j = 0; j < clp_joint_tree_joint_count(r->tree); ++j) {
    clp_joint joint = clp_joint_tree_joint(r->tree, j);
    if ((joint.type == CLP_JOINT_FIXED) != fixed || joint.type == CLP_JOINT_FLOATING)
      continue;
    clp_pose X = clp_joint_tree_joint_pose(r->tree, r->states, j);
    clp_quaternion q = clp_quaternion_of(X.rotation);
    snprintf(r->names[j][0], 32, "%s", clp_joint_tree_link_name(r->tree, joint.parent));
    snprintf(r->names[j][1], 32, "%s", clp_joint_tree_link_name(r->tree, joint.child));
    r->transforms[count++] = (geometry_msgs_msg_dds__TransformStamped_){
        .header = {{(int32_t)(stamp / SECOND), (uint32_t)(stamp % SECOND)}, r->names[j][0]},
        .child_frame_id = r->names[j][1],
        .transform = {{X.position.x, X.position.y, X.position.z}, {q.x, q.y, q.z, q.w}}};
  }
  tf2_msgs_msg_dds__TFMessage_ message = {.transforms = {count, count, r->transforms, false}};
  dds_write(fixed ? r->tf_static : r->tf, &message);
}

static void take_states(relay *r, const sensor_msgs_msg_dds__JointState_ *m)
{
  for (uint32_t k = 0; k < m->name._length; ++k)
    r->states[clp_joint_tree_find_joint(r->tree, m->name._buffer[k])].position =
        m->position._buffer[k];
}

static void relay_joints(int64_t period)
{
  static relay r;
  dds_entity_t reader =
      endpoint("rt/joint_states", &sensor_msgs_msg_dds__JointState__desc, false, false, 10);
  dds_entity_t waitset = dds_create_waitset(participant);
  dds_waitset_attach(waitset, dds_create_readcondition(reader, DDS_ANY_STATE), 0);
  r.tf = endpoint("rt/tf", &tf2_msgs_msg_dds__TFMessage__desc, true, false, 100);
  r.tf_static = endpoint("rt/tf_static", &tf2_msgs_msg_dds__TFMessage__desc, true, true, 1);
  clp_joint_tree *tree = NULL;
  char text[sizeof jointed_text];
  snprintf(text, sizeof text, "%s", jointed_text);
  char *head = strstr(text, "<link name='head'>"); /* one root alone */
  char *end = strstr(head, "</link>") + strlen("</link>");
  memset(head, ' ', (size_t)(end - head));
  must(clp_joint_tree_parse(text, strlen(text), "m", (clp_model_sink){0}, &tree) == CLP_OK, "tree");
  r.tree = tree;
  clp_joint_tree_rest(tree, r.states);
  send_transforms(&r, true, now());
  for (int64_t sent = 0;;) {
    void *sample = NULL;
    dds_sample_info_t info;
    dds_waitset_wait(waitset, NULL, 0, DDS_MSECS(100));
    while (dds_take(reader, &sample, &info, 1, 1) > 0) {
      const sensor_msgs_msg_dds__JointState_ *m = sample;
      int64_t stamp = m->header.stamp.sec * SECOND + m->header.stamp.nanosec;
      bool due = info.valid_data && stamp - sent >= period;
      if (info.valid_data)
        take_states(&r, m);
      dds_return_loan(reader, &sample, 1);
      if (!due)
        continue;
      send_transforms(&r, false, stamp);
      sent = stamp;
    }
  }
}

/* ---- The listener ------------------------------------------------------------------------- */

typedef struct figures {
  double *age, *first, *bound;
  int answers, firsts;
} figures;

static int compare(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double share(double *values, int count, double part)
{
  qsort(values, (size_t)count, sizeof *values, compare);
  return values[(int)(part * (count - 1))];
}

static void print_way(const char *what, figures *f)
{
  printf("%-34s %7d", what, f->answers);
  double *const all[] = {f->age, f->first, f->bound};
  const int counts[] = {f->answers, f->firsts, f->answers};
  for (int k = 0; k < 3; ++k)
    printf(" %8.2f %8.2f", share(all[k], counts[k], 0.5), share(all[k], counts[k], 0.99));
  putchar('\n');
  fflush(stdout);
}

static void hear_way(ear *e, figures *f, int64_t duration)
{
  int64_t newest = 0;
  f->answers = f->firsts = 0;
  for (int64_t begin = now(); now() - begin < duration && f->answers < SAMPLES;) {
    if (!hear(e) || !is_all_tracked(e->last))
      continue;
    const point_message *p = &e->last->pairs._buffer[0];
    int64_t measured = stamp_of(e->last) - (int64_t)(1e9 * p->age + 0.5);
    f->age[f->answers] = 1e3 * p->age;
    f->bound[f->answers++] = 1e3 * (p->distance - p->lower_bound);
    if (measured > newest)
      f->first[f->firsts++] = 1e-6 * (double)(e->taken - measured);
    newest = measured > newest ? measured : newest;
  }
}

static const char *self;

static pid_t start_role(const char *role)
{
  char command[512];
  snprintf(command, sizeof command, "\"%s\" %s", self, role);
  return start_process(command);
}

static void measure(ear *e, figures *f, const char *what, const char *role, int64_t duration)
{
  char arguments[256];
  pid_t way = role ? start_role(role) : 0;
  snprintf(arguments, sizeof arguments, "-p model:=model.urdf -p pairs:=['palm:head'] %s",
           role ? "" : "-p joint_states:=joint_states");
  pid_t monitor = start_monitor(arguments);
  wait_for(e, is_all_tracked, "the first distance");
  hear_way(e, f, duration);
  print_way(what, f);
  end_monitor(monitor);
  if (way > 0)
    stop_process(way, SIGKILL);
}

static void place_head(void)
{
  dds_entity_t fixed = endpoint("rt/tf_static", &tf2_msgs_msg_dds__TFMessage__desc, true, true, 1);
  geometry_msgs_msg_dds__TransformStamped_ m = {.header = {{1, 0}, (char[]){"world"}},
                                                .child_frame_id = (char[]){"head"},
                                                .transform = {{2, 0, 1}, {0, 0, 0, 1}}};
  tf2_msgs_msg_dds__TFMessage_ message = {.transforms = {1, 1, &m, false}};
  dds_write(fixed, &message);
}

SUITE_WITHOUT_MAIN("latency of joints");

TEST_CASE("ways", 600);

TEST(both_ways)
{
  const char *seconds = getenv("E2E_SECONDS");
  int64_t duration = (seconds ? atoi(seconds) : 10) * SECOND;
  enter_world();
  write_whole("model.urdf", jointed_text);
  place_head();
  ear e = listen_to(NODE);
  figures f = {calloc(SAMPLES, sizeof(double)), calloc(SAMPLES, sizeof(double)),
               calloc(SAMPLES, sizeof(double)), 0, 0};
  must(f.age && f.first && f.bound, "room");
  pid_t driver = start_role("drive");
  printf("%-34s %7s %17s %17s %17s\n%-34s %7s", "", "answers", "age (ms)", "to answer (ms)",
         "bound (mm)", "", "");
  for (int k = 0; k < 3; ++k)
    printf(" %8s %8s", "50 %", "99 %");
  putchar('\n');
  measure(&e, &f, "joint states", NULL, duration);
  measure(&e, &f, "transforms of every joint state", "relay 0", duration);
  measure(&e, &f, "transforms at 20 Hz", "relay 50", duration);
  stop_process(driver, SIGKILL);
  free(f.age);
  free(f.first);
  free(f.bound);
  leave_world();
}

int main(int argc, char **argv)
{
  static char path[512];
  must(readlink("/proc/self/exe", path, sizeof path - 1) > 0, "the program's own path");
  self = path;
  if (argc > 1) {
    join_wire();
    if (strcmp(argv[1], "relay") == 0 && argc > 2)
      relay_joints(atoi(argv[2]) * MILLISECOND);
    else
      drive();
  }
  return suite_run(suite);
}

/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TEST_E2E_E2E_H
#define TEST_E2E_E2E_H

/* Three processes: one publishes transforms (tf_publisher.c), one is the monitor, and this one
 * listens to the answers. The environment says which monitor: MONITOR is its executable,
 * MONITOR_COMMAND the word after it, if it needs one. */

#include "e2e/course.h"
#include "support/command.h"
#include "support/ear.h"
#include "support/suite.h"
#include "support/udp.h"

#define NODE "/closest_point_monitor"

/* A fixture: a folder, a domain, and DDS. */
static inline void enter_world(void)
{
  enter_folder();
  choose_domain();
  join_wire();
}

static inline void leave_world(void)
{
  leave_wire();
  leave_folder();
}

/* ---- The monitor -------------------------------------------------------------------------- */

/* With what follows --ros-args; its errors go to a file "err", and those of another to "err2". */
static inline pid_t start_monitor_to(const char *arguments, const char *errors)
{
  char command[768];
  snprintf(command, sizeof command, "\"$MONITOR\" $MONITOR_COMMAND --ros-args %s >/dev/null 2>%s",
           arguments, errors);
  return start_process(command);
}

static inline pid_t start_monitor(const char *arguments)
{
  return start_monitor_to(arguments, "err");
}

/* It ends as it should when it is asked to. */
static inline void end_monitor(pid_t monitor)
{
  int status = stop_process(monitor, SIGINT);
  char text[4096];
  read_whole("err", text, sizeof text);
  ck_assert_msg(status == 0, "the monitor ends with %d: %s", status, text);
}

/* The monitor's writer keeps the last message only, but sends each of them at once; the ear keeps
 * all that it receives. So an answer that was written can be missing for one reason alone: the
 * kernel has thrown the datagram away because this process was not given the processor for longer
 * than its socket's buffer lasts, and by the time it was asked for again the writer had a newer
 * one. The kernel counts that; more answers missing than datagrams dropped is a failure. */
static inline void expect_no_gap(const ear *e)
{
  ck_assert_msg(e->missing <= udp_drops(getpid()), "%ld answers are missing", e->missing);
}

/* ---- The publisher ------------------------------------------------------------------------ */

typedef struct source {
  pid_t process;
  FILE *to, *from;
} source;

static inline source start_source(void)
{
  int to[2], from[2];
  const char *path = getenv("TF_PUBLISHER");
  ck_assert_int_eq(pipe(to), 0);
  ck_assert_int_eq(pipe(from), 0);
  source s = {.process = fork()};
  if (s.process == 0) {
    dup2(to[0], STDIN_FILENO);
    dup2(from[1], STDOUT_FILENO);
    become_another();
    execl(path, path, (char *)NULL);
    _exit(127);
  }
  close(to[0]);
  close(from[1]);
  s.to = fdopen(to[1], "w");
  s.from = fdopen(from[0], "r");
  ck_assert_int_gt(s.process, 0);
  ck_assert_ptr_nonnull(s.to);
  ck_assert_ptr_nonnull(s.from);
  return s;
}

/* Publishes from now on, so often in a second, what it has been told to; returns the stamp of the
 * first message, from which courses count. */
static inline int64_t go(source *s, double rate)
{
  char line[64];
  fprintf(s->to, "go %g\n", rate);
  fflush(s->to);
  ck_assert_msg(fgets(line, sizeof line, s->from), "the publisher does not answer");
  return strtoll(line, NULL, 10);
}

static inline void close_source(source *s)
{
  fclose(s->to);
  fclose(s->from);
}

static inline void end_source(source *s)
{
  int status = 0;
  close_source(s);
  ck_assert_int_eq(waitpid(s->process, &status, 0), s->process);
  ck_assert_int_eq(status, 0);
}

static inline void kill_source(source *s)
{
  ck_assert_int_eq(stop_process(s->process, SIGKILL), -SIGKILL);
  close_source(s);
}

/* One transform from this process: the child is x m along the world's x axis. */
static inline void publish_at(dds_entity_t writer, const char *child, int64_t stamp, double x)
{
  char parent[] = "world", name[32];
  snprintf(name, sizeof name, "%s", child);
  geometry_msgs_msg_dds__TransformStamped_ transform = {
      .header = {{(int32_t)(stamp / SECOND), (uint32_t)(stamp % SECOND)}, parent},
      .child_frame_id = name,
      .transform = {{x, 0, 0}, {0, 0, 0, 1}}};
  tf2_msgs_msg_dds__TFMessage_ message = {.transforms = {1, 1, &transform, false}};
  ck_assert_int_eq(dds_write(writer, &message), DDS_RETCODE_OK);
}

/* ---- Two balls ---------------------------------------------------------------------------- */

/* "tool", which moves, and "head", which is static: 1.7 m apart. */
#define BALLS_DISTANCE 1.7

static inline void write_balls(void)
{
  write_whole("model.urdf",
              "<robot name='test'>"
              "<link name='tool'><patches><sphere radius='0.1'/></patches></link>"
              "<link name='head'><patches><sphere radius='0.2'/></patches></link>"
              "</robot>");
}

/* The tool turns where it is. */
static inline int64_t move_balls(source *s)
{
  fputs("fix world head 3 0 0 0 0 0 1 0 0 0 0 0 0 0\n", s->to);
  fputs("move world tool 1 0 0 0 0 0 1 0 0 0 0 0 1 0\n", s->to);
  return go(s, 500);
}

static inline double first_distance(const points_message *m)
{
  return m->pairs._length > 0 ? m->pairs._buffer[0].distance : (double)NAN;
}

/* The right distance is known. */
static inline bool is_right(const points_message *m)
{
  return is_all_tracked(m) && fabs(first_distance(m) - BALLS_DISTANCE) < 1e-9;
}

#endif

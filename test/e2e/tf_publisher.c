/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* clock_nanosleep, poll */

#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "e2e/course.h"
#include "support/wire.h"

/* A process that publishes transforms as it is told on its standard input, line by line (course.h):
 *
 *   move COURSE      a frame that moves from the next "go" on
 *   fix COURSE       a static transform, where the course begins
 *   describe FILE    the robot_description
 *   go RATE          publishes, so often in a second, what has been told to move since the last
 *                    "go"; the answer, a line, is the stamp of the first message
 *
 * It ends with its input. */

#define FRAMES_MAX 256

typedef struct frames {
  course courses[FRAMES_MAX];
  int count;
} frames;

typedef struct publisher {
  dds_entity_t tf, tf_static, description;
  frames moving, told, fixed;
  int64_t begin, period;
} publisher;

static void write_frames(dds_entity_t writer, frames *f, int64_t begin, int64_t stamp)
{
  geometry_msgs_msg_dds__TransformStamped_ transforms[FRAMES_MAX];
  for (int k = 0; k < f->count; ++k) {
    course *c = &f->courses[k];
    place p = course_at(c, 1e-9 * (double)(stamp - begin));
    transforms[k] = (geometry_msgs_msg_dds__TransformStamped_){
        .header = {{(int32_t)(stamp / SECOND), (uint32_t)(stamp % SECOND)}, c->parent},
        .child_frame_id = c->child,
        .transform = {{p.position.x, p.position.y, p.position.z},
                      {p.turn.x, p.turn.y, p.turn.z, p.turn.w}}};
  }
  uint32_t count = (uint32_t)f->count;
  tf2_msgs_msg_dds__TFMessage_ message = {.transforms = {count, count, transforms, false}};
  dds_write(writer, &message);
}

static void describe(const publisher *p, const char *path)
{
  FILE *file = fopen(path, "rb");
  char *text = calloc(1, 1 << 20);
  if (file && text && fread(text, 1, (1 << 20) - 1, file) > 0)
    dds_write(p->description, &(std_msgs_msg_dds__String_){text});
  free(text);
  if (file)
    fclose(file);
}

static void add_frame(frames *f, const char *line)
{
  if (f->count < FRAMES_MAX && course_read(&f->courses[f->count], line))
    ++f->count;
  else
    fprintf(stderr, "not understood: %s", line);
}

/* One line; true: it was "go". */
static bool obey(publisher *p, char *line)
{
  if (strncmp(line, "move ", 5) == 0)
    add_frame(&p->told, line + 5);
  if (strncmp(line, "fix ", 4) == 0)
    add_frame(&p->fixed, line + 4);
  if (strncmp(line, "describe ", 9) == 0) {
    line[strcspn(line, "\n")] = '\0';
    describe(p, line + 9);
  }
  if (strncmp(line, "go ", 3) != 0)
    return false;
  p->moving = p->told;
  p->told.count = 0;
  p->period = (int64_t)(1e9 / atof(line + 3));
  p->begin = now();
  if (p->fixed.count > 0)
    write_frames(p->tf_static, &p->fixed, p->begin, p->begin);
  return true;
}

/* False: the input has ended. */
static bool listen_to_input(publisher *p)
{
  struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
  if (p->period > 0 && poll(&input, 1, 0) < 1)
    return true;
  char line[1024];
  do
    if (!fgets(line, sizeof line, stdin))
      return false;
  while (!obey(p, line));
  printf("%lld\n", (long long)p->begin);
  fflush(stdout);
  return true;
}

int main(void)
{
  static publisher p;
  join_wire();
  p.tf = endpoint("rt/tf", &tf2_msgs_msg_dds__TFMessage__desc, true, false, 100);
  p.tf_static = endpoint("rt/tf_static", &tf2_msgs_msg_dds__TFMessage__desc, true, true, 1);
  p.description = endpoint("rt/robot_description", &std_msgs_msg_dds__String__desc, true, true, 1);
  int64_t due = clock_now(CLOCK_MONOTONIC);
  for (bool first = true; listen_to_input(&p); first = false) {
    int64_t steady = clock_now(CLOCK_MONOTONIC);
    due = first || steady - due > p.period ? steady : due + p.period;
    struct timespec t = {due / SECOND, due % SECOND};
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL);
    if (p.moving.count > 0)
      write_frames(p.tf, &p.moving, p.begin, now());
  }
  leave_wire();
  return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Two exact bodies, tracked at 1 kHz: a capsule swings past a box. */
#include <math.h>
#include <stdio.h>

#include <rclc_closest_point/closest_point.h>

static clp_body *make(clp_shape shape, clp_vec3 size, double radius, double length)
{
  clp_body_def def = clp_default_body_def(shape);
  def.size = size;
  def.radius = radius;
  def.length = length;
  clp_body *body = NULL;
  return clp_body_create(&def, (clp_reporter){0}, &body) == CLP_OK ? body : NULL;
}

/* Turning about x with 1 rad/s, 0.6 m above the box, sliding along y. */
static void motion(double t, clp_pose *pose, clp_twist *twist)
{
  double c = cos(t), s = sin(t);
  pose->rotation = (clp_mat3){{1, 0, 0}, {0, c, s}, {0, -s, c}};
  pose->position = (clp_vec3){0, 0.4 * sin(t), 0.6};
  *twist = (clp_twist){{0, 0.4 * cos(t), 0}, {1, 0, 0}};
}

int main(void)
{
  const clp_pose rest = clp_pose_identity();
  const clp_twist still = {{0, 0, 0}, {0, 0, 0}};
  clp_body *box = make(CLP_SHAPE_BOX, (clp_vec3){1, 1, 0.4}, 0, 0);
  clp_body *capsule = make(CLP_SHAPE_CAPSULE, (clp_vec3){0, 0, 0}, 0.05, 0.3);
  clp_pair *pair = NULL;
  if (!box || !capsule || clp_pair_create(box, capsule, NULL, &pair) != CLP_OK)
    return 1;

  printf("%6s %12s %12s %10s\n", "t", "distance", "at least", "rate");
  for (int k = 0; k <= 2000; ++k) {
    clp_pose pose;
    clp_twist twist;
    motion(k * 1e-3, &pose, &twist);
    clp_answer answer = clp_pair_track(pair, &rest, &pose, &still, &twist, 1e-3);
    double rate = clp_answer_rate(&answer, &rest, &still, &pose, &twist);
    if (answer.status != CLP_TRACKING)
      return 1;
    if (k % 250 == 0)
      printf("%6.3f %12.9f %12.9f %10.6f\n", k * 1e-3, answer.distance, answer.lower_bound, rate);
  }
  clp_pair_destroy(pair);
  clp_body_destroy(capsule);
  clp_body_destroy(box);
  return 0;
}

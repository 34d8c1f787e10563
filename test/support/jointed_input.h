/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TEST_SUPPORT_JOINTED_INPUT_H
#define TEST_SUPPORT_JOINTED_INPUT_H

/* Joint states of the arm of support/jointed.h, or of another model, as the monitor's input takes
 * them. */

#include <math.h>
#include <string.h>

#include "rclc_closest_point/monitor/joints.h"
#include "support/instants.h"
#include "support/jointed.h"
#include "support/lines.h"
#include "support/suite.h"

enum { UPPER, LOWER, PALM, THUMB, FINGER, CART, LINKS };
static const char *const links[LINKS] = {"upper", "lower", "palm", "thumb", "finger", "cart"};
enum { SHOULDER, ELBOW, SLIDE, ROLL, GRIP, JOINTS };
static const char *const names[JOINTS] = {"shoulder", "elbow", "slide", "roll", "grip"};

static clp_joints joints;
static clp_input input;
static lines said;

static inline void begin_in(const char *fixed, const char *prefix, const char *const *frames)
{
  said = (lines){0};
  joints = (clp_joints){0};
  input = (clp_input){0};
  ck_assert_int_eq(clp_joints_create(&joints, jointed_text, strlen(jointed_text), "m", prefix,
                                     lines_sink(&said)),
                   CLP_OK);
  ck_assert_int_eq(clp_input_create(&input, fixed, frames, LINKS), CLP_OK);
  ck_assert_int_eq(clp_joints_hang(&joints, &input), CLP_OK);
  input.stamp_ahead = 20 * MILLISECOND;
}

static inline void begin(void)
{
  begin_in("world", "", links);
}

static inline void end(void)
{
  clp_input_release(&input);
  clp_joints_release(&joints);
}

/* The first so many joints. */
static inline bool tell(const double *positions, const double *speeds, int first, int count,
                        int64_t stamp)
{
  clp_joint_told told[JOINTS];
  for (int k = 0; k < count; ++k)
    told[k] = (clp_joint_told){names[first + k], positions[first + k],
                               speeds ? speeds[first + k] : (double)NAN};
  clp_joint_message message = {stamp, told, (size_t)count};
  return clp_joints_feed(&joints, &input, &message, stamp);
}

static inline bool tell_one(const char *name, double position, double speed, int64_t stamp)
{
  clp_joint_told told = {name, position, speed};
  clp_joint_message message = {stamp, &told, 1};
  return clp_joints_feed(&joints, &input, &message, stamp);
}

static inline void begin_model(const char *text)
{
  joints = (clp_joints){0};
  input = (clp_input){0};
  ck_assert_int_eq(clp_joints_create(&joints, text, strlen(text), "m", "", (clp_model_sink){0}),
                   CLP_OK);
  ck_assert_int_eq(clp_input_create(&input, "world", links, 1), CLP_OK);
  ck_assert_int_eq(clp_joints_hang(&joints, &input), CLP_OK);
}

static inline clp_measured take(int link)
{
  clp_measured measured;
  ck_assert_msg(clp_input_take(&input, link, &measured), "no pose of %s", links[link]);
  return measured;
}

#endif

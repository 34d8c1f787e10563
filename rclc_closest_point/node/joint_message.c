/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/node/joint_message.h"

#include <math.h>

#include "rclc_closest_point/node/cdr.h"

#define LEAST_NAME 4 /* bytes: the length of an empty one, as some write it */
#define NUMBER 8

/* How many items a list says that it has; more than there are bytes for is malformed. */
static uint32_t take_length(clp_cdr *c, size_t least)
{
  uint32_t length = clp_cdr_uint32(c);
  c->good = c->good && length <= (c->size - c->at) / least;
  return c->good ? length : 0;
}

static uint32_t take_names(clp_cdr *c, clp_joint_told *joints)
{
  uint32_t count = take_length(c, LEAST_NAME);
  for (uint32_t k = 0; c->good && k < count; ++k) {
    const char *name = clp_cdr_text(c);
    if (k < CLP_JOINT_ROOM)
      joints[k] = (clp_joint_told){name, (double)NAN, (double)NAN};
  }
  return count;
}

typedef enum quantity { POSITION, SPEED, EFFORT } quantity;

static uint32_t take_numbers(clp_cdr *c, quantity what, clp_joint_told *joints)
{
  uint32_t count = take_length(c, NUMBER);
  for (uint32_t k = 0; c->good && k < count; ++k) {
    double number = clp_cdr_double(c);
    if (k < CLP_JOINT_ROOM && what == POSITION)
      joints[k].position = number;
    else if (k < CLP_JOINT_ROOM && what == SPEED)
      joints[k].speed = number;
  }
  return count;
}

clp_joint_reading clp_joint_message_read(const void *bytes, size_t size, clp_joint_told *joints,
                                         clp_joint_message *message, uint64_t *beyond)
{
  clp_cdr c;
  *message = (clp_joint_message){.joints = joints};
  *beyond = 0;
  (void)clp_cdr_begin(&c, bytes, size);
  message->stamp = clp_cdr_time(&c);
  (void)clp_cdr_text(&c);
  uint32_t names = take_names(&c, joints);
  uint32_t positions = take_numbers(&c, POSITION, joints);
  uint32_t speeds = take_numbers(&c, SPEED, joints), efforts = take_numbers(&c, EFFORT, joints);
  if (!c.good)
    return CLP_JOINTS_MALFORMED;
  if (positions != names || (speeds > 0 && speeds != names) || (efforts > 0 && efforts != names))
    return CLP_JOINTS_UNEVEN;
  message->count = names < CLP_JOINT_ROOM ? names : CLP_JOINT_ROOM;
  *beyond = names - message->count;
  return CLP_JOINTS_READ;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/node/tf_message.h"

#include "rclc_closest_point/node/cdr.h"

/* On the wire: the transforms' number, then each: stamp, two names, seven doubles. */
#define LEAST_TRANSFORM 76 /* bytes: with empty names, packed */

static clp_arrival take_arrival(clp_cdr *c)
{
  clp_arrival a;
  a.stamp = clp_cdr_time(c);
  a.parent = clp_cdr_text(c);
  a.child = clp_cdr_text(c);
  double *const numbers[] = {&a.translation.x, &a.translation.y, &a.translation.z, &a.rotation.x,
                             &a.rotation.y,    &a.rotation.z,    &a.rotation.w};
  for (int k = 0; k < 7; ++k)
    *numbers[k] = clp_cdr_double(c);
  return a;
}

bool clp_tf_message_read(const void *bytes, size_t size, clp_arrival *arrivals, size_t room,
                         clp_tf_message *message)
{
  clp_cdr c;
  *message = (clp_tf_message){0};
  if (!clp_cdr_begin(&c, bytes, size))
    return false;
  uint32_t told = clp_cdr_sequence(&c, LEAST_TRANSFORM);
  size_t count = told < room ? told : room;
  for (size_t k = 0; c.good && k < count; ++k)
    arrivals[k] = take_arrival(&c);
  if (c.good)
    *message = (clp_tf_message){count, told - count};
  return c.good;
}

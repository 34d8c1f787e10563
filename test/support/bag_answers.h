/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TEST_SUPPORT_BAG_ANSWERS_H
#define TEST_SUPPORT_BAG_ANSWERS_H

/* A monitor's answers in a recording that a test makes up. Whoever includes this defines
 * _POSIX_C_SOURCE first. */

#include "support/bag_build.h"

static inline void add_safety(builder *b, int64_t time, uint64_t cycle, int zone, double separation,
                              double required, const char *bodies[2], const char *reason)
{
  wire_message m = begin_message();
  put_header(&m, time, "cell");
  put_whole(&m, cycle, 8);
  put_whole(&m, (uint64_t)zone, 1);
  put_real(&m, zone == 2 ? 0 : 1);
  put_real(&m, separation);
  put_real(&m, required);
  put_real(&m, 0.5);
  put_text(&m, bodies[0]);
  put_text(&m, bodies[1]);
  put_text(&m, reason);
  add_message(b, B_SAFETY, time, &m);
}

static inline void add_points(builder *b, int64_t time, uint64_t cycle, const char *bodies[2],
                              double distance)
{
  wire_message m = begin_message();
  put_header(&m, time, "cell");
  put_whole(&m, cycle, 8);
  put_whole(&m, 1, 4);
  put_text(&m, bodies[0]);
  put_text(&m, bodies[1]);
  put_whole(&m, 0, 1);
  const double numbers[] = {distance, distance - 0.02, 0, 0, 0, 0, 0, 0, distance, 0, 0, 1, 0, 0};
  for (int k = 0; k < 14; ++k)
    put_real(&m, numbers[k]);
  put_whole(&m, 0, 1);
  put_whole(&m, 0, 1);
  put_whole(&m, 0, 4);
  put_whole(&m, 0, 4);
  put_real(&m, 0.01);
  put_whole(&m, 0, 1);
  put_whole(&m, 0, 4);
  put_whole(&m, 1, 4);
  put_whole(&m, 0, 4);
  put_whole(&m, 0, 4);
  put_real(&m, distance);
  put_real(&m, 100);
  put_real(&m, 0.002);
  put_real(&m, 0.0005);
  add_message(b, B_POINTS, time, &m);
}

/* A tetrahedron as the monitor shows a body. */
static inline void add_body(builder *b, int64_t time, const char *link)
{
  static const double corners[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  static const int faces[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
  wire_message m = begin_message();
  put_whole(&m, 1, 4);
  put_header(&m, time, link);
  put_text(&m, link);
  put_whole(&m, 0, 4);
  put_whole(&m, 11, 4);
  put_whole(&m, 0, 4);
  for (int k = 0; k < 10; ++k)
    put_real(&m, k == 6 || k > 6);
  for (int k = 0; k < 4; ++k)
    put_whole(&m, 0x3f000000, 4); /* 0.5 */
  put_whole(&m, 0, 4);
  put_whole(&m, 0, 4);
  put_whole(&m, 1, 1);
  put_whole(&m, 12, 4);
  for (int k = 0; k < 12; ++k)
    for (int j = 0; j < 3; ++j)
      put_real(&m, corners[faces[k / 3][k % 3]][j]);
  put_whole(&m, 0, 4);
  put_text(&m, "");
  put_header(&m, 0, "");
  put_text(&m, "");
  put_whole(&m, 0, 4);
  put_whole(&m, 0, 4);
  put_text(&m, "");
  put_text(&m, "");
  put_text(&m, "");
  put_whole(&m, 0, 4);
  put_whole(&m, 0, 1);
  add_message(b, B_MARKERS, time, &m);
}

#endif

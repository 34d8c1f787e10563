/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_BASE_TABLE_H
#define RCLC_CLOSEST_POINT_BASE_TABLE_H

#include <assert.h>

/* Tables with a row for each enumerator. An enumeration that indexes any ends in a COUNT, and a new
 * enumerator comes last before it: the tables then are too short, and none of them compiles until
 * it has an answer. Rows name no members, so that the warning about missing initializers sees to it
 * that each is whole. */
#define CLP_ROWS(table) ((int)(sizeof(table) / sizeof(table)[0]))
#define CLP_COMPLETE(table, count) static_assert(CLP_ROWS(table) == (count), "a row is missing")

#endif

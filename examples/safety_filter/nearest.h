/* SPDX-License-Identifier: Apache-2.0 */
#ifndef EXAMPLE_SAFETY_FILTER_NEAREST_H
#define EXAMPLE_SAFETY_FILTER_NEAREST_H

#include <stdbool.h>

/* The quadratic program of the filter: the x nearest to what is wished for among all that fulfill
 * a.x >= b for each of many rows. Goldfarb and Idnani's dual method, whose start is the wish itself
 * and which takes in one violated row after the other; with seven unknowns and a handful of rows
 * that bind it needs no library, allocates nothing, and is bounded. */

enum { NEAREST_UNKNOWNS = 8, NEAREST_ROWS = 512 };

typedef struct nearest_row {
  double a[NEAREST_UNKNOWNS], b;
} nearest_row;

/* x is the wish, and becomes the nearest; false where the rows contradict each other, and x is then
 * without meaning. */
bool nearest_find(const nearest_row *rows, int count, int unknowns, double *x);

/* The same, and where the rows contradict each other the one that violates them least: all of them
 * by as much, in their own unit. False where that was so. At most NEAREST_UNKNOWNS - 1 unknowns. */
bool nearest_or_least(nearest_row *rows, int count, int unknowns, double *x);

#endif

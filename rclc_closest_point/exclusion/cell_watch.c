/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/exclusion/cell_watch.h"

#include <assert.h>

#include "rclc_closest_point/base/larger.h"
#include "rclc_closest_point/base/wide_registers.h"

static_assert(CLP_WATCHED <= 32, "a bit for each of them");

static void put(clp_vec3 from, uint32_t lane, double to[3][4])
{
  to[0][lane] = from.x;
  to[1][lane] = from.y;
  to[2][lane] = from.z;
}

static void put_cell(clp_cell_watch *watch, uint32_t k, const clp_cell_pair *cell)
{
  clp_watch_row *row = &watch->rows[k / 4];
  const clp_cell_proof *proof = &cell->proof;
  uint32_t lane = k % 4;
  watch->cells[k] = *cell;
  put(proof->u, lane, row->u);
  put(proof->u_B, lane, row->u_B);
  put(proof->middle_B, lane, row->middle_B);
  put(proof->middle, lane, row->middle);
  row->bound[lane] = proof->bound;
  row->slop[lane] = proof->slop;
  row->reach[lane] = proof->reach;
  row->lengths[lane] = proof->lengths;
  row->turn[lane] = cell->turn;
}

void clp_cell_watch_add(clp_cell_watch *watch, const clp_cell_pair *cell, double left)
{
  put_cell(watch, watch->count++, cell);
  watch->least = clp_min(watch->least, left);
}

void clp_cell_watch_remove(clp_cell_watch *watch, uint32_t k)
{
  uint32_t last = --watch->count;
  if (k < last) {
    put_cell(watch, k, &watch->cells[last]);
    watch->rows[k / 4].left[k % 4] = watch->rows[last / 4].left[last % 4];
  }
  watch->rows[last / 4].bound[last % 4] = HUGE_VAL;
}

void clp_cell_watch_clear(clp_cell_watch *watch)
{
  for (uint32_t k = 0; k < CLP_WATCHED; ++k)
    watch->rows[k / 4].bound[k % 4] = HUGE_VAL;
  watch->count = 0;
  watch->least = HUGE_VAL;
}

uint32_t clp_cell_watch_measure(clp_cell_watch *watch, const clp_pose *X_AB, double turn,
                                double low, double high)
{
#ifdef CLP_WIDE_REGISTERS
  if (clp_has_wide_registers())
    return clp_cell_watch_measure_wide(watch, X_AB, turn, low, high);
#endif
  return clp_cell_watch_measure_plain(watch, X_AB, turn, low, high);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/surface/cell.h"

bool clp_cell_push(clp_cell_heap *heap, clp_cell cell)
{
  if (heap->count == CLP_CELL_HEAP_SIZE)
    return false;
  int k = heap->count++;
  for (; k > 0 && heap->cells[(k - 1) / 2].key < cell.key; k = (k - 1) / 2)
    heap->cells[k] = heap->cells[(k - 1) / 2];
  heap->cells[k] = cell;
  return true;
}

clp_cell clp_cell_pop(clp_cell_heap *heap)
{
  clp_cell top = heap->cells[0];
  clp_cell last = heap->cells[--heap->count];
  int k = 0;
  for (;;) {
    int child = 2 * k + 1;
    if (child + 1 < heap->count && heap->cells[child].key < heap->cells[child + 1].key)
      ++child;
    if (child >= heap->count || heap->cells[child].key <= last.key)
      break;
    heap->cells[k] = heap->cells[child];
    k = child;
  }
  heap->cells[k] = last;
  return top;
}

clp_cell clp_cell_half(clp_cell cell, bool upper)
{
  double middle = cell.halve_u ? 0.5 * (cell.u0 + cell.u1) : 0.5 * (cell.v0 + cell.v1);
  if (cell.halve_u)
    *(upper ? &cell.u0 : &cell.u1) = middle;
  else
    *(upper ? &cell.v0 : &cell.v1) = middle;
  return cell;
}

bool clp_cell_divisible(clp_cell cell)
{
  double width = cell.halve_u ? cell.u1 - cell.u0 : cell.v1 - cell.v0;
  return width > 0x1p-44;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/mesh/cell.h"

#include "rclc_closest_point/math/vec3.h"

clp_vec3 clp_cut_direction(int index)
{
  static const signed char directions[CLP_CUT_DIRECTIONS][3] = {
      {1, 0, 0}, {0, 1, 0},  {0, 0, 1},  {1, 1, 0},  {1, -1, 0}, {0, 1, 1},  {0, 1, -1},
      {1, 0, 1}, {1, 0, -1}, {1, 1, 1},  {1, 1, -1}, {1, -1, 1}, {-1, 1, 1}, {2, 1, 0},
      {1, 2, 0}, {2, -1, 0}, {1, -2, 0}, {0, 2, 1},  {0, 1, 2},  {0, 2, -1}, {0, 1, -2},
      {2, 0, 1}, {1, 0, 2},  {2, 0, -1}, {1, 0, -2}};
  const signed char *d = directions[index];
  return (clp_vec3){d[0], d[1], d[2]};
}

clp_mesh_cell clp_cell_of_box(clp_box3 box)
{
  return (clp_mesh_cell){.walls = {{0, box.min.x, -1},
                                   {0, box.max.x, 1},
                                   {1, box.min.y, -1},
                                   {1, box.max.y, 1},
                                   {2, box.min.z, -1},
                                   {2, box.max.z, 1}},
                         .count = 6};
}

/* Cramer's rule; the determinant is a whole number. */
static bool meet(const clp_half_space *a, const clp_half_space *b, const clp_half_space *c,
                 clp_vec3 *place)
{
  clp_vec3 l = clp_cut_direction(a->direction), m = clp_cut_direction(b->direction);
  clp_vec3 n = clp_cut_direction(c->direction);
  double determinant = clp_dot(l, clp_cross(m, n));
  if (determinant == 0)
    return false;
  clp_vec3 sum = clp_scale(a->offset, clp_cross(m, n));
  sum = clp_add_scaled(sum, b->offset, clp_cross(n, l));
  sum = clp_add_scaled(sum, c->offset, clp_cross(l, m));
  *place = clp_scale(1 / determinant, sum);
  return true;
}

static bool holds(const clp_mesh_cell *cell, clp_vec3 place, double blur)
{
  for (int k = 0; k < cell->count; ++k) {
    const clp_half_space *w = &cell->walls[k];
    if (w->sign * (clp_dot(clp_cut_direction(w->direction), place) - w->offset) > blur)
      return false;
  }
  return true;
}

bool clp_cell_corners(const clp_mesh_cell *cell, double blur,
                      bool (*visit)(void *user, clp_vec3 corner), void *user)
{
  for (int a = 0; a < cell->count; ++a)
    for (int b = a + 1; b < cell->count; ++b)
      for (int c = b + 1; c < cell->count; ++c) {
        clp_vec3 place;
        if (meet(&cell->walls[a], &cell->walls[b], &cell->walls[c], &place) &&
            holds(cell, place, blur) && !visit(user, place))
          return false;
      }
  return true;
}

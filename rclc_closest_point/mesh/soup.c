/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/mesh/soup.h"

#include "rclc_closest_point/math/vec3.h"

bool clp_soup_add(clp_soup *soup, clp_vec3 a, clp_vec3 b, clp_vec3 c)
{
  clp_vec3(*grown)[3] = clp_arena_grow(soup->arena, soup->triangles, soup->count, &soup->capacity,
                                       sizeof *soup->triangles);
  if (!grown)
    return false;
  soup->triangles = grown;
  grown[soup->count][0] = a;
  grown[soup->count][1] = b;
  grown[soup->count++][2] = c;
  return true;
}

bool clp_soup_of_mesh(const clp_mesh *mesh, clp_arena *arena, clp_soup *soup)
{
  *soup = (clp_soup){.arena = arena};
  for (size_t t = 0; t < mesh->triangle_count; ++t)
    if (!clp_soup_add(soup, clp_mesh_corner(mesh, t, 0), clp_mesh_corner(mesh, t, 1),
                      clp_mesh_corner(mesh, t, 2)))
      return false;
  return true;
}

/* From the corner that is inside of +1 to the one that is not, whichever side is asked for. */
static clp_vec3 crossing(clp_vec3 a, double height_a, clp_vec3 b, double height_b)
{
  if (height_a > height_b)
    return crossing(b, height_b, a, height_a);
  return clp_lerp(a, b, height_a / (height_a - height_b));
}

int clp_polygon_clip(const clp_vec3 *corners, int count, clp_vec3 direction, double offset,
                     int sign, clp_vec3 *out)
{
  int used = 0;
  for (int k = 0; k < count; ++k) {
    clp_vec3 a = corners[k], b = corners[(k + 1) % count];
    double height_a = clp_dot(direction, a) - offset, height_b = clp_dot(direction, b) - offset;
    if (sign * height_a <= 0)
      out[used++] = a;
    if ((height_a < 0 && height_b > 0) || (height_a > 0 && height_b < 0))
      out[used++] = crossing(a, height_a, b, height_b);
  }
  return used;
}

bool clp_soup_clip(const clp_soup *soup, clp_vec3 direction, double offset, int sign,
                   clp_soup *pieces)
{
  for (size_t t = 0; t < soup->count; ++t) {
    clp_vec3 polygon[4];
    int count = clp_polygon_clip(soup->triangles[t], 3, direction, offset, sign, polygon);
    if (count == 1 && !clp_soup_add(pieces, polygon[0], polygon[0], polygon[0]))
      return false;
    if (count == 2 && !clp_soup_add(pieces, polygon[0], polygon[1], polygon[1]))
      return false;
    for (int k = 1; k + 1 < count; ++k)
      if (!clp_soup_add(pieces, polygon[0], polygon[k], polygon[k + 1]))
        return false;
  }
  return true;
}

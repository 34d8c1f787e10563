/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/mesh/cover.h"

#include "rclc_closest_point/math/vec3.h"

bool clp_planes_of_body(const clp_body *body, clp_arena *arena, clp_planes *planes)
{
  if (!clp_planes_begin(planes, body->face_count, arena))
    return false;
  for (uint32_t f = 0; f < body->face_count; ++f) {
    const clp_face *face = &body->faces[f];
    if (!clp_surface_facts_of(&face->surface)->flat)
      return false;
    clp_site site = clp_domain_middle(&face->surface, &face->domain);
    clp_vec3 place = clp_surface_point(&face->surface, site);
    planes->normals[f] = clp_surface_normal(&face->surface, &face->domain, site);
    planes->offsets[f] = clp_dot(planes->normals[f], place);
    planes->middle = clp_add_scaled(planes->middle, 1.0 / body->face_count, place);
  }
  planes->radius = body->padding;
  return true;
}

/* ---- One cell ----------------------------------------------------------------------------- */

typedef struct proof {
  clp_triangle_tree *tree;
  const clp_division *division;
  const clp_planes *planes;
  clp_cover cover;
  const clp_planes *at; /* of the cell at hand */
} proof;

static bool expect_inside(void *user, clp_vec3 point)
{
  proof *p = user;
  double depth = -clp_planes_beyond(p->at, point);
  if (depth < p->cover.worst) {
    p->cover.worst = depth;
    p->cover.place = point;
  }
  return true;
}

static bool expect_inside_if_solid(void *user, clp_vec3 corner)
{
  proof *p = user;
  return clp_triangle_tree_where(p->tree, corner) == CLP_OUTSIDE || expect_inside(user, corner);
}

static bool has_inside(const clp_mesh *mesh)
{
  bool any = false;
  for (int s = 0; s < mesh->shell_count; ++s)
    any |= mesh->closed[s];
  return any;
}

/* ---- All of them -------------------------------------------------------------------------- */

static void descend(proof *p, int node, const clp_vec3 *corners, int count)
{
  const clp_cut_node *n = &p->division->nodes[node];
  if (n->part >= 0) {
    p->at = &p->planes[n->part];
    for (int k = 0; k < count; ++k)
      expect_inside(p, corners[k]);
    return;
  }
  clp_vec3 direction = clp_cut_direction(n->direction);
  for (int sign = -1; sign <= 1; sign += 2) {
    clp_vec3 piece[CLP_POLYGON_MOST + 1];
    int left = clp_polygon_clip(corners, count, direction, n->offset, sign, piece);
    if (left > 0)
      descend(p, sign > 0 ? n->below : n->above, piece, left);
  }
}

static void descend_cells(proof *p, int node, clp_mesh_cell cell)
{
  const clp_cut_node *n = &p->division->nodes[node];
  if (n->part >= 0) {
    p->at = &p->planes[n->part];
    clp_cell_corners(&cell, 1e-9 * p->tree->mesh->size, expect_inside_if_solid, p);
    return;
  }
  int last = cell.count++;
  cell.walls[last] = (clp_half_space){n->direction, n->offset, 1};
  descend_cells(p, n->below, cell);
  cell.walls[last].sign = -1;
  descend_cells(p, n->above, cell);
}

clp_cover clp_prove_cover(clp_triangle_tree *tree, const clp_division *division,
                          const clp_planes *planes)
{
  const clp_mesh *mesh = tree->mesh;
  proof p = {tree, division, planes, {.worst = HUGE_VAL}, NULL};
  for (size_t t = 0; t < mesh->triangle_count; ++t) {
    const clp_vec3 c[3] = {clp_mesh_corner(mesh, t, 0), clp_mesh_corner(mesh, t, 1),
                           clp_mesh_corner(mesh, t, 2)};
    descend(&p, 0, c, 3);
  }
  if (division->part_count > 1 && has_inside(mesh))
    descend_cells(&p, 0, clp_cell_of_box(mesh->box));
  /* Crossings, corners and heights are off by some 2^-50 of the largest length in them. */
  double rounding =
      ldexp(fmax(mesh->size, fmax(clp_norm(mesh->box.min), clp_norm(mesh->box.max))), -44);
  p.cover.proven = p.cover.worst > rounding + mesh->moved;
  return p.cover;
}

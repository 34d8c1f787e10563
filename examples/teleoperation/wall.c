/* SPDX-License-Identifier: Apache-2.0 */
#include "examples/teleoperation/wall.h"

#include <math.h>
#include <stddef.h>

#include "rclc_closest_point/hull/enclosure.h"
#include "rclc_closest_point/math/pose.h"

static const clp_vec3 radii = {0.20, 0.15, 0.08};

enum { PATCHES = 8, AROUND = 32, RINGS = 15, CORNERS = 2 + AROUND * RINGS };

/* ---- The four makes ----------------------------------------------------------------------- */

/* An eighth of the sphere: a quarter circle about x, turned from one of the planes that meet in x
 * to the other. So the collapsed sides lie at the tips of x, and above the middle four patches meet
 * in a regular corner. A reflection turns a patch inside out. */
static void fill_patch(clp_patch_def *patch, double *points, const char *name, int octant)
{
  const double along[3][2] = {{1, 0}, {1, 1}, {0, 1}}, half = sqrt(0.5);
  const double weights[3] = {1, half, 1};
  double sx = octant & 1 ? -1 : 1, sy = octant & 2 ? -1 : 1, sz = octant & 4 ? -1 : 1;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      double *p = points + 4 * (3 * i + j);
      p[0] = sx * radii.x * along[j][1];
      p[1] = sy * radii.y * along[j][0] * along[i][0];
      p[2] = sz * radii.z * along[j][0] * along[i][1];
      p[3] = weights[i] * weights[j];
    }
  *patch = (clp_patch_def){.name = name,
                           .degree_u = 2,
                           .degree_v = 2,
                           .size_u = 3,
                           .size_v = 3,
                           .control_points = points,
                           .flip = sx * sy * sz < 0};
}

static clp_body *create(const clp_body_def *def)
{
  clp_body *body = NULL;
  return clp_body_create(def, (clp_reporter){NULL, NULL}, &body) == CLP_OK ? body : NULL;
}

static clp_body *create_shell(void)
{
  static const char *const names[PATCHES] = {"n0", "n1", "n2", "n3", "n4", "n5", "n6", "n7"};
  double points[PATCHES][36];
  clp_patch_def patches[PATCHES];
  for (int k = 0; k < PATCHES; ++k)
    fill_patch(&patches[k], points[k], names[k], k);
  clp_body_def def = clp_default_body_def(CLP_SHAPE_PATCHES);
  def.patches = patches;
  def.patch_count = PATCHES;
  return create(&def);
}

static const double pi = 3.14159265358979323846;

static int corner(int ring, int k)
{
  return 2 + AROUND * ring + (k + AROUND) % AROUND;
}

static clp_vec3 corner_place(int ring, int k)
{
  double polar = pi * (ring + 1) / (RINGS + 1), turn = 2 * pi * (k + 0.5) / AROUND;
  return (clp_vec3){radii.x * cos(polar), radii.y * sin(polar) * cos(turn),
                    radii.z * sin(polar) * sin(turn)};
}

/* Meridians and parallels about x: the quadrilaterals between them are planar. */
static clp_body *create_facets(void)
{
  double vertices[CORNERS][3] = {{radii.x, 0, 0}, {-radii.x, 0, 0}};
  int faces[4 * AROUND * (RINGS + 1)], sizes[AROUND * (RINGS + 1)], used = 0, count = 0;
  for (int ring = 0; ring < RINGS; ++ring)
    for (int k = 0; k < AROUND; ++k) {
      clp_vec3 place = corner_place(ring, k);
      double *v = vertices[corner(ring, k)];
      v[0] = place.x;
      v[1] = place.y;
      v[2] = place.z;
    }
  for (int ring = -1; ring < RINGS; ++ring)
    for (int k = 0; k < AROUND; ++k) {
      int first = used;
      faces[used++] = ring < 0 ? 0 : corner(ring, k);
      if (ring < RINGS - 1)
        faces[used++] = corner(ring + 1, k);
      faces[used++] = ring == RINGS - 1 ? 1 : corner(ring + 1, k + 1);
      if (ring >= 0)
        faces[used++] = corner(ring, k + 1);
      sizes[count++] = used - first;
    }
  clp_body_def def = clp_default_body_def(CLP_SHAPE_POLYHEDRON);
  def.polyhedron = (clp_polyhedron_def){vertices[0], CORNERS, faces, sizes, count};
  return create(&def);
}

/* As closest_point tile --round would have it: the hull of the same corners, inset as far as the
 * ball that sweeps it still reaches all of them. */
static clp_body *create_rounded(void)
{
  clp_arena arena = {0};
  clp_vec3 corners[CORNERS] = {{radii.x, 0, 0}, {-radii.x, 0, 0}};
  clp_polytope outer, core;
  clp_body_def def = clp_default_body_def(CLP_SHAPE_POLYHEDRON);
  clp_body *body = NULL;
  for (int ring = 0; ring < RINGS; ++ring)
    for (int k = 0; k < AROUND; ++k)
      corners[corner(ring, k)] = corner_place(ring, k);
  const clp_enclosure_wish wish = {2 * CORNERS, 0, 0};
  def.padding = WALL_ROUNDING;
  if (clp_enclosure_make(corners, CORNERS, wish, &arena, &outer) &&
      clp_enclosure_core(&outer, corners, CORNERS, WALL_ROUNDING, &arena, &core) &&
      clp_polytope_define(&core, &def.polyhedron))
    body = create(&def);
  clp_arena_release(&arena);
  return body;
}

clp_body *wall_create(int kind)
{
  if (kind == WALL_SHELL)
    return create_shell();
  if (kind == WALL_ROUNDED)
    return create_rounded();
  if (kind == WALL_FACETS)
    return create_facets();
  clp_body_def def = clp_default_body_def(CLP_SHAPE_ELLIPSOID);
  def.size = radii;
  return create(&def);
}

clp_body *wall_create_tip(void)
{
  clp_body_def def = clp_default_body_def(CLP_SHAPE_SPHERE);
  def.radius = WALL_TIP;
  return create(&def);
}

wall_place wall_above(double x, double y)
{
  double u = x / radii.x, v = y / radii.y, w = sqrt(1 - u * u - v * v);
  clp_vec3 normal = clp_unit((clp_vec3){u / radii.x, v / radii.y, w / radii.z});
  return (wall_place){{x, y, radii.z * w}, normal};
}

/* ---- Contact ------------------------------------------------------------------------------ */

bool wall_touch(wall_contact *contact, const clp_body *wall, const clp_body *tip, clp_force_law law)
{
  *contact = (wall_contact){.law = law};
  return clp_pair_create(wall, tip, NULL, &contact->pair) == CLP_OK;
}

void wall_leave(wall_contact *contact)
{
  clp_pair_destroy(contact->pair);
}

clp_vec3 wall_push(wall_contact *contact, clp_vec3 tip, double step)
{
  const clp_pose X_WA = clp_pose_identity(), X_WB = {X_WA.rotation, tip};
  const clp_twist V_WA = {{0, 0, 0}, {0, 0, 0}};
  clp_vec3 way = contact->started ? clp_sub(tip, contact->last) : V_WA.linear;
  clp_twist V_WB = {clp_scale(1 / step, way), {0, 0, 0}};
  clp_answer answer = clp_pair_track(contact->pair, &X_WA, &X_WB, &V_WA, &V_WB, step);
  contact->switches += contact->started && (answer.kind_a != contact->answer.kind_a ||
                                            answer.feature_a != contact->answer.feature_a);
  clp_closest_point point = {.status = answer.status,
                             .distance = answer.distance,
                             .distance_rate = clp_answer_rate(&answer, &X_WA, &V_WA, &X_WB, &V_WB),
                             .point_a = answer.point_a,
                             .point_b = answer.point_b,
                             .normal = answer.normal};
  clp_wrench wanted = clp_force_wanted(contact->law, &point, true, tip);
  contact->push = clp_force_towards(contact->law, contact->push, wanted, step, WALL_TIP);
  contact->last = tip;
  contact->started = true;
  contact->answer = answer;
  return contact->push.force;
}

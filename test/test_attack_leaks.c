/* SPDX-License-Identifier: Apache-2.0 */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "support/attack.h"
#include "support/attack_faults.h"

/* Bodies that do not close: sides that leave their neighbours, patches that are lifted, turned or
 * too small, cracks between halves, T-junctions off the side that they are on. */

/* ---- The box whose top sticks out ---------------------------------------------------------- */

/* Degree 4 x 1; of the 11 control points of a long side all are in line but, on the top, the middle
 * one, whose reach is a span of six thousandths. */
static void add_ledge(attack_body *body, const clp_vec3 ends[4], double out)
{
  static const double x[11] = {-1, -.875, -.75, -.625, -.49713, .00123, .49898, .625, .75, .875, 1};
  static const double knots[16] = {0,    0,    0,    0, 0, .261, .261, .261,
                                   .267, .267, .267, 1, 1, 1,    1,    1};
  attack_patch *p = attack_add_room(body, (int[2]){4, 1}, (int[2]){11, 2});
  memcpy(p->knots[0], knots, sizeof knots);
  memcpy(p->knots[1], (double[4]){0, 0, 1, 1}, 4 * sizeof(double));
  for (int i = 0; i < 11; ++i)
    for (int j = 0; j < 2; ++j) {
      clp_vec3 c = clp_lerp(ends[2 * j], ends[2 * j + 1], 0.5 * (x[i] + 1));
      double y = i == 5 && j == 0 ? c.y - out : c.y;
      memcpy(attack_point(p, i, j), (double[4]){x[i], y, c.z, 1}, 4 * sizeof(double));
    }
  attack_orient(body, p);
}

static bool build_ledge(attack_body *body, int number, double epsilon, char *name)
{
  clp_vec3 corners[8];
  for (int k = 0; k < 8; ++k)
    corners[k] = attack_corner(k, (double[3]){1, 0.5, 0.5});
  body->size = sqrt(6);
  body->inside = (clp_vec3){0, 0, 0};
  for (int k = 0; k < 6; ++k) {
    const int *f = attack_box_faces[k];
    const clp_vec3 front[4] = {corners[4], corners[5], corners[0], corners[1]};
    const clp_vec3 top[4] = {corners[4], corners[5], corners[6], corners[7]};
    /* the middle point weighs 3/8 at most; half a meter of it is a fifth of one */
    if (k == 2)
      add_ledge(body, front, number == 1 ? epsilon / 0.375 : 0);
    else if (k == 5)
      add_ledge(body, top, number == 0 ? epsilon / 0.375 : 0);
    else
      attack_quad(body, &attack_layouts[0], corners[f[0]], corners[f[1]], corners[f[2]],
                  corners[f[3]]);
  }
  attack_mark_at(body, 5, (double[2]){.261, 0}, (double[2]){.267, 0.2});
  attack_mark_at(body, 2, (double[2]){.261, 0}, (double[2]){.267, 0.2});
  snprintf(name, 96, number == 0 ? "ledge: top sticks out" : "ledge: front sticks out");
  return true;
}

ATTACK_SUITE("leaks");

TEST_CASE("leaks", 60);

LOOP_TEST(ledge, 0, 2)
{
  attack_family(build_ledge, _i);
}

/* ---- One control point of a side ----------------------------------------------------------- */

static bool build_side_point(attack_body *body, int number, double epsilon, char *name)
{
  static const char *const faults[] = {"side point out", "side point in", "side point up",
                                       "side point down", "side point aslant"};
  int fault = number / attack_variants(), variant = number % attack_variants();
  attack_choose(body, fault, variant, 2, faults[fault], name);
  attack_rim rim = attack_choose_rim(body, number);
  const clp_vec3 ways[5] = {rim.across, clp_negate(rim.across), rim.normal, clp_negate(rim.normal),
                            clp_unit(clp_add(rim.tangent, clp_add(rim.normal, rim.across)))};
  attack_move(attack_rim_point(&rim, rim.local, 0), epsilon, ways[fault]);
  attack_mark_rim(body, &rim, rim.local, 0);
  return true;
}

LOOP_TEST(side_point, 0, 5 * attack_variants())
{
  attack_family(build_side_point, _i);
}

/* ---- A whole side, a corner ------------------------------------------------------------------ */

/* A Bezier side whose second control point is beyond the corner: there and back. */
static void overshoot(attack_body *body, const attack_rim *rim, double epsilon)
{
  double *corner = attack_rim_point(rim, 0, 0), *next = attack_rim_point(rim, 1, 0);
  clp_vec3 back = clp_unit(clp_sub(attack_vector(corner), attack_vector(next)));
  memcpy(next, corner, 3 * sizeof *next);
  attack_move(next, epsilon, back);
  attack_mark_rim(body, rim, 1, 0);
}

static bool build_side(attack_body *body, int number, double epsilon, char *name)
{
  static const char *const faults[] = {"side out", "side in",   "side up",
                                       "corner",   "overshoot", "side weight"};
  int fault = number / attack_variants(), variant = number % attack_variants();
  attack_choose(body, fault + 5, variant, 2, faults[fault], name);
  attack_rim rim = attack_choose_rim(body, number + 3);
  const clp_vec3 ways[3] = {rim.across, clp_negate(rim.across), rim.normal};
  for (int i = 0; i < rim.patch->size[rim.along] && fault < 3; ++i)
    attack_move(attack_rim_point(&rim, i, 0), epsilon, ways[fault]);
  if (fault == 3)
    attack_move(attack_rim_point(&rim, 0, 0), epsilon, clp_unit(clp_add(rim.across, rim.normal)));
  if (fault == 4)
    overshoot(body, &rim, epsilon);
  if (fault == 5)
    attack_rim_point(&rim, rim.local, 0)[3] *= 1 + 5 * epsilon / body->size;
  attack_mark_rim(body, &rim, fault == 3 ? 0 : rim.local, 0);
  attack_mark_patch(body, rim.number);
  return true;
}

LOOP_TEST(side, 0, 6 * attack_variants())
{
  attack_family(build_side, _i);
}

/* ---- A whole patch --------------------------------------------------------------------------- */

static void turn_patch(attack_body *body, int k, double angle)
{
  attack_patch *p = &body->patches[k];
  attack_spot middle = attack_middle(p);
  for (int i = 0; i < p->size[0] * p->size[1]; ++i) {
    double *c = p->points + 4 * i;
    clp_vec3 arm = clp_sub(attack_vector(c), middle.point);
    clp_vec3 turned =
        clp_add_scaled(clp_scale(cos(angle), arm), sin(angle), clp_cross(middle.normal, arm));
    turned = clp_add_scaled(turned, (1 - cos(angle)) * clp_dot(middle.normal, arm), middle.normal);
    attack_move(c, 1, clp_sub(turned, arm));
  }
  attack_mark_patch(body, k);
}

static void scale_patch(attack_body *body, int k, double factor)
{
  attack_patch *p = &body->patches[k];
  attack_spot middle = attack_middle(p);
  for (int i = 0; i < p->size[0] * p->size[1]; ++i) {
    double *c = p->points + 4 * i;
    attack_move(c, factor - 1, clp_sub(attack_vector(c), middle.point));
  }
  attack_mark_patch(body, k);
}

static bool build_patch(attack_body *body, int number, double epsilon, char *name)
{
  static const char *const faults[] = {"patch lifted", "patch sunk", "patch turned", "patch shrunk",
                                       "patch grown"};
  int fault = number / attack_variants(), variant = number % attack_variants(), k;
  attack_choose(body, fault + 11, variant, 1, faults[fault], name);
  k = number % body->count;
  clp_vec3 normal = attack_middle(&body->patches[k]).normal;
  if (fault < 2)
    attack_shift_patch(body, k, fault == 0 ? epsilon : -epsilon, normal);
  else if (fault == 2)
    turn_patch(body, k, epsilon / body->size);
  else
    scale_patch(body, k, 1 + (fault == 3 ? -1 : 1) * epsilon / body->size);
  return true;
}

LOOP_TEST(whole_patch, 0, 5 * attack_variants())
{
  attack_family(build_patch, _i);
}

/* ---- Halves of a patch, and T-junctions -------------------------------------------------------
 */

/* The middle of the cut, on one half only. */
static void crack(attack_body *body, int k, int d, double epsilon, bool up)
{
  attack_patch *p = &body->patches[k];
  attack_rim rim = {.patch = p, .number = k, .along = 1 - d, .end = 1};
  attack_rim_frame(&rim);
  attack_move(attack_rim_point(&rim, rim.local, 0), epsilon,
              up ? rim.normal : clp_negate(rim.across));
  attack_mark_rim(body, &rim, rim.local, 0);
}

/* The end of the cut, on both halves: off the neighbour's side. */
static void pull(attack_body *body, int k, int d, double epsilon)
{
  attack_patch *p = &body->patches[k];
  int last = p->size[d] - 1;
  clp_vec3 where = d == 0 ? attack_place(p, last, 0) : attack_place(p, 0, last);
  clp_vec3 next = d == 0 ? attack_place(p, last, 1) : attack_place(p, 1, last);
  attack_move_all(body, where, epsilon, clp_unit(clp_sub(where, next)));
}

static bool build_halves(attack_body *body, int number, double epsilon, char *name)
{
  static const char *const faults[] = {"crack up", "crack in", "T-junction out", "halves overlap",
                                       "halves apart"};
  int fault = number / attack_variants(), variant = number % attack_variants(), d = number % 2, k;
  attack_choose(body, fault + 16, variant, 2, faults[fault], name);
  for (k = number % body->count;
       attack_collapsed(&body->patches[k], d, 0) || attack_collapsed(&body->patches[k], d, 1);
       d = 1 - d, k = (k + 1) % body->count)
    if (attack_collapsed(&body->patches[k], 0, 0) + attack_collapsed(&body->patches[k], 0, 1) +
            attack_collapsed(&body->patches[k], 1, 0) + attack_collapsed(&body->patches[k], 1, 1) ==
        0)
      break;
  double share = 0.5 * epsilon / body->size;
  attack_halve(body, k, d, 0.5 + (fault == 3 ? share : fault == 4 ? -share : 0), 0.5);
  if (fault < 2)
    crack(body, k, d, epsilon, fault == 0);
  else if (fault == 2)
    pull(body, k, d, epsilon);
  return true;
}

LOOP_TEST(halves, 0, 5 * attack_variants())
{
  attack_family(build_halves, _i);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* A step that is cut where it meets a bound ends in the face, on that bound. */

#include "rclc_closest_point/surface/walk.h"

#include "rclc_closest_point/control/sampling.h"
#include "support/dented.h"
#include "support/suite.h"

static const dented_kind kinds[] = {
    DENTED_BOWL, DENTED_TORUS, DENTED_SPOOL, DENTED_FUNNEL,    DENTED_CUP,     DENTED_ELL,
    DENTED_STAR, DENTED_PATCH, DENTED_BOX,   DENTED_ELLIPSOID, DENTED_CAPSULE, DENTED_CYLINDER,
};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* From places inside, on bounds and next to them. */
static clp_spot some_place(random_state *g, const clp_body *body, uint32_t face, int k)
{
  static const double near[4] = {0, 1e-16, 1e-9, 0.5};
  double x = random_between(g, 0, 1), y = random_between(g, 0, 1);
  if (k % 3 == 1)
    y = k % 2 ? near[k / 6 % 4] : 1 - near[k / 6 % 4];
  return clp_spot_sample(body, CLP_FACE, face, x, y);
}

SUITE("walk");

TEST_CASE("steps", 20);

LOOP_TEST(steps_stay_in_the_face, 0, KINDS)
{
  random_state g = {.s = 1 + (uint64_t)_i};
  clp_body *body = dented_make(kinds[_i]);
  int met = 0, total = 20000;
  for (int k = 0; k < total; ++k) {
    uint32_t id = (uint32_t)(random_bits(&g) % body->face_count);
    const clp_face *face = &body->faces[id];
    clp_spot spot = some_place(&g, body, id, k);
    double length = pow(10, random_between(&g, -9, 1));
    double x[2] = {length * random_between(&g, -1, 1), length * random_between(&g, -1, 1)};
    int side;
    double fraction = clp_spot_fraction(body, spot, x, &side);
    ck_assert(fraction >= 0 && fraction <= 1);
    ck_assert(side >= 0 || fraction == 1);
    double part[2] = {fraction * x[0], fraction * x[1]};
    clp_spot end = clp_spot_move(body, spot, part, -1);
    ck_assert_msg(clp_spot_valid(body, end), "%d: from %g %g %g by %g %g", k, spot.site.c[0],
                  spot.site.c[1], spot.site.c[2], x[0], x[1]);
    if (side < 0)
      continue;
    ++met;
    clp_spot snapped = clp_spot_move(body, spot, part, side);
    double off = clp_distance(clp_spot_point(body, end), clp_spot_point(body, snapped));
    ck_assert(clp_walk_on_side(&face->domain, snapped.site, side));
    ck_assert_msg(off <= 1e-11 * body->size, "%d: %g off the side", k, off);
  }
  ck_assert(kinds[_i] == DENTED_ELLIPSOID || kinds[_i] == DENTED_TORUS || met > total / 20);
  clp_body_destroy(body);
}

TEST_CASE("inside", 20);

/* Inside or not, as the distance from the bounds says; what is not a number is nowhere. */
LOOP_TEST(inside_is_within_the_margin, 0, KINDS)
{
  random_state g = {.s = 50 + (uint64_t)_i};
  clp_body *body = dented_make(kinds[_i]);
  int inside = 0;
  for (int k = 0; k < 5000; ++k) {
    uint32_t id = (uint32_t)(random_bits(&g) % body->face_count);
    const clp_face *face = &body->faces[id];
    clp_spot spot = some_place(&g, body, id, 0);
    clp_site site = clp_surface_step(&face->surface, spot.site, random_between(&g, -1, 1),
                                     random_between(&g, -1, 1));
    double margin = clp_domain_margin(&face->domain, site, NULL);
    if (fabs(margin) < 1e-12)
      continue;
    ck_assert_int_eq(clp_walk_inside(&face->domain, site), margin > 0);
    inside += margin > 0;
    site.c[0] = site.c[1] = site.c[2] = nan("");
    ck_assert(face->domain.kind == CLP_DOMAIN_WHOLE || !clp_walk_inside(&face->domain, site));
  }
  ck_assert_int_gt(inside, 100);
  clp_body_destroy(body);
}

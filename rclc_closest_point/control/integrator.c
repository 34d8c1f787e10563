/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/control/integrator.h"

#include "rclc_closest_point/base/enumerators.h"
#include "rclc_closest_point/math/vec3.h"

/* R(-z) is 1 - z (euler), 1 - z + z^2/2 (rk2), 1 - z + z^2/2 - z^3/6 + z^4/24 (rk4). For rk4
 * `limit` is the positive root of R(-z) = 1 and `best` that of its derivative. */
static const clp_scheme schemes[] = {
    [CLP_INTEGRATOR_EULER] = {.name = "euler", .stages = 1, .weight = {1}, .limit = 2, .best = 1},
    [CLP_INTEGRATOR_RK2] =
        {.name = "rk2", .stages = 2, .node = {0, 0.5}, .weight = {0, 1}, .limit = 2, .best = 1},
    [CLP_INTEGRATOR_RK4] = {.name = "rk4",
                            .stages = 4,
                            .node = {0, 0.5, 0.5, 1},
                            .weight = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6},
                            .limit = 2.7852935634052816,
                            .best = 1.5960716379833215},
};

CLP_COMPLETE(schemes, CLP_INTEGRATOR_COUNT);

const clp_scheme *clp_integrator_scheme(clp_integrator integrator)
{
  return &schemes[integrator];
}

/* The scheme itself on dx/dt = -z x from 1. */
double clp_integrator_factor(clp_integrator integrator, double z)
{
  const clp_scheme *scheme = &schemes[integrator];
  double slope = 0, sum = 1;
  for (int k = 0; k < scheme->stages; ++k) {
    slope = -z * (1 + scheme->node[k] * slope);
    sum += scheme->weight[k] * slope;
  }
  return sum;
}

/* ---- Stages ------------------------------------------------------------------------------- */

/* From the velocity w in the chart at the spot `there`, reached from `base` by y, to the velocity
 * dy/dt in the chart at `base`. Steps along charts add up, except on unit spheres. There, with q
 * the unit vector, T the tangents and s = |q0 + T0 y|,
 *     s q = q0 + T0 y,      ds = -s^2 (q0.dq)  (for q0.dq s + q0.q ds = 0 and q0.q = 1 / s),
 *     T0 dy = s dq + q ds,  so that  dy = T0^T (s dq - s^2 (q0.dq) q). */
static void bring_back(const clp_body *body, clp_spot base, const double *y, clp_spot there,
                       double *w)
{
  if (base.kind != CLP_FACE ||
      clp_surface_site_form(&body->faces[base.id].surface) != CLP_SITE_SPHERE)
    return;
  clp_vec3 q0 = {base.site.c[0], base.site.c[1], base.site.c[2]}, a, b, a0, b0;
  clp_vec3 q = {there.site.c[0], there.site.c[1], there.site.c[2]};
  clp_tangents(q0, &a0, &b0);
  clp_tangents(q, &a, &b);
  /* A face has two rates; the analyzer takes it for a vertex that has none. */
  double s = sqrt(1 + y[0] * y[0] + y[1] * y[1]); /* NOLINT(clang-analyzer-*) */
  clp_vec3 dq = clp_add(clp_scale(w[0], a), clp_scale(w[1], b));
  clp_vec3 back = clp_add_scaled(clp_scale(s, dq), -s * s * clp_dot(q0, dq), q);
  w[0] = clp_dot(a0, back);
  w[1] = clp_dot(b0, back);
}

/* The spot at y from `base`; false when bounds are in the way. */
static bool reach(const clp_body *body, clp_spot base, const double *y, clp_spot *there)
{
  int side;
  if (clp_spot_fraction(body, base, y, &side) < 1)
    return false;
  *there = clp_spot_move(body, base, y, -1);
  return true;
}

int clp_integrate(clp_integrator integrator, const clp_field *field, const clp_couple *couple,
                  const clp_spots *spots, double h, double x[4])
{
  const clp_scheme *scheme = &schemes[integrator];
  int of_a = 2 - (int)spots->a.kind, count = of_a + 2 - (int)spots->b.kind;
  double first[4] = {0, 0, 0, 0}, sum[4] = {0, 0, 0, 0}, w[4] = {0, 0, 0, 0};
  int k = 0;
  for (; k < scheme->stages; ++k) {
    double y[4] = {0, 0, 0, 0}, node = scheme->node[k];
    for (int i = 0; i < count; ++i)
      y[i] = node * h * w[i];
    clp_spots stage = *spots;
    if (k > 0 && !(reach(couple->a, spots->a, y, &stage.a) &&
                   reach(couple->b, spots->b, y + of_a, &stage.b)))
      break;
    field->velocity(field->user, &stage, node * h, w);
    bring_back(couple->a, spots->a, y, stage.a, w);
    bring_back(couple->b, spots->b, y + of_a, stage.b, w + of_a);
    for (int i = 0; i < count; ++i) {
      sum[i] += h * scheme->weight[k] * w[i];
      first[i] = k == 0 ? h * w[i] : first[i];
    }
  }
  for (int i = 0; i < 4; ++i)
    x[i] = k == scheme->stages ? sum[i] : first[i];
  return k;
}

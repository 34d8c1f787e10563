/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "rclc_closest_point/pair/derivative.h"

/* From the few numbers of a derivative to rates and matrices.
 *
 * With the symbols of derivative.c, t the turning of n with A, and constant twists, places of A go
 * round as w_A x (w_A x a), those of B likewise; what the second derivative of the stationary value
 * is made of is then
 *     n.(w_B x (w_B x b) - w_A x (w_A x a)) + u.y + u.y_w - w.(x + d y) + 2 u.t + d t.t
 * with x = slide (u, w), y = turn (u, w). By symmetry the two terms that u and w share are equal.
 */

/* ---- Rates --------------------------------------------------------------------------------- */

static clp_vec3 velocity(clp_vec3 arm, const clp_twist *V)
{
  return clp_add(V->linear, clp_cross(V->angular, arm));
}

clp_answer_rates clp_derivative_rates(const clp_derivative *d, const clp_twist *V_WA,
                                      const clp_twist *V_WB)
{
  clp_moving moving = clp_moving_of(d, V_WA, V_WB);
  clp_answer_rates rates = {.point_a = velocity(d->arm_a, V_WA),
                            .normal = clp_cross(V_WA->angular, d->normal)};
  rates.distance = clp_dot(d->normal, clp_sub(velocity(d->arm_b, V_WB), rates.point_a));
  clp_two x = clp_moved_by(d->slide, moving.m), y = clp_moved_by(d->turn, moving.m);
  for (int i = 0; i < 2; ++i) {
    rates.point_a = clp_add_scaled(rates.point_a, x[i], d->across[i]);
    rates.normal = clp_add_scaled(rates.normal, y[i], d->across[i]);
  }
  clp_vec3 way = clp_add_scaled(clp_scale(rates.distance, d->normal), d->distance, rates.normal);
  rates.point_b = clp_add(rates.point_a, way);
  return rates;
}

/* ---- Second derivatives -------------------------------------------------------------------- */

/* How far the witness of B is pushed when B turns is symmetric; what rounding makes of it, where
 * two equations are nearly one, is not. How the normal turns with u has been evened already. */
CLP_INLINE double pushing(const clp_derivative *d, int i, int j)
{
  return 0.5 * (d->slide[2 + j][i] + d->slide[2 + i][j] +
                d->distance * (d->turn[2 + j][i] + d->turn[2 + i][j]));
}

/* n.(w x (v x arm)), symmetric in w and v. */
static double centripetal(clp_vec3 n, clp_vec3 arm, clp_vec3 w, clp_vec3 v)
{
  return 0.5 * (clp_dot(n, w) * clp_dot(v, arm) + clp_dot(n, v) * clp_dot(w, arm)) -
         clp_dot(n, arm) * clp_dot(w, v);
}

double clp_derivative_mixed(const clp_derivative *d, const clp_twist *V_WA, const clp_twist *V_WB,
                            const clp_twist *U_WA, const clp_twist *U_WB)
{
  clp_moving v = clp_moving_of(d, V_WA, V_WB), u = clp_moving_of(d, U_WA, U_WB);
  const double *p = v.m, *q = u.m;
  double sum = centripetal(d->normal, d->arm_b, V_WB->angular, U_WB->angular) -
               centripetal(d->normal, d->arm_a, V_WA->angular, U_WA->angular);
  for (int i = 0; i < 2; ++i) {
    sum += p[i] * u.own[i] + q[i] * v.own[i] + d->distance * v.own[i] * u.own[i];
    for (int j = 0; j < 2; ++j)
      sum += d->turn[j][i] * p[i] * q[j] + d->turn[2 + j][i] * (p[i] * q[2 + j] + q[i] * p[2 + j]) -
             pushing(d, i, j) * p[2 + i] * q[2 + j];
  }
  return sum;
}

double clp_derivative_second(const clp_derivative *d, const clp_twist *V_WA, const clp_twist *V_WB)
{
  return clp_derivative_mixed(d, V_WA, V_WB, V_WA, V_WB);
}

/* ---- Matrices ------------------------------------------------------------------------------ */

/* By rows, of the world's axes. */
typedef struct mat3 {
  clp_vec3 r[3];
} mat3;

/* The columns of a matrix that multiply one of the four vectors of two twists. */
enum { A_LINEAR = 0, A_ANGULAR = 3, B_LINEAR = 6, B_ANGULAR = 9 };

/* Rows of the two angular blocks. */
typedef struct angular {
  mat3 a, b;
} angular;

/* Rows of a derivative as multiples of B's velocity at B's witness as A sees it, and of the angular
 * velocity of B as A sees it. */
typedef struct spread {
  mat3 u, w;
} spread;

CLP_INLINE spread spread_of(const clp_derivative *d, const double columns[4][2])
{
  const clp_vec3 *e = d->across;
  const double e0[3] = {e[0].x, e[0].y, e[0].z}, e1[3] = {e[1].x, e[1].y, e[1].z};
  clp_vec3 u[2], w[2];
  spread s;
  for (int i = 0; i < 2; ++i) {
    u[i] = clp_add_scaled(clp_scale(columns[0][i], e[0]), columns[1][i], e[1]);
    w[i] = clp_add_scaled(clp_scale(columns[2][i], e[1]), -columns[3][i], e[0]);
  }
  for (int k = 0; k < 3; ++k) {
    s.u.r[k] = clp_add_scaled(clp_scale(e0[k], u[0]), e1[k], u[1]);
    s.w.r[k] = clp_add_scaled(clp_scale(e0[k], w[0]), e1[k], w[1]);
  }
  return s;
}

/* Rows of w x a, as multiples of w. */
CLP_INLINE mat3 going_round(clp_vec3 a)
{
  return (mat3){{{0, a.z, -a.y}, {-a.z, 0, a.x}, {a.y, -a.x, 0}}};
}

CLP_INLINE mat3 plus(mat3 a, double s, mat3 b)
{
  return (mat3){{clp_add_scaled(a.r[0], s, b.r[0]), clp_add_scaled(a.r[1], s, b.r[1]),
                 clp_add_scaled(a.r[2], s, b.r[2])}};
}

CLP_INLINE mat3 transposed(mat3 m)
{
  return (mat3){{{m.r[0].x, m.r[1].x, m.r[2].x},
                 {m.r[0].y, m.r[1].y, m.r[2].y},
                 {m.r[0].z, m.r[1].z, m.r[2].z}}};
}

/* Each row times a. */
CLP_INLINE mat3 rows_cross(mat3 m, clp_vec3 a)
{
  return (mat3){{clp_cross(m.r[0], a), clp_cross(m.r[1], a), clp_cross(m.r[2], a)}};
}

CLP_INLINE void put(double *to, clp_vec3 a)
{
  to[0] = a.x;
  to[1] = a.y;
  to[2] = a.z;
}

/* Of what moves with A by `own`, and besides as `s` says. */
CLP_INLINE angular angular_rows(const clp_derivative *d, const spread *s, mat3 own)
{
  return (angular){plus(plus(rows_cross(s->u, d->reach), -1, s->w), 1, own),
                   plus(s->w, -1, rows_cross(s->u, d->arm_b))};
}

CLP_INLINE void put_rows(const spread *s, const angular *rows, double carried, double to[3][12])
{
  for (int k = 0; k < 3; ++k) {
    clp_vec3 u = s->u.r[k];
    put(&to[k][A_LINEAR], clp_sub((clp_vec3){0, 0, 0}, u));
    to[k][A_LINEAR + k] += carried;
    put(&to[k][A_ANGULAR], rows->a.r[k]);
    put(&to[k][B_LINEAR], u);
    put(&to[k][B_ANGULAR], rows->b.r[k]);
  }
}

/* ---- The block of two angular velocities --------------------------------------------------- */

/* With S, T, P_A and P_B the blocks of the normal's derivative by u, w and both angular velocities
 * and E of its turning with A, the form of above is in these
 *     (w_B x b).(P_B + T) w_B        + w_B centripetal w_B - w_B F w_B,
 *     (r x w_A).(P_A - T + E) w_A    - w_A centripetal w_A - w_A F w_A + d (1 - n n^T),
 *     (w_B x b).P_A w_A + (r x w_A).T w_B + w_B F w_A,
 * r from A's origin to B's witness. */

/* The symmetric part, and what goes round. */
CLP_INLINE mat3 own_block(mat3 m, clp_vec3 n, clp_vec3 arm, double sign)
{
  mat3 back = transposed(m);
  double along = -sign * clp_dot(n, arm);
  const double a[3] = {arm.x, arm.y, arm.z}, b[3] = {n.x, n.y, n.z};
  mat3 block;
  for (int k = 0; k < 3; ++k) {
    clp_vec3 round = clp_add_scaled(clp_scale(b[k], arm), a[k], n);
    block.r[k] = clp_scale(0.5, clp_add_scaled(clp_add(m.r[k], back.r[k]), sign, round));
  }
  block.r[0].x += along;
  block.r[1].y += along;
  block.r[2].z += along;
  return block;
}

/* R^T F R with F = pushing. */
CLP_INLINE mat3 pushed(const clp_derivative *d)
{
  clp_vec3 r[2] = {d->across[1], clp_negate(d->across[0])}, f[2];
  for (int i = 0; i < 2; ++i)
    f[i] = clp_add_scaled(clp_scale(pushing(d, i, 0), r[0]), pushing(d, i, 1), r[1]);
  const double x[3] = {r[0].x, r[0].y, r[0].z}, y[3] = {r[1].x, r[1].y, r[1].z};
  mat3 m;
  for (int k = 0; k < 3; ++k)
    m.r[k] = clp_add_scaled(clp_scale(x[k], f[0]), y[k], f[1]);
  return m;
}

CLP_INLINE void put_block(mat3 m, int row, int column, double second[12][12])
{
  for (int k = 0; k < 3; ++k)
    put(&second[row + k][column], m.r[k]);
}

/* What is below the diagonal is what is above, to the last bit. */
CLP_INLINE void put_symmetric(mat3 m, int at, double second[12][12])
{
  put_block(m, at, at, second);
  second[at + 1][at] = m.r[0].y;
  second[at + 2][at] = m.r[0].z;
  second[at + 2][at + 1] = m.r[1].z;
}

CLP_INLINE void put_angular(const clp_derivative *d, const spread *s, const angular *rows,
                            double second[12][12])
{
  clp_vec3 n = d->normal;
  mat3 own = going_round(n), f = pushed(d), t = transposed(s->w);
  mat3 of_a = transposed(plus(plus(rows->a, -1, s->w), 1, own));
  mat3 of_b = transposed(plus(rows->b, 1, s->w)), p = transposed(rows->a);
  mat3 a = own_block(rows_cross(of_a, d->reach), n, d->arm_a, -1);
  mat3 b = own_block(rows_cross(of_b, clp_negate(d->arm_b)), n, d->arm_b, 1);
  mat3 ba = plus(plus(rows_cross(t, d->reach), -1, transposed(rows_cross(p, d->arm_b))), 1, f);
  const double m[3] = {n.x, n.y, n.z};
  for (int k = 0; k < 3; ++k)
    a.r[k] = clp_add_scaled(a.r[k], -d->distance * m[k], n);
  a.r[0].x += d->distance;
  a.r[1].y += d->distance;
  a.r[2].z += d->distance;
  put_symmetric(plus(a, -1, f), A_ANGULAR, second);
  put_symmetric(plus(b, -1, f), B_ANGULAR, second);
  put_block(ba, B_ANGULAR, A_ANGULAR, second);
  put_block(transposed(ba), A_ANGULAR, B_ANGULAR, second);
}

/* The gradient by B's velocity is the normal, and by A's minus the normal. */
CLP_INLINE void put_linear(double normal[3][12], double second[12][12])
{
  for (int k = 0; k < 3; ++k)
    for (int j = 0; j < 12; ++j) {
      second[B_LINEAR + k][j] = second[j][B_LINEAR + k] = normal[k][j];
      second[A_LINEAR + k][j] = second[j][A_LINEAR + k] = -normal[k][j];
    }
}

CLP_INLINE void put_gradient(const clp_derivative *d, double to[12])
{
  put(&to[A_LINEAR], clp_negate(d->normal));
  put(&to[A_ANGULAR], clp_cross(d->normal, d->arm_a));
  put(&to[B_LINEAR], d->normal);
  put(&to[B_ANGULAR], clp_cross(d->arm_b, d->normal));
}

void clp_derivative_expand(const clp_derivative *d, clp_derivative_matrices *m)
{
  const spread slide = spread_of(d, d->slide), turn = spread_of(d, d->turn);
  angular rows = angular_rows(d, &slide, going_round(d->arm_a));
  put_gradient(d, m->distance);
  put_rows(&slide, &rows, 1, m->point_a);
  rows = angular_rows(d, &turn, going_round(d->normal));
  put_rows(&turn, &rows, 0, m->normal);
  const double n[3] = {d->normal.x, d->normal.y, d->normal.z};
  for (int k = 0; k < 3; ++k)
    for (int j = 0; j < 12; ++j)
      m->point_b[k][j] = m->point_a[k][j] + n[k] * m->distance[j] + d->distance * m->normal[k][j];
  put_angular(d, &turn, &rows, m->second);
  put_linear(m->normal, m->second);
}

/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_SURFACE_BERNSTEIN_H
#define RCLC_CLOSEST_POINT_SURFACE_BERNSTEIN_H

/* Inside the surface layer: polynomials over the unit square in Bernstein form,
 *     f(u, v) = sum of c[i (dv + 1) + j] B(du, i; u) B(dv, j; v)
 *     B(n, i; t) = C(n, i) t^i (1 - t)^(n - i).
 * The values of f lie between the smallest and the largest coefficient, and the closer to them the
 * smaller the cell that the form is restricted to: what bounds of rational splines rest on. A
 * function of one variable has dv = 0. All storage is the caller's. */

#include <stdbool.h>
#include <stddef.h>

#include "rclc_closest_point/surface/cell.h"

/* LN - M^2 of a surface of degree 9 has degree 8 * 9 - 4. */
#define CLP_BERNSTEIN_MAX_DEGREE 68

typedef struct clp_bernstein {
  int du, dv;
  double *c;
} clp_bernstein;

typedef struct clp_range {
  double min, max;
} clp_range;

static inline size_t clp_bernstein_count(int du, int dv)
{
  return (size_t)(du + 1) * (size_t)(dv + 1);
}

/* A form of the given degrees whose coefficients are the next ones of *storage, which moves on. */
clp_bernstein clp_bernstein_take(int du, int dv, double **storage);

double clp_bernstein_value(const clp_bernstein *f, double u, double v);

/* Of the coefficients, and therefore a bound of the values. */
clp_range clp_bernstein_range(const clp_bernstein *f);

/* The largest change between neighboring coefficients along u, or along v. */
double clp_bernstein_variation(const clp_bernstein *f, bool along_u);

/* df has one degree less along u (v) and the same one along v (u); from degree 0 it is zero. */
void clp_bernstein_derive_u(const clp_bernstein *f, clp_bernstein *df);
void clp_bernstein_derive_v(const clp_bernstein *f, clp_bernstein *df);

/* f over the cell, in the cell's own unit square. `part` has f's degrees and may be f. */
void clp_bernstein_restrict(const clp_bernstein *f, const clp_cell *cell, clp_bernstein *part);

/* ---- Products ----------------------------------------------------------------------------- */

/* With every coefficient multiplied by its two binomials C(du, i) C(dv, j), the *scaled* form,
 * the product of two forms is the plain convolution of their coefficients. */
void clp_bernstein_scale(clp_bernstein *f);
void clp_bernstein_unscale(clp_bernstein *f);

/* sum += factor a b, all three scaled; sum's degrees are those of the product. */
void clp_bernstein_add_product(clp_bernstein *sum, double factor, const clp_bernstein *a,
                               const clp_bernstein *b);

#endif

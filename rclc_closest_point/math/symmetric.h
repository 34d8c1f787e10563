/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_MATH_SYMMETRIC_H
#define RCLC_CLOSEST_POINT_MATH_SYMMETRIC_H

#include <math.h>
#include <stdbool.h>

/* Symmetric matrices of up to four rows. */

/* Turns rows and columns i and j of h so that h[i][j] vanishes, and the columns of q with them. */
static inline void clp_symmetric_rotate(int n, double h[4][4], double q[4][4], int i, int j)
{
  double theta = (h[j][j] - h[i][i]) / (2 * h[i][j]);
  double t = copysign(1, theta) / (fabs(theta) + sqrt(theta * theta + 1));
  double c = 1 / sqrt(t * t + 1), s = t * c;
  for (int k = 0; k < n; ++k) {
    double a = h[k][i], b = h[k][j];
    h[k][i] = c * a - s * b;
    h[k][j] = s * a + c * b;
  }
  for (int k = 0; k < n; ++k) {
    double a = h[i][k], b = h[j][k];
    h[i][k] = c * a - s * b;
    h[j][k] = s * a + c * b;
    a = q[k][i];
    b = q[k][j];
    q[k][i] = c * a - s * b;
    q[k][j] = s * a + c * b;
  }
}

/* What is this small beside the largest entry changes no eigenvalue by more than rounding has. */
#define CLP_SYMMETRIC_ZERO 1e-20

/* Jacobi's method: h becomes diagonal, its entries the eigenvalues in no particular order, and the
 * columns of q their unit eigenvectors. So small a matrix is diagonal to rounding after a few
 * sweeps. */
static inline void clp_symmetric_eigen(int n, double h[4][4], double q[4][4])
{
  enum { SWEEPS = 12 };
  double largest = 0;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      q[i][j] = i == j;
      largest = fmax(largest, fabs(h[i][j]));
    }
  bool turned = true;
  for (int sweep = 0; sweep < SWEEPS && turned; ++sweep) {
    turned = false;
    for (int i = 0; i < n; ++i)
      for (int j = i + 1; j < n; ++j)
        if (fabs(h[i][j]) > CLP_SYMMETRIC_ZERO * largest) {
          clp_symmetric_rotate(n, h, q, i, j);
          turned = true;
        }
  }
}

#endif

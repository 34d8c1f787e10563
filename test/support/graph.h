/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TEST_SUPPORT_GRAPH_H
#define TEST_SUPPORT_GRAPH_H

#include "support/nets.h"

/* Graphs of polynomials over a square, as nets. */

/* Bernstein coefficients of x^e over [a, b] in degree n: the mean product of e of the arguments of
 * the polar form, i of which are b. */
static inline double graph_monomial(int n, double a, double b, int e, int i)
{
  double symmetric[CLP_MAX_DEGREE + 1] = {1}, choose = 1;
  for (int k = 0; k < n; ++k)
    for (int j = e; j > 0; --j)
      symmetric[j] += (k < i ? b : a) * symmetric[j - 1];
  for (int j = 0; j < e; ++j)
    choose = choose * (n - j) / (j + 1);
  return symmetric[e] / choose;
}

typedef struct term {
  double c;
  int p, q;
} term;

/* z = the sum of c x^p y^q over [a, b]^2, of degree n, its normal up. */
static inline net graph_net(int n, double a, double b, const term *terms, int count)
{
  net m = {.degree_u = n, .degree_v = n};
  for (int i = 0; i <= n; ++i) {
    for (int j = 0; j <= n; ++j) {
      double *point = m.points[i * (n + 1) + j];
      point[0] = graph_monomial(n, a, b, 1, i);
      point[1] = graph_monomial(n, a, b, 1, j);
      point[2] = 0;
      point[3] = 1;
      for (int k = 0; k < count; ++k)
        point[2] += terms[k].c * graph_monomial(n, a, b, terms[k].p, i) *
                    graph_monomial(n, a, b, terms[k].q, j);
    }
  }
  return m;
}

#endif

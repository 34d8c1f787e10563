/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/certify/course.h"

#include <math.h>

#include "rclc_closest_point/base/rounding.h"

enum { DEGREE = 5 };

double clp_course_at(const clp_joint_course *course, double s)
{
  double sum = course->c[DEGREE];
  for (int k = DEGREE - 1; k >= 0; --k)
    sum = sum * s + course->c[k];
  return sum;
}

double clp_course_magnitude(const clp_joint_course *course, double s)
{
  double sum = fabs(course->c[DEGREE]);
  for (int k = DEGREE - 1; k >= 0; --k)
    sum = sum * fabs(s) + fabs(course->c[k]);
  return sum;
}

static int degree_of(const clp_joint_course *course)
{
  int degree = DEGREE;
  while (degree > 0 && course->c[degree] == 0)
    --degree;
  return degree;
}

/* The coefficients of p(s0 + x), by Horner's rule again and again. */
static void shift(double *c, int degree, double s0)
{
  for (int first = 0; first < degree; ++first)
    for (int k = degree - 1; k >= first; --k)
      c[k] += s0 * c[k + 1];
}

/* The largest |b_i| of the Bernstein form over [0, 1] of the sum of a[k] x^k: b_i is the sum over
 * k <= i of a[k] (i choose k) / (n choose k). The quotient is multiplied up from k to k + 1 by
 * (i - k) / (n - k). */
static double largest_coefficient(const double *a, int degree)
{
  double largest = 0;
  for (int i = 0; i <= degree; ++i) {
    double b = a[0], part = 1;
    for (int k = 0; k < i; ++k) {
      part *= (double)(i - k) / (degree - k);
      b += part * a[k + 1];
    }
    largest = fmax(largest, fabs(b));
  }
  return largest;
}

/* Of the k-th derivative (1 or 2) over a stretch of length h, given the coefficients at its
 * beginning. Rounding is covered by a few units of all terms. */
static double largest_derivative(const double *c, int degree, int k, double h)
{
  double a[DEGREE + 1] = {0}, power = 1, terms = 0;
  if (degree < k)
    return 0;
  for (int i = 0; i + k <= degree; ++i) {
    double factor = k == 1 ? i + 1 : (i + 1) * (i + 2);
    a[i] = factor * c[i + k] * power;
    terms += fabs(a[i]);
    power *= h;
  }
  return largest_coefficient(a, degree - k) + CLP_ROUNDING_EXACT * terms;
}

clp_course_rates clp_course_rates_between(const clp_joint_course *course, double s0, double s1)
{
  double c[DEGREE + 1];
  int degree = degree_of(course);
  if (degree <= 1)
    return (clp_course_rates){fabs(course->c[1]), 0};
  for (int k = 0; k <= degree; ++k)
    c[k] = course->c[k];
  shift(c, degree, s0);
  clp_course_rates rates = {largest_derivative(c, degree, 1, s1 - s0),
                            largest_derivative(c, degree, 2, s1 - s0)};
  /* What the shift itself has rounded: the terms at the stretch's end are larger than these. */
  double end = fmax(fabs(s0), fabs(s1)), first = 0, second = 0, power = 1, before = 0;
  for (int k = 1; k <= degree; ++k) {
    first += k * fabs(course->c[k]) * power;
    second += k * (k - 1) * fabs(course->c[k]) * before;
    before = power;
    power *= end;
  }
  rates.speed += CLP_ROUNDING_EXACT * first;
  rates.acceleration += CLP_ROUNDING_EXACT * second;
  return rates;
}

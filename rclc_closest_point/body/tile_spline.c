/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <string.h>

#include "rclc_closest_point/base/text.h"
#include "rclc_closest_point/body/builder.h"
#include "rclc_closest_point/surface/spline.h"

/* What patches and curves must fulfil before anything is computed from them. */

bool clp_expect_name(clp_builder *builder, const char *name, int item, const char *what)
{
  clp_subject subject = {.kind = CLP_FINDING_NAME, .item = item, .number = -1};
  if (!name || !*name) {
    clp_defect(builder, subject, "a %s has no name", what);
    return false;
  }
  if (strpbrk(name, "|,:/# \t\r\n\v\f")) {
    clp_defect(builder, subject, "%s name '%.40s' contains one of | , : / # or white space", what,
               name);
    return false;
  }
  return true;
}

/* Why the knot at `fault` is refused. */
static const char *knot_rule(int degree, int size, const double *knots, int fault)
{
  double largest = fmax(fabs(knots[degree]), fabs(knots[size]));
  double least = CLP_NARROWEST_SPAN * fmax(largest, knots[size] - knots[degree]);
  if (!isfinite(knots[fault]))
    return "a finite number";
  if (fault > 0 && knots[fault] < knots[fault - 1])
    return "a number not below the one before it";
  if (fault > degree && fault <= size && knots[fault] > knots[fault - 1] &&
      knots[fault] - knots[fault - 1] < least)
    return "one that is equal to the one before it or farther from it, by 1e-10 of the domain and "
           "of "
           "the largest knot";
  double width = knots[size] - knots[degree];
  if (width > 0 && !(width >= 1 / CLP_WIDEST_DOMAIN && width <= CLP_WIDEST_DOMAIN))
    return "a domain no narrower than 1e-60 and no wider than 1e60";
  return "fewer equal knots (at most degree + 1 at an end, degree inside) round a domain that is "
         "not empty";
}

bool clp_expect_knots(clp_builder *builder, const char *name, int item, int degree, int size,
                      const double *knots, bool along_v)
{
  clp_subject subject = {CLP_FINDING_COUNT, item, -1, along_v, NULL, 0};
  if (degree < 1 || degree > CLP_MAX_DEGREE) {
    clp_defect(builder, subject, "'%.40s' has degree %d, expected 1 to %d", name, degree,
               CLP_MAX_DEGREE);
    return false;
  }
  if (knots ? size <= degree || size > CLP_MAX_CONTROL_POINTS : size != degree + 1) {
    clp_defect(builder, subject, "'%.40s' has %d control points for degree %d, expected %s%d", name,
               size, degree, knots ? "at least " : "without knots exactly ", degree + 1);
    return false;
  }
  int fault = knots ? clp_knots_fault(degree, size, knots) : -1;
  if (fault < 0)
    return true;
  subject = (clp_subject){CLP_FINDING_KNOTS, item, fault, along_v, NULL, knots[fault]};
  clp_defect(builder, subject, "'%.40s': knot %d is %s, expected %s", name, fault,
             clp_number(knots[fault], 9).text, knot_rule(degree, size, knots, fault));
  return false;
}

/* Of weights that differ by more nothing would be left of the smaller one's points. */
#define LIGHTEST 1e-12

static bool expect_alike(clp_builder *builder, const char *name, int item, const double *points,
                         int count, int stride)
{
  double most = 0;
  for (int k = stride - 1; k < count * stride; k += stride)
    most = fmax(most, points[k]);
  for (int k = stride - 1; k < count * stride; k += stride) {
    if (points[k] >= LIGHTEST * most)
      continue;
    clp_subject subject = {CLP_FINDING_NUMBER, item, k, false, NULL, points[k]};
    clp_defect(
        builder, subject,
        "'%.40s': control point %d has weight %s, expected at least 1e-12 of the largest, %s", name,
        k / stride, clp_number(points[k], 9).text, clp_number(most, 9).text);
    return false;
  }
  return true;
}

/* Normals have products of six weights. */
#define HEAVIEST 1e30

bool clp_expect_control_points(clp_builder *builder, const char *name, int item,
                               const double *points, int count, int stride)
{
  for (int k = 0; k < count * stride; ++k) {
    bool weight = k % stride == stride - 1;
    if (weight ? points[k] >= 1 / HEAVIEST && points[k] <= HEAVIEST : clp_is_coordinate(points[k]))
      continue;
    bool other = isfinite(points[k]) && !(weight && points[k] <= 0);
    clp_subject subject = {CLP_FINDING_NUMBER, item, k, false, NULL, points[k]};
    clp_defect(builder, subject, "'%.40s': control point %d has %s %s, expected a finite number%s",
               name, k / stride, weight ? "weight" : "coordinate", clp_number(points[k], 9).text,
               weight  ? other ? " above 0, from 1e-30 to 1e+30" : " above 0"
               : other ? " of at most 1e+09"
                       : "");
    return false;
  }
  return expect_alike(builder, name, item, points, count, stride);
}

void clp_refuse_overflow(clp_builder *builder, const char *name, int item)
{
  clp_subject subject = {.kind = CLP_FINDING_NUMBER, .item = item, .number = -1};
  clp_defect(builder, subject, "'%.40s' has numbers so large that they overflow in computing",
             name);
}

/* The first of the ascending knots that is not below (or, with `after`, above) `at`. */
static int knot_bound(const double *knots, int count, double at, bool after)
{
  int lo = 0, hi = count;
  while (lo < hi) {
    int middle = lo + (hi - lo) / 2;
    if (knots[middle] < at || (after && knots[middle] == at))
      lo = middle + 1;
    else
      hi = middle;
  }
  return lo;
}

int clp_knot_multiplicity(const double *knots, int count, double at)
{
  return knot_bound(knots, count, at, true) - knot_bound(knots, count, at, false);
}

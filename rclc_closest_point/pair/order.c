/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/pair/order.h"

#include "rclc_closest_point/body/body.h"
#include "rclc_closest_point/math/pose.h"
#include "rclc_closest_point/pair/who_meets_whom.h"

enum { NUMBERS = 10, PLACES = 12 };

/* Bodies that agree in all of this are taken for alike. */
static void describe(const clp_body *body, double number[NUMBERS])
{
  number[0] = body->info.point;
  number[1] = body->radius;
  number[2] = body->size;
  number[3] = body->info.volume;
  number[4] = body->face_count;
  number[5] = body->edge_count;
  number[6] = body->center.x;
  number[7] = body->center.y;
  number[8] = body->center.z;
  number[9] = body->padding;
}

/* The first number in which they differ decides. */
static int compare(const double *a, const double *b, int count)
{
  for (int k = 0; k < count; ++k)
    if (a[k] != b[k])
      return a[k] < b[k] ? -1 : 1;
  return 0;
}

/* Closed forms know which is which: the later kind is their A. */
static bool is_told_by_kind(const clp_body *a, const clp_body *b)
{
  const clp_way *way = clp_way_of(a, b);
  return way && way->at_once && clp_body_kind_of(a) != clp_body_kind_of(b);
}

clp_order clp_order_of_bodies(const clp_body *a, const clp_body *b)
{
  if (is_told_by_kind(a, b))
    return clp_body_kind_of(a) > clp_body_kind_of(b) ? CLP_ORDER_KEPT : CLP_ORDER_TURNED;
  double x[NUMBERS], y[NUMBERS];
  describe(a, x);
  describe(b, y);
  int order = compare(x, y, NUMBERS);
  if (order == 0)
    return CLP_ORDER_BY_PLACE;
  return order > 0 ? CLP_ORDER_TURNED : CLP_ORDER_KEPT;
}

/* The second body as the first one sees it. */
static void place(const clp_pose *X_WA, const clp_pose *X_WB, double number[PLACES])
{
  clp_pose X = clp_pose_between(X_WA, X_WB);
  const clp_vec3 rows[] = {X.position, X.rotation.x, X.rotation.y, X.rotation.z};
  for (int k = 0; k < PLACES / 3; ++k) {
    number[3 * k] = rows[k].x;
    number[3 * k + 1] = rows[k].y;
    number[3 * k + 2] = rows[k].z;
  }
}

bool clp_order_is_turned_at(const clp_pose *X_WA, const clp_pose *X_WB)
{
  double b[PLACES], a[PLACES];
  place(X_WA, X_WB, b);
  place(X_WB, X_WA, a);
  return compare(b, a, PLACES) > 0;
}

void clp_order_turn(clp_answer *answer)
{
  const clp_answer was = *answer;
  answer->point_a = was.point_b;
  answer->point_b = was.point_a;
  answer->normal = (clp_vec3){0 - was.normal.x, 0 - was.normal.y, 0 - was.normal.z};
  answer->kind_a = was.kind_b;
  answer->kind_b = was.kind_a;
  answer->feature_a = was.feature_b;
  answer->feature_b = was.feature_a;
}

/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TEST_SUPPORT_MEETING_H
#define TEST_SUPPORT_MEETING_H

#include "rclc_closest_point/exclusion/exclusion.h"
#include "rclc_closest_point/math/pose.h"
#include "support/dented.h"

/* Two bodies, the search for their distance, and what it found. */

#define TOLERANCE 1e-6 /* of the size */

enum { BUDGET = 100000 };

typedef struct meeting {
  const clp_body *a, *b;
  double size;
  clp_exclusion *exclusion;
  clp_couple couple;
  clp_spots spots;
  clp_exclusion_result result;
  clp_couple_jets jets; /* at the spots */
} meeting;

static inline meeting meeting_of(const clp_body *a, const clp_body *b)
{
  meeting m = {.a = a, .b = b, .size = fmax(a->size, b->size)};
  m.exclusion = clp_exclusion_create(a, b);
  ck_assert_ptr_nonnull(m.exclusion);
  return m;
}

static inline void meeting_end(meeting *m)
{
  clp_exclusion_destroy(m->exclusion);
}

static inline void place(meeting *m, const clp_pose *X_WA, const clp_pose *X_WB)
{
  m->couple = clp_couple_make(m->a, m->b, X_WA, X_WB);
}

static inline void look(meeting *m)
{
  m->jets = clp_couple_jets_at(m->a, m->spots.a, m->b, m->spots.b, &m->couple.X_AB);
}

static inline void search(meeting *m, int budget)
{
  m->result =
      clp_exclusion_search(m->exclusion, &m->couple, &m->spots, TOLERANCE * m->size, budget);
  look(m);
}

static inline void refresh(meeting *m, int budget)
{
  m->result =
      clp_exclusion_refresh(m->exclusion, &m->couple, &m->spots, TOLERANCE * m->size, budget);
  look(m);
}

static inline double width(const meeting *m)
{
  return (m->result.upper - m->result.lower) / m->size;
}

/* B turned at random, its center at `far` times the sum of both radii from A's. */
static inline clp_pose random_place(random_state *g, const meeting *m, double far)
{
  clp_pose X = {.rotation = clp_rotation_from_rpy(random_between(g, -3.2, 3.2),
                                                  random_between(g, -1.6, 1.6),
                                                  random_between(g, -3.2, 3.2))};
  double reach = far * (m->a->radius + m->b->radius);
  clp_vec3 center = clp_add_scaled(m->a->center, reach, random_direction(g));
  X.position = clp_sub(center, clp_rotate(X.rotation, m->b->center));
  return X;
}

static inline void place_at(meeting *m, clp_pose X)
{
  const clp_pose origin = clp_pose_identity();
  place(m, &origin, &X);
}

/* The last answer against the true, signed distance. */
static inline void expect_distance(const meeting *m, double distance)
{
  double scale = 1e-9 * m->size;
  ck_assert_msg(fabs(m->jets.distance - fabs(distance)) <= scale, "%.12g, expected %.12g",
                m->jets.distance, distance);
  ck_assert_double_le(m->result.lower, distance + scale);
  ck_assert_double_ge(m->result.upper, distance - scale);
  ck_assert_double_le(width(m), TOLERANCE * 1.000001);
  ck_assert_int_eq(m->result.inside, distance < 0);
}

/* What a number of tests saw. */
typedef struct count {
  int tests, inside, open;
  long cells;
} count;

#endif

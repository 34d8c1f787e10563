/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/approach.h"

#include <math.h>
#include <stdlib.h>

#include "rclc_closest_point/math/pose.h"

static const double pi = 3.14159265358979323846;

/* How far the two bounds of a distance may be apart (m). */
static const double narrow = 2e-13;

/* ---- Chance --------------------------------------------------------------------------------- */

/* SplitMix64: uniform from 0 to 1. */
static double draw(uint64_t *state)
{
  uint64_t z = *state += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

static clp_vec3 draw_direction(uint64_t *state)
{
  double z = 2 * draw(state) - 1, turn = 2 * pi * draw(state), r = sqrt(1 - z * z);
  return (clp_vec3){r * cos(turn), r * sin(turn), z};
}

/* Rodrigues' formula, of a body's axes. */
static clp_mat3 turned(clp_mat3 r, clp_vec3 axis, double angle)
{
  clp_vec3 columns[] = {r.x, r.y, r.z};
  for (int k = 0; k < 3; ++k) {
    clp_vec3 e = columns[k], to = clp_scale(cos(angle), e);
    to = clp_add_scaled(to, sin(angle), clp_cross(axis, e));
    columns[k] = clp_add_scaled(to, (1 - cos(angle)) * clp_dot(axis, e), axis);
  }
  return (clp_mat3){columns[0], columns[1], columns[2]};
}

/* No rotation is likelier than another: about z, and then z itself to anywhere. */
static clp_mat3 draw_rotation(uint64_t *state)
{
  clp_vec3 z = draw_direction(state), x, y;
  x = fabs(z.x) < 0.9 ? (clp_vec3){1, 0, 0} : (clp_vec3){0, 1, 0};
  x = clp_cross(x, z);
  x = clp_scale(1 / clp_norm(x), x);
  y = clp_cross(z, x);
  return turned((clp_mat3){x, y, z}, z, 2 * pi * draw(state));
}

/* ---- Poses ---------------------------------------------------------------------------------- */

/* Somewhere beside each other, all bodies being within 0.7 m of their origins. */
static clp_pose draw_pose(uint64_t *state)
{
  clp_pose x = {.rotation = draw_rotation(state)};
  x.position = clp_scale(1.4 + draw(state), draw_direction(state));
  return x;
}

/* From the start to APPROACH_POSES distances, each somewhere within its part of the logarithm. */
static void approach(approaches *set, int first, clp_pose start, const clp_answer *answer,
                     double width, const clp_body_def *a, const clp_body_def *b)
{
  const double from = log10(2), to = -9;
  clp_vec3 n = answer->normal, arm = clp_sub(start.position, answer->point_b);
  double angle = 0, last = 0;
  for (int i = 0; i < APPROACH_POSES; ++i) {
    double part = i == APPROACH_POSES - 1 ? 1 : (i + draw(&set->random)) / APPROACH_POSES;
    double gap = pow(10, from + part * (to - from)), spin = 0.2 * draw(&set->random);
    clp_pose *x = &set->poses[first + i];
    angle += spin;
    x->rotation = turned(start.rotation, n, angle);
    clp_mat3 frame = turned((clp_mat3){arm, arm, arm}, n, angle);
    x->position = clp_add(clp_add_scaled(answer->point_a, gap, n), frame.x);
    clp_vec3 angular = clp_scale(spin / 1e-3, n);
    clp_vec3 linear = clp_scale((gap - last) / 1e-3, n);
    set->twists[first + i] = (clp_twist){clp_add(linear, clp_cross(angular, frame.x)), angular};
    double low = (double)truth_gap(a, b, x, n);
    set->truths[first + i] = (truth){low, low + width};
    last = gap;
  }
}

bool approaches_create(int count, uint64_t seed, approaches *set)
{
  size_t room = (size_t)count;
  *set = (approaches){.count = count - count % APPROACH_POSES,
                      .random = seed,
                      .poses = calloc(room, sizeof *set->poses),
                      .twists = calloc(room, sizeof *set->twists),
                      .truths = calloc(room, sizeof *set->truths)};
  return set->poses && set->twists && set->truths;
}

void approaches_destroy(approaches *set)
{
  free(set->poses);
  free(set->twists);
  free(set->truths);
}

void approaches_fill(approaches *set, clp_pair *pair, const clp_body_def *a, const clp_body_def *b)
{
  const clp_pose rest = clp_pose_identity();
  set->refused = 0;
  for (int first = 0; first < set->count;) {
    clp_pose start = draw_pose(&set->random);
    clp_answer answer = clp_pair_query(pair, &rest, &start);
    truth t = truth_interval(a, b, &start, &answer);
    if (t.low > 0 && t.high - t.low < narrow) {
      approach(set, first, start, &answer, t.high - t.low, a, b);
      first += APPROACH_POSES;
    } else if (++set->refused > 100 * set->count) {
      set->count = first;
    }
  }
}

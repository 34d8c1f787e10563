/* SPDX-License-Identifier: Apache-2.0 */
#include "judge/judge.h"

const char *const complaint_names[COMPLAINTS] = {
    "lower bound too high", "distance too low", "false contact",    "depth too small",
    "no way out",           "witness not on A", "witness not on B", "points not along the normal",
    "normal not unit",      "interval empty",   "interval wide",    "within range"};

/* Witnesses lie on the surface to this share of both sizes. */
#define ON_SURFACE 1e-9L

/* A depth is as good as the direction that it is along: to the square of what was left over. What
 * is proven is the lower bound. */
#define DEPTH 1e-9L

/* The documented width of TRACKING, of the larger body's size, which is its extent from end to end;
 * far apart, of a thousandth of the distance. */
#define TRACKING_WIDTH 1e-9L

static bool is_direction(real3 n)
{
  real length = real3_norm(n);
  return length > 0 && length < HUGE_VALL;
}

judge judge_make(const shape *a, const clp_pose *X_WA, const shape *b, const clp_pose *X_WB,
                 clp_vec3 first)
{
  judge j = {.pair = {shape_place(a, X_WA), shape_place(b, X_WB)}, .size = a->size + b->size};
  real far = real3_norm(j.pair.a.position) + real3_norm(j.pair.b.position);
  real3 n = real3_of(first);
  if (!is_direction(n))
    n = real3_sub(j.pair.b.position, j.pair.a.position);
  if (!is_direction(n))
    n = (real3){0, 0, 1};
  j.allowance = 1e-12L * j.size + 1e-14L * far + 1e-13L * (a->numbers + b->numbers);
  j.truth = convex_find(&j.pair, real3_unit(n));
  return j;
}

judge judge_swapped(const judge *j)
{
  judge k = *j;
  k.pair = (convex_pair){j->pair.b, j->pair.a};
  k.truth.normal = real3_scale(-1, j->truth.normal);
  k.truth.x = j->truth.y;
  k.truth.y = j->truth.x;
  return k;
}

bool judge_is_confused(const judge *j)
{
  return j->truth.lower > j->truth.upper + 0.1L * j->allowance;
}

/* `by` is how much too much it is; what is no number is too much. */
static unsigned complain(judge *j, complaint c, real by)
{
  if (by <= 0)
    return 0;
  j->excess[c] = by;
  return 1u << c;
}

static unsigned judge_interval(judge *j, const clp_answer *a, double range)
{
  real width = (real)a->distance - (real)a->lower_bound;
  real most = TRACKING_WIDTH * fmaxl(j->size, 1e-3L * a->distance) + j->allowance;
  unsigned complaints = complain(j, INTERVAL_EMPTY, -width);
  if (a->status == CLP_TRACKING)
    complaints |= complain(j, INTERVAL_WIDE, width - most);
  if (a->status == CLP_OUT_OF_RANGE)
    complaints |= complain(j, WITHIN_RANGE, range > 0 ? range - a->lower_bound : HUGE_VALL);
  return complaints;
}

/* Apart the distance is in [lower, upper] and not below zero; bodies that overlap have none. */
static unsigned judge_apart(judge *j, const clp_answer *a)
{
  real least = fmaxl(j->truth.lower, 0), most = fmaxl(j->truth.upper, 0);
  return complain(j, LOWER_TOO_HIGH, a->lower_bound - most - j->allowance) |
         complain(j, DISTANCE_TOO_LOW, least - a->distance - j->allowance);
}

/* With s(n) the separation in direction n, the signed distance is the most of all s. What is
 * published is one of them, so it is not above it; and to be a way out it is not above s of its own
 * normal, for moved by -distance along it the bodies are s - distance apart. */
static unsigned judge_inside(judge *j, const clp_answer *a)
{
  real out = convex_separation(&j->pair, real3_of(a->normal)), most = fminl(j->truth.upper, 0);
  return complain(j, FALSE_CONTACT, j->truth.lower - j->allowance) |
         complain(j, LOWER_TOO_HIGH, a->lower_bound - most - j->allowance) |
         complain(j, DEPTH_TOO_SMALL, a->distance - most - DEPTH * j->size - j->allowance) |
         complain(j, NO_WAY_OUT, a->distance - out - ON_SURFACE * j->size);
}

static real blur_of(const judge *j)
{
  return ON_SURFACE * j->size + j->allowance;
}

static real off_the_normal(const clp_answer *a)
{
  real3 x = real3_of(a->point_a), y = real3_of(a->point_b), n = real3_of(a->normal);
  return real3_norm(real3_sub(real3_sub(y, x), real3_scale(a->distance, n)));
}

bool judge_finds_lost(const judge *j, const clp_answer *a)
{
  return a->status == CLP_PENETRATING && a->scattered && off_the_normal(a) > blur_of(j);
}

/* A place of a padded body is the padding away from one of the core, along the normal; where nobody
 * knows how deep bodies overlap, against it. */
static real off_surface(const shape_at *s, real3 p, real3 n, bool either)
{
  real3 padding = real3_scale(s->shape->padding, n);
  real off = fabsl(shape_at_outside(s, real3_sub(p, padding)));
  return either ? fminl(off, fabsl(shape_at_outside(s, real3_add(p, padding)))) : off;
}

static unsigned judge_witnesses(judge *j, const clp_answer *a)
{
  real3 x = real3_of(a->point_a), y = real3_of(a->point_b), n = real3_of(a->normal);
  real blur = blur_of(j), off = judge_finds_lost(j, a) ? 0 : off_the_normal(a);
  bool either = a->status == CLP_CONVERGING;
  return complain(j, NOT_ON_A, off_surface(&j->pair.a, x, n, either) - blur) |
         complain(j, NOT_ON_B, off_surface(&j->pair.b, y, real3_scale(-1, n), either) - blur) |
         complain(j, NOT_ALONG_NORMAL, off - blur) |
         complain(j, NORMAL_NOT_UNIT, fabsl(real3_norm(n) - 1) - 1e-12L);
}

unsigned judge_answer(judge *j, const clp_answer *answer, double range)
{
  unsigned complaints = judge_interval(j, answer, range);
  if (!(answer->distance < HUGE_VAL)) /* nothing is known, and it says so */
    return complaints | complain(j, INTERVAL_WIDE, answer->status != CLP_CONVERGING) |
           complain(j, LOWER_TOO_HIGH, answer->lower_bound > -HUGE_VAL);
  convex_try(&j->pair, real3_of(answer->normal), &j->truth);
  if (judge_is_confused(j))
    return complaints;
  complaints |=
      answer->status == CLP_PENETRATING ? judge_inside(j, answer) : judge_apart(j, answer);
  return complaints | judge_witnesses(j, answer);
}

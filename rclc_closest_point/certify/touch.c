/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <string.h>

#include "rclc_closest_point/base/rounding.h"
#include "rclc_closest_point/body/body.h"
#include "rclc_closest_point/certify/height.h"
#include "rclc_closest_point/certify/inner_hull.h"
#include "rclc_closest_point/certify/search.h"
#include "rclc_closest_point/math/vec3.h"

/* Contact at every instant of an interval. The points x - y, x of A and y of B, make a convex set,
 * which holds the origin where the bodies have a point in common. A polytope of some of them that
 * holds a ball of radius m about the origin proves contact, and goes on to do so until one of its
 * corners, seen from the pair's frame, has moved by m: they are places of the bodies, which move
 * with them. So contact lasts m / V at least, V being the speed at which places of both move at
 * most. From there the next polytope is made. */

/* Each step is a part of the depth's time to come: so many come within rounding of its end. */
enum { STEPS_MAX = 400 };

/* Shorter steps (of the segment's length) are not worth it. */
#define SHORTEST 1e-12

/* How deep the origin is in the polytope, what rounding does taken off. */
static double margin_of_parts(const clp_certifier *c, const clp_certify_parts *pair,
                              const clp_instant *at)
{
  const clp_moving_part *a = &c->chain.parts[pair->a], *b = &c->chain.parts[pair->b];
  clp_inner_hull hull = {a->body, b->body, clp_pose_of_part(a, at), clp_pose_of_part(b, at),
                         pair->size};
  double off = a->body->blur + a->body->info.slack + b->body->blur + b->body->info.slack;
  return pair->planes ? clp_inner_hull_depth(&hull) - off - 2 * clp_charge_of(c, pair) : 0;
}

static double longest_step(clp_certifier *c, const clp_certify_parts *pair, const clp_instant *at,
                           const clp_instant *end, double margin)
{
  bool forward = end->s >= at->s;
  clp_stretch stretch = {forward ? at : end, forward ? end : at, fabs(end->s - at->s), true, false};
  clp_chain_rates(&c->chain, c->segments, stretch.from, stretch.to, &c->rates);
  double speed = clp_closing_over(c, pair, &stretch).speed;
  return stretch.length * speed <= margin ? stretch.length : margin / speed;
}

/* How far it is proven from one instant towards the end of its segment, or its beginning: twice,
 * for seen over a short time the parts are slower than over a long one. */
static double proven_step(clp_certifier *c, const clp_certify_state *state, const clp_instant *at,
                          double towards)
{
  clp_instant *end = &c->instants[3];
  double best = 0;
  for (int k = state->first; k < state->end; ++k) {
    double margin = margin_of_parts(c, &c->pairs[k], at), to = towards;
    if (!(margin > 0))
      continue;
    for (int pass = 0; pass < 2; ++pass) {
      clp_chain_place(&c->chain, c->segments, at->segment, to, end);
      double step = longest_step(c, &c->pairs[k], at, end, margin);
      best = fmax(best, step);
      to = at->s + copysign(fmin(2 * step, fabs(towards - at->s)), towards - at->s);
    }
  }
  return best;
}

/* Times after 1970 have steps of a quarter of a microsecond: what is told is the last of them that
 * is reached, not the nearest one. */
static double time_reached(const clp_certifier *c, int segment, double s, int direction)
{
  double time = clp_time_of(c, segment, s);
  bool beyond = direction * (time - c->segments[segment].from - s) > 0;
  return beyond ? nextafter(time, -direction * HUGE_VAL) : time;
}

/* The last instant that is reached, in one direction of time. */
static double follow(clp_certifier *c, const clp_certify_state *state, int direction)
{
  clp_instant *at = &c->instants[2];
  int segment = state->segment;
  double s = state->s;
  for (int k = 0; k < STEPS_MAX; ++k) {
    double length = c->segments[segment].to - c->segments[segment].from;
    double end = direction > 0 ? length : 0;
    if (s == end) {
      int next = segment + direction;
      if (next < 0 || next >= c->segment_count)
        break;
      segment = next;
      s = direction > 0 ? 0 : c->segments[next].to - c->segments[next].from;
      continue;
    }
    clp_chain_place(&c->chain, c->segments, segment, s, at);
    double step = proven_step(c, state, at, end);
    if (!(step > SHORTEST * length))
      break;
    s = step >= fabs(end - s) ? end : s + direction * step;
  }
  return time_reached(c, segment, s, direction);
}

void clp_contact_interval(clp_certifier *c, int link_pair, clp_certified *result)
{
  const clp_certify_state *state = &c->states[link_pair];
  result->contact_from = fmin(follow(c, state, -1), result->time);
  result->contact_to = fmax(follow(c, state, +1), result->time);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/pair/padding.h"

#include "rclc_closest_point/base/rounding.h"
#include "rclc_closest_point/math/trio.h"
#include "rclc_closest_point/pair/answer.h"

/* Bodies swept by balls: cores A and B, radii r_a and r_b, R = r_a + r_b.
 *
 * Places of the swept bodies lie at most r_a and r_b from the cores, so that any two bodies that
 * are apart by d are, swept, apart by d - R; and places nearest to each other move towards each
 * other, along the normal, by their radius. Of convex cores this goes on through contact and
 * overlap: the gap s(n) between planes square to n that support them (docs/tracking.md) loses R in
 * every direction, so that the largest one, which is the signed distance, does too, and is where it
 * was. What is proven of the cores is proven of the swept bodies, less R.
 *
 * Cores that are apart have a normal that is not rounding, however deep the swept bodies overlap:
 * nothing has to be searched there. */

/* The witnesses are places of the bodies, but for rounding and blur, so that where they have passed
 * each other by more the bodies overlap: slack is what a bound may be too high by, and nothing to
 * places that are known. */
bool clp_padding_overlaps(const clp_pair *pair, double core)
{
  const clp_couple *couple = &pair->cycle.couple;
  const double lengths = 5 * couple->size + fabs(core) + pair->padding;
  return core - pair->padding < -(CLP_ROUNDING * lengths + couple->blur);
}

clp_spot clp_spot_on_core(const clp_body *core, double z)
{
  const double half = core->radius;
  if (core->edge_count == 0 || z <= -half)
    return clp_spot_on_vertex(0);
  return z >= half ? clp_spot_on_vertex(1) : clp_spot_on_edge(0, (clp_curve_site){{z, 0}});
}

/* Where one body is not convex the way out may be longer than the places that are known say. */
static double bound_of_overlap(const clp_pair *pair, double lower)
{
  double longest = pair->a->size + pair->b->size + pair->padding;
  return pair->way->planes ? lower : clp_smaller(lower, -longest);
}

CLP_APART clp_pair_status status_in_range(const clp_pair *pair, const clp_answer *answer)
{
  bool far = answer->lower_bound > pair->options.range;
  return far && (!pair->sampled || clp_balls_are_far(pair)) ? CLP_OUT_OF_RANGE : answer->status;
}

CLP_INLINE clp_pair_status status_of(const clp_pair *pair, const clp_answer *answer)
{
  double width = clp_pair_width(pair, answer->distance);
  bool wide = answer->distance - answer->lower_bound > width;
  if (!clp_usually(!(pair->options.range > 0)) && status_in_range(pair, answer) == CLP_OUT_OF_RANGE)
    return CLP_OUT_OF_RANGE;
  return clp_usually(!wide) ? answer->status : CLP_CONVERGING;
}

/* Other witnesses of other normals move aside by twice the radius at most. */
static void widen_spread(clp_answer *answer, double r_a, double r_b)
{
  if (answer->scattered)
    answer->spread += 2 * clp_larger(r_a, r_b);
}

/* A coordinate that is -0 becomes 0, so that no sign tells who was named first. */
static clp_vec3 moved(clp_vec3 p, double by, clp_vec3 n)
{
  const clp_trio to = clp_trio_add_scaled(clp_trio_of(&p), by, clp_trio_of(&n));
  return clp_trio_vec3(clp_trio_add(to, (clp_trio){{0, 0}, 0}));
}

/* What rounding has put past each other meets halfway, whichever is named first. */
static void meet(clp_answer *answer)
{
  clp_vec3 middle = clp_scale(0.5, clp_add(answer->point_a, answer->point_b));
  answer->point_a = answer->point_b = middle;
  answer->distance = 0;
}

/* The witnesses have passed each other: by rounding, or as deep as the bodies are in each other.
 * How deep that is may not be known, though it is proven that they overlap: then the witnesses are
 * two places of the bodies, and no more is said. Where a body is not convex nobody asks. `core` is
 * the cores' distance, in an interval of that width. */
CLP_APART void pass(const clp_pair *pair, clp_answer *answer, double core, double width)
{
  bool inside = answer->status == CLP_PENETRATING;
  bool narrow = answer->status == CLP_TRACKING && width <= clp_pair_width(pair, core);
  bool known = inside || !pair->way->planes || narrow;
  if (!inside && !clp_padding_overlaps(pair, core)) {
    meet(answer);
    answer->status = status_of(pair, answer);
  } else if (known) {
    answer->status = CLP_PENETRATING;
    answer->lower_bound = bound_of_overlap(pair, answer->lower_bound);
  } else {
    answer->status = CLP_CONVERGING;
    answer->distance = -answer->distance;
    answer->normal = clp_sub((clp_vec3){0, 0, 0}, answer->normal);
  }
}

CLP_INLINE void show_whole(const clp_body *core, clp_feature_kind *kind, uint32_t *id)
{
  if (!core->whole)
    return;
  *id = clp_face_of_core(core, *kind, *id);
  *kind = CLP_FACE;
}

CLP_INLINE void pad(const clp_pair *pair, clp_answer *answer)
{
  const clp_body *a = pair->turned ? pair->b : pair->a, *b = pair->turned ? pair->a : pair->b;
  const double r_a = a->padding, r_b = b->padding;
  show_whole(a, &answer->kind_a, &answer->feature_a);
  show_whole(b, &answer->kind_b, &answer->feature_b);
  const double core = answer->distance, width = core - answer->lower_bound;
  if (!(core < HUGE_VAL))
    return;
  answer->point_a = moved(answer->point_a, r_a, answer->normal);
  answer->point_b = moved(answer->point_b, -r_b, answer->normal);
  answer->distance = core - pair->padding;
  answer->lower_bound -= pair->padding * (1 + CLP_ROUNDING);
  widen_spread(answer, r_a, r_b);
  if (clp_usually(answer->distance >= 0 && answer->status != CLP_PENETRATING))
    answer->status = status_of(pair, answer);
  else
    pass(pair, answer, core, width);
}

void clp_pad_answer(const clp_pair *pair, clp_answer *answer)
{
  pad(pair, answer);
}

clp_answer clp_pair_end_padded(clp_pair *pair, clp_known known, const clp_pose *X_WA)
{
  clp_answer answer = clp_pair_end(pair, known, X_WA);
  pad(pair, &answer);
  return answer;
}

clp_answer clp_track_padded(clp_pair *pair, const clp_pose *X_WA, const clp_pose *X_WB,
                            const clp_twist *V_WA, const clp_twist *V_WB, double step)
{
  clp_answer answer = pair->track_cores(pair, X_WA, X_WB, V_WA, V_WB, step);
  pad(pair, &answer);
  return answer;
}

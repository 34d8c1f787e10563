/* SPDX-License-Identifier: Apache-2.0 */
/* How a spline bends. Samples give the candidate: convex or concave, unless they already show both
 * signs; and they find the place of a dent. What is accepted is proven by bounds (face_proof.c),
 * which ask for more samples where they do not decide, so that these gather where the candidate is
 * in danger. */

#include "rclc_closest_point/surface/curvature_spline.h"

#include "rclc_closest_point/base/tolerance.h"
#include "rclc_closest_point/surface/curvature_sample.h"

/* Of curvature and of turn: what the bounds may leave over. */
static const double turn_limit = 10 * CLP_TOLERANCE_CURVATURE;

static bool look(void *user, const clp_face_span *span, int index, double s, double t, double width,
                 double narrow)
{
  clp_curvature_search *search = user;
  clp_bend_range before = search->range;
  search->range = clp_bend_range_none();
  clp_curvature_sample(search, span, (clp_seed){.span = index, .s = s, .t = t, .step = width});
  clp_bend_range here = search->range;
  search->range = before;
  clp_bend_range_add(&search->range, here.min, here.max, here.at_max);
  return here.max * search->size * narrow > turn_limit;
}

static clp_face_proof prove(clp_curvature_search *search, const clp_gauge *gauge, bool concave,
                            bool bend_only, clp_proof_budget *budget)
{
  clp_face_question question = {.surface = search->surface,
                                .domain = search->domain,
                                .gauge = gauge,
                                .sense = concave ? -1 : 1,
                                .tolerance = CLP_TOLERANCE_CURVATURE,
                                .bend_only = bend_only,
                                .witness = {concave ? NULL : look, search}};
  return clp_prove_spline(&question, budget);
}

/* Samples may see a dent that is so small that its turn, a length in the slack, does no harm. */
clp_curvature_verdict clp_nurbs_curvature(const clp_surface *surface, const clp_domain *domain,
                                          double size, const clp_gauge *gauge, bool bend_only,
                                          clp_proof_budget *budget, clp_face_proof *proof)
{
  clp_curvature_search search = clp_curvature_search_begin(surface, domain, size);
  double tolerance = CLP_TOLERANCE_CURVATURE / size;
  clp_curvature_sample_face(&search);
  clp_curvature_refine(&search);
  if (search.range.max == -HUGE_VAL) /* a face without area */
    clp_bend_range_add(&search.range, 0, 0, clp_domain_middle(surface, domain));
  bool concave = clp_bend_range_kind(&search.range, tolerance) == CLP_BEND_CONCAVE;
  *proof = prove(&search, gauge, concave, bend_only, budget);
  clp_curvature_refine(&search);
  bool proven = fmin(proof->bend, proof->turn) <= turn_limit && proof->kink <= CLP_TOLERANCE_SMOOTH;
  clp_bend bend = clp_bend_range_kind(&search.range, tolerance);
  if (bend == CLP_BEND_FLAT || (proven && !concave))
    bend = proof->flat ? CLP_BEND_FLAT : CLP_BEND_CONVEX;
  return (clp_curvature_verdict){
      .bend = bend, .by_bounds = proven, .worst = search.range.max, .where = search.range.at_max};
}

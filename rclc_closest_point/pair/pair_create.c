/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "rclc_closest_point/base/enumerators.h"
#include "rclc_closest_point/math/vec3.h"
#include "rclc_closest_point/pair/closed.h"
#include "rclc_closest_point/pair/padding.h"
#include "rclc_closest_point/pair/step.h"

clp_pair_options clp_default_pair_options(void)
{
  return (clp_pair_options){.controller = CLP_CONTROLLER_AUTO,
                            .integrator = CLP_INTEGRATOR_EULER,
                            .substeps = 1,
                            .feedforward = true};
}

/* Points have no size: what their distance is rounded by is where they are. */
static double size_of(const clp_body *a, const clp_body *b)
{
  double size = fmax(a->size + 2 * a->padding, b->size + 2 * b->padding);
  return size > 0 ? size : fmax(clp_norm(a->center), clp_norm(b->center));
}

clp_status clp_pair_aids_create(const clp_body *a, const clp_body *b,
                                const clp_pair_options *options, clp_pair_aids *aids)
{
  clp_pair_aids made = {0};
  clp_status status = CLP_OK;
  bool turned = clp_order_of_bodies(a, b) == CLP_ORDER_TURNED;
  const clp_body *first = turned ? b : a, *second = turned ? a : b;
  if (!clp_way_of(a, b)->planes && !(made.exclusion = clp_exclusion_create(first, second)))
    status = CLP_ERROR_MEMORY;
  if (status == CLP_OK && options->controller == CLP_CONTROLLER_NEWTON)
    status = clp_newton_create(first, second, &made.newton);
  if (status == CLP_OK)
    *aids = made;
  else
    clp_pair_aids_destroy(&made);
  return status;
}

void clp_pair_aids_destroy(clp_pair_aids *aids)
{
  clp_exclusion_destroy(aids->exclusion);
  clp_newton_destroy(aids->newton);
  *aids = (clp_pair_aids){0};
}

/* Whether the pair computes with the core of a ball or a capsule, whose padding is the radius. A
 * closed form has the radius in it, a controller by itself moves on the surfaces that there are,
 * and with a surface that is open a ball never overlaps, though its center may be near. Beside a
 * quadric a capsule is its faces, which mostly have one kernel for it (batch.h), and a segment with
 * its ends two. So there are no aids where there are cores. */
static const clp_body *computed_with(const clp_body *body, const clp_body *other,
                                     const clp_pair_options *options)
{
  const clp_way *way = clp_way_of(body, other);
  bool usual = way->planes && !way->at_once && options->controller == CLP_CONTROLLER_AUTO;
  bool core = body->core && usual && (body->core->info.point || !other->quadric);
  return core ? body->core : body;
}

void clp_pair_init(clp_pair *pair, const clp_body *a, const clp_body *b,
                   const clp_pair_options *options, const clp_pair_aids *aids)
{
  const clp_way *way = clp_way_of(a, b);
  const clp_body *core_a = computed_with(a, b, options), *core_b = computed_with(b, a, options);
  clp_order order = clp_order_of_bodies(core_a, core_b);
  bool turned = order == CLP_ORDER_TURNED, has_aids = aids->exclusion || aids->newton;
  bool alone = options->controller != CLP_CONTROLLER_AUTO;
  double padding = core_a->padding + core_b->padding;
  clp_track *track = alone ? clp_track_by_controller : clp_step_widest(way);
  *pair = (clp_pair){.a = turned ? core_b : core_a,
                     .b = turned ? core_a : core_b,
                     .way = way,
                     .track = padding > 0 ? clp_step_padded(track) : track,
                     .track_cores = track,
                     .turned = turned,
                     .by_place = order == CLP_ORDER_BY_PLACE && !has_aids,
                     .options = *options,
                     .size = size_of(a, b),
                     .padding = padding,
                     .round = way->once,
                     .sampled = !a->info.proven || !b->info.proven,
                     .by_core = core_a != a || core_b != b,
                     .aids = *aids};
  pair->cycle = clp_cycle_make(pair->a, pair->b);
  pair->cycle.normals = pair->way->planes;
  clp_pair_set_tolerance(pair, options->tolerance);
  clp_pair_set_range(pair, options->range);
}

/* From where on the distance less what is taken off it is above 0, to where the interval is as
 * narrow as it has to be at least and the bound not beyond the range. Of bodies without proof no
 * answer is plain. */
static clp_plain plain_of(const clp_pair *pair)
{
  const clp_couple *couple = &pair->cycle.couple;
  const double radii = pair->a->sweep.radius + pair->b->sweep.radius;
  const double rounding = clp_couple_rounding(couple, 0);
  double to = (0.5 * pair->tolerance * pair->size - rounding) / CLP_ROUNDING;
  to = fmin(to, pair->range > 0 ? radii + pair->range : CLP_FARTHEST);
  return (clp_plain){
      .from = fmax(CLP_NO_DIRECTION * couple->size, (radii + rounding) * (1 + 2 * CLP_ROUNDING)),
      .to = pair->sampled ? 0 : fmin(to, CLP_FARTHEST),
      .radii = radii,
      .rounding = rounding};
}

void clp_pair_set_tolerance(clp_pair *pair, double tolerance)
{
  pair->options.tolerance = tolerance;
  pair->tolerance = tolerance > 0 ? tolerance : pair->way->tolerance;
  pair->plain = plain_of(pair);
}

void clp_pair_set_range(clp_pair *pair, double range)
{
  pair->options.range = range;
  pair->range = pair->padding > 0 ? 0 : range;
  pair->plain = plain_of(pair);
}

/* What a cycle may spend on convex bodies (effort.h), where some of their faces are splines, and at
 * least: with less, what takes most would never be begun. */
#define CYCLE_EFFORT 1000000
#define SPLINE_EFFORT 6000000
#define LEAST_EFFORT 60000

/* Whether farthest places are searched for numerically, which takes longer. */
static bool has_splines(const clp_body *body)
{
  bool found = false;
  for (uint32_t k = 0; k < body->face_count && body->compass.grid == 0; ++k)
    found = found || clp_surface_spline(&body->faces[k].surface) != NULL;
  return found;
}

int clp_pair_effort(const clp_pair *pair)
{
  if (pair->options.effort > 0)
    return pair->options.effort > LEAST_EFFORT ? pair->options.effort : LEAST_EFFORT;
  return has_splines(pair->a) || has_splines(pair->b) ? SPLINE_EFFORT : CYCLE_EFFORT;
}

int clp_pair_overhead(const clp_pair *pair)
{
  const int polyhedra = (pair->a->compass.grid > 0) + (pair->b->compass.grid > 0);
  return CLP_EFFORT_CYCLE + polyhedra * CLP_EFFORT_VERTEX +
         (pair->way->spots ? CLP_EFFORT_CLOSED : 0);
}

/* Numbers that are none fail every comparison. */
static bool is_amount(double x)
{
  return x >= 0 && x < HUGE_VAL;
}

bool clp_pair_options_usable(const clp_pair_options *o)
{
  return clp_is_controller(o->controller) && clp_is_integrator(o->integrator) &&
         is_amount(o->gain) && is_amount(o->ball) && o->substeps >= 1 && is_amount(o->tolerance) &&
         is_amount(o->range) && o->cells >= 0 && o->effort >= 0;
}

clp_status clp_pair_create(const clp_body *a, const clp_body *b, const clp_pair_options *options,
                           clp_pair **pair)
{
  if (!a || !b || !pair || !clp_way_of(a, b) || (options && !clp_pair_options_usable(options)))
    return CLP_ERROR_ARGUMENT;
  const clp_pair_options defaults = clp_default_pair_options();
  const clp_pair_options *chosen = options ? options : &defaults;
  clp_pair_aids aids = {0};
  clp_pair *made = malloc(sizeof *made);
  clp_status status = made ? clp_pair_aids_create(a, b, chosen, &aids) : CLP_ERROR_MEMORY;
  if (status != CLP_OK) {
    free(made);
    return status;
  }
  clp_pair_init(made, a, b, chosen, &aids);
  *pair = made;
  return CLP_OK;
}

void clp_pair_destroy(clp_pair *pair)
{
  if (!pair)
    return;
  clp_pair_aids_destroy(&pair->aids);
  free(pair);
}

/* ---- Starting ----------------------------------------------------------------------------- */

static bool face_spot(const clp_body *body, uint32_t face, double u, double v, clp_spot *spot)
{
  const clp_body *whole = clp_body_whole(body);
  if (whole->info.point) {
    *spot = clp_spot_on_vertex(0);
    return true;
  }
  if (face >= whole->face_count)
    return false;
  const clp_face *f = &whole->faces[face];
  clp_site site = clp_face_site_at(whole, face, u, v);
  *spot = body == whole ? clp_spot_on_face(face, site)
                        : clp_spot_on_core(body, clp_surface_point(&f->surface, site).z);
  return clp_domain_margin(&f->domain, site, NULL) >= 0;
}

clp_status clp_pair_start(clp_pair *pair, uint32_t face_a, double u_a, double v_a, uint32_t face_b,
                          double u_b, double v_b)
{
  clp_spots spots;
  clp_spot *a = pair->turned ? &spots.b : &spots.a, *b = pair->turned ? &spots.a : &spots.b;
  if (!face_spot(pair->turned ? pair->b : pair->a, face_a, u_a, v_a, a) ||
      !face_spot(pair->turned ? pair->a : pair->b, face_b, u_b, v_b, b))
    return CLP_ERROR_ARGUMENT;
  pair->spots = spots;
  pair->started = true;
  pair->inside = false;
  pair->batch_kind = 0;
  pair->region = 0;
  clp_pair_forget_rates(pair);
  return CLP_OK;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/control/controller.h"

#include "rclc_closest_point/base/enumerators.h"
#include "rclc_closest_point/control/integrator.h"
#include "rclc_closest_point/control/motion.h"
#include "rclc_closest_point/math/pose.h"
#include "rclc_closest_point/witness/automaton.h"

/* How often one step may meet a bound and go on on the next feature; and how often in all it may
 * hop over a seam, for a law that points across the seam from either side would hop for ever. */
#define PIECES_MAX 8
#define HOPS_MAX 2

/* Below this part of a step the bound blocks it at once. */
#define BLOCKED 1e-14

/* Of the descent that `auto` takes in a cycle, for each substep. */
#define DESCENT_BUDGET 16

clp_flow_options clp_default_flow_options(void)
{
  return (clp_flow_options){.controller = CLP_CONTROLLER_AUTO,
                            .integrator = CLP_INTEGRATOR_EULER,
                            .cycle = 1e-3,
                            .substeps = 1,
                            .feedforward = true,
                            .ball = 0.1};
}

typedef struct flow {
  const clp_flow_options *options;
  const clp_couple *now;
  clp_twist motion; /* over the cycle */
  clp_newton *newton;
  clp_spots *spots;
  clp_event_log *log;
  clp_flow_result result;
} flow;

/* ---- One integration step ----------------------------------------------------------------- */

/* In cycle time, which runs from 0 to options->cycle, the step of length h takes place between
 * `from` and `to`; a law that is told of the motion sees it scaled by (to - from) / h. */
typedef struct pass {
  flow *flow;
  clp_law law;
  clp_integrator integrator;
  double gain, h;
  double from, to;
  double done; /* the part of the step that is */
  bool told;
  bool held;
  bool bold; /* see clp_law_input */
  int hops;
} pass;

static double rate(const pass *p)
{
  return p->h > 0 ? (p->to - p->from) / p->h : 0;
}

static clp_couple couple_at(const pass *p, double time)
{
  clp_couple couple = *p->flow->now;
  double at = p->told ? p->from + rate(p) * time : p->to;
  couple.X_AB = clp_pose_after(p->flow->now->X_AB, p->flow->motion, at - p->flow->options->cycle);
  return couple;
}

static clp_couple_jets jets_of(const clp_couple *couple, const clp_spots *spots)
{
  return clp_couple_jets_at(couple->a, spots->a, couple->b, spots->b, &couple->X_AB);
}

static void velocity(void *user, const clp_spots *spots, double time, double w[4])
{
  pass *p = user;
  const clp_flow_options *options = p->flow->options;
  clp_couple couple = couple_at(p, p->done * p->h + time);
  double scale = p->told ? rate(p) : 0;
  clp_law_input input = {.couple = &couple,
                         .spots = spots,
                         .jets = jets_of(&couple, spots),
                         .motion = {clp_scale(scale, p->flow->motion.linear),
                                    clp_scale(scale, p->flow->motion.angular)},
                         .gain = p->gain,
                         .step = p->h,
                         .ball = options->exponential ? options->ball : 0,
                         .integrator = p->integrator,
                         .bold = p->bold};
  p->law(&input, w);
  p->flow->result.evaluations++;
}

static void change(flow *f, int which, clp_spot to, double distance)
{
  clp_spot *spot = which == 0 ? &f->spots->a : &f->spots->b;
  clp_event_log *log = f->log;
  if (log && log->count < log->capacity)
    log->events[log->count] = (clp_event){which, *spot, to, distance};
  if (log)
    log->count++;
  *spot = to;
  f->result.transitions++;
}

/* Lets both witnesses find the features they belong to, at the points where they are. */
static void settle(flow *f, const clp_couple *c)
{
  clp_couple_jets jets = jets_of(c, f->spots);
  if (!(jets.distance > 0))
    return;
  clp_vec3 n = clp_scale(1 / jets.distance, jets.d);
  clp_vec3 n_B = clp_negate(clp_rotate_back(c->X_AB.rotation, n));
  clp_spot next;
  for (int k = 0; k < CLP_SETTLE_MAX && clp_transition(c->a, f->spots->a, n, &next); ++k)
    change(f, 0, next, jets.distance);
  for (int k = 0; k < CLP_SETTLE_MAX && clp_transition(c->b, f->spots->b, n_B, &next); ++k)
    change(f, 1, next, jets.distance);
}

/* Over a smooth seam that blocks the displacement at once. */
static bool hop(flow *f, const clp_couple *c, const int side[2])
{
  clp_spot next;
  for (int k = 0; k < 2; ++k)
    if (clp_hop(k == 0 ? c->a : c->b, k == 0 ? f->spots->a : f->spots->b, side[k], &next)) {
      change(f, k, next, jets_of(c, f->spots).distance);
      return true;
    }
  return false;
}

/* The bound of the spot's feature that it is on, as a feature of its own: of a face an edge or a
 * pole, of an edge a vertex. */
static clp_spot bound_of(const clp_body *body, clp_spot spot, int side)
{
  if (spot.kind == CLP_EDGE)
    return clp_spot_on_vertex(body->edges[spot.id].vertex[side]);
  const clp_face *face = &body->faces[spot.id];
  uint32_t use = clp_face_use_at(body, face, side, spot.site), edge = body->uses[use].edge;
  if (body->edges[edge].kind == CLP_EDGE_COLLAPSED)
    return clp_spot_on_vertex(body->edges[edge].vertex[0]);
  return clp_spot_on_edge(edge, clp_face_edge_site(body, face, use, spot.site));
}

static void hold(flow *f, const clp_couple *c, const int side[2])
{
  double distance = jets_of(c, f->spots).distance;
  if (side[0] >= 0)
    change(f, 0, bound_of(c->a, f->spots->a, side[0]), distance);
  if (side[1] >= 0)
    change(f, 1, bound_of(c->b, f->spots->b, side[1]), distance);
}

/* Moves both witnesses by x, up to the first bound that one of them meets; returns the fraction.
 * Where there is none to go, nothing has changed, and side[] says which bounds are in the way. */
static double advance(flow *f, double x[4], int side[2])
{
  const clp_couple *c = f->now;
  int of_a = 2 - (int)f->spots->a.kind;
  double a = clp_spot_fraction(c->a, f->spots->a, x, &side[0]);
  double b = clp_spot_fraction(c->b, f->spots->b, x + of_a, &side[1]);
  double fraction = fmin(a, b);
  if (a > fraction)
    side[0] = -1;
  if (b > fraction)
    side[1] = -1;
  if (fraction < BLOCKED)
    return 0;
  for (int i = 0; i < 4; ++i)
    x[i] *= fraction;
  f->spots->a = clp_spot_move(c->a, f->spots->a, x, side[0]);
  f->spots->b = clp_spot_move(c->b, f->spots->b, x + of_a, side[1]);
  return fraction;
}

static double best_gain(const pass *p, const clp_couple *c, clp_controller controller)
{
  clp_gain_case k = {.controller = controller, .integrator = p->integrator, .step = p->h};
  if (controller != CLP_CONTROLLER_LINEARISING) {
    clp_couple_jets jets = jets_of(c, p->flow->spots);
    k.stiffness = clp_stiffness_at(&jets);
  }
  return clp_gain_bounds_for(&k).best;
}

static bool leads_down(const clp_couple *c, const clp_spots *spots, const double *x)
{
  clp_couple_jets jets = jets_of(c, spots);
  clp_system s = clp_system_assemble(&jets, c->size);
  double slope = 0;
  for (int i = 0; i < s.count; ++i)
    slope += s.g[i] * x[i];
  return slope < 0;
}

/* A Newton step can point out of a feature although the other witness is over it, and so can the
 * sum of a Runge-Kutta step's stages. Over a smooth side it goes on behind. If it leads down, this
 * piece of the step is taken on the bound: where that has brought the witness to the best place
 * along the bound, the gradient points straight inwards, and so does whatever leads down. Otherwise
 * the first stage of the switching law takes over, which never points out; boldly, for short steps
 * out of a disc's corner would be taken back by the next one of the law that led there. */
static bool unblock(pass *p, const clp_couple *c, const int side[2], const double *x)
{
  if (p->hops < HOPS_MAX && hop(p->flow, c, side)) {
    p->hops++;
    return true;
  }
  if (!p->held && leads_down(c, p->flow->spots, x)) {
    hold(p->flow, c, side);
    p->held = true;
    return true;
  }
  if (p->law == clp_law_switching && p->integrator == CLP_INTEGRATOR_EULER)
    return false;
  p->bold = p->law != clp_law_switching;
  p->law = clp_law_switching;
  p->integrator = CLP_INTEGRATOR_EULER;
  p->gain = best_gain(p, c, CLP_CONTROLLER_SWITCHING);
  return true;
}

static void integrate(pass *p)
{
  flow *f = p->flow;
  const clp_field field = {velocity, p};
  bool settled = false;
  for (int piece = 0; piece < PIECES_MAX && p->done < 1; ++piece) {
    double x[4];
    int side[2];
    clp_couple c = couple_at(p, p->done * p->h);
    if (!settled)
      settle(f, &c);
    clp_integrate(p->integrator, &field, &c, f->spots, (1 - p->done) * p->h, x);
    double fraction = advance(f, x, side);
    p->done = fraction < 1 ? p->done + fraction * (1 - p->done) : 1;
    settled = fraction == 0 && unblock(p, &c, side, x);
    if (fraction == 0 && !settled)
      break;
  }
  f->result.steps++;
}

/* ---- The cycle ---------------------------------------------------------------------------- */

static void run_flow(flow *f, clp_law law, bool can_be_told)
{
  const clp_flow_options *o = f->options;
  int moving = (o->substeps + 1) / 2;
  double h = o->cycle / o->substeps;
  for (int k = 0; k < o->substeps; ++k) {
    pass p = {.flow = f, .law = law, .integrator = o->integrator, .gain = o->gain, .h = h};
    p.from = o->cycle * fmin(1, (double)k / moving);
    p.to = o->cycle * fmin(1, (k + 1.0) / moving);
    p.told = can_be_told && o->feedforward;
    clp_couple c = couple_at(&p, 0);
    if (o->gain == 0)
      p.gain = o->exponential ? 1 / o->cycle : best_gain(&p, &c, o->controller);
    integrate(&p);
  }
}

static void run_linearising(flow *f)
{
  run_flow(f, clp_law_linearising, true);
}

static void run_switching(flow *f)
{
  run_flow(f, clp_law_switching, false);
}

static void run_compensated(flow *f)
{
  run_flow(f, clp_law_compensated, true);
}

static void run_newton(flow *f)
{
  clp_newton_result found = clp_newton_track(f->newton, f->now, f->spots);
  f->result.steps = f->result.evaluations = found.iterations;
}

/* The drift alone carries the witnesses to the poses of now; from there downhill. */
static void run_auto(flow *f)
{
  const clp_flow_options *o = f->options;
  if (o->feedforward) {
    pass p = {.flow = f, .law = clp_law_linearising, .h = o->cycle, .to = o->cycle, .told = true};
    p.integrator = o->integrator;
    integrate(&p);
  }
  clp_descent d =
      clp_descend(f->now, f->spots, DESCENT_BUDGET * o->substeps, CLP_DESCENT_TOLERANCE, f->log);
  f->result.steps += d.iterations;
  f->result.evaluations += d.iterations;
  f->result.transitions += d.transitions;
}

static const struct {
  const char *name;
  void (*run)(flow *f);
} controllers[] = {
    [CLP_CONTROLLER_AUTO] = {"auto", run_auto},
    [CLP_CONTROLLER_LINEARISING] = {"linearising", run_linearising},
    [CLP_CONTROLLER_SWITCHING] = {"switching", run_switching},
    [CLP_CONTROLLER_COMPENSATED] = {"compensated", run_compensated},
    [CLP_CONTROLLER_NEWTON] = {"newton", run_newton},
};

CLP_COMPLETE(controllers, CLP_CONTROLLER_COUNT);

const char *clp_controller_name(clp_controller controller)
{
  return controllers[controller].name;
}

clp_flow_result clp_flow_cycle(const clp_flow_options *options, const clp_couple *now,
                               const clp_twist *motion, clp_newton *newton, clp_spots *spots,
                               clp_event_log *log)
{
  flow f = {.options = options, .now = now, .newton = newton, .spots = spots, .log = log};
  if (motion)
    f.motion = *motion;
  controllers[options->controller].run(&f);
  settle(&f, now);
  f.result.jets = jets_of(now, spots);
  f.result.residual = clp_couple_jets_residual(&f.result.jets);
  return f.result;
}

clp_gain_case clp_flow_gain_case(const clp_flow_options *options, const clp_couple_jets *jets,
                                 double drag)
{
  bool told = options->feedforward && options->controller != CLP_CONTROLLER_SWITCHING &&
              options->controller != CLP_CONTROLLER_COMPENSATED;
  return (clp_gain_case){.controller = options->controller,
                         .integrator = options->integrator,
                         .step = options->cycle / options->substeps,
                         .stiffness = clp_stiffness_at(jets),
                         .drag = told ? 0 : drag,
                         .error = jets->distance};
}

clp_flow_options clp_flow_options_of(const clp_pair_options *options, double cycle)
{
  clp_flow_options o = clp_default_flow_options();
  o.controller = options->controller;
  o.integrator = options->integrator;
  o.gain = options->gain;
  o.cycle = cycle;
  o.substeps = options->substeps;
  o.feedforward = options->feedforward;
  o.exponential = options->exponential;
  if (options->ball > 0)
    o.ball = options->ball;
  return o;
}

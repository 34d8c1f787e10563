/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "papers/chase.h"
#include "papers/experiment.h"
#include "papers/patches.h"
#include "rclc_closest_point/math/vec3.h"

/* From which of 41 x 41 starts on the patch of Table I a law finds the point nearest to Q. The
 * paper shows maps for one Q that it does not give; here are 27. */

enum { GRID = 41, STARTS = GRID * GRID };

/* ---- Targets ------------------------------------------------------------------------------ */

/* Where the nearest point is: in the patch's inside, on a side, at a corner; or somewhere, while
 * there are other local minima, too. */
typedef enum region { INSIDE, SIDE, CORNER, SEVERAL, REGIONS } region;

typedef struct target {
  clp_vec3 q;
  region region;
} target;

static const target targets[] = {
    {{0.151726869105981, 11.522666100902526, 6.780355905736315}, INSIDE},
    {{9.90638795543985, 1.6492587701099768, 8.083683964679661}, INSIDE},
    {{9.187852737012, 9.712525392046, 6.812531822261}, INSIDE},
    {{2.815247269731, -0.428444138996, 5.193859522314}, INSIDE},
    {{4.378400265331, 0.672204990073, 4.169805240372}, INSIDE},
    {{9.956851934115, 6.155897063944, 4.778265862803}, INSIDE},
    {{4.16941105263, 13.874033764342, 6.600237130437}, INSIDE},
    {{10.082875003289, 3.54248629711, 7.754825467504}, INSIDE},
    {{6.927014875831, -0.92434444008, 6.717622216771}, INSIDE},
    {{3.409198909508, 8.934416008275, 4.808287874428}, INSIDE},
    {{6.898056205342, 9.551862832772, 5.710322343336}, INSIDE},
    {{8.575043808135, 11.580291882265, 0.60625784695}, SIDE},
    {{7.805960589758, 10.946477279116, 2.518577459906}, SIDE},
    {{1.058182020215, 6.214668397274, 3.793983539847}, SIDE},
    {{-1.095925191805, 3.83280363843, 5.190029467452}, SIDE},
    {{0.037396246934, 3.72662655273, 4.330291511361}, SIDE},
    {{8.361666894874, -3.824560543257, 5.069005449306}, SIDE},
    {{11.585784681248, 11.427152996022, -0.072914575925}, CORNER},
    {{-0.500243299664, 10.612728942073, -0.233232537263}, CORNER},
    {{10.932994803072, 10.450203192227, -1.202568271351}, CORNER},
    {{14.002061317491, -1.631563328706, -2.221364974109}, CORNER},
    {{-1.561483660687, 4.496912722665, 2.494247971803}, SEVERAL},
    {{5.250073045611, 13.003333543508, -0.211374429809}, SEVERAL},
    {{12.423871327127, 4.774762076406, 2.800316044908}, SEVERAL},
    {{10.972905409267, 3.53624026365, 0.653623837528}, SEVERAL},
    {{10.684043805957, 4.354260368114, 0.893418757196}, SEVERAL},
    {{20.569262998902815, 5.518671145404333, 7.888572069827568}, SEVERAL}};

enum {
  TARGETS = sizeof targets / sizeof *targets,
  SHOWN = 9,       /* whose maps of three laws are drawn */
  SHOWN_SIDE = 12, /* whose maps of equation 1 are drawn */
};

/* ---- Laws --------------------------------------------------------------------------------- */

typedef enum law { NEWTON, SATURATED, VERBATIM, SWITCHING, LAWS } law;

/* What is solved: the patch, the point, and where the answer is. */
typedef struct problem {
  const clp_body *patch, *probe;
  const clp_surface *surface;
  clp_vec3 q, nearest;
} problem;

/* Gradient and Hessian of half the squared distance, and the first fundamental form. */
typedef struct forms {
  clp_vec3 p;
  double g[2], h[3], i[3];
} forms;

static forms forms_at(const problem *of, const double x[2])
{
  clp_jet jet = clp_surface_jet(of->surface, clp_surface_site(of->surface, x[0], x[1]));
  clp_vec3 r = clp_sub(jet.p, of->q);
  forms f = {jet.p,
             {clp_dot(r, jet.u), clp_dot(r, jet.v)},
             {0, 0, 0},
             {clp_dot(jet.u, jet.u), clp_dot(jet.u, jet.v), clp_dot(jet.v, jet.v)}};
  f.h[0] = f.i[0] + clp_dot(r, jet.uu);
  f.h[1] = f.i[1] + clp_dot(r, jet.uv);
  f.h[2] = f.i[2] + clp_dot(r, jet.vv);
  return f;
}

static void solve(const double m[3], const double y[2], double x[2])
{
  double determinant = m[0] * m[2] - m[1] * m[1];
  x[0] = (m[2] * y[0] - m[1] * y[1]) / determinant;
  x[1] = (m[0] * y[1] - m[1] * y[0]) / determinant;
}

/* Whether x stands on a bound of [0, 1] that the step leads out through. */
static bool leaves(double x, double step)
{
  return (x <= 0 && step < 0) || (x >= 1 && step > 0);
}

static double into_range(double x)
{
  return fmin(1, fmax(0, x));
}

/* Newton's iteration; false where it leaves the patch. */
static bool step_newton(const problem *of, double x[2])
{
  forms f = forms_at(of, x);
  double s[2];
  solve(f.h, f.g, s);
  for (int k = 0; k < 2; ++k)
    x[k] -= s[k];
  return x[0] >= 0 && x[0] <= 1 && x[1] >= 0 && x[1] <= 1;
}

/* The same; on a side only the component that does not lead out is taken. */
static bool step_saturated(const problem *of, double x[2])
{
  forms f = forms_at(of, x);
  double s[2];
  solve(f.h, f.g, s);
  for (int k = 0; k < 2; ++k)
    x[k] = leaves(x[k], -s[k]) ? x[k] : into_range(x[k] - s[k]);
  return isfinite(x[0]) && isfinite(x[1]);
}

/* Equation 1 as it is printed: (psi_u, psi_v) = I^-1 g in every mode. */
static void velocity_verbatim(const forms *f, const double x[2], double w[2])
{
  double psi[2];
  solve(f->i, f->g, psi);
  w[0] = -psi[0];
  w[1] = -psi[1];
  if (leaves(x[0], w[0]))
    w[0] = 0;
  else if (leaves(x[1], w[1]))
    w[1] = 0;
}

/* Slower than this a witness does not move any more. */
#define AT_REST 1e-9

/* How a start went. */
typedef struct outcome {
  bool reached, rose, pointed_out;
  clp_vec3 end;
} outcome;

static bool is_there(const problem *of, clp_vec3 p)
{
  return clp_distance(p, of->nearest) < 1e-5;
}

static outcome follow_newton(const problem *of, const double start[2], law by)
{
  double x[2] = {start[0], start[1]};
  bool on = true, rests = false;
  int steps = by == NEWTON ? 40 : 80;
  for (int k = 0; k < steps && on && !rests; ++k) {
    const double before[2] = {x[0], x[1]};
    on = by == NEWTON ? step_newton(of, x) : step_saturated(of, x);
    rests = fabs(x[0] - before[0]) + fabs(x[1] - before[1]) < AT_REST;
  }
  outcome o = {0};
  o.end = on ? forms_at(of, x).p : of->q;
  o.reached = is_there(of, o.end);
  return o;
}

static outcome follow_verbatim(const problem *of, const double start[2])
{
  const double step = 0.1; /* K h */
  double x[2] = {start[0], start[1]}, w[2], before = HUGE_VAL;
  outcome o = {0};
  bool rests = false;
  for (int k = 0; k < 250 && !rests; ++k) {
    forms f = forms_at(of, x);
    double distance = clp_distance(f.p, of->q);
    o.rose |= distance > before + 1e-12;
    before = distance;
    o.end = f.p;
    velocity_verbatim(&f, x, w);
    o.pointed_out |= leaves(x[0], w[0]) || leaves(x[1], w[1]);
    rests = fabs(w[0]) + fabs(w[1]) < AT_REST;
    for (int i = 0; i < 2; ++i)
      x[i] = into_range(x[i] + step * w[i]);
  }
  o.reached = is_there(of, o.end);
  return o;
}

/* The law as the library has it: on a side the error's component along the side alone. */
static outcome follow_switching(const problem *of, const double start[2])
{
  clp_chase chase = clp_chase_begin(of->patch, of->probe, of->q, 0, start[0], start[1]);
  chase.options.gain = clp_distance(of->q, of->nearest) > 10 ? 100 : 300; /* K_max falls with it */
  double before = clp_distance(forms_at(of, start).p, of->q);
  outcome o = {0};
  bool rests = false;
  for (int k = 0; k < 300 && !o.reached && !rests; ++k) {
    clp_flow_result r = clp_chase_step(&chase, of->q);
    rests = r.residual < AT_REST;
    o.rose |= r.jets.distance > before + 1e-12;
    before = r.jets.distance;
    o.end = r.jets.a.p;
    o.reached = is_there(of, o.end);
  }
  return o;
}

static outcome follow(const problem *of, law by, const double start[2])
{
  if (by == VERBATIM)
    return follow_verbatim(of, start);
  return by == SWITCHING ? follow_switching(of, start) : follow_newton(of, start, by);
}

/* ---- Maps --------------------------------------------------------------------------------- */

/* One law and one target, from every start. */
typedef struct map {
  bool reached[GRID][GRID]; /* of u, v */
  int count, rose, pointed_out;
  double excess; /* by how much the distance of the farthest end is too large */
} map;

static map draw_map(const problem *of, law by)
{
  map m = {.count = 0};
  double least = clp_distance(of->q, of->nearest);
  for (int n = 0; n < STARTS; ++n) {
    int u = n % GRID, v = n / GRID;
    const double start[2] = {u / (GRID - 1.0), v / (GRID - 1.0)};
    outcome o = follow(of, by, start);
    m.reached[u][v] = o.reached;
    m.count += o.reached;
    m.rose += o.rose;
    m.pointed_out += o.pointed_out;
    m.excess = fmax(m.excess, clp_distance(o.end, of->q) - least);
  }
  return m;
}

/* Takes the piece with (u, v) out of the map. */
static void remove_piece(map *m, int u, int v)
{
  int stack[STARTS], depth = 0;
  static const int neighbor[4][2] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};
  stack[depth++] = u * GRID + v;
  m->reached[u][v] = false;
  while (depth > 0) {
    int at = stack[--depth];
    for (int k = 0; k < 4; ++k) {
      int i = at / GRID + neighbor[k][0], j = at % GRID + neighbor[k][1];
      if (i < 0 || i >= GRID || j < 0 || j >= GRID || !m->reached[i][j])
        continue;
      m->reached[i][j] = false;
      stack[depth++] = i * GRID + j;
    }
  }
}

/* Of how many connected pieces the starts that arrive consist. */
static int count_pieces(map m)
{
  int pieces = 0;
  for (int u = 0; u < GRID; ++u)
    for (int v = 0; v < GRID; ++v)
      if (m.reached[u][v]) {
        remove_piece(&m, u, v);
        ++pieces;
      }
  return pieces;
}

static int count_lost(const map *of, const map *in)
{
  int lost = 0;
  for (int u = 0; u < GRID; ++u)
    for (int v = 0; v < GRID; ++v)
      lost += of->reached[u][v] && !in->reached[u][v];
  return lost;
}

/* ---- What comes out ----------------------------------------------------------------------- */

typedef struct findings {
  map shown[LAWS], side[LAWS]; /* of the targets whose maps are drawn */
  int least[REGIONS][LAWS], most[REGIONS][LAWS];
  int targets[REGIONS];
  int rose[REGIONS][LAWS];  /* starts from which the distance grew */
  int pointed_out[REGIONS]; /* by equation 1 */
  double excess_on_sides;   /* of equation 1 */
  int lost;                 /* starts that Newton finds and saturated Newton does not */
  double concave;           /* the part of the patch with negative Gaussian curvature */
} findings;

/* Gaussian curvature has the sign of (f_uu.N)(f_vv.N) - (f_uv.N)^2. */
static double concave_part(const clp_surface *surface)
{
  enum { FINE = 200 };
  int negative = 0;
  for (int n = 0; n < FINE * FINE; ++n) {
    int column = n % FINE, line = n / FINE;
    clp_jet jet = clp_surface_jet(
        surface, clp_surface_site(surface, (column + 0.5) / FINE, (line + 0.5) / FINE));
    clp_vec3 normal = clp_cross(jet.u, jet.v);
    double l = clp_dot(jet.uu, normal), m = clp_dot(jet.uv, normal), k = clp_dot(jet.vv, normal);
    negative += l * k - m * m < 0;
  }
  return (double)negative / (FINE * FINE);
}

static void count(findings *f, region where, law by, const map *m)
{
  int *least = &f->least[where][by], *most = &f->most[where][by];
  *least = m->count < *least ? m->count : *least;
  *most = m->count > *most ? m->count : *most;
  f->rose[where][by] += m->rose;
  if (by != VERBATIM)
    return;
  f->pointed_out[where] += m->pointed_out;
  if (where == SIDE)
    f->excess_on_sides = fmax(f->excess_on_sides, m->excess);
}

static clp_status study_target(clp_study *study, problem *of, int number, clp_series *counts,
                               findings *f)
{
  const target *t = &targets[number];
  static const char *const regions[REGIONS] = {"inside", "side", "corner", "several minima"};
  clp_answer truth;
  clp_status status = clp_chase_ask(of->patch, of->probe, t->q, &truth);
  if (status != CLP_OK)
    return status;
  of->q = t->q;
  of->nearest = truth.point_a;
  map maps[LAWS];
  double line[5 + LAWS] = {number + 1, t->q.x, t->q.y, t->q.z, truth.distance};
  for (int k = 0; k < LAWS; ++k) {
    maps[k] = draw_map(of, (law)k);
    line[5 + k] = maps[k].count;
    count(f, t->region, (law)k, &maps[k]);
    clp_study_progress(study, (number + (k + 1.0) / LAWS) / TARGETS);
  }
  clp_series_add_text(counts, line, regions[t->region]);
  f->targets[t->region]++;
  f->lost += count_lost(&maps[NEWTON], &maps[SATURATED]);
  if (number == SHOWN)
    memcpy(f->shown, maps, sizeof maps);
  if (number == SHOWN_SIDE)
    memcpy(f->side, maps, sizeof maps);
  return CLP_OK;
}

static void add_maps(clp_study *study, const findings *f)
{
  clp_series *series = clp_study_series(
      study, "maps", "u,v,newton,saturated,switching,side_verbatim,side_switching");
  for (int v = 0; v < GRID; ++v) {
    for (int u = 0; u < GRID; ++u)
      clp_series_add(
          series, (double[]){u / (GRID - 1.0), v / (GRID - 1.0), f->shown[NEWTON].reached[u][v],
                             f->shown[SATURATED].reached[u][v], f->shown[SWITCHING].reached[u][v],
                             f->side[VERBATIM].reached[u][v], f->side[SWITCHING].reached[u][v]});
  }
}

/* The ways of three laws from one start to the target whose maps are shown. */
static void add_paths(clp_study *study, problem *of)
{
  static const double start[2] = {0.65, 0.1};
  clp_series *series = clp_study_series(study, "paths", "law,u,v");
  for (int k = 0; k < 2; ++k) {
    double x[2] = {start[0], start[1]};
    bool on = true;
    for (int n = 0; n < 40 && on; ++n) {
      clp_series_add(series, (double[]){k, x[0], x[1]});
      on = k == 0 ? step_newton(of, x) : step_saturated(of, x);
    }
    clp_series_add(series, (double[]){k, x[0], x[1]});
    clp_series_gap(series);
  }
  clp_chase chase = clp_chase_begin(of->patch, of->probe, of->q, 0, start[0], start[1]);
  chase.options.gain = 100;
  for (int n = 0; n < 200; ++n) {
    clp_chase_state state = clp_chase_measure(&chase, 0);
    clp_series_add(series, (double[]){2, state.u, state.v});
    clp_chase_step(&chase, of->q);
  }
}

/* "1681" or "192 to 870". */
typedef struct range_text {
  char text[32];
} range_text;

static range_text range(const findings *f, region where, law by)
{
  range_text t;
  int least = f->least[where][by], most = f->most[where][by];
  if (least == most)
    snprintf(t.text, sizeof t.text, "%d", least);
  else
    snprintf(t.text, sizeof t.text, "%d to %d", least, most);
  return t;
}

static void add_rows_of_maps(clp_study *study, const findings *f)
{
  const map *newton = &f->shown[NEWTON], *saturated = &f->shown[SATURATED];
  const map *switching = &f->shown[SWITCHING];
  int pieces = count_pieces(*newton);
  clp_row *row = clp_study_row(study, "Newton's region of attraction", "small, not connected");
  clp_row_text(row, newton->count < STARTS / 2 && pieces > 1, "%d of %d starts, in %d pieces",
               newton->count, STARTS, pieces);
  clp_row_note(row,
               "The paper gives no Q; the maps are those of Q = (%.3f, %.3f, %.3f). Over all %d "
               "points with one minimum inside of the patch Newton finds it from %s starts.",
               targets[SHOWN].q.x, targets[SHOWN].q.y, targets[SHOWN].q.z, f->targets[INSIDE],
               range(f, INSIDE, NEWTON).text);

  row = clp_study_row(study, "Newton with saturation at the sides",
                      "larger, contains Newton's, not global");
  clp_row_text(row,
               saturated->count > newton->count && saturated->count < STARTS &&
                   count_lost(newton, saturated) == 0,
               "%d of %d starts, %d of Newton's lost", saturated->count, STARTS,
               count_lost(newton, saturated));
  clp_row_note(row,
               "From %s starts over the %d points inside: from all of them for some. A minimum on "
               "a side is found from none (%s of %d), for the step solves for both parameters and "
               "drops one afterwards.",
               range(f, INSIDE, SATURATED).text, f->targets[INSIDE], range(f, SIDE, SATURATED).text,
               STARTS);

  row = clp_study_row(study, "the switching law", "all starts");
  clp_row_text(row, switching->count == STARTS, "%d of %d starts", switching->count, STARTS);
  int rose = 0;
  for (int k = 0; k < REGIONS; ++k)
    rose += f->rose[k][SWITCHING];
  clp_row_note(row,
               "From %s starts over %d points inside, %s over %d on sides, %s over %d at corners. "
               "Starts from which the distance ever grew: %d.",
               range(f, INSIDE, SWITCHING).text, f->targets[INSIDE], range(f, SIDE, SWITCHING).text,
               f->targets[SIDE], range(f, CORNER, SWITCHING).text, f->targets[CORNER], rose);
}

static void add_rows_of_equation_1(clp_study *study, const findings *f)
{
  clp_row *row = clp_study_row(study, "equation 1 as printed, minimum on a side", "all starts");
  clp_row_text(row, f->least[SIDE][VERBATIM] == STARTS, "%s of %d starts, for %d points",
               range(f, SIDE, VERBATIM).text, STARTS, f->targets[SIDE]);
  clp_row_note(row,
               "With the contravariant Ψ = I⁻¹(ΔR·f_u, ΔR·f_v) the motion along a side ends where "
               "its component vanishes, which is not where ΔR·f_v does: up to %.2f too far from Q. "
               "From %d of the %d starts the distance grows on the way. The proof's eq. 8 tacitly "
               "takes ΔR·f_v/G on a side; with that (the library's law) it is %s of %d.",
               f->excess_on_sides, f->rose[SIDE][VERBATIM], f->targets[SIDE] * STARTS,
               range(f, SIDE, SWITCHING).text, STARTS);

  row = clp_study_row(study, "equation 1 as printed keeps corners", "the patch is invariant");
  clp_row_text(row, f->pointed_out[CORNER] == 0, "points out of the patch from %d starts",
               f->pointed_out[CORNER]);
  clp_row_note(row,
               "A mode saturates one parameter only; at a corner with both errors pointing out the "
               "other one leaves. Out of %d starts with the minimum at a corner (here the step is "
               "cut off there).",
               f->targets[CORNER] * STARTS);
}

static void add_rows_of_patch(clp_study *study, const findings *f)
{
  clp_row *row = clp_study_row(study, "the patch of Table I", "convex");
  clp_row_result(row, f->concave == 0, f->concave, "Gaussian curvature negative on %.0f %% of it",
                 100 * f->concave);
  clp_row_note(
      row,
      "Of the square of parameters, counted on a grid of 200 × 200. Across its knots it is "
      "C¹ only, so Newton's Hessian jumps there.");

  row = clp_study_row(study, "the switching law, several local minima", "all starts");
  clp_row_text(row, f->least[SEVERAL][SWITCHING] == STARTS, "%s of %d starts, for %d points",
               range(f, SEVERAL, SWITCHING).text, STARTS, f->targets[SEVERAL]);
  clp_row_note(row,
               "The theorem assumes a convex patch, and the patch of its simulations is none: from "
               "some points it has two or three minima, and a law that only goes downhill finds "
               "the one that its start belongs to. The certificate of the library does not "
               "take a local minimum for the answer (see domain).");
}

static void add_plots(clp_study *study, const problem *of)
{
  clp_chase chase = clp_chase_begin(of->patch, of->probe, of->q, 0, 0.5, 0.5);
  chase.options.gain = 150;
  for (int n = 0; n < 200; ++n)
    clp_chase_step(&chase, of->q);
  clp_chase_state end = clp_chase_measure(&chase, 0);
  clp_study_plot(study, "maps", "u = %.4f; v = %.4f", end.u, end.v);
  clp_study_plot(study, "counts", NULL);
}

static clp_status study_all(clp_study *study, problem *of)
{
  findings f = {.lost = 0};
  for (int k = 0; k < REGIONS * LAWS; ++k)
    f.least[k / LAWS][k % LAWS] = STARTS;
  clp_series *counts = clp_study_text_series(
      study, "counts", "target,x,y,z,distance,newton,saturated,verbatim,switching,minimum");
  clp_status status = CLP_OK;
  for (int k = 0; k < TARGETS && status == CLP_OK; ++k)
    status = study_target(study, of, k, counts, &f);
  f.concave = concave_part(of->surface);
  of->q = targets[SHOWN].q;
  add_maps(study, &f);
  add_paths(study, of);
  add_rows_of_maps(study, &f);
  add_rows_of_equation_1(study, &f);
  add_rows_of_patch(study, &f);
  add_plots(study, of);
  return status;
}

static clp_status run(clp_study *study)
{
  clp_body *patch = NULL, *probe = NULL;
  clp_status status = clp_patch_table1(&patch);
  if (status == CLP_OK)
    status = clp_patch_probe(&probe);
  if (status == CLP_OK) {
    problem of = {.patch = patch, .probe = probe, .surface = &patch->faces[0].surface};
    status = study_all(study, &of);
  }
  clp_body_destroy(probe);
  clp_body_destroy(patch);
  return status;
}

const clp_experiment clp_experiment_attraction = {
    "attraction", CLP_PAPER_STABLE ", Fig. 7",
    "From which of 41 × 41 starts on the patch of Table I the point nearest to Q is found: by "
    "Newton's iteration, by the same with saturation at the sides, by the paper's law as it is "
    "printed, and by the law that its proof is about.",
    10, run};

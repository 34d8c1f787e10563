/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/exclusion/exclusion.h"

#include "support/amount.h"
#include "support/meeting.h"
#include "support/suite.h"

/* Against sampling: many pairs in many places, and many cycles in a row. */

/* ---- Random pairs ------------------------------------------------------------------------- */

enum { SAMPLES = 220 };

/* A place on a body's boundary with the coordinates it was sampled with. */
typedef struct sample {
  clp_feature_kind kind;
  uint32_t id;
  double x[2];
  clp_vec3 p;
} sample;

static void sample_set(const clp_body *body, sample *s)
{
  for (int k = 0; k < 2; ++k)
    s->x[k] = fmax(0, fmin(1, s->x[k]));
  s->p = clp_spot_point(body, body->info.point
                                  ? clp_spot_on_vertex(0)
                                  : clp_spot_sample(body, s->kind, s->id, s->x[0], s->x[1]));
}

static int sample_all(random_state *g, const clp_body *body, sample *samples)
{
  uint32_t features = body->info.planar ? body->edge_count : body->face_count;
  if (body->info.point)
    features = 1;
  for (int k = 0; k < SAMPLES; ++k) {
    samples[k] = (sample){.kind = body->info.planar ? CLP_EDGE : CLP_FACE,
                          .id = (uint32_t)k % features,
                          .x = {random_between(g, -0.05, 1.05), random_between(g, -0.1, 1.1)}};
    sample_set(body, &samples[k]);
  }
  return body->info.point ? 1 : SAMPLES;
}

static double apart(const meeting *m, const sample *a, const sample *b)
{
  return clp_distance(a->p, clp_transform(m->couple.X_AB, b->p));
}

/* Steps along single coordinates, longer after a gain, shorter after none. */
static double refine(const meeting *m, sample a, sample b)
{
  double best = apart(m, &a, &b), step = 0.05;
  while (step > 1e-7) {
    bool gained = false;
    for (int k = 0; k < 8; ++k) {
      sample s = a, t = b;
      double *x = k < 4 ? &s.x[k / 2] : &t.x[k / 2 - 2];
      *x += k % 2 ? step : -step;
      sample_set(m->a, &s);
      sample_set(m->b, &t);
      double distance = apart(m, &s, &t);
      if (distance < best) {
        best = distance;
        a = s;
        b = t;
        gained = true;
      }
    }
    step *= gained ? 1.2 : 0.5;
  }
  return best;
}

/* A distance that is attained, near the least one. */
static double attained(const meeting *m, const sample *a, int count_a, const sample *b, int count_b)
{
  double best = HUGE_VAL;
  int best_a = 0, best_b = 0;
  for (int i = 0; i < count_a; ++i)
    for (int j = 0; j < count_b; ++j) {
      double distance = apart(m, &a[i], &b[j]);
      if (distance < best) {
        best = distance;
        best_a = i;
        best_b = j;
      }
    }
  return refine(m, a[best_a], b[best_b]);
}

static void check_pair(random_state *g, meeting *m, const sample *samples[2], const int counts[2],
                       int times, count *c)
{
  for (int k = 0; k < times; ++k) {
    clp_pose X = random_place(g, m, random_between(g, 0.1, 1.3));
    if (k % 8 == 0)
      X.rotation = clp_pose_identity().rotation;
    place_at(m, X);
    search(m, BUDGET);
    double known = attained(m, samples[0], counts[0], samples[1], counts[1]);
    c->tests++;
    c->inside += m->result.inside;
    c->cells += m->result.cells;
    c->open += !m->result.inside && width(m) > TOLERANCE * 1.000001;
    ck_assert_double_le(m->result.lower, m->result.upper);
    ck_assert_double_le(m->jets.distance, known + 1e-9 * m->size);
    if (m->result.inside)
      continue;
    ck_assert_double_le(m->result.lower, known);
    ck_assert_double_eq_tol(m->result.upper, m->jets.distance, 1e-12 * m->size);
  }
}

SUITE("exclusion_random");

TEST_CASE("pairs", 60);

/* Every kind that needs a search against every kind. */
LOOP_TEST(test_random, 0, DENTED_PEN)
{
  random_state g = {100 + (uint64_t)_i};
  clp_body *a = dented_make((dented_kind)_i);
  sample samples[2][SAMPLES];
  int counts[2] = {sample_all(&g, a, samples[0]), 0};
  count c = {0};
  for (int kind = 0; kind < DENTED_KINDS; ++kind) {
    clp_body *b = dented_make((dented_kind)kind);
    counts[1] = sample_all(&g, b, samples[1]);
    meeting m = meeting_of(a, b);
    check_pair(&g, &m, (const sample *[]){samples[0], samples[1]}, counts, amount_of(20), &c);
    meeting_end(&m);
    clp_body_destroy(b);
  }
  ck_assert_int_le(c.open, c.tests / 300);
  ck_assert_int_le((int)(c.cells / c.tests), 1500);
  clp_body_destroy(a);
}

TEST_CASE("patches", 30);

/* Table I against its copy with z -> 30 - z, moving as one workload does. */
TEST(test_mirrored_patch)
{
  random_state g = {11};
  clp_body *a = dented_patch(1, false, false, 0), *b = dented_patch(1, false, true, 30);
  sample samples[2][SAMPLES];
  int count_a = sample_all(&g, a, samples[0]), count_b = sample_all(&g, b, samples[1]);
  meeting m = meeting_of(a, b);
  for (int k = 0; k <= 200; ++k) {
    double t = 0.01 * k * 2 * 3.14159265358979;
    clp_pose X = {.rotation = clp_rotation_from_rpy(0, 0, 0.2 * sin(t)),
                  .position = {sin(t), cos(t), 0.5 * sin(2 * t)}};
    place_at(&m, X);
    search(&m, BUDGET);
    double known = attained(&m, samples[0], count_a, samples[1], count_b);
    ck_assert_double_le(fabs(m.result.upper - known), 1e-9);
    ck_assert_double_le(m.result.lower, known);
    ck_assert_double_le(width(&m), TOLERANCE);
    ck_assert_int_le(m.result.cells, 400);
  }
  meeting_end(&m);
  clp_body_destroy(a);
  clp_body_destroy(b);
}

TEST_CASE("budgets", 60);

/* Whatever the budget: nothing that is proven is above what is attained, and more cells prove
 * more. */
LOOP_TEST(test_any_budget, 0, 4)
{
  static const dented_kind pairs[][2] = {{DENTED_PATCH, DENTED_POINT},
                                         {DENTED_PATCH, DENTED_RATIONAL},
                                         {DENTED_PEN, DENTED_BOWL},
                                         {DENTED_TORUS, DENTED_CUP}};
  random_state g = {150 + (uint64_t)_i};
  clp_body *a = dented_make(pairs[_i][0]), *b = dented_make(pairs[_i][1]);
  sample samples[2][SAMPLES];
  int count_a = sample_all(&g, a, samples[0]), count_b = sample_all(&g, b, samples[1]);
  meeting m = meeting_of(a, b);
  for (int k = 0, times = amount_of(60); k < times; ++k) {
    place_at(&m, random_place(&g, &m, random_between(&g, 0.6, 1.3)));
    double known = attained(&m, samples[0], count_a, samples[1], count_b);
    for (int i = 0; i < 6; ++i) {
      int budget = (int)pow(10, random_between(&g, 0, 3.5));
      search(&m, budget);
      ck_assert_int_le(m.result.cells, budget);
      ck_assert(m.result.inside || m.result.lower <= known);
      ck_assert_double_le(m.result.lower, m.result.upper);
    }
  }
  meeting_end(&m);
  clp_body_destroy(a);
  clp_body_destroy(b);
}

/* ---- Sides -------------------------------------------------------------------------------- */

/* How deep places of one body's boundary are in the other body, at most. */
static double deepest(random_state *g, const meeting *m, dented_kind kind_a, dented_kind kind_b)
{
  double depth = -HUGE_VAL;
  for (int k = 0; k < 1500; ++k) {
    clp_vec3 p = clp_spot_point(m->a, dented_sample(g, m->a));
    clp_vec3 q = clp_spot_point(m->b, dented_sample(g, m->b));
    depth = fmax(depth, dented_inside(kind_b, clp_transform_back(m->couple.X_AB, p)));
    depth = fmax(depth, dented_inside(kind_a, clp_transform(m->couple.X_AB, q)));
  }
  return depth;
}

TEST_CASE("overlap", 60);

/* Solids overlap where a place of one is inside the other, whether the boundaries cross or not. */
LOOP_TEST(test_overlap, 0, 11)
{
  static const dented_kind known[] = {DENTED_BOWL,   DENTED_TORUS, DENTED_WASHER, DENTED_SPOOL,
                                      DENTED_FUNNEL, DENTED_ELL,   DENTED_STAR,   DENTED_PEN,
                                      DENTED_SPHERE, DENTED_BOX,   DENTED_CAPSULE};
  random_state g = {200 + (uint64_t)_i};
  dented_kind kind_a = known[_i];
  clp_body *a = dented_make(kind_a);
  for (size_t k = 0; k < sizeof known / sizeof *known; ++k) {
    clp_body *b = dented_make(known[k]);
    meeting m = meeting_of(a, b);
    for (int i = 0, times = amount_of(6); i < times; ++i) {
      place_at(&m, random_place(&g, &m, random_between(&g, 0, 0.8)));
      search(&m, BUDGET);
      double depth = deepest(&g, &m, kind_a, known[k]);
      ck_assert_msg(m.result.inside || depth < 1e-9, "%g deep and not inside", depth);
      ck_assert_msg(!m.result.inside || depth > -0.15, "inside and %g apart", -depth);
      ck_assert(m.result.inside ? m.result.upper <= 0 : m.result.upper > 0);
    }
    meeting_end(&m);
    clp_body_destroy(b);
  }
  clp_body_destroy(a);
}

/* ---- Planar bodies ------------------------------------------------------------------------ */

/* A bean: an arch above, two bays and a bump below. */
static clp_body *bean(void)
{
  static const double arch[] = {2, 0, 1, 2, 2, 1, -2, 2, 1, -2, 0, 1};
  static const double left[] = {-2, 0, 1, -1, -1.2, 1, -1, 0.9, 2, 0, 0.9, 1};
  static const double right[] = {0, 0.9, 1, 1, 0.9, 1, 1, -1.2, 1, 2, 0, 1};
  const clp_curve_def curves[] = {{.name = "A", .degree = 3, .size = 4, .control_points = arch},
                                  {.name = "B", .degree = 3, .size = 4, .control_points = left},
                                  {.name = "C", .degree = 3, .size = 4, .control_points = right}};
  clp_body_def def = clp_default_body_def(CLP_SHAPE_CURVES);
  def.convex = false;
  def.curves = curves;
  def.curve_count = 3;
  return must_create(&def);
}

/* The boundary as a polygon, and whether it holds a point (even-odd rule). */
enum { CORNERS = 900 };

static void outline(const clp_body *body, clp_vec3 corners[CORNERS])
{
  uint32_t edge = 0;
  int each = CORNERS / (int)body->edge_count;
  for (int k = 0; k < CORNERS; ++k) {
    corners[k] = clp_curve_point(&body->edges[edge].curve,
                                 clp_edge_fraction(&body->edges[edge], (double)(k % each) / each));
    for (uint32_t next = 0; k % each == each - 1 && next < body->edge_count; ++next)
      if (body->edges[next].vertex[0] == body->edges[edge].vertex[1]) {
        edge = next;
        break;
      }
  }
}

static bool holds(const clp_vec3 corners[CORNERS], clp_vec3 p)
{
  bool inside = false;
  for (int k = 0; k < CORNERS; ++k) {
    clp_vec3 a = corners[k], b = corners[(k + 1) % CORNERS];
    if ((a.y > p.y) != (b.y > p.y) && p.x < a.x + (p.y - a.y) / (b.y - a.y) * (b.x - a.x))
      inside = !inside;
  }
  return inside;
}

TEST_CASE("planar", 30);

TEST(test_planar)
{
  random_state g = {12};
  clp_body *body = bean();
  static clp_vec3 corners[CORNERS];
  outline(body, corners);
  meeting m = meeting_of(body, body);
  int overlaps = 0;
  for (int k = 0; k < 300; ++k) {
    clp_pose X = {
        .rotation = clp_rotation_from_rpy(k % 2 * 3.14159265358979, 0, random_between(&g, -3, 3)),
        .position = {random_between(&g, -4, 4), random_between(&g, -4, 4), 0}};
    double least = HUGE_VAL;
    bool overlap = false;
    place_at(&m, X);
    search(&m, BUDGET);
    for (int i = 0; i < CORNERS; ++i) {
      overlap |= holds(corners, clp_transform(m.couple.X_AB, corners[i]));
      overlap |= holds(corners, clp_transform_back(m.couple.X_AB, corners[i]));
      for (int j = 0; j < CORNERS; j += 3)
        least = fmin(least, clp_distance(corners[i], clp_transform(m.couple.X_AB, corners[j])));
    }
    ck_assert_double_le(m.result.lower, least);
    ck_assert_double_le(m.jets.distance, least + 1e-12);
    ck_assert_double_le(least, m.jets.distance + 0.02);
    ck_assert(m.result.inside == overlap || m.jets.distance < 1e-4);
    ck_assert(m.result.inside || width(&m) <= TOLERANCE * 1.000001);
    overlaps += overlap;
  }
  ck_assert_int_gt(overlaps, 50);
  meeting_end(&m);
  clp_body_destroy(body);
}

/* ---- From cycle to cycle ------------------------------------------------------------------ */

typedef struct walk {
  clp_vec3 position, velocity, angles, turn;
} walk;

static clp_pose walk_on(random_state *g, walk *w, const meeting *m, double step)
{
  w->velocity = clp_add_scaled(clp_scale(0.98, w->velocity), 0.1, random_direction(g));
  w->turn = clp_add_scaled(clp_scale(0.98, w->turn), 0.1, random_direction(g));
  w->position = clp_add_scaled(w->position, step * m->size, w->velocity);
  w->angles = clp_add_scaled(w->angles, step, w->turn);
  double reach = 1.2 * (m->a->radius + m->b->radius);
  if (clp_norm(w->position) > reach)
    w->position = clp_scale(0.99, w->position);
  clp_pose X = {.rotation = clp_rotation_from_rpy(w->angles.x, w->angles.y, w->angles.z)};
  X.position = clp_sub(clp_add(m->a->center, w->position), clp_rotate(X.rotation, m->b->center));
  return X;
}

/* What a tracker that went wrong might hand over. */
static void sabotage(random_state *g, meeting *m, int how)
{
  m->spots = (clp_spots){dented_sample(g, m->a), dented_sample(g, m->b)};
  if (how % 2)
    m->spots.a.site.c[0] = nan("");
}

/* After every cycle the truth, which a search from scratch finds, lies in the interval. */
static void check_walk(random_state *g, meeting *m, meeting *fresh, double step, int cycles,
                       int budget, count *c)
{
  walk w = {.position = {0.9 * (m->a->radius + m->b->radius), 0, 0}};
  for (int k = 0; k < cycles; ++k) {
    place_at(m, walk_on(g, &w, m, step));
    if (k % 17 == 16)
      sabotage(g, m, k);
    else if (k > 0)
      clp_descend(&m->couple, &m->spots, 8, 1e-12, NULL);
    refresh(m, k == 0 ? BUDGET : budget);
    fresh->couple = m->couple;
    search(fresh, BUDGET);
    c->tests++;
    c->cells += k > 0 ? m->result.cells : 0;
    c->open += !m->result.inside && width(m) > TOLERANCE * 1.000001;
    ck_assert_int_le(m->result.cells, k == 0 ? BUDGET : budget);
    ck_assert_double_le(m->result.lower, fresh->result.upper + 1e-12 * m->size);
    ck_assert(fresh->result.inside == m->result.inside || m->result.lower < 0);
    if (!fresh->result.inside && !m->result.inside)
      ck_assert_double_ge(m->result.upper, fresh->result.lower);
    if (width(m) <= TOLERANCE && !m->result.inside)
      ck_assert_double_eq_tol(m->result.upper, fresh->result.upper, 1e-9 * m->size);
  }
}

TEST_CASE("cycles", 60);

LOOP_TEST(test_walk, 0, 8)
{
  static const dented_kind pairs[][2] = {
      {DENTED_PEN, DENTED_BOWL},      {DENTED_PATCH, DENTED_RATIONAL}, {DENTED_PATCH, DENTED_POINT},
      {DENTED_TORUS, DENTED_SPHERE},  {DENTED_ELL, DENTED_ELL},        {DENTED_STAR, DENTED_BOX},
      {DENTED_TORUS, DENTED_CAPSULE}, {DENTED_FUNNEL, DENTED_SPOOL}};
  random_state g = {300 + (uint64_t)_i};
  clp_body *a = dented_make(pairs[_i][0]), *b = dented_make(pairs[_i][1]);
  meeting m = meeting_of(a, b), fresh = meeting_of(a, b);
  count slow = {0}, fast = {0}, starved = {0};
  check_walk(&g, &m, &fresh, 1e-4, amount_of(300), 400, &slow);
  check_walk(&g, &m, &fresh, 3e-3, amount_of(100), 400, &fast);
  check_walk(&g, &m, &fresh, 1e-3, amount_of(100), 3, &starved);
  ck_assert_int_le(slow.open, 3);
  ck_assert_int_le((int)(slow.cells / slow.tests), 100);
  meeting_end(&m);
  meeting_end(&fresh);
  clp_body_destroy(a);
  clp_body_destroy(b);
}

/* At rest nothing has to be looked at again, and nothing moves. */
TEST(test_rest)
{
  clp_body *a = dented_make(DENTED_PATCH), *b = dented_make(DENTED_TORUS);
  meeting m = meeting_of(a, b);
  clp_pose X = {.rotation = clp_rotation_from_rpy(0.4, 0.3, 0.2), .position = {3, 2, 6}};
  place_at(&m, X);
  search(&m, BUDGET);
  clp_exclusion_result before = m.result;
  clp_spots spots = m.spots;
  for (int k = 0; k < 100; ++k) {
    refresh(&m, 100);
    ck_assert_int_eq(m.result.cells, 0);
    ck_assert_double_eq(m.result.upper, before.upper);
    ck_assert_double_eq(m.result.lower, before.lower);
    ck_assert_double_eq_tol(m.spots.a.site.c[0], spots.a.site.c[0], 1e-12);
    ck_assert_double_eq_tol(m.spots.b.site.c[2], spots.b.site.c[2], 1e-12);
  }
  meeting_end(&m);
  clp_body_destroy(a);
  clp_body_destroy(b);
}

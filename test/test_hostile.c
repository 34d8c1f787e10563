/* SPDX-License-Identifier: Apache-2.0 */
/* Definitions with numbers that nobody has in mind: next to zero, next to the largest, next to each
 * other. They are refused in words of their own numbers, or become bodies whose figures are
 * numbers. */

#include <string.h>

#include "judge/shape.h"
#include "support/amount.h"
#include "support/suite.h"

/* ---- What is said ------------------------------------------------------------------------- */

/* A word of its own. */
static bool has_word(const char *text, const char *word)
{
  size_t length = strlen(word);
  for (const char *at = text; (at = strstr(at, word)) != NULL; ++at) {
    bool begins = at == text || !strchr("abcdefghijklmnopqrstuvwxyz_", at[-1]);
    bool ends = !at[length] || !strchr("abcdefghijklmnopqrstuvwxyz_", at[length]);
    if (begins && ends)
      return true;
  }
  return false;
}

/* What is given is finite, so that nothing else is found. */
static void expect_numbers(void *user, const clp_finding *finding)
{
  const char *name = user;
  ck_assert_msg(!has_word(finding->text, "nan") && !has_word(finding->text, "inf"), "%s: %s", name,
                finding->text);
}

/* Whether it is one. */
static bool try_to_make(const char *name, const clp_body_def *def)
{
  clp_body *body = NULL;
  char words[32];
  snprintf(words, sizeof words, "%s", name);
  bool made = clp_body_create(def, (clp_reporter){expect_numbers, words}, &body) == CLP_OK;
  ck_assert(made == (body != NULL));
  if (made) {
    clp_body_info info = clp_body_describe(body);
    clp_vec3 low = info.bounds.min, high = info.bounds.max;
    double all =
        info.volume + info.area + info.slack + low.x + low.y + low.z + high.x + high.y + high.z;
    ck_assert_msg(isfinite(all) && info.slack >= 0 && (!def->convex || info.area >= 0),
                  "%s: volume %g, area %g", name, info.volume, info.area);
  }
  clp_body_destroy(body);
  return made;
}

/* ---- What is given ------------------------------------------------------------------------ */

enum { NUMBERS = 700 };

typedef struct numbers {
  double *at[NUMBERS];
  int count;
} numbers;

static void add(numbers *n, double *first, int count)
{
  for (int k = 0; k < count; ++k)
    n->at[n->count++] = first + k;
}

static double any(random_state *g)
{
  static const double values[] = {0,     5e-324, 1e-308, 1e-200, 1e-160, 1e-100, 1e-50, 1e-30,
                                  1e-20, 1e-17,  1e-15,  1e-12,  1e-9,   1e-6,   1e-3,  1,
                                  1e3,   1e6,    1e9,    1e12,   1e17,   1e30,   1e50,  1e100,
                                  1e150, 1e155,  1e200,  1e300,  1.7e308};
  return values[random_bits(g) % (sizeof values / sizeof *values)];
}

static double hostile(double before, random_state *g)
{
  double value = any(g);
  switch (random_bits(g) % 6) {
    case 0:
      value *= before;
      break;
    case 1:
      value = -value;
      break;
    case 2:
      value = before * (1 + 1e-15 * (double)(random_bits(g) % 1000));
      break;
    case 3:
      value = -before;
      break;
    default:
      break;
  }
  return isfinite(value) ? value : before;
}

/* A few of them, or one factor for all. */
static void spoil(numbers *n, random_state *g)
{
  if (random_bits(g) % 5 == 0) {
    double factor = any(g);
    for (int k = 0; k < n->count; ++k)
      *n->at[k] = isfinite(factor * *n->at[k]) ? factor * *n->at[k] : *n->at[k];
  }
  for (uint64_t k = random_bits(g) % 4; k > 0; --k) {
    double *number = n->at[random_bits(g) % (uint64_t)n->count];
    *number = hostile(*number, g);
  }
}

static void spoil_promises(clp_body_def *def, random_state *g)
{
  def->convex = random_bits(g) % 8 != 0;
  def->closed = random_bits(g) % 8 != 0;
  def->proof = random_bits(g) % 8 ? CLP_PROOF_REQUIRED : CLP_PROOF_SAMPLED;
  if (random_bits(g) % 5 == 0)
    def->padding = hostile(0.1, g);
}

/* ---- Shapes of all kinds ------------------------------------------------------------------ */

static void add_profile(numbers *n, shape *s)
{
  add(n, &s->def.revolved.start_r, 1);
  add(n, &s->def.revolved.start_z, 1);
  for (int k = 0; k < s->def.revolved.piece_count; ++k) {
    clp_profile_piece *p = &s->profile[k];
    double *const all[] = {&p->r,     &p->z,          &p->center_r,   &p->center_z, &p->apex_z,
                           &p->focal, &p->shoulder_r, &p->shoulder_z, &p->weight};
    for (size_t i = 0; i < sizeof all / sizeof *all; ++i)
      add(n, all[i], 1);
  }
}

static numbers numbers_of(shape *s)
{
  numbers n = {.count = 0};
  if (s->def.shape == CLP_SHAPE_REVOLVED)
    add_profile(&n, s);
  else if (s->def.shape == CLP_SHAPE_POLYHEDRON)
    add(&n, s->vertices, 3 * s->point_count);
  else if (s->def.shape == CLP_SHAPE_PATCHES)
    add(&n, s->nets[0], SPHERE_NET_FACES * 100);
  else {
    double *const all[] = {&s->def.size.x, &s->def.size.y, &s->def.size.z, &s->def.radius,
                           &s->def.length};
    for (size_t k = 0; k < sizeof all / sizeof *all; ++k)
      add(&n, all[k], 1);
  }
  return n;
}

SUITE("hostile");

TEST_CASE("numbers", 60);

LOOP_TEST(test_shapes, 0, SHAPE_KINDS)
{
  static shape s;
  random_state g = {.s = (uint64_t)_i + 1};
  int made = 0, rounds = amount_of(_i == SHAPE_NET ? 30 : 200);
  for (int k = 0; k < rounds; ++k) {
    shape_make(&s, (shape_kind)_i, 1, &g);
    numbers n = numbers_of(&s);
    spoil(&n, &g);
    spoil_promises(&s.def, &g);
    made += try_to_make(shape_names[_i], &s.def);
  }
  ck_assert_int_lt(made, rounds);
  ck_assert(made > 0 || amount_quick());
}

/* ---- Splines with knots -------------------------------------------------------------------- */

enum { DEGREE = 3, POINTS = 7, KNOTS = POINTS + DEGREE + 1 };

static const double even[KNOTS] = {0, 0, 0, 0, 1, 2, 3, 4, 4, 4, 4};

/* A bowl over a square. */
TEST(test_patches)
{
  random_state g = {.s = 21};
  for (int k = 0, rounds = amount_of(200); k < rounds; ++k) {
    double u[KNOTS], v[KNOTS], points[4 * POINTS * POINTS];
    memcpy(u, even, sizeof u);
    memcpy(v, even, sizeof v);
    for (int i = 0; i < POINTS * POINTS; ++i) {
      double x = i / POINTS - 3, y = i % POINTS - 3;
      const double point[4] = {x, y, 0.1 * (x * x + y * y), 1};
      memcpy(points + 4 * i, point, sizeof point);
    }
    numbers n = {.count = 0};
    add(&n, u, KNOTS);
    add(&n, v, KNOTS);
    add(&n, points, 4 * POINTS * POINTS);
    spoil(&n, &g);
    clp_patch_def patch = {"bowl", DEGREE, DEGREE, POINTS, POINTS, u, v, points, k % 2 == 0};
    clp_body_def def = clp_default_body_def(CLP_SHAPE_PATCHES);
    def.patches = &patch;
    def.patch_count = 1;
    spoil_promises(&def, &g);
    def.closed = random_bits(&g) % 2;
    try_to_make("patch", &def);
  }
}

/* Half a round, and the way back. */
TEST(test_curves)
{
  random_state g = {.s = 22};
  int made = 0, rounds = amount_of(400);
  for (int k = 0; k < rounds; ++k) {
    double knots[KNOTS], arc[3 * POINTS], line[6];
    memcpy(knots, even, sizeof knots);
    for (int i = 0; i < POINTS; ++i) {
      const double x[POINTS] = {1, 1, 0.7, 0, -0.7, -1, -1}, y[POINTS] = {0, 0.3, 0.8, 1, 0.8, 0.3};
      const double point[3] = {x[i], y[i], 1};
      memcpy(arc + 3 * i, point, sizeof point);
    }
    const double chord[6] = {-1, 0, 1, 1, 0, 1};
    memcpy(line, chord, sizeof line);
    numbers n = {.count = 0};
    add(&n, knots, KNOTS);
    add(&n, arc, 3 * POINTS);
    add(&n, line, 6);
    spoil(&n, &g);
    const clp_curve_def curves[2] = {{"arc", DEGREE, POINTS, knots, arc},
                                     {"line", 1, 2, NULL, line}};
    clp_body_def def = clp_default_body_def(CLP_SHAPE_CURVES);
    def.curves = curves;
    def.curve_count = 2;
    spoil_promises(&def, &g);
    made += try_to_make("curves", &def);
  }
  ck_assert_int_gt(made, 0);
}

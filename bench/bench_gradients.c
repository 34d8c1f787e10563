/* SPDX-License-Identifier: Apache-2.0 */
/* What follows from other libraries' witnesses: the distance's gradient by both bodies' twists, and
 * the normal's derivative, which none of them gives, by differences of their normals. Beside it are
 * the exact ones, which the tests hold against certified distances; ours is a row, too: its
 * gradient of tracked answers, and what differences of its normals are worth.
 *
 *   bench_gradients [POSES]     of all pairs of shapes together, 10,000 unless told; the table of
 *                               docs/derivatives.md */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench/method.h"
#include "bench/random.h"
#include "bench/shapes.h"
#include "rclc_closest_point/derivative.h"
#include "rclc_closest_point/math/pose.h"

/* Each sample is three poses: at an instant, and this long before and after it (s), at speeds of
 * about one. It is what a controller at 1 kHz has. */
static const double instant = 1e-3;

enum { SHAPES_USED = SHAPE_CONE + 1, METHODS = 24, EACH = 3 };

typedef struct sample {
  clp_gradient gradient;
  clp_vec3 normal_rate;
} sample;

typedef struct errors {
  const char *name, *representation;
  double tolerance;
  double *gradient, *normal; /* relative */
  int count, none;
} errors;

/* ---- Samples -------------------------------------------------------------------------------- */

static clp_pose moved(const clp_pose *X, const clp_twist *V, double t)
{
  double w = clp_norm(V->angular);
  return (clp_pose){
      clp_mat3_multiply(clp_rotation_about(clp_scale(1 / w, V->angular), w * t), X->rotation),
      clp_add_scaled(X->position, t, V->linear)};
}

/* From a centimeter to a meter apart, with one derivative. False where there is none. */
static bool take(clp_pair *pair, uint64_t *s, clp_pose *poses, sample *to)
{
  const clp_pose rest = clp_pose_identity();
  const clp_twist still = {{0, 0, 0}, {0, 0, 0}}, V = {random_direction(s), random_direction(s)};
  clp_pose X = {clp_rotation_about(random_direction(s), random_between(s, 0, 3)),
                clp_scale(3, random_direction(s))};
  double gap = pow(10, random_between(s, -2, 0));
  clp_answer answer = clp_pair_query(pair, &rest, &X);
  for (int k = 0; k < 3; ++k) {
    X.position = clp_add_scaled(X.position, gap - answer.distance, answer.normal);
    answer = clp_pair_query(pair, &rest, &X);
  }
  clp_derivative d;
  if (answer.status != CLP_TRACKING || clp_pair_derivatives(pair, &answer, &rest, &X, &d, 1) != 1)
    return false;
  poses[0] = moved(&X, &V, -instant);
  poses[1] = X;
  poses[2] = moved(&X, &V, instant);
  to->gradient = clp_answer_gradient(&answer, &rest, &X);
  to->normal_rate = clp_derivative_rates(&d, &still, &V).normal;
  return true;
}

/* ---- Errors --------------------------------------------------------------------------------- */

static double length2(const clp_gradient *g)
{
  return clp_norm2(g->a.linear) + clp_norm2(g->a.angular) + clp_norm2(g->b.linear) +
         clp_norm2(g->b.angular);
}

static double error_of(const clp_gradient *g, const clp_gradient *exact)
{
  clp_gradient off = {
      {clp_sub(g->a.linear, exact->a.linear), clp_sub(g->a.angular, exact->a.angular)},
      {clp_sub(g->b.linear, exact->b.linear), clp_sub(g->b.angular, exact->b.angular)}};
  return sqrt(length2(&off) / length2(exact));
}

/* The normal that two witnesses tell; false where the library gives none. */
static bool normal_of(const method *m, int k, peer_witnesses *w, clp_vec3 *n)
{
  double distance = method_distance(m, k);
  *w = method_witnesses(m);
  clp_vec3 d = clp_sub(w->b, w->a);
  *n = clp_unit(d);
  return distance > 0 && clp_norm2(d) > 0;
}

static void judge(const method *m, const clp_pose *poses, const sample *s, int k, errors *e)
{
  peer_witnesses before, at, after;
  clp_vec3 n[EACH];
  if (!normal_of(m, EACH * k, &before, &n[0]) || !normal_of(m, EACH * k + 1, &at, &n[1]) ||
      !normal_of(m, EACH * k + 2, &after, &n[2])) {
    ++e->none;
    return;
  }
  const clp_pose rest = clp_pose_identity();
  clp_answer answer = {.point_a = at.a, .point_b = at.b, .normal = n[1]};
  clp_gradient g = clp_answer_gradient(&answer, &rest, &poses[EACH * k + 1]);
  clp_vec3 rate = clp_scale(0.5 / instant, clp_sub(n[2], n[0]));
  e->gradient[e->count] = error_of(&g, &s->gradient);
  e->normal[e->count++] = clp_distance(rate, s->normal_rate) / fmax(1, clp_norm(s->normal_rate));
}

/* ---- All pairs ------------------------------------------------------------------------------ */

static errors *errors_of(errors *all, int *count, const method *m, int room)
{
  for (int k = 0; k < *count; ++k)
    if (all[k].name == m->name && all[k].representation == m->representation)
      return &all[k];
  errors *e = &all[(*count)++];
  *e = (errors){m->name, m->representation, m->tolerance, NULL, NULL, 0, 0};
  e->gradient = calloc((size_t)room, sizeof *e->gradient);
  e->normal = calloc((size_t)room, sizeof *e->normal);
  if (!e->gradient || !e->normal)
    exit(EXIT_FAILURE);
  return e;
}

static void run_pair(const shape *a, const shape *b, int each, int room, uint64_t *seed,
                     errors *all, int *count)
{
  clp_pair *pair = NULL;
  clp_pose *poses = calloc((size_t)(EACH * each), sizeof *poses);
  clp_twist *twists = calloc((size_t)(EACH * each), sizeof *twists);
  sample *samples = calloc((size_t)each, sizeof *samples);
  if (!poses || !twists || !samples || clp_pair_create(a->body, b->body, NULL, &pair) != CLP_OK)
    exit(EXIT_FAILURE);
  for (int k = 0; k < each;)
    k += take(pair, seed, &poses[EACH * k], &samples[k]);
  course c = {EACH * each, poses, {twists, twists}, 1};
  method methods[METHODS];
  if (!method_ours(a->body, b->body, &c, 0, false, &methods[0]))
    exit(EXIT_FAILURE);
  int found = 1 + method_peers(&a->def, &b->def, &c, methods + 1, METHODS - 1);
  for (int i = 0; i < found; ++i) {
    errors *e = errors_of(all, count, &methods[i], room);
    for (int k = 0; k < each; ++k)
      judge(&methods[i], poses, &samples[k], k, e);
    method_destroy(&methods[i]);
  }
  clp_pair_destroy(pair);
  free(poses);
  free(twists);
  free(samples);
}

static int compare(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
  static errors all[METHODS * 4];
  shape shapes[SHAPES];
  uint64_t seed = 1;
  enum { KINDS = SHAPES_USED * (SHAPES_USED + 1) / 2 };
  int poses = argc > 1 ? atoi(argv[1]) : 10000, count = 0, each = (poses + KINDS - 1) / KINDS;
  shapes_create(shapes);
  for (int a = 0; a < SHAPES_USED; ++a)
    for (int b = a; b < SHAPES_USED; ++b)
      run_pair(&shapes[a], &shapes[b], each, each * KINDS, &seed, all, &count);
  printf(
      "| | | poses, none | gradient, median | worst | the normal's derivative, median | worst |\n"
      "|---|---|---|---|---|---|---|\n");
  for (int k = 0; k < count; ++k) {
    errors *e = &all[k];
    qsort(e->gradient, (size_t)e->count, sizeof *e->gradient, compare);
    qsort(e->normal, (size_t)e->count, sizeof *e->normal, compare);
    if (e->count > 0)
      printf("| %s | %s | %d, %d | %.0e | %.0e | %.0e | %.0e |\n", e->name, e->representation,
             e->count + e->none, e->none, e->gradient[e->count / 2], e->gradient[e->count - 1],
             e->normal[e->count / 2], e->normal[e->count - 1]);
    free(e->gradient);
    free(e->normal);
  }
  shapes_destroy(shapes);
  return EXIT_SUCCESS;
}

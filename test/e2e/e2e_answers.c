/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* kill, setenv, clock_gettime */

#include "e2e/e2e.h"
#include "support/random.h"
#include "support/results.h"

/* The monitor's answers are those that `closest_point query` gives for the same poses, from scratch
 * and one by one. Some links are static, the others are published all the time, at rest or moving;
 * the poses that the reference gets are computed from the courses at the answer's own stamp.
 *
 * At rest both have the same poses, up to the rounding of a pose's way through tf2, and distances
 * agree to REST_TOLERANCE. A link that goes on at one twist is predicted from its last two poses to
 * where it is indeed, but for rounding (1e-16 m and what 1e-3 s magnify of it); here the difference
 * is what tracking promises, the width of an interval that counts as TRACKING: 1e-9 of the size of
 * the bodies, which is below 4 m, and 1e-6 of it where one is not convex. */

#define REST_TOLERANCE 1e-12
#define TRACKING_TOLERANCE 4e-9
#define TRACKING_TOLERANCE_NOT_CONVEX 4e-6

enum { LINKS = 9, PAIRS = LINKS * (LINKS - 1) / 2, SETS = 8, ANSWERS = 100 };

static const char *const links[LINKS] = {"box",   "sphere",     "ellipsoid", "cylinder", "capsule",
                                         "point", "polyhedron", "revolved",  "two_parts"};
static const char fixed_links[] = "box cylinder revolved";

/* All that is compared of an answer. */
typedef struct heard {
  int64_t stamp;
  char a[PAIRS][32], b[PAIRS][32];
  uint8_t status[PAIRS];
  bool non_unique[PAIRS];
  double distance[PAIRS], lower[PAIRS];
  clp_vec3 point_a[PAIRS];
} heard;

static heard answers[ANSWERS];
static course courses[LINKS];

static bool is_fixed(int link)
{
  return strstr(fixed_links, links[link]) != NULL;
}

static void choose_courses(random_state *g, double speed)
{
  for (int k = 0; k < LINKS; ++k) {
    course *c = &courses[k];
    *c = (course){.parent = "world"};
    snprintf(c->child, sizeof c->child, "%s", links[k]);
    c->begin.position = clp_scale(random_between(g, 0, 6), random_direction(g));
    c->begin.turn = clp_quaternion_turned((clp_quaternion){0, 0, 0, 1},
                                          clp_scale(random_between(g, 0, 3), random_direction(g)));
    if (is_fixed(k))
      continue;
    c->linear = clp_scale(speed, random_direction(g));
    c->angular = clp_scale(speed, random_direction(g));
  }
}

static int64_t publish_courses(source *s, double rate)
{
  for (int k = 0; k < LINKS; ++k)
    course_write(&courses[k], is_fixed(k) ? "fix" : "move", s->to);
  return go(s, rate);
}

static void remember(heard *h, const points_message *m)
{
  h->stamp = stamp_of(m);
  ck_assert_uint_eq(m->pairs._length, PAIRS);
  for (int k = 0; k < PAIRS; ++k) {
    const point_message *p = &m->pairs._buffer[k];
    snprintf(h->a[k], sizeof h->a[k], "%s", p->body_a);
    snprintf(h->b[k], sizeof h->b[k], "%s", p->body_b);
    h->status[k] = p->status;
    h->non_unique[k] = p->non_unique;
    h->distance[k] = p->distance;
    h->lower[k] = p->lower_bound;
    h->point_a[k] = (clp_vec3){p->point_a.x, p->point_a.y, p->point_a.z};
  }
}

/* Where everything was at the answers' stamps. */
static result_table ask_query(int64_t begin, int count)
{
  FILE *file = fopen("poses.csv", "w");
  ck_assert_ptr_nonnull(file);
  fputs(POSES_HEADER, file);
  for (int n = 0; n < count; ++n)
    for (int k = 0; k < LINKS; ++k) {
      double t = 1e-9 * (double)(answers[n].stamp - begin);
      place p = course_at(&courses[k], t);
      fprintf(file, "%.17g,%s,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g\n", t, links[k],
              p.position.x, p.position.y, p.position.z, p.turn.x, p.turn.y, p.turn.z, p.turn.w);
    }
  fclose(file);
  return results_of("query " DATA "/e2e_shapes.urdf poses.csv --out out");
}

static const result_row *find_row(const result_row *rows, const char *a, const char *b)
{
  for (int k = 0; k < PAIRS; ++k)
    if (strcmp(rows[k].link_a, a) == 0 && strcmp(rows[k].link_b, b) == 0)
      return &rows[k];
  ck_abort_msg("query knows no pair %s, %s", a, b);
}

static double tolerance_of(const heard *h, int pair, bool rest)
{
  if (rest)
    return REST_TOLERANCE;
  bool bowl = strcmp(h->a[pair], "revolved") == 0 || strcmp(h->b[pair], "revolved") == 0;
  return bowl ? TRACKING_TOLERANCE_NOT_CONVEX : TRACKING_TOLERANCE;
}

typedef struct tally {
  long settled, all;
  double worst;
} tally;

/* A pair that is not settled promises less: its distance is one of two points of the bodies, hence
 * not below the smallest, and its lower bound holds. */
static bool is_settled(uint8_t status)
{
  return status == 0 || status == 2;
}

/* Compares an answer with a stamp of the query. */
static void compare(const heard *h, const result_row *rows, bool rest, tally *t)
{
  for (int k = 0; k < PAIRS; ++k, ++t->all) {
    const result_row *row = find_row(rows, h->a[k], h->b[k]);
    double off = h->distance[k] - row->distance, tolerance = tolerance_of(h, k, rest);
    bool settled = is_settled(h->status[k]);
    ck_assert_msg(off >= -tolerance && (off <= tolerance || !settled),
                  "%s and %s: %.17g, expected %.17g (%.3g off, status %d)", h->a[k], h->b[k],
                  h->distance[k], row->distance, off, h->status[k]);
    ck_assert_msg(h->lower[k] <= row->distance, "%s and %s: lower bound %.17g above %.17g", h->a[k],
                  h->b[k], h->lower[k], row->distance);
    if (!settled)
      continue;
    ck_assert_msg((h->status[k] == 2) == (strcmp(row->status, "PENETRATING") == 0),
                  "%s and %s: status %d, expected %s", h->a[k], h->b[k], h->status[k], row->status);
    ++t->settled;
    t->worst = fmax(t->worst, fabs(off));
  }
}

static bool all_settled(const points_message *m)
{
  for (int k = 0; k < PAIRS; ++k)
    if (!is_settled(m->pairs._buffer[k].status))
      return false;
  return true;
}

/* Every moving link has been measured as late as `stamp`. */
static bool has_news_of(const points_message *m, int64_t stamp)
{
  double oldest = 0;
  for (int k = 0; k < PAIRS; ++k)
    oldest = fmax(oldest, m->pairs._buffer[k].age);
  return stamp_of(m) - (int64_t)(1e9 * oldest) >= stamp;
}

/* Hears so many answers from poses measured after `stamp`; at rest all pairs will be settled. */
static void remember_answers(ear *e, int64_t stamp, int count, bool rest)
{
  int kept = 0;
  for (int64_t begin = now(); kept < count;) {
    wait_for(e, is_any, "any");
    if (e->last->tracked == PAIRS && has_news_of(e->last, stamp) && (!rest || all_settled(e->last)))
      remember(&answers[kept++], e->last);
    ck_assert_msg(now() - begin < PATIENCE, "%d answers to compare of %ld", kept, e->heard);
  }
}

#define ARGUMENTS \
  "-p model:=" DATA "/e2e_shapes.urdf -p rate:=500.0 -p max_speed:=30.0 -p stale_after:=2.0"

/* The twist that the jump to a new set has left behind dies away as exp(-t / 5 ms). */
#define SETTLING (300 * MILLISECOND)

SUITE("e2e_answers");

FIXTURE_CASE("answers", 60, enter_world, leave_world);

TEST(at_rest)
{
  enum { IN_A_SET = 5 };
  random_state g = {71};
  tally t = {0};
  ear e = listen_to(NODE);
  source s = start_source();
  pid_t monitor = start_monitor(ARGUMENTS);
  for (int set = 0; set < SETS; ++set) {
    choose_courses(&g, 0);
    int64_t begin = publish_courses(&s, 500);
    remember_answers(&e, begin + SETTLING, IN_A_SET, true);
    result_table table = ask_query(begin, IN_A_SET);
    ck_assert_int_eq(table.count, IN_A_SET * PAIRS);
    for (int n = 0; n < IN_A_SET; ++n)
      compare(&answers[n], &table.rows[n * PAIRS], true, &t);
    free(table.rows);
  }
  ck_assert_int_eq(t.settled, t.all);
  printf("at rest: %ld distances of %d sets of poses, at most %.2g m off\n", t.all, SETS, t.worst);
  end_monitor(monitor);
  end_source(&s);
}

TEST(moving)
{
  random_state g = {72};
  tally t = {0};
  ear e = listen_to(NODE);
  source s = start_source();
  pid_t monitor = start_monitor(ARGUMENTS);
  choose_courses(&g, 0.5);
  int64_t begin = publish_courses(&s, 200);
  remember_answers(&e, begin + SETTLING, ANSWERS, false);
  result_table table = ask_query(begin, ANSWERS);
  ck_assert_int_eq(table.count, ANSWERS * PAIRS);
  for (int n = 0; n < ANSWERS; ++n)
    compare(&answers[n], &table.rows[n * PAIRS], false, &t);
  ck_assert_int_gt(t.settled, t.all / 2);
  printf("moving: %ld of %ld distances settled, those at most %.2g m off\n", t.settled, t.all,
         t.worst);
  free(table.rows);
  end_monitor(monitor);
  end_source(&s);
}

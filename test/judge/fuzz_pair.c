/* SPDX-License-Identifier: Apache-2.0 */
/* Random pairs of convex bodies, queried and tracked in both orders, every answer judged.
 *
 *   fuzz_pair [--seconds N] [--cases N] [--seed S] [--case K] [--show N] [--known N]
 *             [--effort N]
 *
 * --case runs that one alone and tells all of it. Exit status: 1 when there are complaints of more
 * cases than are known to fail. --effort is that of a cycle (clp_pair_options): the less, the more
 * of them are interrupted. */

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "judge/course.h"
#include "judge/judge.h"

enum { PLACES = 4, CYCLES = 24, JUMPS = 2, MOST_REST = 200 };

static const double step = 1e-3;

/* What moves by less in a cycle, of the size, does not jump. */
#define SMOOTH 1e-2L

typedef struct options {
  double seconds;
  long cases, only; /* only: -1: all */
  uint64_t seed;
  long open;  /* how many jumps that never settle are told of */
  int effort; /* of a cycle; 0: the default */
  int show;   /* how many failing cases are told of */
  long known; /* how many may fail */
} options;

typedef struct tally {
  long cases, refused, answers, failing_cases, failing_answers;
  long by_kind[SHAPE_KINDS], failing_kind[SHAPE_KINDS];
  long by_status[5], by_complaint[COMPLAINTS];
  real worst[COMPLAINTS]; /* of the size */
  long moved, on_the_way; /* answers of what has moved by less than a hundredth of the size in all
                             cycles so far; CONVERGING of these */
  long open[2];           /* CONVERGING although a millionth of the size apart, or overlapping */
  long wide;              /* the judge's bracket is wider than the certificates it judges */
  long confused, not_smallest, lost;
  long jumps, rest, longest_rest; /* cycles at rest after a jump until all is known */
  long unsettled;                 /* jumps after which it never is */
} tally;

/* To compile a net takes as long as a hundred cases; so a block of them has two, as A and as B. */
enum { BLOCK = 200 };

typedef struct nets {
  long block;
  double sizes[2];
  shape shapes[2];
  clp_body *bodies[2];
} nets;

/* One case: the bodies, and what is told of it. */
typedef struct run {
  const options *o;
  tally *t;
  long number;
  shape own[2];
  const shape *shapes[2]; /* of A and of B: the case's own, or a net */
  course c;
  clp_body *bodies[2];
  clp_pair *pairs[2]; /* (A, B) and (B, A) */
  double range;
  bool failed;
  bool jumped; /* since it was asked */
} run;

/* ---- What is told ------------------------------------------------------------------------- */

static void print_pose(const char *name, const clp_pose *X)
{
  const clp_mat3 *r = &X->rotation;
  printf("  %s x %.17g %.17g %.17g y %.17g %.17g %.17g z %.17g %.17g %.17g at %.17g %.17g %.17g\n",
         name, r->x.x, r->x.y, r->x.z, r->y.x, r->y.y, r->y.z, r->z.x, r->z.y, r->z.z,
         X->position.x, X->position.y, X->position.z);
}

static void print_twist(const char *name, const clp_twist *V)
{
  printf("  %s v %.17g %.17g %.17g w %.17g %.17g %.17g\n", name, V->linear.x, V->linear.y,
         V->linear.z, V->angular.x, V->angular.y, V->angular.z);
}

static void print_answer(const clp_answer *a, const judge *j)
{
  printf("  %s distance %.17g lower_bound %.17g steps %d\n", clp_pair_status_name(a->status),
         a->distance, a->lower_bound, a->steps);
  printf("  point_a %.17g %.17g %.17g point_b %.17g %.17g %.17g normal %.17g %.17g %.17g\n",
         a->point_a.x, a->point_a.y, a->point_a.z, a->point_b.x, a->point_b.y, a->point_b.z,
         a->normal.x, a->normal.y, a->normal.z);
  printf("  truth [%.17Lg, %.17Lg] size %.3Lg normal %.17Lg %.17Lg %.17Lg\n", j->truth.lower,
         j->truth.upper, j->size, j->truth.normal.x, j->truth.normal.y, j->truth.normal.z);
  real3 rest = real3_sub(real3_sub(real3_of(a->point_b), real3_of(a->point_a)),
                         real3_scale(a->distance, real3_of(a->normal)));
  printf("  off the surfaces: A %.3Lg B %.3Lg, off the normal %.3Lg\n",
         shape_at_outside(&j->pair.a, real3_of(a->point_a)),
         shape_at_outside(&j->pair.b, real3_of(a->point_b)), real3_norm(rest));
}

static void tell(const run *r, const judge *j, const clp_answer *a, unsigned complaints,
                 const char *where, int index, int order)
{
  printf("case %ld of seed %llu, %s-%s, %s %d, %s:", r->number, (unsigned long long)r->o->seed,
         shape_names[r->shapes[0]->kind], shape_names[r->shapes[1]->kind], where, index,
         order ? "B-A" : "A-B");
  for (int k = 0; k < COMPLAINTS; ++k)
    if (complaints >> k & 1)
      printf(" %s by %.2Lg;", complaint_names[k], j->excess[k]);
  printf("\n");
  print_answer(a, j);
  print_pose("X_WA", &r->c.X_WA);
  print_pose("X_WB", &r->c.X_WB);
  print_twist("V_WA", &r->c.V_WA);
  print_twist("V_WB", &r->c.V_WB);
  if (!r->failed) {
    shape_print(stdout, r->shapes[0]);
    shape_print(stdout, r->shapes[1]);
  }
  fflush(stdout);
}

/* ---- One answer --------------------------------------------------------------------------- */

static void count_answer(tally *t, const judge *j, const clp_answer *a, bool query)
{
  ++t->answers;
  ++t->by_status[a->status];
  t->open[0] += a->status == CLP_CONVERGING && j->truth.lower > 1e-6L * j->size;
  t->open[1] += a->status == CLP_CONVERGING && j->truth.upper < -1e-6L * j->size;
  t->wide += j->truth.upper - j->truth.lower > 1e-9L * j->size;
  t->confused += judge_is_confused(j);
  t->not_smallest +=
      query && a->status == CLP_PENETRATING && a->distance < j->truth.lower - 1e-6L * j->size;
  t->lost += judge_finds_lost(j, a);
}

static void judge_one(run *r, judge *j, const clp_answer *a, const char *where, int index,
                      int order)
{
  unsigned complaints = judge_answer(j, a, r->range);
  count_answer(r->t, j, a, where[0] == 'q');
  if (!complaints)
    return;
  for (int k = 0; k < COMPLAINTS; ++k)
    if (complaints >> k & 1) {
      ++r->t->by_complaint[k];
      r->t->worst[k] = fmaxl(r->t->worst[k], j->excess[k] / j->size);
    }
  ++r->t->failing_answers;
  if (r->o->only >= 0 || (!r->failed && r->t->failing_cases < r->o->show))
    tell(r, j, a, complaints, where, index, order);
  r->failed = true;
}

/* Both orders know the same truth. */
static void judge_both(run *r, const clp_answer answers[2], const char *where, int index)
{
  judge j = judge_make(r->shapes[0], &r->c.X_WA, r->shapes[1], &r->c.X_WB, answers[0].normal);
  judge_one(r, &j, &answers[0], where, index, 0);
  judge swapped = judge_swapped(&j);
  judge_one(r, &swapped, &answers[1], where, index, 1);
}

/* ---- One case ----------------------------------------------------------------------------- */

static void query(run *r, int index)
{
  const clp_answer answers[2] = {clp_pair_query(r->pairs[0], &r->c.X_WA, &r->c.X_WB),
                                 clp_pair_query(r->pairs[1], &r->c.X_WB, &r->c.X_WA)};
  judge_both(r, answers, "query", index);
}

static real speed_of(const clp_twist *V, real size)
{
  return real3_norm(real3_of(V->linear)) + size * real3_norm(real3_of(V->angular));
}

static void count_smooth(run *r, bool jumped, const clp_answer answers[2])
{
  real size = r->shapes[0]->size + r->shapes[1]->size;
  r->jumped |=
      jumped || step * (speed_of(&r->c.V_WA, size) + speed_of(&r->c.V_WB, size)) > SMOOTH * size;
  if (r->jumped)
    return;
  r->t->moved += 2;
  for (int k = 0; k < 2; ++k)
    r->t->on_the_way += answers[k].status == CLP_CONVERGING;
}

static void track(run *r)
{
  course *c = &r->c;
  course_set_out(c);
  for (int k = 0; k < CYCLES; ++k) {
    bool jumped = !course_move(c, step), told = !jumped && c->known;
    const clp_twist *A = told ? &c->V_WA : NULL, *B = told ? &c->V_WB : NULL;
    const clp_answer answers[2] = {clp_pair_track(r->pairs[0], &c->X_WA, &c->X_WB, A, B, step),
                                   clp_pair_track(r->pairs[1], &c->X_WB, &c->X_WA, B, A, step)};
    count_smooth(r, jumped, answers);
    judge_both(r, answers, "cycle", k);
  }
}

/* A jump, and rest until all is known. */
static void settle(run *r, int order)
{
  const clp_pose *A = order ? &r->c.X_WB : &r->c.X_WA, *B = order ? &r->c.X_WA : &r->c.X_WB;
  long k = 0;
  for (bool settled = false; k < MOST_REST && !settled; ++k) {
    clp_answer answer = clp_pair_track(r->pairs[order], A, B, NULL, NULL, step);
    judge j = judge_make(r->shapes[0], &r->c.X_WA, r->shapes[1], &r->c.X_WB, answer.normal);
    if (order)
      j = judge_swapped(&j);
    judge_one(r, &j, &answer, "rest", (int)k, order);
    settled = answer.status != CLP_CONVERGING && !judge_finds_lost(&j, &answer);
    if (!settled && k == MOST_REST - 1) {
      ++r->t->unsettled;
      if (r->o->only >= 0 || r->t->unsettled <= r->o->open)
        tell(r, &j, &answer, 0, "never settled, cycle", (int)k, order);
    }
  }
  ++r->t->jumps;
  r->t->rest += k;
  if (k > r->t->longest_rest && k < MOST_REST)
    r->t->longest_rest = k;
}

/* ---- Bodies ------------------------------------------------------------------------------- */

/* What a case is depends on the seed and its number alone; so do a block's nets. */
static random_state generator_of(uint64_t seed, long number)
{
  random_state g = {.s = seed * 0x9e3779b97f4a7c15u + (uint64_t)number * 0xd1342543de82ef95u};
  random_bits(&g);
  return g;
}

static void draw_sizes(double sizes[2], random_state *g)
{
  sizes[0] = pow(10, random_between(g, -1.5, 1));
  sizes[1] = sizes[0] * pow(10, random_between(g, -1, 1));
}

/* A third of the bodies; from a generator of its own, so that the rest of a case is what it was. */
static void pad(shape *s, double size, random_state *g)
{
  if (random_between(g, 0, 1) < 1.0 / 3)
    shape_pad(s, size * pow(10, random_between(g, -4, 0)));
}

static void forget_nets(nets *n)
{
  for (int k = 0; k < 2; ++k)
    clp_body_destroy(n->bodies[k]);
  *n = (nets){.block = -1};
}

static void draw_nets(nets *n, uint64_t seed, long block)
{
  random_state g = generator_of(seed, -1 - block);
  forget_nets(n);
  n->block = block;
  draw_sizes(n->sizes, &g);
  for (int k = 0; k < 2; ++k) {
    shape_make(&n->shapes[k], SHAPE_NET, n->sizes[k], &g);
    pad(&n->shapes[k], n->sizes[0], &g);
  }
}

static void draw_shapes(run *r, nets *n, random_state *g)
{
  uint64_t seed = r->o->seed;
  random_state paddings = generator_of(~seed, r->number);
  shape_kind kinds[2] = {(shape_kind)(random_bits(g) % SHAPE_KINDS),
                         (shape_kind)(random_bits(g) % SHAPE_KINDS)};
  double sizes[2];
  draw_sizes(sizes, g);
  if (kinds[0] == SHAPE_NET || kinds[1] == SHAPE_NET) {
    if (n->block != r->number / BLOCK)
      draw_nets(n, seed, r->number / BLOCK);
    sizes[0] = n->sizes[0];
    sizes[1] = n->sizes[1];
  }
  for (int k = 0; k < 2; ++k) {
    ++r->t->by_kind[kinds[k]];
    r->shapes[k] = kinds[k] == SHAPE_NET ? &n->shapes[k] : &r->own[k];
    if (kinds[k] == SHAPE_NET)
      continue;
    shape_make(&r->own[k], kinds[k], sizes[k], g);
    pad(&r->own[k], sizes[0], &paddings);
  }
}

static void print_finding(void *user, const clp_finding *finding)
{
  (void)user;
  printf("  %s\n", finding->text);
}

static clp_body *compile(const run *r, const shape *s)
{
  bool told = r->o->only >= 0 || r->t->refused < 3;
  clp_reporter reporter = {told ? print_finding : NULL, NULL};
  clp_body *body = NULL;
  if (clp_body_create(&s->def, reporter, &body) != CLP_OK && told) {
    printf("case %ld of seed %llu: refused\n", r->number, (unsigned long long)r->o->seed);
    shape_print(stdout, s);
  }
  return body;
}

/* ---- One case ----------------------------------------------------------------------------- */

static bool create(run *r, nets *n)
{
  clp_pair_options pair = clp_default_pair_options();
  pair.range = r->range;
  pair.effort = r->o->effort;
  for (int k = 0; k < 2; ++k) {
    bool shared = r->shapes[k] == &n->shapes[k];
    clp_body *body = shared && n->bodies[k] ? n->bodies[k] : compile(r, r->shapes[k]);
    if (!body)
      return false;
    r->bodies[k] = body;
    if (shared)
      n->bodies[k] = body;
  }
  for (int k = 0; k < 2; ++k)
    if (clp_pair_create(r->bodies[k], r->bodies[1 - k], &pair, &r->pairs[k]) != CLP_OK)
      return false;
  return true;
}

static void destroy(run *r, const nets *n)
{
  for (int k = 0; k < 2; ++k) {
    clp_pair_destroy(r->pairs[k]);
    if (r->bodies[k] != n->bodies[k])
      clp_body_destroy(r->bodies[k]);
  }
}

static void count_failure(tally *t, const run *r)
{
  shape_kind a = r->shapes[0]->kind, b = r->shapes[1]->kind;
  ++t->failing_cases;
  ++t->failing_kind[a];
  t->failing_kind[b] += b != a;
}

static void run_case(const options *o, tally *t, nets *n, long number)
{
  static run r;
  random_state g = generator_of(o->seed, number);
  r = (run){.o = o, .t = t, .number = number};
  ++t->cases;
  draw_shapes(&r, n, &g);
  r.c = (course){.a = r.shapes[0], .b = r.shapes[1], .g = &g};
  r.range = random_between(&g, 0, 1) < 0.1 ? (double)r.shapes[0]->size : 0;
  if (create(&r, n)) {
    for (int k = 0; k < PLACES; ++k) {
      course_place(&r.c);
      query(&r, k);
    }
    track(&r);
    for (int k = 0; k < JUMPS; ++k) {
      course_place(&r.c);
      settle(&r, 0);
      settle(&r, 1);
    }
  } else {
    ++t->refused;
  }
  if (r.failed)
    count_failure(t, &r);
  destroy(&r, n);
}

/* ---- All of them -------------------------------------------------------------------------- */

static void print_tally(const tally *t, const options *o)
{
  const long *by = t->by_status;
  printf(
      "seed %llu: %ld cases (%ld refused), %ld answers: %ld TRACKING, %ld PENETRATING, %ld "
      "OUT_OF_RANGE, %ld CONVERGING (%ld of %ld in smooth motion, %ld apart and %ld overlapping by "
      "more than "
      "1e-6 of the "
      "size)\n",
      (unsigned long long)o->seed, t->cases, t->refused, t->answers, by[CLP_TRACKING],
      by[CLP_PENETRATING], by[CLP_OUT_OF_RANGE], by[CLP_CONVERGING], t->on_the_way, t->moved,
      t->open[0], t->open[1]);
  printf(
      "judged to 1e-9 of the size or better: %.4f %%; the judge erred in %ld; depths of queries "
      "that are not the smallest: %ld, without witnesses that face each other: %ld\n",
      t->answers ? 100.0 * (double)(t->answers - t->wide) / (double)t->answers : 100, t->confused,
      t->not_smallest, t->lost);
  for (int k = 0; k < SHAPE_KINDS; ++k)
    printf("%s%s %ld", k % 6 ? ", " : k ? "\n  " : "  ", shape_names[k], t->by_kind[k]);
  printf("\nat rest after %ld jumps: settled in %.3f cycles, %ld at most; never: %ld", t->jumps,
         t->jumps ? (double)t->rest / (double)t->jumps : 0, t->longest_rest, t->unsettled);
  printf("\nfailures: %ld answers of %ld cases\n", t->failing_answers, t->failing_cases);
  for (int k = 0; k < COMPLAINTS; ++k)
    if (t->by_complaint[k])
      printf("  %s: %ld, at most %.2Lg of the size\n", complaint_names[k], t->by_complaint[k],
             t->worst[k]);
  if (t->failing_cases)
    for (int k = 0; k < SHAPE_KINDS; ++k)
      if (t->failing_kind[k])
        printf("  with a %s: %ld cases\n", shape_names[k], t->failing_kind[k]);
}

static options read_options(int argc, char **argv)
{
  options o = {.only = -1, .seed = 1, .show = 10};
  for (int k = 1; k < argc; k += 2) {
    const char *value = k + 1 < argc ? argv[k + 1] : "";
    if (!strcmp(argv[k], "--seconds") && *value)
      o.seconds = strtod(value, NULL);
    else if (!strcmp(argv[k], "--cases") && *value)
      o.cases = strtol(value, NULL, 10);
    else if (!strcmp(argv[k], "--seed") && *value)
      o.seed = strtoull(value, NULL, 10);
    else if (!strcmp(argv[k], "--case") && *value)
      o.only = strtol(value, NULL, 10);
    else if (!strcmp(argv[k], "--show") && *value)
      o.show = (int)strtol(value, NULL, 10);
    else if (!strcmp(argv[k], "--open") && *value)
      o.open = strtol(value, NULL, 10);
    else if (!strcmp(argv[k], "--effort") && *value)
      o.effort = (int)strtol(value, NULL, 10);
    else if (!strcmp(argv[k], "--known") && *value)
      o.known = strtol(value, NULL, 10);
    else {
      fprintf(stderr,
              "usage: fuzz_pair [--seconds N] [--cases N] [--seed S] [--case K] [--show N] "
              "[--known N] [--effort N]\n");
      exit(2);
    }
  }
  if (o.seconds <= 0 && o.cases <= 0)
    o.seconds = 10;
  return o;
}

int main(int argc, char **argv)
{
  const options o = read_options(argc, argv);
  tally t = {0};
  static nets n = {.block = -1};
  time_t start = time(NULL);
  if (o.only >= 0)
    run_case(&o, &t, &n, o.only);
  for (long k = 0; o.only < 0 && (o.cases <= 0 || k < o.cases); ++k) {
    if (o.seconds > 0 && difftime(time(NULL), start) >= o.seconds)
      break;
    run_case(&o, &t, &n, k);
  }
  forget_nets(&n);
  print_tally(&t, &o);
  return t.failing_cases > o.known;
}

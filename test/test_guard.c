/* SPDX-License-Identifier: Apache-2.0 */
#include "support/guard.h"

#include "support/amount.h"
#include "support/cases.h"
#include "support/medley.h"
#include "support/random.h"
#include "support/suite.h"

/* A cycle allocates nothing, takes no lock and makes no system call, whatever it is given. */

/* ---- The guard itself --------------------------------------------------------------------- */

static bool do_nothing(void *argument)
{
  (void)argument;
  return true;
}

static bool ask_the_system(void *argument)
{
  (void)argument;
  return syscall(SYS_getpid) > 0;
}

/* Large blocks are mapped, which is a system call each. */
static bool allocate_much(void *argument)
{
  void *volatile block = malloc(*(size_t *)argument);
  bool given = block != NULL;
  free(block);
  return given;
}

SUITE("guard");

TEST_CASE("the guard itself", 20);

TEST(allocations_are_seen)
{
  if (guard_blind) {
    printf("test_guard: allocations and locks are NOT watched: %s\n", guard_blind);
    return;
  }
  void *volatile block;
  guard_arm();
  block = malloc(1);
  block = realloc(block, 2);
  free(block);
  ck_assert_int_eq(guard_disarm(), 3);
  ck_assert_str_eq(guard.first, "malloc");
  guard_arm();
  block = calloc(1, 1);
  free(block);
  block = aligned_alloc(64, 64);
  free(block);
  ck_assert_int_eq(guard_disarm(), 4);
  ck_assert_str_eq(guard.first, "calloc");
  guard_arm();
  ck_assert_int_eq(guard_disarm(), 0);
}

TEST(locks_are_seen)
{
  if (guard_blind)
    return; /* said so above */
  static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  static pthread_rwlock_t shared = PTHREAD_RWLOCK_INITIALIZER;
  guard_arm();
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  ck_assert_int_ge(guard_disarm(), 1);
  ck_assert_str_eq(guard.first, "pthread_mutex_lock");
  guard_arm();
  pthread_rwlock_rdlock(&shared);
  pthread_rwlock_unlock(&shared);
  ck_assert_int_ge(guard_disarm(), 1);
  ck_assert_str_eq(guard.first, "pthread_rwlock_rdlock");
}

TEST(system_calls_are_deadly)
{
  size_t much = (size_t)1 << 26;
  guard_end end = guard_work(do_nothing, NULL);
  if (end == GUARD_REFUSED) {
    printf("test_guard: system calls are NOT watched: this machine refuses seccomp\n");
    return;
  }
  ck_assert_int_eq(end, GUARD_QUIET);
  ck_assert_int_eq(guard_work(ask_the_system, NULL), GUARD_KILLED);
  ck_assert_int_eq(guard_work(allocate_much, &much), GUARD_KILLED);
}

/* ---- Motions ------------------------------------------------------------------------------ */

static const char *const bodies[] = {"ellipsoids_00",
                                     "pair_04_lemon_lemon",
                                     "pair_09_capped_frustum_cylinder",
                                     "pair_10_box_box",
                                     "parallel_03_cylinder_cylinder",
                                     "hulls_0",
                                     "point_capped_frustum",
                                     "spheres_signed",
                                     "planar_pair_0",
                                     "planar_point_0",
                                     "patch_table1",
                                     "pen_bowl_turn"};
enum { BODIES = sizeof bodies / sizeof *bodies };

typedef enum motion {
  MOTION_RECORDED,
  MOTION_THROUGH, /* B through A and out again */
  MOTION_LOST,    /* anywhere else in every cycle */
  MOTION_GARBAGE, /* the same with numbers that no pose can have */
  MOTIONS
} motion;

/* A pair of links, in a scene of their own. */
typedef struct duo {
  clp_scene *scene;
  clp_link_id link[2];
  clp_link_pair_id pair;
  double time;
} duo;

/* Cycles of one pair: what a guard watches. */
typedef struct ride {
  const reference_case *c;
  clp_pair *pair; /* this one, */
  duo links;      /* or these */
  motion motion;
  int cycles;
  random_state g;
  int seen[CLP_OUT_OF_RANGE + 1]; /* statuses */
} ride;

static double garbage(random_state *g)
{
  const double numbers[] = {nan(""), HUGE_VAL, -HUGE_VAL, 1e308, 1e160, 1e-310, 0};
  return numbers[random_bits(g) % (sizeof numbers / sizeof *numbers)];
}

/* One of the twelve numbers of a pose, or of the six of a twist and the step. */
static void spoil(random_state *g, clp_pose *X, clp_twist *V, double *step)
{
  double *pose[12] = {&X->rotation.x.x, &X->rotation.x.y, &X->rotation.x.z, &X->rotation.y.x,
                      &X->rotation.y.y, &X->rotation.y.z, &X->rotation.z.x, &X->rotation.z.y,
                      &X->rotation.z.z, &X->position.x,   &X->position.y,   &X->position.z};
  double *rest[7] = {&V->linear.x,  &V->linear.y,  &V->linear.z, &V->angular.x,
                     &V->angular.y, &V->angular.z, step};
  if (random_bits(g) % 2 == 0)
    *pose[random_bits(g) % 12] = garbage(g);
  else
    *rest[random_bits(g) % 7] = garbage(g);
}

typedef struct stage {
  clp_pose X_WA, X_WB;
  clp_twist V_WA, V_WB;
  double step;
} stage;

static clp_pose nearer(clp_pose X_WA, clp_pose X_WB, double part)
{
  clp_vec3 d = clp_sub(X_WB.position, X_WA.position);
  X_WB.position = clp_add_scaled(X_WA.position, part, d);
  return X_WB;
}

static stage stage_of(ride *r, int k)
{
  bool recorded = r->motion == MOTION_RECORDED || r->motion == MOTION_THROUGH;
  uint64_t count = (uint64_t)r->c->count;
  const case_row *row = &r->c->rows[recorded ? (uint64_t)k % count : random_bits(&r->g) % count];
  stage s = {.X_WA = row->X_WA, .X_WB = row->X_WB, .step = 1e-3};
  if (r->motion == MOTION_RECORDED) {
    const case_row *before = row == r->c->rows ? row : row - 1;
    s.V_WA = case_twist(&before->X_WA, &row->X_WA, 1e-3);
    s.V_WB = case_twist(&before->X_WB, &row->X_WB, 1e-3);
    return s;
  }
  if (r->motion == MOTION_THROUGH) {
    s.X_WB = nearer(s.X_WA, s.X_WB, 1 - 2.0 * k / r->cycles);
    return s;
  }
  s.X_WB = nearer(s.X_WA, s.X_WB, random_between(&r->g, 0, 1.5));
  s.V_WB = (clp_twist){random_direction(&r->g), random_direction(&r->g)};
  if (r->motion == MOTION_GARBAGE && k % 3 > 0)
    spoil(&r->g, k % 2 == 0 ? &s.X_WA : &s.X_WB, k % 4 < 2 ? &s.V_WA : &s.V_WB, &s.step);
  return s;
}

/* ---- Rides -------------------------------------------------------------------------------- */

/* Poses that are none are refused: the links stay where they were. */
static clp_answer cycle_of_links(duo *d, const stage *s)
{
  clp_scene_set_motion(d->scene, d->link[0], &s->X_WA, &s->V_WA);
  clp_scene_set_motion(d->scene, d->link[1], &s->X_WB, &s->V_WB);
  d->time += s->step;
  clp_scene_step(d->scene, d->time);
  clp_answer answer = clp_scene_answer(d->scene, d->pair).answer;
  for (int k = 0; k < clp_scene_event_count(d->scene, d->pair); ++k)
    answer.steps += clp_scene_event(d->scene, d->pair, k).which;
  return answer;
}

static clp_answer cycle(ride *r, const stage *s)
{
  clp_answer answer;
  clp_transition_event events[CLP_MAX_EVENTS];
  if (r->links.scene) {
    answer = cycle_of_links(&r->links, s);
  } else {
    clp_pair_keep_events(r->pair, events, CLP_MAX_EVENTS);
    answer = clp_pair_track(r->pair, &s->X_WA, &s->X_WB, &s->V_WA, &s->V_WB, s->step);
    for (int k = 0; k < clp_pair_event_count(r->pair) && k < CLP_MAX_EVENTS; ++k)
      answer.steps += events[k].which;
  }
  return answer;
}

/* True when every distance was a number. */
static bool ride_along(void *argument)
{
  ride *r = argument;
  bool numbers = true;
  for (int k = 0; k < r->cycles; ++k) {
    stage s = stage_of(r, k);
    clp_answer answer = cycle(r, &s);
    double rate = clp_answer_rate(&answer, &s.X_WA, &s.V_WA, &s.X_WB, &s.V_WB);
    bool finite = r->motion != MOTION_GARBAGE;
    numbers &= answer.distance == answer.distance && (!finite || rate == rate);
    r->seen[answer.status]++;
  }
  return numbers;
}

static void expect_quiet(ride *r)
{
  const ride start = *r;
  guard_arm();
  bool numbers = ride_along(r);
  int calls = guard_disarm();
  ck_assert_msg(calls == 0, "motion %d: %d forbidden calls, the first of %s", (int)r->motion, calls,
                guard.first);
  ck_assert_msg(numbers, "motion %d: a distance that is not a number", (int)r->motion);
  *r = start; /* the pair goes on from where it is */
  guard_end end = guard_work(ride_along, r);
  ck_assert_msg(end == GUARD_QUIET || end == GUARD_REFUSED, "motion %d: end %d", (int)r->motion,
                (int)end);
}

/* Newton from above looks at all pairs of features; and where planes prove nothing a cycle may take
 * many cells. */
static int affordable_cycles(const reference_case *c, clp_controller controller)
{
  clp_body_info a = clp_body_describe(c->a), b = clp_body_describe(c->b);
  bool proven_by_planes = a.convex && a.closed && b.convex && b.closed;
  return amount_of(!proven_by_planes ? 12 : controller == CLP_CONTROLLER_NEWTON ? 25 : 100);
}

static void expect_quiet_pair(const reference_case *c, clp_controller controller)
{
  clp_pair_options options = clp_default_pair_options();
  options.controller = controller;
  for (motion m = MOTION_RECORDED; m < MOTIONS; ++m) {
    ride r = {.c = c, .motion = m, .cycles = affordable_cycles(c, controller), .g = {.s = 5}};
    ck_assert_int_eq(clp_pair_create(c->a, c->b, &options, &r.pair), CLP_OK);
    expect_quiet(&r);
    clp_pair_destroy(r.pair);
  }
}

TEST_CASE("pairs", 60);

LOOP_TEST(pair_cycles_are_quiet, 0, BODIES)
{
  reference_case c = case_load(bodies[_i]);
  for (int k = CLP_CONTROLLER_AUTO; k <= CLP_CONTROLLER_NEWTON; ++k)
    expect_quiet_pair(&c, (clp_controller)k);
  case_free(&c);
}

static duo make_duo(clp_link a, clp_link b)
{
  duo d = {.time = 0};
  const clp_scene_limits limits = {.links = 2, .parts = 3, .pairs = 1, .part_pairs = 2};
  clp_scene_options options = clp_default_scene_options();
  options.events = CLP_MAX_EVENTS;
  ck_assert_int_eq(clp_scene_create(&limits, &options, &d.scene), CLP_OK);
  ck_assert_int_eq(clp_scene_add_link(d.scene, a, &d.link[0]), CLP_OK);
  ck_assert_int_eq(clp_scene_add_link(d.scene, b, &d.link[1]), CLP_OK);
  ck_assert_int_eq(clp_scene_add_pair(d.scene, d.link[0], d.link[1], &d.pair), CLP_OK);
  return d;
}

TEST_CASE("links", 60);

LOOP_TEST(link_cycles_are_quiet, 0, BODIES)
{
  reference_case c = case_load(bodies[_i]);
  clp_pose aside = clp_pose_identity();
  aside.position = (clp_vec3){0.1, 0.4, 0};
  clp_part two[2] = {{c.a, clp_pose_identity(), NULL}, {c.a, aside, NULL}};
  clp_part one[1] = {{c.b, clp_pose_identity(), NULL}};
  for (motion m = MOTION_RECORDED; m < MOTIONS; ++m) {
    ride r = {
        .c = &c, .motion = m, .cycles = affordable_cycles(&c, CLP_CONTROLLER_AUTO), .g = {.s = 6}};
    r.links = make_duo((clp_link){two, 2}, (clp_link){one, 1});
    expect_quiet(&r);
    clp_scene_destroy(r.links.scene);
  }
  case_free(&c);
}

/* ---- Scenes ------------------------------------------------------------------------------- */

/* Cycles with changes in between that need no memory either. */
static bool scene_along(void *argument)
{
  medley *m = argument;
  bool good = true;
  for (int k = 0; k < 100; ++k) {
    clp_link_id link = m->links[1 + k % 5];
    good &= medley_move(m);
    good &= clp_scene_enable_link(m->scene, link, k % 3 > 0) == CLP_OK;
    good &= clp_scene_set_range(m->scene, k % 20 < 10 ? 0.5 : 2) == CLP_OK;
    clp_scene_report report = k % 25 == 24 ? clp_scene_query(m->scene, 0.001 * m->cycle)
                                           : clp_scene_step(m->scene, 0.001 * m->cycle);
    good &= report.stepped + report.culled + report.uncovered == report.pairs;
    for (int i = 0; i < clp_scene_near_count(m->scene); ++i)
      good &= clp_scene_answer(m->scene, clp_scene_near(m->scene, i)).answer.distance < HUGE_VAL;
    clp_link_distance near[MEDLEY_PAIRS];
    good &= clp_scene_near_distances(m->scene, near, MEDLEY_PAIRS) == report.pairs - report.culled;
  }
  return good;
}

TEST_CASE("scenes", 60);

LOOP_TEST(scene_cycles_are_quiet, 0, 3)
{
  clp_scene_options options = clp_default_scene_options();
  options.nearest_only = _i == 1;
  options.max_pairs_per_cycle = _i == 2 ? 10 : 0;
  medley m = medley_make(options);
  guard_arm();
  bool good = scene_along(&m);
  int calls = guard_disarm();
  ck_assert_msg(calls == 0, "%d forbidden calls, the first of %s", calls, guard.first);
  ck_assert(good);
  guard_end end = guard_work(scene_along, &m);
  ck_assert(end == GUARD_QUIET || end == GUARD_REFUSED);
  medley_destroy(&m);
}

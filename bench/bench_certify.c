/* SPDX-License-Identifier: Apache-2.0 */
/* Clearance over all of a motion: the shipped arm of seven axes among 100 obstacles, none of which
 * it passes by less than 5 cm.
 *
 *   bench_certify                    times: the motion certified to 2 cm, beside sampling it at 1
 * kHz with this library's own step; and the edges of a roadmap bench_certify motion|sampling|edges
 * one of them, once: callgrind counts in `counted`
 *
 *   bench_certify --csv              three motions: the distance at samples and the proven bound
 *
 * bench/README.md says how to read it. */

#define _POSIX_C_SOURCE 200809L

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/seconds.h"
#include "rclc_closest_point/certify.h"
#include "rclc_closest_point/math/pose.h"

enum {
  OBSTACLES = 100,
  AXES = 7,
  SEGMENTS = 4,
  LINKS_MAX = 16,
  PAIRS_MAX = LINKS_MAX * (OBSTACLES + LINKS_MAX),
  EDGES = 2000,
  SAMPLES = 5000,
  TEXT_MAX = 1 << 20
};

static const double clearance = 0.02, nearest_pass = 0.05, duration = 5;

typedef struct obstacle {
  clp_body *body;
  clp_part part;
} obstacle;

typedef struct cell_of_arm {
  char *arm_text;
  clp_model *arm;
  obstacle obstacles[OBSTACLES];
  int count;
  clp_joint_tree *tree;
  clp_certifier *certifier;
  int arm_links, joints;
  clp_link links[LINKS_MAX + OBSTACLES];
  clp_certify_pair pairs[PAIRS_MAX];
  int pair_count;
  clp_joint_course courses[SEGMENTS][LINKS_MAX + OBSTACLES];
  clp_course_segment segments[SEGMENTS];
} cell_of_arm;

static void fail(const char *what)
{
  fprintf(stderr, "bench_certify: %s\n", what);
  exit(EXIT_FAILURE);
}

/* splitmix64 */
static double random_between(uint64_t *state, double lo, double hi)
{
  uint64_t z = (*state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return lo + (hi - lo) * ((double)((z ^ (z >> 31)) >> 11) * 0x1p-53);
}

static clp_vec3 random_direction(uint64_t *g)
{
  for (;;) {
    clp_vec3 a = {random_between(g, -1, 1), random_between(g, -1, 1), random_between(g, -1, 1)};
    if (clp_norm2(a) <= 1 && clp_norm2(a) > 0.01)
      return clp_unit(a);
  }
}

/* ---- The cell ----------------------------------------------------------------------------- */

static void load_arm(cell_of_arm *c)
{
  const char *path = URDF_PATCHES_DIR "/arm.urdf";
  FILE *file = fopen(path, "r");
  c->arm_text = calloc(1, TEXT_MAX);
  if (!file || !c->arm_text || fread(c->arm_text, 1, TEXT_MAX - 1, file) == 0)
    fail("there is no arm.urdf");
  fclose(file);
  *strstr(c->arm_text, "</robot>") = '\0';
  if (clp_model_load(path, (clp_model_sink){0}, &c->arm) != CLP_OK)
    fail("arm.urdf cannot be loaded");
  c->arm_links = clp_model_link_count(c->arm);
}

/* The tree of the arm and of so many obstacles, which are fixed to its base. */
static void make_tree(cell_of_arm *c)
{
  static char text[TEXT_MAX];
  const char *base = clp_model_link_name(c->arm, 0);
  size_t used = (size_t)snprintf(text, sizeof text, "%s", c->arm_text);
  for (int k = 0; k < c->count; ++k)
    used +=
        (size_t)snprintf(text + used, sizeof text - used,
                         "<link name='o%d'/><joint name='at_o%d' type='fixed'><parent link='%s'/>"
                         "<child link='o%d'/></joint>",
                         k, k, base, k);
  snprintf(text + used, sizeof text - used, "</robot>");
  clp_joint_tree_destroy(c->tree);
  if (clp_joint_tree_parse(text, strlen(text), "cell", (clp_model_sink){0}, &c->tree) != CLP_OK)
    fail("no joint tree");
  c->joints = clp_joint_tree_joint_count(c->tree);
}

static void make_certifier(cell_of_arm *c)
{
  for (int l = 0; l < c->arm_links; ++l)
    c->links[l] = clp_model_link(c->arm, l);
  for (int k = 0; k < c->count; ++k)
    c->links[c->arm_links + k] = (clp_link){&c->obstacles[k].part, 1};
  clp_certify_world world = {c->tree, c->links, c->pairs, c->pair_count, NULL, 0};
  clp_certifier_destroy(c->certifier);
  c->certifier = NULL;
  if (clp_certifier_create(&world, &c->certifier) != CLP_OK)
    fail("no certifier");
}

/* Of the arm's moving links with obstacles from the first on: its base stands still, as they do. */
static void pair_with(cell_of_arm *c, int first)
{
  c->pair_count = 0;
  for (int k = first; k < c->count; ++k)
    for (int l = 1; l < c->arm_links; ++l)
      if (clp_model_part_count(c->arm, l) > 0)
        c->pairs[c->pair_count++] = (clp_certify_pair){l, c->arm_links + k};
}

/* Smooth, through points up to 1.2 rad from where the arm stands upright. */
static void make_motion(cell_of_arm *c, uint64_t seed)
{
  double q[SEGMENTS + 1][AXES], v[SEGMENTS + 1][AXES] = {{0}}, T = duration / SEGMENTS;
  for (int k = 0; k <= SEGMENTS; ++k)
    for (int j = 0; j < AXES; ++j)
      q[k][j] = random_between(&seed, -1.2, 1.2);
  for (int k = 1; k < SEGMENTS; ++k)
    for (int j = 0; j < AXES; ++j)
      v[k][j] = (q[k + 1][j] - q[k - 1][j]) / (2 * T);
  for (int k = 0; k < SEGMENTS; ++k) {
    for (int j = 0; j < AXES; ++j) {
      double D = q[k + 1][j] - q[k][j], a = v[k][j] * T, b = v[k + 1][j] * T;
      c->courses[k][j] = (clp_joint_course){
          {q[k][j], v[k][j], (3 * D - 2 * a - b) / (T * T), (a + b - 2 * D) / (T * T * T)}};
    }
    c->segments[k] = (clp_course_segment){k * T, (k + 1) * T, c->courses[k], NULL};
  }
}

static void place_obstacle(cell_of_arm *c, int k, uint64_t *g)
{
  static const clp_shape shapes[] = {CLP_SHAPE_BOX, CLP_SHAPE_SPHERE, CLP_SHAPE_CYLINDER,
                                     CLP_SHAPE_CAPSULE, CLP_SHAPE_ELLIPSOID};
  clp_body_def def = clp_default_body_def(shapes[k % 5]);
  def.size = (clp_vec3){random_between(g, 0.05, 0.4), random_between(g, 0.05, 0.4),
                        random_between(g, 0.05, 0.4)};
  def.radius = random_between(g, 0.03, 0.15);
  def.length = random_between(g, 0.1, 0.5);
  obstacle *o = &c->obstacles[k];
  clp_body_destroy(o->body);
  if (clp_body_create(&def, (clp_reporter){0}, &o->body) != CLP_OK)
    fail("no body");
  clp_vec3 place = clp_scale(random_between(g, 0.3, 1.8), random_direction(g));
  place.z += 0.6;
  o->part = (clp_part){
      o->body,
      {clp_rotation_from_rpy(random_between(g, -3, 3), random_between(g, -1, 1), 0), place},
      ""};
}

/* Whether the motion leaves as much as it is to between the arm and the last obstacle. */
static bool is_last_passed(cell_of_arm *c)
{
  clp_certified results[LINKS_MAX];
  clp_certify_options o = {.clearance = nearest_pass};
  bool clear = true;
  pair_with(c, c->count - 1);
  make_certifier(c);
  if (clp_certify_motion(c->certifier, c->segments, SEGMENTS, &o, results, NULL) != CLP_OK)
    fail("no answer");
  for (int k = 0; k < c->pair_count; ++k)
    clear &= results[k].verdict == CLP_CERTIFY_CLEAR;
  return clear;
}

/* The last obstacle comes along a line from far away until it is passed so closely. */
static void bring_last_near(cell_of_arm *c)
{
  clp_vec3 *place = &c->obstacles[c->count - 1].part.X_LP.position, far = {1, 0.4, 0},
           aim = {0, 0, 0.7};
  double low, high = 2;
  for (low = high; low > 0; low -= 0.02) {
    *place = clp_add_scaled(aim, low, far);
    if (!is_last_passed(c))
      break;
    high = low;
  }
  for (int k = 0; k < 24; ++k) {
    double middle = 0.5 * (low + high);
    *place = clp_add_scaled(aim, middle, far);
    if (is_last_passed(c))
      high = middle;
    else
      low = middle;
  }
  *place = clp_add_scaled(aim, high, far);
}

static void make_cell(cell_of_arm *c, uint64_t seed)
{
  load_arm(c);
  make_motion(c, seed);
  uint64_t g = seed;
  for (int k = 0; k < OBSTACLES; ++k) {
    c->count = k + 1;
    make_tree(c);
    do
      place_obstacle(c, k, &g);
    while (k < OBSTACLES - 1 && !is_last_passed(c));
  }
  bring_last_near(c);
  pair_with(c, 0);
  make_certifier(c);
}

static void free_cell(cell_of_arm *c)
{
  clp_certifier_destroy(c->certifier);
  clp_joint_tree_destroy(c->tree);
  clp_model_destroy(c->arm);
  for (int k = 0; k < OBSTACLES; ++k)
    clp_body_destroy(c->obstacles[k].body);
  free(c->arm_text);
}

/* ---- What is measured --------------------------------------------------------------------- */

typedef struct outcome {
  int clear, others;
  double nearest;
  long steps;
} outcome;

static outcome certify_motion(cell_of_arm *c)
{
  static clp_certified results[PAIRS_MAX];
  clp_certify_options o = {.clearance = clearance, .tolerance = 1e-4};
  outcome r = {.nearest = HUGE_VAL};
  if (clp_certify_motion(c->certifier, c->segments, SEGMENTS, &o, results, &r.steps) != CLP_OK)
    fail("no answer");
  for (int k = 0; k < c->pair_count; ++k) {
    ++*(results[k].verdict == CLP_CERTIFY_CLEAR ? &r.clear : &r.others);
    r.nearest = fmin(r.nearest, results[k].clearance);
  }
  return r;
}

/* The same cell as a scene, which is stepped at every millisecond. Nothing farther than the
 * clearance is of interest, so that the far phase spares what it can. */
typedef struct sampling {
  clp_scene *scene;
  clp_link_id ids[LINKS_MAX + OBSTACLES];
} sampling;

static sampling make_sampling(const cell_of_arm *c, double range)
{
  sampling s = {NULL, {{0, 0}}};
  int links = c->arm_links + c->count;
  clp_scene_limits limits = {
      .links = links, .parts = 4 * links, .pairs = c->pair_count, .part_pairs = 4 * c->pair_count};
  clp_scene_options options = clp_default_scene_options();
  options.pair.range = range;
  if (clp_scene_create(&limits, &options, &s.scene) != CLP_OK)
    fail("no scene");
  for (int l = 0; l < links; ++l)
    if (l > 0 && c->links[l].count > 0 &&
        clp_scene_add_link(s.scene, c->links[l], &s.ids[l]) != CLP_OK)
      fail("no link");
  clp_link_pair_id id;
  for (int k = 0; k < c->pair_count; ++k)
    if (clp_scene_add_pair(s.scene, s.ids[c->pairs[k].a], s.ids[c->pairs[k].b], &id) != CLP_OK)
      fail("no pair");
  return s;
}

static double position_at(const clp_joint_course *course, double s)
{
  return course->c[0] + s * (course->c[1] + s * (course->c[2] + s * course->c[3]));
}

static double speed_at(const clp_joint_course *course, double s)
{
  return course->c[1] + s * (2 * course->c[2] + s * 3 * course->c[3]);
}

static double sample_motion(const cell_of_arm *c, sampling *s)
{
  static clp_joint_state states[LINKS_MAX + OBSTACLES];
  static clp_pose X[LINKS_MAX + OBSTACLES];
  static clp_twist V[LINKS_MAX + OBSTACLES];
  double least = HUGE_VAL;
  clp_joint_tree_rest(c->tree, states);
  for (int k = 0; k <= SAMPLES; ++k) {
    double t = duration * k / SAMPLES;
    int segment = t < duration ? (int)(t / duration * SEGMENTS) : SEGMENTS - 1;
    for (int j = 0; j < AXES; ++j) {
      states[j].position = position_at(&c->courses[segment][j], t - c->segments[segment].from);
      states[j].speed = speed_at(&c->courses[segment][j], t - c->segments[segment].from);
    }
    if (clp_joint_tree_motion(c->tree, states, X, V) != CLP_OK)
      fail("no poses");
    for (int l = 0; l < c->arm_links; ++l)
      if (c->links[l].count > 0)
        (void)clp_scene_set_motion(s->scene, s->ids[l], &X[l], &V[l]);
    least = fmin(least, clp_scene_step(s->scene, t).lower_bound);
  }
  return least;
}

/* Edges of 0.1 to 0.2 rad in each joint, from places within 1.5 rad. */
static double *make_edges(const cell_of_arm *c)
{
  size_t joints = (size_t)c->joints, half = joints * EDGES;
  double *ends = calloc(2 * half, sizeof *ends);
  uint64_t g = 4;
  if (!ends)
    fail("no memory");
  for (size_t k = 0; k < EDGES; ++k)
    for (int j = 0; j < AXES; ++j) {
      double from = random_between(&g, -1.5, 1.5), way = random_between(&g, 0.1, 0.2);
      ends[k * joints + (size_t)j] = from;
      ends[half + k * joints + (size_t)j] = from + (random_between(&g, -1, 1) < 0 ? -way : way);
    }
  return ends;
}

static outcome certify_edges(cell_of_arm *c, const double *ends)
{
  static clp_certified_edge results[EDGES];
  clp_certify_options o = {.clearance = clearance};
  outcome r = {.nearest = HUGE_VAL};
  const double *to = ends + (size_t)c->joints * EDGES;
  if (clp_certify_edges(c->certifier, ends, to, EDGES, &o, results) != CLP_OK)
    fail("no answer");
  for (int k = 0; k < EDGES; ++k)
    ++*(results[k].verdict == CLP_CERTIFY_CLEAR ? &r.clear : &r.others);
  return r;
}

/* ---- Curves ------------------------------------------------------------------------------- */

enum { WINDOWS = 50, INSTANTS = 10 };

static int segment_at(double t)
{
  return t < duration ? (int)(t / duration * SEGMENTS) : SEGMENTS - 1;
}

/* The distance of the nearest pair at an instant. */
static double distance_at(const cell_of_arm *c, sampling *s, double t)
{
  static clp_joint_state states[LINKS_MAX + OBSTACLES];
  static clp_pose X[LINKS_MAX + OBSTACLES];
  int segment = segment_at(t);
  clp_joint_tree_rest(c->tree, states);
  for (int j = 0; j < AXES; ++j)
    states[j].position = position_at(&c->courses[segment][j], t - c->segments[segment].from);
  if (clp_joint_tree_motion(c->tree, states, X, NULL) != CLP_OK)
    fail("no poses");
  for (int l = 0; l < c->arm_links; ++l)
    if (l > 0 && c->links[l].count > 0)
      (void)clp_scene_set_motion(s->scene, s->ids[l], &X[l], NULL);
  return clp_scene_query(s->scene, t).distance;
}

/* What is proven over a window that lies within one segment, given how near samples of it are. */
static double bound_within(cell_of_arm *c, double from, double to, double sampled)
{
  static clp_joint_course courses[LINKS_MAX + OBSTACLES];
  static clp_certified results[PAIRS_MAX];
  int segment = segment_at(0.5 * (from + to));
  double s = from - c->segments[segment].from, bound = HUGE_VAL;
  for (int j = 0; j < c->joints; ++j) {
    const double *a = c->courses[segment][j].c;
    courses[j] =
        (clp_joint_course){{a[0] + s * (a[1] + s * (a[2] + s * a[3])),
                            a[1] + s * (2 * a[2] + s * 3 * a[3]), a[2] + s * 3 * a[3], a[3]}};
  }
  clp_course_segment window = {from, to, courses, NULL};
  clp_certify_options o = {.clearance = fmax(0, sampled - 0.01), .tolerance = 5e-3};
  if (clp_certify_motion(c->certifier, &window, 1, &o, results, NULL) != CLP_OK)
    fail("no answer");
  for (int k = 0; k < c->pair_count; ++k)
    bound = fmin(bound, results[k].clearance);
  return bound;
}

static void print_curves(cell_of_arm *c)
{
  static const uint64_t seeds[] = {5, 21, 34};
  sampling s = make_sampling(c, 0);
  printf("motion,t,distance,bound\n");
  for (int m = 0; m < 3; ++m) {
    make_motion(c, seeds[m]);
    for (int w = 0; w < WINDOWS; ++w) {
      double from = duration * w / WINDOWS, to = duration * (w + 1) / WINDOWS, least = HUGE_VAL;
      double distances[INSTANTS];
      for (int k = 0; k < INSTANTS; ++k) {
        distances[k] = distance_at(c, &s, from + (to - from) * k / INSTANTS);
        least = fmin(least, distances[k]);
      }
      double bound = bound_within(c, from, to, least);
      for (int k = 0; k < INSTANTS; ++k)
        printf("%d,%.5f,%.6f,%.6f\n", m + 1, from + (to - from) * k / INSTANTS, distances[k],
               bound);
    }
  }
  clp_scene_destroy(s.scene);
}

/* ---- Programs ----------------------------------------------------------------------------- */

static void run_once(cell_of_arm *c, const char *what)
{
  if (strcmp(what, "edges") == 0) {
    double *ends = make_edges(c);
    printf("%d of %d edges CLEAR\n", certify_edges(c, ends).clear, EDGES);
    free(ends);
  } else if (strcmp(what, "sampling") == 0) {
    sampling s = make_sampling(c, clearance);
    printf("%.4f m, sampled\n", sample_motion(c, &s));
    clp_scene_destroy(s.scene);
  } else {
    printf("%d pairs CLEAR\n", certify_motion(c).clear);
  }
}

static double seconds_of_motion(cell_of_arm *c)
{
  enum { TIMES = 20 };
  double start = now();
  for (int k = 0; k < TIMES; ++k)
    (void)certify_motion(c);
  return (now() - start) / TIMES;
}

static void run_table(cell_of_arm *c)
{
  outcome r = certify_motion(c);
  printf("%d pairs: %d CLEAR of %g m, %d not; %ld stretches; proven: %.4f m\n", c->pair_count,
         r.clear, clearance, r.others, r.steps, r.nearest);
  double certified = seconds_of_motion(c);
  printf("certified          %8.3f ms\n", 1e3 * certified);
  sampling s = make_sampling(c, clearance);
  double start = now(), least = sample_motion(c, &s);
  double sampled = now() - start;
  printf("sampled at 1 kHz   %8.3f ms, %.1f times as long (least bound %.4f m)\n", 1e3 * sampled,
         sampled / certified, least);
  double *ends = make_edges(c);
  start = now();
  r = certify_edges(c, ends);
  double edges = (now() - start) / EDGES;
  printf("an edge            %8.3f ms, %.0f a second; %d of %d CLEAR\n", 1e3 * edges, 1 / edges,
         r.clear, EDGES);
  free(ends);
  clp_scene_destroy(s.scene);
}

int main(int argc, char **argv)
{
  static cell_of_arm c;
  make_cell(&c, 5);
  if (argc > 1 && strcmp(argv[1], "--csv") == 0)
    print_curves(&c);
  else if (argc > 1)
    run_once(&c, argv[1]);
  else
    run_table(&c);
  free_cell(&c);
  return EXIT_SUCCESS;
}

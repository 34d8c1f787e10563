/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TEST_SUPPORT_MEDLEY_H
#define TEST_SUPPORT_MEDLEY_H

#include <string.h>

#include "rclc_closest_point/math/pose.h"
#include "rclc_closest_point/math/quaternion.h"
#include "rclc_closest_point/scene.h"
#include "support/findings.h"

/* A scene of links of all kinds of shapes, some of several parts, one of them a bowl, that turn and
 * go round in circles. Where they are is computed with the four operations and square roots alone,
 * so that it is the same everywhere. */

enum { MEDLEY_LINKS = 12, MEDLEY_PAIRS = MEDLEY_LINKS * (MEDLEY_LINKS - 1) / 2, MEDLEY_BODIES = 9 };

typedef struct medley {
  clp_body *bodies[MEDLEY_BODIES];
  clp_scene *scene;
  clp_link_id links[MEDLEY_LINKS];
  clp_link_pair_id pairs[MEDLEY_PAIRS];
  int pair_count;
  int cycle;
  const clp_body *part_bodies[6 * MEDLEY_LINKS]; /* in the order in which parts were added */
  int part_count;
  clp_part parts[MEDLEY_LINKS][3]; /* of each link */
  int part_counts[MEDLEY_LINKS];
  clp_pose X_WL[MEDLEY_LINKS]; /* where each link is */
} medley;

static inline clp_body *medley_bowl(void)
{
  static const clp_profile_piece pieces[] = {
      {.kind = CLP_PROFILE_LINE, .r = 0.6, .z = -0.6},
      {.kind = CLP_PROFILE_LINE, .r = 0.6, .z = 0},
      {.kind = CLP_PROFILE_LINE, .r = 0.4, .z = 0},
      {.kind = CLP_PROFILE_ARC, .r = 0, .z = -0.4, .center_r = 0, .center_z = 0}};
  clp_body_def def = clp_default_body_def(CLP_SHAPE_REVOLVED);
  def.convex = false;
  def.revolved = (clp_revolved_def){0, -0.6, pieces, 4};
  return must_create(&def);
}

static inline void medley_make_bodies(medley *m)
{
  static const clp_shape shapes[] = {CLP_SHAPE_BOX,      CLP_SHAPE_SPHERE,  CLP_SHAPE_ELLIPSOID,
                                     CLP_SHAPE_CYLINDER, CLP_SHAPE_CAPSULE, CLP_SHAPE_POINT,
                                     CLP_SHAPE_BOX,      CLP_SHAPE_SPHERE};
  for (int k = 0; k < MEDLEY_BODIES - 1; ++k) {
    clp_body_def def = clp_default_body_def(shapes[k]);
    def.size =
        shapes[k] == CLP_SHAPE_POINT ? (clp_vec3){0, 0, 0} : (clp_vec3){0.4, 0.3 + 0.1 * k, 0.25};
    def.radius = 0.15 + 0.02 * k;
    def.length = 0.5;
    m->bodies[k] = must_create(&def);
  }
  m->bodies[MEDLEY_BODIES - 1] = medley_bowl();
}

static inline void medley_add_link(medley *m, int k)
{
  clp_part *parts = m->parts[k];
  int count = k % 4 == 3 ? 3 : k % 4 == 2 ? 2 : 1;
  for (int i = 0; i < count; ++i) {
    int body = k == 0 ? MEDLEY_BODIES - 1 : (k + 3 * i) % (MEDLEY_BODIES - 1);
    parts[i] = (clp_part){.body = m->bodies[body], .X_LP = clp_pose_identity()};
    parts[i].X_LP.position = (clp_vec3){0.5 * i, -0.3 * i, 0.2 * i};
    m->part_bodies[m->part_count++] = m->bodies[body];
  }
  m->part_counts[k] = count;
  m->X_WL[k] = clp_pose_identity();
  ck_assert_int_eq(clp_scene_add_link(m->scene, (clp_link){parts, count}, &m->links[k]), CLP_OK);
}

/* Pairs of bowls with bowls or many others would take all the time. */
static inline bool medley_is_pair(int a, int b)
{
  return a != 0 || b % 5 == 1;
}

/* An empty scene, and what goes into it. */
static inline medley medley_prepare(clp_scene_options options)
{
  medley m = {.cycle = 0};
  clp_scene_limits limits = {.links = MEDLEY_LINKS,
                             .parts = 3 * MEDLEY_LINKS,
                             .pairs = MEDLEY_PAIRS,
                             .part_pairs = 9 * MEDLEY_PAIRS};
  medley_make_bodies(&m);
  options.events = CLP_MAX_EVENTS;
  ck_assert_int_eq(clp_scene_create(&limits, &options, &m.scene), CLP_OK);
  return m;
}

static inline void medley_fill(medley *m)
{
  for (int k = 0; k < MEDLEY_LINKS; ++k)
    medley_add_link(m, k);
  for (int a = 0; a < MEDLEY_LINKS; ++a)
    for (int b = a + 1; b < MEDLEY_LINKS; ++b)
      if (medley_is_pair(a, b))
        ck_assert_int_eq(
            clp_scene_add_pair(m->scene, m->links[a], m->links[b], &m->pairs[m->pair_count++]),
            CLP_OK);
}

static inline medley medley_make(clp_scene_options options)
{
  medley m = medley_prepare(options);
  medley_fill(&m);
  return m;
}

static inline void medley_destroy(medley *m)
{
  clp_scene_destroy(m->scene);
  for (int k = 0; k < MEDLEY_BODIES; ++k)
    clp_body_destroy(m->bodies[k]);
}

/* A place on the unit circle that goes round in a period of about 6 at rate 1, and its velocity:
 * (1 - u^2, 2 u) / (1 + u^2), with u running up from -1 to 1 for one half and the other way round
 * for the other. */
static inline void medley_circle(double t, double *c, double *s, double *dc, double *ds)
{
  double turns = t / 4;
  long half = (long)turns;
  double u = 2 * (turns - (double)half) - 1, sign = half % 2 ? -1 : 1, n = 1 + u * u;
  *c = sign * (1 - u * u) / n;
  *s = sign * 2 * u / n;
  *dc = sign * -4 * u / (n * n) * 0.5;
  *ds = sign * 2 * (1 - u * u) / (n * n) * 0.5;
}

/* Moves the links to where they are in the next cycle, 1 ms after the last. The bowl rests. False
 * when the scene refuses; nothing is asserted, for that would allocate. */
static inline bool medley_move(medley *m)
{
  bool accepted = true;
  double t = 0.001 * ++m->cycle;
  for (int k = 1; k < MEDLEY_LINKS; ++k) {
    double c, s, dc, ds, rate = 0.5 + 0.1 * k, size = 0.4 + 0.1 * (k % 5);
    medley_circle(rate * t + k, &c, &s, &dc, &ds);
    clp_vec3 center = {1.1 * (k % 3), 0.9 * (k / 3), 0.5 + 0.4 * (k % 2)};
    clp_pose X = {clp_quaternion_rotation((clp_quaternion){c, s, 0.3 * k, 1}),
                  clp_add(center, clp_scale(size, (clp_vec3){c, s, 0.5 * s}))};
    clp_twist V = {clp_scale(rate * size, (clp_vec3){dc, ds, 0.5 * ds}), {0, 0, 0}};
    m->X_WL[k] = X;
    accepted &= clp_scene_set_motion(m->scene, m->links[k], &X, &V) == CLP_OK;
  }
  return accepted;
}

static inline clp_scene_report medley_step(medley *m)
{
  ck_assert(medley_move(m));
  return clp_scene_step(m->scene, 0.001 * m->cycle);
}

/* ---- Fingerprints of answers (FNV-1a) ----------------------------------------------------- */

static inline uint64_t medley_mix(uint64_t hash, const void *bytes, size_t count)
{
  const unsigned char *byte = bytes;
  for (size_t k = 0; k < count; ++k)
    hash = (hash ^ byte[k]) * 0x100000001b3u;
  return hash;
}

static inline uint64_t medley_mix_number(uint64_t hash, double x)
{
  return medley_mix(hash, &x, sizeof x);
}

static inline uint64_t medley_mix_answer(uint64_t hash, const clp_link_answer *links)
{
  const clp_answer *a = &links->answer;
  const int words[] = {(int)a->status,    (int)a->kind_a,      (int)a->kind_b,
                       (int)a->feature_a, (int)a->feature_b,   a->non_unique,
                       a->steps,          links->part_a,       links->part_b,
                       links->asked,      (int)links->coverage};
  const double numbers[] = {a->distance,  a->lower_bound, a->point_a.x, a->point_a.y,
                            a->point_a.z, a->point_b.x,   a->point_b.y, a->point_b.z,
                            a->normal.x,  a->normal.y,    a->normal.z};
  hash = medley_mix(hash, words, sizeof words);
  return medley_mix(hash, numbers, sizeof numbers);
}

/* Everything that can be known after a cycle. */
static inline uint64_t medley_mix_cycle(uint64_t hash, const medley *m,
                                        const clp_scene_report *report)
{
  hash = medley_mix_number(medley_mix_number(hash, report->distance), report->lower_bound);
  for (int k = 0; k < m->pair_count; ++k) {
    clp_link_answer links = clp_scene_answer(m->scene, m->pairs[k]);
    hash = medley_mix_answer(hash, &links);
    int events = clp_scene_event_count(m->scene, m->pairs[k]);
    hash = medley_mix(hash, &events, sizeof events);
  }
  return hash;
}

#define MEDLEY_SEED 0xcbf29ce484222325u

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/bag/cdr_reader.h"

/* On the wire, packed and with empty texts: two texts, a status, 14 doubles, two kinds, two
 * features, an age and a flag. */
#define LEAST_PAIR 140

static void take_triple(clp_cdr *c, double triple[3])
{
  for (int k = 0; k < 3; ++k)
    triple[k] = clp_cdr_double(c);
}

static clp_heard_pair take_pair(clp_cdr *c)
{
  clp_heard_pair p;
  p.body_a = clp_cdr_text(c);
  p.body_b = clp_cdr_text(c);
  p.status = clp_cdr_byte(c);
  p.distance = clp_cdr_double(c);
  p.lower_bound = clp_cdr_double(c);
  p.distance_rate = clp_cdr_double(c);
  p.speed_a = clp_cdr_double(c);
  p.speed_b = clp_cdr_double(c);
  take_triple(c, p.point_a);
  take_triple(c, p.point_b);
  take_triple(c, p.normal);
  p.kind_a = clp_cdr_byte(c);
  p.kind_b = clp_cdr_byte(c);
  p.feature_a = clp_cdr_uint32(c);
  p.feature_b = clp_cdr_uint32(c);
  p.age = clp_cdr_double(c);
  p.non_unique = clp_cdr_byte(c) != 0;
  return p;
}

bool clp_hear_pair(const void *bytes, size_t size, clp_heard_pair *pair)
{
  clp_cdr c;
  (void)clp_cdr_begin(&c, bytes, size);
  *pair = take_pair(&c);
  return c.good;
}

bool clp_hear_points(const void *bytes, size_t size, clp_heard_pair *pairs, size_t room,
                     clp_heard_points *points)
{
  clp_cdr c;
  clp_heard_points p = {0};
  (void)clp_cdr_begin(&c, bytes, size);
  p.stamp = clp_cdr_time(&c);
  p.frame = clp_cdr_text(&c);
  p.cycle = clp_cdr_uint64(&c);
  uint32_t told = clp_cdr_sequence(&c, LEAST_PAIR);
  for (uint32_t k = 0; c.good && k < told; ++k) {
    clp_heard_pair pair = take_pair(&c);
    if (pairs && p.pair_count < room)
      pairs[p.pair_count++] = pair;
  }
  p.beyond = told - p.pair_count;
  p.minimum = (int32_t)clp_cdr_uint32(&c);
  p.tracked = clp_cdr_uint32(&c);
  p.culled = clp_cdr_uint32(&c);
  p.stale = clp_cdr_uint32(&c);
  p.lower_bound = clp_cdr_double(&c);
  p.input_rate = clp_cdr_double(&c);
  p.latency = clp_cdr_double(&c);
  p.cycle_time = clp_cdr_double(&c);
  *points = p;
  return c.good;
}

bool clp_hear_safety(const void *bytes, size_t size, clp_heard_safety *safety)
{
  clp_cdr c;
  clp_heard_safety s;
  (void)clp_cdr_begin(&c, bytes, size);
  s.stamp = clp_cdr_time(&c);
  s.frame = clp_cdr_text(&c);
  s.cycle = clp_cdr_uint64(&c);
  s.zone = clp_cdr_byte(&c);
  s.speed_scale = clp_cdr_double(&c);
  s.separation = clp_cdr_double(&c);
  s.required_separation = clp_cdr_double(&c);
  s.approach_speed = clp_cdr_double(&c);
  s.body_a = clp_cdr_text(&c);
  s.body_b = clp_cdr_text(&c);
  s.reason = clp_cdr_text(&c);
  *safety = s;
  return c.good;
}

bool clp_hear_diagnostics(const void *bytes, size_t size, int64_t *stamp,
                          void (*take)(void *user, const clp_heard_value *value), void *user)
{
  enum { LEAST_STATUS = 20, LEAST_VALUE = 8 }; /* with empty texts */
  clp_cdr c;
  (void)clp_cdr_begin(&c, bytes, size);
  *stamp = clp_cdr_time(&c);
  (void)clp_cdr_text(&c);
  uint32_t states = clp_cdr_sequence(&c, LEAST_STATUS);
  for (uint32_t k = 0; c.good && k < states; ++k) {
    clp_heard_value v;
    v.level = clp_cdr_byte(&c);
    v.status = clp_cdr_text(&c);
    v.message = clp_cdr_text(&c);
    (void)clp_cdr_text(&c);
    uint32_t values = clp_cdr_sequence(&c, LEAST_VALUE);
    for (uint32_t j = 0; c.good && j < values; ++j) {
      v.key = clp_cdr_text(&c);
      v.value = clp_cdr_text(&c);
      if (c.good)
        take(user, &v);
    }
  }
  return c.good;
}

/* ---- Markers ------------------------------------------------------------------------------ */

static void skip_bytes(clp_cdr *c, uint32_t count)
{
  for (uint32_t k = 0; c->good && k < count; ++k)
    (void)clp_cdr_byte(c);
}

static void skip_doubles(clp_cdr *c, uint32_t count)
{
  for (uint32_t k = 0; c->good && k < count; ++k)
    (void)clp_cdr_double(c);
}

static void skip_floats(clp_cdr *c, uint32_t count)
{
  for (uint32_t k = 0; c->good && k < count; ++k)
    (void)clp_cdr_float(c);
}

/* A texture, its coordinates, a text and a mesh, which this project has in none of its markers. */
static void skip_rest(clp_cdr *c)
{
  (void)clp_cdr_text(c); /* texture_resource */
  (void)clp_cdr_time(c);
  (void)clp_cdr_text(c);
  (void)clp_cdr_text(c);
  skip_bytes(c, clp_cdr_sequence(c, 1));
  skip_floats(c, 2 * clp_cdr_sequence(c, 8));
  (void)clp_cdr_text(c);
  (void)clp_cdr_text(c); /* mesh_resource */
  (void)clp_cdr_text(c);
  skip_bytes(c, clp_cdr_sequence(c, 1));
  (void)clp_cdr_byte(c);
}

static clp_heard_marker take_marker(clp_cdr *c)
{
  enum { POSE_AND_SCALE = 10, POINT = 24, COLOR = 16 };
  clp_heard_marker m;
  (void)clp_cdr_time(c);
  m.frame = clp_cdr_text(c);
  m.name = clp_cdr_text(c);
  (void)clp_cdr_uint32(c);
  m.kind = (int32_t)clp_cdr_uint32(c);
  m.action = (int32_t)clp_cdr_uint32(c);
  skip_doubles(c, POSE_AND_SCALE);
  for (int k = 0; k < 4; ++k)
    m.color[k] = clp_cdr_float(c);
  (void)clp_cdr_time(c); /* lifetime */
  (void)clp_cdr_byte(c);
  m.point_count = clp_cdr_sequence(c, POINT);
  m.points = *c;
  skip_doubles(c, 3 * m.point_count);
  skip_floats(c, 4 * clp_cdr_sequence(c, COLOR));
  skip_rest(c);
  return m;
}

bool clp_hear_markers(const void *bytes, size_t size,
                      void (*take)(void *user, const clp_heard_marker *marker), void *user)
{
  enum { LEAST_MARKER = 180 }; /* with empty texts and lists, packed */
  clp_cdr c;
  (void)clp_cdr_begin(&c, bytes, size);
  uint32_t count = clp_cdr_sequence(&c, LEAST_MARKER);
  for (uint32_t k = 0; c.good && k < count; ++k) {
    clp_heard_marker marker = take_marker(&c);
    if (c.good)
      take(user, &marker);
  }
  return c.good;
}

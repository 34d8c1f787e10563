/* SPDX-License-Identifier: Apache-2.0 */
#include "examples/teleoperation/session.h"

#include <math.h>

#include "rclc_closest_point/math/vec3.h"

static const clp_vec3 nothing = {0, 0, 0};

/* What was put in `delay` cycles ago. */
static clp_vec3 send(delay_line *line, clp_vec3 item)
{
  line->items[line->next % LINE_MAX] = item;
  clp_vec3 out = line->items[(line->next + LINE_MAX - line->delay) % LINE_MAX];
  line->next = (line->next + 1) % LINE_MAX;
  return out;
}

static delay_line filled_line(int delay, clp_vec3 item)
{
  delay_line line = {.delay = delay};
  for (int k = 0; k < LINE_MAX; ++k)
    line.items[k] = item;
  return line;
}

bool session_begin(session *s, const clp_body *wall, const clp_body *tip, clp_force_law law,
                   bool waves, int delay, clp_vec3 place)
{
  *s = (session){.waves = waves,
                 .master_plant = plant_create(MASTER_MASS, MASTER_DAMPING, HAND_STIFFNESS, CYCLE),
                 .slave_plant = plant_create(SLAVE_MASS, SLAVE_DAMPING, 0, CYCLE),
                 .master = {place, nothing},
                 .slave = {place, nothing},
                 .last_x = place};
  if (!wall_touch(&s->contact, wall, tip, law))
    return false;
  clp_vec3 push = wall_push(&s->contact, place, 1); /* in a second every ramp is over */
  double scale = 1 / sqrt(2 * WAVE_IMPEDANCE);
  s->asked = clp_add_scaled(place, -1 / COUPLER_STIFFNESS, push);
  s->there = filled_line(delay, waves ? clp_scale(-scale, push) : place);
  s->back = filled_line(waves ? delay + 1 : delay, waves ? clp_scale(scale, push) : push);
  return true;
}

void session_end(session *s)
{
  wall_leave(&s->contact);
}

/* Where a rail lets a step lead. */
static plant_state guided(const session *s, plant_state from, plant_state to)
{
  if (!s->on_a_rail)
    return to;
  double off = clp_dot(clp_sub(to.x, from.x), s->rail);
  return (plant_state){clp_add_scaled(from.x, off, s->rail),
                       clp_scale(clp_dot(to.v, s->rail), s->rail)};
}

/* ---- The two channels: the force F at the master ------------------------------------------ */

static clp_vec3 force_directly(session *s)
{
  clp_vec3 there = send(&s->there, s->master.x);
  s->slave = (plant_state){there, nothing};
  return clp_negate(send(&s->back, wall_push(&s->contact, there, CYCLE)));
}

/* The coupler's force F' on the slave and the speed v' that the waves ask for depend on each other:
 * v' = (sqrt(2b) u - F') / b and F' = K (asked + v' cycle - x) + B (v' - v), solved for F'. */
static clp_vec3 couple(session *s, clp_vec3 u)
{
  double b = WAVE_IMPEDANCE, g = COUPLER_STIFFNESS * CYCLE + COUPLER_DAMPING;
  clp_vec3 stretched = clp_scale(COUPLER_STIFFNESS, clp_sub(s->asked, s->slave.x));
  clp_vec3 wanted = clp_add_scaled(stretched, -COUPLER_DAMPING, s->slave.v);
  clp_vec3 force = clp_scale(1 / (1 + g / b), clp_add_scaled(wanted, g * sqrt(2 / b), u));
  clp_vec3 v = clp_scale(1 / b, clp_sub(clp_scale(sqrt(2 * b), u), force));
  s->asked = clp_add_scaled(s->asked, CYCLE, v);
  return force;
}

static clp_vec3 force_by_waves(session *s, clp_vec3 v)
{
  double b = WAVE_IMPEDANCE;
  /* What comes back was sent at the end of a cycle: with no delay it is one cycle old. */
  clp_vec3 w = s->back.items[(s->back.next + LINE_MAX - s->back.delay) % LINE_MAX];
  clp_vec3 force = clp_add_scaled(clp_scale(b, v), -sqrt(2 * b), w);
  clp_vec3 out = clp_scale(1 / sqrt(2 * b), clp_add_scaled(force, b, v));
  clp_vec3 u = send(&s->there, out);
  clp_vec3 pull = couple(s, u);
  (void)send(&s->back, clp_add_scaled(u, -sqrt(2 / b), pull));
  clp_vec3 push = wall_push(&s->contact, s->slave.x, CYCLE);
  s->slave =
      guided(s, s->slave, plant_step(&s->slave_plant, s->slave, nothing, clp_add(pull, push)));
  return force;
}

/* ---- The motor ---------------------------------------------------------------------------- */

static clp_vec3 controlled(session *s, clp_vec3 force, clp_vec3 way)
{
  double size = clp_norm(force);
  if (!(size > 0))
    return force;
  double least = clp_dot(force, way) / size - ACCELERATION_BOUND * CYCLE * CYCLE;
  if (s->energy + size * least >= 0)
    return force;
  double part = fmax(0, s->energy) / (-least * size);
  ++s->controlled;
  s->withheld = fmax(s->withheld, (1 - part) * size);
  return clp_scale(part, force);
}

void session_step(session *s, clp_vec3 hand)
{
  clp_vec3 way = clp_sub(s->master.x, s->last_x);
  clp_vec3 raw = s->waves ? force_by_waves(s, clp_scale(1 / CYCLE, way)) : force_directly(s);
  s->force = s->guarded ? controlled(s, raw, way) : raw;
  s->last_x = s->master.x;
  s->master =
      guided(s, s->master, plant_step(&s->master_plant, s->master, hand, clp_negate(s->force)));
  clp_vec3 off = clp_sub(s->master.x, s->last_x);
  s->energy += clp_dot(s->force, off);
  s->acceleration = fmax(s->acceleration, clp_distance(off, way) / (CYCLE * CYCLE));
}

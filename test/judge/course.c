/* SPDX-License-Identifier: Apache-2.0 */
#include "judge/course.h"

/* ---- Poses -------------------------------------------------------------------------------- */

static double power(random_state *g, double least, double most)
{
  return pow(10, random_between(g, least, most));
}

static bool by_chance(random_state *g, double chance)
{
  return random_between(g, 0, 1) < chance;
}

static clp_vec3 rounded(real3 a)
{
  return (clp_vec3){(double)a.x, (double)a.y, (double)a.z};
}

/* As near to a rotation as doubles can be. */
static clp_mat3 rotation_of(real33 m)
{
  real3 x = real3_unit(m.x);
  real3 y = real3_unit(real3_sub(m.y, real3_scale(real3_dot(x, m.y), x)));
  return (clp_mat3){rounded(x), rounded(y), rounded(real3_cross(x, y))};
}

static clp_mat3 random_rotation(random_state *g)
{
  return rotation_of(
      (real33){real3_of(random_direction(g)), real3_of(random_direction(g)), {0, 0, 0}});
}

/* Turned by an angle about an axis: Rodrigues's formula. */
static real3 turned(real3 a, real3 axis, real angle)
{
  real3 along = real3_scale(real3_dot(axis, a), axis), across = real3_sub(a, along);
  return real3_add(along, real3_add(real3_scale(cosl(angle), across),
                                    real3_scale(sinl(angle), real3_cross(axis, a))));
}

static clp_mat3 turned_rotation(clp_mat3 r, real3 axis, real angle)
{
  real33 m = real33_of(r);
  return rotation_of(
      (real33){turned(m.x, axis, angle), turned(m.y, axis, angle), turned(m.z, axis, angle)});
}

/* A quarter turn or more about one of the frame's axes, or none, or a very little. */
static clp_mat3 aligned(clp_mat3 r, random_state *g)
{
  const clp_vec3 axes[3] = {r.x, r.y, r.z};
  real quarter = 1.57079632679489661923L, angle = quarter * (real)(random_bits(g) % 4);
  if (by_chance(g, 0.3))
    angle += (real)power(g, -14, -2);
  return turned_rotation(r, real3_of(axes[random_bits(g) % 3]), angle);
}

/* ---- Places ------------------------------------------------------------------------------- */

static real size_of(const course *c)
{
  return c->a->size + c->b->size;
}

static double random_gap(const course *c)
{
  random_state *g = c->g;
  double size = (double)size_of(c), kind = random_between(g, 0, 1);
  if (kind < 0.05)
    return 0;
  if (kind < 0.3)
    return size * power(g, -13, -3) * (by_chance(g, 0.4) ? -1 : 1);
  if (kind < 0.75)
    return size * power(g, -3, 1);
  return -size * power(g, -3, -0.3);
}

/* Moves B so that its farthest point against n is a gap beyond A's along n: then the planes through
 * these two points are that far apart, and so are the points unless B is moved across. */
static void put_beyond(course *c, real3 n, double gap, real3 across)
{
  c->X_WB.position = (clp_vec3){0, 0, 0};
  shape_at a = shape_place(c->a, &c->X_WA), b = shape_place(c->b, &c->X_WB);
  real3 x = shape_at_support(&a, n), y = shape_at_support(&b, real3_scale(-1, n));
  real3 to = real3_add(real3_add(x, real3_scale(gap, n)), across);
  c->X_WB.position = rounded(real3_sub(to, y));
}

static real3 some_direction(const course *c)
{
  const clp_vec3 axes[3] = {c->X_WA.rotation.x, c->X_WA.rotation.y, c->X_WA.rotation.z};
  if (!by_chance(c->g, 0.4))
    return real3_of(random_direction(c->g));
  real sign = by_chance(c->g, 0.5) ? 1 : -1;
  return real3_unit(real3_scale(sign, real3_of(axes[random_bits(c->g) % 3])));
}

void course_place(course *c)
{
  random_state *g = c->g;
  double size = (double)size_of(c);
  bool still = by_chance(g, 0.2);
  c->X_WA.rotation = still ? (clp_mat3){{1, 0, 0}, {0, 1, 0}, {0, 0, 1}} : random_rotation(g);
  c->X_WA.position = (clp_vec3){0, 0, 0};
  if (!still) {
    clp_vec3 u = random_direction(g);
    double far = size * power(g, -2, 1);
    c->X_WA.position = (clp_vec3){far * u.x, far * u.y, far * u.z};
  }
  c->X_WB.rotation = by_chance(g, 0.4) ? aligned(c->X_WA.rotation, g) : random_rotation(g);
  if (by_chance(g, 0.06)) { /* one within the other, mostly */
    real3 u = real3_scale(0.05L * size_of(c) * by_chance(g, 0.7), real3_of(random_direction(g)));
    c->X_WB.position = rounded(real3_add(real3_of(c->X_WA.position), u));
    return;
  }
  real3 n = some_direction(c), across = {0, 0, 0};
  if (by_chance(g, 0.3)) {
    across = real3_scale((real)(0.2 * size), real3_of(random_direction(g)));
    across = real3_sub(across, real3_scale(real3_dot(across, n), n));
  }
  put_beyond(c, n, random_gap(c), across);
}

/* ---- Motion ------------------------------------------------------------------------------- */

static clp_twist random_twist(random_state *g, double speed, double size)
{
  clp_vec3 v = random_direction(g), w = random_direction(g);
  double turn = by_chance(g, 0.3) ? 0 : speed / size * random_between(g, 0, 2);
  return (clp_twist){{speed * v.x, speed * v.y, speed * v.z}, {turn * w.x, turn * w.y, turn * w.z}};
}

void course_set_out(course *c)
{
  double size = (double)size_of(c), speed = size * power(c->g, -1.5, 3);
  c->V_WA = random_twist(c->g, by_chance(c->g, 0.4) ? 0 : speed, size);
  c->V_WB = random_twist(c->g, speed, size);
  c->known = by_chance(c->g, 0.8);
  if (by_chance(c->g, 0.4)) {
    real3 d = real3_sub(real3_of(c->X_WA.position), real3_of(c->X_WB.position));
    if (real3_norm(d) > 0)
      c->V_WB.linear = rounded(real3_scale(speed, real3_unit(d)));
  }
  if (by_chance(c->g, 0.1))
    c->V_WA = c->V_WB = (clp_twist){{0, 0, 0}, {0, 0, 0}};
}

static void move_on(clp_pose *X, const clp_twist *V, double step)
{
  real3 w = real3_of(V->angular);
  real turn = real3_norm(w);
  X->position = rounded(real3_add(real3_of(X->position), real3_scale(step, real3_of(V->linear))));
  if (turn > 0)
    X->rotation = turned_rotation(X->rotation, real3_unit(w), step * turn);
}

bool course_move(course *c, double step)
{
  double what = random_between(c->g, 0, 1);
  if (what < 0.03) {
    course_place(c);
    return false;
  }
  if (what < 0.08)
    course_set_out(c);
  move_on(&c->X_WA, &c->V_WA, step);
  move_on(&c->X_WB, &c->V_WB, step);
  return true;
}

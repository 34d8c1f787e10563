/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/witness/pole.h"

#include "rclc_closest_point/math/vec3.h"

/* A collapsed side, and the unit vector on it that is asked for. */
typedef struct pole {
  const clp_face *face;
  const clp_edge *edge;
  int side;
  clp_vec3 (*vector)(const struct pole *pole, clp_curve_site at);
} pole;

static clp_site site_at(const pole *p, clp_curve_site at)
{
  return clp_side_site(&p->face->surface, &p->face->domain, p->side, at);
}

static clp_vec3 normal_at(const pole *p, clp_curve_site at)
{
  return clp_surface_normal(&p->face->surface, &p->face->domain, site_at(p, at));
}

/* Into the face, square to its side. On a collapsed side that is the derivative across it, which
 * clp_side_conormal knows. */
static clp_vec3 conormal_at(const pole *p, clp_curve_site at)
{
  return clp_side_conormal(&p->face->surface, &p->face->domain, p->side, at);
}

static pole pole_of(const clp_body *body, const clp_corner *corner,
                    clp_vec3 (*vector)(const pole *, clp_curve_site))
{
  const clp_face *face = &body->faces[corner->face];
  uint32_t number = clp_face_use_at(body, face, corner->side, corner->site);
  return (pole){face, &body->edges[body->uses[number].edge], corner->side, vector};
}

static double component(const pole *p, clp_vec3 d, clp_curve_site at)
{
  return clp_dot(p->vector(p, at), d);
}

/* ---- Surfaces of revolution --------------------------------------------------------------- */

static bool is_revolved(const pole *p)
{
  return p->face->domain.kind == CLP_DOMAIN_BAND &&
         clp_surface_site_form(&p->face->surface) == CLP_SITE_TURN;
}

static clp_curve_site turned(clp_curve_site at, double cosine, double sine)
{
  return (clp_curve_site){{cosine * at.c[0] - sine * at.c[1], sine * at.c[0] + cosine * at.c[1]}};
}

/* At the angle t about z both vectors are (a cos t, a sin t, b), so that their component along d is
 * largest at d's own angle, or opposite to it where a is negative (a dent). */
static clp_curve_site best_angle(const pole *p, clp_vec3 d)
{
  double across = hypot(d.x, d.y);
  clp_curve_site at = {{1, 0}};
  if (across > 0)
    at = (clp_curve_site){{d.x / across, d.y / across}};
  clp_curve_site opposite = turned(at, -1, 0);
  return component(p, d, opposite) > component(p, d, at) ? opposite : at;
}

/* ---- Other surfaces ----------------------------------------------------------------------- */

/* Places at which the search looks first: between two of them a side turns by half a right angle at
 * most, if it goes all round. */
enum { PARTS = 8 };

/* Steps to one maximum; a few are enough where the side is smooth. */
enum { STEPS = 40 };

/* Over this part of the side derivatives are differences: rounding and the third derivative leave
 * about 1e-11 of them. */
#define DIFFERENCE 1e-5

/* How exactly a place is wanted, as a part of the side. */
#define EXACT 1e-12

static clp_curve_site fraction(const pole *p, double f)
{
  return clp_edge_fraction(p->edge, f);
}

/* The derivative of the component along d: its zero is known much better than where values, which
 * next to a maximum differ by rounding, are largest. At the ends three places on one side are as
 * exact as two on both. */
static double slope(const pole *p, clp_vec3 d, double f)
{
  double step = f < DIFFERENCE ? DIFFERENCE : -DIFFERENCE;
  if (f >= DIFFERENCE && f <= 1 - DIFFERENCE)
    return (component(p, d, fraction(p, f + DIFFERENCE)) -
            component(p, d, fraction(p, f - DIFFERENCE))) /
           (2 * DIFFERENCE);
  double here = component(p, d, fraction(p, f)), next = component(p, d, fraction(p, f + step));
  return (4 * next - 3 * here - component(p, d, fraction(p, f + 2 * step))) / (2 * step);
}

/* Where the slope changes its sign between lo and hi, or the end that is higher: regula falsi, the
 * kept end's slope halved so that both move (Illinois). */
static double climb(const pole *p, clp_vec3 d, double lo, double hi)
{
  double at_lo = slope(p, d, lo), at_hi = slope(p, d, hi);
  if (!(at_lo > 0))
    return lo;
  if (!(at_hi < 0))
    return hi;
  double f = lo;
  for (int k = 0, kept = 0; k < STEPS && hi - lo > EXACT; ++k) {
    double before = f;
    f = (lo * at_hi - hi * at_lo) / (at_hi - at_lo);
    double here = slope(p, d, f);
    if (here == 0 || fabs(f - before) <= EXACT)
      return f;
    if (here > 0) {
      lo = f;
      at_lo = here;
      at_hi *= kept == 1 ? 0.5 : 1;
      kept = 1;
    } else {
      hi = f;
      at_hi = here;
      at_lo *= kept == -1 ? 0.5 : 1;
      kept = -1;
    }
  }
  return f;
}

/* From every place of a first few that no neighbor is above. A side that goes all round ends where
 * it starts, and what lies on the other side of that seam is higher than neither of its ends tells:
 * so the ends count as such places too, each on its own. */
static double best_fraction(const pole *p, clp_vec3 d)
{
  double value[PARTS + 1], best = 0, most = -HUGE_VAL;
  for (int k = 0; k <= PARTS; ++k)
    value[k] = component(p, d, fraction(p, (double)k / PARTS));
  for (int k = 0; k <= PARTS; ++k) {
    if ((k > 0 && value[k - 1] > value[k]) || (k < PARTS && value[k + 1] > value[k]))
      continue;
    double f = climb(p, d, fmax(0, (k - 1.0) / PARTS), fmin(1, (k + 1.0) / PARTS));
    double here = component(p, d, fraction(p, f));
    if (here > most) {
      most = here;
      best = f;
    }
  }
  return best;
}

/* ---- Both --------------------------------------------------------------------------------- */

static clp_curve_site best_place(const pole *p, clp_vec3 d)
{
  return is_revolved(p) ? best_angle(p, d) : fraction(p, best_fraction(p, d));
}

double clp_pole_direction(const clp_body *body, const clp_corner *corner, clp_vec3 d,
                          clp_site *site)
{
  pole p = pole_of(body, corner, conormal_at);
  clp_curve_site at = best_place(&p, d);
  *site = site_at(&p, at);
  return component(&p, d, at);
}

clp_site clp_pole_behind(const clp_body *body, const clp_corner *corner, clp_vec3 n)
{
  pole p = pole_of(body, corner, normal_at);
  const clp_domain *domain = &p.face->domain;
  clp_site site = site_at(&p, best_place(&p, n));
  int across = domain->kind == CLP_DOMAIN_BAND ? 2 : corner->side <= CLP_SIDE_U1 ? 0 : 1;
  site.c[across] = clp_domain_middle(&p.face->surface, domain).c[across];
  return site;
}

static clp_vec3 rough_normal(const pole *p, clp_curve_site at, double *off)
{
  clp_normal normal =
      clp_surface_normal_within(&p->face->surface, &p->face->domain, site_at(p, at));
  *off = fmax(*off, normal.off);
  return normal.n;
}

/* A third of a turn each: the three hold n well inside of them where it is well inside the cone. */
static int normals_round(const pole *p, clp_vec3 n, clp_vec3 *normals, double *off)
{
  const double cosine = -0.5, sine = 0.86602540378443865;
  clp_curve_site at = best_angle(p, n);
  normals[0] = rough_normal(p, at, off);
  normals[1] = rough_normal(p, turned(at, cosine, sine), off);
  normals[2] = rough_normal(p, turned(at, cosine, -sine), off);
  return 3;
}

/* Normals of a smooth place that differ by no more are one. */
#define SAME 1e-12

static bool is_smooth(const clp_body *body, const pole *p, const clp_vec3 normals[3])
{
  uint32_t vertex = p->edge->vertex[0];
  return vertex != CLP_NONE && !body->vertices[vertex].sharp &&
         clp_distance(normals[0], normals[1]) <= SAME &&
         clp_distance(normals[0], normals[2]) <= SAME;
}

int clp_pole_normals(const clp_body *body, const clp_corner *corner, clp_vec3 n,
                     clp_vec3 normals[CLP_POLE_NORMALS], double *off)
{
  pole p = pole_of(body, corner, normal_at);
  if (is_revolved(&p))
    return normals_round(&p, n, normals, off);
  for (int k = 0; k < 3; ++k)
    normals[k + 1] = rough_normal(&p, fraction(&p, 0.5 * k), off);
  normals[0] = normals[1];
  if (is_smooth(body, &p, normals + 1))
    return 1;
  normals[0] = rough_normal(&p, best_place(&p, n), off);
  return CLP_POLE_NORMALS;
}

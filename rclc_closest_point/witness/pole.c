/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/witness/pole.h"

#include "rclc_closest_point/math/vec3.h"

/* A collapsed side, and the unit vector on it that is asked for: the face's normal, or its way into
 * the face. */
typedef struct pole {
  const clp_face *face;
  const clp_edge *edge;
  int side;
  bool normals;
} pole;

static clp_site site_at(const pole *p, clp_curve_site at)
{
  return clp_side_site(&p->face->surface, &p->face->domain, p->side, at);
}

static pole pole_of(const clp_body *body, const clp_corner *corner, bool normals)
{
  const clp_face *face = &body->faces[corner->face];
  uint32_t number = clp_face_use_at(body, face, corner->side, corner->site);
  return (pole){face, &body->edges[body->uses[number].edge], corner->side, normals};
}

/* Where it points most along a direction, and its component along that. */
typedef struct best {
  clp_curve_site at;
  double along;
} best;

static double component(const pole *p, clp_vec3 d, clp_curve_site at)
{
  const clp_surface *surface = &p->face->surface;
  const clp_domain *domain = &p->face->domain;
  return clp_dot(d, p->normals ? clp_surface_normal(surface, domain, site_at(p, at))
                               : clp_side_conormal(surface, domain, p->side, at));
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
static best best_angle(const pole *p, clp_vec3 d)
{
  double across = hypot(d.x, d.y);
  clp_curve_site at = {{1, 0}};
  if (across > 0)
    at = (clp_curve_site){{d.x / across, d.y / across}};
  clp_curve_site opposite = turned(at, -1, 0);
  double along = component(p, d, at), behind = component(p, d, opposite);
  return behind > along ? (best){opposite, behind} : (best){at, along};
}

/* ---- Splines ------------------------------------------------------------------------------ */

/* Places at which the search looks first: as many as a span's way into the face may turn to and
 * fro, and no more than leave half a right angle between two of them if it goes all round. */
enum { PARTS = 8 };

/* Steps to one maximum; a few are enough where the side is smooth. */
enum { STEPS = 40 };

/* Of the side: what comes after a step of regula falsi that is this short is rounding. */
#define LAST_STEP 1e-9

static clp_curve_site fraction(const pole *p, double f)
{
  return clp_edge_fraction(p->edge, f);
}

/* The component along d at a place of the side, and what has the sign of its derivative there. */
typedef struct lean {
  double f, along, slope;
} lean;

/* The side being a point, the derivative g across it is the way into the face, and the normal n is
 * square to g and to its derivative g' along the side. So g's unit vector changes along the part of
 * g' that is square to g; and n along that, too: n' is square to n, and to g, for n'.g = -n.g' = 0.
 * Where the body is convex n' has the same sign. */
static lean lean_at(const pole *p, clp_vec3 d, double f)
{
  const clp_surface *surface = &p->face->surface;
  clp_site site = site_at(p, fraction(p, f));
  clp_jet jet;
  clp_spline_jet(&surface->as.nurbs, site.c[0], site.c[1], &jet);
  double inwards = p->side == CLP_SIDE_U0 || p->side == CLP_SIDE_V0 ? 1 : -1;
  clp_vec3 g = clp_scale(inwards, clp_unit(p->side <= CLP_SIDE_U1 ? jet.u : jet.v));
  clp_vec3 turn = clp_scale(inwards, jet.uv), v = g;
  if (p->normals)
    v = clp_surface_normal_of(surface, &p->face->domain, site, &jet).n;
  return (lean){f, clp_dot(d, v), clp_dot(d, turn) - clp_dot(turn, g) * clp_dot(d, g)};
}

/* Where the slope falls through zero between lo and hi: regula falsi, the kept end's slope halved
 * so that both move (Illinois). Its zero is known much better than where values, which next to it
 * differ by rounding, are largest. */
static lean climb(const pole *p, clp_vec3 d, lean lo, lean hi)
{
  lean here = lo;
  for (int k = 0, kept = 0; k < STEPS && hi.f - lo.f > LAST_STEP; ++k) {
    double before = here.f;
    here = lean_at(p, d, (lo.f * hi.slope - hi.f * lo.slope) / (hi.slope - lo.slope));
    if (here.slope == 0 || fabs(here.f - before) <= LAST_STEP)
      return here;
    if (here.slope > 0) {
      lo = here;
      hi.slope *= kept == 1 ? 0.5 : 1;
      kept = 1;
    } else {
      hi = here;
      lo.slope *= kept == -1 ? 0.5 : 1;
      kept = -1;
    }
  }
  return here;
}

static int parts_of(const pole *p)
{
  const clp_curve *curve = &p->edge->curve;
  int parts = curve->kind == CLP_CURVE_NURBS ? curve->as.nurbs.spans * curve->as.nurbs.degree : 1;
  return parts < PARTS ? parts : PARTS;
}

/* Of the places between two of the first few, and of the ends: a side that goes all round ends
 * where it starts, and what lies on the other side of that seam is higher than neither of its ends
 * tells. */
static lean best_lean(const pole *p, clp_vec3 d)
{
  const int parts = parts_of(p);
  lean highest = {.along = -HUGE_VAL}, before = lean_at(p, d, 0);
  if (!(before.slope > 0))
    highest = before;
  for (int k = 1; k <= parts; ++k) {
    lean here = lean_at(p, d, (double)k / parts), peak = here;
    bool ends = k == parts && here.slope > 0;
    bool falls = before.slope > 0 && here.slope <= 0;
    if (falls)
      peak = climb(p, d, before, here);
    if ((falls || ends) && peak.along > highest.along)
      highest = peak;
    before = here;
  }
  return highest;
}

/* ---- Both --------------------------------------------------------------------------------- */

static best best_place(const pole *p, clp_vec3 d)
{
  if (is_revolved(p))
    return best_angle(p, d);
  lean highest = best_lean(p, d);
  return (best){fraction(p, highest.f), highest.along};
}

double clp_pole_direction(const clp_body *body, const clp_corner *corner, clp_vec3 d,
                          clp_site *site)
{
  pole p = pole_of(body, corner, false);
  best place = best_place(&p, d);
  *site = site_at(&p, place.at);
  return place.along;
}

clp_site clp_pole_behind(const clp_body *body, const clp_corner *corner, clp_vec3 n)
{
  pole p = pole_of(body, corner, true);
  const clp_domain *domain = &p.face->domain;
  clp_site site = site_at(&p, best_place(&p, n).at);
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
  clp_curve_site at = best_angle(p, n).at;
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
  pole p = pole_of(body, corner, true);
  if (is_revolved(&p))
    return normals_round(&p, n, normals, off);
  for (int k = 0; k < 3; ++k)
    normals[k + 1] = rough_normal(&p, fraction(&p, 0.5 * k), off);
  normals[0] = normals[1];
  if (is_smooth(body, &p, normals + 1))
    return 1;
  normals[0] = rough_normal(&p, best_place(&p, n).at, off);
  return CLP_POLE_NORMALS;
}

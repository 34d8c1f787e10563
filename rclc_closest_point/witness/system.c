/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/witness/system.h"

#include "rclc_closest_point/base/tolerance.h"
#include "rclc_closest_point/math/pose.h"
#include "rclc_closest_point/math/symmetric.h"

/* ---- Looking ------------------------------------------------------------------------------ */

static clp_spot_jet into_frame(const clp_pose *X, clp_spot_jet l)
{
  l.p = clp_transform(*X, l.p);
  for (int k = 0; k < l.freedoms; ++k)
    l.t[k] = clp_rotate(X->rotation, l.t[k]);
  for (int k = 0; k < 3 && l.freedoms > 0; k += l.freedoms == 2 ? 1 : 3)
    l.tt[k] = clp_rotate(X->rotation, l.tt[k]);
  if (l.freedoms == 2)
    l.normal = clp_rotate(X->rotation, l.normal);
  return l;
}

clp_couple_jets clp_couple_jets_at(const clp_body *a, clp_spot spot_a, const clp_body *b,
                                   clp_spot spot_b, const clp_pose *X_AB)
{
  clp_couple_jets jets = {.a = clp_spot_jet_at(a, spot_a),
                          .b = into_frame(X_AB, clp_spot_jet_at(b, spot_b))};
  jets.d = clp_sub(jets.b.p, jets.a.p);
  jets.distance = clp_norm(jets.d);
  return jets;
}

static double tangential(const clp_spot_jet *jet, clp_vec3 d)
{
  if (jet->freedoms == 2)
    return clp_norm(clp_add_scaled(d, -clp_dot(d, jet->normal), jet->normal));
  if (jet->freedoms == 1)
    return fabs(clp_dot(d, clp_unit(jet->t[0])));
  return 0;
}

double clp_couple_jets_residual(const clp_couple_jets *jets)
{
  double worse = fmax(tangential(&jets->a, jets->d), tangential(&jets->b, jets->d));
  return jets->distance > 0 ? worse / jets->distance : 0;
}

/* ---- Assembling --------------------------------------------------------------------------- */

/* The part of r that multiplies second derivatives. */
static clp_vec3 covariant(const clp_spot_jet *jet, clp_vec3 r)
{
  clp_vec3 w = r;
  if (jet->freedoms == 2) {
    w = clp_scale(clp_dot(r, jet->normal), jet->normal);
  } else if (jet->freedoms == 1) {
    double tt = clp_norm2(jet->t[0]);
    if (tt > 0)
      w = clp_add_scaled(r, -clp_dot(r, jet->t[0]) / tt, jet->t[0]);
  }
  double limit = jet->singular ? 0.02 : 0.8;
  return clp_norm2(clp_sub(r, w)) > limit * limit * clp_norm2(r) ? r : w;
}

static void add_body(clp_system *s, const clp_spot_jet *jet, double sign, clp_vec3 r)
{
  clp_vec3 w = clp_scale(sign, covariant(jet, r));
  int o = s->count;
  if (jet->freedoms == 2) {
    s->h[o][o] = clp_dot(w, jet->tt[0]);
    s->h[o][o + 1] = s->h[o + 1][o] = clp_dot(w, jet->tt[1]);
    s->h[o + 1][o + 1] = clp_dot(w, jet->tt[2]);
  } else if (jet->freedoms == 1) {
    s->h[o][o] = clp_dot(w, jet->tt[0]);
  }
  for (int k = 0; k < jet->freedoms; ++k)
    s->t[s->count++] = clp_scale(sign, jet->t[k]);
}

clp_system clp_system_assemble(const clp_couple_jets *jets, double size)
{
  clp_system s = {0};
  clp_vec3 r = clp_negate(jets->d);
  add_body(&s, &jets->a, 1, r);
  add_body(&s, &jets->b, -1, r);
  for (int i = 0; i < s.count; ++i) {
    s.g[i] = clp_dot(s.t[i], r);
    s.scale[i] = fmax(clp_norm(s.t[i]), 1e-9 * size);
    for (int j = 0; j <= i; ++j) {
      s.h[i][j] += clp_dot(s.t[i], s.t[j]); /* NOLINT(clang-analyzer-*): s is zeroed above */
      s.h[j][i] = s.h[i][j];
    }
  }
  return s;
}

/* ---- Solving ------------------------------------------------------------------------------ */

/* A pivot below this part of its diagonal is left to the eigenvalues. */
#define SAFE_PIVOT 1e-9

bool clp_system_solve(const clp_system *s, const double *y, double *x)
{
  double l[4][4] = {{0}}, d[4] = {0};
  int n = s->count;
  for (int j = 0; j < n; ++j) {
    double pivot = s->h[j][j];
    for (int k = 0; k < j; ++k)
      pivot -= l[j][k] * l[j][k] * d[k];
    if (!(pivot > SAFE_PIVOT * s->scale[j] * s->scale[j]))
      return false;
    d[j] = pivot;
    for (int i = j + 1; i < n; ++i) {
      double sum = s->h[i][j];
      for (int k = 0; k < j; ++k)
        sum -= l[i][k] * l[j][k] * d[k];
      l[i][j] = sum / pivot;
    }
  }
  for (int i = 0; i < n; ++i) {
    x[i] = -y[i]; /* NOLINT(clang-analyzer-*): all n of them are given */
    for (int k = 0; k < i; ++k)
      x[i] -= l[i][k] * x[k];
  }
  for (int i = n - 1; i >= 0; --i) {
    x[i] /= d[i];
    for (int k = i + 1; k < n; ++k)
      x[i] -= l[k][i] * x[k];
  }
  return true;
}

/* Of the largest pivot: rounding. */
#define LEVEL 1e-12

/* A negative eigenvalue of this part of the largest is none. */
#define NEGATIVE 1e-10

/* H x = r in units of length, eliminated from its largest pivots on; what is left beyond the used
 * ones is nothing, or has no sign. */
typedef struct elimination {
  int count;
  double h[4][4], r[4], largest;
  bool used[4];
} elimination;

static int largest_pivot(const elimination *e)
{
  int best = -1;
  for (int k = 0; k < e->count; ++k)
    if (!e->used[k] && (best < 0 || e->h[k][k] > e->h[best][best]))
      best = k;
  return best;
}

/* Pivots of no more than `least` of the largest are left over. */
static elimination eliminate(const clp_system *s, const double *y, double least)
{
  elimination e = {.count = s->count};
  for (int i = 0; i < e.count; ++i) {
    e.r[i] = -y[i] / s->scale[i];
    for (int j = 0; j < e.count; ++j)
      e.h[i][j] = s->h[i][j] / (s->scale[i] * s->scale[j]);
  }
  for (int p; (p = largest_pivot(&e)) >= 0;) {
    double pivot = e.h[p][p];
    e.largest = fmax(e.largest, pivot);
    if (!(pivot > least * e.largest))
      break;
    e.used[p] = true;
    for (int i = 0; i < e.count; ++i) {
      double f = i == p ? 0 : e.h[i][p] / pivot;
      for (int j = 0; j < e.count && i != p; ++j)
        e.h[i][j] -= f * e.h[p][j];
      e.r[i] -= f * e.r[p];
    }
  }
  return e;
}

/* Whether what is left over has a negative eigenvalue: its diagonal is none but for rounding. */
static bool is_indefinite(const elimination *e)
{
  for (int i = 0; i < e->count; ++i)
    for (int j = 0; j < e->count; ++j) {
      bool left = !e->used[i] && !e->used[j];
      double value = i == j ? -e->h[i][i] : fabs(e->h[i][j]);
      if (left && value > NEGATIVE * e->largest)
        return true;
    }
  return false;
}

/* Takes from x what it has of the unit vector v. */
static void take_out(int count, const double *v, double *x)
{
  double vx = 0;
  for (int i = 0; i < count; ++i)
    vx += v[i] * x[i];
  for (int i = 0; i < count; ++i)
    x[i] -= vx * v[i];
}

/* Each unknown that was not eliminated is a direction along which the others follow without going
 * up: the unit vectors of all of these; returns how many. */
static int floor_of(const elimination *e, double v[4][4])
{
  int count = 0;
  for (int k = 0; k < e->count; ++k) {
    double length2 = 0;
    if (e->used[k])
      continue;
    for (int i = 0; i < e->count; ++i)
      v[count][i] = e->used[i] ? -e->h[i][k] / e->h[i][i] : i == k;
    for (int j = 0; j < count; ++j)
      take_out(e->count, v[j], v[count]);
    for (int i = 0; i < e->count; ++i)
      length2 += v[count][i] * v[count][i];
    for (int i = 0; i < e->count; ++i)
      v[count][i] /= sqrt(length2);
    ++count;
  }
  return count;
}

bool clp_system_solve_semidefinite(const clp_system *s, const double *y, double *x)
{
  elimination e = eliminate(s, y, LEVEL);
  if (e.count == 0 || is_indefinite(&e))
    return false;
  for (int i = 0; i < e.count; ++i)
    x[i] = e.used[i] ? e.r[i] / e.h[i][i] : 0;
  double v[4][4];
  for (int k = floor_of(&e, v) - 1; k >= 0; --k)
    take_out(e.count, v[k], x);
  for (int i = 0; i < e.count; ++i)
    x[i] /= s->scale[i];
  return true;
}

/* Of the largest eigenvalue, or of what an unknown's own pivot may be: directions in which the
 * distance is a valley's wall have more, its floor less. */
#define STEEP 1e-4

/* The unknown whose pivot is largest beside its scale, of those that are left; -1: no wall. */
static int steepest(const clp_system *s, double h[4][4], const bool used[4])
{
  int best = -1;
  double most = STEEP;
  for (int k = 0; k < s->count; ++k) {
    double pivot = h[k][k] / (s->scale[k] * s->scale[k]);
    if (!used[k] && pivot > most) {
      most = pivot;
      best = k;
    }
  }
  return best;
}

/* Gauss and Jordan's elimination, as long as there are walls: what is not eliminated stays. */
bool clp_system_solve_steep(const clp_system *s, const double *y, double *x)
{
  double h[4][4], r[4];
  bool used[4] = {false};
  for (int i = 0; i < s->count; ++i) {
    r[i] = -y[i];
    for (int j = 0; j < s->count; ++j)
      h[i][j] = s->h[i][j];
  }
  int count = 0;
  for (int p; (p = steepest(s, h, used)) >= 0; ++count) {
    used[p] = true;
    for (int i = 0; i < s->count; ++i) {
      double f = i == p ? 0 : h[i][p] / h[p][p];
      for (int j = 0; j < s->count && i != p; ++j)
        h[i][j] -= f * h[p][j];
      r[i] -= f * r[p];
    }
  }
  for (int i = 0; i < s->count; ++i)
    x[i] = used[i] ? r[i] / h[i][i] : 0;
  return count > 0;
}

/* H and the slope along the floor's own axes, in units of length. */
typedef struct valley {
  int count;
  double value[4], slope[4], vector[4][4]; /* rows */
} valley;

static double product(const clp_system *s, const double *v, const double *w)
{
  double sum = 0;
  for (int i = 0; i < s->count; ++i)
    for (int j = 0; j < s->count; ++j)
      sum += v[i] * w[j] * s->h[i][j] / (s->scale[i] * s->scale[j]);
  return sum;
}

static valley valley_of(const clp_system *s, const double *y, double v[4][4], int count)
{
  double h[4][4], q[4][4];
  valley found = {.count = count};
  for (int k = 0; k < count; ++k)
    for (int l = 0; l <= k; ++l)
      h[k][l] = h[l][k] = product(s, v[k], v[l]);
  clp_symmetric_eigen(count, h, q);
  for (int k = 0; k < count; ++k) {
    found.value[k] = h[k][k];
    for (int i = 0; i < s->count; ++i) {
      for (int l = 0; l < count; ++l)
        found.vector[k][i] += q[l][k] * v[l][i];
      found.slope[k] += found.vector[k][i] * y[i] / s->scale[i];
    }
  }
  return found;
}

bool clp_system_slide(const clp_system *s, const double *y, double quiet, double reach, double *x)
{
  double v[4][4], slope = 0;
  elimination e = eliminate(s, y, STEEP);
  valley floor = valley_of(s, y, v, floor_of(&e, v));
  for (int k = 0; k < floor.count; ++k)
    slope += floor.slope[k] * floor.slope[k];
  slope = sqrt(slope);
  for (int i = 0; i < s->count; ++i)
    x[i] = 0;
  if (!(slope > quiet))
    return false;
  for (int k = 0; k < floor.count; ++k) {
    double far = reach * floor.slope[k] / slope;
    double own = floor.slope[k] / fmax(fabs(floor.value[k]), CLP_NOT_ZERO);
    bool known = fabs(floor.value[k]) > LEVEL * e.largest && fabs(own) < fabs(far);
    for (int i = 0; i < s->count; ++i)
      x[i] -= (known ? own : far) * floor.vector[k][i] / s->scale[i];
  }
  return true;
}

/* ---- Switching ---------------------------------------------------------------------------- */

/* -I^-1 g of a face, with a guard: where the tangents are dependent, each along its own. */
static void contravariant(const clp_system *s, int o, double *x)
{
  double e = clp_norm2(s->t[o]), f = clp_dot(s->t[o], s->t[o + 1]), g = clp_norm2(s->t[o + 1]);
  double det = e * g - f * f;
  if (det > 1e-12 * e * g && fmin(e, g) > 1e-14 * fmax(e, g)) {
    x[0] = -(g * s->g[o] - f * s->g[o + 1]) / det;
    x[1] = -(e * s->g[o + 1] - f * s->g[o]) / det;
    return;
  }
  x[0] = e > 1e-14 * g ? -s->g[o] / e : 0;
  x[1] = g > 1e-14 * e ? -s->g[o + 1] / g : 0;
}

void clp_side_along(const clp_body *body, clp_spot spot, int side, double along[2])
{
  const clp_face *face = &body->faces[spot.id];
  const clp_domain *domain = &face->domain;
  const double *c = spot.site.c;
  bool of_u = domain->kind == CLP_DOMAIN_RECTANGLE && side <= CLP_SIDE_U1;
  along[0] = of_u ? 0 : 1;
  along[1] = of_u ? 1 : 0;
  if (domain->kind == CLP_DOMAIN_POLYGON) {
    const double *p = domain->corners[side];
    const double *q = domain->corners[side + 1 < domain->corner_count ? side + 1 : 0];
    along[0] = q[0] - p[0];
    along[1] = q[1] - p[1];
  } else if (domain->kind == CLP_DOMAIN_DISC) {
    along[0] = -c[1];
    along[1] = c[0];
  } else if (domain->kind == CLP_DOMAIN_BAND &&
             clp_surface_site_form(&face->surface) == CLP_SITE_SPHERE) {
    clp_vec3 t1, t2;
    clp_tangents((clp_vec3){c[0], c[1], c[2]}, &t1, &t2);
    along[0] = t2.z; /* square to (t1.z, t2.z), the way q.z grows */
    along[1] = -t1.z;
  }
}

/* On a side that the step would leave, only the component along it remains. */
static void saturate(const clp_system *s, int o, const clp_body *body, clp_spot spot, double *x)
{
  int side;
  double along[2];
  if (clp_spot_fraction(body, spot, x, &side) > 1e-12 || side < 0)
    return;
  clp_side_along(body, spot, side, along);
  clp_vec3 t = clp_add(clp_scale(along[0], s->t[o]), clp_scale(along[1], s->t[o + 1]));
  double tt = clp_norm2(t), g = along[0] * s->g[o] + along[1] * s->g[o + 1];
  double step = tt > 0 ? -g / tt : 0;
  x[0] = step * along[0];
  x[1] = step * along[1];
  if (clp_spot_fraction(body, spot, x, &side) < 1e-12 && side >= 0)
    x[0] = x[1] = 0; /* a corner: both saturate */
}

static void switching_of(const clp_system *s, int o, int freedoms, const clp_body *body,
                         clp_spot spot, double *x)
{
  if (freedoms == 1) {
    double tt = clp_norm2(s->t[o]);
    int end;
    x[0] = tt > 0 ? -s->g[o] / tt : 0;
    if (clp_spot_fraction(body, spot, x, &end) < 1e-12 && end >= 0)
      x[0] = 0;
  } else if (freedoms == 2) {
    contravariant(s, o, x);
    saturate(s, o, body, spot, x);
  }
}

void clp_system_switching(const clp_system *s, const clp_body *a, clp_spot spot_a,
                          const clp_body *b, clp_spot spot_b, double *x)
{
  int freedoms_a = 2 - (int)spot_a.kind, freedoms_b = 2 - (int)spot_b.kind;
  switching_of(s, 0, freedoms_a, a, spot_a, x);
  switching_of(s, freedoms_a, freedoms_b, b, spot_b, x + freedoms_a);
}

/* ---- Bounds ------------------------------------------------------------------------------- */

clp_system clp_system_restrict(const clp_system *s, const clp_restriction *m)
{
  clp_system r = {.count = m->count};
  for (int i = 0; i < m->count; ++i) {
    r.t[i] = (clp_vec3){0, 0, 0};
    for (int k = 0; k < s->count; ++k) {
      r.t[i] = clp_add_scaled(r.t[i], m->column[i][k], s->t[k]);
      r.g[i] += m->column[i][k] * s->g[k];
    }
    r.scale[i] = fmax(clp_norm(r.t[i]), CLP_NOT_ZERO);
    for (int j = 0; j <= i; ++j) {
      double sum = 0;
      for (int k = 0; k < s->count; ++k)
        for (int l = 0; l < s->count; ++l)
          sum += m->column[i][k] * s->h[k][l] * m->column[j][l];
      r.h[i][j] = r.h[j][i] = sum;
    }
  }
  return r;
}

void clp_restriction_expand(const clp_restriction *m, int count, const double *y, double *x)
{
  for (int k = 0; k < count; ++k) {
    x[k] = 0;
    for (int i = 0; i < m->count; ++i)
      x[k] += m->column[i][k] * y[i];
  }
}

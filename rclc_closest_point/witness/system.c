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
  return jets->distance == 0 ? 0 : worse / jets->distance;
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
  clp_system s = {.least = 1e-9 * size};
  clp_vec3 r = clp_negate(jets->d);
  add_body(&s, &jets->a, 1, r);
  add_body(&s, &jets->b, -1, r);
  for (int i = 0; i < s.count; ++i) {
    s.g[i] = clp_dot(s.t[i], r);
    s.scale[i] = fmax(clp_norm(s.t[i]), s.least);
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

/* What the eigenvectors say: in units of length, the slope along each. */
typedef struct spectrum {
  double value[4], slope[4], vector[4][4]; /* columns */
  double largest, smallest;
} spectrum;

static spectrum spectrum_of(const clp_system *s, const double *y)
{
  double h[4][4];
  spectrum e = {.smallest = HUGE_VAL};
  int n = s->count;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      h[i][j] = s->h[i][j] / (s->scale[i] * s->scale[j]);
  clp_symmetric_eigen(n, h, e.vector);
  for (int k = 0; k < n; ++k) {
    e.value[k] = h[k][k];
    e.largest = fmax(e.largest, h[k][k]);
    e.smallest = fmin(e.smallest, h[k][k]);
    for (int i = 0; i < n; ++i)
      e.slope[k] += e.vector[i][k] * y[i] / s->scale[i];
  }
  return e;
}

/* Of the largest eigenvalue: rounding. */
#define LEVEL 1e-12

static bool is_level(const spectrum *e, int k)
{
  return e->value[k] <= LEVEL * e->largest;
}

static void add_along(const clp_system *s, const spectrum *e, int k, double length, double *x)
{
  for (int i = 0; i < s->count; ++i)
    x[i] += e->vector[i][k] * length / s->scale[i];
}

bool clp_system_solve_semidefinite(const clp_system *s, const double *y, double *x)
{
  int n = s->count;
  spectrum e = spectrum_of(s, y);
  if (n == 0 || e.smallest < -1e-10 * e.largest)
    return false;
  for (int i = 0; i < n; ++i)
    x[i] = 0;
  for (int k = 0; k < n; ++k)
    if (!is_level(&e, k))
      add_along(s, &e, k, -e.slope[k] / e.value[k], x);
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

bool clp_system_slide(const clp_system *s, const double *y, double quiet, double reach, double *x)
{
  double slope = 0;
  spectrum e = spectrum_of(s, y);
  for (int i = 0; i < s->count; ++i)
    x[i] = 0;
  for (int k = 0; k < s->count; ++k)
    slope += e.value[k] <= STEEP * e.largest ? e.slope[k] * e.slope[k] : 0;
  slope = sqrt(slope);
  if (!(slope > quiet))
    return false;
  for (int k = 0; k < s->count; ++k)
    if (e.value[k] <= STEEP * e.largest) {
      double far = reach * e.slope[k] / slope;
      double own = e.slope[k] / fmax(fabs(e.value[k]), CLP_NOT_ZERO);
      bool known = fabs(e.value[k]) > LEVEL * e.largest && fabs(own) < fabs(far);
      add_along(s, &e, k, -(known ? own : far), x);
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
  clp_system r = {.count = m->count, .least = s->least};
  for (int i = 0; i < m->count; ++i) {
    r.t[i] = (clp_vec3){0, 0, 0};
    for (int k = 0; k < s->count; ++k) {
      r.t[i] = clp_add_scaled(r.t[i], m->column[i][k], s->t[k]);
      r.g[i] += m->column[i][k] * s->g[k];
    }
    r.scale[i] = fmax(clp_norm(r.t[i]), s->least);
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

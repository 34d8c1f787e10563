/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "rclc_closest_point/body/builder.h"
#include "rclc_closest_point/math/symmetric.h"
#include "rclc_closest_point/math/vec3.h"

/* The gauge of a body: the center of its surface, and axes in which the surface spreads alike in
 * all directions. Any inner place and any axes would do, for what rests on them is proven; sampled
 * triangles find good ones. */

enum { GRID = 6 };

/* Of triangles in a frame: area, and the first and second moments about its origin. */
typedef struct moments {
  double area;
  clp_vec3 first;
  clp_mat3 second;
} moments;

static void add_point(moments *m, double area, clp_vec3 p)
{
  m->area += area;
  m->first = clp_add_scaled(m->first, area, p);
  m->second.x = clp_add_scaled(m->second.x, area * p.x, p);
  m->second.y = clp_add_scaled(m->second.y, area * p.y, p);
  m->second.z = clp_add_scaled(m->second.z, area * p.z, p);
}

static void add_triangle(moments *m, clp_vec3 a, clp_vec3 b, clp_vec3 c)
{
  double area = 0.5 * clp_norm(clp_cross(clp_sub(b, a), clp_sub(c, a)));
  add_point(m, area / 3, clp_lerp(a, b, 0.5));
  add_point(m, area / 3, clp_lerp(b, c, 0.5));
  add_point(m, area / 3, clp_lerp(c, a, 0.5));
}

static clp_site grid_site(const clp_face *face, double s, double t)
{
  const clp_domain *d = &face->domain;
  double angle = 2 * 3.14159265358979323846 * s, c = cos(angle), q = sin(angle);
  if (d->kind == CLP_DOMAIN_RECTANGLE)
    return (clp_site){{(1 - s) * d->lo[0] + s * d->hi[0], (1 - t) * d->lo[1] + t * d->hi[1], 0}};
  if (d->kind == CLP_DOMAIN_DISC) {
    double r = (1 - t) * d->lo[0] + t * d->hi[0];
    return (clp_site){{r * c, r * q, 0}};
  }
  bool band = d->kind == CLP_DOMAIN_BAND,
       round = clp_surface_site_form(&face->surface) == CLP_SITE_SPHERE;
  double lo = band ? d->lo[1] : -1, hi = band ? d->hi[1] : 1;
  if (!round)
    return (clp_site){{c, q, (1 - t) * lo + t * hi}};
  double z = (1 - t) * fmax(-1, lo) + t * fmin(1, hi), across = sqrt(fmax(0, (1 - z) * (1 + z)));
  return (clp_site){{across * c, across * q, z}};
}

static clp_vec3 place_of(const clp_face *face, const clp_gauge *gauge, clp_site site)
{
  return clp_gauge_place(gauge, clp_surface_point(&face->surface, site));
}

static void add_polygon(moments *m, const clp_face *face, const clp_gauge *gauge)
{
  clp_vec3 p[3];
  for (int k = 0; k < face->domain.corner_count; ++k) {
    const double *c = face->domain.corners[k];
    p[2] = place_of(face, gauge, (clp_site){{c[0], c[1], 0}});
    if (k == 0)
      p[0] = p[2];
    else if (k > 1)
      add_triangle(m, p[0], p[1], p[2]);
    p[1] = p[2];
  }
}

static void add_grid(moments *m, const clp_face *face, const clp_gauge *gauge)
{
  for (int i = 0; i < 2 * GRID; ++i)
    for (int j = 0; j < GRID; ++j) {
      double s0 = 0.5 * i / GRID, s1 = 0.5 * (i + 1) / GRID;
      double t0 = (double)j / GRID, t1 = (double)(j + 1) / GRID;
      clp_vec3 a = place_of(face, gauge, grid_site(face, s0, t0));
      clp_vec3 b = place_of(face, gauge, grid_site(face, s1, t0));
      clp_vec3 c = place_of(face, gauge, grid_site(face, s1, t1));
      clp_vec3 d = place_of(face, gauge, grid_site(face, s0, t1));
      add_triangle(m, a, b, c);
      add_triangle(m, a, c, d);
    }
}

/* A flat rectangle is two triangles. */
static void add_rectangle(moments *m, const clp_face *face, const clp_gauge *gauge)
{
  const clp_domain *d = &face->domain;
  clp_vec3 a = place_of(face, gauge, (clp_site){{d->lo[0], d->lo[1], 0}});
  clp_vec3 b = place_of(face, gauge, (clp_site){{d->hi[0], d->lo[1], 0}});
  clp_vec3 c = place_of(face, gauge, (clp_site){{d->hi[0], d->hi[1], 0}});
  clp_vec3 e = place_of(face, gauge, (clp_site){{d->lo[0], d->hi[1], 0}});
  add_triangle(m, a, b, c);
  add_triangle(m, a, c, e);
}

static moments surface_moments(const clp_builder *builder, const clp_gauge *gauge)
{
  moments m = {0};
  for (size_t k = 0; k < builder->face_count; ++k) {
    const clp_face *face = &builder->faces[k].face;
    if (face->domain.kind == CLP_DOMAIN_POLYGON)
      add_polygon(&m, face, gauge);
    else if (clp_surface_facts_of(&face->surface)->flat &&
             face->domain.kind == CLP_DOMAIN_RECTANGLE)
      add_rectangle(&m, face, gauge);
    else
      add_grid(&m, face, gauge);
  }
  return m;
}

/* The lower triangular C with C C^T = m; false where m is not definite. */
static bool cholesky(const clp_mat3 *m, clp_mat3 *c)
{
  *c = (clp_mat3){{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
  c->x.x = sqrt(m->x.x);
  c->x.y = m->x.y / c->x.x;
  c->x.z = m->x.z / c->x.x;
  c->y.y = sqrt(m->y.y - c->x.y * c->x.y);
  c->y.z = (m->y.z - c->x.z * c->x.y) / c->y.y;
  c->z.z = sqrt(m->z.z - c->x.z * c->x.z - c->y.z * c->y.z);
  return c->x.x > 0 && c->y.y > 0 && c->z.z > 0 && isfinite(c->z.z + c->y.z + c->x.z);
}

static clp_mat3 inverse_of_lower(const clp_mat3 *c)
{
  clp_mat3 i = {{1 / c->x.x, 0, 0}, {0, 1 / c->y.y, 0}, {0, 0, 1 / c->z.z}};
  i.x.y = -c->x.y * i.x.x / c->y.y;
  i.y.z = -c->y.z * i.y.y / c->z.z;
  i.x.z = -(c->x.z * i.x.x + c->y.z * i.x.y) / c->z.z;
  return i;
}

/* About z everything is alike: so shall be the frame, to the last digit. */
static void make_round(clp_mat3 *m)
{
  double across = 0.5 * (m->x.x + m->y.y);
  *m = (clp_mat3){{across, 0, 0}, {0, across, 0}, {0, 0, m->z.z}};
}

static void refine(const clp_builder *builder, clp_gauge *gauge)
{
  moments m = surface_moments(builder, gauge);
  clp_shape shape = builder->def->shape;
  bool turned =
      shape == CLP_SHAPE_REVOLVED || shape == CLP_SHAPE_CYLINDER || shape == CLP_SHAPE_CAPSULE;
  clp_vec3 middle = clp_scale(1 / m.area, m.first);
  if (turned)
    middle.x = middle.y = 0;
  clp_mat3 spread = {
      clp_add_scaled(clp_scale(1 / m.area, m.second.x), -middle.x, middle),
      clp_add_scaled(clp_scale(1 / m.area, m.second.y), -middle.y, middle),
      clp_add_scaled(clp_scale(1 / m.area, m.second.z), -middle.z, middle),
  };
  if (turned)
    make_round(&spread);
  clp_mat3 c;
  if (!(m.area > 0) || !cholesky(&spread, &c))
    return;
  gauge->center = clp_add(gauge->center, clp_rotate(gauge->from, middle));
  gauge->from = clp_mat3_multiply(gauge->from, c);
  gauge->to = clp_mat3_multiply(inverse_of_lower(&c), gauge->to);
}

/* The root of the largest eigenvalue of m^T m. */
static double spectral_norm(const clp_mat3 *m)
{
  const clp_vec3 columns[3] = {m->x, m->y, m->z};
  double h[4][4], axes[4][4], most = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      h[i][j] = clp_dot(columns[i], columns[j]);
  clp_symmetric_eigen(3, h, axes);
  for (int k = 0; k < 3; ++k)
    most = fmax(most, h[k][k]);
  return sqrt(most);
}

/* The second round has the digits that the first one lost where the body is thin. */
void clp_fit_gauge(clp_builder *builder)
{
  clp_gauge gauge = clp_gauge_plain(builder->size);
  if (builder->def->shape != CLP_SHAPE_REVOLVED && builder->def->shape != CLP_SHAPE_CYLINDER &&
      builder->def->shape != CLP_SHAPE_CAPSULE)
    gauge.center = clp_lerp(builder->box.min, builder->box.max, 0.5);
  refine(builder, &gauge);
  refine(builder, &gauge);
  const clp_box3 *box = &builder->box;
  double x = fmax(fabs(box->min.x), fabs(box->max.x)), y = fmax(fabs(box->min.y), fabs(box->max.y)),
         z = fmax(fabs(box->min.z), fabs(box->max.z));
  const clp_mat3 *to = &gauge.to;
  clp_vec3 offset = {fabs(to->x.x) * x + fabs(to->y.x) * y + fabs(to->z.x) * z,
                     fabs(to->x.y) * x + fabs(to->y.y) * y + fabs(to->z.y) * z,
                     fabs(to->x.z) * x + fabs(to->y.z) * y + fabs(to->z.z) * z};
  gauge.offset = clp_norm(offset);
  gauge.stretch = spectral_norm(to);
  builder->gauge = gauge;
}

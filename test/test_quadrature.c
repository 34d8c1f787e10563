/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/base/tolerance.h"
#include "rclc_closest_point/math/vec3.h"
#include "rclc_closest_point/surface/bounds.h"
#include "test/support/faces.h"
#include "test/support/nets.h"
#include "test/support/random.h"
#include "test/support/sites.h"
#include "test/support/suite.h"

static const double pi = 3.14159265358979323846;
static const clp_vec3 somewhere = {0.3, -0.2, 0.7};

static clp_face_measure measure(const face *f)
{
  return clp_face_quadrature(&f->surface, &f->domain, somewhere, CLP_TOLERANCE_QUADRATURE);
}

static clp_face_measure measure_body(const char *name)
{
  net nets[NETS_MAX];
  clp_face_measure sum = {0, 0};
  int count = nets_load(name, nets);
  for (int k = 0; k < count; ++k) {
    patch p = patch_of_net(&nets[k]);
    clp_face_measure m =
        clp_face_quadrature(&p.surface, &p.domain, somewhere, CLP_TOLERANCE_QUADRATURE);
    sum.area += m.area;
    sum.volume += m.volume;
    patch_free(&p);
  }
  return sum;
}

static void check_within(double value, double expected, double relative)
{
  ck_assert_double_eq_tol(value, expected, relative * fabs(expected));
}

static void check_equal(double value, double expected)
{
  check_within(value, expected, 1e-11);
}

SUITE("quadrature");

TEST_CASE("tiled bodies", 20);

TEST(tiled_ball)
{
  clp_face_measure m = measure_body("sphere6");
  check_equal(m.volume, 4 * pi / 3 * 0.125);
  check_equal(m.area, 4 * pi * 0.25);
}

TEST(tiled_cylinder)
{
  clp_face_measure m = measure_body("cylinder");
  check_equal(m.volume, pi * 0.25 * 1.4);
  check_equal(m.area, 2 * pi * 0.25 + pi * 1.4);
}

/* A cone's frustum under a spherical cap. */
TEST(tiled_capped_frustum)
{
  const double r0 = 0.6, z0 = -0.5, r1 = 0.35, z1 = 0.3, rho = 0.5, center = -0.0570714214271425;
  double h = z1 - z0, cap = center + rho - z1;
  double volume = pi * h / 3 * (r0 * r0 + r0 * r1 + r1 * r1) + pi * cap * cap * (rho - cap / 3);
  double area = pi * r0 * r0 + pi * (r0 + r1) * hypot(h, r0 - r1) + 2 * pi * rho * cap;
  clp_face_measure m = measure_body("capped_frustum");
  check_equal(m.volume, volume);
  check_equal(m.area, area);
}

/* The intersection of three balls of radius 1 about the corners of a regular triangle at 0.6 from
 * the axis. In a third of the turn one ball, the far one, decides: the height above (r, angle) is
 * z^2 = 1 - r^2 - 1.2 r cos(angle) - 0.36, to be integrated up to its zero. r = top (1 - s^2) takes
 * the root out of it, and the trapezoid rule with Richardson's extrapolation (Romberg) does the
 * rest. */
static double lemon_wedge(double angle, int steps)
{
  double b = 0.6 * cos(angle), top = -b + sqrt(b * b + 0.64), sum = 0;
  for (int k = 0; k < steps; ++k) {
    double s = (k + 0.5) / steps, r = top * (1 - s * s);
    sum += 2 * sqrt(fmax(0, 0.64 - r * r - 2 * b * r)) * r * 2 * top * s / steps;
  }
  return sum;
}

static double lemon_volume(int steps)
{
  double sum = 0;
  for (int k = 0; k < steps; ++k) {
    double angle = pi / 3 * (k + 0.5) / steps;
    sum += 6 * lemon_wedge(angle, steps) * pi / 3 / steps;
  }
  return sum;
}

TEST(tiled_lemon)
{
  double table[5];
  for (int k = 0; k < 5; ++k) {
    table[k] = lemon_volume(64 << k);
    double factor = 4;
    for (int j = k - 1; j >= 0; --j, factor *= 4)
      table[j] = table[j + 1] + (table[j + 1] - table[j]) / (factor - 1);
  }
  clp_face_measure m = measure_body("lemon");
  check_equal(m.volume, table[0]);
}

TEST_CASE("closed forms", 20);

TEST(ellipsoids)
{
  face ball = face_make("ball", face_ellipsoid((clp_vec3){1, 2, 3}, (clp_vec3){2, 2, 2}),
                        CLP_DOMAIN_WHOLE, 0, 0, -1, 1);
  check_equal(measure(&ball).volume, 4 * pi / 3 * 8);
  check_equal(measure(&ball).area, 16 * pi);
  /* Oblate and prolate spheroids have closed areas; e is the eccentricity. */
  const double flat[3] = {0.5, 0.05, 0.003};
  for (int k = 0; k < 3; ++k) {
    double c = flat[k], e = sqrt(1 - c * c);
    face oblate = face_make("oblate", face_ellipsoid((clp_vec3){1, 2, 3}, (clp_vec3){1, 1, c}),
                            CLP_DOMAIN_WHOLE, 0, 0, -1, 1);
    check_equal(measure(&oblate).volume, 4 * pi / 3 * c);
    check_within(measure(&oblate).area, 2 * pi * (1 + c * c / e * atanh(e)), 1e-9);
    const clp_vec3 along[2] = {{c, 1, c}, {c, c, 1}};
    for (int axis = 0; axis < 2; ++axis) {
      face prolate = face_make("prolate", face_ellipsoid((clp_vec3){0, 2, 3}, along[axis]),
                               CLP_DOMAIN_WHOLE, 0, 0, -1, 1);
      check_equal(measure(&prolate).volume, 4 * pi / 3 * c * c);
      check_within(measure(&prolate).area, 2 * pi * c * (c + asin(e) / e), 1e-9);
    }
  }
}

/* Areas of triaxial ellipsoids have no closed form; the bands of one, and the three ways to call
 * its axes, must agree. */
TEST(bands_of_an_ellipsoid_add_up)
{
  const clp_vec3 radii = {0.5, 1.2, 0.8};
  clp_surface surface = face_ellipsoid((clp_vec3){1, 2, 3}, radii);
  face whole = face_make("whole", surface, CLP_DOMAIN_WHOLE, 0, 0, -1, 1);
  clp_face_measure sum = {0, 0};
  const double cuts[4] = {-1, -0.2, 0.7, 1};
  for (int k = 0; k < 3; ++k) {
    face band = face_make("band", surface, CLP_DOMAIN_BAND, 0, 0, cuts[k], cuts[k + 1]);
    sum.area += measure(&band).area;
    sum.volume += measure(&band).volume;
  }
  check_equal(sum.area, measure(&whole).area);
  check_equal(sum.volume, measure(&whole).volume);
  face turned = face_make(
      "turned", face_ellipsoid((clp_vec3){1, 2, 3}, (clp_vec3){radii.y, radii.z, radii.x}),
      CLP_DOMAIN_WHOLE, 0, 0, -1, 1);
  check_equal(measure(&turned).area, measure(&whole).area);
}

/* A capsule standing on a cone's tip, from its pieces: cone, cylinder, half ball. */
TEST(pieces_of_a_revolved_body)
{
  face cone = face_make("cone", face_cone(0, 0, 0.5, 1), CLP_DOMAIN_BAND, 0, 0, 0, 1);
  face tube = face_make("tube", face_cone(0.5, 1, 0, 2), CLP_DOMAIN_BAND, 0, 0, 0, 1);
  face cap = face_make("cap", face_ellipsoid((clp_vec3){0, 0, 3}, (clp_vec3){0.5, 0.5, 0.5}),
                       CLP_DOMAIN_BAND, 0, 0, 0, 1);
  double volume = measure(&cone).volume + measure(&tube).volume + measure(&cap).volume;
  check_equal(volume, pi * 0.25 / 3 + pi * 0.25 * 2 + 2 * pi / 3 * 0.125);
  check_equal(measure(&cone).area, pi * 0.5 * hypot(0.5, 1));
  check_equal(measure(&cap).area, 2 * pi * 0.25);
}

TEST(whole_torus_in_two_parts)
{
  face outer = face_make("outer", face_torus(2, 1, 0.5), CLP_DOMAIN_BAND, 0, 0, -pi / 2, pi / 2);
  face inner = face_make("inner", face_torus(2, 1, 0.5), CLP_DOMAIN_BAND, 0, 0, pi / 2, 3 * pi / 2);
  check_equal(measure(&outer).area + measure(&inner).area, 4 * pi * pi * 2 * 0.5);
  check_equal(measure(&outer).volume + measure(&inner).volume, 2 * pi * pi * 2 * 0.25);
}

/* A paraboloid bowl under a disc, and the same profile as a conic. */
TEST(bowl_under_a_lid)
{
  const double k = 0.7, top = 1.5;
  face bowl = face_make("bowl", face_paraboloid(0, k), CLP_DOMAIN_DISC, 0, top, 0, 0);
  face lid = face_make(
      "lid", face_plane((clp_vec3){0, 0, k * top * top}, (clp_vec3){1, 0, 0}, (clp_vec3){0, 1, 0}),
      CLP_DOMAIN_DISC, 0, top, 0, 0);
  double area = pi / (6 * k * k) * (pow(1 + 4 * k * k * top * top, 1.5) - 1);
  check_equal(measure(&bowl).area, area);
  check_equal(measure(&bowl).volume + measure(&lid).volume, pi * k * pow(top, 4) / 2);
  const double r[3] = {0, top / 2, top}, z[3] = {0, 0, k * top * top};
  face conic = face_make("conic", face_conic(r, z, 1), CLP_DOMAIN_BAND, 0, 0, 0, 1);
  check_equal(measure(&conic).area, area);
  check_equal(measure(&conic).volume, measure(&bowl).volume);
}

TEST(flat_faces)
{
  static const double corners[4][2] = {{0, 0}, {3, 0}, {3, 2}, {1, 2}};
  face polygon = {.surface =
                      face_plane((clp_vec3){0, 0, 2}, (clp_vec3){1, 0, 0}, (clp_vec3){0, 1, 0})};
  polygon.domain = (clp_domain){.kind = CLP_DOMAIN_POLYGON, .corners = corners, .corner_count = 4};
  check_equal(measure(&polygon).area, 5);
  check_equal(measure(&polygon).volume, 5 * (2 - somewhere.z) / 3);
  face ring = face_make("ring", polygon.surface, CLP_DOMAIN_DISC, 1, 2, 0, 0);
  ring.surface.outward = -1;
  check_equal(measure(&ring).area, 3 * pi);
  check_equal(measure(&ring).volume, -pi * (2 - somewhere.z));
  face slanted = face_make(
      "slanted", face_plane((clp_vec3){0, 0, 2}, (clp_vec3){1, 0, 1}, (clp_vec3){0, 2, 0}),
      CLP_DOMAIN_RECTANGLE, 0, 2, -1, 2);
  check_equal(measure(&slanted).area, 6 * 2 * sqrt(2));
}

TEST_CASE("patches", 20);

/* On a patch whose parametrization is singular at both poles. */
TEST(side_of_a_patch_reverses_its_volume)
{
  net nets[NETS_MAX];
  nets_load("lemon", nets);
  patch p = patch_of_net(&nets[0]);
  clp_face_measure out = clp_face_quadrature(&p.surface, &p.domain, somewhere, 1e-10);
  p.surface.outward = -1;
  clp_face_measure in = clp_face_quadrature(&p.surface, &p.domain, somewhere, 1e-10);
  ck_assert_double_eq(out.area, in.area);
  ck_assert_double_eq(out.volume, -in.volume);
  patch_free(&p);
}

/* The parts of a patch add up to it, also where a part ends within a span. */
TEST(parts_of_a_patch_add_up)
{
  net nets[NETS_MAX];
  nets_load("sphere6", nets);
  patch p = patch_of_net(&nets[2]);
  clp_face_measure whole = clp_face_quadrature(&p.surface, &p.domain, somewhere, 1e-12);
  clp_face_measure sum = {0, 0};
  const double cut[3] = {0, 0.3, 1};
  for (int k = 0; k < 4; ++k) {
    clp_domain part = {.kind = CLP_DOMAIN_RECTANGLE,
                       .lo = {cut[k / 2], cut[k % 2]},
                       .hi = {cut[k / 2 + 1], cut[k % 2 + 1]}};
    clp_face_measure m = clp_face_quadrature(&p.surface, &part, somewhere, 1e-12);
    sum.area += m.area;
    sum.volume += m.volume;
  }
  check_equal(sum.area, whole.area);
  check_equal(sum.volume, whole.volume);
  patch_free(&p);
}

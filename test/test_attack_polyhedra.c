/* SPDX-License-Identifier: Apache-2.0 */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "support/attack.h"

/* Polyhedra and turned profiles that are almost closed and convex. */

/* ---- Polyhedra: points and planes from their numbers ------------------------------------------
 */

enum { VERTICES = 400, CORNERS = 2400, FACES = 700 };

typedef struct mesh {
  double v[VERTICES][3];
  int vertex_count, f[CORNERS], corner_count, sizes[FACES], face_count;
} mesh;

static mesh m;

static int vertex(double x, double y, double z)
{
  ck_assert_int_lt(m.vertex_count, VERTICES);
  memcpy(m.v[m.vertex_count], (double[3]){x, y, z}, sizeof m.v[0]);
  return m.vertex_count++;
}

static void face(int count, const int *corners)
{
  ck_assert_int_le(m.corner_count + count, CORNERS);
  memcpy(m.f + m.corner_count, corners, (size_t)count * sizeof *corners);
  m.corner_count += count;
  m.sizes[m.face_count++] = count;
}

static clp_vec3 at(int k)
{
  return (clp_vec3){m.v[k][0], m.v[k][1], m.v[k][2]};
}

/* Points of a face: its corners, and places of the triangles about its middle; Newell's normal. */
static void sample_face(attack_samples *s, const int *corners, int count)
{
  clp_vec3 normal = {0, 0, 0}, middle = {0, 0, 0};
  for (int k = 0; k < count; ++k) {
    normal = clp_add(normal, clp_cross(at(corners[k]), at(corners[(k + 1) % count])));
    middle = clp_add_scaled(middle, 1.0 / count, at(corners[k]));
  }
  double length = clp_norm(normal);
  attack_spot spot = {.point = middle, .tilt = HUGE_VAL};
  if (length > 1e-9) {
    spot.normal = clp_scale(1 / length, normal);
    spot.tilt = 1e-15 / length;
  }
  int each = count > 20 ? 1 : 4;
  attack_samples_add(s, spot);
  for (int k = 0; k < count; ++k) {
    spot.point = at(corners[k]);
    attack_samples_add(s, spot);
    for (int i = 0; i < each; ++i)
      for (int j = 0; j < each; ++j) {
        clp_vec3 rim = clp_lerp(at(corners[k]), at(corners[(k + 1) % count]), (i + 0.5) / each);
        spot.point = clp_lerp(middle, rim, (j + 0.5) / each);
        attack_samples_add(s, spot);
      }
  }
}

static void finish(attack_other *other, clp_vec3 inside)
{
  other->def = clp_default_body_def(CLP_SHAPE_POLYHEDRON);
  other->def.polyhedron = (clp_polyhedron_def){m.v[0], m.vertex_count, m.f, m.sizes, m.face_count};
  other->inside = inside;
  for (int k = 0, first = 0; k < m.face_count; first += m.sizes[k++])
    sample_face(&other->samples, m.f + first, m.sizes[k]);
  clp_box3 b = other->samples.box;
  other->size = clp_distance(b.min, b.max);
  other->samples.spacing = 0.5 * other->size;
}

/* ---- A ball of triangles -----------------------------------------------------------------------
 */

/* An octahedron whose faces are divided in n^2 triangles, on the unit sphere. */
static int ball_vertex(clp_vec3 p)
{
  p = clp_unit(p);
  for (int k = 0; k < m.vertex_count; ++k)
    if (clp_distance(at(k), p) < 1e-9)
      return k;
  return vertex(p.x, p.y, p.z);
}

static int ball_grid(int octant, int n, int i, int j)
{
  double a = (double)i / n, b = (double)j / n, c = 1 - a - b;
  return ball_vertex((clp_vec3){octant & 1 ? -a : a, octant & 2 ? -b : b, octant & 4 ? -c : c});
}

static void ball_face(int octant, int a, int b, int c)
{
  bool mirrored = ((octant & 1) + (octant >> 1 & 1) + (octant >> 2)) % 2 == 1;
  face(3, mirrored ? (int[3]){a, c, b} : (int[3]){a, b, c});
}

static void make_ball(int n)
{
  m = (mesh){0};
  for (int octant = 0; octant < 8; ++octant)
    for (int i = 0; i < n; ++i)
      for (int j = 0; i + j < n; ++j) {
        int a = ball_grid(octant, n, i, j), b = ball_grid(octant, n, i + 1, j),
            c = ball_grid(octant, n, i, j + 1);
        ball_face(octant, a, b, c);
        if (i + j + 1 < n)
          ball_face(octant, b, ball_grid(octant, n, i + 1, j + 1), c);
      }
}

static void nudge(int k, double by, clp_vec3 way)
{
  m.v[k][0] += by * way.x;
  m.v[k][1] += by * way.y;
  m.v[k][2] += by * way.z;
}

static void build_ball(attack_other *other, int number, double epsilon, char *name)
{
  static const char *const kinds[] = {"vertex in", "vertex out", "vertex aside", "crack"};
  static const int parts[] = {2, 3, 5};
  int kind = number % 4, n = parts[number / 4], k;
  make_ball(n);
  k = m.vertex_count / 2 + 1;
  clp_vec3 out = at(k), t1, t2;
  clp_tangents(out, &t1, &t2);
  if (kind == 3) { /* one of the faces about it has a vertex of its own */
    int own = vertex(out.x, out.y, out.z), c = 0;
    while (m.f[c] != k)
      ++c;
    m.f[c] = own;
    nudge(own, -epsilon, out);
    other->gap = epsilon;
  } else {
    nudge(k, kind == 0 ? -epsilon : epsilon, kind == 2 ? t1 : out);
  }
  snprintf(name, 96, "ball of %d triangles: %s", m.face_count, kinds[kind]);
  finish(other, (clp_vec3){0, 0, 0});
}

ATTACK_SUITE("polyhedra");

TEST_CASE("polyhedra", 60);

LOOP_TEST(ball, 0, 12)
{
  attack_other_family(build_ball, _i);
}

/* ---- Prisms and pyramids over rings
 * -------------------------------------------------------------- */

/* A ring of n corners that goes round `turns` times, radius 1 + wobble cos(theta / turns + 0.3). */
static void ring(int n, int turns, double wobble, double z)
{
  for (int k = 0; k < n; ++k) {
    double theta = 2 * attack_pi * turns * k / n, r = 1 + wobble * cos(theta / turns + 0.3);
    vertex(r * cos(theta), r * sin(theta), z);
  }
}

static void ring_lid(int n, int first, bool up)
{
  int corners[VERTICES];
  for (int k = 0; k < n; ++k)
    corners[k] = first + (up ? k : n - 1 - k);
  face(n, corners);
}

static void make_prism(int n, int turns, double wobble, bool fans)
{
  m = (mesh){0};
  ring(n, turns, wobble, -0.5);
  ring(n, turns, wobble, 0.5);
  int low = fans ? vertex(0, 0, -0.5) : 0, high = fans ? vertex(0, 0, 0.5) : 0;
  for (int k = 0; k < n; ++k) {
    int next = (k + 1) % n;
    face(4, (int[4]){k, next, n + next, n + k});
    if (fans) {
      face(3, (int[3]){next, k, low});
      face(3, (int[3]){n + k, n + next, high});
    }
  }
  if (!fans) {
    ring_lid(n, 0, false);
    ring_lid(n, n, true);
  }
}

static void make_bipyramid(int n, int turns, double wobble)
{
  m = (mesh){0};
  ring(n, turns, wobble, 0);
  int low = vertex(0, 0, -0.5), high = vertex(0, 0, 0.5);
  for (int k = 0; k < n; ++k) {
    face(3, (int[3]){(k + 1) % n, k, low});
    face(3, (int[3]){k, (k + 1) % n, high});
  }
}

static void build_ring(attack_other *other, int number, double epsilon, char *name)
{
  static const char *const kinds[] = {
      "prism, corner line in",  "prism, corner in",        "prism, lid tilted",
      "prism wound twice",      "prism wound twice, fans", "bipyramid wound twice",
      "bipyramid wound thrice", "prism, corner of a lid",  "prism, lid twice"};
  int n = number < 9 ? 9 : 41, kind = number % 9;
  other->never = (kind >= 3 && kind <= 6) || kind == 8;
  if (kind == 5 || kind == 6)
    make_bipyramid(n, kind - 3, 0.4 * epsilon);
  else
    make_prism(n, kind == 3 || kind == 4 ? 2 : 1, kind == 3 || kind == 4 ? 0.4 * epsilon : 0,
               kind == 4);
  clp_vec3 in = clp_unit((clp_vec3){-m.v[2][0], -m.v[2][1], 0});
  if (kind <= 1)
    nudge(2, epsilon, in);
  if (kind == 0)
    nudge(n + 2, epsilon, in);
  if (kind == 2 || kind == 7)
    for (int k = n; k < (kind == 2 ? 2 * n : n + 1); ++k)
      nudge(k, kind == 2 ? epsilon * m.v[k][0] * m.v[k][0] : epsilon, (clp_vec3){0, 0, 1});
  if (kind == 8) {
    ring(n, 1, 0, 0.5 + epsilon);
    ring_lid(n, 2 * n, true);
  }
  snprintf(name, 96, "%s, %d corners", kinds[kind], n);
  finish(other, (clp_vec3){0, 0, 0});
}

LOOP_TEST(ring_of_corners, 0, 18)
{
  attack_other_family(build_ring, _i);
}

/* ---- Boxes ----------------------------------------------------------------------------------- */

static void make_box(clp_vec3 center, clp_vec3 half)
{
  static const int corners[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                    {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
  int first = m.vertex_count;
  for (int k = 0; k < 8; ++k) {
    clp_vec3 c = clp_add(center, attack_corner(k, (double[3]){half.x, half.y, half.z}));
    vertex(c.x, c.y, c.z);
  }
  for (int k = 0; k < 6; ++k) {
    int f[4];
    for (int i = 0; i < 4; ++i)
      f[i] = first + corners[k][i];
    face(4, f);
  }
}

/* Every quadrilateral in two triangles, along one diagonal or the other. */
static void halve_quads(bool other_diagonal)
{
  mesh old = m;
  m.corner_count = m.face_count = 0;
  for (int k = 0; k < old.face_count; ++k) {
    const int *c = old.f + 4 * k;
    int d = other_diagonal;
    face(3, (int[3]){c[d], c[d + 1], c[d + 2]});
    face(3, (int[3]){c[d], c[d + 2], c[(d + 3) % 4]});
  }
}

static void build_box(attack_other *other, int number, double epsilon, char *name)
{
  static const char *const kinds[] = {
      "box, corner up",       "box, twisted one way", "box, the other way", "box and a speck",
      "box and a box within", "box, faces crossed",   "box with a fin"};
  const clp_vec3 half = {1, 0.5, 0.5}, nowhere = {0, 0, 0};
  double e = epsilon;
  m = (mesh){0};
  make_box(nowhere, half);
  if (number == 0)
    nudge(7, e, (clp_vec3){0, 0, 1});
  if (number == 1 || number == 2) {
    for (int k = 4; k < 8; ++k)
      nudge(k, e, (clp_vec3){-m.v[k][1], m.v[k][0], 0});
    halve_quads(number == 2);
  }
  if (number == 3)
    make_box((clp_vec3){1.2, 0, 0}, (clp_vec3){e, e, e});
  if (number == 4) {
    make_box(nowhere, (clp_vec3){1 - e, 0.5 - e, 0.5 - e});
    other->never = true;
  }
  if (number == 5)
    m.v[5][2] = m.v[7][2] = -0.5 - e;
  if (number == 6)
    make_box((clp_vec3){0, -0.5 - e, 0.6}, (clp_vec3){0.3, e, 0.3});
  snprintf(name, 96, "%s", kinds[number]);
  finish(other, (clp_vec3){-0.2, 0, 0});
}

LOOP_TEST(box, 0, 7)
{
  attack_other_family(build_box, _i);
}

/* ---- Turned profiles ---------------------------------------------------------------------------
 */

enum { PIECES = 12, AROUND = 12 };

static clp_profile_piece pieces[PIECES];
static int piece_count;

static void line_to(double r, double z)
{
  pieces[piece_count++] = (clp_profile_piece){.kind = CLP_PROFILE_LINE, .r = r, .z = z};
}

static void arc_to(double r, double z, double center_r, double center_z)
{
  pieces[piece_count++] = (clp_profile_piece){
      .kind = CLP_PROFILE_ARC, .r = r, .z = z, .center_r = center_r, .center_z = center_z};
}

static void conic_to(double r, double z, double shoulder_r, double shoulder_z, double weight)
{
  pieces[piece_count++] = (clp_profile_piece){.kind = CLP_PROFILE_CONIC,
                                              .r = r,
                                              .z = z,
                                              .shoulder_r = shoulder_r,
                                              .shoulder_z = shoulder_z,
                                              .weight = weight};
}

/* A point and the derivative of one piece, x from 0 to 1. */
static void piece_at(const clp_profile_piece *p, double r0, double z0, double x, double out[4])
{
  if (p->kind == CLP_PROFILE_LINE) {
    memcpy(out, (double[4]){r0 + x * (p->r - r0), z0 + x * (p->z - z0), p->r - r0, p->z - z0},
           4 * sizeof *out);
  } else if (p->kind == CLP_PROFILE_ARC) {
    double dr = r0 - p->center_r, dz = z0 - p->center_z, er = p->r - p->center_r,
           ez = p->z - p->center_z, radius = 0.5 * (hypot(dr, dz) + hypot(er, ez));
    double from = atan2(dz, dr), turn = remainder(atan2(ez, er) - from, 2 * attack_pi);
    double a = from + x * turn, s = copysign(1, turn);
    memcpy(out,
           (double[4]){p->center_r + radius * cos(a), p->center_z + radius * sin(a), -s * sin(a),
                       s * cos(a)},
           4 * sizeof *out);
  } else {
    double a = (1 - x) * (1 - x), b = 2 * x * (1 - x) * p->weight, c = x * x, w = a + b + c;
    double da = 2 * x - 2, db = (2 - 4 * x) * p->weight, dc = 2 * x, dw = da + db + dc;
    double r = (a * r0 + b * p->shoulder_r + c * p->r) / w;
    double z = (a * z0 + b * p->shoulder_z + c * p->z) / w;
    memcpy(out,
           (double[4]){r, z, (da * r0 + db * p->shoulder_r + dc * p->r - dw * r) / w,
                       (da * z0 + db * p->shoulder_z + dc * p->z - dw * z) / w},
           4 * sizeof *out);
  }
}

/* The solid is to the left: outwards is the tangent turned to the right. */
static void sample_turned(attack_samples *s, double r, double z)
{
  enum { STEPS = 17 };
  for (int k = 0; k < piece_count; r = pieces[k].r, z = pieces[k].z, ++k) {
    /* the wall of a hole does look inwards */
    s->crowded = r > 0 && r == pieces[k].r && r < 0.5;
    for (int i = 0; i < STEPS; ++i)
      for (int j = 0; j < AROUND; ++j) {
        double q[4], angle = 2 * attack_pi * (j + 0.1) / AROUND, c = cos(angle), n = sin(angle);
        piece_at(&pieces[k], r, z, (double)i / (STEPS - 1), q);
        double length = hypot(q[2], q[3]);
        attack_spot spot = {.point = {q[0] * c, q[0] * n, q[1]}, .tilt = HUGE_VAL};
        if (length > 1e-9) {
          spot.normal = (clp_vec3){q[3] / length * c, q[3] / length * n, -q[2] / length};
          spot.tilt = 1e-15 / length;
        }
        attack_samples_add(s, spot);
      }
  }
}

static double lay_dented(int number, double e)
{
  double h = number % 2 ? 1e-2 : 0.5; /* over how long a stretch */
  line_to(1, -1);
  switch (number / 2) {
    case 0: /* a wall that dips */
      line_to(1, -h);
      line_to(1 - e, 0);
      line_to(1, h);
      break;
    case 1: /* a rib */
      line_to(1, -h);
      line_to(1 + e, 0);
      line_to(1, h);
      break;
    case 2: /* a hollow conic */
      line_to(1, -h);
      conic_to(1, h, 1 - e, 0, 0.8);
      break;
    case 3: /* a hollow arc of this sagitta */
      line_to(1, -h);
      arc_to(1, h, 1 + (h * h - e * e) / (2 * e), 0);
      break;
    case 4: /* a flange under the lid */
      line_to(1, 1 - h);
      line_to(1 + e, 1 - h);
      break;
    default: /* an undercut */
      line_to(1 + e, 1);
      line_to(1, 1 - h * e);
      break;
  }
  line_to(number / 2 == 4 ? 1 + e : 1, 1);
  line_to(0, 1);
  return 0;
}

static double lay_ends(int number, double e)
{
  line_to(1, -1);
  line_to(1, 0.5);
  switch (number) {
    case 0: /* a lid that sinks to the axis */
      line_to(0, 0.5 - e);
      break;
    case 1: /* a lid that sinks before it */
      line_to(0.5, 0.5 - e);
      line_to(0, 0.5);
      break;
    case 2: /* a tip that is hollow */
      line_to(0.5, 0.6 - e);
      line_to(0, 0.7);
      break;
    case 3: /* a fillet that goes too far */
      arc_to(1 - 0.2 * (1 - cos(1.5 + e)), 0.5 + 0.2 * sin(1.5 + e), 0.8, 0.5);
      line_to(0, 0.5 + 0.2 * sin(1.5 + e));
      break;
    case 4: /* a fillet about a center that is off */
      arc_to(0.8, 0.7, 0.8, 0.5 + e);
      line_to(0, 0.7);
      break;
    case 5: /* a dome that comes down before the axis */
      conic_to(0, 0.8, 0.9, 0.8 + e, 1);
      break;
    case 6: /* a heavy shoulder inside */
      conic_to(0, 0.8, 0.5 - e, 0.65 - e, 1e6);
      break;
    case 7: /* a light one inside */
      conic_to(0, 0.8, 0.5 - e, 0.65 - e, 1e-6);
      break;
    default: /* a hole about the axis */
      line_to(e, 0.5);
      line_to(e, -1);
      return e;
  }
  return number == 9 ? e : 0;
}

static void build_turned(attack_other *other, int number, double epsilon, char *name)
{
  static const char *const kinds[] = {"dip",        "rib",    "hollow conic",
                                      "hollow arc", "flange", "undercut"};
  static const char *const ends[] = {"lid sinks",         "lid sinks midway",  "hollow tip",
                                     "fillet goes on",    "fillet off center", "dome comes down",
                                     "heavy shoulder in", "light shoulder in", "hole"};
  piece_count = 0;
  bool wall = number < 12;
  double r = wall ? lay_dented(number, 0.4 * epsilon) : lay_ends(number - 12, 0.4 * epsilon);
  snprintf(name, 96, "turned: %s%s", wall ? kinds[number / 2] : ends[number - 12],
           wall && number % 2 ? ", short" : "");
  other->def = clp_default_body_def(CLP_SHAPE_REVOLVED);
  other->def.revolved = (clp_revolved_def){r, -1, pieces, piece_count};
  sample_turned(&other->samples, r, -1);
  other->inside = (clp_vec3){0, 0, -0.3};
  other->gap = r; /* what is open about the axis */
  other->size = sqrt(8 + 4);
  other->samples.spacing = 1;
}

TEST_CASE("turned", 60);

LOOP_TEST(turned, 0, 21)
{
  attack_other_family(build_turned, _i);
}

/* SPDX-License-Identifier: Apache-2.0 */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "support/attack.h"
#include "support/attack_faults.h"

/* What is sound must pass: the solids of the attacks without their faults, in every layout, and
 * convex bodies that are as thin as plates, blades, lenses and needles get. */

/* ---- Sound solids ------------------------------------------------------------------------------
 */

/* Bodies that pass are judged like any other; those of a layout's own solids have to. */
static bool build_sound(attack_body *body, int number, double epsilon, char *name)
{
  const attack_solid *solid = &attack_solids[number % ATTACK_SOLIDS];
  const attack_layout *layout = &attack_layouts[number / ATTACK_SOLIDS];
  (void)epsilon;
  solid->build(body, layout);
  snprintf(name, 96, "sound %s, %s", solid->name, layout->name);
  return true;
}

enum { SOUND = (int)ATTACK_SOLIDS * (int)ATTACK_LAYOUTS };

/* In a quick run one solid in each layout, and each solid in one of them. */
static bool is_tried(int number)
{
  int solid = number % (int)ATTACK_SOLIDS, layout = number / (int)ATTACK_SOLIDS;
  return !amount_quick() || solid == 3 * layout % (int)ATTACK_SOLIDS;
}

ATTACK_SUITE("accepts");

TEST_CASE("accepts", 60);

LOOP_TEST(sound, 0, SOUND)
{
  attack_run run = {.size = 1, .kind = ""};
  attack_body body;
  if (!is_tried(_i))
    return;
  attack_body_init(&body, (size_t)1 << 21);
  build_sound(&body, _i, 0, run.name);
  run.size = body.size;
  attack_instance(&run, &body);
  attack_body_free(&body);
  const attack_layout *layout = &attack_layouts[_i / ATTACK_SOLIDS];
  bool must = strchr(layout->solids, '0' + _i % ATTACK_SOLIDS) != NULL;
  figures->undecided += run.judged == 0;
  bool right = run.judged == 1 || run.undecided || !must;
  figures->families += !right;
  figures->fallen += !right;
  ck_assert_msg(right, "%s: refused", run.name);
  attack_run_end(&run);
}

/* ---- Thin ones of patches -----------------------------------------------------------------------
 */

/* In units of the size: down to ten times the distance within which places are one. */
static const double thicknesses[] = {0.1, 1e-2, 2e-3, 1.3e-3, 5e-4, 1e-4, 1e-5, 1e-7, 1e-10};

enum { THICKNESSES = sizeof thicknesses / sizeof *thicknesses, MUST_PASS = 7 };

static void flatten(attack_body *body, double sx, double sy, double sz)
{
  for (int k = 0; k < body->count; ++k)
    for (int i = 0; i < body->patches[k].size[0] * body->patches[k].size[1]; ++i) {
      double *c = body->patches[k].points + 4 * i;
      c[0] *= sx;
      c[1] *= sy;
      c[2] *= sz;
    }
  body->inside = (clp_vec3){sx * body->inside.x, sy * body->inside.y, sz * body->inside.z};
  body->size *= fmax(sx, fmax(sy, sz));
}

static const char *const thin_kinds[] = {"plate", "blade", "lens", "needle", "shear"};

static void build_thin(attack_body *body, int number, double t, char *name)
{
  static const int layouts[] = {0, 7, 9, 4};
  int kind = number % 5, which = number / 5;
  const attack_layout *layout = &attack_layouts[layouts[which % 4]];
  static const int solids[] = {0, 2, 3, 5, 9, 8};
  const attack_solid *solid = &attack_solids[solids[(number + which) % 6]];
  if (kind == 1)
    attack_wedge_of(body, layout, which % 2 ? 2 * t : 1, which % 2 ? 1 : 2 * t);
  else if (kind == 2)
    attack_lens_of(body, layout, t);
  else
    solid->build(body, layout);
  if (kind == 0)
    flatten(body, 1, 1, t);
  if (kind == 3)
    flatten(body, t, t, 1);
  if (kind == 4)
    flatten(body, 1, t, 1);
  snprintf(name, 96, "thin: %s, %s, %s", thin_kinds[kind],
           kind == 1   ? "wedge"
           : kind == 2 ? "two caps"
                       : solid->name,
           layout->name);
}

static void expect_passed(attack_run *run, int must, int passed, double refused)
{
  figures->undecided += must - passed;
  figures->families += passed < must;
  figures->fallen += passed < must;
  ck_assert_msg(passed >= must, "%s: refused at %.3g of the size, convex as it is", run->name,
                refused);
  attack_run_end(run);
}

LOOP_TEST(thin, 0, 20)
{
  attack_run run = {.size = 1, .kind = "", .thin = true};
  int passed = 0;
  double refused = 0;
  if (!amount_has(_i))
    return;
  for (int k = 0; k < THICKNESSES; ++k) {
    attack_body body;
    attack_body_init(&body, (size_t)1 << 21);
    run.epsilon = thicknesses[k];
    build_thin(&body, _i, 2.5 * thicknesses[k], run.name);
    run.size = body.size;
    int before = run.judged;
    attack_instance(&run, &body);
    attack_body_free(&body);
    if (k < MUST_PASS && run.judged == before)
      refused = fmax(refused, thicknesses[k]);
    passed += k < MUST_PASS && run.judged > before;
  }
  expect_passed(&run, MUST_PASS, passed, refused);
}

/* ---- Thin ones of other shapes ------------------------------------------------------------------
 */

typedef struct thin_shape {
  const char *name;
  void (*define)(clp_body_def *def, double t);
} thin_shape;

static void flat_box(clp_body_def *def, double t)
{
  *def = clp_default_body_def(CLP_SHAPE_BOX);
  def->size = (clp_vec3){2, 1, t};
}

static void flat_ellipsoid(clp_body_def *def, double t)
{
  *def = clp_default_body_def(CLP_SHAPE_ELLIPSOID);
  def->size = (clp_vec3){1, 0.7, t};
}

static void flat_cylinder(clp_body_def *def, double t)
{
  *def = clp_default_body_def(CLP_SHAPE_CYLINDER);
  def->radius = 1;
  def->length = t;
}

static void thin_cylinder(clp_body_def *def, double t)
{
  *def = clp_default_body_def(CLP_SHAPE_CYLINDER);
  def->radius = t;
  def->length = 2;
}

static void solid_of(clp_body_def *def, const double (*v)[3], int vertices, const int *faces,
                     const int *sizes, int count)
{
  *def = clp_default_body_def(CLP_SHAPE_POLYHEDRON);
  def->polyhedron = (clp_polyhedron_def){v[0], vertices, faces, sizes, count};
}

static void flat_tetrahedron(clp_body_def *def, double t)
{
  static double v[4][3];
  static const int faces[] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3}, sizes[] = {3, 3, 3, 3};
  const double now[4][3] = {{0, 0, 0}, {2, 0, 0}, {0, 1, 0}, {0.6, 0.3, t}};
  memcpy(v, now, sizeof v);
  solid_of(def, (const double(*)[3])v, 4, faces, sizes, 4);
}

static void sharp_wedge(clp_body_def *def, double t)
{
  static double v[6][3];
  static const int faces[] = {0, 2, 1, 3, 4, 5, 0, 1, 4, 3, 1, 2, 5, 4, 2, 0, 3, 5};
  static const int sizes[] = {3, 3, 4, 4, 4};
  const double now[6][3] = {{0, 0, 0}, {1, 0, 0}, {1, t, 0}, {0, 0, 2}, {1, 0, 2}, {1, t, 2}};
  memcpy(v, now, sizeof v);
  solid_of(def, (const double(*)[3])v, 6, faces, sizes, 5);
}

static void flat_bipyramid(clp_body_def *def, double t)
{
  enum { RING = 12 };
  static double v[RING + 2][3];
  static int faces[6 * RING], sizes[2 * RING];
  for (int k = 0; k < RING; ++k) {
    double a = 2 * attack_pi * k / RING;
    memcpy(v[k], (double[3]){cos(a), sin(a), 0}, sizeof v[k]);
    const int pair[6] = {(k + 1) % RING, k, RING, k, (k + 1) % RING, RING + 1};
    memcpy(faces + 6 * k, pair, sizeof pair);
    sizes[2 * k] = sizes[2 * k + 1] = 3;
  }
  memcpy(v[RING], (double[3]){0, 0, -t}, sizeof v[0]);
  memcpy(v[RING + 1], (double[3]){0, 0, t}, sizeof v[0]);
  solid_of(def, (const double(*)[3])v, RING + 2, faces, sizes, 2 * RING);
}

static void turned_of(clp_body_def *def, double r, double z, const clp_profile_piece *pieces,
                      int count)
{
  *def = clp_default_body_def(CLP_SHAPE_REVOLVED);
  def->revolved = (clp_revolved_def){r, z, pieces, count};
}

static void turned_disc(clp_body_def *def, double t)
{
  static clp_profile_piece p[3];
  p[0] = (clp_profile_piece){.kind = CLP_PROFILE_LINE, .r = 1};
  p[1] = (clp_profile_piece){.kind = CLP_PROFILE_LINE, .r = 1, .z = t};
  p[2] = (clp_profile_piece){.kind = CLP_PROFILE_LINE, .z = t};
  turned_of(def, 0, 0, p, 3);
}

static void turned_cones(clp_body_def *def, double t)
{
  static clp_profile_piece p[2];
  p[0] = (clp_profile_piece){.kind = CLP_PROFILE_LINE, .r = 1};
  p[1] = (clp_profile_piece){.kind = CLP_PROFILE_LINE, .z = t};
  turned_of(def, 0, -t, p, 2);
}

static void turned_conics(clp_body_def *def, double t)
{
  static clp_profile_piece p[2];
  p[0] = (clp_profile_piece){
      .kind = CLP_PROFILE_CONIC, .r = 1, .shoulder_r = 0.6, .shoulder_z = -t, .weight = 0.9};
  p[1] = (clp_profile_piece){
      .kind = CLP_PROFILE_CONIC, .z = t, .shoulder_r = 0.6, .shoulder_z = t, .weight = 0.9};
  turned_of(def, 0, -t, p, 2);
}

static void turned_needle(clp_body_def *def, double t)
{
  static clp_profile_piece p[2];
  p[0] = (clp_profile_piece){.kind = CLP_PROFILE_LINE, .r = t, .z = 1};
  p[1] = (clp_profile_piece){.kind = CLP_PROFILE_LINE, .z = 2};
  turned_of(def, 0, 0, p, 2);
}

static const thin_shape thin_shapes[] = {{"box", flat_box},
                                         {"ellipsoid", flat_ellipsoid},
                                         {"cylinder", flat_cylinder},
                                         {"rod", thin_cylinder},
                                         {"tetrahedron", flat_tetrahedron},
                                         {"wedge", sharp_wedge},
                                         {"bipyramid", flat_bipyramid},
                                         {"turned disc", turned_disc},
                                         {"turned cones", turned_cones},
                                         {"turned conics", turned_conics},
                                         {"turned needle", turned_needle}};

LOOP_TEST(thin_shape_passes, 0, (int)(sizeof thin_shapes / sizeof *thin_shapes))
{
  attack_run run = {.size = 1, .kind = ""};
  int passed = 0;
  double refused = 0;
  snprintf(run.name, sizeof run.name, "thin: %s", thin_shapes[_i].name);
  for (int k = 0; k < THICKNESSES; ++k) {
    clp_body_def def;
    findings f = {0};
    clp_body *made = NULL;
    thin_shapes[_i].define(&def, 2.5 * thicknesses[k]);
    run.epsilon = thicknesses[k];
    ++figures->instances;
    clp_status status = clp_body_create(&def, findings_reporter(&f), &made);
    clp_body_destroy(made);
    if (status != CLP_OK)
      attack_refusal(&run, status, &f);
    figures->accepted += status == CLP_OK;
    run.judged += status == CLP_OK;
    if (k < MUST_PASS && status != CLP_OK)
      refused = fmax(refused, thicknesses[k]);
    passed += k < MUST_PASS && status == CLP_OK;
  }
  expect_passed(&run, MUST_PASS, passed, refused);
}

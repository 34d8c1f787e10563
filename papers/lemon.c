/* SPDX-License-Identifier: Apache-2.0 */
#include "papers/lemon.h"

#include <math.h>

#include "rclc_closest_point/math/pose.h"

enum { SIZE = 3, DRAWN_U = 8, DRAWN_V = 16 };

/* ---- The body ----------------------------------------------------------------------------- */

/* The patch S1, whose middle is on the negative x axis; rows are u, from curve to curve, columns
 * v, from tip to tip. The curves' middle point is at the angle of 120 degrees. */
#define TIP 0.8
#define CORNER 1.25
#define SIDE_X 1.0666666666666667
#define SIDE_Y 1.8475208614068026
#define SIDE_W 0.43890430198548957
#define WAIST_X 1.0666666666666667
#define WAIST_TIP 0.7315071699758161
#define WAIST_W 0.75

static const double first[SIZE][SIZE][4] = {
    {{0, 0, -TIP, CORNER}, {-SIDE_X, SIDE_Y, 0, SIDE_W}, {0, 0, TIP, CORNER}},
    {{0, 0, -TIP, WAIST_TIP}, {-WAIST_X, 0, 0, WAIST_W}, {0, 0, TIP, WAIST_TIP}},
    {{0, 0, -TIP, CORNER}, {-SIDE_X, -SIDE_Y, 0, SIDE_W}, {0, 0, TIP, CORNER}}};

/* The same patch, turned about z by k thirds of a turn. */
static void turn(int k, double net[SIZE][SIZE][4])
{
  const double c[] = {1, -0.5, -0.5}, s[] = {0, sqrt(0.75), -sqrt(0.75)};
  for (int i = 0; i < SIZE; ++i)
    for (int j = 0; j < SIZE; ++j) {
      const double *p = first[i][j];
      double *q = net[i][j];
      q[0] = c[k] * p[0] - s[k] * p[1];
      q[1] = s[k] * p[0] + c[k] * p[1];
      q[2] = p[2];
      q[3] = p[3];
    }
}

clp_status clp_lemon_create(clp_body **lemon)
{
  static const char *const names[] = {"S1", "S2", "S3"};
  double nets[CLP_LEMON_PATCHES][SIZE][SIZE][4];
  clp_patch_def patches[CLP_LEMON_PATCHES];
  clp_body_def def = clp_default_body_def(CLP_SHAPE_PATCHES);
  def.patches = patches;
  def.patch_count = CLP_LEMON_PATCHES;
  for (int k = 0; k < CLP_LEMON_PATCHES; ++k) {
    turn(k, nets[k]);
    patches[k] = (clp_patch_def){.name = names[k],
                                 .degree_u = 2,
                                 .degree_v = 2,
                                 .size_u = SIZE,
                                 .size_v = SIZE,
                                 .control_points = nets[k][0][0]};
  }
  return clp_body_create(&def, (clp_reporter){NULL, NULL}, lemon);
}

/* ---- Names and parameters ----------------------------------------------------------------- */

static uint32_t face_beside(const clp_body *lemon, uint32_t edge, int side)
{
  return lemon->uses[lemon->edges[edge].use[side]].face;
}

const char *clp_lemon_feature(const clp_body *lemon, clp_feature_kind kind, uint32_t id)
{
  static const char *const curves[] = {"?", "Ca", "Cc", "Cb"};
  if (kind == CLP_FACE)
    return lemon->faces[id].name;
  if (kind == CLP_VERTEX)
    return lemon->vertices[id].place.z > 0 ? "Vα" : "Vβ";
  return curves[face_beside(lemon, id, 0) + face_beside(lemon, id, 1)];
}

static clp_patch_place place_on_edge(const clp_body *lemon, clp_spot spot, uint32_t *face)
{
  const clp_edge *edge = &lemon->edges[spot.id];
  int side = face_beside(lemon, spot.id, 1) == *face ? 1 : 0;
  *face = face_beside(lemon, spot.id, side);
  clp_site site = clp_edge_face_site(edge, side, &lemon->uses[edge->use[side]],
                                     &lemon->faces[*face], clp_spot_curve_site(spot));
  return (clp_patch_place){site.c[0], site.c[1]};
}

clp_patch_place clp_lemon_place(const clp_body *lemon, clp_spot spot, uint32_t *face)
{
  if (spot.kind == CLP_EDGE)
    return place_on_edge(lemon, spot, face);
  if (spot.kind == CLP_VERTEX) /* all patches meet there, in their collapsed sides */
    return (clp_patch_place){(double)NAN, lemon->vertices[spot.id].place.z > 0 ? 1 : 0};
  *face = spot.id;
  return (clp_patch_place){spot.site.c[0], spot.site.c[1]};
}

/* ---- Drawing ------------------------------------------------------------------------------ */

static clp_vec3 drawn(const clp_face *face, const clp_pose *X, double u, double v)
{
  return clp_transform(*X,
                       clp_surface_point(&face->surface, clp_surface_site(&face->surface, u, v)));
}

/* Two empty lines: curves after one are taken for a grid. */
static void draw_curve(clp_series *curves, const clp_edge *edge, const clp_pose *X)
{
  for (int i = 0; i <= DRAWN_V; ++i) {
    clp_curve_site site = clp_edge_fraction(edge, (double)i / DRAWN_V);
    clp_vec3 p = clp_transform(*X, clp_curve_point(&edge->curve, site));
    clp_series_add(curves, (double[]){p.x, p.y, p.z});
  }
  clp_series_gap(curves);
  clp_series_gap(curves);
}

void clp_lemon_draw(clp_series *surface, clp_series *curves, const clp_body *lemon,
                    const clp_pose *X)
{
  for (uint32_t k = 0; k < lemon->face_count; ++k) {
    for (int i = 0; i <= DRAWN_U; ++i) {
      for (int j = 0; j <= DRAWN_V; ++j) {
        clp_vec3 p = drawn(&lemon->faces[k], X, (double)i / DRAWN_U, (double)j / DRAWN_V);
        clp_series_add(surface, (double[]){p.x, p.y, p.z, k + 1});
      }
      clp_series_gap(surface);
    }
    clp_series_gap(surface);
  }
  for (uint32_t k = 0; k < lemon->edge_count; ++k)
    if (lemon->edges[k].kind != CLP_EDGE_COLLAPSED)
      draw_curve(curves, &lemon->edges[k], X);
}

/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TEST_SUPPORT_NETS_H
#define TEST_SUPPORT_NETS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rclc_closest_point/closest_point.h"
#include "rclc_closest_point/surface/spline.h"
#include "rclc_closest_point/surface/surface.h"
#include "support/marks.h"

/* Patches for tests: the reference nets in test/data/reference_nets.txt, and any others. */

typedef struct net {
  char body[32], name[32];
  int degree_u, degree_v;
  double points[100][4]; /* x y z w, v fastest */
} net;

enum { NETS_MAX = 8 };

static inline int net_size(const net *n)
{
  return (n->degree_u + 1) * (n->degree_v + 1);
}

/* All patches of one body; returns how many. */
static inline int nets_load(const char *body, net nets[NETS_MAX])
{
  FILE *file = fopen(TEST_DATA_DIR "/reference_nets.txt", "r");
  ck_assert_ptr_nonnull(file);
  char line[4096];
  int count = 0;
  while (fgets(line, sizeof line, file)) {
    net n;
    if (sscanf(line, "PATCH %31s %31s %d %d", n.body, n.name, &n.degree_u, &n.degree_v) != 4)
      continue;
    for (int k = 0; k < net_size(&n); ++k)
      for (int lane = 0; lane < 4; ++lane)
        ck_assert_int_eq(fscanf(file, "%lf", &n.points[k][lane]), 1);
    if (strcmp(n.body, body) == 0 && count < NETS_MAX)
      nets[count++] = n;
  }
  fclose(file);
  ck_assert_int_gt(count, 0);
  return count;
}

typedef struct patch {
  clp_surface surface;
  clp_domain domain;
  double *storage;
} patch;

static inline patch patch_of_spline(int degree_u, int size_u, const double *knots_u, int degree_v,
                                    int size_v, const double *knots_v, const double *points)
{
  patch p = {.surface = {.kind = CLP_SURFACE_NURBS, .outward = 1}};
  size_t count = clp_nurbs_storage(degree_u, size_u, knots_u, degree_v, size_v, knots_v);
  p.storage = malloc(count * sizeof *p.storage);
  ck_assert_ptr_nonnull(p.storage);
  ck_assert(clp_nurbs_build(degree_u, size_u, knots_u, degree_v, size_v, knots_v, points, p.storage,
                            &p.surface.as.nurbs));
  p.domain = (clp_domain){.kind = CLP_DOMAIN_RECTANGLE,
                          .lo = {knots_u[degree_u], knots_v[degree_v]},
                          .hi = {knots_u[size_u], knots_v[size_v]}};
  return p;
}

static inline patch patch_of_net(const net *n)
{
  double knots_u[2 * CLP_MAX_DEGREE + 2], knots_v[2 * CLP_MAX_DEGREE + 2];
  clp_bezier_knots(n->degree_u, knots_u);
  clp_bezier_knots(n->degree_v, knots_v);
  return patch_of_spline(n->degree_u, n->degree_u + 1, knots_u, n->degree_v, n->degree_v + 1,
                         knots_v, n->points[0]);
}

static inline void patch_free(patch *p)
{
  free(p->storage);
  p->storage = NULL;
}

#endif

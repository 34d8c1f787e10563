/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TEST_SUPPORT_TILED_H
#define TEST_SUPPORT_TILED_H

#include "support/findings.h"
#include "support/nets.h"

/* A reference body as a definition whose control points a test may change. */
typedef struct tiled {
  net nets[NETS_MAX];
  clp_patch_def patches[NETS_MAX];
  int count;
  clp_body_def def;
} tiled;

/* From its nets. */
static inline void tiled_define(tiled *t)
{
  for (int k = 0; k < t->count; ++k) {
    const net *n = &t->nets[k];
    t->patches[k] = (clp_patch_def){.name = n->name,
                                    .degree_u = n->degree_u,
                                    .degree_v = n->degree_v,
                                    .size_u = n->degree_u + 1,
                                    .size_v = n->degree_v + 1,
                                    .control_points = n->points[0]};
  }
  t->def = clp_default_body_def(CLP_SHAPE_PATCHES);
  t->def.patches = t->patches;
  t->def.patch_count = t->count;
}

static inline void tiled_load(tiled *t, const char *body)
{
  t->count = nets_load(body, t->nets);
  tiled_define(t);
}

/* The control point (i, j) of a patch: x y z w. */
static inline double *tiled_point(tiled *t, int which, int i, int j)
{
  net *n = &t->nets[which];
  return n->points[i * (n->degree_v + 1) + j];
}

static inline int tiled_find(const tiled *t, const char *name)
{
  for (int k = 0; k < t->count; ++k)
    if (strcmp(t->nets[k].name, name) == 0)
      return k;
  ck_abort_msg("no patch '%s'", name);
  return -1;
}

static inline clp_body *make_tiled(const char *name)
{
  tiled t;
  tiled_load(&t, name);
  return must_create(&t.def);
}

#endif

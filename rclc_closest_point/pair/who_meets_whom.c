/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/pair/who_meets_whom.h"

#include "rclc_closest_point/body/body.h"

clp_body_kind clp_body_kind_of(const clp_body *body)
{
  const clp_body_info *info = &body->info;
  if (info->point)
    return CLP_BODY_POINT;
  if (info->planar)
    return info->convex && info->closed ? CLP_BODY_FLAT : CLP_BODY_DENTED_FLAT;
  if (!info->convex || !info->closed)
    return CLP_BODY_OTHER;
  bool round = body->face_count == 1 && body->faces[0].domain.kind == CLP_DOMAIN_WHOLE;
  return round ? CLP_BODY_ROUND : CLP_BODY_CONVEX;
}

#define PLANES &clp_way_by_planes
#define ONCE &clp_way_by_planes_once
#define CELLS &clp_way_by_exclusion
#define NEVER NULL

/* By A's kind and then B's. Of a body that is a point, or round all over, one place at most is
 * nearest to anything convex. */
/* clang-format off */
static const clp_way *const table[] = {
    /*               point  round  convex  other  flat    dented flat */
    /* point */       ONCE,  ONCE,  ONCE,   CELLS, ONCE,   CELLS,
    /* round */       ONCE,  ONCE,  ONCE,   CELLS, NEVER,  NEVER,
    /* convex */      ONCE,  ONCE,  PLANES, CELLS, NEVER,  NEVER,
    /* other */       CELLS, CELLS, CELLS,  CELLS, NEVER,  NEVER,
    /* flat */        ONCE,  NEVER, NEVER,  NEVER, PLANES, CELLS,
    /* dented flat */ CELLS, NEVER, NEVER,  NEVER, CELLS,  CELLS,
};
/* clang-format on */

CLP_COMPLETE(table, CLP_BODY_COUNT *CLP_BODY_COUNT);

const clp_way *clp_way_of(const clp_body *a, const clp_body *b)
{
  return table[clp_body_kind_of(a) * CLP_BODY_COUNT + clp_body_kind_of(b)];
}

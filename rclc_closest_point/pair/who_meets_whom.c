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
  if (body->sweep.radius > 0)
    return body->sweep.half > 0 ? CLP_BODY_CAPSULE : CLP_BODY_BALL;
  if (body->box.x > 0)
    return CLP_BODY_BOX;
  if (body->cylinder.radius > 0)
    return CLP_BODY_CYLINDER;
  if (body->frustum.length > 0)
    return CLP_BODY_CONE;
  bool round = body->face_count == 1 && body->faces[0].domain.kind == CLP_DOMAIN_WHOLE;
  return round ? CLP_BODY_ROUND : CLP_BODY_CONVEX;
}

#define PLANES &clp_way_by_planes
#define ONCE &clp_way_by_planes_once
#define CELLS &clp_way_by_exclusion
#define BALLS &clp_way_balls
#define SWEPT &clp_way_swept
#define SWEPT1 &clp_way_swept_once
#define BOX_BALL &clp_way_box_ball
#define BOX_BOX &clp_way_box_box
#define BOX_CAP &clp_way_box_capsule
#define BOX_CAN &clp_way_box_cylinder
#define CAN_BALL &clp_way_cylinder_ball
#define CAN_CAP &clp_way_cylinder_capsule
#define CONE_BALL &clp_way_cone_ball
#define CONE_CAP &clp_way_cone_capsule
#define NEVER NULL

/* By A's kind and then B's. Of a body that is a point, or round all over, one place at most is
 * nearest to anything convex. */
/* clang-format off */
static const clp_way *const table[] = {
    /*                point      ball       capsule   round  box       cylinder  cone       convex  other  flat    dented flat */
    /* point */       ONCE,      SWEPT1,    SWEPT1,   ONCE,  ONCE,     ONCE,     CONE_BALL, ONCE,   CELLS, ONCE,   CELLS,
    /* ball */        SWEPT1,    BALLS,     SWEPT1,   ONCE,  BOX_BALL, CAN_BALL, CONE_BALL, ONCE,   CELLS, NEVER,  NEVER,
    /* capsule */     SWEPT1,    SWEPT1,    SWEPT,    ONCE,  BOX_CAP,  CAN_CAP,  CONE_CAP,  PLANES, CELLS, NEVER,  NEVER,
    /* round */       ONCE,      ONCE,      ONCE,     ONCE,  ONCE,     ONCE,     ONCE,      ONCE,   CELLS, NEVER,  NEVER,
    /* box */         ONCE,      BOX_BALL,  BOX_CAP,  ONCE,  BOX_BOX,  BOX_CAN,  PLANES,    PLANES, CELLS, NEVER,  NEVER,
    /* cylinder */    ONCE,      CAN_BALL,  CAN_CAP,  ONCE,  BOX_CAN,  PLANES,   PLANES,    PLANES, CELLS, NEVER,  NEVER,
    /* cone */        CONE_BALL, CONE_BALL, CONE_CAP, ONCE,  PLANES,   PLANES,   PLANES,    PLANES, CELLS, NEVER,  NEVER,
    /* convex */      ONCE,      ONCE,      PLANES,   ONCE,  PLANES,   PLANES,   PLANES,    PLANES, CELLS, NEVER,  NEVER,
    /* other */       CELLS,     CELLS,     CELLS,    CELLS, CELLS,    CELLS,    CELLS,     CELLS,  CELLS, NEVER,  NEVER,
    /* flat */        ONCE,      NEVER,     NEVER,    NEVER, NEVER,    NEVER,    NEVER,     NEVER,  NEVER, PLANES, CELLS,
    /* dented flat */ CELLS,     NEVER,     NEVER,    NEVER, NEVER,    NEVER,    NEVER,     NEVER,  NEVER, CELLS,  CELLS,
};
/* clang-format on */

CLP_COMPLETE(table, CLP_BODY_COUNT *CLP_BODY_COUNT);

const clp_way *clp_way_of(const clp_body *a, const clp_body *b)
{
  return table[clp_body_kind_of(a) * CLP_BODY_COUNT + clp_body_kind_of(b)];
}

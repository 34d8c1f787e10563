/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/scene/meeting.h"

#include "rclc_closest_point/base/tolerance.h"
#include "rclc_closest_point/body/body.h"
#include "rclc_closest_point/math/pose.h"

/* How far points of `body` can be from the plane z = 0 of a planar one: its center's height, and
 * its radius times the sine of the angle between the two planes. */
static double height_over(const clp_pose *X_WPlane, const clp_body *body, const clp_pose *X_WB)
{
  clp_vec3 z = X_WPlane->rotation.z;
  clp_vec3 offset = clp_sub(clp_transform(*X_WB, body->center), X_WPlane->position);
  return fabs(clp_dot(z, offset)) + body->radius * clp_norm(clp_cross(z, X_WB->rotation.z));
}

/* Heights are compared to the parts' sizes and their distance, for a pose is written with so many
 * digits of its largest number. */
static bool shares_plane(const clp_body *a, const clp_pose *X_WA, const clp_body *b,
                         const clp_pose *X_WB)
{
  double extent = a->size + b->size +
                  clp_distance(clp_transform(*X_WA, a->center), clp_transform(*X_WB, b->center));
  double height = a->info.planar ? height_over(X_WA, b, X_WB) : height_over(X_WB, a, X_WA);
  return height <= CLP_TOLERANCE_PLANAR * extent;
}

clp_meeting clp_parts_meeting(const clp_body *a, const clp_pose *X_WA, const clp_body *b,
                              const clp_pose *X_WB)
{
  const clp_body_info *info_a = &a->info, *info_b = &b->info;
  if (!info_a->planar && !info_b->planar)
    return CLP_MEETING_FINE;
  if (info_a->planar != info_b->planar && !info_a->point && !info_b->point)
    return CLP_MEETING_WITH_SOLID;
  return shares_plane(a, X_WA, b, X_WB) ? CLP_MEETING_FINE : CLP_MEETING_OFF_PLANE;
}

clp_meeting clp_links_meeting(clp_link a, clp_link b, const clp_pose *X_WA, const clp_pose *X_WB)
{
  for (int i = 0; i < a.count; ++i) {
    clp_pose X_WP = clp_pose_multiply(*X_WA, a.parts[i].X_LP);
    for (int j = 0; j < b.count; ++j) {
      clp_pose X_WQ = clp_pose_multiply(*X_WB, b.parts[j].X_LP);
      clp_meeting meeting = clp_parts_meeting(a.parts[i].body, &X_WP, b.parts[j].body, &X_WQ);
      if (meeting != CLP_MEETING_FINE)
        return meeting;
    }
  }
  return CLP_MEETING_FINE;
}

bool clp_link_is_planar(clp_link link)
{
  for (int k = 0; k < link.count; ++k)
    if (link.parts[k].body->info.planar)
      return true;
  return false;
}

bool clp_link_is_proven(clp_link link)
{
  for (int k = 0; k < link.count; ++k)
    if (!link.parts[k].body->info.proven)
      return false;
  return true;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/monitor/force.h"

#include <math.h>

#include "rclc_closest_point/math/vec3.h"

double clp_force_magnitude(clp_force_law law, double distance, double rate)
{
  double depth = law.engage_distance - distance;
  if (!(depth > 0))
    return 0;
  double damping = law.damping * fmin(1, 4 * depth / law.engage_distance);
  return fmax(0, law.stiffness * depth - damping * rate);
}

static bool is_finite(clp_wrench push)
{
  return isfinite(clp_norm(push.force)) && isfinite(clp_norm(push.torque));
}

/* The normal leads from A to B, so B is pushed along it and A against it. */
clp_wrench clp_force_wanted(clp_force_law law, const clp_closest_point *pair, bool on_b,
                            clp_vec3 origin)
{
  if (pair->status != CLP_TRACKING && pair->status != CLP_PENETRATING)
    return (clp_wrench){{0, 0, 0}, {0, 0, 0}};
  double magnitude = clp_force_magnitude(law, pair->distance, pair->distance_rate);
  clp_vec3 force = clp_scale(on_b ? magnitude : -magnitude, pair->normal);
  clp_vec3 arm = clp_sub(on_b ? pair->point_b : pair->point_a, origin);
  clp_wrench push = {force, clp_cross(arm, force)};
  return is_finite(push) ? push : (clp_wrench){{0, 0, 0}, {0, 0, 0}};
}

/* One fraction for force and torque, so that on the way the push stays a mean of pushes. */
clp_wrench clp_force_towards(clp_force_law law, clp_wrench from, clp_wrench wanted, double step,
                             double lever)
{
  double most = fmax(law.stiffness * law.engage_distance, clp_norm(from.force));
  most *= step / CLP_FORCE_RAMP;
  double force = clp_distance(from.force, wanted.force);
  double torque = clp_distance(from.torque, wanted.torque);
  if (force <= most && torque <= most * lever)
    return wanted;
  double part = fmin(most / force, most * lever / torque);
  return (clp_wrench){clp_lerp(from.force, wanted.force, part),
                      clp_lerp(from.torque, wanted.torque, part)};
}

double clp_force_stiffness_limit(double damping, double cycle, double latency)
{
  return damping / (cycle + 2 * latency);
}

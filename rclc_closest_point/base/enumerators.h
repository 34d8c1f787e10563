/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_BASE_ENUMERATORS_H
#define RCLC_CLOSEST_POINT_BASE_ENUMERATORS_H

#include "rclc_closest_point/base/table.h"
#include "rclc_closest_point/closest_point.h"

/* Public enumerations end where a user's switch may end, without a COUNT. Here are these, and
 * whether a number is one of the enumerators at all: a new one is not compiled until it is named in
 * its switch (-Wswitch), and the count beside that then asks tables for its row. */

static inline bool clp_is_shape(clp_shape shape)
{
  switch (shape) {
    case CLP_SHAPE_BOX:
    case CLP_SHAPE_SPHERE:
    case CLP_SHAPE_ELLIPSOID:
    case CLP_SHAPE_CYLINDER:
    case CLP_SHAPE_CAPSULE:
    case CLP_SHAPE_POINT:
    case CLP_SHAPE_POLYHEDRON:
    case CLP_SHAPE_REVOLVED:
    case CLP_SHAPE_PATCHES:
    case CLP_SHAPE_CURVES:
      return true;
  }
  return false;
}

#define CLP_CONTROLLER_COUNT (CLP_CONTROLLER_NEWTON + 1)

static inline bool clp_is_controller(clp_controller controller)
{
  switch (controller) {
    case CLP_CONTROLLER_AUTO:
    case CLP_CONTROLLER_LINEARISING:
    case CLP_CONTROLLER_SWITCHING:
    case CLP_CONTROLLER_COMPENSATED:
    case CLP_CONTROLLER_NEWTON:
      return true;
  }
  return false;
}

#define CLP_INTEGRATOR_COUNT (CLP_INTEGRATOR_RK4 + 1)

static inline bool clp_is_integrator(clp_integrator integrator)
{
  switch (integrator) {
    case CLP_INTEGRATOR_EULER:
    case CLP_INTEGRATOR_RK2:
    case CLP_INTEGRATOR_RK4:
      return true;
  }
  return false;
}

#endif

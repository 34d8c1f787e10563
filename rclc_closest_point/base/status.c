/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/closest_point.h"

const char *clp_status_text(clp_status status)
{
  switch (status) {
    case CLP_OK:
      return "no error";
    case CLP_ERROR_ARGUMENT:
      return "an argument is missing or out of range";
    case CLP_ERROR_MEMORY:
      return "there is not enough memory";
    case CLP_ERROR_LIMIT:
      return "a documented limit is exceeded";
    case CLP_ERROR_SHAPE:
      return "the shape is not what its definition promises";
    case CLP_ERROR_FILE:
      return "a file cannot be read or written";
    case CLP_ERROR_FORMAT:
      return "a file's content is not what its format asks for";
    case CLP_ERROR_POSE:
      return "a pose is none: its matrix is no rotation, or a number is not finite or too large";
  }
  return "unknown status";
}

const char *clp_pair_status_name(clp_pair_status status)
{
  static const char *const names[] = {"TRACKING", "CONVERGING", "PENETRATING", "STALE",
                                      "OUT_OF_RANGE"};
  return (unsigned)status <= CLP_OUT_OF_RANGE ? names[status] : "unknown status";
}

const char *clp_feature_kind_name(clp_feature_kind kind)
{
  static const char *const names[] = {"face", "edge", "vertex"};
  return (unsigned)kind <= CLP_VERTEX ? names[kind] : "unknown kind";
}

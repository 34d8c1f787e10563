/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/status.h"

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
  }
  return "unknown status";
}

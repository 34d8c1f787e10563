/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_STATUS_H
#define RCLC_CLOSEST_POINT_STATUS_H

/* What the libraries export: nothing else of them can be called from outside. */
#if defined(__GNUC__)
#define CLP_API __attribute__((visibility("default")))
#else
#define CLP_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* What every fallible call returns: zero is success, negative is failure. After a failure
 * nothing the caller passed in has changed and no output has been written. */
typedef enum clp_status {
  CLP_OK = 0,
  CLP_ERROR_ARGUMENT = -1, /* the call itself is wrong: a null pointer, a count out of range */
  CLP_ERROR_MEMORY = -2,   /* an allocation failed */
  CLP_ERROR_LIMIT = -3,    /* a documented limit was exceeded */
  CLP_ERROR_SHAPE = -4,    /* the shape is not what its definition promises */
  CLP_ERROR_FILE = -5,     /* a file cannot be read or written */
  CLP_ERROR_FORMAT = -6,   /* a file's content is not what its format asks for */
  CLP_ERROR_POSE = -7      /* a rotation that is none, as zeros are, or a place that is no number */
} clp_status;

/* A constant sentence fragment for `status`, never NULL. Allocates: no. Thread-safe: yes. */
CLP_API const char *clp_status_text(clp_status status);

#ifdef __cplusplus
}
#endif

#endif

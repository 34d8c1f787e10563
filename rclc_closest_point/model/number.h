/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_MODEL_NUMBER_H
#define RCLC_CLOSEST_POINT_MODEL_NUMBER_H

/* Numbers in files: those of XML Schema's double without INF and NaN, and its integers, whatever
 * the locale. Hexadecimal forms are none of them. */

#include <stdbool.h>
#include <stddef.h>

typedef enum clp_number_fault {
  CLP_NUMBER_FINE,
  CLP_NUMBER_WORD,     /* it is not a number at all */
  CLP_NUMBER_INFINITE, /* it is infinite, not a number by name, or larger than a double or an int */
  CLP_NUMBER_MEMORY    /* the "C" locale could not be had */
} clp_number_fault;

/* The text must be followed by a byte that cannot continue a number (white space, a quote, a
 * semicolon, zero). *value is written only when all is fine. */
clp_number_fault clp_parse_double(const char *text, size_t length, double *value);
clp_number_fault clp_parse_int(const char *text, size_t length, int *value);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_BASE_DECIMAL_H
#define RCLC_CLOSEST_POINT_BASE_DECIMAL_H

/* Doubles with 17 significant digits, ten times as fast as snprintf, for files of many numbers. */

enum { CLP_DECIMAL_MAX = 32 };

/* Writes what snprintf's "%.17g" writes in the locale "C", without a zero byte, and returns its
 * length. Returns 0 for numbers that this is not for: those that are not finite, and those of 1e17
 * and more or below 2^-53, but for zero, in size. */
int clp_decimal_write(double value, char text[CLP_DECIMAL_MAX]);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_MODEL_JSON_H
#define RCLC_CLOSEST_POINT_MODEL_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Writes JSON as a sequence of members and elements. `key` is NULL inside arrays. */
typedef struct clp_json {
  FILE *stream;
  bool comma; /* the next value comes after another one */
} clp_json;

/* `bracket` is one of { [ and the matching one of ] }. */
void clp_json_open(clp_json *json, const char *key, char bracket);
void clp_json_close(clp_json *json, char bracket);

void clp_json_string(clp_json *json, const char *key, const char *value);
void clp_json_bool(clp_json *json, const char *key, bool value);
void clp_json_integer(clp_json *json, const char *key, uint32_t value);

/* With 17 digits; JSON has no word for what is not finite, so that becomes null. */
void clp_json_number(clp_json *json, const char *key, double value);

#endif

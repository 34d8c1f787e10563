/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/model/feature_name.h"

#include <stdlib.h>
#include <string.h>

char *clp_feature_name(const clp_model *model, int link, int part, const char *name)
{
  bool single = clp_model_part_count(model, link) == 1;
  const char *prefix = single ? "" : clp_model_part(model, link, part).name;
  size_t prefix_length = strlen(prefix), faces = 1;
  for (const char *c = name; *c; ++c)
    faces += *c == '|';
  char *text = malloc(strlen(name) + 1 + faces * (prefix_length + 1));
  if (!text)
    return NULL;
  char *out = text;
  bool face_begins = !single;
  for (const char *c = name; *c; ++c) {
    if (face_begins) {
      memcpy(out, prefix, prefix_length);
      out += prefix_length;
      *out++ = '/';
    }
    face_begins = !single && *c == '|';
    *out++ = *c;
  }
  *out = '\0';
  return text;
}

uint32_t clp_feature_count(const clp_body *body, clp_feature_kind kind)
{
  clp_body_info info = clp_body_describe(body);
  int count = kind == CLP_FACE ? info.faces : kind == CLP_EDGE ? info.edges : info.vertices;
  return (uint32_t)count;
}

uint32_t clp_feature_base(const clp_model *model, int link, int part, clp_feature_kind kind)
{
  uint32_t base = 0;
  for (int k = 0; k < part; ++k)
    base += clp_feature_count(clp_model_part(model, link, k).body, kind);
  return base;
}

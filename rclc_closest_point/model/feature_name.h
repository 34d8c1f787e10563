/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_MODEL_FEATURE_NAME_H
#define RCLC_CLOSEST_POINT_MODEL_FEATURE_NAME_H

#include "rclc_closest_point/model.h"

/* The outside names features within their link. Where the link has several parts, a face is
 * "part/face", an edge "part/face|part/face", and numbers count on from part to part. */

/* malloc'ed; NULL when there is no memory. */
char *clp_feature_name(const clp_model *model, int link, int part, const char *name);

/* The number of the part's first feature of that kind. */
uint32_t clp_feature_base(const clp_model *model, int link, int part, clp_feature_kind kind);

/* How many features of that kind the body has. */
uint32_t clp_feature_count(const clp_body *body, clp_feature_kind kind);

#endif

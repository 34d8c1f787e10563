/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_NODE_CERTIFY_DDS_H
#define RCLC_CLOSEST_POINT_NODE_CERTIFY_DDS_H

/* The service ~/certify on DDS, as clients of rmw_cyclonedds_cpp call it. */

#include "rclc_closest_point/node/dds_wire.h"

typedef struct clp_certify_dds {
  clp_dds *dds;
  clp_dds_service service;
  bool more; /* there may be another request */
} clp_certify_dds;

/* False: it has been said why. It ends with its participant. */
bool clp_certify_dds_serve(clp_certify_dds *certify, clp_dds *dds);

/* These as the runner asks for them (front.h). */
clp_service_request *clp_certify_dds_take(clp_certify_dds *certify);
void clp_certify_dds_respond(clp_certify_dds *certify, const clp_service_request *request,
                             const clp_question_answer *answer);
void clp_certify_dds_drop(clp_service_request *request);

#endif

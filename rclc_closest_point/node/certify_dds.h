/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_NODE_CERTIFY_DDS_H
#define RCLC_CLOSEST_POINT_NODE_CERTIFY_DDS_H

/* The service ~/certify on DDS, as clients of rmw_cyclonedds_cpp call it. */

#include "rclc_closest_point/node/dds_wire.h"

clp_dds_service clp_certify_dds_serve(clp_dds *dds);

/* These as the runner asks for them (front.h). */
clp_request *clp_certify_dds_take(clp_dds *dds, const clp_dds_service *service);
void clp_certify_dds_respond(clp_dds *dds, const clp_dds_service *service,
                             const clp_request *request, const clp_question_answer *answer);
void clp_certify_dds_drop(clp_request *request);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/node/convert_dds.h"

#define MESSAGE CLP_DDS_MESSAGE
#define ROOM clp_dds_room
#define MESSAGE_OF clp_dds_message
#define TEXT char *
#define LIST CLP_DDS_LIST
#define TEXT_OF clp_dds_text

#include "rclc_closest_point/node/convert_messages.h"

/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_VIEW_FEED_H
#define RCLC_CLOSEST_POINT_VIEW_FEED_H

/* From what is heard on a monitor's topics to the channels of a server: each topic is one, and one
 * more, CLP_HEARD_TOPIC, says how often and how long ago each has been heard. Nothing here knows
 * what messages mean, but that a picture of bodies is kept for those who come later. */

#include "rclc_closest_point/bag/tap.h"
#include "rclc_closest_point/view/server.h"

#define CLP_HEARD_TOPIC "/closest_point_view/heard"

typedef struct clp_feed clp_feed;

/* Both must outlive it. */
clp_status clp_feed_create(clp_tap *tap, clp_server *server, clp_feed **feed);

/* NULL is allowed. */
void clp_feed_destroy(clp_feed *feed);

/* Passes on what has come since; for a server's tick. */
void clp_feed_update(clp_feed *feed);

#endif

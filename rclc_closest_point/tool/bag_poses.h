/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_TOOL_BAG_POSES_H
#define RCLC_CLOSEST_POINT_TOOL_BAG_POSES_H

#include "rclc_closest_point/tool/poses.h"

/* The poses of a recording (bag/bag.h): of its transforms, or of its joint states where it has no
 * /tf.
 *
 * There is a stamp for each stamp of a transform on /tf that moves a link of the model, or of a
 * joint state, from the first one on at which all links with parts have a pose. Poses are in the
 * fixed frame; of other frames than the one that moves, as they were told last before. Static
 * transforms hold at all times, whenever they were told. */
typedef struct clp_bag_source {
  const char *path;
  const char *model;       /* the model's file; NULL: it is the text */
  const char *text;        /* of the description */
  const char *fixed_frame; /* NULL: the one that all links hang on at last */
} clp_bag_source;

clp_exit_status clp_bag_poses_open(const clp_bag_source *source, const clp_model *model,
                                   clp_model_sink sink, clp_poses **poses);

/* The first robot_description of a recording, to be freed. What is wrong is told. */
clp_exit_status clp_bag_description(const char *path, clp_model_sink sink, char **text);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_SCENE_LINK_PAIR_H
#define RCLC_CLOSEST_POINT_SCENE_LINK_PAIR_H

#include "rclc_closest_point/scene.h"
#include "rclc_closest_point/scene/meeting.h"

/* Two links, each of one or several rigid parts. The distance between links is the smallest among
 * their parts. Every pair of parts is a clp_pair of its own; one whose bounding balls are farther
 * apart than the nearest parts need not be asked, and its balls then answer for it. */

typedef struct clp_link_pair clp_link_pair;

/* The bodies must outlive the pair; the parts are copied. CLP_ERROR_ARGUMENT: a link without parts,
 * a planar part and a solid one, or options that clp_pair_create refuses. Allocates: yes, all that
 * the pair will ever use. */
clp_status clp_link_pair_create(clp_link a, clp_link b, const clp_pair_options *options,
                                clp_link_pair **pair);
void clp_link_pair_destroy(clp_link_pair *pair);

/* As clp_pair_query and clp_pair_track, with the links' poses and twists. Where parts are equally
 * near, a query takes the one whose balls are closest, and tracking stays with those it had. */
clp_link_answer clp_link_pair_query(clp_link_pair *pair, const clp_pose *X_WA,
                                    const clp_pose *X_WB);
clp_link_answer clp_link_pair_track(clp_link_pair *pair, const clp_pose *X_WA, const clp_pose *X_WB,
                                    const clp_twist *V_WA, const clp_twist *V_WB, double step);

/* Starts tracking of the places' parts there, as clp_pair_start does. */
clp_status clp_link_pair_start(clp_link_pair *pair, clp_link_place a, clp_link_place b);

/* clp_pair_gain_bounds of the nearest parts, where the last answer found them and for the last
 * cycle's motion. There must have been one. */
clp_gain_bounds clp_link_pair_gain_bounds(const clp_link_pair *pair, double cycle);

/* The changes during the last query or cycle. In a cycle these are the transitions of the nearest
 * parts, from the feature of the answer before to that of this one; when other parts take over, or
 * the witnesses are found anew, one step on each side whose feature differs. So one event goes on
 * where the one before it on its side ended. In a query they are what the search came across. Of a
 * pair's events those that can be read are counted. */
int clp_link_pair_event_count(const clp_link_pair *pair);
clp_link_event clp_link_pair_event(const clp_link_pair *pair, int index);

#endif

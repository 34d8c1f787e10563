/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/monitor/carriers.h"

#include <stdlib.h>
#include <string.h>

#include "rclc_closest_point/math/pose.h"
#include "rclc_closest_point/model/joint_tree.h"
#include "rclc_closest_point/monitor/monitor_state.h"

bool clp_is_carrier(const clp_joint_tree *tree, int link)
{
  int j = tree->above[link];
  return j < 0 ||
         (tree->joints[j].type != CLP_JOINT_FIXED && !clp_joint_is_single(tree->joints[j].type));
}

static int carrier_link(const clp_joint_tree *tree, int link)
{
  while (!clp_is_carrier(tree, link))
    link = tree->joints[tree->above[link]].parent;
  return link;
}

static int monitored_as(const clp_monitor *m, int link)
{
  for (int k = 0; k < m->link_count; ++k)
    if (m->links[k].link == link)
      return k;
  return -1;
}

/* Links of the tree are numbered as the model's. */
clp_status clp_carriers_create(clp_monitor *monitor)
{
  const clp_joint_tree *tree = monitor->tree;
  clp_carriers *c = &monitor->carriers;
  if (!tree)
    return CLP_OK;
  c->of_link = calloc((size_t)tree->link_count + 1, sizeof *c->of_link);
  c->items = calloc((size_t)monitor->link_count + 1, sizeof *c->items);
  if (!c->of_link || !c->items)
    return CLP_ERROR_MEMORY;
  for (int l = 0; l < tree->link_count; ++l)
    c->of_link[l] = -1;
  for (int k = 0; k < monitor->link_count; ++k) {
    int link = carrier_link(tree, monitor->links[k].link);
    if (c->of_link[link] >= 0)
      continue;
    int monitored = monitored_as(monitor, link);
    c->of_link[link] = c->count;
    c->items[c->count++] =
        (clp_carrier){.link = link, .monitored = monitored, .watched = monitored};
  }
  for (int l = 0; l < tree->link_count; ++l)
    c->of_link[l] = c->of_link[carrier_link(tree, l)];
  return CLP_OK;
}

void clp_carriers_release(clp_carriers *carriers)
{
  free(carriers->of_link);
  free(carriers->items);
  *carriers = (clp_carriers){0};
}

int clp_carriers_watch(clp_monitor *monitor, int first, clp_frame_text *frames)
{
  int count = 0;
  for (int k = 0; k < monitor->carriers.count; ++k) {
    clp_carrier *c = &monitor->carriers.items[k];
    clp_frame_text frame = clp_settings_frame_of(&monitor->settings, monitor->tree->links[c->link]);
    c->frame.watched = c->monitored < 0 && strcmp(frame.text, monitor->settings.fixed_frame) != 0;
    if (!c->frame.watched)
      continue;
    c->watched = first + count;
    frames[count++] = frame;
  }
  return count;
}

void clp_carriers_take(clp_monitor *monitor)
{
  for (int k = 0; k < monitor->carriers.count; ++k) {
    clp_carrier *c = &monitor->carriers.items[k];
    if (c->frame.watched)
      clp_monitor_take_frame(monitor, c->watched, &c->frame);
  }
}

void clp_carriers_forget(clp_monitor *monitor)
{
  for (int k = 0; k < monitor->carriers.count; ++k)
    clp_link_state_forget(&monitor->carriers.items[k].frame.state);
}

clp_link_now clp_carrier_at(const clp_monitor *m, const clp_carrier *c, int64_t time)
{
  clp_link_now fixed = {.freshness = CLP_LINK_FRESH,
                        .measured = true,
                        .orientation = {0, 0, 0, 1},
                        .X_WL = clp_pose_identity()};
  if (c->monitored >= 0)
    return m->links[c->monitored].now;
  return c->frame.watched ? clp_link_state_at(&c->frame.state, time, m->settings.max_speed,
                                              m->settings.stale_after)
                          : fixed;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/monitor/snapshot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rclc_closest_point/math/pose.h"
#include "rclc_closest_point/model/joint_tree.h"
#include "rclc_closest_point/monitor/monitor_state.h"

/* ---- From start to end -------------------------------------------------------------------- */

clp_status clp_snapshot_create(clp_monitor *monitor)
{
  clp_snapshot *s = &monitor->snapshot;
  size_t links = (size_t)monitor->link_count, carriers = (size_t)monitor->carriers.count;
  if (!monitor->tree)
    return CLP_OK;
  s->links = calloc(links + 1, sizeof *s->links);
  s->carriers = calloc(carriers + 1, sizeof *s->carriers);
  s->joints = calloc((size_t)monitor->tree->joint_count + 1, sizeof *s->joints);
  s->chains = calloc((links + carriers + 1) * CLP_FRAME_DEPTH_MAX, sizeof *s->chains);
  s->link_of_frame = calloc(CLP_FRAMES_MAX, sizeof *s->link_of_frame);
  if (!s->links || !s->carriers || !s->joints || !s->chains || !s->link_of_frame)
    return CLP_ERROR_MEMORY;
  for (size_t k = 0; k < links + carriers; ++k)
    (k < links ? &s->links[k] : &s->carriers[k - links])->hangs_on =
        s->chains + k * CLP_FRAME_DEPTH_MAX;
  s->version = UINT64_MAX;
  snprintf(s->fixed_frame.text, sizeof s->fixed_frame.text, "%s", monitor->settings.fixed_frame);
  return CLP_OK;
}

void clp_snapshot_release(clp_snapshot *snapshot)
{
  free(snapshot->links);
  free(snapshot->carriers);
  free(snapshot->joints);
  free(snapshot->chains);
  free(snapshot->link_of_frame);
  *snapshot = (clp_snapshot){0};
}

/* ---- In the thread of the cycles ---------------------------------------------------------- */

/* Which frames are links of the tree; whenever another frame hangs somewhere. */
static void find_links(clp_monitor *m)
{
  clp_snapshot *s = &m->snapshot;
  if (s->version == m->input.frames.version)
    return;
  s->version = m->input.frames.version;
  memset(s->link_of_frame, -1, CLP_FRAMES_MAX * sizeof *s->link_of_frame);
  for (int l = 0; l < m->tree->link_count; ++l) {
    clp_frame_text name = clp_settings_frame_of(&m->settings, m->tree->links[l]);
    int frame = clp_frames_find(&m->input.frames, name.text);
    if (frame >= 0)
      s->link_of_frame[frame] = l;
  }
}

/* A chain names its transforms by the frames below them. */
static void copy_chain(const clp_monitor *m, int watched, clp_snapshot_place *place)
{
  place->hangs_on_count = 0;
  for (int k = 0; watched >= 0 && k < m->input.watched[watched].chain_count; ++k) {
    int link = m->snapshot.link_of_frame[m->input.watched[watched].chain[k]];
    if (link >= 0)
      place->hangs_on[place->hangs_on_count++] = link;
  }
}

/* What is on the fixed frame has no state. */
static void copy_place(const clp_monitor *m, const clp_link_now *now, const clp_link_state *state,
                       int watched, clp_snapshot_place *place)
{
  clp_measured told;
  place->now = *now;
  place->X_told = now->X_WL;
  if (watched >= 0 && clp_link_state_newest(state, &told))
    place->X_told = clp_pose_from(told.position, told.orientation);
  copy_chain(m, watched, place);
}

static void copy_carriers(clp_monitor *m)
{
  for (int k = 0; k < m->carriers.count; ++k) {
    const clp_carrier *c = &m->carriers.items[k];
    clp_link_now now = clp_carrier_at(m, c, m->time);
    const clp_link_state *state =
        c->monitored >= 0 ? &m->links[c->monitored].state : &c->frame.state;
    copy_place(m, &now, state, c->watched, &m->snapshot.carriers[k]);
  }
}

static void copy_joints(clp_monitor *m)
{
  for (int j = 0; j < m->tree->joint_count && m->joints.tree; ++j) {
    const clp_joint_known *known = &m->joints.known[j];
    bool told = known->stamp != CLP_NEVER;
    m->snapshot.joints[j] =
        (clp_snapshot_joint){.told = told,
                             .position = known->position,
                             .age = told ? 1e-9 * (double)(m->time - known->stamp) : HUGE_VAL};
  }
}

void clp_monitor_take_snapshot(clp_monitor *monitor)
{
  clp_snapshot *s = &monitor->snapshot;
  if (!monitor->tree)
    return;
  s->time = monitor->time;
  s->stale_after = monitor->settings.stale_after;
  snprintf(s->alarm, sizeof s->alarm, "%s",
           monitor->report.alarm ? monitor->report.safety.reason : "");
  find_links(monitor);
  for (int k = 0; k < monitor->link_count; ++k)
    copy_place(monitor, &monitor->links[k].now, &monitor->links[k].state, k, &s->links[k]);
  copy_carriers(monitor);
  copy_joints(monitor);
}

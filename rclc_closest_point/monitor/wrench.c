/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/monitor/wrench.h"

#include <math.h>
#include <string.h>

#include "rclc_closest_point/math/pose.h"
#include "rclc_closest_point/monitor/force.h"

/* ---- The tool ----------------------------------------------------------------------------- */

/* Whether fixed joints alone lead from the base down to the link. No way is longer than there are
 * links; a loop is walked until that is used up. */
static bool is_fixed_to(const clp_model *model, int link, int base)
{
  for (int k = clp_model_link_count(model); k >= 0 && link >= 0; --k) {
    if (link == base)
      return true;
    link = clp_model_fixed_parent(model, link);
  }
  return false;
}

clp_status clp_wrench_choose_pairs(clp_monitor *monitor, clp_log *log)
{
  const char *name = monitor->settings.wrench_tool;
  if (!*name)
    return CLP_OK;
  int tool = clp_model_find_link(monitor->model, name), pairs = 0;
  for (int k = 0; tool >= 0 && k < monitor->pair_count; ++k) {
    clp_monitor_pair *pair = &monitor->pairs[k];
    bool a = is_fixed_to(monitor->model, monitor->links[pair->a].link, tool);
    bool b = is_fixed_to(monitor->model, monitor->links[pair->b].link, tool);
    pair->role = a == b ? CLP_TOOL_NONE : a ? CLP_TOOL_IS_A : CLP_TOOL_IS_B;
    pairs += a != b;
  }
  if (pairs > 0)
    return CLP_OK;
  clp_log_defect(log, 1, "parameter 'wrench_tool' names link '%s', %s", clp_show_string(name).text,
                 tool < 0 ? "which the model does not have"
                          : "which is in no monitored pair, nor is a link that is fixed to it");
  return CLP_ERROR_FORMAT;
}

/* ---- Cycles ------------------------------------------------------------------------------- */

static void place(clp_monitor *m, clp_monitor_frame *frame, int64_t time)
{
  if (frame->watched)
    frame->now =
        clp_link_state_at(&frame->state, time, m->settings.max_speed, m->settings.stale_after);
}

/* A cycle that is late steps no farther than two; after a pause that is longer than the ramp pushes
 * begin with nothing, as nobody has heard of them for so long. */
void clp_wrench_begin(clp_monitor *monitor, int64_t time, double step)
{
  double late = 2 / monitor->settings.rate;
  monitor->wrench_step = fmin(step, late);
  place(monitor, &monitor->tool, time);
  place(monitor, &monitor->wrench_frame, time);
  for (int k = 0; step > late + CLP_FORCE_RAMP && k < monitor->pair_count; ++k)
    monitor->pairs[k].push = (clp_wrench){{0, 0, 0}, {0, 0, 0}};
}

static bool is_known(const clp_monitor_frame *frame)
{
  return !frame->watched || frame->now.freshness == CLP_LINK_FRESH;
}

/* No point of the link is farther from the tool's origin. */
static double lever_of(const clp_monitor *m, const clp_monitor_link *link)
{
  double farthest = 0;
  for (int k = 0; k < 8; ++k)
    farthest = fmax(farthest, clp_norm(clp_box_corner(link->state.box, k)));
  return farthest + clp_distance(link->now.X_WL.position, m->tool.now.X_WL.position);
}

void clp_wrench_add(clp_monitor *monitor, clp_monitor_pair *pair, const clp_closest_point *point)
{
  if (pair->role == CLP_TOOL_NONE)
    return;
  const clp_settings *s = &monitor->settings;
  clp_force_law law = {s->stiffness, s->damping, s->engage_distance};
  bool on_b = pair->role == CLP_TOOL_IS_B;
  clp_wrench wanted = {{0, 0, 0}, {0, 0, 0}};
  if (is_known(&monitor->tool) && is_known(&monitor->wrench_frame))
    wanted = clp_force_wanted(law, point, on_b, monitor->tool.now.X_WL.position);
  double lever = lever_of(monitor, &monitor->links[on_b ? pair->b : pair->a]);
  pair->push = clp_force_towards(law, pair->push, wanted, monitor->wrench_step, lever);
  clp_wrench *sum = &monitor->report.wrench;
  *sum =
      (clp_wrench){clp_add(sum->force, pair->push.force), clp_add(sum->torque, pair->push.torque)};
}

void clp_wrench_finish(clp_monitor *monitor)
{
  clp_wrench *sum = &monitor->report.wrench;
  if (monitor->closing)
    *sum = (clp_wrench){{0, 0, 0}, {0, 0, 0}};
  if (!monitor->wrench_frame.watched)
    return;
  clp_mat3 R_WF = monitor->wrench_frame.now.X_WL.rotation;
  *sum = (clp_wrench){clp_rotate_back(R_WF, sum->force), clp_rotate_back(R_WF, sum->torque)};
}

/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "rclc_closest_point/base/enumerators.h"
#include "rclc_closest_point/base/text.h"
#include "rclc_closest_point/body/body.h"
#include "rclc_closest_point/control/controller.h"
#include "rclc_closest_point/math/pose.h"
#include "rclc_closest_point/model/joint_tree.h"
#include "rclc_closest_point/model/log.h"
#include "rclc_closest_point/monitor/monitor_state.h"
#include "rclc_closest_point/monitor/wrench.h"
#include "rclc_closest_point/scene/meeting.h"

/* Creating a monitor, stage by stage. Whatever a stage has taken is in the monitor, and released
 * with it. */

/* States of pairs of parts that are kept; more pairs than that take turns. */
#define MAX_TRACKED 20000

/* ---- Names -------------------------------------------------------------------------------- */

/* A link of the model that has parts, by the first `length` bytes of a text. -1: it has been said
 * what is wrong. */
static int find_link(const clp_monitor *m, clp_log *log, const char *parameter, const char *text,
                     size_t length)
{
  for (int link = 0; link < clp_model_link_count(m->model); ++link) {
    const char *name = clp_model_link_name(m->model, link);
    if (strlen(name) != length || memcmp(name, text, length) != 0)
      continue;
    if (clp_model_part_count(m->model, link) > 0)
      return link;
    clp_log_defect(log, 1,
                   "parameter '%s' names link '%s', which has no parts to be near to "
                   "anything",
                   parameter, clp_show(text, length).text);
    return -1;
  }
  clp_log_defect(log, 1, "parameter '%s' names link '%s', which the model does not have", parameter,
                 clp_show(text, length).text);
  return -1;
}

/* ---- Pairs -------------------------------------------------------------------------------- */

/* The monitor's link for one of the model; there is room for all. */
static int take_link(clp_monitor *m, int link)
{
  for (int k = 0; k < m->link_count; ++k)
    if (m->links[k].link == link)
      return k;
  m->links[m->link_count] = (clp_monitor_link){.link = link};
  return m->link_count++;
}

static void take_pair(clp_monitor *m, int a, int b)
{
  int first = take_link(m, a), second = take_link(m, b);
  m->pairs[m->pair_count++] = (clp_monitor_pair){.a = first, .b = second};
}

static bool take_named_pair(clp_monitor *m, clp_log *log, const char *text)
{
  const char *colon = strchr(text, ':');
  int a = find_link(m, log, "pairs", text, (size_t)(colon - text));
  int b = find_link(m, log, "pairs", colon + 1, strlen(colon + 1));
  if (a == b && a >= 0)
    clp_log_defect(log, 1, "parameter 'pairs' has '%s', expected two different links",
                   clp_show_string(text).text);
  if (a < 0 || b < 0 || a == b)
    return false;
  take_pair(m, a, b);
  return true;
}

static int count_model_pairs(const clp_model *model)
{
  int count = 0, links = clp_model_link_count(model);
  for (int a = 0; a < links; ++a)
    for (int b = a + 1; b < links; ++b)
      count += clp_model_is_pair(model, a, b);
  return count;
}

static clp_status choose_pairs(clp_monitor *m, clp_log *log)
{
  int links = clp_model_link_count(m->model), named = m->settings.pairs.count;
  int room = named > 0 ? named : count_model_pairs(m->model);
  m->links = calloc((size_t)links + 1, sizeof *m->links);
  m->pairs = calloc((size_t)room + 1, sizeof *m->pairs);
  m->points = calloc((size_t)room + 1, sizeof *m->points);
  m->ranks = calloc((size_t)room + 1, sizeof *m->ranks);
  if (!m->links || !m->pairs || !m->points || !m->ranks)
    return CLP_ERROR_MEMORY;
  for (int k = 0; k < named; ++k)
    take_named_pair(m, log, m->settings.pairs.items[k]);
  for (int a = 0; named == 0 && a < links; ++a)
    for (int b = a + 1; b < links; ++b)
      if (clp_model_is_pair(m->model, a, b))
        take_pair(m, a, b);
  if (m->pair_count == 0 && log->defects == 0)
    clp_log_defect(log, 1,
                   "the model has no pair of links to monitor, expected links with parts "
                   "that no joint connects directly");
  return log->defects > 0 ? CLP_ERROR_FORMAT : CLP_OK;
}

/* It may be right, as for a list of links that several monitors have, and it may be a mistake that
 * leaves somebody unguarded. */
static void note_unpaired(clp_log *log, const char *parameter, const char *name)
{
  clp_log_note(log, 1, "parameter '%s' names link '%s', which is in no monitored pair", parameter,
               clp_show_string(name).text);
}

static void give_role(clp_monitor *m, clp_log *log, const char *parameter, const clp_texts *names,
                      clp_role role)
{
  for (int k = 0; k < names->count; ++k) {
    int link = find_link(m, log, parameter, names->items[k], strlen(names->items[k]));
    bool paired = false;
    for (int j = 0; j < m->link_count; ++j) {
      if (m->links[j].link != link)
        continue;
      paired = true;
      if (m->links[j].role == CLP_ROLE_ROBOT && role == CLP_ROLE_HUMAN)
        clp_log_defect(log, 1, "link '%s' is named by both 'robot_links' and 'human_links'",
                       clp_show_string(names->items[k]).text);
      m->links[j].role = role;
    }
    if (link >= 0 && !paired)
      note_unpaired(log, parameter, names->items[k]);
  }
}

/* What could be a robot and something else. */
static bool counts_for_safety(clp_role a, clp_role b)
{
  if (a == CLP_ROLE_ANY || b == CLP_ROLE_ANY)
    return true;
  return (a == CLP_ROLE_ROBOT) != (b == CLP_ROLE_ROBOT);
}

static clp_status choose_safety_pairs(clp_monitor *m, clp_log *log)
{
  const clp_texts *robot = &m->settings.robot_links, *human = &m->settings.human_links;
  clp_role others = human->count > 0 ? CLP_ROLE_THING : CLP_ROLE_HUMAN;
  for (int k = 0; k < m->link_count; ++k)
    m->links[k].role = robot->count > 0 ? others : CLP_ROLE_ANY;
  give_role(m, log, "robot_links", robot, CLP_ROLE_ROBOT);
  give_role(m, log, "human_links", human, CLP_ROLE_HUMAN);
  for (int k = 0; k < m->pair_count; ++k) {
    clp_monitor_pair *pair = &m->pairs[k];
    pair->safety = counts_for_safety(m->links[pair->a].role, m->links[pair->b].role);
  }
  return log->defects > 0 ? CLP_ERROR_FORMAT : CLP_OK;
}

/* What a link hangs on by fixed joints alone, at last; of a file with a loop of them any. */
static int rigid_root(const clp_model *model, int link)
{
  for (int k = 0; k < clp_model_link_count(model); ++k) {
    int parent = clp_model_fixed_parent(model, link);
    if (parent < 0)
      break;
    link = parent;
  }
  return link;
}

/* What is fixed to a link of the robot moves with it, also if the two are siblings; but not what is
 * fixed to the world, as the robot's base may be. */
static clp_status spread_rigidly(const clp_monitor *m, bool *is_robot)
{
  int links = clp_model_link_count(m->model);
  int world =
      clp_model_find_link(m->model, clp_settings_link_of(&m->settings, m->settings.fixed_frame));
  bool *moves = calloc((size_t)links + 1, sizeof *moves);
  if (!moves)
    return CLP_ERROR_MEMORY;
  for (int k = 0; k < links; ++k)
    if (is_robot[k])
      moves[rigid_root(m->model, k)] = true;
  if (world >= 0)
    moves[rigid_root(m->model, world)] = false;
  for (int k = 0; k < links; ++k)
    is_robot[k] |= moves[rigid_root(m->model, k)];
  free(moves);
  return CLP_OK;
}

/* Links of the robot are those that can be it in some pair, and those that are said to be. */
static clp_status make_claim(clp_monitor *m, clp_log *log)
{
  const clp_texts *names = &m->settings.robot_links;
  bool *is_robot = calloc((size_t)clp_model_link_count(m->model) + 1, sizeof *is_robot);
  if (!is_robot)
    return CLP_ERROR_MEMORY;
  for (int k = 0; k < m->link_count; ++k)
    is_robot[m->links[k].link] =
        m->links[k].role == CLP_ROLE_ROBOT || m->links[k].role == CLP_ROLE_ANY;
  for (int k = 0; k < names->count; ++k) {
    int link = clp_model_find_link(m->model, names->items[k]);
    if (link >= 0)
      is_robot[link] = true;
  }
  clp_status status = spread_rigidly(m, is_robot);
  if (status == CLP_OK)
    status = clp_claim_create(&m->claim, m->model, is_robot, &m->settings.allow_uncovered, log);
  free(is_robot);
  return status;
}

/* ---- Padding ------------------------------------------------------------------------------ */

/* The item of `padding` that names the link; -1: none. What names no link of the model, or one
 * twice, is said by who looks at all items. */
static int padding_of(const clp_monitor *m, const char *name, double *padding)
{
  const clp_texts *items = &m->settings.padding;
  for (int k = 0; k < items->count; ++k) {
    size_t length = 0;
    if (clp_settings_read_padding(items->items[k], &length, padding) && strlen(name) == length &&
        memcmp(name, items->items[k], length) == 0)
      return k;
  }
  *padding = m->settings.default_padding;
  return -1;
}

/* Every item names a link of its own; one that is in no pair is padded for nobody. */
static void check_padding(const clp_monitor *m, clp_log *log)
{
  const clp_texts *items = &m->settings.padding;
  for (int k = 0; k < items->count; ++k) {
    double padding = 0;
    size_t length = 0;
    clp_settings_read_padding(items->items[k], &length, &padding);
    int link = find_link(m, log, "padding", items->items[k], length);
    if (link < 0)
      continue;
    const char *name = clp_model_link_name(m->model, link);
    bool paired = false;
    for (int j = 0; j < m->link_count; ++j)
      paired |= m->links[j].link == link;
    if (!paired)
      note_unpaired(log, "padding", name);
    if (padding_of(m, name, &padding) != k)
      clp_log_defect(log, 1, "parameter 'padding' names link '%s' twice, expected every link once",
                     clp_show_string(name).text);
  }
}

static clp_status pad_links(clp_monitor *m, clp_log *log)
{
  check_padding(m, log);
  for (int k = 0; k < m->link_count; ++k) {
    double padding = 0;
    const char *name = clp_model_link_name(m->model, m->links[k].link);
    bool named = padding_of(m, name, &padding) >= 0;
    if (clp_model_pad_link(m->model, m->links[k].link, padding) != CLP_OK)
      clp_log_defect(log, 1,
                     "parameter '%s' pads link '%s' by %s m, of which a part is not convex, not "
                     "closed or planar, expected none: '%s:0' in 'padding' leaves it as it is",
                     named ? "padding" : "default_padding", clp_show_string(name).text,
                     clp_number(padding, 6).text, clp_show_string(name).text);
  }
  return log->defects > 0 ? CLP_ERROR_FORMAT : CLP_OK;
}

/* ---- The scene ---------------------------------------------------------------------------- */

/* To search for a pair's witnesses takes as long as to follow some thirty pairs. A monitor that
 * starts, or is given what it has not seen yet, does so a few at a time, and is not covered until
 * then, instead of once being late by some cycles. */
#define NEW_PER_SECOND 32000.0

static clp_scene_options scene_options(const clp_settings *settings)
{
  clp_scene_options options = clp_default_scene_options();
  options.pair.gain = settings->gain;
  options.pair.substeps = (int)settings->substeps;
  options.pair.tolerance = settings->tolerance;
  options.pair.range = clp_monitor_range(settings);
  options.pair.effort = (int)settings->effort;
  options.max_pairs_per_cycle = (int)settings->max_pairs_per_cycle;
  options.max_new_per_cycle = (int)ceil(NEW_PER_SECOND / settings->rate);
  for (int k = 0; k < CLP_CONTROLLER_COUNT; ++k)
    if (strcmp(settings->controller, clp_controller_name((clp_controller)k)) == 0)
      options.pair.controller = (clp_controller)k;
  return options;
}

static clp_scene_limits scene_limits(const clp_monitor *m)
{
  clp_scene_limits limits = {.links = m->link_count, .pairs = m->pair_count};
  for (int k = 0; k < m->link_count; ++k)
    limits.parts += clp_model_part_count(m->model, m->links[k].link);
  for (int k = 0; k < m->pair_count; ++k)
    limits.part_pairs += clp_model_part_count(m->model, m->links[m->pairs[k].a].link) *
                         clp_model_part_count(m->model, m->links[m->pairs[k].b].link);
  limits.tracked = limits.part_pairs < MAX_TRACKED ? limits.part_pairs : MAX_TRACKED;
  return limits;
}

/* Widens a box of the link so that it holds a part. */
static void hold_part(clp_box3 *box, const clp_part *part)
{
  clp_box3 own = clp_body_describe(part->body).bounds;
  for (int k = 0; k < 8; ++k) {
    clp_vec3 p = clp_transform(part->X_LP, clp_box_corner(own, k));
    box->min = (clp_vec3){fmin(box->min.x, p.x), fmin(box->min.y, p.y), fmin(box->min.z, p.z)};
    box->max = (clp_vec3){fmax(box->max.x, p.x), fmax(box->max.y, p.y), fmax(box->max.z, p.z)};
  }
}

static clp_status add_link(clp_monitor *m, clp_monitor_link *link)
{
  clp_link parts = clp_model_link(m->model, link->link);
  link->state.box = (clp_box3){{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
  for (int k = 0; k < parts.count; ++k)
    hold_part(&link->state.box, &parts.parts[k]);
  clp_status status = clp_scene_add_link(m->scene, parts, &link->id);
  return status == CLP_OK ? clp_scene_enable_link(m->scene, link->id, false) : status;
}

static clp_status add_pair(clp_monitor *m, clp_log *log, clp_monitor_pair *pair)
{
  pair->planar = clp_link_is_planar(clp_model_link(m->model, m->links[pair->a].link)) ||
                 clp_link_is_planar(clp_model_link(m->model, m->links[pair->b].link));
  pair->proven = clp_link_is_proven(clp_model_link(m->model, m->links[pair->a].link)) &&
                 clp_link_is_proven(clp_model_link(m->model, m->links[pair->b].link));
  clp_status status =
      clp_scene_add_pair(m->scene, m->links[pair->a].id, m->links[pair->b].id, &pair->id);
  if (status != CLP_ERROR_ARGUMENT)
    return status;
  clp_log_defect(log, 1,
                 "links '%s' and '%s' cannot be a pair, one is planar and the other a "
                 "solid, expected planar parts and points in one plane",
                 clp_model_link_name(m->model, m->links[pair->a].link),
                 clp_model_link_name(m->model, m->links[pair->b].link));
  return CLP_ERROR_FORMAT;
}

static clp_status build_scene(clp_monitor *m, clp_log *log)
{
  clp_scene_limits limits = scene_limits(m);
  clp_scene_options options = scene_options(&m->settings);
  clp_status status = clp_scene_create(&limits, &options, &m->scene);
  for (int k = 0; status == CLP_OK && k < m->link_count; ++k)
    status = add_link(m, &m->links[k]);
  for (int k = 0; status == CLP_OK && k < m->pair_count; ++k)
    status = add_pair(m, log, &m->pairs[k]);
  return status;
}

/* ---- All of it ---------------------------------------------------------------------------- */

static clp_status check_settings(const clp_monitor *m, clp_log *log)
{
  char why[256];
  if (clp_settings_check(&m->settings, why, sizeof why) == CLP_OK)
    return CLP_OK;
  clp_log_defect(log, 1, "parameter %s", why);
  return CLP_ERROR_FORMAT;
}

static clp_status load_model(clp_monitor *m, const char *description, size_t length,
                             clp_model_sink sink)
{
  clp_status status =
      description ? clp_model_parse(description, length, "robot_description", sink, &m->model)
                  : clp_model_load(m->settings.model, sink, &m->model);
  if (status == CLP_OK && *m->settings.srdf)
    status = clp_model_apply_srdf(m->model, m->settings.srdf, sink);
  return status;
}

static void keep_fault(void *user, clp_severity severity, const char *line)
{
  clp_monitor *m = user;
  if (severity == CLP_DEFECT && !*m->tree_fault)
    snprintf(m->tree_fault, sizeof m->tree_fault, "%.199s", line);
}

/* Transforms tell where all links are: joints that cannot be used are missed by who asks about
 * trajectories alone. */
static clp_status load_tree(clp_monitor *m, const char *description, size_t length)
{
  clp_model_sink sink = {keep_fault, m};
  clp_status status =
      description ? clp_joint_forest_parse(description, length, "robot_description", sink, &m->tree)
                  : clp_joint_forest_load(m->settings.model, sink, &m->tree);
  if (m->tree && m->tree->link_count != clp_model_link_count(m->model)) {
    keep_fault(m, CLP_DEFECT, "the model's file has changed while it was read");
    clp_joint_tree_destroy(m->tree);
    m->tree = NULL;
  }
  return status == CLP_ERROR_MEMORY ? status : CLP_OK;
}

static clp_status load_joints(clp_monitor *m, const char *description, size_t length,
                              clp_model_sink sink)
{
  const char *prefix = m->settings.frame_prefix;
  if (!*m->settings.joint_states)
    return load_tree(m, description, length);
  clp_status status = description ? clp_joints_create(&m->joints, description, length,
                                                      "robot_description", prefix, sink)
                                  : clp_joints_load(&m->joints, m->settings.model, prefix, sink);
  m->tree = m->joints.tree;
  return status;
}

void clp_monitor_heed_settings(clp_monitor *monitor)
{
  const clp_settings *settings = &monitor->settings;
  double hold = fmax(settings->minimum_hold, settings->stale_after);
  monitor->input.stamp_ahead = (int64_t)(1e9 * settings->stamp_ahead);
  monitor->input.limits =
      (clp_voice_limits){settings->max_speed, 2 * settings->position_uncertainty,
                         (int64_t)(1e9 * settings->stale_after), (int64_t)(1e9 * hold)};
}

static clp_status name_post_dated(clp_monitor *m)
{
  const clp_texts *names = &m->settings.post_dated;
  for (int k = 0; k < names->count; ++k)
    if (!clp_input_post_date(&m->input, names->items[k]))
      return CLP_ERROR_MEMORY;
  return CLP_OK;
}

/* The tool and the wrench's frame come after the links, and then what else carries them. */
static clp_status watch_frames(clp_monitor *m)
{
  const clp_settings *settings = &m->settings;
  size_t room = 2 * (size_t)m->link_count + 2;
  const char **names = calloc(room, sizeof *names);
  clp_frame_text *frames = calloc(room, sizeof *frames);
  clp_frame_text frame = clp_settings_wrench_frame(settings);
  clp_frame_text tool = clp_settings_frame_of(settings, settings->wrench_tool);
  int count = 0;
  m->tool.watched = *frame.text && strcmp(tool.text, settings->fixed_frame) != 0;
  m->wrench_frame.watched = *frame.text && strcmp(frame.text, settings->fixed_frame) != 0;
  for (; names && frames && count < m->link_count; ++count)
    frames[count] =
        clp_settings_frame_of(settings, clp_model_link_name(m->model, m->links[count].link));
  for (int k = 0; names && frames && k < 2; ++k)
    if (k == 0 ? m->tool.watched : m->wrench_frame.watched)
      frames[count++] = k == 0 ? tool : frame;
  if (names && frames)
    count += clp_carriers_watch(m, count, frames + count);
  for (int k = 0; names && frames && k < count; ++k)
    names[k] = frames[k].text;
  clp_status status = names && frames
                          ? clp_input_create(&m->input, settings->fixed_frame, names, count)
                          : CLP_ERROR_MEMORY;
  free(names);
  free(frames);
  if (status == CLP_OK)
    status = clp_joints_hang(&m->joints, &m->input);
  clp_monitor_heed_settings(m);
  return status == CLP_OK ? name_post_dated(m) : status;
}

clp_status clp_monitor_create(const clp_settings *settings, const char *description, size_t length,
                              clp_model_sink sink, clp_monitor **monitor)
{
  clp_monitor *m = calloc(1, sizeof *m);
  if (!m)
    return CLP_ERROR_MEMORY;
  m->clock = clp_clock_watch_begin();
  clp_status status = clp_settings_copy(settings, &m->settings);
  clp_log log = {.file = description ? "robot_description" : settings->model, .sink = sink};
  if (status == CLP_OK)
    status = check_settings(m, &log);
  if (status == CLP_OK)
    status = load_model(m, description, length, sink);
  if (status == CLP_OK)
    status = load_joints(m, description, length, sink);
  if (status == CLP_OK)
    status = choose_pairs(m, &log);
  if (status == CLP_OK)
    status = choose_safety_pairs(m, &log);
  if (status == CLP_OK)
    status = clp_carriers_create(m);
  if (status == CLP_OK)
    status = clp_gradients_create(m);
  if (status == CLP_OK)
    status = make_claim(m, &log);
  if (status == CLP_OK)
    status = clp_wrench_choose_pairs(m, &log);
  if (status == CLP_OK)
    status = pad_links(m, &log);
  if (status == CLP_OK)
    status = build_scene(m, &log);
  if (status == CLP_OK)
    status = watch_frames(m);
  if (status == CLP_OK)
    status = clp_snapshot_create(m);
  if (status == CLP_OK)
    *monitor = m;
  else
    clp_monitor_destroy(m);
  return status;
}

void clp_monitor_destroy(clp_monitor *monitor)
{
  if (!monitor)
    return;
  clp_input_release(&monitor->input);
  clp_gradients_release(&monitor->gradients);
  clp_snapshot_release(&monitor->snapshot);
  clp_carriers_release(&monitor->carriers);
  if (monitor->tree != monitor->joints.tree)
    clp_joint_tree_destroy(monitor->tree);
  clp_joints_release(&monitor->joints);
  clp_claim_release(&monitor->claim);
  clp_scene_destroy(monitor->scene);
  clp_model_destroy(monitor->model);
  clp_settings_release(&monitor->settings);
  free(monitor->links);
  free(monitor->pairs);
  free(monitor->points);
  free(monitor->ranks);
  free(monitor);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/monitor/monitor.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "rclc_closest_point/base/text.h"
#include "rclc_closest_point/math/pose.h"
#include "rclc_closest_point/model/feature_name.h"
#include "rclc_closest_point/model/joint_tree.h"
#include "rclc_closest_point/monitor/monitor_state.h"
#include "rclc_closest_point/monitor/standing.h"
#include "rclc_closest_point/monitor/wrench.h"

/* ---- Feeding ------------------------------------------------------------------------------ */

/* What rests never becomes too old, so where it no longer hangs on the fixed frame it is lost at
 * once. */
static bool take_pose(clp_monitor *m, int watched, clp_link_state *state)
{
  clp_measured measured;
  bool taken = clp_input_take(&m->input, watched, &measured);
  if (taken)
    clp_link_state_measure(state, &measured, m->settings.stale_after);
  else if (clp_link_state_rests(state) && !clp_input_connected(&m->input, watched))
    clp_link_state_forget(state);
  return taken;
}

void clp_monitor_take_frame(clp_monitor *monitor, int watched, clp_monitor_frame *frame)
{
  (void)take_pose(monitor, watched, &frame->state);
}

static void take_poses(clp_monitor *m)
{
  for (int k = 0; k < m->link_count; ++k)
    if (take_pose(m, k, &m->links[k].state))
      m->links[k].heard = m->clock.paired;
  clp_monitor_frame *const frames[] = {&m->tool, &m->wrench_frame};
  for (int k = 0, index = m->link_count; k < 2; ++k)
    if (frames[k]->watched)
      clp_monitor_take_frame(m, index++, frames[k]);
  clp_carriers_take(m);
}

static bool is_taken(clp_feed_verdict verdict)
{
  return verdict == CLP_FEED_TAKEN || verdict == CLP_FEED_BACK;
}

void clp_monitor_listen_to(clp_monitor *monitor, uint64_t writer)
{
  monitor->input.writer = writer;
}

void clp_monitor_feed(clp_monitor *monitor, const clp_arrival *arrivals, size_t count,
                      bool is_static, int64_t now)
{
  bool any = false;
  int needed = 0;
  uint64_t tree = monitor->input.frames.version; /* what is refused may cut it, too */
  for (size_t k = 0; k < count; ++k)
    any |= is_taken(clp_input_feed(&monitor->input, &arrivals[k], is_static, now));
  /* A frame's own transform may stand before the one that makes it needed. */
  while (needed != monitor->input.needed) {
    needed = monitor->input.needed;
    for (size_t k = 0; k < count; ++k)
      if (clp_input_lacks(&monitor->input, arrivals[k].child))
        clp_input_feed(&monitor->input, &arrivals[k], is_static, now);
  }
  if (any || tree != monitor->input.frames.version)
    take_poses(monitor);
}

void clp_monitor_feed_joints(clp_monitor *monitor, const clp_joint_message *message, int64_t now)
{
  if (clp_joints_feed(&monitor->joints, &monitor->input, message, now))
    take_poses(monitor);
}

void clp_monitor_count(clp_monitor *monitor, clp_feed_verdict verdict, uint64_t count)
{
  monitor->input.counts[verdict] += count;
}

/* ---- Where the links are ------------------------------------------------------------------ */

static void enable(clp_monitor *m, clp_monitor_link *link, bool enabled)
{
  if (link->enabled != enabled && clp_scene_enable_link(m->scene, link->id, enabled) == CLP_OK)
    link->enabled = enabled;
}

/* The twist is the one that leads here from the last cycle's place, which is not the link's own
 * wherever a new pose corrects what was predicted. */
static clp_twist twist_since(const clp_monitor_link *link, double step)
{
  clp_vec3 way = clp_sub(link->now.X_WL.position, link->last_position);
  clp_vec3 turn = clp_quaternion_turn(link->last_orientation, link->now.orientation);
  return (clp_twist){clp_scale(1 / step, way), clp_scale(1 / step, turn)};
}

/* Seconds that simulated time stands still for, between the messages that say what it is or for
 * good: whatever moves may go on meanwhile. */
static double standing(const clp_monitor *m)
{
  return m->settings.use_sim_time ? clp_clock_stands(&m->clock) : 0;
}

/* Where the link is, by a clock that may have been slow since it was heard of. What is simulated
 * may be as slow as it likes, and is not too old for it. */
static clp_link_now place_at(const clp_monitor *m, const clp_monitor_link *link, int64_t time)
{
  double behind = clp_clock_behind(&m->clock, link->heard);
  double stale_after = m->settings.stale_after - (m->settings.use_sim_time ? 0 : behind);
  clp_link_now now = clp_link_state_at(&link->state, time, m->settings.max_speed, stale_after);
  if (now.moving)
    now.reach += now.speed * fmax(behind, standing(m));
  return now;
}

static void place_link(clp_monitor *m, clp_monitor_link *link, int64_t time, double step)
{
  link->now = place_at(m, link, time);
  enable(m, link, link->now.freshness != CLP_LINK_UNKNOWN);
  if (!link->enabled)
    return;
  bool moves = link->placed && step > 0;
  clp_twist twist = moves ? twist_since(link, step) : (clp_twist){{0, 0, 0}, {0, 0, 0}};
  if (clp_scene_set_motion(m->scene, link->id, &link->now.X_WL, moves ? &twist : NULL) != CLP_OK) {
    enable(m, link, false);
    link->now.freshness = CLP_LINK_UNKNOWN;
  }
  link->placed = true;
  link->last_position = link->now.X_WL.position;
  link->last_orientation = link->now.orientation;
}

static void start_anew(clp_monitor *m)
{
  m->separation = (clp_separation){0};
  m->input.doubt = (clp_time_doubt){0};
  clp_joints_forget(&m->joints);
  clp_input_forget_voices(&m->input);
  (void)clp_input_forget(&m->input); /* without memory nothing is known until there is some */
  for (int k = 0; k < m->link_count; ++k) {
    clp_link_state_forget(&m->links[k].state);
    m->links[k].placed = false;
  }
  clp_link_state_forget(&m->tool.state);
  clp_link_state_forget(&m->wrench_frame.state);
  clp_carriers_forget(m);
  take_poses(m);
}

/* ---- Time --------------------------------------------------------------------------------- */

/* Doubts are held for so long after what has raised them, and a second for as long as nothing that
 * can be believed has come since: then they are the reason why there is nothing. */
#define DOUBT_LONGEST 1.0

static double seconds(int64_t from, int64_t to)
{
  return 1e-9 * (double)(to - from);
}

void clp_monitor_examine(clp_monitor *monitor, int64_t time, int64_t steady)
{
  clp_monitor *m = monitor;
  int64_t back = clp_clock_read(&m->clock, time, steady, m->settings.use_sim_time);
  if (back == 0)
    return;
  start_anew(m);
  m->set_back = (clp_set_back){1e-9 * (double)back, time};
}

static bool doubt_clock(clp_monitor *m, int64_t time)
{
  bool simulated = m->settings.use_sim_time;
  double stands = standing(m);
  char *text = m->alarm;
  size_t room = sizeof m->alarm;
  if (simulated && time == 0)
    snprintf(text, room, "there is no time on /clock yet");
  else if (stands > m->settings.stale_after)
    snprintf(text, room, "the time on /clock has stood still for %s s", clp_number(stands, 3).text);
  else if (m->set_back.by > 0 && seconds(m->set_back.since, time) <= m->settings.stale_after)
    snprintf(text, room, "%s has gone back by %s s: all begins anew",
             simulated ? "the time on /clock" : "the clock", clp_number(m->set_back.by, 3).text);
  else
    return false;
  return true;
}

/* Between being raised and being over. */
static bool is_doubted(const clp_monitor *m, const clp_time_doubt *doubt, int64_t time)
{
  if (doubt->trouble == CLP_TIME_FINE)
    return false;
  const clp_frame *frame = &m->input.frames.items[doubt->frame];
  double passed = seconds(doubt->at, time);
  bool believed_since = frame->told != CLP_NEVER && frame->told >= doubt->at;
  return passed <= m->settings.stale_after || (!believed_since && passed <= DOUBT_LONGEST);
}

static bool doubt_stamps(clp_monitor *m, int64_t time)
{
  const clp_time_doubt *doubt = &m->input.doubt;
  if (!is_doubted(m, doubt, time))
    return false;
  const char *frame = m->input.frames.items[doubt->frame].name;
  const char *link = clp_input_who_hangs_on(&m->input, doubt->frame);
  char who[104];
  if (link && strcmp(link, frame) != 0)
    snprintf(who, sizeof who, "%.40s, from frame %.40s,", link, frame);
  else
    snprintf(who, sizeof who, "%.60s", frame);
  snprintf(m->alarm, sizeof m->alarm,
           doubt->trouble == CLP_TIME_AHEAD ? "stamps of %s are %s s ahead: clocks differ"
                                            : "stamps of %s have gone back by %s s",
           who, clp_number(doubt->by, 3).text);
  return true;
}

/* ---- Pairs -------------------------------------------------------------------------------- */

/* How fast a point of the link moves along the normal, by one of its twists. */
static double speed_along(clp_vec3 normal, clp_vec3 at, const clp_link_now *link, clp_twist twist)
{
  clp_vec3 arm = clp_sub(at, link->X_WL.position);
  return clp_dot(normal, clp_add(twist.linear, clp_cross(twist.angular, arm)));
}

static void add_velocities(clp_closest_point *point, const clp_link_now *a, const clp_link_now *b)
{
  point->speed_a = speed_along(point->normal, point->point_a, a, a->twist);
  point->speed_b = 0 - speed_along(point->normal, point->point_b, b, b->twist);
  point->distance_rate = 0 - (point->speed_a + point->speed_b);
}

static void make_stale(clp_closest_point *point)
{
  clp_closest_point known = *point;
  *point = clp_no_distance(known.body_a, known.body_b, CLP_STALE, known.lower_bound);
  point->age = known.age;
  point->required = known.required;
}

/* Distances to what is planar and not met in its plane mean nothing. */
static bool is_meaningful(const clp_monitor *m, const clp_monitor_pair *pair,
                          const clp_link_answer *answer)
{
  return answer->coverage != CLP_COVERAGE_NONE &&
         !(pair->planar && clp_scene_meeting(m->scene, pair->id) != CLP_MEETING_FINE);
}

static clp_closest_point point_of(const clp_monitor *m, const clp_monitor_pair *pair,
                                  const clp_link_answer *found)
{
  const clp_monitor_link *a = &m->links[pair->a], *b = &m->links[pair->b];
  const clp_answer *answer = &found->answer;
  clp_closest_point point = {
      .body_a = clp_model_link_name(m->model, a->link),
      .body_b = clp_model_link_name(m->model, b->link),
      .status = answer->status,
      .distance = answer->distance,
      .lower_bound = answer->lower_bound - a->now.reach - b->now.reach,
      .point_a = answer->point_a,
      .point_b = answer->point_b,
      .normal = answer->normal,
      .kind_a = answer->kind_a,
      .kind_b = answer->kind_b,
      .feature_a =
          answer->feature_a + clp_feature_base(m->model, a->link, found->part_a, answer->kind_a),
      .feature_b =
          answer->feature_b + clp_feature_base(m->model, b->link, found->part_b, answer->kind_b),
      .age = fmax(a->now.age, b->now.age),
      .non_unique = answer->non_unique,
      .required = -HUGE_VAL,
      .pair = (int)(pair - m->pairs),
      .stepped = found->coverage == CLP_STEPPED};
  bool meaningful = is_meaningful(m, pair, found);
  if (!meaningful)
    point.lower_bound = -HUGE_VAL;
  if (!meaningful || m->closing || a->now.freshness != CLP_LINK_FRESH ||
      b->now.freshness != CLP_LINK_FRESH)
    make_stale(&point);
  else
    add_velocities(&point, &a->now, &b->now);
  return point;
}

/* ---- Safety ------------------------------------------------------------------------------- */

static bool is_open(const clp_link_answer *found)
{
  return found->answer.status == CLP_CONVERGING;
}

static clp_doubt doubt_of(const clp_monitor *m, const clp_monitor_pair *pair,
                          const clp_link_answer *found)
{
  bool fresh = m->links[pair->a].now.freshness == CLP_LINK_FRESH &&
               m->links[pair->b].now.freshness == CLP_LINK_FRESH;
  if (!fresh || m->closing || found->coverage == CLP_COVERAGE_NONE)
    return CLP_DOUBT_STALE;
  if (!is_meaningful(m, pair, found))
    return CLP_DOUBT_PLANE;
  if (found->coverage == CLP_CULLED)
    return CLP_DOUBT_NONE;
  if (found->coverage == CLP_UNCOVERED)
    return CLP_DOUBT_UNCOVERED;
  return is_open(found) && !pair->proven ? CLP_DOUBT_UNPROVEN : CLP_DOUBT_NONE;
}

/* Speeds are along the line of the witnesses, which are found where the pair is stepped, and are
 * the nearest places where it is not open: else any point of the link may be, on any line. As
 * nothing is guaranteed of a link that breaks max_speed but what its bound rests on, that counts
 * here, too: as it is seen and not as it is predicted, and whichever way where the way is not
 * known. */
static clp_separation_party side_of(const clp_monitor *m, const clp_monitor_link *link,
                                    const char *name, double seen, const clp_link_answer *found)
{
  bool stepped = found->coverage == CLP_STEPPED;
  double speed = stepped && link->now.measured ? seen : (double)NAN;
  if (is_open(found) && !isnan(speed))
    speed = fmax(speed, clp_link_fastest(&link->state, &link->now));
  if (isnan(speed) && link->now.speed > m->settings.max_speed)
    speed = link->now.speed;
  return (clp_separation_party){
      .body = name,
      .role = link->role,
      .moves = link->now.freshness == CLP_LINK_UNKNOWN || link->now.moving,
      .speed = speed,
      .age = link->now.age};
}

/* Of the twist by rates and that by poses the one counts that approaches faster. */
static clp_separation_pair risk_of(const clp_monitor *m, const clp_monitor_pair *pair,
                                   const clp_link_answer *found, const clp_closest_point *point)
{
  const clp_monitor_link *a = &m->links[pair->a], *b = &m->links[pair->b];
  double v_a = fmax(speed_along(point->normal, point->point_a, &a->now, a->now.seen),
                    speed_along(point->normal, point->point_a, &a->now, a->now.other));
  double v_b = fmax(0 - speed_along(point->normal, point->point_b, &b->now, b->now.seen),
                    0 - speed_along(point->normal, point->point_b, &b->now, b->now.other));
  return (clp_separation_pair){.a = side_of(m, a, point->body_a, v_a, found),
                               .b = side_of(m, b, point->body_b, v_b, found),
                               .doubt = doubt_of(m, pair, found),
                               .open = is_open(found),
                               .lower_bound = point->lower_bound,
                               .approach_speed = -point->distance_rate};
}

/* ---- The report --------------------------------------------------------------------------- */

/* Stale, or within range. */
static bool is_published(const clp_monitor *m, const clp_closest_point *point)
{
  double range = m->settings.range;
  return point->status == CLP_STALE ||
         (point->status != CLP_OUT_OF_RANGE && (range == 0 || point->distance <= range));
}

static void count_coverage(clp_monitor *m, const clp_closest_point *point, clp_coverage coverage)
{
  clp_report *report = &m->report;
  if (point->status == CLP_STALE)
    ++report->stale;
  else if (coverage == CLP_CULLED || !is_published(m, point))
    ++report->culled;
  else
    ++report->tracked;
  report->uncovered += point->status != CLP_STALE && coverage == CLP_UNCOVERED;
}

/* A pair's point, into the report where it belongs there. */
static void report_pair(clp_monitor *m, clp_monitor_pair *pair)
{
  clp_link_answer answer = clp_scene_answer(m->scene, pair->id);
  clp_closest_point point = point_of(m, pair, &answer);
  count_coverage(m, &point, answer.coverage);
  m->report.lower_bound = fmin(m->report.lower_bound, point.lower_bound);
  pair->known += point.status != CLP_STALE;
  pair->overlapping += point.status == CLP_PENETRATING;
  if (pair->safety) {
    clp_separation_pair risk = risk_of(m, pair, &answer, &point);
    point.required = clp_separation_add(&m->separation, &risk, &m->settings);
  }
  if (is_published(m, &point))
    m->points[m->report.pair_count++] = point;
  clp_wrench_add(m, pair, &point);
}

static double input_rate(const clp_monitor *m, int64_t time)
{
  double least = HUGE_VAL;
  for (int k = 0; k < m->link_count; ++k)
    if (m->links[k].now.moving)
      least = fmin(least, clp_link_state_rate(&m->links[k].state, time));
  return least < HUGE_VAL ? least : 0;
}

static double latency(const clp_monitor *m, int64_t time)
{
  return m->input.newest == CLP_NEVER ? 0 : fmax(0, 1e-9 * (double)(time - m->input.newest));
}

static void finish_report(clp_monitor *m)
{
  clp_report *report = &m->report;
  report->pair_count =
      clp_report_sort(m->points, m->ranks, report->pair_count, (int)m->settings.max_published);
  report->pairs = m->points;
  bool any = report->pair_count > 0 && m->points[0].status != CLP_STALE;
  report->minimum = any ? 0 : -1;
}

/* STOP for reasons that have nothing to do with a pair. */
static void raise_alarm(clp_monitor *m, int64_t time)
{
  clp_disagreement found;
  if (doubt_clock(m, time))
    ;
  else if (*m->foreign)
    snprintf(m->alarm, sizeof m->alarm, "%s", m->foreign);
  else if (clp_input_disagreement(&m->input, &found))
    clp_say_disagreement(&found, &m->speakers, m->alarm, sizeof m->alarm);
  else if (*m->claim.objection)
    snprintf(m->alarm, sizeof m->alarm, "%s", m->claim.objection);
  else if (!doubt_stamps(m, time))
    return;
  clp_separation_alarm(&m->separation, m->alarm);
  m->report.alarm = true;
}

/* Of a STOP that is for the distance of links that have always overlapped, it is said what helps if
 * they are built so. */
static void suggest_srdf(clp_monitor *m, size_t used)
{
  const char *a = "", *b = "";
  int count = clp_monitor_overlap_since_start(m, &a, &b);
  char *reason = m->report.safety.reason;
  size_t room = sizeof m->report.safety.reason;
  if (count == 0 || m->report.safety.zone != CLP_ZONE_STOP || m->report.alarm || used >= room)
    return;
  int more = snprintf(reason + used, room - used, "; %.60s and %.60s", a, b);
  if (count > 1 && more > 0 && used + (size_t)more < room)
    more += snprintf(reason + used + more, room - used - (size_t)more, " and %d other pairs",
                     count - 1);
  if (more > 0 && used + (size_t)more < room)
    snprintf(reason + used + more, room - used - (size_t)more,
             " have overlapped since the start: where they are built so, an SRDF leaves them out "
             "(closest_point check --collisions)");
}

/* The joint that keeps links from being known. */
static void find_joint_fault(const clp_monitor *m, int64_t time, char *text, size_t room)
{
  clp_joint_fault fault = {-1, CLP_NEVER};
  for (int k = 0; k < m->link_count && fault.joint < 0; ++k)
    if (m->links[k].now.freshness != CLP_LINK_FRESH)
      fault = clp_joints_fault(&m->joints, clp_model_link_name(m->model, m->links[k].link), time,
                               m->settings.stale_after);
  clp_joints_say_fault(&m->joints, fault, time, text, room);
}

/* Why something is missing, after what is. */
static void add_hint(clp_monitor *m)
{
  char joint[160];
  char *reason = m->report.safety.reason;
  size_t used = strlen(reason), room = sizeof m->report.safety.reason - used;
  const char *prefixed = clp_input_prefixed(&m->input), *root = clp_input_other_root(&m->input);
  if (m->report.stale == 0) {
    suggest_srdf(m, used);
    return;
  }
  find_joint_fault(m, m->time, joint, sizeof joint);
  if (*joint)
    snprintf(reason + used, room, "; %s%s%s", joint, *m->hint ? "; " : "", m->hint);
  else if (*prefixed)
    snprintf(reason + used, room, "; there is %.80s, is that a frame_prefix?", prefixed);
  else if (*root)
    snprintf(reason + used, room, "; %.80s hangs on nothing, is that the fixed_frame?", root);
  else if (*m->hint)
    snprintf(reason + used, room, "; %s", m->hint);
}

const clp_report *clp_monitor_cycle(clp_monitor *monitor, int64_t time)
{
  clp_monitor_examine(monitor, time, CLP_NO_TIME);
  double step = monitor->started ? fmax(0, 1e-9 * (double)(time - monitor->time)) : 0;
  monitor->started = true;
  monitor->time = time;
  monitor->scene_time += step;
  if (clp_input_settle(&monitor->input, time))
    take_poses(monitor);

  for (int k = 0; k < monitor->link_count; ++k)
    place_link(monitor, &monitor->links[k], time, step);
  clp_scene_step(monitor->scene, monitor->scene_time);

  monitor->report = (clp_report){.stamp = time,
                                 .cycle = ++monitor->cycle,
                                 .lower_bound = HUGE_VAL,
                                 .input_rate = input_rate(monitor, time),
                                 .latency = latency(monitor, time)};
  clp_wrench_begin(monitor, time, step);
  for (int k = 0; k < monitor->pair_count; ++k)
    report_pair(monitor, &monitor->pairs[k]);
  finish_report(monitor);
  clp_gradients_report(monitor, time);
  clp_wrench_finish(monitor);
  raise_alarm(monitor, time);
  monitor->report.safety = clp_separation_judge(&monitor->separation, &monitor->settings, time);
  add_hint(monitor);
  return &monitor->report;
}

const clp_report *clp_monitor_cycle_again(clp_monitor *monitor, int64_t time)
{
  --monitor->cycle;
  return clp_monitor_cycle(monitor, time);
}

void clp_monitor_hold(clp_monitor *monitor)
{
  clp_separation_hold(&monitor->separation, monitor->time);
}

const clp_report *clp_monitor_last(clp_monitor *monitor, int64_t time)
{
  monitor->closing = true;
  clp_monitor_cycle(monitor, time);
  monitor->report.safety = clp_separation_stop("shutting down");
  return &monitor->report;
}

/* ---- Settings and diagnostics ------------------------------------------------------------- */

/* The scene takes whatever values the table of settings allows, so of its two changes neither is
 * left alone by the other's failure. */
clp_status clp_monitor_change(clp_monitor *monitor, const clp_settings *settings)
{
  clp_settings changed;
  char why[256];
  clp_status status = clp_settings_copy(&monitor->settings, &changed);
  size_t count = 0;
  const clp_setting *table = clp_setting_table(&count);
  for (size_t k = 0; status == CLP_OK && k < count; ++k) {
    clp_value value = clp_settings_get(settings, &table[k]);
    if (table[k].at_run_time)
      status = clp_settings_set(&changed, &table[k], &value, why, sizeof why);
  }
  if (status == CLP_OK)
    status = clp_settings_check(&changed, why, sizeof why);
  if (status == CLP_OK)
    status = clp_scene_set_range(monitor->scene, clp_monitor_range(&changed));
  if (status == CLP_OK)
    status = clp_scene_set_tolerance(monitor->scene, changed.tolerance);
  if (status != CLP_OK) {
    clp_settings_release(&changed);
    return status;
  }
  clp_settings_release(&monitor->settings);
  monitor->settings = changed;
  clp_monitor_heed_settings(monitor);
  return CLP_OK;
}

clp_speakers *clp_monitor_speakers(clp_monitor *monitor)
{
  return &monitor->speakers;
}

void clp_monitor_meet(clp_monitor *monitor, const uint64_t *writers, int count, bool all)
{
  clp_standing_meet(&monitor->input, writers, count, all);
}

void clp_monitor_tell(clp_monitor *monitor, const char *foreign, const char *hint)
{
  snprintf(monitor->foreign, sizeof monitor->foreign, "%s", foreign);
  snprintf(monitor->hint, sizeof monitor->hint, "%s", hint);
}

const uint64_t *clp_monitor_feed_counts(const clp_monitor *monitor)
{
  return monitor->input.counts;
}

int clp_monitor_link_count(const clp_monitor *monitor)
{
  return monitor->link_count;
}

clp_link_health clp_monitor_link_health(const clp_monitor *monitor, int index)
{
  const clp_monitor_link *link = &monitor->links[index];
  return (clp_link_health){.name = clp_model_link_name(monitor->model, link->link),
                           .connected = clp_input_connected(&monitor->input, index),
                           .moving = link->now.moving,
                           .stale = link->now.freshness != CLP_LINK_FRESH,
                           .age = link->now.age,
                           .rate = clp_link_state_rate(&link->state, monitor->time),
                           .speed = link->state.speed,
                           .stamps = clp_input_stamp_range(&monitor->input, index)};
}

/* Nobody is built into a robot. */
static bool may_be_built_so(const clp_monitor *m, const clp_monitor_pair *pair)
{
  bool named = m->settings.human_links.count > 0;
  bool human = m->links[pair->a].role == CLP_ROLE_HUMAN || m->links[pair->b].role == CLP_ROLE_HUMAN;
  return pair->safety && !(named && human);
}

int clp_monitor_overlap_since_start(const clp_monitor *monitor, const char **a, const char **b)
{
  int count = 0;
  for (int k = 0; k < monitor->pair_count; ++k) {
    const clp_monitor_pair *pair = &monitor->pairs[k];
    if (!may_be_built_so(monitor, pair) || pair->overlapping < pair->known ||
        (double)pair->known < monitor->settings.rate || count++ > 0)
      continue;
    *a = clp_model_link_name(monitor->model, monitor->links[pair->a].link);
    *b = clp_model_link_name(monitor->model, monitor->links[pair->b].link);
  }
  return count;
}

static bool is_told(const clp_joint *joint)
{
  return clp_joint_is_single(joint->type) && joint->follows < 0;
}

int clp_monitor_joint_count(const clp_monitor *monitor)
{
  const clp_joint_tree *tree = monitor->joints.tree;
  int count = 0;
  for (int j = 0; tree && j < tree->joint_count; ++j)
    count += is_told(&tree->joints[j]);
  return count;
}

clp_joint_health clp_monitor_joint(const clp_monitor *monitor, int index)
{
  const clp_joint_tree *tree = monitor->joints.tree;
  int j = 0;
  for (; !is_told(&tree->joints[j]) || index-- > 0; ++j)
    ;
  const clp_joint_known *known = &monitor->joints.known[j];
  bool is_known = known->stamp != CLP_NEVER;
  return (clp_joint_health){.name = tree->joints[j].name,
                            .known = is_known,
                            .position = known->position,
                            .speed = known->has_speed ? known->speed : (double)NAN,
                            .age = is_known ? seconds(known->stamp, monitor->time) : HUGE_VAL};
}

int clp_monitor_uncovered_count(const clp_monitor *monitor)
{
  return monitor->claim.count;
}

clp_uncovered_link clp_monitor_uncovered(const clp_monitor *monitor, int index)
{
  const clp_uncovered *uncovered = &monitor->claim.links[index];
  return (clp_uncovered_link){.name = clp_model_link_name(monitor->model, uncovered->link),
                              .verdict = clp_uncovered_text(uncovered->kind),
                              .stops = uncovered->kind == CLP_UNCOVERED_STOP};
}

int clp_monitor_pair_count(const clp_monitor *monitor)
{
  return monitor->pair_count;
}

const clp_settings *clp_monitor_settings(const clp_monitor *monitor)
{
  return &monitor->settings;
}

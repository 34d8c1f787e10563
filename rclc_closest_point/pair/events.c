/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/pair/padding.h"

void clp_pair_keep_events(clp_pair *pair, clp_transition_event *events, int capacity)
{
  int most = capacity < CLP_MAX_EVENTS ? capacity : CLP_MAX_EVENTS;
  pair->log = (clp_pair_log){events, events && most > 0 ? most : 0, 0};
}

int clp_pair_event_count(const clp_pair *pair)
{
  return pair->log.count;
}

/* In the caller's order, and of the bodies with their padding. */
static void add(clp_pair *pair, int which, const clp_spot *was, const clp_spot *is, double distance)
{
  clp_pair_log *log = &pair->log;
  const clp_body *body = which == 0 ? pair->a : pair->b;
  const clp_spot *from = clp_spot_of_whole(body, was), *to = clp_spot_of_whole(body, is);
  if (log->count < log->capacity)
    log->events[log->count] = (clp_transition_event){.which = pair->turned ? 1 - which : which,
                                                     .from_kind = from->kind,
                                                     .to_kind = to->kind,
                                                     .from = from->id,
                                                     .to = to->id,
                                                     .distance = distance - pair->padding};
  ++log->count;
}

static void add_all(clp_pair *pair, const clp_event_log *found)
{
  int noted = found->count < found->capacity ? found->count : found->capacity;
  for (int k = 0; k < noted; ++k) {
    const clp_event *e = &found->events[k];
    add(pair, e->which, &e->from, &e->to, e->distance);
  }
  pair->log.count += found->count - noted;
}

static void add_change(clp_pair *pair, int which, const clp_spot *from, const clp_spot *to,
                       double distance)
{
  if (!clp_spot_same_feature(from, to))
    add(pair, which, from, to, distance);
}

void clp_pair_log_change(clp_pair *pair, const clp_spots *before, double distance)
{
  add_change(pair, 0, &before->a, &pair->spots.a, distance);
  add_change(pair, 1, &before->b, &pair->spots.b, distance);
}

static bool leads_there(const clp_pair *pair, int which, const clp_spot *from, const clp_spot *to)
{
  const clp_body *body = which == 0 ? pair->a : pair->b;
  const clp_spot *end = clp_spot_of_whole(body, to);
  clp_spot at = *clp_spot_of_whole(body, from);
  for (int k = 0; k < pair->log.count; ++k) {
    const clp_transition_event *e = &pair->log.events[k];
    if (e->which != (pair->turned ? 1 - which : which))
      continue;
    if (e->from_kind != at.kind || e->from != at.id)
      return false;
    at.kind = e->to_kind;
    at.id = e->to;
  }
  return clp_spot_same_feature(&at, end);
}

void clp_pair_mend_log(clp_pair *pair, const clp_spots *before, double distance)
{
  clp_pair_log *log = &pair->log;
  if (log->count > log->capacity || (leads_there(pair, 0, &before->a, &pair->spots.a) &&
                                     leads_there(pair, 1, &before->b, &pair->spots.b)))
    return;
  log->count = 0;
  clp_pair_log_change(pair, before, distance);
}

/* What finds changes notes their sites too, which are of no use once it has ended: in memory that
 * lasts as long, with as much room as the pair's log has. */

clp_descent clp_pair_descend(clp_pair *pair, const clp_couple *couple, int budget)
{
  clp_event events[CLP_MAX_EVENTS];
  clp_event_log found = {events, pair->log.capacity, 0};
  clp_descent descent = clp_descend(couple, &pair->spots, budget, CLP_DESCENT_TOLERANCE, &found);
  add_all(pair, &found);
  return descent;
}

clp_flow_result clp_pair_flow(clp_pair *pair, double step)
{
  clp_event events[CLP_MAX_EVENTS];
  clp_event_log found = {events, pair->log.capacity, 0};
  const clp_flow_options flow = clp_flow_options_of(&pair->options, step);
  const clp_twist *motion = pair->cycle.moves ? &pair->cycle.motion : NULL;
  clp_flow_result flown =
      clp_flow_cycle(&flow, &pair->cycle.couple, motion, pair->aids.newton, &pair->spots, &found);
  add_all(pair, &found);
  return flown;
}

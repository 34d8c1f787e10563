/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* fnmatch */

#include "rclc_closest_point/monitor/claim.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

const char *clp_uncovered_text(clp_uncovered_kind kind)
{
  static const char *const texts[] = {"not of the robot", "excused", "STOP"};
  return texts[kind];
}

void clp_claim_release(clp_claim *claim)
{
  free(claim->links);
  *claim = (clp_claim){0};
}

/* Marks what joints lead to from what is marked, downwards or upwards. Each round but the last
 * marks a link, so that a file with a loop of joints comes to an end, too. */
static void spread(const clp_model *model, bool *marked, bool down)
{
  for (bool any = true; any;) {
    any = false;
    for (int k = 0; k < clp_model_joint_count(model); ++k) {
      clp_joint_ends ends = clp_model_joint_ends(model, k);
      int from = down ? ends.parent : ends.child, to = down ? ends.child : ends.parent;
      any |= marked[from] && !marked[to];
      marked[to] |= marked[from];
    }
  }
}

static bool is_excused(const char *name, const clp_texts *excused)
{
  for (int k = 0; k < excused->count; ++k)
    if (fnmatch(excused->items[k], name, 0) == 0)
      return true;
  return false;
}

/* A pattern with a mistake would otherwise be found out by a robot that stops. */
static void note_vain_patterns(const clp_claim *claim, const clp_model *model,
                               const clp_texts *excused, clp_log *log)
{
  for (int k = 0; k < excused->count; ++k) {
    bool vain = true;
    for (int j = 0; j < claim->count; ++j)
      vain &= fnmatch(excused->items[k], clp_model_link_name(model, claim->links[j].link), 0) != 0;
    if (vain)
      clp_log_note(log, 1, "parameter 'allow_uncovered' has '%s', which no uncovered link matches",
                   clp_show_string(excused->items[k]).text);
  }
}

static void note_link(const clp_model *model, const clp_uncovered *uncovered, clp_log *log)
{
  static const char *const consequences[] = {
      "so nothing is known of what is near it",
      "which 'allow_uncovered' excuses",
      "so the zone is STOP until it has one or 'allow_uncovered' names it",
  };
  clp_log_note(log, clp_model_link_line(model, uncovered->link), "link '%s' has %s but no body, %s",
               clp_show_string(clp_model_link_name(model, uncovered->link)).text,
               clp_model_matter_text(clp_model_link_matter(model, uncovered->link)),
               consequences[uncovered->kind]);
}

static void say_objection(clp_claim *claim, const clp_model *model)
{
  for (int k = 0; k < claim->count && !*claim->objection; ++k)
    if (claim->links[k].kind == CLP_UNCOVERED_STOP)
      snprintf(claim->objection, sizeof claim->objection, "link %.60s of the robot has no body",
               clp_model_link_name(model, claim->links[k].link));
  size_t used = strlen(claim->objection);
  if (claim->stops > 1)
    snprintf(claim->objection + used, sizeof claim->objection - used, ", nor have %d others",
             claim->stops - 1);
}

static void find_uncovered(clp_claim *claim, const clp_model *model, const bool *below,
                           const bool *above, const clp_texts *excused)
{
  for (int link = 0; link < clp_model_link_count(model); ++link) {
    if (clp_model_part_count(model, link) > 0 || !clp_model_link_matter(model, link))
      continue;
    clp_uncovered_kind kind = CLP_UNCOVERED_APART;
    if (is_excused(clp_model_link_name(model, link), excused))
      kind = CLP_UNCOVERED_EXCUSED;
    else if (below[link] || above[link])
      kind = CLP_UNCOVERED_STOP;
    claim->links[claim->count++] = (clp_uncovered){link, kind};
    claim->stops += kind == CLP_UNCOVERED_STOP;
  }
}

clp_status clp_claim_create(clp_claim *claim, const clp_model *model, const bool *is_robot,
                            const clp_texts *excused, clp_log *log)
{
  size_t links = (size_t)clp_model_link_count(model);
  bool *below = calloc(2 * links + 1, sizeof *below), *above = below ? below + links : NULL;
  clp_claim fresh = {.links = calloc(links + 1, sizeof *fresh.links)};
  if (!below || !fresh.links) {
    free(below);
    free(fresh.links);
    return CLP_ERROR_MEMORY;
  }
  memcpy(below, is_robot, links * sizeof *below);
  memcpy(above, is_robot, links * sizeof *above);
  spread(model, below, true);
  spread(model, above, false);
  find_uncovered(&fresh, model, below, above, excused);
  free(below);
  for (int k = 0; k < fresh.count; ++k)
    note_link(model, &fresh.links[k], log);
  note_vain_patterns(&fresh, model, excused, log);
  say_objection(&fresh, model);
  *claim = fresh;
  return CLP_OK;
}

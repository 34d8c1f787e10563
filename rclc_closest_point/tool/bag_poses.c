/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/tool/bag_poses.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rclc_closest_point/bag/bytes.h"
#include "rclc_closest_point/base/text.h"
#include "rclc_closest_point/math/pose.h"
#include "rclc_closest_point/math/quaternion.h"
#include "rclc_closest_point/model/joint_tree.h"
#include "rclc_closest_point/model/log.h"
#include "rclc_closest_point/node/cdr.h"
#include "rclc_closest_point/tool/bag_motion.h"

typedef struct link_state {
  clp_link_motion motion;
  clp_pose before; /* at the stamp before */
  int frame;       /* -1: the recording has none of its name */
  bool needed;     /* it has parts */
} link_state;

typedef struct bag_poses {
  const clp_model *model;
  clp_log log;
  clp_exit_status status;
  clp_bag_motion motion;
  clp_joint_tree *tree; /* NULL: transforms move the links */
  clp_pose *tree_poses; /* of its links */
  const char *fixed_frame;
  link_state *links;
  long stamp; /* how many have been read */
  int64_t first, time;
  bool told; /* what is to be said about it */
} bag_poses;

static void refuse(bag_poses *p, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void refuse(bag_poses *p, const char *format, ...)
{
  char text[1024];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  clp_log_defect(&p->log, 1, "%s", text);
  p->status = EXIT_INPUT;
}

static const char *name_of(const bag_poses *p, int link)
{
  return clp_model_link_name(p->model, link);
}

/* ---- Where the links are ------------------------------------------------------------------ */

/* What keeps the links from having poses; all is well: missing is -1. */
typedef struct pose_gap {
  int missing; /* this link has none, */
  int other;   /* or hangs on another frame than this one does; -1: it hangs on nothing */
  int roots[2];
} pose_gap;

/* By transforms. False: not all of them are known. */
static bool place_by_frames(bag_poses *p, pose_gap *gap)
{
  const clp_frame_tree *tree = &p->motion.frames;
  clp_pose X_RF = clp_pose_identity();
  int fixed = p->fixed_frame ? clp_frame_tree_find(tree, p->fixed_frame) : -1;
  int root = fixed >= 0 ? clp_frame_tree_root(tree, fixed, &X_RF) : -1, holder = -1;
  for (int k = 0; k < clp_model_link_count(p->model); ++k) {
    link_state *link = &p->links[k];
    clp_pose X_RL;
    if (link->frame < 0)
      link->frame = clp_frame_tree_find(tree, name_of(p, k));
    if (!link->needed)
      continue;
    int found = link->frame < 0 ? -1 : clp_frame_tree_root(tree, link->frame, &X_RL);
    if (root < 0 && holder < 0 && found >= 0) {
      root = found;
      holder = k;
    }
    *gap = (pose_gap){k, found >= 0 ? holder : -1, {found, root}};
    if (found < 0 || found != root)
      return false;
    link->motion.X_WL = fixed >= 0 ? clp_pose_between(&X_RF, &X_RL) : X_RL;
  }
  *gap = (pose_gap){-1, -1, {-1, -1}};
  return true;
}

static int first_untold(const bag_poses *p)
{
  for (int k = 0; k < clp_joint_tree_joint_count(p->tree); ++k) {
    clp_joint joint = clp_joint_tree_joint(p->tree, k);
    if (clp_joint_is_single(joint.type) && joint.follows < 0 && !p->motion.told[k])
      return k;
  }
  return -1;
}

static bool place_by_joints(bag_poses *p)
{
  if (first_untold(p) >= 0 ||
      clp_joint_tree_motion(p->tree, p->motion.states, p->tree_poses, NULL) != CLP_OK)
    return false;
  for (int k = 0; k < clp_model_link_count(p->model); ++k)
    p->links[k].motion.X_WL = p->tree_poses[p->links[k].frame];
  return true;
}

static bool place_links(bag_poses *p)
{
  pose_gap gap;
  return p->tree ? place_by_joints(p) : place_by_frames(p, &gap);
}

/* ---- Stamps ------------------------------------------------------------------------------- */

static clp_twist twist_between(const clp_pose *from, const clp_pose *to, double step)
{
  clp_quaternion a = clp_quaternion_of(from->rotation), b = clp_quaternion_of(to->rotation);
  return (clp_twist){clp_scale(1 / step, clp_sub(to->position, from->position)),
                     clp_scale(1 / step, clp_quaternion_turn(a, b))};
}

static void move_links(bag_poses *p, const clp_pose_stamp *stamp)
{
  static const clp_twist rest = {{0, 0, 0}, {0, 0, 0}};
  for (int k = 0; k < clp_model_link_count(p->model); ++k) {
    link_state *link = &p->links[k];
    bool still = p->stamp == 0 || clp_pose_equals(&link->motion.X_WL, &link->before);
    link->motion.V_WL =
        still ? rest : twist_between(&link->before, &link->motion.X_WL, stamp->step);
    link->before = link->motion.X_WL;
  }
}

static bool is_elsewhere(const bag_poses *p)
{
  bool elsewhere = p->stamp == 0;
  for (int k = 0; k < clp_model_link_count(p->model); ++k)
    elsewhere |= !clp_pose_equals(&p->links[k].motion.X_WL, &p->links[k].before);
  return elsewhere;
}

/* What the links hang on, after that has changed. */
static void watch_frames(bag_poses *p)
{
  clp_frame_tree *tree = &p->motion.frames;
  clp_frame_tree_forget(tree);
  if (p->fixed_frame)
    clp_frame_tree_watch(tree, clp_frame_tree_find(tree, p->fixed_frame));
  for (int k = 0; k < clp_model_link_count(p->model); ++k)
    if (p->links[k].needed)
      clp_frame_tree_watch(tree, clp_frame_tree_find(tree, name_of(p, k)));
}

/* The next stamp of something that moves a link. */
static bool next_moving(bag_poses *p, int64_t *time)
{
  while (p->status == EXIT_DONE && clp_bag_motion_next(&p->motion, time)) {
    bool regrown = p->motion.regrown && !p->tree;
    if (regrown)
      watch_frames(p);
    if (p->motion.moved || regrown)
      return true;
  }
  return false;
}

static void tell(bag_poses *p);

static bool next(void *self, clp_pose_stamp *stamp)
{
  bag_poses *p = self;
  int64_t time;
  while (next_moving(p, &time)) {
    if (p->first == INT64_MIN)
      p->first = time;
    if (!place_links(p) || (!p->motion.moved && !is_elsewhere(p)))
      continue;
    *stamp = (clp_pose_stamp){.time = 1e-9 * (double)time,
                              .step = p->stamp > 0 ? 1e-9 * (double)(time - p->time) : 0,
                              .has_twists = p->stamp > 0,
                              .line = 1};
    move_links(p, stamp);
    if (p->stamp++ == 0)
      p->first = time - p->first;
    p->time = time;
    return true;
  }
  if (p->motion.exhausted && p->status == EXIT_DONE)
    p->status = clp_exit_status_of(CLP_ERROR_MEMORY);
  tell(p);
  return false;
}

/* ---- What is to be said about it ---------------------------------------------------------- */

static void tell_gap(bag_poses *p)
{
  const clp_frame_tree *tree = &p->motion.frames;
  pose_gap gap;
  if (p->tree) {
    int joint = first_untold(p);
    if (joint >= 0)
      refuse(p, "no joint_states in it tells the position of joint '%s'",
             clp_show_string(clp_joint_tree_joint(p->tree, joint).name).text);
    return;
  }
  if (place_by_frames(p, &gap))
    return;
  clp_shown link = clp_show_string(name_of(p, gap.missing));
  if (gap.roots[0] < 0)
    refuse(p, "link '%s' has no transform in it, expected one on /tf or /tf_static", link.text);
  else
    refuse(p, "link '%s' hangs on frame '%s' at last, %s '%s'", link.text,
           clp_show_string(tree->frames[gap.roots[0]].name).text,
           p->fixed_frame ? "the fixed frame on" : "others on",
           clp_show_string(gap.roots[1] < 0 ? "" : tree->frames[gap.roots[1]].name).text);
}

/* Once, at the end of the first reading. */
static void tell(bag_poses *p)
{
  const clp_bag_counts *counts = &p->motion.counts;
  char text[256];
  if (p->told || p->status != EXIT_DONE)
    return;
  p->told = true;
  if (p->stamp == 0)
    tell_gap(p);
  if (p->stamp > 0 && p->first > 0) {
    snprintf(text, sizeof text,
             "poses begin %s s after the first transform, when all links have one",
             clp_number(1e-9 * (double)p->first, 4).text);
    clp_log_note(&p->log, 1, "%s", text);
  }
  if (counts->late == 0 && counts->refused == 0 && counts->malformed == 0)
    return;
  snprintf(text, sizeof text,
           "left out: %" PRIu64
           " transforms or positions that came more than a second late, %" PRIu64
           " with names or numbers that are none, %" PRIu64 " malformed messages",
           counts->late, counts->refused, counts->malformed);
  clp_log_note(&p->log, 1, "%s", text);
}

/* ---- From start to end -------------------------------------------------------------------- */

static clp_exit_status status_of(const void *self)
{
  const bag_poses *p = self;
  return p->status;
}

static const clp_link_motion *motion_of(const void *self, int link)
{
  const bag_poses *p = self;
  return &p->links[link].motion;
}

static bool lists(const void *self, int link)
{
  const bag_poses *p = self;
  return p->stamp > 0 && p->links[link].needed;
}

static void refuse_use(void *self, int line, const char *text)
{
  (void)line;
  refuse(self, "%s", text);
}

static double progress(const void *self)
{
  const bag_poses *p = self;
  return clp_bag_progress(p->motion.bag);
}

static void rewind_poses(void *self)
{
  bag_poses *p = self;
  clp_bag_motion_rewind(&p->motion);
  p->stamp = 0;
  p->first = INT64_MIN;
  for (int k = 0; k < clp_model_link_count(p->model); ++k)
    p->links[k].motion = (clp_link_motion){.X_WL = clp_pose_identity()};
}

static void close_poses(void *self)
{
  bag_poses *p = self;
  clp_bag_motion_close(&p->motion);
  clp_joint_tree_destroy(p->tree);
  free(p->tree_poses);
  free(p->links);
  free(p);
}

/* The joints of the model, where nothing else moves it. */
static clp_status read_joints(bag_poses *p, const clp_bag_source *source)
{
  clp_status status = source->model ? clp_joint_tree_load(source->model, p->log.sink, &p->tree)
                                    : clp_joint_tree_parse(source->text, strlen(source->text),
                                                           p->log.file, p->log.sink, &p->tree);
  if (status != CLP_OK)
    return status;
  size_t count = (size_t)clp_joint_tree_link_count(p->tree);
  p->tree_poses = calloc(count + 1, sizeof *p->tree_poses);
  for (int k = 0; k < clp_model_link_count(p->model); ++k)
    p->links[k].frame = clp_joint_tree_find_link(p->tree, name_of(p, k));
  if (p->fixed_frame) {
    refuse(p, "joint states are all that moves in it, and know no fixed frame '%s'",
           clp_show_string(p->fixed_frame).text);
    return CLP_OK;
  }
  return p->tree_poses && clp_bag_motion_use_joints(&p->motion, p->tree) ? CLP_OK
                                                                         : CLP_ERROR_MEMORY;
}

static clp_status read_bag(bag_poses *p, const clp_bag_source *source)
{
  clp_bag *bag = NULL;
  clp_status status = clp_bag_open(source->path, p->log.sink, &bag);
  if (status != CLP_OK)
    return status;
  if (!clp_bag_motion_open(&p->motion, bag))
    return CLP_ERROR_MEMORY;
  if (p->motion.has_transforms)
    return CLP_OK;
  if (p->motion.has_joints)
    return read_joints(p, source);
  refuse(p, "no message on /tf or joint_states, expected some of either");
  return CLP_OK;
}

static const clp_poses_kind kind = {.next = next,
                                    .status = status_of,
                                    .motion = motion_of,
                                    .lists = lists,
                                    .rewind = rewind_poses,
                                    .refuse = refuse_use,
                                    .progress = progress,
                                    .close = close_poses};

clp_exit_status clp_bag_poses_open(const clp_bag_source *source, const clp_model *model,
                                   clp_model_sink sink, clp_poses **poses)
{
  bag_poses *p = calloc(1, sizeof *p);
  int links = clp_model_link_count(model);
  if (!p || !(p->links = calloc((size_t)links + 1, sizeof *p->links))) {
    free(p);
    return clp_exit_status_of(CLP_ERROR_MEMORY);
  }
  p->model = model;
  p->log = (clp_log){.file = source->path, .sink = sink};
  p->fixed_frame = source->fixed_frame;
  for (int k = 0; k < links; ++k) {
    p->links[k].frame = -1;
    p->links[k].needed = clp_model_part_count(model, k) > 0;
  }
  clp_status read = read_bag(p, source);
  clp_exit_status status = read == CLP_OK ? p->status : clp_exit_status_of(read);
  if (status != EXIT_DONE) {
    close_poses(p);
    return status;
  }
  rewind_poses(p);
  return clp_poses_of(&kind, p, poses);
}

/* ---- The description ---------------------------------------------------------------------- */

static bool is_description(clp_bag_topic topic)
{
  const char *slash = strrchr(topic.name, '/');
  return strcmp(topic.type, "std_msgs/msg/String") == 0 && slash &&
         strcmp(slash, "/robot_description") == 0;
}

clp_exit_status clp_bag_description(const char *path, clp_model_sink sink, char **text)
{
  clp_log log = {.file = path, .sink = sink};
  clp_bag *bag = NULL;
  clp_bag_message message;
  const char *found = NULL;
  clp_status status = clp_bag_open(path, sink, &bag);
  if (status != CLP_OK)
    return clp_exit_status_of(status);
  while (!found && clp_bag_next(bag, &message))
    if (is_description(clp_bag_topic_at(bag, message.topic)))
      (void)clp_cdr_read_text(message.bytes, message.size, &found);
  *text = found ? clp_copy_text(found) : NULL;
  if (!found)
    clp_log_defect(&log, 1, "no robot_description in it, expected one, or a MODEL before it");
  clp_bag_close(bag);
  return *text ? EXIT_DONE : found ? clp_exit_status_of(CLP_ERROR_MEMORY) : EXIT_INPUT;
}

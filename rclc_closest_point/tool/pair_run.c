/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* isatty, fileno */

#include "rclc_closest_point/tool/pair_run.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "rclc_closest_point/bag/bag.h"
#include "rclc_closest_point/base/text.h"
#include "rclc_closest_point/model/log.h"
#include "rclc_closest_point/scene/meeting.h"
#include "rclc_closest_point/tool/bag_poses.h"
#include "rclc_closest_point/tool/options.h"
#include "rclc_closest_point/tool/output.h"
#include "rclc_closest_point/tool/progress.h"
#include "rclc_closest_point/tool/result_csv.h"

/* A pair of links at work. */
typedef struct job_pair {
  clp_link_indices links;
  bool planar; /* some part is: it has to stay in its plane */
  clp_link_pair_id id;
} job_pair;

typedef struct pair_job {
  clp_pair_run *run;
  clp_model *model;
  bool recorded; /* the poses are a recording's */
  char *text;    /* its description, where that is the model */
  job_pair *pairs;
  size_t pair_count;
  clp_scene *scene;
  clp_link_id *ids; /* of the model's links in the scene; zero: it is in no pair */
  clp_poses *poses;
  long stamp_count;
  double longest_step;
  clp_output results, events;
} pair_job;

/* ---- Model and pairs ---------------------------------------------------------------------- */

/* The description that the recording has. */
static clp_status parse_description(pair_job *job, clp_model_sink sink)
{
  char name[1024];
  snprintf(name, sizeof name, "%s, robot_description", job->run->poses);
  return clp_model_parse(job->text, strlen(job->text), name, sink, &job->model);
}

static clp_exit_status load_model(pair_job *job)
{
  clp_model_sink sink = clp_stderr_sink(&job->run->quiet);
  job->recorded = clp_is_bag(job->run->poses);
  if (!job->run->model) {
    clp_exit_status found = clp_bag_description(job->run->poses, sink, &job->text);
    if (found != EXIT_DONE)
      return found;
  }
  clp_status status =
      job->text ? parse_description(job, sink) : clp_model_load(job->run->model, sink, &job->model);
  if (status == CLP_OK && job->run->srdf)
    status = clp_model_apply_srdf(job->model, job->run->srdf, sink);
  return clp_exit_status_of(status);
}

/* Without memory the pairs stay NULL. */
static void take_pairs(pair_job *job, const clp_pair_list *list)
{
  job->pairs = calloc(list->count + 1, sizeof *job->pairs);
  for (size_t k = 0; job->pairs && k < list->count; ++k) {
    clp_link_indices links = list->pairs[k];
    bool planar = clp_link_is_planar(clp_model_link(job->model, links.a)) ||
                  clp_link_is_planar(clp_model_link(job->model, links.b));
    job->pairs[job->pair_count++] = (job_pair){.links = links, .planar = planar};
  }
}

static clp_exit_status list_pairs(pair_job *job)
{
  clp_pair_list list = {0};
  clp_exit_status status = clp_choose_pairs(job->run->command, job->model, job->run->pairs, &list);
  if (status == EXIT_DONE)
    take_pairs(job, &list);
  clp_pair_list_release(&list);
  return status != EXIT_DONE || job->pairs ? status : clp_exit_status_of(CLP_ERROR_MEMORY);
}

/* ---- The first reading -------------------------------------------------------------------- */

static clp_meeting meeting_of(const pair_job *job, const job_pair *pair)
{
  return clp_links_meeting(clp_model_link(job->model, pair->links.a),
                           clp_model_link(job->model, pair->links.b),
                           &clp_poses_motion(job->poses, pair->links.a)->X_WL,
                           &clp_poses_motion(job->poses, pair->links.b)->X_WL);
}

/* What is planar meets only what lies in its plane. */
static void check_planes(pair_job *job, const clp_pose_stamp *stamp)
{
  for (size_t k = 0; k < job->pair_count; ++k) {
    const job_pair *pair = &job->pairs[k];
    clp_meeting meeting = pair->planar ? meeting_of(job, pair) : CLP_MEETING_FINE;
    if (meeting == CLP_MEETING_FINE)
      continue;
    clp_poses_refuse(job->poses, stamp->line,
                     "at t = %s links '%s' and '%s' meet, one planar and the other %s, expected "
                     "planar parts and points in one plane",
                     clp_number_shortest(stamp->time).text,
                     clp_show_string(clp_model_link_name(job->model, pair->links.a)).text,
                     clp_show_string(clp_model_link_name(job->model, pair->links.b)).text,
                     meeting == CLP_MEETING_WITH_SOLID ? "a solid" : "outside its plane");
    return;
  }
}

static clp_exit_status open_poses(pair_job *job)
{
  const clp_pair_run *run = job->run;
  clp_model_sink sink = clp_stderr_sink(&job->run->quiet);
  const clp_bag_source source = {run->poses, run->model, job->text, run->fixed_frame};
  return job->recorded ? clp_bag_poses_open(&source, job->model, sink, &job->poses)
                       : clp_poses_open(run->poses, job->model, sink, &job->poses);
}

static clp_exit_status survey_poses(pair_job *job)
{
  enum { WHOLE = 1000 };
  clp_exit_status status = open_poses(job);
  if (status != EXIT_DONE)
    return status;
  clp_pose_stamp stamp;
  clp_progress progress = clp_progress_begin("reading", job->recorded ? WHOLE : 0, job->run->quiet);
  while (clp_poses_next(job->poses, &stamp)) {
    check_planes(job, &stamp);
    ++job->stamp_count;
    job->longest_step = fmax(job->longest_step, stamp.step);
    if (job->recorded)
      clp_progress_show(&progress, (long)(WHOLE * clp_poses_progress(job->poses)));
  }
  clp_progress_hide(&progress);
  return clp_poses_status(job->poses);
}

/* ---- The scene ---------------------------------------------------------------------------- */

/* Room for all pairs and for the links that are in some pair. */
static clp_status find_limits(const pair_job *job, clp_scene_limits *limits)
{
  long part_pairs = 0, parts = 0;
  for (size_t k = 0; k < job->pair_count && part_pairs < INT_MAX; ++k) {
    const clp_link_indices links = job->pairs[k].links;
    part_pairs +=
        (long)clp_model_part_count(job->model, links.a) * clp_model_part_count(job->model, links.b);
  }
  for (int k = 0; k < clp_model_link_count(job->model); ++k)
    parts += clp_model_part_count(job->model, k);
  if (part_pairs >= INT_MAX || parts >= INT_MAX || job->pair_count >= INT_MAX)
    return CLP_ERROR_LIMIT;
  *limits = (clp_scene_limits){.links = clp_model_link_count(job->model),
                               .parts = (int)parts,
                               .pairs = (int)job->pair_count,
                               .part_pairs = (int)part_pairs};
  return CLP_OK;
}

static clp_status add_link(pair_job *job, int link)
{
  if (job->ids[link].generation != 0)
    return CLP_OK;
  return clp_scene_add_link(job->scene, clp_model_link(job->model, link), &job->ids[link]);
}

static clp_status add_pairs(pair_job *job)
{
  clp_status status = CLP_OK;
  for (size_t k = 0; status == CLP_OK && k < job->pair_count; ++k) {
    job_pair *pair = &job->pairs[k];
    const clp_link_indices links = pair->links;
    status = add_link(job, links.a);
    if (status == CLP_OK)
      status = add_link(job, links.b);
    if (status == CLP_OK)
      status = clp_scene_add_pair(job->scene, job->ids[links.a], job->ids[links.b], &pair->id);
  }
  return status;
}

static void close_scene(pair_job *job)
{
  clp_scene_destroy(job->scene);
  free(job->ids);
  job->scene = NULL;
  job->ids = NULL;
}

/* Without a stamp there is nothing to do, and nobody has seen whether the pairs can meet. */
static clp_status open_scene(pair_job *job, double range)
{
  if (job->stamp_count == 0 || job->pair_count == 0)
    return CLP_OK;
  clp_scene_options options = clp_default_scene_options();
  clp_scene_limits limits;
  options.pair = job->run->options;
  options.pair.range = range;
  options.events = job->run->events ? CLP_MAX_EVENTS : 0;
  clp_status status = find_limits(job, &limits);
  if (status == CLP_OK && !(job->ids = calloc((size_t)limits.links, sizeof *job->ids)))
    status = CLP_ERROR_MEMORY;
  if (status == CLP_OK)
    status = clp_scene_create(&limits, &options, &job->scene);
  return status == CLP_OK ? add_pairs(job) : status;
}

/* All links are where the stamp has them. */
static clp_status set_links(pair_job *job, bool moves)
{
  clp_status status = CLP_OK;
  for (int k = 0; status == CLP_OK && k < clp_model_link_count(job->model); ++k) {
    const clp_link_motion *motion = clp_poses_motion(job->poses, k);
    if (job->ids[k].generation != 0)
      status = clp_scene_set_motion(job->scene, job->ids[k], &motion->X_WL,
                                    moves ? &motion->V_WL : NULL);
  }
  return status;
}

/* ---- Gains -------------------------------------------------------------------------------- */

static clp_exit_status check_pair_gain(const pair_job *job, const job_pair *pair)
{
  clp_gain_bounds bounds = clp_scene_gain_bounds(job->scene, pair->id, job->longest_step);
  char text[256];
  if (clp_gain_check(&bounds, job->run->options.gain, text, sizeof text) == CLP_OK)
    return EXIT_DONE;
  return clp_wrong_usage(job->run->command,
                         "links '%s' and '%s': %s; --force takes it all the same",
                         clp_model_link_name(job->model, pair->links.a),
                         clp_model_link_name(job->model, pair->links.b), text);
}

static clp_exit_status check_gains(pair_job *job)
{
  clp_status opened = open_scene(job, 0);
  if (opened == CLP_OK)
    opened = set_links(job, true);
  clp_exit_status status = clp_exit_status_of(opened);
  if (status == EXIT_DONE)
    clp_scene_step(job->scene, 0);
  for (size_t k = 0; status == EXIT_DONE && k < job->pair_count; ++k)
    status = check_pair_gain(job, &job->pairs[k]);
  close_scene(job);
  return status;
}

/* Bounds change with the distance and the motion. These are for the second stamp, the first that
 * something has led to, and for the longest step of the file. The exponential schedule keeps below
 * the largest gain by itself. */
static clp_exit_status check_gain(pair_job *job)
{
  const clp_pair_options *options = &job->run->options;
  if (!(options->gain > 0) || options->exponential || job->run->force || job->stamp_count < 2 ||
      job->pair_count == 0)
    return EXIT_DONE;
  clp_pose_stamp stamp;
  clp_poses_rewind(job->poses);
  for (int k = 0; k < 2; ++k)
    if (!clp_poses_next(job->poses, &stamp))
      return clp_poses_status(job->poses);
  return check_gains(job);
}

/* ---- Starts ------------------------------------------------------------------------------- */

static clp_exit_status create_scene(pair_job *job)
{
  return clp_exit_status_of(open_scene(job, job->run->options.range));
}

static clp_exit_status start_pair(pair_job *job, const job_pair *pair, const clp_start *start)
{
  bool swapped = pair->links.a == start->link[1];
  if (!job->scene)
    return EXIT_DONE;
  return clp_exit_status_of(
      clp_scene_start(job->scene, pair->id, start->spot[swapped], start->spot[!swapped]));
}

static clp_exit_status start_pairs(pair_job *job)
{
  if (!job->run->start)
    return EXIT_DONE;
  clp_start start;
  clp_exit_status status = clp_read_start(job->run->command, job->model, job->run->start, &start);
  size_t started = 0;
  for (size_t k = 0; status == EXIT_DONE && k < job->pair_count; ++k) {
    const clp_link_indices links = job->pairs[k].links;
    if ((links.a != start.link[0] || links.b != start.link[1]) &&
        (links.a != start.link[1] || links.b != start.link[0]))
      continue;
    status = start_pair(job, &job->pairs[k], &start);
    ++started;
  }
  if (status == EXIT_DONE && started == 0) {
    fputs("closest_point: option '--start' names two links that are no pair here\n", stderr);
    status = EXIT_INPUT;
  }
  return status;
}

/* ---- The second reading: results ---------------------------------------------------------- */

static bool write_events(const pair_job *job, const job_pair *pair, const char *time)
{
  int count = clp_scene_event_count(job->scene, pair->id);
  for (int k = 0; k < count; ++k) {
    clp_link_event event = clp_scene_event(job->scene, pair->id, k);
    if (!clp_write_event(job->events.stream, job->model, time, pair->links, &event))
      return false;
  }
  return true;
}

static bool write_answer(const pair_job *job, const job_pair *pair, const char *time, bool moves)
{
  const clp_link_motion *a = clp_poses_motion(job->poses, pair->links.a);
  const clp_link_motion *b = clp_poses_motion(job->poses, pair->links.b);
  clp_link_answer answer = clp_scene_answer(job->scene, pair->id);
  double rate = (double)NAN;
  if (moves && answer.coverage != CLP_CULLED)
    rate = clp_answer_rate(&answer.answer, &a->X_WL, &a->V_WL, &b->X_WL, &b->V_WL);
  return clp_write_result(job->results.stream, job->model, time, pair->links, &answer, rate) &&
         (!job->events.stream || write_events(job, pair, time));
}

static clp_status write_stamp(pair_job *job, const clp_pose_stamp *stamp)
{
  bool moves = job->run->tracks && stamp->has_twists;
  clp_status status = job->scene ? set_links(job, moves) : CLP_OK;
  if (status != CLP_OK || !job->scene)
    return status;
  if (job->run->tracks)
    clp_scene_step(job->scene, stamp->time);
  else
    clp_scene_query(job->scene, stamp->time);
  const clp_number_text time = clp_number(stamp->time, 17);
  for (size_t k = 0; k < job->pair_count; ++k)
    if (!write_answer(job, &job->pairs[k], time.text, moves))
      return CLP_ERROR_MEMORY;
  return CLP_OK;
}

static clp_exit_status write_stamps(pair_job *job)
{
  clp_progress progress =
      clp_progress_begin(job->run->command->name, job->stamp_count, job->run->quiet);
  bool shared = isatty(fileno(job->results.stream));
  clp_status status = CLP_OK;
  clp_pose_stamp stamp;
  long done = 0;
  while (status == CLP_OK && !ferror(job->results.stream) && clp_poses_next(job->poses, &stamp)) {
    if (shared)
      clp_progress_hide(&progress);
    status = write_stamp(job, &stamp);
    clp_progress_show(&progress, ++done);
  }
  clp_progress_hide(&progress);
  return status == CLP_OK ? clp_poses_status(job->poses) : clp_exit_status_of(status);
}

static clp_exit_status worse(clp_exit_status x, clp_exit_status y)
{
  return x > y ? x : y;
}

static clp_exit_status write_results(pair_job *job)
{
  clp_exit_status status = EXIT_DONE;
  job->results = clp_output_open(job->run->out);
  if (job->results.stream && job->run->events)
    job->events = clp_output_open(job->run->events);
  bool opened = job->results.stream && (job->events.stream || !job->run->events);
  if (opened) {
    clp_poses_rewind(job->poses);
    clp_write_result_header(job->results.stream);
    if (job->events.stream)
      clp_write_event_header(job->events.stream);
    status = write_stamps(job);
  }
  if (job->run->events)
    status = worse(status, clp_output_close(&job->events));
  return worse(status, clp_output_close(&job->results));
}

/* ---- All of it ---------------------------------------------------------------------------- */

static void release(pair_job *job)
{
  close_scene(job);
  free(job->pairs);
  clp_poses_close(job->poses);
  clp_model_destroy(job->model);
  free(job->text);
}

static clp_exit_status spare_inputs(pair_job *job)
{
  const clp_pair_run *run = job->run;
  const char *const inputs[] = {run->poses, run->model ? run->model : run->poses, run->srdf, NULL};
  const char *const results[] = {run->out, NULL};
  clp_exit_status status = clp_output_spares(run->command, "out", run->out, inputs);
  if (status == EXIT_DONE)
    status = clp_output_spares(run->command, "events", run->events, inputs);
  if (status == EXIT_DONE)
    status = clp_output_spares(run->command, "events", run->events, results);
  return status;
}

clp_exit_status clp_read_pair_operands(clp_pair_run *run)
{
  if (!run->poses && clp_is_bag(run->model)) {
    run->poses = run->model;
    run->model = NULL;
  }
  if (!run->poses)
    return clp_wrong_usage(run->command, "%s expects a POSES file", run->command->name);
  if (run->fixed_frame && !clp_is_bag(run->poses))
    return clp_wrong_usage(run->command, "option '--fixed-frame' is for recordings");
  return EXIT_DONE;
}

clp_exit_status clp_run_pairs(clp_pair_run *run)
{
  static clp_exit_status (*const stages[])(pair_job *) = {spare_inputs, load_model,   list_pairs,
                                                          survey_poses, check_gain,   create_scene,
                                                          start_pairs,  write_results};
  pair_job job = {.run = run};
  clp_exit_status status = EXIT_DONE;
  for (size_t k = 0; status == EXIT_DONE && k < sizeof stages / sizeof *stages; ++k)
    status = stages[k](&job);
  release(&job);
  return status;
}

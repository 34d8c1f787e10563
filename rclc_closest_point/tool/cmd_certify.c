/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "rclc_closest_point/base/text.h"
#include "rclc_closest_point/model/joint_tree.h"
#include "rclc_closest_point/model/log.h"
#include "rclc_closest_point/scene/meeting.h"
#include "rclc_closest_point/tool/carried_poses.h"
#include "rclc_closest_point/tool/options.h"
#include "rclc_closest_point/tool/output.h"
#include "rclc_closest_point/tool/pair_options.h"
#include "rclc_closest_point/tool/trajectory.h"

typedef struct certify_run {
  const clp_command *command;
  const char *model_path, *trajectory_path, *poses_path;
  const char *pairs_text, *srdf, *out, *from_text, *to_text;
  bool quiet;
  clp_certify_options options;

  clp_model *model;
  clp_joint_tree *tree;
  clp_pair_list pairs;
  clp_trajectory trajectory;
  clp_poses *poses;
  double from, to;
  double *rest; /* where joints stand that the trajectory leaves out */
  clp_carried_stamps carried;
  clp_courses courses;
  clp_certifier *certifier;
  clp_certified *results;
} certify_run;

static clp_exit_status load_model(certify_run *run)
{
  clp_model_sink sink = clp_stderr_sink(&run->quiet);
  clp_status status = clp_model_load(run->model_path, sink, &run->model);
  if (status == CLP_OK)
    status = clp_joint_forest_load(run->model_path, sink, &run->tree);
  if (status == CLP_OK && run->srdf)
    status = clp_model_apply_srdf(run->model, run->srdf, sink);
  return clp_exit_status_of(status);
}

/* A planar body has a distance from what lies in its plane alone, which a motion leaves. */
static clp_exit_status refuse_planar(const certify_run *run)
{
  for (size_t k = 0; k < run->pairs.count; ++k)
    for (int which = 0; which < 2; ++which) {
      int link = which == 0 ? run->pairs.pairs[k].a : run->pairs.pairs[k].b;
      if (!clp_link_is_planar(clp_model_link(run->model, link)))
        continue;
      fprintf(stderr, "%s:%d: link '%s' has a planar part, expected solids, surfaces and points\n",
              run->model_path, clp_model_link_line(run->model, link),
              clp_show_string(clp_model_link_name(run->model, link)).text);
      return EXIT_INPUT;
    }
  return EXIT_DONE;
}

static clp_exit_status choose_pairs(certify_run *run)
{
  clp_exit_status status = clp_choose_pairs(run->command, run->model, run->pairs_text, &run->pairs);
  return status == EXIT_DONE ? refuse_planar(run) : status;
}

static bool is_commanded(const certify_run *run, int joint)
{
  for (int k = 0; k < run->trajectory.joint_count; ++k)
    if (run->trajectory.joints[k] == joint)
      return true;
  return false;
}

/* A joint that the trajectory leaves out stays at zero, or at the limit that is nearest to it. */
static clp_exit_status place_others(certify_run *run)
{
  clp_log log = {.file = run->trajectory_path, .sink = clp_stderr_sink(&run->quiet)};
  run->rest = calloc((size_t)run->tree->joint_count + 1, sizeof *run->rest);
  if (!run->rest)
    return clp_exit_status_of(CLP_ERROR_MEMORY);
  for (int j = 0; j < run->tree->joint_count; ++j) {
    const clp_joint *joint = &run->tree->joints[j];
    if (!clp_joint_is_single(joint->type) || joint->follows >= 0 || is_commanded(run, j))
      continue;
    run->rest[j] = fmin(fmax(0, joint->lower), joint->upper);
    clp_log_note(&log, 1, "joint '%s' is not in the trajectory: it stays at %s",
                 clp_show_string(joint->name).text, clp_number_shortest(run->rest[j]).text);
  }
  return EXIT_DONE;
}

static clp_exit_status load_trajectory(certify_run *run)
{
  clp_exit_status status = clp_trajectory_load(run->trajectory_path, run->tree,
                                               clp_stderr_sink(&run->quiet), &run->trajectory);
  return status == EXIT_DONE ? place_others(run) : status;
}

/* After its last point a robot stands there; before the first nobody has said where it is. */
static clp_exit_status find_window(certify_run *run)
{
  const clp_trajectory *t = &run->trajectory;
  double first = t->times[0];
  run->from = first;
  run->to = t->times[t->count - 1];
  clp_exit_status status = clp_read_number(run->command, "from", run->from_text, &run->from);
  if (status == EXIT_DONE)
    status = clp_read_number(run->command, "to", run->to_text, &run->to);
  if (status != EXIT_DONE)
    return status;
  if (run->from < first) {
    fprintf(
        stderr, "closest_point: option '--from' is %s, expected no less than %s, where %s begins\n",
        clp_number_shortest(run->from).text, clp_number_shortest(first).text, run->trajectory_path);
    return EXIT_INPUT;
  }
  if (run->to < run->from) {
    fprintf(stderr, "closest_point: from t = %s to t = %s, expected no end before the beginning\n",
            clp_number_shortest(run->from).text, clp_number_shortest(run->to).text);
    return EXIT_INPUT;
  }
  return EXIT_DONE;
}

static clp_exit_status make_courses(certify_run *run)
{
  clp_exit_status status = EXIT_DONE;
  if (run->poses_path)
    status = clp_poses_open(run->poses_path, run->model, clp_stderr_sink(&run->quiet), &run->poses);
  if (status == EXIT_DONE && run->poses)
    status = clp_carried_poses_read(run->tree, run->poses, &run->carried);
  if (status != EXIT_DONE)
    return status;
  bool made = clp_courses_make(run->tree, &run->trajectory, &run->carried, run->from, run->to,
                               run->rest, &run->courses);
  return clp_exit_status_of(made ? CLP_OK : CLP_ERROR_MEMORY);
}

/* ---- The question ------------------------------------------------------------------------- */

static clp_status create(certify_run *run, const clp_certify_pair *pairs, const clp_link *links)
{
  clp_certify_world world = {.tree = run->tree,
                             .links = links,
                             .pairs = pairs,
                             .pair_count = (int)run->pairs.count,
                             .carried = run->carried.links,
                             .carried_count = run->carried.link_count};
  return clp_certifier_create(&world, &run->certifier);
}

static clp_exit_status ask(certify_run *run)
{
  size_t count = run->pairs.count, link_count = (size_t)run->tree->link_count;
  clp_certify_pair *pairs = calloc(count + 1, sizeof *pairs);
  clp_link *links = calloc(link_count + 1, sizeof *links);
  run->results = calloc(count + 1, sizeof *run->results);
  clp_status status = pairs && links && run->results ? CLP_OK : CLP_ERROR_MEMORY;
  for (size_t k = 0; status == CLP_OK && k < count; ++k)
    pairs[k] = (clp_certify_pair){run->pairs.pairs[k].a, run->pairs.pairs[k].b};
  for (size_t l = 0; status == CLP_OK && l < link_count; ++l)
    links[l] = clp_model_link(run->model, (int)l);
  if (status == CLP_OK && count > 0) {
    status = create(run, pairs, links);
    if (status == CLP_OK)
      status = clp_certify_motion(run->certifier, run->courses.segments, run->courses.count,
                                  &run->options, run->results, NULL);
  }
  free(pairs);
  free(links);
  return clp_exit_status_of(status);
}

/* ---- Results ------------------------------------------------------------------------------ */

static void write_number(FILE *stream, double value)
{
  fprintf(stream, ",%s", clp_number(value, 17).text);
}

static void write_row(FILE *stream, const certify_run *run, size_t k)
{
  const clp_certified *r = &run->results[k];
  fprintf(stream, "%s,%s,%s", clp_model_link_name(run->model, run->pairs.pairs[k].a),
          clp_model_link_name(run->model, run->pairs.pairs[k].b),
          clp_certify_verdict_name(r->verdict));
  write_number(stream, r->clearance);
  write_number(stream, r->time);
  write_number(stream, r->distance);
  if (r->verdict == CLP_CERTIFY_CONTACT) {
    write_number(stream, r->contact_from);
    write_number(stream, r->contact_to);
  } else {
    fputs(",,", stream);
  }
  fputc('\n', stream);
}

static clp_exit_status write_results(certify_run *run)
{
  clp_output output = clp_output_open(run->out);
  bool all_clear = true;
  if (!output.stream)
    return clp_output_close(&output);
  fputs("link_a,link_b,verdict,clearance,t,distance,contact_from,contact_to\n", output.stream);
  for (size_t k = 0; k < run->pairs.count; ++k) {
    write_row(output.stream, run, k);
    all_clear &= run->results[k].verdict == CLP_CERTIFY_CLEAR;
  }
  clp_exit_status status = clp_output_close(&output);
  return status != EXIT_DONE || all_clear ? status : EXIT_NOT_CLEAR;
}

static clp_exit_status spare_inputs(certify_run *run)
{
  const char *const inputs[] = {run->model_path, run->trajectory_path, run->poses_path, run->srdf,
                                NULL};
  const char *present[5];
  int count = 0;
  for (int k = 0; k < 4; ++k)
    if (inputs[k])
      present[count++] = inputs[k];
  present[count] = NULL;
  return clp_output_spares(run->command, "out", run->out, present);
}

static void release(certify_run *run)
{
  free(run->results);
  free(run->rest);
  clp_certifier_destroy(run->certifier);
  clp_courses_release(&run->courses);
  clp_carried_stamps_release(&run->carried);
  clp_poses_close(run->poses);
  clp_trajectory_release(&run->trajectory);
  clp_pair_list_release(&run->pairs);
  clp_joint_tree_destroy(run->tree);
  clp_model_destroy(run->model);
}

static clp_exit_status run_stages(certify_run *run)
{
  static clp_exit_status (*const stages[])(certify_run *) = {
      spare_inputs, load_model,   choose_pairs, load_trajectory,
      find_window,  make_courses, ask,          write_results};
  clp_exit_status status = EXIT_DONE;
  for (size_t k = 0; status == EXIT_DONE && k < sizeof stages / sizeof *stages; ++k)
    status = stages[k](run);
  release(run);
  return status;
}

static clp_exit_status run(const clp_command *command, int argc, char **argv)
{
  certify_run certify = {.command = command, .options = clp_default_certify_options()};
  const char *clearance = NULL, *tolerance = NULL;
  const clp_option options[] = {
      {"clearance", 0, NULL, &clearance},      {"tolerance", 0, NULL, &tolerance},
      {"poses", 0, NULL, &certify.poses_path}, {"from", 0, NULL, &certify.from_text},
      {"to", 0, NULL, &certify.to_text},       {"pairs", 0, NULL, &certify.pairs_text},
      {"srdf", 0, NULL, &certify.srdf},        {"out", 0, NULL, &certify.out},
      {"quiet", 'q', &certify.quiet, NULL},    {0}};
  const clp_operand operands[] = {
      {"MODEL", &certify.model_path}, {"TRAJECTORY file", &certify.trajectory_path}, {0}};
  clp_exit_status status;
  if (!clp_read_options(command, argc, argv, options, operands, &status))
    return status;
  status = clp_read_number(command, "clearance", clearance, &certify.options.clearance);
  if (status == EXIT_DONE && certify.options.clearance < 0)
    return clp_wrong_usage(command, "option '--clearance' is '%s', expected no less than zero",
                           clp_show_string(clearance).text);
  if (status == EXIT_DONE)
    status = clp_read_positive(command, "tolerance", tolerance, &certify.options.tolerance);
  certify.options.narrow = !clearance;
  certify.options.seek = true;
  return status == EXIT_DONE ? run_stages(&certify) : status;
}

const clp_command clp_command_certify = {
    "certify", "proven clearance over all of a motion, between its points, too",
    "usage: closest_point certify MODEL TRAJECTORY [OPTION...]\n"
    "\n"
    "Reads MODEL (a URDF with <patches>) and TRAJECTORY (a trajectory_msgs/JointTrajectory in\n"
    "YAML, as 'ros2 topic echo' prints it, or CSV: t,JOINT,... with columns JOINT.v and JOINT.a\n"
    "where there are velocities and accelerations) and writes CSV, a row for every pair of\n"
    "links: link_a,link_b,verdict,clearance,t,distance,contact_from,contact_to. Between points\n"
    "the joints move as ros2_control's joint_trajectory_controller moves them.\n"
    "\n"
    "No instant is left out: 'clearance' is proven for all of them, and 'distance' the least\n"
    "that was found, at 't'. The verdict is CLEAR (the clearance asked for is proven), NEAR (a\n"
    "configuration that is nearer was found, and no contact), CONTACT (proven, at every\n"
    "instant from 'contact_from' to 'contact_to'), or UNDECIDED.\n"
    "\n"
    "options:\n"
    "  --clearance D    decide whether pairs stay D meters apart, and stop there; default:\n"
    "                   whether they touch, and how far apart they stay\n"
    "  --tolerance T    narrow 'clearance' and 'distance' down to T meters; default 1e-4\n"
    "  --poses FILE     links that no joint moves, over time (CSV, as for track); between\n"
    "                   stamps they go at a constant twist\n"
    "  --from T, --to T no more than this part of the motion (seconds)\n"
    "  --pairs A:B,...  these pairs of links, in this order; default: all that no joint\n"
    "                   connects directly, in the order of the model\n"
    "  --srdf FILE      leave out the disabled pairs of an SRDF\n"
    "  --out FILE       write to FILE instead of standard output\n"
    "  -q, --quiet      no notes on standard error\n"
    "  --help           print this\n"
    "  --version        print the version\n"
    "\n"
    "Exit status: 0 all pairs are CLEAR, 4 not all are, 1 bad input, 2 wrong usage.\n",
    run};

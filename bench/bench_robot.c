/* SPDX-License-Identifier: Apache-2.0 */
/* A robot as its maker describes it: tiled, loaded, and monitored on DDS while all of its joints go
 * through their limits. One row of the table in docs/robots.md.
 *
 *   bench_robot [--seconds S] [--srdf] [--head] [--NAME VALUE...] URDF [PACKAGE_PATH...]
 *
 * --srdf drops the pairs that always or never overlap, as closest_point check finds them; --head
 * prints the table's head first; --max-gap, --max-parts, --max-facets and --round are those of
 * closest_point tile. It needs a domain of its own (ROS_DOMAIN_ID).
 * Without arguments: the shipped arm, which has no meshes, for five seconds. */

#define _XOPEN_SOURCE 700 /* mkdtemp */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "bench/seconds.h"
#include "rclc_closest_point/joint_tree.h"
#include "rclc_closest_point/math/quaternion.h"
#include "rclc_closest_point/mesh/tile.h"
#include "rclc_closest_point/monitor/timing.h"
#include "rclc_closest_point/node/convert.h"
#include "rclc_closest_point/node/convert_dds.h"
#include "rclc_closest_point/node/dds_wire.h"
#include "rclc_closest_point/node/node_dds.h"
#include "rclc_closest_point/node/process.h"
#include "rclc_closest_point/tool/child.h"

#define PERIOD (CLP_SECOND / 200)
#define WARM_UP 2.0     /* s until answers count: a query for each pair, and DDS's discovery */
#define FREE_ANGLE 3.1  /* rad, either way, of joints without limits */
#define FREE_LENGTH 0.5 /* m, likewise */

typedef struct run_options {
  const char *urdf, *paths[16];
  int path_count;
  double seconds;
  bool srdf, head;
  clp_tile_wish wish;
} run_options;

typedef struct run {
  const run_options *options;
  char folder[64], model[96], srdf[96];
  clp_tiled tiled;
  double tile_seconds, load_seconds, monitor_seconds;
  clp_joint_tree *tree;
  clp_joint_state *states;
  geometry_msgs_msg_dds__TransformStamped_ *transforms;
  clp_ros_arguments arguments;
  clp_dds dds;
  dds_entity_t tf, tf_static, points;
  clp_timing cycles;
  uint64_t first_cycle, last_cycle, answers, rows, undecided, stale;
  int64_t first_stamp, last_stamp;
  uint32_t pairs;
} run;

static const double pi = 3.14159265358979323846;

static void on_message(void *user, clp_severity severity, const char *line)
{
  (void)user;
  if (severity == CLP_DEFECT)
    fprintf(stderr, "%s\n", line);
}

static const clp_model_sink sink = {on_message, NULL};

/* ---- The model ---------------------------------------------------------------------------- */

static bool write_model(const run *r)
{
  FILE *file = fopen(r->model, "wb");
  if (!file)
    return false;
  fwrite(r->tiled.text, 1, r->tiled.length, file);
  return fclose(file) == 0;
}

static bool tile(run *r)
{
  clp_tile_wish wish = r->options->wish;
  wish.package_paths = r->options->paths; /* NULL at their end */
  double begin = now();
  if (clp_tile(r->options->urdf, wish, sink, &r->tiled) != CLP_OK)
    return false;
  r->tile_seconds = now() - begin;
  clp_model *model = NULL;
  begin = now();
  if (clp_model_parse(r->tiled.text, r->tiled.length, r->options->urdf, sink, &model) != CLP_OK)
    return false;
  r->load_seconds = now() - begin;
  clp_model_destroy(model);
  return write_model(r) && clp_joint_tree_parse(r->tiled.text, r->tiled.length, r->options->urdf,
                                                sink, &r->tree) == CLP_OK;
}

/* ---- Motion ------------------------------------------------------------------------------- */

/* Each joint at its own pace from one limit to the other and back, once or twice in all. */
static void move(run *r, double t)
{
  for (int j = 0; j < clp_joint_tree_joint_count(r->tree); ++j) {
    clp_joint joint = clp_joint_tree_joint(r->tree, j);
    double free_way = joint.type == CLP_JOINT_PRISMATIC ? FREE_LENGTH : FREE_ANGLE;
    double low = fmax(joint.lower, -free_way), high = fmin(joint.upper, free_way);
    double turns = 1.1 + fmod(0.618034 * j, 1);
    double share = 0.5 - 0.5 * cos(2 * pi * turns * t / r->options->seconds);
    if (isfinite(joint.lower) && isfinite(joint.upper)) {
      low = joint.lower;
      high = joint.upper;
    }
    r->states[j].position = low + share * (high - low);
  }
}

static void publish(run *r, bool fixed)
{
  uint32_t count = 0;
  clp_stamp stamp = clp_stamp_of(clp_system_now());
  for (int j = 0; j < clp_joint_tree_joint_count(r->tree); ++j) {
    clp_joint joint = clp_joint_tree_joint(r->tree, j);
    if ((joint.type == CLP_JOINT_FIXED) != fixed)
      continue;
    clp_pose pose = clp_joint_tree_joint_pose(r->tree, r->states, j);
    clp_quaternion q = clp_quaternion_of(pose.rotation);
    r->transforms[count++] = (geometry_msgs_msg_dds__TransformStamped_){
        .header = {{stamp.sec, stamp.nanosec},
                   clp_read_only(clp_joint_tree_link_name(r->tree, joint.parent))},
        .child_frame_id = clp_read_only(clp_joint_tree_link_name(r->tree, joint.child)),
        .transform = {{pose.position.x, pose.position.y, pose.position.z}, {q.x, q.y, q.z, q.w}}};
  }
  tf2_msgs_msg_dds__TFMessage_ message = {
      {._maximum = count, ._length = count, ._buffer = r->transforms}};
  (void)clp_dds_write(&r->dds, fixed ? r->tf_static : r->tf, &message);
}

/* ---- Answers ------------------------------------------------------------------------------ */

static void judge(run *r, const clp_dds_points *m)
{
  r->last_cycle = m->cycle;
  r->last_stamp = clp_time_of(m->header.stamp.sec, m->header.stamp.nanosec);
  if (r->answers++ == 0) {
    r->first_cycle = r->last_cycle;
    r->first_stamp = r->last_stamp;
  }
  r->pairs = m->tracked + m->culled + m->stale;
  r->stale += m->stale > 0;
  clp_timing_add(&r->cycles, (int64_t)(1e9 * m->cycle_time));
  for (uint32_t k = 0; k < m->pairs._length; ++k) {
    const clp_dds_point *pair = &m->pairs._buffer[k];
    ++r->rows;
    r->undecided += pair->status == CLP_CONVERGING;
  }
}

static void listen_to_monitor(run *r, bool counts)
{
  void *sample = NULL;
  dds_sample_info_t info;
  int count = clp_dds_take(&r->dds, r->points, &sample, &info, 1);
  if (count > 0 && info.valid_data && counts)
    judge(r, sample);
  clp_dds_give_back(&r->dds, r->points, &sample, count);
}

/* ---- The monitor -------------------------------------------------------------------------- */

static int become_check(void *context)
{
  const run *r = context;
  (void)!freopen("/dev/null", "w", stdout);
  execl(CLOSEST_POINT, CLOSEST_POINT, "check", r->model, "--collisions", "1000", "--write-srdf",
        r->srdf, "-q", (char *)NULL);
  return 127;
}

static int become_monitor(void *context)
{
  const run *r = context;
  char model[128], frame[256], srdf[128];
  snprintf(model, sizeof model, "model:=%s", r->model);
  snprintf(srdf, sizeof srdf, "srdf:=%s", r->options->srdf ? r->srdf : "");
  int root = 0;
  while (clp_joint_tree_joint_above(r->tree, root) >= 0)
    ++root;
  snprintf(frame, sizeof frame, "fixed_frame:=%s", clp_joint_tree_link_name(r->tree, root));
  execl(CLOSEST_POINT, CLOSEST_POINT, "monitor", "--ros-args", "-p", model, "-p", frame,
        r->options->srdf ? "-p" : (char *)NULL, srdf, (char *)NULL);
  return 127;
}

static bool write_srdf(run *r)
{
  clp_child check;
  if (!r->options->srdf)
    return true;
  if (!clp_child_start(&check, "check", become_check, r))
    return false;
  while (clp_child_runs(&check))
    clp_sleep_until(clp_steady_now() + PERIOD);
  return check.status == 0;
}

static double seconds_of_children(void)
{
  struct rusage usage;
  getrusage(RUSAGE_CHILDREN, &usage);
  return (double)usage.ru_utime.tv_sec + (double)usage.ru_stime.tv_sec +
         1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

static bool watch(run *r)
{
  clp_child monitor;
  if (!write_srdf(r) || !clp_child_start(&monitor, "monitor", become_monitor, r))
    return false;
  int64_t begin = clp_steady_now(), due = begin;
  double t = 0;
  move(r, 0);
  publish(r, true);
  while (!clp_must_stop() && clp_child_runs(&monitor) && t < r->options->seconds + WARM_UP) {
    t = 1e-9 * (double)(clp_steady_now() - begin);
    move(r, fmax(t - WARM_UP, 0));
    publish(r, false);
    listen_to_monitor(r, t > WARM_UP);
    due = due + PERIOD > clp_steady_now() ? due + PERIOD : clp_steady_now();
    clp_sleep_until(due);
  }
  double before = seconds_of_children();
  clp_children_stop(&monitor, 1);
  r->monitor_seconds = seconds_of_children() - before;
  return r->answers > 0;
}

static bool join(run *r)
{
  if (clp_ros_arguments_read(0, NULL, "bench_robot", sink, &r->arguments) != CLP_OK ||
      clp_dds_open(&r->dds, &r->arguments, sink) != CLP_OK)
    return false;
  r->tf = clp_dds_writer(&r->dds, CLP_TOPIC_TF, "/tf", NULL);
  r->tf_static = clp_dds_writer(&r->dds, CLP_TOPIC_TF_STATIC, "/tf_static", NULL);
  r->points = clp_dds_reader(&r->dds, CLP_TOPIC_POINTS, "/" CLP_NODE_NAME "/closest_points");
  return r->tf > 0 && r->tf_static > 0 && r->points > 0 && clp_dds_announce(&r->dds) == CLP_OK;
}

/* ---- The row ------------------------------------------------------------------------------ */

static void print_row(const run *r)
{
  int links = 0, parts = 0, facets = 0, joints = 0, open = 0;
  size_t triangles = 0;
  double *gaps = calloc((size_t)r->tiled.link_count + 1, sizeof *gaps);
  for (int k = 0; gaps && k < r->tiled.link_count; ++k) {
    const clp_tile_link *link = &r->tiled.links[k];
    if (link->failed)
      continue;
    parts += link->parts;
    if (link->mesh_count == 0)
      continue;
    gaps[links++] = link->gap;
    facets += link->facets;
    triangles += link->triangles;
    open += !link->watertight;
  }
  if (!gaps)
    return;
  qsort(gaps, (size_t)links, sizeof *gaps, ascending);
  for (int j = 0; j < clp_joint_tree_joint_count(r->tree); ++j)
    joints += clp_joint_tree_joint(r->tree, j).type != CLP_JOINT_FIXED;
  const char *name = strrchr(r->options->urdf, '/');
  name = name ? name + 1 : r->options->urdf;
  double time = 1e-9 * (double)(r->last_stamp - r->first_stamp);
  printf(
      "| %.*s | %d | %d | %d | %zu | %d | %d | %.1f | %.2f | %.2f | %.0f | %u | %.0f | %.0f | "
      "%.0f | %.0f | %.2g |\n",
      (int)strcspn(name, "."), name, joints, links, open, triangles, parts, facets,
      links ? 1e3 * gaps[links - 1] : 0, links ? 1e3 * gaps[links / 2] : 0, r->tile_seconds,
      1e3 * r->load_seconds, r->pairs, (double)(r->last_cycle - r->first_cycle) / time,
      1e6 * clp_timing_quantile(&r->cycles, 0.5), 1e6 * clp_timing_quantile(&r->cycles, 0.99),
      1e6 * r->monitor_seconds / (double)r->last_cycle,
      r->rows ? 100.0 * (double)r->undecided / (double)r->rows : 0);
  fprintf(stderr, "%s: %d links failed, %llu of %llu answers with stale pairs\n", name,
          r->tiled.failures, (unsigned long long)r->stale, (unsigned long long)r->answers);
  free(gaps);
}

static void print_head(void)
{
  puts(
      "| robot | joints | links | open | triangles | parts | facets | largest gap, mm | median, mm "
      "| tiled, s | loaded, ms | pairs | cycles/s | cycle, us | 99 %, us | work, us | undecided, % "
      "|\n"
      "|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|");
}

/* ---- From start to end -------------------------------------------------------------------- */

/* An option with a number behind it; false: it is none of these. */
static bool read_number(run_options *o, const char *name, const char *value)
{
  double number = value ? atof(value) : -1;
  if (strcmp(name, "--seconds") == 0)
    o->seconds = number;
  else if (strcmp(name, "--max-gap") == 0)
    o->wish.max_gap = number;
  else if (strcmp(name, "--round") == 0)
    o->wish.round = number;
  else if (strcmp(name, "--max-parts") == 0)
    o->wish.max_parts = (int)number;
  else if (strcmp(name, "--max-facets") == 0)
    o->wish.max_facets = (int)number;
  else
    return false;
  return number >= 0;
}

static bool read_options(int argc, char **argv, run_options *o)
{
  *o = (run_options){.seconds = 60, .wish = clp_default_tile_wish()};
  for (int k = 1; k < argc; ++k) {
    if (strcmp(argv[k], "--srdf") == 0)
      o->srdf = true;
    else if (strcmp(argv[k], "--head") == 0)
      o->head = true;
    else if (strncmp(argv[k], "--", 2) == 0 && read_number(o, argv[k], argv[k + 1]))
      ++k;
    else if (strncmp(argv[k], "--", 2) == 0)
      return false;
    else if (!o->urdf)
      o->urdf = argv[k];
    else if (o->path_count < (int)(sizeof o->paths / sizeof *o->paths) - 1)
      o->paths[o->path_count++] = argv[k];
  }
  return o->urdf && o->seconds > 0;
}

static bool run_robot(run *r)
{
  clp_signals before;
  snprintf(r->folder, sizeof r->folder, "/tmp/bench_robot_XXXXXX");
  if (!mkdtemp(r->folder))
    return false;
  snprintf(r->model, sizeof r->model, "%s/robot.urdf", r->folder);
  snprintf(r->srdf, sizeof r->srdf, "%s/robot.srdf", r->folder);
  clp_catch_signals(&before);
  bool good = tile(r);
  size_t joints = good ? (size_t)clp_joint_tree_joint_count(r->tree) + 1 : 1;
  r->states = calloc(joints, sizeof *r->states);
  r->transforms = calloc(joints, sizeof *r->transforms);
  good = good && r->states && r->transforms;
  if (good)
    clp_joint_tree_rest(r->tree, r->states);
  good = good && join(r) && watch(r);
  if (good)
    print_row(r);
  remove(r->model);
  remove(r->srdf);
  remove(r->folder);
  return good && r->tiled.failures == 0;
}

int main(int argc, char **argv)
{
  static run_options options;
  static run r;
  static char shipped[] = URDF_PATCHES_DIR "/arm.urdf", briefly[] = "--seconds", five[] = "5";
  static char *alone[] = {NULL, briefly, five, shipped};
  if (!read_options(argc > 1 ? argc : 4, argc > 1 ? argv : alone, &options)) {
    fputs(
        "usage: bench_robot [--seconds S] [--srdf] [--head] [--max-gap D] [--max-parts N]\n"
        "                   [--max-facets N] [--round R] URDF [PACKAGE_PATH...]\n",
        stderr);
    return 2;
  }
  if (options.head)
    print_head();
  r.options = &options;
  return run_robot(&r) ? 0 : 1;
}

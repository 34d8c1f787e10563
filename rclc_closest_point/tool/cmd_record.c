/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* sigaction */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rclc_closest_point/bag/qualities.h"
#include "rclc_closest_point/bag/recorder.h"
#include "rclc_closest_point/bag/schemas.h"
#include "rclc_closest_point/bag/tap.h"
#include "rclc_closest_point/base/text.h"
#include "rclc_closest_point/node/process.h"
#include "rclc_closest_point/tool/options.h"
#include "rclc_closest_point/tool/pair_options.h"

/* So many messages of each topic may wait while a disk is slow: seconds, at 1 kHz. */
#define DEPTH 4000

/* How long it waits for messages before it looks whether it is to end (s). */
#define PATIENCE 0.1

typedef struct record_job {
  const char *out;
  double around, seconds;
  clp_compression compression;
  char monitor[CLP_ROS_NAME_MAX * 3];
  bool quiet;
  clp_model_sink sink;
  clp_tap *tap;
  clp_bag_recorder_channel channels[CLP_MCAP_CHANNELS];
  clp_qualities_text qualities[CLP_MCAP_CHANNELS];
  int channel_count;
  clp_bag_recorder *recorder;
} record_job;

static void tell(void *user, bool bad, const char *line)
{
  const record_job *job = user;
  if (bad || !job->quiet)
    fprintf(stderr, "closest_point: %s\n", line);
}

/* ---- Channels ----------------------------------------------------------------------------- */

static bool describe_channel(record_job *job, int k)
{
  clp_tap_topic topic = clp_tap_topic_at(job->tap, k);
  char *schema = clp_schema_text(topic.type);
  if (!schema)
    return false;
  job->qualities[k] = clp_qualities_of(&topic.quality);
  job->channels[k] = (clp_bag_recorder_channel){
      .channel = {topic.name, topic.type, schema, job->qualities[k].text},
      .latched = topic.quality.latched,
      .safety = strcmp(topic.type, "rclc_closest_point/msg/SafetyStatus") == 0};
  ++job->channel_count;
  return true;
}

static clp_exit_status describe_channels(record_job *job)
{
  int count = clp_tap_topic_count(job->tap);
  bool good = count < CLP_MCAP_CHANNELS;
  for (int k = 0; good && k < count; ++k)
    good = describe_channel(job, k);
  return good ? EXIT_DONE : clp_exit_status_of(CLP_ERROR_MEMORY);
}

static void release_channels(record_job *job)
{
  for (int k = 0; k < job->channel_count; ++k) {
    union {
      const char *in;
      void *out;
    } text = {job->channels[k].channel.schema};
    free(text.out);
  }
}

/* ---- Recording ---------------------------------------------------------------------------- */

static bool is_over(const record_job *job, int64_t begin)
{
  return clp_must_stop() ||
         (job->seconds > 0 && 1e-9 * (double)(clp_steady_now() - begin) >= job->seconds);
}

static bool record_for_a_while(record_job *job)
{
  clp_tap_message m;
  clp_tap_wait(job->tap, PATIENCE);
  for (int k = 0; k < DEPTH && clp_tap_next(job->tap, &m); ++k)
    if (!clp_bag_recorder_take(job->recorder, m.topic, m.received, m.sent, m.bytes, m.size))
      return false;
  return clp_bag_recorder_tick(job->recorder, clp_system_now());
}

static void say_start(record_job *job)
{
  char line[1024];
  if (job->around > 0)
    snprintf(line, sizeof line, "keeping the last %s s of %s; Ctrl-C ends it",
             clp_number_shortest(job->around).text, job->monitor);
  else
    snprintf(line, sizeof line, "recording %s; Ctrl-C ends it", job->monitor);
  tell(job, false, line);
}

static void say_end(record_job *job, const clp_bag_recorder_totals *totals)
{
  char line[256];
  clp_number_text size = clp_number(1e-6 * (double)totals->bytes, 4);
  if (job->around > 0)
    snprintf(line, sizeof line, "%" PRIu64 " messages, %s MB in %d file%s", totals->messages,
             size.text, totals->files, totals->files == 1 ? "" : "s");
  else
    snprintf(line, sizeof line, "%" PRIu64 " messages, %s MB", totals->messages, size.text);
  tell(job, false, line);
}

static clp_exit_status run_recorder(record_job *job)
{
  int64_t begin = clp_steady_now();
  bool good = true;
  say_start(job);
  while (good && !is_over(job, begin))
    good = record_for_a_while(job);
  clp_bag_recorder_totals totals;
  good = clp_bag_recorder_close(job->recorder, &totals) && good;
  say_end(job, &totals);
  return good ? EXIT_DONE : EXIT_INTERNAL;
}

static clp_exit_status open_and_record(record_job *job, const clp_ros_arguments *arguments)
{
  const clp_tap_options options = {
      .monitor = job->monitor, .arguments = arguments, .depth = DEPTH, .sink = job->sink};
  clp_exit_status status = clp_exit_status_of(clp_tap_open(&options, &job->tap));
  if (status != EXIT_DONE)
    return status;
  status = describe_channels(job);
  const clp_bag_recorder_options record = {.path = job->out,
                                           .around = job->around,
                                           .compression = job->compression,
                                           .channels = job->channels,
                                           .channel_count = job->channel_count,
                                           .tell = tell,
                                           .user = job};
  if (status == EXIT_DONE) {
    job->recorder = clp_bag_recorder_create(&record);
    status = job->recorder ? run_recorder(job) : EXIT_INPUT;
  }
  release_channels(job);
  clp_tap_close(job->tap);
  return status;
}

/* What would end the process when a file may not become longer ends the recording instead. */
static clp_exit_status run_job(record_job *job, const clp_ros_arguments *arguments)
{
  clp_signals before;
  clp_keep_no_memory();
  clp_catch_signals(&before);
  void (*too_long)(int) = signal(SIGXFSZ, SIG_IGN);
  clp_exit_status status = open_and_record(job, arguments);
  signal(SIGXFSZ, too_long);
  clp_restore_signals(&before);
  return status;
}

/* ---- The command -------------------------------------------------------------------------- */

static clp_exit_status read_compression(const clp_command *command, const char *text,
                                        clp_compression *compression)
{
  static const char *const words[] = {"none", "lz4", "zstd", NULL};
  int index = clp_compression_is_there(CLP_COMPRESSION_ZSTD)  ? CLP_COMPRESSION_ZSTD
              : clp_compression_is_there(CLP_COMPRESSION_LZ4) ? CLP_COMPRESSION_LZ4
                                                              : CLP_COMPRESSION_NONE;
  clp_exit_status status = clp_read_word(command, "compression", text, words, &index);
  *compression = (clp_compression)index;
  if (status == EXIT_DONE && !clp_compression_is_there(*compression))
    return clp_wrong_usage(command,
                           "option '--compression' is '%s', which this program was built "
                           "without",
                           words[index]);
  return status;
}

/* "name" is in the recorder's own namespace. */
static void name_monitor(record_job *job, const char *name, const char *ns)
{
  if (!name)
    name = CLP_NODE_NAME;
  snprintf(job->monitor, sizeof job->monitor, "%s%s%s",
           *name == '/' || strcmp(ns, "/") == 0 ? "" : ns, *name == '/' ? "" : "/", name);
}

typedef struct record_texts {
  const char *around, *seconds, *compression, *monitor;
} record_texts;

static clp_exit_status read_texts(const clp_command *command, const record_texts *texts,
                                  const char *ns, record_job *job)
{
  clp_exit_status status = clp_read_positive(command, "around-stops", texts->around, &job->around);
  if (status == EXIT_DONE)
    status = clp_read_positive(command, "seconds", texts->seconds, &job->seconds);
  if (status == EXIT_DONE)
    status = read_compression(command, texts->compression, &job->compression);
  name_monitor(job, texts->monitor, ns);
  return status;
}

static clp_exit_status run_with(const clp_command *command, const clp_ros_arguments *arguments,
                                record_job *job)
{
  record_texts texts = {0};
  const clp_option options[] = {
      {"around-stops", 0, NULL, &texts.around}, {"compression", 0, NULL, &texts.compression},
      {"monitor", 0, NULL, &texts.monitor},     {"seconds", 0, NULL, &texts.seconds},
      {"quiet", 'q', &job->quiet, NULL},        {0}};
  const clp_operand operands[] = {{"OUT", &job->out}, {0}};
  clp_exit_status status;
  job->sink = clp_stderr_sink(&job->quiet);
  if (!clp_read_options(command, arguments->rest_count, arguments->rest, options, operands,
                        &status))
    return status;
  status = read_texts(command, &texts, arguments->ns, job);
  return status == EXIT_DONE ? run_job(job, arguments) : status;
}

static clp_exit_status run(const clp_command *command, int argc, char **argv)
{
  bool quiet = false;
  clp_ros_arguments arguments;
  clp_status read = clp_ros_arguments_read(argc, argv, "closest_point_recorder",
                                           clp_stderr_sink(&quiet), &arguments);
  if (read != CLP_OK)
    return read == CLP_ERROR_ARGUMENT ? EXIT_USAGE : clp_exit_status_of(read);
  record_job *job = calloc(1, sizeof *job);
  clp_exit_status status =
      job ? run_with(command, &arguments, job) : clp_exit_status_of(CLP_ERROR_MEMORY);
  free(job);
  clp_ros_arguments_release(&arguments);
  return status;
}

const clp_command clp_command_record = {
    "record", "transforms, description and answers as an MCAP file",
    "usage: closest_point record OUT [OPTION...] [--ros-args ROS_OPTION...]\n"
    "\n"
    "Listens to what a monitor hears and says, and writes it to OUT, an MCAP file that rosbag2\n"
    "and its viewers read: /tf, /tf_static, robot_description, joint_states, /clock, /diagnostics\n"
    "and the monitor's topics. It is a process of its own, and cannot delay the monitor. Ends\n"
    "with SIGINT or SIGTERM, or when the disk is full. Whatever ends it, the file can be read\n"
    "up to its last chunk, which is at most a second old.\n"
    "\n"
    "options:\n"
    "  --around-stops S   keep the last S seconds in memory, and write a file about each STOP\n"
    "                     into the folder OUT, with the time and the reason in its name: from\n"
    "                     S seconds before to S seconds after. That a monitor falls silent is a\n"
    "                     STOP, too\n"
    "  --compression C    zstd (default), lz4 or none\n"
    "  --monitor NAME     the monitor's node; default closest_point_monitor\n"
    "  --seconds N        end after so many seconds\n"
    "  -q, --quiet        no notes on standard error\n"
    "  --help             print this\n"
    "  --version          print the version\n"
    "\n"
    "after --ros-args:\n"
    "  -r FROM:=TO        rename a topic; __ns:=/NAMESPACE and __node:=NAME the recorder\n"
    "\n"
    "environment: ROS_DOMAIN_ID, ROS_LOCALHOST_ONLY, CYCLONEDDS_URI, ROS_SECURITY_*\n",
    run};

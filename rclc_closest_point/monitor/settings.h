/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_MONITOR_SETTINGS_H
#define RCLC_CLOSEST_POINT_MONITOR_SETTINGS_H

/* The monitor's parameters. One table says of each what it is called, what it may be and what it
 * means; reading YAML files, the command line, the parameter services of ROS and the documentation
 * all go by it. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "rclc_closest_point/model.h"

typedef struct clp_texts {
  char **items;
  int count;
} clp_texts;

/* Texts are never NULL. */
typedef struct clp_settings {
  char *model, *srdf, *fixed_frame;
  clp_texts pairs;
  double rate, publish_rate;
  int64_t max_published, max_pairs_per_cycle, effort;
  double range, stale_after, max_speed;
  char *controller;
  double gain;
  int64_t substeps;
  double tolerance;
  clp_texts robot_links, human_links;
  double warn_distance, stop_distance, hysteresis, minimum_hold;
  double human_speed, robot_speed, reaction_time, stopping_time, stopping_distance, intrusion,
      position_uncertainty;
  char *wrench_frame, *wrench_tool;
  double stiffness, damping, engage_distance, wrench_latency;
  double marker_rate;
  bool autostart, use_sim_time;
  double stamp_ahead;
  clp_texts post_dated, allow_uncovered;
  char *meshes;
  double max_gap;
  int64_t max_parts;
  clp_texts package_path;
  double default_padding;
  clp_texts padding;
  char *joint_states, *frame_prefix;
} clp_settings;

typedef enum clp_value_type {
  CLP_VALUE_BOOL,
  CLP_VALUE_INTEGER,
  CLP_VALUE_DOUBLE,
  CLP_VALUE_TEXT,
  CLP_VALUE_TEXTS
} clp_value_type;

/* "bool", "integer", "double", "string", "string_array": what ROS calls them. */
const char *clp_value_type_name(clp_value_type type);

/* A value on its way in or out. Texts belong to whoever made it. */
typedef struct clp_value {
  clp_value_type type;
  bool boolean;
  int64_t integer;
  double real;
  const char *text;
  clp_texts texts;
} clp_value;

typedef struct clp_setting {
  const char *name;
  clp_value_type type;
  bool at_run_time;    /* may be changed while the monitor runs */
  const char *unit;    /* "" where there is none */
  double min, max;     /* of a number */
  const char *initial; /* as YAML */
  const char *description;
  size_t offset; /* in clp_settings */
} clp_setting;

/* In the order of the documentation. */
const clp_setting *clp_setting_table(size_t *count);

/* NULL: there is none of that name. */
const clp_setting *clp_find_setting(const char *name);

/* The defaults. CLP_ERROR_MEMORY: *settings is untouched. */
clp_status clp_settings_create(clp_settings *settings);
clp_status clp_settings_copy(const clp_settings *from, clp_settings *settings);
void clp_settings_release(clp_settings *settings);
void clp_texts_release(clp_texts *texts);

/* Takes a value, of which it makes a copy; an integer is accepted for a double.
 * CLP_ERROR_ARGUMENT: it is refused, the old one stays, and `why` says what is wrong and what was
 * expected, in one line without the setting's name. */
clp_status clp_settings_set(clp_settings *settings, const clp_setting *setting,
                            const clp_value *value, char *why, size_t room);

/* Its texts are those of the settings. */
clp_value clp_settings_get(const clp_settings *settings, const clp_setting *setting);

/* The name of a frame, which may be the prefix and the name of a link. */
typedef struct clp_frame_text {
  char text[256];
} clp_frame_text;

/* What transforms call a link of the model. */
clp_frame_text clp_settings_frame_of(const clp_settings *settings, const char *link);

/* What the model calls a frame: without the prefix, if it begins with that. */
const char *clp_settings_link_of(const clp_settings *settings, const char *frame);

/* The frame that the wrench is given in; "" without a tool. */
clp_frame_text clp_settings_wrench_frame(const clp_settings *settings);

/* An item of `padding`, LINK:LENGTH: the first `length` bytes are the link's name, which may have
 * colons. False: it is none. */
bool clp_settings_read_padding(const char *text, size_t *length, double *padding);

/* How often answers go out: publish_rate, or where that is none or beyond what there is, rate. */
double clp_settings_answer_rate(const clp_settings *settings);

/* Whether the values go together. CLP_ERROR_ARGUMENT: `why` says which do not, in one line. */
clp_status clp_settings_check(const clp_settings *settings, char *why, size_t room);

/* "0.001 to 2 s", "a controller: ..."; what a value is expected to be. */
void clp_setting_expected(const clp_setting *setting, char *text, size_t room);

/* The table for people, wrapped; for --help. */
void clp_settings_print(FILE *stream);

/* The same as a table in Markdown; README.md has it. */
void clp_settings_print_markdown(FILE *stream);

/* ---- settings_yaml.c ---------------------------------------------------------------------- */

/* A parameter file of ROS 2: `node name: ros__parameters: name: value`, where the node's name may
 * have * and ** for one and any number of pieces, and may be written as nested namespaces. Sections
 * for other nodes are passed over. `node` is the full name, such as /cell/closest_point_monitor.
 *
 * An unknown name is a defect; among parameters that are meant for many nodes it is nothing. All
 * defects are reported, "FILE:LINE: what was found and what was expected", and with any the
 * settings are what they were. */
clp_status clp_settings_read_file(clp_settings *settings, const char *path, const char *node,
                                  clp_model_sink sink);
clp_status clp_settings_read_text(clp_settings *settings, const char *text, size_t length,
                                  const char *file, const char *node, clp_model_sink sink);

/* The value of "-p name:=value". `origin` stands for the file in messages. */
clp_status clp_settings_read_value(clp_settings *settings, const char *name, const char *value,
                                   const char *origin, clp_model_sink sink);

#endif

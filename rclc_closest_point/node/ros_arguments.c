/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/node/ros_arguments.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "rclc_closest_point/model/log.h"

typedef struct ros_reading {
  clp_ros_arguments read;
  clp_model_sink sink;
  bool failed;
} ros_reading;

static void refuse(ros_reading *r, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void refuse(ros_reading *r, const char *format, ...)
{
  char line[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  if (r->sink.message)
    r->sink.message(r->sink.user, CLP_DEFECT, line);
  r->failed = true;
}

/* ---- Names -------------------------------------------------------------------------------- */

/* Letters, digits and underscores, no digit first; for a namespace several of them. */
static bool is_ros_name(const char *text, bool slashes)
{
  for (const char *c = text; *c; ++c) {
    bool first = c == text || c[-1] == '/';
    bool good = isalpha((unsigned char)*c) || *c == '_' || (!first && isdigit((unsigned char)*c)) ||
                (slashes && *c == '/' && !first);
    if (!good)
      return false;
  }
  return *text && text[strlen(text) - 1] != '/' && strlen(text) < CLP_ROS_NAME_MAX - 1;
}

static void set_node(ros_reading *r, const char *name)
{
  if (!is_ros_name(name, false))
    refuse(r, "'__node:=%s': expected a name of letters, digits and underscores",
           clp_show_string(name).text);
  else
    snprintf(r->read.node, sizeof r->read.node, "%s", name);
}

static void set_namespace(ros_reading *r, const char *name)
{
  const char *bare = name + (*name == '/');
  if (*bare && !is_ros_name(bare, true))
    refuse(r, "'__ns:=%s': expected names of letters, digits and underscores, as in /cell/left",
           clp_show_string(name).text);
  else
    snprintf(r->read.ns, sizeof r->read.ns, "/%s", bare);
}

static void set_enclave(ros_reading *r, const char *name)
{
  if (*name != '/' || strlen(name) >= CLP_ROS_NAME_MAX)
    refuse(r, "'%s' is no enclave, expected /NAME", clp_show_string(name).text);
  else
    snprintf(r->read.enclave, sizeof r->read.enclave, "%s", name);
}

/* ---- Rules -------------------------------------------------------------------------------- */

static bool is_word(const clp_ros_argument *rule, const char *word)
{
  return rule->from_length == strlen(word) && strncmp(rule->from, word, rule->from_length) == 0;
}

/* [NODE:]FROM:=TO */
static bool split_rule(const char *text, clp_ros_argument *rule, char node[CLP_ROS_NAME_MAX])
{
  const char *assign = strstr(text, ":=");
  if (!assign || assign == text)
    return false;
  const char *colon = memchr(text, ':', (size_t)(assign - text));
  size_t length = colon ? (size_t)(colon - text) : 0;
  if (length >= CLP_ROS_NAME_MAX || (colon && colon + 1 == assign))
    return false;
  memcpy(node, text, length);
  node[length] = '\0';
  const char *from = colon ? colon + 1 : text;
  *rule = (clp_ros_argument){from, (size_t)(assign - from), assign + 2};
  return true;
}

static void add_remap(ros_reading *r, const char *text)
{
  clp_ros_argument rule;
  char node[CLP_ROS_NAME_MAX];
  if (!split_rule(text, &rule, node))
    refuse(r, "'-r %s': expected FROM:=TO", clp_show_string(text).text);
  else if (is_word(&rule, "__ns"))
    set_namespace(r, rule.to);
  else if (is_word(&rule, "__node") || is_word(&rule, "__name"))
    set_node(r, rule.to);
  else if (!*rule.to || strlen(rule.to) >= CLP_ROS_NAME_MAX || rule.from_length >= CLP_ROS_NAME_MAX)
    refuse(r, "'-r %s': expected FROM:=TO with names of less than %d letters",
           clp_show_string(text).text, CLP_ROS_NAME_MAX);
  else if (!*node || strcmp(node, r->read.node) == 0)
    r->read.remaps[r->read.remap_count++] = rule;
}

static void add_parameter(ros_reading *r, const char *text)
{
  clp_ros_argument parameter;
  char node[CLP_ROS_NAME_MAX];
  if (!split_rule(text, &parameter, node))
    refuse(r, "'-p %s': expected NAME:=VALUE", clp_show_string(text).text);
  else if (!*node || strcmp(node, r->read.node) == 0)
    r->read.parameters[r->read.parameter_count++] = parameter;
}

/* ---- The command line --------------------------------------------------------------------- */

static bool is_any(const char *word, const char *const *words)
{
  while (*words && strcmp(*words, word) != 0)
    ++words;
  return *words != NULL;
}

/* One option between --ros-args and --; how many words it takes. */
static int read_option(ros_reading *r, const char *word, const char *value)
{
  static const char *const alone[] = {"--enable-rosout-logs",
                                      "--disable-rosout-logs",
                                      "--enable-stdout-logs",
                                      "--disable-stdout-logs",
                                      "--enable-external-lib-logs",
                                      "--disable-external-lib-logs",
                                      NULL};
  static const char *const ignored[] = {"--log-level", "--log-config-file", NULL};
  static const char *const enclave[] = {"-e", "--enclave", NULL};
  static const char *const remap[] = {"-r", "--remap", NULL};
  static const char *const parameter[] = {"-p", "--param", NULL};
  if (is_any(word, alone))
    return 1;
  bool file = strcmp(word, "--params-file") == 0;
  if (!file && !is_any(word, ignored) && !is_any(word, enclave) && !is_any(word, remap) &&
      !is_any(word, parameter))
    refuse(r, "unknown option '%s' after --ros-args, expected -p, -r or --params-file",
           clp_show_string(word).text);
  else if (!value)
    refuse(r, "option '%s' expects a value", word);
  else if (file)
    r->read.parameters[r->read.parameter_count++] = (clp_ros_argument){NULL, 0, value};
  else if (is_any(word, enclave))
    set_enclave(r, value);
  else if (is_any(word, remap))
    add_remap(r, value);
  else if (is_any(word, parameter))
    add_parameter(r, value);
  return 2;
}

/* Which node it is decides which rules count, so that is looked for first. */
static void read_all(ros_reading *r, int argc, char **argv)
{
  bool ros = false;
  r->read.rest_count = r->read.remap_count = r->read.parameter_count = 0;
  for (int k = 0; k < argc && !r->failed;) {
    if (!ros && strcmp(argv[k], "--ros-args") != 0)
      r->read.rest[r->read.rest_count++] = argv[k++];
    else if (strcmp(argv[k], "--ros-args") == 0 || strcmp(argv[k], "--") == 0)
      ros = strcmp(argv[k++], "--ros-args") == 0;
    else
      k += read_option(r, argv[k], k + 1 < argc ? argv[k + 1] : NULL);
  }
}

clp_status clp_ros_arguments_read(int argc, char **argv, const char *default_node,
                                  clp_model_sink sink, clp_ros_arguments *arguments)
{
  ros_reading r = {.sink = sink};
  size_t room = (size_t)argc + 1;
  r.read.remaps = calloc(room, sizeof *r.read.remaps);
  r.read.parameters = calloc(room, sizeof *r.read.parameters);
  r.read.rest = calloc(room, sizeof *r.read.rest);
  if (!r.read.remaps || !r.read.parameters || !r.read.rest) {
    clp_ros_arguments_release(&r.read);
    return CLP_ERROR_MEMORY;
  }
  set_namespace(&r, "/");
  set_node(&r, default_node);
  for (int pass = 0; pass < 2 && !r.failed; ++pass)
    read_all(&r, argc, argv);
  if (r.failed) {
    clp_ros_arguments_release(&r.read);
    return CLP_ERROR_ARGUMENT;
  }
  *arguments = r.read;
  return CLP_OK;
}

void clp_ros_arguments_release(clp_ros_arguments *arguments)
{
  free(arguments->remaps);
  free(arguments->parameters);
  free(arguments->rest);
  *arguments = (clp_ros_arguments){0};
}

static clp_status apply_parameter(const clp_ros_argument *parameter, clp_model_sink sink,
                                  clp_settings *settings)
{
  char name[CLP_ROS_NAME_MAX], origin[CLP_ROS_NAME_MAX + 8];
  snprintf(name, sizeof name, "%.*s", (int)parameter->from_length, parameter->from);
  snprintf(origin, sizeof origin, "-p %s", name);
  return clp_settings_read_value(settings, name, parameter->to, origin, sink);
}

static clp_status check_together(const clp_settings *settings, clp_model_sink sink)
{
  char why[256], line[280];
  if (clp_settings_check(settings, why, sizeof why) == CLP_OK)
    return CLP_OK;
  snprintf(line, sizeof line, "parameters: %s", why);
  if (sink.message)
    sink.message(sink.user, CLP_DEFECT, line);
  return CLP_ERROR_FORMAT;
}

clp_status clp_ros_arguments_apply(const clp_ros_arguments *arguments, clp_model_sink sink,
                                   clp_settings *settings)
{
  clp_status status = CLP_OK;
  clp_ros_name node = clp_ros_node_name(arguments);
  for (int k = 0; status == CLP_OK && k < arguments->parameter_count; ++k) {
    const clp_ros_argument *parameter = &arguments->parameters[k];
    status = parameter->from ? apply_parameter(parameter, sink, settings)
                             : clp_settings_read_file(settings, parameter->to, node.text, sink);
  }
  return status == CLP_OK ? check_together(settings, sink) : status;
}

/* ---- Full names --------------------------------------------------------------------------- */

/* The namespace as it stands before a slash. */
static const char *prefix_of(const clp_ros_arguments *arguments)
{
  return arguments->ns[1] ? arguments->ns : "";
}

clp_ros_name clp_ros_node_name(const clp_ros_arguments *arguments)
{
  clp_ros_name name;
  snprintf(name.text, sizeof name.text, "%s/%s", prefix_of(arguments), arguments->node);
  return name;
}

static clp_ros_name expand(const clp_ros_arguments *arguments, const char *text, size_t length)
{
  clp_ros_name name;
  char piece[CLP_ROS_NAME_MAX];
  snprintf(piece, sizeof piece, "%.*s", (int)length, text);
  if (piece[0] == '/')
    snprintf(name.text, sizeof name.text, "%s", piece);
  else if (piece[0] == '~' && piece[1] == '/')
    snprintf(name.text, sizeof name.text, "%s/%s%s", prefix_of(arguments), arguments->node,
             piece + 1);
  else
    snprintf(name.text, sizeof name.text, "%s/%s", prefix_of(arguments), piece);
  return name;
}

clp_ros_name clp_ros_topic(const clp_ros_arguments *arguments, const char *name)
{
  clp_ros_name full = expand(arguments, name, strlen(name));
  for (int k = 0; k < arguments->remap_count; ++k) {
    const clp_ros_argument *rule = &arguments->remaps[k];
    if (strcmp(expand(arguments, rule->from, rule->from_length).text, full.text) == 0)
      return expand(arguments, rule->to, strlen(rule->to));
  }
  return full;
}

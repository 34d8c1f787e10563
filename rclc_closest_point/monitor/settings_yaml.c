/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "rclc_closest_point/model/log.h"
#include "rclc_closest_point/model/model.h"
#include "rclc_closest_point/model/number.h"
#include "rclc_closest_point/monitor/settings.h"

/* Deeper nesting than any parameter file has, and the longest name of a node or a parameter. */
#define MAX_DEPTH 32
#define MAX_NAME 512
#define MAX_ITEMS 100000

typedef struct yaml_reading {
  yaml_parser_t parser;
  yaml_event_t event; /* the current one */
  bool has_event;
  clp_log *log;
  clp_settings *settings;
  const char *node;
  bool concerned;    /* some section is for the node */
  clp_status status; /* of what is not the file's fault */
} yaml_reading;

/* ---- Events ------------------------------------------------------------------------------- */

static int line_of(const yaml_reading *r)
{
  return (int)r->event.start_mark.line + 1;
}

/* False at what is no YAML, which has then been said. */
static bool next_event(yaml_reading *r)
{
  if (r->has_event)
    yaml_event_delete(&r->event);
  r->has_event = yaml_parser_parse(&r->parser, &r->event) != 0;
  if (!r->has_event)
    clp_log_defect(r->log, (int)r->parser.problem_mark.line + 1, "%s, expected YAML",
                   r->parser.problem ? r->parser.problem : "this cannot be read");
  return r->has_event;
}

static const char *scalar_text(const yaml_reading *r)
{
  return (const char *)r->event.data.scalar.value;
}

/* From the start of a value to its end, however deep it is. */
static bool skip_value(yaml_reading *r)
{
  int depth = 0;
  for (;;) {
    yaml_event_type_t type = r->event.type;
    depth += type == YAML_MAPPING_START_EVENT || type == YAML_SEQUENCE_START_EVENT;
    depth -= type == YAML_MAPPING_END_EVENT || type == YAML_SEQUENCE_END_EVENT;
    if (depth == 0)
      return true;
    if (!next_event(r))
      return false;
  }
}

/* What stands there, for messages. */
static const char *event_name(const yaml_reading *r)
{
  switch (r->event.type) {
    case YAML_MAPPING_START_EVENT:
      return "a map";
    case YAML_SEQUENCE_START_EVENT:
      return "a list";
    case YAML_ALIAS_EVENT:
      return "an alias";
    case YAML_SCALAR_EVENT:
      return "a single value";
    default:
      return "nothing";
  }
}

/* ---- Values ------------------------------------------------------------------------------- */

/* The words that ROS takes for true and false. */
static bool read_bool(const char *text, bool *value)
{
  static const char *const yes[] = {"y",    "Y",    "yes", "Yes", "YES", "true",
                                    "True", "TRUE", "on",  "On",  "ON"};
  static const char *const no[] = {"n",     "N",     "no",  "No",  "NO", "false",
                                   "False", "FALSE", "off", "Off", "OFF"};
  for (size_t k = 0; k < sizeof yes / sizeof *yes; ++k) {
    *value = strcmp(text, yes[k]) == 0;
    if (*value || strcmp(text, no[k]) == 0)
      return true;
  }
  return false;
}

/* A word without quotes is what it looks like; where a text is asked for, it is a text. */
static clp_value scalar_value(const yaml_reading *r, clp_value_type wanted)
{
  const char *text = scalar_text(r);
  clp_value value = {.type = CLP_VALUE_TEXT, .text = text};
  int integer = 0;
  if (r->event.data.scalar.style != YAML_PLAIN_SCALAR_STYLE)
    return value;
  if (read_bool(text, &value.boolean))
    value.type = CLP_VALUE_BOOL;
  else if (clp_parse_int(text, strlen(text), &integer) == CLP_NUMBER_FINE)
    value.type = CLP_VALUE_INTEGER;
  else if (clp_parse_double(text, strlen(text), &value.real) == CLP_NUMBER_FINE)
    value.type = CLP_VALUE_DOUBLE;
  value.integer = integer;
  if (wanted == CLP_VALUE_TEXT)
    value.type = CLP_VALUE_TEXT;
  return value;
}

static void set(yaml_reading *r, const clp_setting *setting, const clp_value *value, int line)
{
  char why[256];
  clp_status status = clp_settings_set(r->settings, setting, value, why, sizeof why);
  if (status == CLP_ERROR_ARGUMENT)
    clp_log_defect(r->log, line, "parameter '%s' %s", setting->name, why);
  else if (status != CLP_OK)
    r->status = status;
}

static bool add_text(clp_texts *texts, const char *text)
{
  char **items = realloc(texts->items, ((size_t)texts->count + 1) * sizeof *items);
  if (!items)
    return false;
  texts->items = items;
  size_t size = strlen(text) + 1;
  items[texts->count] = malloc(size);
  if (!items[texts->count])
    return false;
  memcpy(items[texts->count++], text, size);
  return true;
}

/* The texts of a list, up to its end. What is no text has been said. */
static bool read_texts(yaml_reading *r, const clp_setting *setting, clp_texts *texts)
{
  while (next_event(r) && r->event.type != YAML_SEQUENCE_END_EVENT) {
    if (r->event.type != YAML_SCALAR_EVENT || texts->count == MAX_ITEMS) {
      clp_log_defect(r->log, line_of(r), "parameter '%s' has %s in its list, expected texts",
                     setting->name, event_name(r));
      if (!skip_value(r))
        return false;
    } else if (!add_text(texts, scalar_text(r))) {
      r->status = CLP_ERROR_MEMORY;
      return false;
    }
  }
  return r->has_event;
}

static bool read_list(yaml_reading *r, const clp_setting *setting)
{
  int line = line_of(r);
  clp_value value = {.type = CLP_VALUE_TEXTS};
  bool good = read_texts(r, setting, &value.texts);
  if (good)
    set(r, setting, &value, line);
  clp_texts_release(&value.texts);
  return good;
}

/* The current event starts the value; afterwards it is the value's last. */
static bool read_setting(yaml_reading *r, const clp_setting *setting)
{
  if (r->event.type == YAML_SEQUENCE_START_EVENT && setting->type == CLP_VALUE_TEXTS)
    return read_list(r, setting);
  if (r->event.type == YAML_SCALAR_EVENT) {
    clp_value value = scalar_value(r, setting->type);
    set(r, setting, &value, line_of(r));
    return true;
  }
  char expected[128];
  clp_setting_expected(setting, expected, sizeof expected);
  clp_log_defect(r->log, line_of(r), "parameter '%s' is %s, expected %s", setting->name,
                 event_name(r), expected);
  return skip_value(r);
}

/* ---- Sections ----------------------------------------------------------------------------- */

/* Whether a name, whose pieces may be wildcards, means the node. Both start with a slash. */
static bool means(const char *pattern, const char *node)
{
  if (!*pattern)
    return !*node;
  size_t piece = strcspn(pattern + 1, "/") + 1, length = strcspn(node + (*node == '/'), "/") + 1;
  if (piece == 3 && strncmp(pattern, "/**", 3) == 0) {
    for (const char *rest = node;; rest += strcspn(rest + 1, "/") + 1) {
      if (means(pattern + 3, rest))
        return true;
      if (!*rest)
        return false;
    }
  }
  if (!*node)
    return false;
  bool any = piece == 2 && pattern[1] == '*';
  return (any || (piece == length && strncmp(pattern, node, piece) == 0)) &&
         means(pattern + piece, node + length);
}

/* One more piece of a name, after a separator unless it brings its own. */
static bool append(char name[MAX_NAME], size_t used, char separator, const char *piece)
{
  bool own = *piece == separator || (used == 0 && separator == '.');
  int wanted = snprintf(name + used, MAX_NAME - used, own ? "%.0s%s" : "%.1s%s",
                        separator == '.' ? "." : "/", piece);
  return wanted >= 0 && (size_t)wanted < MAX_NAME - used;
}

typedef struct section {
  char name[MAX_NAME]; /* of the node, or of the parameter so far */
  size_t used;
  bool parameters; /* below ros__parameters */
  bool wanted;     /* they are for our node, */
  bool alone;      /* and for no other */
} section;

static bool read_section(yaml_reading *r, section *s, int depth);

static bool read_parameter(yaml_reading *r, section *s, int line, int depth)
{
  const clp_setting *setting = clp_find_setting(s->name);
  if (s->wanted && setting)
    return read_setting(r, setting);
  if (r->event.type == YAML_MAPPING_START_EVENT)
    return read_section(r, s, depth + 1);
  if (s->wanted && s->alone)
    clp_log_defect(r->log, line,
                   "unknown parameter '%s', expected one of those that --list-parameters shows",
                   clp_show_string(s->name).text);
  return skip_value(r);
}

/* The value of a key that names a piece of a node. */
static bool read_node(yaml_reading *r, section *s, int line, int depth)
{
  if (r->event.type == YAML_MAPPING_START_EVENT)
    return read_section(r, s, depth + 1);
  clp_log_defect(r->log, line, "'%s' is %s, expected a map with ros__parameters",
                 clp_show_string(s->name).text, event_name(r));
  return skip_value(r);
}

static bool read_parameters(yaml_reading *r, const section *s, int line, int depth)
{
  section inner = {
      .parameters = true, .wanted = means(s->name, r->node), .alone = !strchr(s->name, '*')};
  r->concerned = r->concerned || inner.wanted;
  if (r->event.type == YAML_MAPPING_START_EVENT)
    return read_section(r, &inner, depth + 1);
  bool empty = r->event.type == YAML_SCALAR_EVENT && !*scalar_text(r);
  if (!empty)
    clp_log_defect(r->log, line, "ros__parameters is %s, expected a map of parameters",
                   event_name(r));
  return skip_value(r);
}

/* A map; the current event is its start, and afterwards its end. */
static bool read_section(yaml_reading *r, section *s, int depth)
{
  size_t used = s->used;
  if (depth > MAX_DEPTH) {
    clp_log_defect(r->log, line_of(r), "maps nested deeper than %d, expected a parameter file",
                   MAX_DEPTH);
    return false;
  }
  while (next_event(r) && r->event.type != YAML_MAPPING_END_EVENT) {
    int line = line_of(r);
    bool is_name = r->event.type == YAML_SCALAR_EVENT;
    bool opens = is_name && !s->parameters && strcmp(scalar_text(r), "ros__parameters") == 0;
    if (!is_name || (!opens && !append(s->name, used, s->parameters ? '.' : '/', scalar_text(r)))) {
      clp_log_defect(r->log, line, "%s for a name, expected a word",
                     is_name ? "too long a text" : event_name(r));
      return false;
    }
    s->used = opens ? used : strlen(s->name);
    if (!next_event(r) || !(opens           ? read_parameters(r, s, line, depth)
                            : s->parameters ? read_parameter(r, s, line, depth)
                                            : read_node(r, s, line, depth)))
      return false;
    s->name[used] = '\0';
    s->used = used;
  }
  return r->has_event;
}

/* ---- Files and values --------------------------------------------------------------------- */

static bool read_top(yaml_reading *r)
{
  section top = {0};
  if (r->event.type == YAML_MAPPING_START_EVENT) {
    bool good = read_section(r, &top, 0);
    if (good && !r->concerned)
      clp_log_note(r->log, 1, "no section is for %s or /**, so nothing here applies", r->node);
    return good;
  }
  clp_log_defect(r->log, line_of(r), "the file is %s, expected a map of nodes", event_name(r));
  return false;
}

/* The document's one value is the current event. False: no YAML, or nothing in it. */
static bool open_document(yaml_reading *r)
{
  while (next_event(r)) {
    if (r->event.type == YAML_STREAM_END_EVENT)
      return false;
    if (r->event.type != YAML_STREAM_START_EVENT && r->event.type != YAML_DOCUMENT_START_EVENT)
      return true;
  }
  return false;
}

static clp_status parse(clp_settings *settings, const char *text, size_t length, const char *node,
                        const clp_setting *only, clp_log *log)
{
  clp_settings changed = {0};
  clp_status status = clp_settings_copy(settings, &changed);
  if (status != CLP_OK)
    return status;
  yaml_reading r = {.log = log, .settings = &changed, .node = node};
  if (!yaml_parser_initialize(&r.parser)) {
    clp_settings_release(&changed);
    return CLP_ERROR_MEMORY;
  }
  yaml_parser_set_input_string(&r.parser, (const unsigned char *)text, length);
  if (open_document(&r)) {
    if (only)
      read_setting(&r, only);
    else
      read_top(&r);
  }
  if (r.has_event)
    yaml_event_delete(&r.event);
  yaml_parser_delete(&r.parser);
  status = r.status != CLP_OK ? r.status : log->defects ? CLP_ERROR_FORMAT : CLP_OK;
  if (status == CLP_OK) {
    clp_settings old = *settings;
    *settings = changed;
    changed = old;
  }
  clp_settings_release(&changed);
  return status;
}

clp_status clp_settings_read_text(clp_settings *settings, const char *text, size_t length,
                                  const char *file, const char *node, clp_model_sink sink)
{
  clp_log log = {.file = file, .sink = sink};
  return parse(settings, text, length, node, NULL, &log);
}

clp_status clp_settings_read_file(clp_settings *settings, const char *path, const char *node,
                                  clp_model_sink sink)
{
  clp_log log = {.file = path, .sink = sink};
  char *text = NULL;
  size_t length = 0;
  clp_status status = clp_read_file(&log, &text, &length);
  if (status == CLP_OK)
    status = parse(settings, text, length, node, NULL, &log);
  free(text);
  return status;
}

clp_status clp_settings_read_value(clp_settings *settings, const char *name, const char *value,
                                   const char *origin, clp_model_sink sink)
{
  clp_log log = {.file = origin, .sink = sink};
  const clp_setting *setting = clp_find_setting(name);
  if (!setting) {
    clp_log_defect(&log, 1,
                   "unknown parameter '%s', expected one of those that --list-parameters shows",
                   clp_show_string(name).text);
    return CLP_ERROR_FORMAT;
  }
  return parse(settings, value, strlen(value), "", setting, &log);
}

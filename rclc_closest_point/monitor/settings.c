/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/monitor/settings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "rclc_closest_point/base/enumerators.h"
#include "rclc_closest_point/base/text.h"
#include "rclc_closest_point/control/controller.h"
#include "rclc_closest_point/model/log.h"
#include "rclc_closest_point/model/number.h"
#include "rclc_closest_point/monitor/force.h"
#include "rclc_closest_point/monitor/input.h"

#define AT(member) offsetof(clp_settings, member)
#define ALWAYS true
#define AT_START false
#define ANY 1e9 /* a number without a bound of its own */
#define LARGEST_PADDING 1000
#define TOPIC_NAME_MAX 200

/* name, type, when it may be changed, unit, range, default, description */
static const clp_setting table[] = {
    {"model", CLP_VALUE_TEXT, AT_START, "", 0, 0, "''",
     "The model's file, a URDF. Empty: it comes from the topic robot_description.", AT(model)},
    {"srdf", CLP_VALUE_TEXT, AT_START, "", 0, 0, "''",
     "An SRDF file; its disabled pairs are not monitored.", AT(srdf)},
    {"fixed_frame", CLP_VALUE_TEXT, AT_START, "", 0, 0, "world",
     "The frame that answers are in and that all links hang on.", AT(fixed_frame)},
    {"pairs", CLP_VALUE_TEXTS, AT_START, "", 0, 0, "[]",
     "The pairs of links to monitor, each as 'a:b'. Empty: all that no chain of joints joins.",
     AT(pairs)},
    {"rate", CLP_VALUE_DOUBLE, AT_START, "Hz", 1, 10000, "1000.0", "Cycles per second.", AT(rate)},
    {"publish_rate", CLP_VALUE_DOUBLE, AT_START, "Hz", 0, 10000, "0.0",
     "How often answers are published; a worse zone is at once. 0: every cycle.", AT(publish_rate)},
    {"max_published", CLP_VALUE_INTEGER, AT_START, "", 1, 100000, "100",
     "The most pairs in one message; the nearest are kept.", AT(max_published)},
    {"max_pairs_per_cycle", CLP_VALUE_INTEGER, AT_START, "", 0, 1000000, "0",
     "The most pairs that are stepped in one cycle; the others follow in the next ones. 0: all.",
     AT(max_pairs_per_cycle)},
    {"effort", CLP_VALUE_INTEGER, AT_START, "", 0, 1e8, "0",
     "How many instructions a pair may take in a cycle, at least 60,000; what it did not get to "
     "goes on in the next ones. 0: a million, six where faces are splines.",
     AT(effort)},
    {"range", CLP_VALUE_DOUBLE, ALWAYS, "m", 0, ANY, "0.0",
     "Pairs that are farther apart are not published; safety looks as far as it needs. 0: no "
     "limit.",
     AT(range)},
    {"stale_after", CLP_VALUE_DOUBLE, ALWAYS, "s", 0.001, 2, "0.1",
     "A link whose newest pose is older makes its pairs STALE.", AT(stale_after)},
    {"max_speed", CLP_VALUE_DOUBLE, ALWAYS, "m/s", 0, 1000, "2.0",
     "No point of any link moves faster; lower bounds rest on it.", AT(max_speed)},
    {"controller", CLP_VALUE_TEXT, AT_START, "", 0, 0, "auto",
     "How pairs are tracked: auto, linearising, switching, compensated or newton.", AT(controller)},
    {"gain", CLP_VALUE_DOUBLE, AT_START, "1/s", 0, ANY, "0.0",
     "Of the controller. 0: its best for the cycle.", AT(gain)},
    {"substeps", CLP_VALUE_INTEGER, AT_START, "", 1, 1000, "1",
     "Integration steps of the controller in a cycle.", AT(substeps)},
    {"tolerance", CLP_VALUE_DOUBLE, ALWAYS, "", 0, 1, "0.0",
     "The width of the interval, relative to the bodies' size, that counts as TRACKING. 0: 1e-9, "
     "or 1e-6 where a part is not convex.",
     AT(tolerance)},
    {"robot_links", CLP_VALUE_TEXTS, AT_START, "", 0, 0, "[]",
     "The links of the robot; all others are people or obstacles. Empty: every pair counts for "
     "safety, and either link may be the robot.",
     AT(robot_links)},
    {"human_links", CLP_VALUE_TEXTS, AT_START, "", 0, 0, "[]",
     "Links of people; what is neither human nor the robot is a thing, which approaches only as "
     "fast "
     "as it is seen to. Empty: whatever is not the robot may be human.",
     AT(human_links)},
    {"warn_distance", CLP_VALUE_DOUBLE, ALWAYS, "m", 0, ANY, "0.5",
     "WARN begins so far away where stop_distance is what is required; where more is, as far "
     "before "
     "that.",
     AT(warn_distance)},
    {"stop_distance", CLP_VALUE_DOUBLE, ALWAYS, "m", 0, ANY, "0.1",
     "The least separation that is required; closer is STOP.", AT(stop_distance)},
    {"hysteresis", CLP_VALUE_DOUBLE, ALWAYS, "m", 0, ANY, "0.02",
     "A zone is left when the separation is beyond its limit by so much.", AT(hysteresis)},
    {"minimum_hold", CLP_VALUE_DOUBLE, ALWAYS, "s", 0, 3600, "0.2",
     "A zone is left when the separation has been beyond it for so long.", AT(minimum_hold)},
    {"human_speed", CLP_VALUE_DOUBLE, ALWAYS, "m/s", 0, 1000, "1.6",
     "A human counts as approaching at least as fast, measured or not.", AT(human_speed)},
    {"robot_speed", CLP_VALUE_DOUBLE, ALWAYS, "m/s", 0, 1000, "0.0",
     "A robot that can move counts as approaching at least as fast: the most that it can reach "
     "within "
     "reaction_time.",
     AT(robot_speed)},
    {"reaction_time", CLP_VALUE_DOUBLE, ALWAYS, "s", 0, 3600, "0.1",
     "From an answer's stamp to the robot's beginning to stop, and the period between cycles.",
     AT(reaction_time)},
    {"stopping_time", CLP_VALUE_DOUBLE, ALWAYS, "s", 0, 3600, "0.3",
     "From the beginning of the stop to standstill.", AT(stopping_time)},
    {"stopping_distance", CLP_VALUE_DOUBLE, ALWAYS, "m", 0, ANY, "0.15",
     "The way of the robot in that time, from its full speed.", AT(stopping_distance)},
    {"intrusion", CLP_VALUE_DOUBLE, ALWAYS, "m", 0, ANY, "0.1",
     "How far a body part reaches in before it is sensed.", AT(intrusion)},
    {"position_uncertainty", CLP_VALUE_DOUBLE, ALWAYS, "m", 0, ANY, "0.02",
     "Of the robot's and the obstacles' measured positions together.", AT(position_uncertainty)},
    {"wrench_frame", CLP_VALUE_TEXT, AT_START, "", 0, 0, "''",
     "The frame that the wrench is given in. Empty: that of wrench_tool.", AT(wrench_frame)},
    {"wrench_tool", CLP_VALUE_TEXT, AT_START, "", 0, 0, "''",
     "The link that the wrench acts on. Empty: none is published.", AT(wrench_tool)},
    {"stiffness", CLP_VALUE_DOUBLE, ALWAYS, "N/m", 0, ANY, "500.0",
     "Of the repulsion, per length of penetration into engage_distance.", AT(stiffness)},
    {"damping", CLP_VALUE_DOUBLE, ALWAYS, "N s/m", 0, ANY, "10.0",
     "Of the repulsion, from a quarter of engage_distance on; less before.", AT(damping)},
    {"engage_distance", CLP_VALUE_DOUBLE, ALWAYS, "m", 0, ANY, "0.1",
     "Beyond it there is no repulsion.", AT(engage_distance)},
    {"wrench_latency", CLP_VALUE_DOUBLE, ALWAYS, "s", 0, 1, "0.002",
     "From the measurement of a pose to its wrench acting; with the period of answers it limits "
     "stiffness to damping / (1/rate + 2 wrench_latency).",
     AT(wrench_latency)},
    {"marker_rate", CLP_VALUE_DOUBLE, ALWAYS, "Hz", 0, 1000, "30.0",
     "How often markers are published. 0: never.", AT(marker_rate)},
    {"autostart", CLP_VALUE_BOOL, AT_START, "", 0, 0, "true",
     "Become active without waiting for lifecycle commands.", AT(autostart)},
    {"use_sim_time", CLP_VALUE_BOOL, AT_START, "", 0, 0, "false",
     "Take the time from the topic /clock.", AT(use_sim_time)},
    {"stamp_ahead", CLP_VALUE_DOUBLE, ALWAYS, "s", 0, 1, "0.02",
     "Stamps that are farther ahead of when they arrive are not believed, and mean STOP; what "
     "others "
     "are ahead is charged in the bounds.",
     AT(stamp_ahead)},
    {"post_dated", CLP_VALUE_TEXTS, AT_START, "", 0, 0, "[]",
     "Child frames that are stamped ahead on purpose, up to 1 s, as map -> odom is: what they are "
     "ahead counts as age.",
     AT(post_dated)},
    {"allow_uncovered", CLP_VALUE_TEXTS, AT_START, "", 0, 0, "[]",
     "Links of the robot that may be without a body, as shell patterns such as '*_decal'.",
     AT(allow_uncovered)},
    {"meshes", CLP_VALUE_TEXT, AT_START, "", 0, 0, "hull",
     "What is done with collision meshes: 'hull' encloses them in convex bodies that are proven to "
     "contain them, 'refuse' refuses the model.",
     AT(meshes)},
    {"max_gap", CLP_VALUE_DOUBLE, AT_START, "m", 1e-6, 10, "0.02",
     "A mesh whose body reaches farther beyond it is divided.", AT(max_gap)},
    {"max_parts", CLP_VALUE_INTEGER, AT_START, "", 1, 32, "8", "Into no more bodies than these.",
     AT(max_parts)},
    {"package_path", CLP_VALUE_TEXTS, AT_START, "", 0, 0, "[]",
     "Folders that are packages or hold some, for package:// of meshes; then AMENT_PREFIX_PATH and "
     "ROS_PACKAGE_PATH.",
     AT(package_path)},
    {"default_padding", CLP_VALUE_DOUBLE, AT_START, "m", 0, LARGEST_PADDING, "0.0",
     "All parts of monitored links are swept by a ball of this radius, on top of what the model "
     "says; they must be convex and closed.",
     AT(default_padding)},
    {"padding", CLP_VALUE_TEXTS, AT_START, "", 0, 0, "[]",
     "The same of single links, each as 'link:0.01'; instead of default_padding.", AT(padding)},
    {"joint_states", CLP_VALUE_TEXT, AT_START, "", 0, 0, "''",
     "A topic of sensor_msgs/JointState, such as joint_states: where links are that joints of the "
     "model carry comes from there, and the rest from transforms. Empty: all from transforms.",
     AT(joint_states)},
    {"frame_prefix", CLP_VALUE_TEXT, AT_START, "", 0, 0, "''",
     "What stands before the links' names where transforms tell of them, such as 'left/': as "
     "robot_state_publisher has it.",
     AT(frame_prefix)},
};
#define SETTING_COUNT (sizeof table / sizeof *table)

const clp_setting *clp_setting_table(size_t *count)
{
  *count = SETTING_COUNT;
  return table;
}

const clp_setting *clp_find_setting(const char *name)
{
  for (size_t k = 0; k < SETTING_COUNT; ++k)
    if (strcmp(table[k].name, name) == 0)
      return &table[k];
  return NULL;
}

const char *clp_value_type_name(clp_value_type type)
{
  static const char *const names[] = {"bool", "integer", "double", "string", "string_array"};
  return names[type];
}

/* ---- Texts -------------------------------------------------------------------------------- */

static char *copy_text(const char *text)
{
  size_t size = strlen(text) + 1;
  char *copy = malloc(size);
  return copy ? memcpy(copy, text, size) : NULL;
}

void clp_texts_release(clp_texts *texts)
{
  for (int k = 0; k < texts->count; ++k)
    free(texts->items[k]);
  free(texts->items);
  *texts = (clp_texts){0};
}

static bool copy_texts(const clp_texts *from, clp_texts *to)
{
  clp_texts copy = {calloc((size_t)from->count + 1, sizeof *copy.items), 0};
  while (copy.items && copy.count < from->count) {
    copy.items[copy.count] = copy_text(from->items[copy.count]);
    if (!copy.items[copy.count]) {
      clp_texts_release(&copy);
      return false;
    }
    ++copy.count;
  }
  *to = copy;
  return copy.items != NULL;
}

/* ---- The members -------------------------------------------------------------------------- */

static void *member(clp_settings *settings, const clp_setting *setting)
{
  return (char *)settings + setting->offset;
}

clp_value clp_settings_get(const clp_settings *settings, const clp_setting *setting)
{
  const void *place = (const char *)settings + setting->offset;
  clp_value value = {.type = setting->type};
  switch (setting->type) {
    case CLP_VALUE_BOOL:
      value.boolean = *(const bool *)place;
      break;
    case CLP_VALUE_INTEGER:
      value.integer = *(const int64_t *)place;
      break;
    case CLP_VALUE_DOUBLE:
      value.real = *(const double *)place;
      break;
    case CLP_VALUE_TEXT:
      value.text = *(char *const *)place;
      break;
    case CLP_VALUE_TEXTS:
      value.texts = *(const clp_texts *)place;
      break;
  }
  return value;
}

/* The value is known to be fine. */
static clp_status store(clp_settings *settings, const clp_setting *setting, const clp_value *value)
{
  void *place = member(settings, setting);
  char *text = NULL;
  clp_texts texts;
  switch (setting->type) {
    case CLP_VALUE_BOOL:
      *(bool *)place = value->boolean;
      return CLP_OK;
    case CLP_VALUE_INTEGER:
      *(int64_t *)place = value->integer;
      return CLP_OK;
    case CLP_VALUE_DOUBLE:
      *(double *)place = value->type == CLP_VALUE_INTEGER ? (double)value->integer : value->real;
      return CLP_OK;
    case CLP_VALUE_TEXT:
      text = copy_text(value->text);
      if (!text)
        return CLP_ERROR_MEMORY;
      free(*(char **)place);
      *(char **)place = text;
      return CLP_OK;
    case CLP_VALUE_TEXTS:
      if (!copy_texts(&value->texts, &texts))
        return CLP_ERROR_MEMORY;
      clp_texts_release(place);
      *(clp_texts *)place = texts;
      return CLP_OK;
  }
  return CLP_ERROR_ARGUMENT;
}

clp_status clp_settings_create(clp_settings *settings)
{
  clp_settings fresh = {0};
  clp_status status = CLP_OK;
  for (size_t k = 0; status == CLP_OK && k < SETTING_COUNT; ++k) {
    clp_value empty = {.type = table[k].type, .text = ""};
    status = store(&fresh, &table[k], &empty);
  }
  for (size_t k = 0; status == CLP_OK && k < SETTING_COUNT; ++k)
    status = clp_settings_read_value(&fresh, table[k].name, table[k].initial, "default",
                                     (clp_model_sink){0});
  if (status == CLP_OK)
    *settings = fresh;
  else
    clp_settings_release(&fresh);
  return status;
}

clp_status clp_settings_copy(const clp_settings *from, clp_settings *settings)
{
  clp_settings copy = {0};
  for (size_t k = 0; k < SETTING_COUNT; ++k) {
    clp_value value = clp_settings_get(from, &table[k]);
    clp_status status = store(&copy, &table[k], &value);
    if (status != CLP_OK) {
      clp_settings_release(&copy);
      return status;
    }
  }
  *settings = copy;
  return CLP_OK;
}

void clp_settings_release(clp_settings *settings)
{
  for (size_t k = 0; k < SETTING_COUNT; ++k) {
    if (table[k].type == CLP_VALUE_TEXT)
      free(*(char **)member(settings, &table[k]));
    if (table[k].type == CLP_VALUE_TEXTS)
      clp_texts_release(member(settings, &table[k]));
  }
  *settings = (clp_settings){0};
}

/* ---- What a value may be ------------------------------------------------------------------ */

static bool is_controller(const char *text)
{
  for (int k = 0; k < CLP_CONTROLLER_COUNT; ++k)
    if (strcmp(text, clp_controller_name((clp_controller)k)) == 0)
      return true;
  return false;
}

static bool is_pair_text(const char *text)
{
  const char *colon = strchr(text, ':');
  return colon && colon != text && colon[1] && !strchr(colon + 1, ':');
}

static bool is_number(const clp_setting *setting)
{
  return setting->type == CLP_VALUE_INTEGER || setting->type == CLP_VALUE_DOUBLE;
}

bool clp_settings_read_padding(const char *text, size_t *length, double *padding)
{
  const char *colon = strrchr(text, ':');
  if (!colon || colon == text ||
      clp_parse_double(colon + 1, strlen(colon + 1), padding) != CLP_NUMBER_FINE)
    return false;
  *length = (size_t)(colon - text);
  return *padding >= 0 && *padding <= LARGEST_PADDING;
}

typedef struct range_text {
  char text[96];
} range_text;

/* "0 to 1 m", "at least 0 m"; empty for what is no number. */
static range_text range_of(const clp_setting *setting)
{
  range_text range = {""};
  const char *space = *setting->unit ? " " : "";
  if (is_number(setting) && setting->max >= ANY)
    snprintf(range.text, sizeof range.text, "at least %s%s%s", clp_number(setting->min, 7).text,
             space, setting->unit);
  else if (is_number(setting))
    snprintf(range.text, sizeof range.text, "%s to %s%s%s", clp_number(setting->min, 7).text,
             clp_number(setting->max, 7).text, space, setting->unit);
  return range;
}

void clp_setting_expected(const clp_setting *setting, char *text, size_t room)
{
  const char *article = setting->type == CLP_VALUE_INTEGER ? "an" : "a";
  snprintf(text, room, "%s %s%s%s", article, clp_value_type_name(setting->type),
           is_number(setting) ? ", " : "", range_of(setting).text);
}

static clp_status refuse_number(const clp_setting *setting, double number, char *why, size_t room)
{
  char expected[128];
  clp_setting_expected(setting, expected, sizeof expected);
  snprintf(why, room, "is %s, expected %s", clp_number_shortest(number).text, expected);
  return CLP_ERROR_ARGUMENT;
}

/* A name as ROS has it, or none: tokens that begin with no digit, between single slashes, in the
 * end none. */
static bool is_topic(const char *text)
{
  char before = '/';
  for (const char *at = *text == '/' ? text + 1 : text; *at; before = *at++) {
    bool letter = (*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z') || *at == '_';
    bool digit = *at >= '0' && *at <= '9';
    if (before == '/' ? !letter : !letter && !digit && *at != '/')
      return false;
  }
  return !*text || before != '/';
}

static clp_status check_text(const clp_setting *setting, const char *text, char *why, size_t room)
{
  if (setting->offset == AT(controller) && !is_controller(text)) {
    snprintf(why, room, "is '%s', expected auto, linearising, switching, compensated or newton",
             clp_show_string(text).text);
    return CLP_ERROR_ARGUMENT;
  }
  if (setting->offset == AT(meshes) && strcmp(text, "hull") != 0 && strcmp(text, "refuse") != 0) {
    snprintf(why, room, "is '%s', expected hull or refuse", clp_show_string(text).text);
    return CLP_ERROR_ARGUMENT;
  }
  if (setting->offset == AT(fixed_frame) && (!*text || strlen(text) > CLP_FRAME_NAME_MAX)) {
    snprintf(why, room, "is '%s', expected the name of a frame", clp_show_string(text).text);
    return CLP_ERROR_ARGUMENT;
  }
  if (setting->offset == AT(joint_states) && (!is_topic(text) || strlen(text) > TOPIC_NAME_MAX)) {
    snprintf(why, room, "is '%s', expected the name of a topic, or none",
             clp_show_string(text).text);
    return CLP_ERROR_ARGUMENT;
  }
  if (setting->offset == AT(frame_prefix) && strlen(text) > CLP_FRAME_NAME_MAX / 2) {
    snprintf(why, room, "is '%s', expected the beginning of the names of frames",
             clp_show_string(text).text);
    return CLP_ERROR_ARGUMENT;
  }
  if (setting->offset == AT(wrench_frame) && strlen(text) > CLP_FRAME_NAME_MAX) {
    snprintf(why, room, "is '%s', expected the name of a frame", clp_show_string(text).text);
    return CLP_ERROR_ARGUMENT;
  }
  return CLP_OK;
}

static clp_status check_padding(const char *text, char *why, size_t room)
{
  size_t length;
  double padding;
  if (clp_settings_read_padding(text, &length, &padding))
    return CLP_OK;
  snprintf(why, room, "has '%s', expected a link and a length of 0 to %s m as in link:0.01",
           clp_show_string(text).text, clp_number(LARGEST_PADDING, 7).text);
  return CLP_ERROR_ARGUMENT;
}

static clp_status check_texts(const clp_setting *setting, const clp_texts *texts, char *why,
                              size_t room)
{
  for (int k = 0; setting->offset == AT(padding) && k < texts->count; ++k)
    if (check_padding(texts->items[k], why, room) != CLP_OK)
      return CLP_ERROR_ARGUMENT;
  for (int k = 0; setting->offset == AT(pairs) && k < texts->count; ++k)
    if (!is_pair_text(texts->items[k])) {
      snprintf(why, room, "has '%s', expected two links as in a:b",
               clp_show_string(texts->items[k]).text);
      return CLP_ERROR_ARGUMENT;
    }
  return CLP_OK;
}

static clp_status check(const clp_setting *setting, const clp_value *value, char *why, size_t room)
{
  bool integer_for_double = setting->type == CLP_VALUE_DOUBLE && value->type == CLP_VALUE_INTEGER;
  if (value->type != setting->type && !integer_for_double) {
    char expected[128];
    clp_setting_expected(setting, expected, sizeof expected);
    snprintf(why, room, "is a %s, expected %s", clp_value_type_name(value->type), expected);
    return CLP_ERROR_ARGUMENT;
  }
  if (setting->type == CLP_VALUE_TEXT)
    return check_text(setting, value->text, why, room);
  if (setting->type == CLP_VALUE_TEXTS)
    return check_texts(setting, &value->texts, why, room);
  if (setting->type == CLP_VALUE_BOOL)
    return CLP_OK;
  double number = value->type == CLP_VALUE_DOUBLE ? value->real : (double)value->integer;
  if (!(number >= setting->min && number <= setting->max))
    return refuse_number(setting, number, why, room);
  return CLP_OK;
}

clp_status clp_settings_set(clp_settings *settings, const clp_setting *setting,
                            const clp_value *value, char *why, size_t room)
{
  clp_status status = check(setting, value, why, room);
  return status == CLP_OK ? store(settings, setting, value) : status;
}

clp_frame_text clp_settings_frame_of(const clp_settings *settings, const char *link)
{
  clp_frame_text frame;
  snprintf(frame.text, sizeof frame.text, "%s%s", settings->frame_prefix, link);
  return frame;
}

const char *clp_settings_link_of(const clp_settings *settings, const char *frame)
{
  size_t length = strlen(settings->frame_prefix);
  return strncmp(frame, settings->frame_prefix, length) == 0 ? frame + length : frame;
}

clp_frame_text clp_settings_wrench_frame(const clp_settings *settings)
{
  clp_frame_text frame = {""};
  if (*settings->wrench_tool && *settings->wrench_frame)
    snprintf(frame.text, sizeof frame.text, "%s", settings->wrench_frame);
  else if (*settings->wrench_tool)
    frame = clp_settings_frame_of(settings, settings->wrench_tool);
  return frame;
}

double clp_settings_answer_rate(const clp_settings *settings)
{
  return settings->publish_rate > 0 ? fmin(settings->rate, settings->publish_rate) : settings->rate;
}

/* ---- What goes together -------------------------------------------------------------------- */

/* A wrench is held until the next one is published, however many cycles there are between. */
static clp_status check_gains(const clp_settings *s, char *why, size_t room)
{
  double rate = clp_settings_answer_rate(s);
  double limit = clp_force_stiffness_limit(s->damping, 1 / rate, s->wrench_latency);
  if (s->stiffness <= limit)
    return CLP_OK;
  snprintf(why, room,
           "stiffness is %s N/m, expected at most %s N/m: the wrench of a stiffer spring is not "
           "passive with damping %s N s/m, %s %s Hz and wrench_latency %s s",
           clp_number(s->stiffness, 7).text, clp_number(limit, 6).text,
           clp_number(s->damping, 7).text, rate < s->rate ? "publish_rate" : "rate",
           clp_number(rate, 7).text, clp_number(s->wrench_latency, 7).text);
  return CLP_ERROR_ARGUMENT;
}

clp_status clp_settings_check(const clp_settings *settings, char *why, size_t room)
{
  if (!*settings->wrench_tool)
    return CLP_OK;
  if (settings->range > 0 && settings->range < settings->engage_distance) {
    snprintf(why, room,
             "engage_distance is %s m, expected at most the range, %s m: nothing is known of what "
             "is farther away",
             clp_number(settings->engage_distance, 7).text, clp_number(settings->range, 7).text);
    return CLP_ERROR_ARGUMENT;
  }
  return check_gains(settings, why, room);
}

/* ---- For people --------------------------------------------------------------------------- */

/* Words up to a width, the lines after the first indented. */
static void print_wrapped(FILE *stream, const char *text, int indent, int width)
{
  int column = indent;
  while (*text) {
    int length = (int)strcspn(text, " ");
    if (column + length > width && column > indent) {
      fprintf(stream, "\n%*s", indent, "");
      column = indent;
    }
    fprintf(stream, "%.*s ", length, text);
    column += length + 1;
    text += length;
    text += strspn(text, " ");
  }
  fputc('\n', stream);
}

void clp_settings_print(FILE *stream)
{
  for (size_t k = 0; k < SETTING_COUNT; ++k) {
    const clp_setting *s = &table[k];
    fprintf(stream, "  %s%s: %s%s%s, default %s\n      ", s->name, s->at_run_time ? "*" : "",
            clp_value_type_name(s->type), is_number(s) ? ", " : "", range_of(s).text, s->initial);
    print_wrapped(stream, s->description, 6, 78);
  }
}

void clp_settings_print_markdown(FILE *stream)
{
  fputs("| parameter | type | range | default | |\n|---|---|---|---|---|\n", stream);
  for (size_t k = 0; k < SETTING_COUNT; ++k) {
    const clp_setting *s = &table[k];
    fprintf(stream, "| `%s`%s | %s | %s | `%s` | %s |\n", s->name, s->at_run_time ? " *" : "",
            clp_value_type_name(s->type), range_of(s).text, s->initial, s->description);
  }
}

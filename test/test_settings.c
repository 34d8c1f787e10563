/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* open_memstream */

#include "rclc_closest_point/monitor/settings.h"

#include <string.h>

#include "support/settings.h"

/* Parameters: the table, values and their limits, files and overrides. */

#define NODE "/cell/closest_point_monitor"

static void leave(void)
{
  clp_settings_release(&settings);
}

static clp_status read_text(const char *text)
{
  said = (lines){0};
  return clp_settings_read_text(&settings, text, strlen(text), "p.yaml", NODE, lines_sink(&said));
}

static clp_status read_value(const char *name, const char *value)
{
  said = (lines){0};
  return clp_settings_read_value(&settings, name, value, "-p", lines_sink(&said));
}

static void expect_refused(const char *text, int line, const char *what)
{
  ck_assert_int_eq(read_text(text), CLP_ERROR_FORMAT);
  ck_assert_msg(lines_have(&said, "p.yaml", line, what), "no '%s' in line %d of: %s", what, line,
                said.text);
}

SUITE("settings");

FIXTURE_CASE("parameters", 10, settings_begin, leave);

TEST(the_defaults_are_those_of_the_table)
{
  ck_assert_str_eq(settings.fixed_frame, "world");
  ck_assert_double_eq(settings.rate, 1000);
  ck_assert_double_eq(settings.stale_after, 0.1);
  ck_assert_int_eq(settings.max_published, 100);
  ck_assert_double_eq(settings.human_speed, 1.6);
  ck_assert_int_eq(settings.pairs.count, 0);
  ck_assert(settings.autostart);
  ck_assert_str_eq(settings.model, "");
  size_t count = 0;
  const clp_setting *table = clp_setting_table(&count);
  for (size_t k = 0; k < count; ++k) {
    ck_assert_ptr_eq(clp_find_setting(table[k].name), &table[k]);
    ck_assert_msg(strlen(table[k].description) > 10, "%s is not described", table[k].name);
    clp_value value = clp_settings_get(&settings, &table[k]);
    char why[256];
    ck_assert_msg(clp_settings_set(&settings, &table[k], &value, why, sizeof why) == CLP_OK,
                  "the default of %s is refused: %s", table[k].name, why);
  }
  ck_assert_ptr_null(clp_find_setting("no_such"));
}

TEST(a_file_is_read)
{
  const char *text =
      "# a cell\n"
      "/**:\n"
      "  ros__parameters:\n"
      "    use_sim_time: true\n"
      "    somebody_elses: {deep: [1, 2], other: x}\n"
      "    rate: 500\n"
      "other_node:\n"
      "  ros__parameters:\n"
      "    rate: 1.0\n"
      "cell:\n"
      "  closest_point_monitor:\n"
      "    ros__parameters:\n"
      "      model: '/models/cell.urdf'\n"
      "      pairs: ['a:b', c:d]\n"
      "      robot_links: []\n"
      "      stale_after: 5e-2\n"
      "      max_published: 7\n"
      "      wrench_tool: 42\n";
  ck_assert_int_eq(read_text(text), CLP_OK);
  ck_assert_int_eq(said.defects, 0);
  ck_assert(settings.use_sim_time);
  ck_assert_double_eq(settings.rate, 500);
  ck_assert_str_eq(settings.model, "/models/cell.urdf");
  ck_assert_int_eq(settings.pairs.count, 2);
  ck_assert_str_eq(settings.pairs.items[1], "c:d");
  ck_assert_double_eq(settings.stale_after, 0.05);
  ck_assert_int_eq(settings.max_published, 7);
  ck_assert_str_eq(settings.wrench_tool, "42");
}

TEST(names_of_nodes_may_have_wildcards)
{
  static const struct {
    const char *node;
    bool meant;
  } cases[] = {{"/**", true},
               {"/cell/*", true},
               {"/*/closest_point_monitor", true},
               {"/**/closest_point_monitor", true},
               {"cell/closest_point_monitor", true},
               {"/cell/**", true},
               {"/cell/closest_point_monitor/**", true},
               {"/*", false},
               {"closest_point_monitor", false},
               {"/cell", false},
               {"/cell/closest_point", false},
               {"/cell/closest_point_monitor/x", false},
               {"/**/cell", false}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
    char text[256];
    snprintf(text, sizeof text, "%s:\n  ros__parameters:\n    rate: %d.0\n", cases[k].node,
             (int)k + 10);
    said = (lines){0};
    ck_assert_int_eq(read_text(text), CLP_OK);
    ck_assert_int_eq(said.notes, !cases[k].meant); /* a file that is for others alone is noted */
    bool taken = settings.rate == (double)k + 10;
    ck_assert_msg(taken == cases[k].meant, "%s is %s", cases[k].node,
                  taken ? "taken" : "not taken");
  }
}

#define OURS "/cell/closest_point_monitor:\n  ros__parameters:\n"

TEST(defects_name_their_line)
{
  expect_refused(OURS "    rate: fast\n", 3,
                 "parameter 'rate' is a string, expected a double, 1 to");
  expect_refused(OURS "    rate: 0\n", 3,
                 "parameter 'rate' is 0, expected a double, 1 to 10000 Hz");
  expect_refused(OURS "    rate: .nan\n", 3, "parameter 'rate' is a string");
  expect_refused(OURS "    rate: '5'\n", 3, "parameter 'rate' is a string");
  expect_refused(OURS "    range: -1.0\n", 3, "is -1, expected a double, at least 0 m");
  expect_refused(OURS "    max_published: 1.5\n", 3, "is a double, expected an integer");
  expect_refused(OURS "    max_published: 99999999999\n", 3, "parameter 'max_published'");
  expect_refused(OURS "    effort: 6.0e4\n", 3, "is a double, expected an integer");
  expect_refused(OURS "    effort: -1\n", 3, "is -1, expected an integer, 0 to 1e+08");
  expect_refused(OURS "    effort: 200000000\n", 3, "parameter 'effort' is 2e+08");
  expect_refused(OURS "    pairs: a:b\n", 3, "is a string, expected a string_array");
  expect_refused(OURS "    pairs:\n      - a:b\n      - ab\n", 4, "has 'ab', expected two links");
  expect_refused(OURS "    pairs: [[a:b]]\n", 3, "has a list in its list, expected texts");
  expect_refused(OURS "    rate: [1.0]\n", 3, "is a list, expected a double");
  expect_refused(OURS "    padding: ['a:b']\n", 3, "has 'a:b', expected a link and a length of 0");
  expect_refused(OURS "    padding: ['a:-1']\n", 3, "has 'a:-1', expected a link and a length");
  expect_refused(OURS "    padding: ['0.01']\n", 3, "as in link:0.01");
  expect_refused(OURS "    default_padding: -1.0\n", 3, "is -1, expected a double, 0 to 1000 m");
  expect_refused(OURS "    autostart: 1\n", 3, "is a integer, expected a bool");
  expect_refused(OURS "    fixed_frame: ''\n", 3, "expected the name of a frame");
  expect_refused(OURS "    controller: pid\n", 3, "is 'pid', expected auto");
  expect_refused(OURS "    rat: 5.0\n", 3, "unknown parameter 'rat'");
  expect_refused(OURS "    qos: {depth: 5}\n", 3, "unknown parameter 'qos.depth'");
  expect_refused(OURS "    rate: *alias\n", 3, "parameter 'rate' is an alias");
  expect_refused("a: b\n", 1, "'/a' is a single value, expected a map with ros__parameters");
  expect_refused("- a\n", 1, "the file is a list, expected a map of nodes");
  expect_refused("a: {b: [}\n", 1, "expected YAML");
  expect_refused("/cell/closest_point_monitor:\n  ros__parameters: 5\n", 2,
                 "ros__parameters is a single value, expected a map");
  expect_refused("? [a, b]\n: c\n", 1, "a list for a name");
}

/* One defect, and nothing of the file is taken; every defect is said. */
TEST(all_or_nothing)
{
  ck_assert_int_eq(read_text(OURS "    rate: 300.0\n    range: -1.0\n    gain: no\n"),
                   CLP_ERROR_FORMAT);
  ck_assert_double_eq(settings.rate, 1000);
  ck_assert_int_eq(said.defects, 2);
  ck_assert_int_eq(clp_settings_read_file(&settings, "no/such.yaml", NODE, lines_sink(&said)),
                   CLP_ERROR_FILE);
}

TEST(empty_files_are_fine)
{
  ck_assert_int_eq(read_text(""), CLP_OK);
  ck_assert_int_eq(read_text("# nothing\n"), CLP_OK);
  ck_assert_int_eq(read_text("/**:\n  ros__parameters:\n"), CLP_OK);
}

TEST(hostile_files_end)
{
  static char text[40000];
  memset(text, '[', sizeof text - 1);
  ck_assert_int_eq(read_text(text), CLP_ERROR_FORMAT);
  for (size_t k = 0; k + 3 < sizeof text; k += 2)
    memcpy(text + k, "{a:", 3);
  ck_assert_int_eq(read_text(text), CLP_ERROR_FORMAT);
  memset(text, 'n', sizeof text - 1);
  memcpy(text + sizeof text - 5, ": 5\n", 4);
  ck_assert_int_eq(read_text(text), CLP_ERROR_FORMAT);
  ck_assert_int_eq(read_text("a: &x {b: *x}\n"), CLP_ERROR_FORMAT);
  ck_assert_int_eq(read_text("\xff\xff"), CLP_ERROR_FORMAT);
}

TEST(overrides_are_values)
{
  ck_assert_int_eq(read_value("range", "2"), CLP_OK);
  ck_assert_double_eq(settings.range, 2);
  ck_assert_int_eq(read_value("pairs", "[a:b, \"c:d\"]"), CLP_OK);
  ck_assert_int_eq(settings.pairs.count, 2);
  ck_assert_int_eq(read_value("model", "cell.urdf"), CLP_OK);
  ck_assert_str_eq(settings.model, "cell.urdf");
  ck_assert_int_eq(read_value("autostart", "False"), CLP_OK);
  ck_assert(!settings.autostart);
  ck_assert_int_eq(read_value("range", "far"), CLP_ERROR_FORMAT);
  ck_assert(lines_have(&said, "-p", 1, "parameter 'range' is a string"));
  ck_assert_int_eq(read_value("rang", "1"), CLP_ERROR_FORMAT);
  ck_assert_double_eq(settings.range, 2);
}

TEST(a_value_that_is_refused_leaves_the_old_one)
{
  char why[256];
  clp_value value = {.type = CLP_VALUE_DOUBLE, .real = (double)NAN};
  const clp_setting *setting = clp_find_setting("stale_after");
  ck_assert_int_eq(clp_settings_set(&settings, setting, &value, why, sizeof why),
                   CLP_ERROR_ARGUMENT);
  value.real = 3;
  ck_assert_int_eq(clp_settings_set(&settings, setting, &value, why, sizeof why),
                   CLP_ERROR_ARGUMENT);
  ck_assert_str_eq(why, "is 3, expected a double, 0.001 to 2 s");
  ck_assert_double_eq(settings.stale_after, 0.1);
  value = (clp_value){.type = CLP_VALUE_INTEGER, .integer = 1};
  ck_assert_int_eq(clp_settings_set(&settings, setting, &value, why, sizeof why), CLP_OK);
  ck_assert_double_eq(settings.stale_after, 1);
}

TEST(copies_are_of_their_own)
{
  clp_settings copy;
  ck_assert_int_eq(read_value("pairs", "[a:b]"), CLP_OK);
  ck_assert_int_eq(clp_settings_copy(&settings, &copy), CLP_OK);
  ck_assert_int_eq(read_value("pairs", "[]"), CLP_OK);
  ck_assert_int_eq(copy.pairs.count, 1);
  ck_assert_str_eq(copy.pairs.items[0], "a:b");
  clp_settings_release(&copy);
}

TEST(the_help_names_every_parameter)
{
  char *text = NULL;
  size_t size = 0, count = 0;
  FILE *stream = open_memstream(&text, &size);
  clp_settings_print(stream);
  fclose(stream);
  const clp_setting *table = clp_setting_table(&count);
  for (size_t k = 0; k < count; ++k)
    ck_assert_ptr_nonnull(strstr(text, table[k].name));
  for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
    ck_assert_msg(strlen(line) <= 80, "too wide: %s", line);
  free(text);
}

/* ---- What is shipped ---------------------------------------------------------------------- */

/* A file of the repository. */
static char *read_shipped(const char *name)
{
  static char text[65536];
  char path[512];
  snprintf(path, sizeof path, URDF_PATCHES_DIR "/../%s", name);
  FILE *file = fopen(path, "rb");
  ck_assert_msg(file != NULL, "no %s", path);
  text[fread(text, 1, sizeof text - 1, file)] = '\0';
  fclose(file);
  return text;
}

/* With our node's name instead of everybody's, unknown parameters are defects. */
static void read_shipped_parameters(const char *name)
{
  static char text[65536];
  const char *all = read_shipped(name), *at = strstr(all, "\n/**:\n");
  ck_assert_msg(at != NULL, "%s has no section /**", name);
  snprintf(text, sizeof text, "%.*s\n" NODE "%s", (int)(at - all), all, at + strlen("\n/**"));
  ck_assert_msg(read_text(text) == CLP_OK, "%s: %s", name, said.text);
}

/* The commented file has every parameter, and the values are the defaults. */
TEST(the_commented_file_has_the_defaults)
{
  size_t count = 0;
  const clp_setting *table = clp_setting_table(&count);
  const char *text = read_shipped("config/monitor.yaml");
  for (size_t k = 0; k < count; ++k) {
    char line[128];
    snprintf(line, sizeof line, "\n    %s: %s", table[k].name, table[k].initial);
    const char *at = strstr(text, line);
    ck_assert_msg(at != NULL, "config/monitor.yaml has no line '%s'", line + 1);
    ck_assert_msg(strchr(" \n", at[strlen(line)]) != NULL, "more than '%s'", line + 1);
    const char *star = strstr(at, "# *"), *end = strchr(at + 1, '\n');
    ck_assert_msg((star && star < end) == table[k].at_run_time,
                  "config/monitor.yaml: whether '%s' may change", table[k].name);
  }
  read_shipped_parameters("config/monitor.yaml");
}

TEST(shipped_files_are_fine)
{
  read_shipped_parameters("config/arm_cell.yaml");
  ck_assert_int_eq(settings.pairs.count, 56);
  ck_assert_int_eq(settings.robot_links.count + settings.human_links.count, 13);
  read_shipped_parameters("config/teleoperation.yaml");
  ck_assert_str_eq(settings.wrench_tool, "probe");
}

/* A prefix stands before what links are called in TF, and nowhere else. */
TEST(frames_and_links)
{
  ck_assert_str_eq(clp_settings_wrench_frame(&settings).text, "");
  ck_assert_int_eq(read_value("frame_prefix", "left/"), CLP_OK);
  ck_assert_str_eq(clp_settings_wrench_frame(&settings).text, "");
  ck_assert_int_eq(read_value("wrench_tool", "hand"), CLP_OK);
  ck_assert_str_eq(clp_settings_wrench_frame(&settings).text, "left/hand");
  ck_assert_int_eq(read_value("wrench_frame", "map"), CLP_OK);
  ck_assert_str_eq(clp_settings_wrench_frame(&settings).text, "map");
  ck_assert_str_eq(clp_settings_frame_of(&settings, "elbow").text, "left/elbow");
  ck_assert_str_eq(clp_settings_link_of(&settings, "left/elbow"), "elbow");
  ck_assert_str_eq(clp_settings_link_of(&settings, "map"), "map");
}

typedef struct topic_name {
  const char *text;
  bool good;
} topic_name;

static const topic_name topics[] = {
    {"''", true},       {"joint_states", true},    {"/joint_states", true},
    {"/a/b_2/c", true}, {"'joint states'", false}, {"2joints", false},
    {"/a//b", false},   {"'a/'", false},           {"'/'", false},
    {"a-b", false},     {"/a/2b", false}};
enum { TOPIC_NAMES = sizeof topics / sizeof *topics };

LOOP_TEST(names_of_topics, 0, TOPIC_NAMES)
{
  clp_status status = read_value("joint_states", topics[_i].text);
  ck_assert_msg((status == CLP_OK) == topics[_i].good, "%s: %s", topics[_i].text, said.text);
}

/* All of them stand in one document; the README has the rows of those that matter first. */
TEST(the_documentation_has_the_table)
{
  char *table = NULL;
  size_t size = 0;
  int rows = 0;
  FILE *stream = open_memstream(&table, &size);
  clp_settings_print_markdown(stream);
  fclose(stream);
  ck_assert_msg(strstr(read_shipped("docs/monitor.md"), table) != NULL,
                "docs/monitor.md does not have the table that clp_settings_print_markdown prints");
  char *readme = strstr(read_shipped("README.md"), "| parameter | type |");
  ck_assert_ptr_nonnull(readme);
  for (char *row = strtok(readme, "\n"); row && *row == '|'; row = strtok(NULL, "\n"), ++rows)
    ck_assert_msg(strstr(table, row) != NULL, "README.md has a row of its own: %s", row);
  ck_assert_int_eq(rows, 2 + 10);
  free(table);
}

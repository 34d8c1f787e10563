/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* mkdtemp and others of command.h */

#include "rclc_closest_point/node/ros_arguments.h"

#include "support/command.h"
#include "support/lines.h"
#include "support/suite.h"

/* What stands after --ros-args. */

#define WORDS(...) (char *[]){__VA_ARGS__}, (int)(sizeof(char *[]){__VA_ARGS__} / sizeof(char *))

static clp_ros_arguments arguments;
static clp_settings settings;
static lines said;

static clp_status read_words(char **words, int count)
{
  said = (lines){0};
  return clp_ros_arguments_read(count, words, "monitor", lines_sink(&said), &arguments);
}

static void enter(void)
{
  arguments = (clp_ros_arguments){0};
  ck_assert_int_eq(clp_settings_create(&settings), CLP_OK);
}

static void leave(void)
{
  clp_ros_arguments_release(&arguments);
  clp_settings_release(&settings);
}

static void expect_topic(const char *name, const char *full)
{
  ck_assert_str_eq(clp_ros_topic(&arguments, name).text, full);
}

SUITE("ros_arguments");

FIXTURE_CASE("command line", 10, enter, leave);

TEST(without_any)
{
  ck_assert_int_eq(read_words(WORDS("--params", "x.yaml", "-q")), CLP_OK);
  ck_assert_int_eq(arguments.rest_count, 3);
  ck_assert_str_eq(arguments.rest[1], "x.yaml");
  ck_assert_str_eq(clp_ros_node_name(&arguments).text, "/monitor");
  expect_topic("~/safety", "/monitor/safety");
  expect_topic("robot_description", "/robot_description");
  expect_topic("/tf", "/tf");
}

TEST(names_and_rules)
{
  ck_assert_int_eq(
      read_words(WORDS("-q", "--ros-args", "-r", "__ns:=/cell/left", "-r", "/tf:=/robot/tf", "-r",
                       "robot_description:=model", "--remap", "~/safety:=/stop", "-r",
                       "other:robot_description:=wrong", "-r", "watch:~/minimum:=nearest",
                       "--log-level", "debug", "--enable-rosout-logs", "-r", "__node:=watch", "--",
                       "--params", "f")),
      CLP_OK);
  ck_assert_str_eq(clp_ros_node_name(&arguments).text, "/cell/left/watch");
  expect_topic("~/closest_points", "/cell/left/watch/closest_points");
  expect_topic("~/safety", "/stop");
  expect_topic("~/minimum", "/cell/left/nearest");
  expect_topic("/tf", "/robot/tf");
  expect_topic("/tf_static", "/tf_static");
  expect_topic("robot_description", "/cell/left/model");
  ck_assert_int_eq(arguments.rest_count, 3);
  ck_assert_str_eq(arguments.rest[1], "--params");
}

TEST(parameters_in_their_order)
{
  enter_folder();
  write_whole("a.yaml", "/cell/monitor:\n  ros__parameters:\n    rate: 200.0\n    range: 3.0\n");
  ck_assert_int_eq(
      read_words(WORDS("--ros-args", "-p", "rate:=100", "--params-file", "a.yaml", "-p", "range:=5",
                       "-p", "other:gain:=7.0", "-p", "monitor:substeps:=2", "-r", "__ns:=cell",
                       "--param", "pairs:=[a:b]")),
      CLP_OK);
  ck_assert_int_eq(clp_ros_arguments_apply(&arguments, lines_sink(&said), &settings), CLP_OK);
  ck_assert_double_eq(settings.rate, 200);
  ck_assert_double_eq(settings.range, 5);
  ck_assert_double_eq(settings.gain, 0);
  ck_assert_int_eq(settings.substeps, 2);
  ck_assert_str_eq(settings.pairs.items[0], "a:b");
  leave_folder();
}

TEST(parameters_that_are_wrong)
{
  ck_assert_int_eq(read_words(WORDS("--ros-args", "-p", "rate:=never")), CLP_OK);
  ck_assert_int_eq(clp_ros_arguments_apply(&arguments, lines_sink(&said), &settings),
                   CLP_ERROR_FORMAT);
  ck_assert_ptr_nonnull(strstr(said.text, "-p rate:1: parameter 'rate' is a string, expected a"));
}

TEST(what_is_refused)
{
  static const struct {
    char *words[2];
    const char *complaint;
  } bad[] = {{{"-p", "rate"}, "'-p rate': expected NAME:=VALUE"},
             {{"-p", ":=3"}, "expected NAME:=VALUE"},
             {{"-r", "a"}, "'-r a': expected FROM:=TO"},
             {{"-r", "a:="}, "expected FROM:=TO"},
             {{"-r", "__ns:=/a//b"}, "expected names of letters"},
             {{"-r", "__ns:=/a b"}, "expected names of letters"},
             {{"-r", "__node:=a/b"}, "expected a name of letters"},
             {{"-r", "__node:=3"}, "expected a name of letters"},
             {{"--what", "x"}, "unknown option '--what' after --ros-args"}};
  for (size_t k = 0; k < sizeof bad / sizeof *bad; ++k) {
    ck_assert_int_eq(read_words(WORDS("--ros-args", bad[k].words[0], bad[k].words[1])),
                     CLP_ERROR_ARGUMENT);
    ck_assert_msg(strstr(said.text, bad[k].complaint), "no '%s' in: %s", bad[k].complaint,
                  said.text);
  }
  ck_assert_int_eq(read_words(WORDS("--ros-args", "-p")), CLP_ERROR_ARGUMENT);
  ck_assert_ptr_nonnull(strstr(said.text, "option '-p' expects a value"));
}

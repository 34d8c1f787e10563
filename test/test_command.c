/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* WEXITSTATUS */

#include "support/command.h"
#include "support/suite.h"

/* The built command itself: what all of its commands share, `check` and `tile`. */

/* ---- The command line --------------------------------------------------------------------- */

SUITE("command");

FIXTURE_CASE("command", 30, enter_folder, leave_folder);

TEST(test_help_and_version)
{
  expect_done("--help", "check");
  expect_done("--help", "tile");
  expect_done("--help", "query");
  expect_done("--help", "track");
  expect_done("help", "usage: closest_point COMMAND");
  expect_done("help check", "usage: closest_point check MODEL");
  expect_done("check --help", "--json");
  expect_done("check whatever --help", "usage: closest_point check MODEL");
  expect_done("tile --help", "usage: closest_point tile URDF");
  expect_done("help query", "usage: closest_point query MODEL POSES");
  expect_done("track --help", "usage: closest_point track MODEL POSES");
  expect_done("--version", "closest_point ");
  expect_done("tile --version", "closest_point ");
  ck_assert_int_eq(count_lines(run("--version")->out), 1);
}

TEST(test_wrong_usage)
{
  static const struct {
    const char *arguments, *hint;
  } cases[] = {
      {"", "usage: closest_point COMMAND"},
      {"chek " DATA "/arm.urdf", "unknown command 'chek'"},
      {"--jason", "see 'closest_point --help'"},
      {"help chek", "unknown command 'chek'"},
      {"check", "check expects a MODEL"},
      {"check --jsn " DATA "/arm.urdf", "unknown option '--jsn'; see 'closest_point check --help'"},
      {"check -x " DATA "/arm.urdf", "unknown option '-x'"},
      {"check -qx " DATA "/arm.urdf", "unknown option '-x'"},
      {"check --json=1 " DATA "/arm.urdf", "takes no value"},
      {"check " DATA "/arm.urdf --srdf", "'--srdf' expects a value"},
      {"check --out= " DATA "/arm.urdf", "'--out' expects a value"},
      {"check " DATA "/arm.urdf " DATA "/arm.urdf", "one argument too many"},
      {"tile", "tile expects a URDF"},
      {"tile --json " DATA "/arm.urdf", "unknown option '--json'"},
  };
  for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k)
    expect_failure(cases[k].arguments, 2, cases[k].hint);
}

TEST(test_operand_that_looks_like_an_option)
{
  write_whole("-q",
              "<robot name='r'><link name='a'><patches><sphere radius='1'/></patches></link>"
              "</robot>");
  expect_done("check -- -q", "a  1 face");
}

/* ---- check -------------------------------------------------------------------------------- */

TEST(test_check_prints_a_line_for_each_part)
{
  const result *r = run("check " DATA "/shapes.urdf");
  ck_assert_int_eq(r->status, 0);
  ck_assert_int_eq(count_lines(r->out), 13);
  expect_done("check " DATA "/shapes.urdf", "box/body ");
  expect_done("check " DATA "/shapes.urdf", "volume 6 ");
  expect_done("check " DATA "/shapes.urdf", "two_parts/trunk ");
  expect_done("check -v " DATA "/shapes.urdf", "bytes");
  expect_done("check -v " DATA "/shapes.urdf", "two_parts/trunk\n");
  expect_done("check --verbose " DATA "/shapes.urdf", "trunk/x-|trunk/y-|trunk/z-");
  expect_done("check " DATA "/shapes.urdf --quiet", "");
  ck_assert_str_eq(run("check -q " DATA "/shapes.urdf")->out, "");
}

/* What a model leaves out is said, and with --strict it is wrong. */
TEST(test_check_names_what_has_no_body)
{
  expect_done("check " DATA "/half_covered.urdf", "elbow  uncovered: a <visual>, but no body\n");
  expect_done("check " DATA "/half_covered.urdf", "wrist  uncovered: a mass, but no body\n");
  const result *r = run("check " DATA "/half_covered.urdf");
  ck_assert_int_eq(count_lines(r->out), 3);
  ck_assert_ptr_null(strstr(r->out, "base"));
  expect_done("check --json " DATA "/half_covered.urdf",
              "\"name\":\"elbow\",\"parts\":[],\"uncovered\":true");
  expect_done("check --json " DATA "/half_covered.urdf", "\"name\":\"base\",\"parts\":[]}");
  expect_failure(
      "check --strict " DATA "/half_covered.urdf", 1,
      "half_covered.urdf:6: link 'elbow' has a <visual> but no body, expected <patches>");
  expect_failure("check -q --strict " DATA "/half_covered.urdf", 1,
                 "half_covered.urdf:9: link 'wrist' has a mass but no body");
  expect_failure("check --strict --json " DATA "/half_covered.urdf", 1, "link 'elbow'");
  ck_assert_int_eq(run("check " DATA "/no_bodies.urdf")->status, 0);
  expect_failure("check --strict " DATA "/no_bodies.urdf", 1,
                 "no_bodies.urdf:1: no link has a body, expected <patches>");
  expect_done("check --strict " DATA "/shapes.urdf", "box/body ");
}

TEST(test_check_reads_an_srdf)
{
  expect_done("check -v " DATA "/arm.urdf", "4 links, 1 pair\n");
  expect_done("check -v " DATA "/arm.urdf --srdf " DATA "/arm.srdf", "4 links, 0 pairs\n");
  write_whole("bad.srdf", "<robot>\n<disable_collisions link1='a'/></robot>");
  expect_failure("check " DATA "/arm.urdf --srdf=bad.srdf", 1, "bad.srdf:2: ");
  expect_failure("check " DATA "/arm.urdf --srdf=no.srdf", 1, "no.srdf:1: ");
}

/* A slider between two stops: the upper one it always is in, the lower one it never reaches, and of
 * the lever beside it sometimes it is and sometimes not. Whoever stands in the world is no part of
 * the robot, wherever that stands still. */
static const char slider[] =
    "<robot name='slider'>"
    "<link name='world'/>"
    "<link name='person'><patches><sphere radius='0.1'/></patches></link>"
    "<link name='base'><patches><sphere radius='0.1'/></patches></link>"
    "<link name='rail'><patches><sphere radius='0.1'/></patches></link>"
    "<link name='sledge'><patches><box size='0.1 0.1 1'/></patches></link>"
    "<link name='upper'><patches><box size='0.1 0.1 2'/></patches></link>"
    "<link name='lever'><patches><box size='1 0.1 0.1'/></patches></link>"
    "<joint name='a' type='fixed'><parent link='world'/><child link='base'/></joint>"
    "<joint name='p' type='fixed'><origin xyz='9 0 0'/><parent link='world'/><child "
    "link='person'/></joint>"
    "<joint name='b' type='fixed'><origin xyz='0 0 -2'/><parent link='base'/><child "
    "link='rail'/></joint>"
    "<joint name='c' type='prismatic'><origin xyz='0 0 2'/><axis xyz='0 0 1'/><limit lower='0' "
    "upper='0.5'/><parent link='rail'/><child link='sledge'/></joint>"
    "<joint name='d' type='fixed'><origin xyz='0 0 1.2'/><parent link='base'/><child "
    "link='upper'/></joint>"
    "<joint name='e' type='continuous'><origin xyz='0.3 0 0.3'/><axis xyz='0 1 0'/><parent "
    "link='base'/><child link='lever'/></joint>"
    "</robot>";

TEST(test_check_samples_collisions)
{
  write_whole("slider.urdf", slider);
  expect_done("check slider.urdf --collisions 200",
              "sledge  upper  always overlap in 200 states\n");
  expect_done("check slider.urdf --collisions 200", "rail  lever  never overlap in 200 states\n");
  const result *r = run("check slider.urdf --collisions 200");
  ck_assert(!strstr(r->out, "person  base  ") && !strstr(r->out, "person  lever  "));
  ck_assert_ptr_null(strstr(r->out, "sledge  lever  "));
  expect_done("check slider.urdf --collisions 50 --json",
              "\"collisions\":{\"samples\":50,\"always\":[[\"base\",\"sledge\"],[\"sledge\","
              "\"upper\"]],\"never\":[[");
  expect_done("check slider.urdf --collisions 50 --write-srdf=slider.srdf -q", "");
  char text[4096];
  read_whole("slider.srdf", text, sizeof text);
  ck_assert_ptr_nonnull(strstr(text, "<robot name=\"slider\">"));
  ck_assert_ptr_nonnull(strstr(text, "link1=\"sledge\" link2=\"upper\" reason=\"Always\"/>"));
  ck_assert_ptr_nonnull(strstr(text, "link1=\"rail\" link2=\"lever\" reason=\"Never\"/>"));
  ck_assert_ptr_null(strstr(text, "person"));
  expect_done("check slider.urdf --srdf slider.srdf", "");
  expect_failure("check slider.urdf --write-srdf=slider.srdf", 2, "expects --collisions N");
  expect_failure("check slider.urdf --collisions 0", 2, "--collisions");
  expect_failure("check slider.urdf --collisions 5 --write-srdf slider.urdf", 2, "slider.urdf");
  expect_failure("check " DATA "/shapes.urdf --collisions 5", 1, "root");
}

TEST(test_bad_models)
{
  expect_failure("check " DATA "/bad/points_nan.urdf", 1, "bad/points_nan.urdf:17: ");
  expect_failure("check --json " DATA "/bad/points_nan.urdf", 1, "bad/points_nan.urdf:17: ");
  expect_failure("check -q " DATA "/bad/open.urdf", 1, "bad/open.urdf:13: ");
  expect_failure("check " DATA "/bad/mesh.urdf", 1, "closest_point tile");
  expect_failure("check no_such_file.urdf", 1, "no_such_file.urdf:1: ");
  expect_failure("check .", 1, ".:1: ");
  expect_failure("check /dev/null", 1, "/dev/null:1: ");
  ck_assert_int_eq(count_lines(run("check " DATA "/bad/flag.urdf")->err), 1);
}

TEST(test_notes)
{
  write_whole("empty.urdf", "<robot name='r'/>");
  const result *r = run("check empty.urdf");
  ck_assert(r->status == 0 && strstr(r->err, "empty.urdf:1: note: "));
  ck_assert_str_eq(run("check -q empty.urdf")->err, "");
}

TEST(test_check_says_what_is_not_proven)
{
  const result *r = run("check " DATA "/sampled.urdf");
  ck_assert_int_eq(r->status, 0);
  ck_assert(strstr(r->err, "sampled.urdf:7: note: ") && strstr(r->err, "never TRACKING"));
  ck_assert(strstr(r->out, "convex, not proven  nice"));
  expect_done("check -q --json " DATA "/sampled.urdf", "\"planar\":false,\"proven\":false,");
  expect_done("check --json " DATA "/arm.urdf", "\"proven\":true,\"padding\":0,");
  expect_failure("check " DATA "/bad/undecided.urdf", 1, "proof=\"sampled\" on <patches> accepts");
}

/* ---- JSON --------------------------------------------------------------------------------- */

static const char *skip_value(const char *c);

static const char *skip_string(const char *c)
{
  ck_assert_msg(*c == '"', "no string: %.20s", c);
  for (++c; *c != '"'; ++c) {
    ck_assert_msg((unsigned char)*c >= 0x20, "a control character in a string");
    if (*c == '\\') {
      ++c;
      ck_assert_msg(*c && strchr("\"\\/bfnrtu", *c), "an unknown escape: %.20s", c);
    }
  }
  return c + 1;
}

/* Members or elements, up to the closing bracket. */
static const char *skip_list(const char *c, char close)
{
  if (*++c == close)
    return c + 1;
  for (;;) {
    if (close == '}') {
      c = skip_string(c);
      ck_assert_msg(*c == ':', "no colon: %.20s", c);
      ++c;
    }
    c = skip_value(c);
    if (*c == close)
      return c + 1;
    ck_assert_msg(*c == ',', "neither comma nor %c: %.20s", close, c);
    ++c;
  }
}

/* The grammar of JSON without white space. */
static const char *skip_value(const char *c)
{
  static const char *const words[] = {"true", "false", "null"};
  if (*c == '{')
    return skip_list(c, '}');
  if (*c == '[')
    return skip_list(c, ']');
  if (*c == '"')
    return skip_string(c);
  for (int k = 0; k < 3; ++k)
    if (strncmp(c, words[k], strlen(words[k])) == 0)
      return c + strlen(words[k]);
  size_t length = strspn(c, "-+.eE0123456789");
  ck_assert_msg(length > 0, "no value: %.20s", c);
  return c + length;
}

static const char *json_of(const char *arguments)
{
  const result *r = run(arguments);
  ck_assert_msg(r->status == 0, "%s: %s", arguments, r->err);
  const char *end = skip_value(r->out);
  ck_assert_str_eq(end, "\n");
  return r->out;
}

TEST(test_json_of_a_box)
{
  write_whole("m.urdf",
              "<robot name='r'><link name='l'><patches name='p'><box size='1 2 3'/></patches>"
              "</link><link name='n'/></robot>");
  const char *json = json_of("check --json m.urdf");
  static const char *const expected[] = {
      "{\"links\":[{\"name\":\"l\",\"parts\":[{\"name\":\"p\",\"faces\":[",
      "\"faces\":[{\"id\":0,\"name\":\"x-\"},{\"id\":1,\"name\":\"x+\"},",
      "\"edges\":[{\"id\":0,\"name\":\"",
      "\"kind\":\"sharp\",\"smooth\":false}",
      "\"vertices\":[{\"id\":0,\"name\":\"x-|y-|z-\",\"sharp\":true",
      "\"closed\":true,\"convex\":true",
      "\"volume\":6,",
      "\"bounds\":[[-0.5,-1,-1.5],[0.5,1,1.5]]",
      "{\"name\":\"n\",\"parts\":[]}]}",
  };
  for (size_t k = 0; k < sizeof expected / sizeof *expected; ++k)
    ck_assert_msg(strstr(json, expected[k]), "no %s in %s", expected[k], json);
}

TEST(test_json_of_several_parts)
{
  const char *json = json_of("check " DATA "/shapes.urdf --json");
  ck_assert_ptr_nonnull(strstr(json, "{\"id\":0,\"name\":\"head/surface\"}"));
  ck_assert_ptr_nonnull(strstr(json, "{\"id\":1,\"name\":\"trunk/x-\"}"));
  ck_assert_ptr_nonnull(strstr(json, "\"name\":\"trunk/x+|trunk/y+\""));
}

TEST(test_json_strings)
{
  write_whole("m.urdf",
              "<robot name='r'><link name='\xc3\xa4&quot;\\b'><patches><sphere radius='1'/>"
              "</patches></link></robot>");
  ck_assert_ptr_nonnull(strstr(json_of("check --json m.urdf"), "\"\xc3\xa4\\\"\\\\b\""));
}

/* ---- tile --------------------------------------------------------------------------------- */

TEST(test_tile)
{
  expect_done("tile " DATA "/arm.urdf", "<sphere radius=\"0.3333333333333333\"/>");
  expect_done("tile " DATA "/arm.urdf --out overlay.urdf", "");
  expect_done("check overlay.urdf", "upper/ball ");
  expect_failure("tile " DATA "/bad/mesh.urdf --out others.urdf", 1,
                 "mesh 'package://arm/hand.stl': there is no package 'arm'");
  expect_done("check -q others.urdf", "");
  write_whole("kept", "as it was");
  expect_failure("tile " DATA "/bad/not_xml.urdf --out kept", 1, ":");
  char text[64];
  read_whole("kept", text, sizeof text);
  ck_assert_str_eq(text, "as it was");
  expect_failure("tile " DATA "/arm.urdf --max-parts 0", 2, "--max-parts is '0', expected 1 to 32");
  expect_failure("tile " DATA "/arm.urdf --max-gap wide", 2, "--max-gap is 'wide'");
  expect_failure("tile " DATA "/arm.urdf --margin -1", 2, "--margin is '-1'");
  expect_failure("tile " DATA "/arm.urdf --max-facets 5", 2, "--max-facets is '5'");
  expect_failure("tile " DATA "/arm.urdf --link nobody", 1, "there is no link 'nobody'");
}

TEST(test_inputs_are_spared)
{
  expect_done("tile " DATA "/arm.urdf --out overlay.urdf", "");
  expect_failure("tile overlay.urdf --out ./overlay.urdf", 2, "not also overlay.urdf");
  expect_failure("check overlay.urdf --out overlay.urdf", 2, "not also overlay.urdf");
  expect_failure("check " DATA "/arm.urdf --srdf x.srdf --out x.srdf", 2, "not also x.srdf");
  char text[65536];
  read_whole("overlay.urdf", text, sizeof text);
  ck_assert_ptr_nonnull(strstr(text, "<patches"));
}

/* ---- Results that do not arrive ----------------------------------------------------------- */

TEST(test_results_to_a_file)
{
  expect_done("check --json --out=report.json " DATA "/arm.urdf", "");
  char text[65536];
  read_whole("report.json", text, sizeof text);
  ck_assert_str_eq(skip_value(text), "\n");
  expect_failure("check --out no/such/folder " DATA "/arm.urdf", 3, "cannot write no/such/folder");
  expect_failure("tile --out no/such/folder " DATA "/arm.urdf", 3, "cannot write no/such/folder");
}

TEST(test_full_or_closed_output)
{
  static const char *const commands[] = {
      "check " DATA "/arm.urdf",
      "check --json " DATA "/arm.urdf",
      "check -v " DATA "/shapes.urdf",
      "tile " DATA "/arm.urdf",
      "--help",
      "--version",
      "check --help",
  };
  for (size_t k = 0; k < sizeof commands / sizeof *commands; ++k) {
    char arguments[1024];
    snprintf(arguments, sizeof arguments, "%s >/dev/full", commands[k]);
    expect_failure(arguments, 3, "cannot write standard output: No space left on device");
    snprintf(arguments, sizeof arguments, "%s >&-", commands[k]);
    expect_failure(arguments, 3, "cannot write standard output");
  }
}

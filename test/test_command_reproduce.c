/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* mkdtemp, setenv */

#include <sys/stat.h>

#include "papers/experiment.h"
#include "papers/study_files.h"
#include "support/command.h"
#include "support/suite.h"

static bool begins_with(const char *path, const char *magic)
{
  char start[64] = "";
  FILE *file = fopen(path, "rb");
  if (!file)
    return false;
  size_t length = fread(start, 1, sizeof start - 1, file);
  fclose(file);
  return length > 0 && memcmp(start, magic, strlen(magic)) == 0;
}

SUITE("command_reproduce");

FIXTURE_CASE("reproduce", 60, enter_folder, leave_folder);

TEST(test_list)
{
  expect_done("reproduce --list", "invariance");
  expect_done("reproduce --help", "usage: closest_point reproduce [NAME]");
}

/* docs/experiments.md has a section for every experiment, in the order of the list, and no others.
 */
TEST(test_page)
{
  char page[1 << 18];
  read_whole(DATA "/../../docs/experiments.md", page, sizeof page);
  const char *section = strstr(page, "\n## Published and computed\n");
  ck_assert_ptr_nonnull(section);
  for (int k = 0; k < clp_experiment_count; ++k) {
    char title[64];
    snprintf(title, sizeof title, "\n## %s\n", clp_experiments[k]->name);
    section = strstr(section + 1, "\n## ");
    ck_assert_msg(section && strncmp(section, title, strlen(title)) == 0, "the page has no%s",
                  title);
  }
  ck_assert_ptr_null(strstr(section + 1, "\n## "));
}

TEST(test_wrong_usage)
{
  expect_failure("reproduce invariants", 2, "unknown experiment 'invariants', expected invariance");
  expect_failure("reproduce invariance again", 2, "'again' is one argument too many");
  expect_failure("reproduce --out", 2, "option '--out' expects a value");
  ck_assert(!begins_with("experiments/experiments.md", ""));
}

TEST(test_one_without_pictures)
{
  expect_done("reproduce invariance --no-pictures", "features on the way");
  ck_assert(begins_with("experiments/data/invariance_path.csv", "t,u,v,"));
  ck_assert(begins_with("experiments/data/invariance_path.gp", "# "));
  ck_assert(!begins_with("experiments/images/experiments/invariance_path.svg", ""));
  ck_assert(!begins_with("experiments/experiments.md", ""));
  expect_done("reproduce invariance --no-pictures -q --out elsewhere --data numbers", "");
  ck_assert(begins_with("numbers/invariance_path.csv", "t,u,v,"));
  const result *r = run("reproduce invariance --no-pictures -q");
  ck_assert_str_eq(r->out, "");
}

/* Without gnuplot everything else is there, and the message says what is not. */
TEST(test_no_gnuplot)
{
  setenv("PATH", "/nowhere", 1);
  const result *r = run("reproduce invariance");
  ck_assert_int_eq(r->status, 0);
  ck_assert(strstr(r->err, "gnuplot is not installed"));
  ck_assert(begins_with("experiments/data/invariance_path.csv", "t,u,v,"));
  setenv("PATH", "/usr/bin:/bin", 1);
}

/* A gnuplot that starts but does not draw: the rest is there all the same. */
TEST(test_broken_gnuplot)
{
  write_whole("gnuplot", "#!/bin/sh\n[ \"$1\" = --version ]\n");
  ck_assert_int_eq(chmod("gnuplot", 0755), 0);
  setenv("PATH", ".:/usr/bin:/bin", 1);
  const result *r = run("reproduce invariance --data .");
  ck_assert_int_eq(r->status, 3);
  ck_assert(strstr(r->err, "gnuplot could not draw the pictures of invariance"));
  ck_assert(strstr(r->out, "features on the way"));
  ck_assert(begins_with("invariance_path.csv", "t,u,v,"));
}

TEST(test_pictures)
{
  if (!clp_gnuplot_is_there())
    return;
  expect_done("reproduce invariance", "agrees");
  ck_assert(begins_with("experiments/images/experiments/invariance_path.svg", "<?xml"));
  ck_assert(begins_with("experiments/images/experiments/invariance_path.png", "\x89PNG"));
}

TEST(test_unwritable)
{
  write_whole("file", "");
  expect_failure("reproduce invariance --no-pictures --out file", 3, "cannot write into file/data");
}

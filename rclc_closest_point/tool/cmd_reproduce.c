/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "papers/report.h"
#include "papers/study_files.h"
#include "rclc_closest_point/tool/options.h"
#include "rclc_closest_point/tool/output.h"
#include "rclc_closest_point/tool/progress.h"
#include "rclc_closest_point/tool/table.h"

enum { PATH_ROOM = 4096 };

typedef struct reproduction {
  const clp_experiment *const *experiments;
  clp_study *studies;
  int count;
  const char *out, *data_option;
  char data[PATH_ROOM], pictures[PATH_ROOM], page[PATH_ROOM];
  bool quiet, draws;
  bool undrawn; /* gnuplot failed; the rest goes on without it */
  clp_progress progress;
  long done, weight; /* of the experiments that are done, of the one that runs */
} reproduction;

/* ---- Running ------------------------------------------------------------------------------ */

#define BAR_UNITS 1000 /* per weight */

static void show(void *user, double part)
{
  reproduction *r = user;
  clp_progress_show(&r->progress, r->done + (long)(part * (double)(BAR_UNITS * r->weight)));
}

static clp_exit_status cannot_write(reproduction *r, const char *folder)
{
  clp_progress_hide(&r->progress);
  fprintf(stderr, "closest_point: cannot write into %s: %s\n", folder, strerror(errno));
  return EXIT_INTERNAL;
}

static clp_exit_status run_one(reproduction *r, int k)
{
  clp_study *study = &r->studies[k];
  study->progress = show;
  study->user = r;
  r->weight = r->experiments[k]->weight;
  clp_status status = clp_experiment_run(r->experiments[k], study);
  r->done += BAR_UNITS * r->weight;
  if (status != CLP_OK) {
    clp_progress_hide(&r->progress);
    fprintf(stderr, "closest_point: %s: %s\n", study->name, clp_status_text(status));
    return EXIT_INTERNAL;
  }
  if (clp_study_write(study, r->data) != CLP_OK)
    return cannot_write(r, r->data);
  if (r->draws && clp_study_draw(study, r->data, r->pictures) != CLP_OK) {
    clp_progress_hide(&r->progress);
    fprintf(stderr, "closest_point: gnuplot could not draw the pictures of %s into %s\n",
            study->name, r->pictures);
    r->undrawn = true;
    r->draws = false;
  }
  return EXIT_DONE;
}

/* ---- Results ------------------------------------------------------------------------------ */

static clp_exit_status print_table(clp_table *table)
{
  clp_output output = clp_output_open(NULL);
  clp_table_print(table, output.stream);
  clp_exit_status status = clp_output_close(&output);
  if (table->failed)
    status = clp_exit_status_of(CLP_ERROR_MEMORY);
  clp_table_release(table);
  return status;
}

static clp_exit_status print_rows(const reproduction *r)
{
  clp_table table = {.columns = 5};
  static const char *const header[] = {"experiment", "quantity", "published", "computed",
                                       "verdict"};
  for (int k = 0; k < table.columns; ++k)
    clp_table_add(&table, "%s", header[k]);
  for (int k = 0; k < r->count; ++k)
    for (int n = 0; n < r->studies[k].row_count; ++n) {
      const clp_row *row = &r->studies[k].rows[n];
      const char *const cells[] = {r->studies[k].name, row->quantity,
                                   *row->published ? row->published : "–", row->computed,
                                   clp_verdict_text(row->verdict)};
      for (int c = 0; c < table.columns; ++c)
        clp_table_add(&table, "%s", cells[c]);
    }
  return print_table(&table);
}

static clp_exit_status write_page(const reproduction *r)
{
  clp_output output = clp_output_open(r->page);
  if (output.stream)
    clp_report_write(output.stream, r->experiments, r->studies, r->count);
  return clp_output_close(&output);
}

static clp_exit_status list(void)
{
  clp_table table = {.columns = 2};
  for (int k = 0; k < clp_experiment_count; ++k) {
    clp_table_add(&table, "%s", clp_experiments[k]->name);
    clp_table_add(&table, "%s", clp_experiments[k]->source);
  }
  return print_table(&table);
}

/* ---- The command -------------------------------------------------------------------------- */

static clp_exit_status unknown_name(const clp_command *command, const char *name)
{
  char names[512] = "";
  size_t length = 0;
  for (int k = 0; k < clp_experiment_count && length < sizeof names; ++k)
    length += (size_t)snprintf(names + length, sizeof names - length, "%s%s", k > 0 ? ", " : "",
                               clp_experiments[k]->name);
  return clp_wrong_usage(command, "unknown experiment '%s', expected %s", name, names);
}

static bool make_paths(reproduction *r)
{
  int lengths[3];
  if (r->data_option)
    lengths[0] = snprintf(r->data, PATH_ROOM, "%s", r->data_option);
  else
    lengths[0] = snprintf(r->data, PATH_ROOM, "%s/data", r->out);
  lengths[1] = snprintf(r->pictures, PATH_ROOM, "%s/images/experiments", r->out);
  lengths[2] = snprintf(r->page, PATH_ROOM, "%s/experiments.md", r->out);
  return lengths[0] < PATH_ROOM && lengths[1] < PATH_ROOM && lengths[2] < PATH_ROOM;
}

static clp_exit_status run_all(reproduction *r, bool writes_page)
{
  clp_exit_status status = EXIT_DONE;
  long total = 0;
  for (int k = 0; k < r->count; ++k)
    total += BAR_UNITS * r->experiments[k]->weight;
  r->progress = clp_progress_begin("reproduce", total, r->quiet);
  for (int k = 0; k < r->count && status == EXIT_DONE; ++k)
    status = run_one(r, k);
  clp_progress_hide(&r->progress);
  if (status == EXIT_DONE && writes_page)
    status = write_page(r);
  if (status == EXIT_DONE && !r->quiet)
    status = print_rows(r);
  return status == EXIT_DONE && r->undrawn ? EXIT_INTERNAL : status;
}

static clp_exit_status reproduce(reproduction *r, bool writes_page)
{
  if (!make_paths(r)) {
    errno = ENAMETOOLONG;
    return cannot_write(r, r->out);
  }
  r->studies = calloc((size_t)r->count, sizeof *r->studies);
  if (!r->studies)
    return clp_exit_status_of(CLP_ERROR_MEMORY);
  if (r->draws && !clp_gnuplot_is_there()) {
    if (!r->quiet)
      fputs(
          "closest_point: gnuplot is not installed: data and table are written, pictures are not\n",
          stderr);
    r->draws = false;
  }
  clp_exit_status status = run_all(r, writes_page);
  for (int k = 0; k < r->count; ++k)
    clp_study_release(&r->studies[k]);
  free(r->studies);
  return status;
}

static clp_exit_status run(const clp_command *command, int argc, char **argv)
{
  const char *name = NULL;
  bool lists = false, no_pictures = false;
  reproduction r = {
      .experiments = clp_experiments, .count = clp_experiment_count, .out = "experiments"};
  const clp_option options[] = {
      {"list", 0, &lists, NULL},         {"out", 0, NULL, &r.out},
      {"data", 0, NULL, &r.data_option}, {"no-pictures", 0, &no_pictures, NULL},
      {"quiet", 'q', &r.quiet, NULL},    {0}};
  const clp_operand operands[] = {{"[NAME]", &name}, {0}};
  clp_exit_status status;
  if (!clp_read_options(command, argc, argv, options, operands, &status))
    return status;
  const clp_experiment *one = name ? clp_experiment_find(name) : NULL;
  if (name && !one)
    return unknown_name(command, name);
  if (lists)
    return list();
  if (one) {
    r.experiments = &one;
    r.count = 1;
  }
  r.draws = !no_pictures;
  return reproduce(&r, !one);
}

const clp_command clp_command_reproduce = {
    "reproduce", "the papers' simulations: data, pictures, published beside computed",
    "usage: closest_point reproduce [NAME] [OPTION...]\n"
    "\n"
    "Runs the simulations of the papers that this project builds on, or the one called NAME.\n"
    "Prints a table of what is published beside what is computed, with a verdict, and writes\n"
    "below the folder of --out:\n"
    "  data/NAME_*.csv                   the numbers, and NAME_*.gp, which plot them\n"
    "  images/experiments/NAME_*.svg     the pictures, also as .png, if gnuplot is installed\n"
    "  experiments.md                    table, pictures and evidence; not with NAME\n"
    "\n"
    "options:\n"
    "  --list         print the names and where each simulation is published\n"
    "  --out DIR      write below DIR instead of experiments\n"
    "  --data DIR     write the numbers into DIR instead\n"
    "  --no-pictures  do not draw\n"
    "  -q, --quiet    no table, no notes and no progress bar\n"
    "  --help         print this\n"
    "  --version      print the version\n",
    run};

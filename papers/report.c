/* SPDX-License-Identifier: Apache-2.0 */
#include "papers/report.h"

static const char head[] =
    "<!-- Written by `closest_point reproduce`; `make experiments` writes it anew. -->\n"
    "# The papers' simulations, run again\n"
    "\n"
    "Every number, verdict and picture on this page is computed by one command:\n"
    "\n"
    "    closest_point reproduce            all of them, into the folder experiments/\n"
    "    closest_point reproduce NAME       one of them\n"
    "    closest_point reproduce --list     their names\n"
    "\n"
    "It writes the data as CSV with gnuplot scripts beside them, pictures as SVG and PNG where\n"
    "gnuplot is installed, and this page. `make experiments` does the same for this repository,\n"
    "and `test/test_experiment_*.c` compare this page with what the code computes.\n"
    "\n"
    "## Published and computed\n"
    "\n"
    "*agrees* and *differs* compare with the paper; where it publishes no value, *holds* and "
    "*fails*\n"
    "say whether what this project claims is so. The sections below give the evidence.\n"
    "\n"
    "| experiment | quantity | published | computed | verdict |\n"
    "|---|---|---|---|---|\n";

/* In a table a bar would end the cell. */
static void write_cell(FILE *file, const char *text)
{
  fputs("| ", file);
  for (; *text; ++text)
    fprintf(file, *text == '|' ? "\\%c" : "%c", *text);
  fputc(' ', file);
}

void clp_report_write_row(FILE *file, const clp_study *study, const clp_row *row)
{
  write_cell(file, study->name);
  write_cell(file, row->quantity);
  write_cell(file, *row->published ? row->published : "–");
  write_cell(file, row->computed);
  write_cell(file, clp_verdict_text(row->verdict));
  fputs("|\n", file);
}

void clp_report_write_section(FILE *file, const clp_experiment *experiment, const clp_study *study)
{
  fprintf(file, "\n## %s\n\n%s\n\n%s\n", experiment->name, experiment->shows, experiment->source);
  for (int k = 0; k < study->plot_count; ++k) {
    const clp_plot *plot = &study->plots[k];
    fprintf(file, "\n[![%s](images/experiments/%s_%s.png)](images/experiments/%s_%s.svg)\n\n*%s*\n",
            plot->name, study->name, plot->name, study->name, plot->name, plot->script->caption);
  }
  bool first = true;
  for (int k = 0; k < study->row_count; ++k) {
    const clp_row *row = &study->rows[k];
    if (!*row->note)
      continue;
    fprintf(file, "%s* **%s** (%s): %s\n", first ? "\n" : "", row->quantity,
            clp_verdict_text(row->verdict), row->note);
    first = false;
  }
}

void clp_report_write(FILE *file, const clp_experiment *const *experiments,
                      const clp_study *studies, int count)
{
  fputs(head, file);
  for (int k = 0; k < count; ++k)
    for (int row = 0; row < studies[k].row_count; ++row)
      clp_report_write_row(file, &studies[k], &studies[k].rows[row]);
  for (int k = 0; k < count; ++k)
    clp_report_write_section(file, experiments[k], &studies[k]);
}

/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* fork, mkdir */

#include "papers/study_files.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATH_ROOM = 4096 };

clp_status clp_make_folder(const char *path)
{
  char part[PATH_ROOM];
  size_t length = strlen(path);
  if (length >= sizeof part) {
    errno = ENAMETOOLONG;
    return CLP_ERROR_FILE;
  }
  memcpy(part, path, length + 1);
  for (size_t k = 1; k <= length; ++k) {
    if (part[k] != '/' && part[k] != '\0')
      continue;
    part[k] = '\0';
    if (mkdir(part, 0777) != 0 && errno != EEXIST)
      return CLP_ERROR_FILE;
    part[k] = path[k];
  }
  return CLP_OK;
}

/* FOLDER/STUDY_NAME.ENDING; false when that is too long. */
static bool make_path(char path[PATH_ROOM], const char *folder, const clp_study *study,
                      const char *name, const char *ending)
{
  int length = snprintf(path, PATH_ROOM, "%s/%s_%s.%s", folder, study->name, name, ending);
  if (length < PATH_ROOM)
    return true;
  errno = ENAMETOOLONG;
  return false;
}

static clp_status close_file(FILE *file)
{
  bool good = !ferror(file);
  good &= fclose(file) == 0;
  return good ? CLP_OK : CLP_ERROR_FILE;
}

/* ---- Series ------------------------------------------------------------------------------- */

static void write_numbers(FILE *file, const clp_series *series, int row)
{
  const double *values = series->values + row * series->columns;
  bool gap = true;
  for (int k = 0; k < series->columns; ++k)
    gap &= isnan(values[k]);
  for (int k = 0; k < series->columns && !gap; ++k) {
    if (k > 0)
      fputc(',', file);
    if (!isnan(values[k]))
      fprintf(file, "%.9g", values[k]);
  }
  if (series->has_text && !gap)
    fprintf(file, ",%s", series->texts[row]);
  fputc('\n', file);
}

static clp_status write_series(const clp_study *study, const clp_series *series, const char *folder)
{
  char path[PATH_ROOM];
  if (!make_path(path, folder, study, series->name, "csv"))
    return CLP_ERROR_FILE;
  FILE *file = fopen(path, "w");
  if (!file)
    return CLP_ERROR_FILE;
  fprintf(file, "%s\n", series->header);
  for (int k = 0; k < series->count; ++k)
    write_numbers(file, series, k);
  return close_file(file);
}

/* ---- Plots -------------------------------------------------------------------------------- */

/* Colors that differ in lightness, too; thin gray grid; curves wide enough for a page where the
 * picture is shown smaller. */
static const char preamble[] =
    "reset\n"
    "set encoding utf8\n"
    "set datafile separator ','\n"
    "set border lc rgb '#606060'\n"
    "set grid lc rgb '#d8d8d8' lw 1 lt 1\n"
    "set key opaque box lc rgb '#d8d8d8'\n"
    "set linetype 1 lc rgb '#0b4f9c' lw 2.2 pt 7 ps 0.7\n"
    "set linetype 2 lc rgb '#d1500f' lw 2.2 pt 5 ps 0.7\n"
    "set linetype 3 lc rgb '#2a8a4a' lw 2.2 pt 9 ps 0.8\n"
    "set linetype 4 lc rgb '#8a3fa0' lw 2.2 pt 13 ps 0.9\n"
    "set linetype 5 lc rgb '#c2a000' lw 2.2 pt 11 ps 0.8\n"
    "set linetype 6 lc rgb '#404040' lw 2.2 pt 3 ps 0.8\n"
    "set linetype cycle 6\n"
    "set ticslevel 0\n";

static clp_status write_script(const clp_study *study, const clp_plot *plot, const char *folder)
{
  char path[PATH_ROOM];
  if (!make_path(path, folder, study, plot->name, "gp"))
    return CLP_ERROR_FILE;
  FILE *file = fopen(path, "w");
  if (!file)
    return CLP_ERROR_FILE;
  fprintf(file, "# %s\n%s%s\n%s", plot->script->caption, preamble, plot->variables,
          plot->script->text);
  return close_file(file);
}

clp_status clp_study_write(const clp_study *study, const char *folder)
{
  clp_status status = clp_make_folder(folder);
  for (int k = 0; status == CLP_OK && k < study->series_count; ++k)
    status = write_series(study, study->series[k], folder);
  for (int k = 0; status == CLP_OK && k < study->plot_count; ++k)
    status = write_script(study, &study->plots[k], folder);
  return status;
}

/* ---- Gnuplot ------------------------------------------------------------------------------ */

static bool ended_well(pid_t child)
{
  int status;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR)
      return false;
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* Starts gnuplot in `folder`, its standard output in the file `out`; -1 when that is impossible. */
static pid_t start_gnuplot(const char *folder, const char *out, char *const arguments[])
{
  int target = open(out, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (target < 0)
    return -1;
  pid_t child = fork();
  if (child == 0) {
    if (dup2(target, STDOUT_FILENO) >= 0 && chdir(folder) == 0)
      execvp("gnuplot", arguments);
    _exit(127);
  }
  close(target);
  return child;
}

bool clp_gnuplot_is_there(void)
{
  char *const arguments[] = {"gnuplot", "--version", NULL};
  pid_t child = start_gnuplot(".", "/dev/null", arguments);
  return child > 0 && ended_well(child);
}

/* Both pictures of a plot at the same time: most of it is gnuplot's start. */
static clp_status draw(const clp_study *study, const clp_plot *plot, const char *data,
                       const char *pictures)
{
  static const struct {
    const char *ending, *terminal;
  } kinds[] = {{"svg", "set terminal svg size 800,%d font 'DejaVu Sans,14' background 'white'"},
               {"png", "set terminal pngcairo size 800,%d font 'DejaVu Sans,11'"}};
  char path[PATH_ROOM], script[128], terminal[128];
  pid_t children[2] = {-1, -1};
  clp_status status = CLP_OK;
  snprintf(script, sizeof script, "%s_%s.gp", study->name, plot->name);
  for (int k = 0; k < 2; ++k) {
    snprintf(terminal, sizeof terminal, kinds[k].terminal, plot->script->height);
    char *const arguments[] = {"gnuplot", "-d", "-e", terminal, script, NULL};
    if (make_path(path, pictures, study, plot->name, kinds[k].ending))
      children[k] = start_gnuplot(data, path, arguments);
  }
  for (int k = 0; k < 2; ++k)
    if (children[k] < 0 || !ended_well(children[k]))
      status = CLP_ERROR_FILE;
  return status;
}

clp_status clp_study_draw(const clp_study *study, const char *data, const char *pictures)
{
  clp_status status = clp_make_folder(pictures);
  for (int k = 0; status == CLP_OK && k < study->plot_count; ++k)
    status = draw(study, &study->plots[k], data, pictures);
  return status;
}

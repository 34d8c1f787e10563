/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include "rclc_closest_point/tool/command.h"
#include "rclc_closest_point/tool/output.h"

static const clp_command *const commands[] = {
    &clp_command_check,   &clp_command_query,   &clp_command_track,    &clp_command_tile,
    &clp_command_certify, &clp_command_monitor, &clp_command_record,   &clp_command_report,
    &clp_command_demo,    &clp_command_view,    &clp_command_reproduce};
#define COMMAND_COUNT (sizeof commands / sizeof *commands)

static const clp_command *find_command(const char *name)
{
  for (size_t k = 0; k < COMMAND_COUNT; ++k)
    if (strcmp(commands[k]->name, name) == 0)
      return commands[k];
  return NULL;
}

static void write_overview(FILE *stream)
{
  fputs(
      "usage: closest_point COMMAND [OPTION...] ...\n"
      "\n"
      "Closest distances between exact surfaces.\n"
      "\n"
      "commands:\n",
      stream);
  for (size_t k = 0; k < COMMAND_COUNT; ++k)
    fprintf(stream, "  %-9s %s\n", commands[k]->name, commands[k]->summary);
  fputs(
      "  help      explain a command: closest_point help COMMAND\n"
      "\n"
      "options:\n"
      "  --help     print this, or the help of a command\n"
      "  --version  print the version\n"
      "\n"
      "Results go to standard output, errors to standard error. Exit status: 0 done, 1 bad\n"
      "input, 2 wrong usage, 3 internal failure, 4 certify: not all pairs are CLEAR.\n",
      stream);
}

static clp_exit_status print_overview(void)
{
  clp_output output = clp_output_open(NULL);
  write_overview(output.stream);
  return clp_output_close(&output);
}

static clp_exit_status unknown_command(const char *name)
{
  fprintf(stderr, "closest_point: unknown command '%s', expected ", name);
  for (size_t k = 0; k < COMMAND_COUNT; ++k)
    fprintf(stderr, "%s, ", commands[k]->name);
  fputs("or help; see 'closest_point --help'\n", stderr);
  return EXIT_USAGE;
}

static clp_exit_status run_help(int argc, char **argv)
{
  if (argc == 0)
    return print_overview();
  const clp_command *command = find_command(argv[0]);
  return command ? clp_print_text(command->help) : unknown_command(argv[0]);
}

static void print_line(void *user, clp_severity severity, const char *line)
{
  const bool *quiet = user;
  if (severity == CLP_DEFECT || !*quiet)
    fprintf(stderr, "%s\n", line);
}

clp_model_sink clp_stderr_sink(bool *quiet)
{
  return (clp_model_sink){print_line, quiet};
}

clp_exit_status clp_exit_status_of(clp_status status)
{
  if (status == CLP_OK)
    return EXIT_DONE;
  if (status != CLP_ERROR_MEMORY && status != CLP_ERROR_ARGUMENT && status != CLP_ERROR_POSE)
    return EXIT_INPUT;
  fprintf(stderr, "closest_point: %s\n", clp_status_text(status));
  return EXIT_INTERNAL;
}

static clp_exit_status dispatch(const char *name, int argc, char **argv)
{
  if (strcmp(name, "--help") == 0)
    return print_overview();
  if (strcmp(name, "--version") == 0)
    return clp_print_version();
  if (strcmp(name, "help") == 0)
    return run_help(argc, argv);
  const clp_command *command = find_command(name);
  return command ? command->run(command, argc, argv) : unknown_command(name);
}

int main(int argc, char **argv)
{
  if (argc < 2) {
    write_overview(stderr);
    return EXIT_USAGE;
  }
  return (int)dispatch(argv[1], argc - 2, argv + 2);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/tool/options.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "rclc_closest_point/tool/output.h"

/* A command line while it is taken apart. */
typedef struct command_line {
  const clp_command *command;
  const clp_option *options;
  const clp_operand *operands; /* those that are still to come */
  int argc, next;
  char **argv;
} command_line;

clp_exit_status clp_wrong_usage(const clp_command *command, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  fputs("closest_point: ", stderr);
  vfprintf(stderr, format, arguments);
  fprintf(stderr, "; see 'closest_point %s --help'\n", command->name);
  va_end(arguments);
  return EXIT_USAGE;
}

/* Of options that are listed several times the first one that has no value yet. */
static const clp_option *find_name(const clp_option *options, const char *name, size_t length)
{
  const clp_option *found = NULL;
  for (; options->name; ++options) {
    if (strlen(options->name) != length || memcmp(options->name, name, length) != 0)
      continue;
    found = options;
    if (!options->value || !*options->value)
      break;
  }
  return found;
}

static const clp_option *find_letter(const clp_option *options, char letter)
{
  for (; options->name; ++options)
    if (options->letter && options->letter == letter)
      return options;
  return NULL;
}

/* "--name" or "--name=value"; `text` is what comes after the dashes. */
static clp_exit_status read_long(command_line *parsing, const char *text)
{
  size_t length = strcspn(text, "=");
  const char *value = text[length] == '=' ? text + length + 1 : NULL;
  const clp_option *option = find_name(parsing->options, text, length);
  if (!option)
    return clp_wrong_usage(parsing->command, "unknown option '--%s'", text);
  if (option->flag && value)
    return clp_wrong_usage(parsing->command, "option '--%s' takes no value", option->name);
  if (option->flag) {
    *option->flag = true;
    return EXIT_DONE;
  }
  if (!value && parsing->next < parsing->argc)
    value = parsing->argv[parsing->next++];
  if (!value || !*value)
    return clp_wrong_usage(parsing->command, "option '--%s' expects a value", option->name);
  *option->value = value;
  return EXIT_DONE;
}

/* "-abc": flags only. */
static clp_exit_status read_letters(command_line *parsing, const char *letters)
{
  for (; *letters; ++letters) {
    const clp_option *option = find_letter(parsing->options, *letters);
    if (!option)
      return clp_wrong_usage(parsing->command, "unknown option '-%c'", *letters);
    *option->flag = true;
  }
  return EXIT_DONE;
}

static bool asks_for(const command_line *parsing, const char *option)
{
  for (int k = 0; k < parsing->argc && strcmp(parsing->argv[k], "--") != 0; ++k)
    if (strcmp(parsing->argv[k], option) == 0)
      return true;
  return false;
}

static clp_exit_status read_argument(command_line *parsing, bool *options_end)
{
  const char *argument = parsing->argv[parsing->next++];
  if (!*options_end && strcmp(argument, "--") == 0) {
    *options_end = true;
    return EXIT_DONE;
  }
  if (!*options_end && strncmp(argument, "--", 2) == 0)
    return read_long(parsing, argument + 2);
  if (!*options_end && argument[0] == '-' && argument[1])
    return read_letters(parsing, argument + 1);
  if (!parsing->operands->name)
    return clp_wrong_usage(parsing->command, "'%s' is one argument too many", argument);
  *parsing->operands++->value = argument;
  return EXIT_DONE;
}

bool clp_read_options(const clp_command *command, int argc, char **argv, const clp_option *options,
                      const clp_operand *operands, clp_exit_status *status)
{
  command_line parsing = {command, options, operands, argc, 0, argv};
  if (asks_for(&parsing, "--help")) {
    *status = clp_print_text(command->help);
    return false;
  }
  if (asks_for(&parsing, "--version")) {
    *status = clp_print_version();
    return false;
  }
  *status = EXIT_DONE;
  bool options_end = false;
  while (*status == EXIT_DONE && parsing.next < argc)
    *status = read_argument(&parsing, &options_end);
  if (*status == EXIT_DONE && parsing.operands->name && *parsing.operands->name != '[')
    *status = clp_wrong_usage(command, "%s expects a %s", command->name, parsing.operands->name);
  return *status == EXIT_DONE;
}

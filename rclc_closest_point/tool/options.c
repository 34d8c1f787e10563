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
  int argc, next;
  char **argv;
} command_line;

static bool wrong(const clp_command *command, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static bool wrong(const clp_command *command, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  fputs("closest_point: ", stderr);
  vfprintf(stderr, format, arguments);
  fprintf(stderr, "; see 'closest_point %s --help'\n", command->name);
  va_end(arguments);
  return false;
}

static const clp_option *find_name(const clp_option *options, const char *name, size_t length)
{
  for (; options->name; ++options)
    if (strlen(options->name) == length && memcmp(options->name, name, length) == 0)
      return options;
  return NULL;
}

static const clp_option *find_letter(const clp_option *options, char letter)
{
  for (; options->name; ++options)
    if (options->letter && options->letter == letter)
      return options;
  return NULL;
}

/* "--name" or "--name=value"; `text` is what comes after the dashes. */
static bool read_long(command_line *parsing, const char *text)
{
  size_t length = strcspn(text, "=");
  const char *value = text[length] == '=' ? text + length + 1 : NULL;
  const clp_option *option = find_name(parsing->options, text, length);
  if (!option)
    return wrong(parsing->command, "unknown option '--%s'", text);
  if (option->flag && value)
    return wrong(parsing->command, "option '--%s' takes no value", option->name);
  if (option->flag) {
    *option->flag = true;
    return true;
  }
  if (!value && parsing->next < parsing->argc)
    value = parsing->argv[parsing->next++];
  if (!value || !*value)
    return wrong(parsing->command, "option '--%s' expects a value", option->name);
  *option->value = value;
  return true;
}

/* "-abc": flags only. */
static bool read_letters(command_line *parsing, const char *letters)
{
  for (; *letters; ++letters) {
    const clp_option *option = find_letter(parsing->options, *letters);
    if (!option)
      return wrong(parsing->command, "unknown option '-%c'", *letters);
    *option->flag = true;
  }
  return true;
}

static bool asks_for(const command_line *parsing, const char *option)
{
  for (int k = 0; k < parsing->argc && strcmp(parsing->argv[k], "--") != 0; ++k)
    if (strcmp(parsing->argv[k], option) == 0)
      return true;
  return false;
}

static bool read_argument(command_line *parsing, bool *options_end, const char *operand_name,
                          const char **operand)
{
  const char *argument = parsing->argv[parsing->next++];
  if (!*options_end && strcmp(argument, "--") == 0) {
    *options_end = true;
    return true;
  }
  if (!*options_end && strncmp(argument, "--", 2) == 0)
    return read_long(parsing, argument + 2);
  if (!*options_end && argument[0] == '-' && argument[1])
    return read_letters(parsing, argument + 1);
  if (*operand)
    return wrong(parsing->command, "'%s' is one argument too many, expected one %s", argument,
                 operand_name);
  *operand = argument;
  return true;
}

bool clp_read_options(const clp_command *command, int argc, char **argv, const clp_option *options,
                      const char *operand_name, const char **operand, clp_exit_status *status)
{
  command_line parsing = {command, options, argc, 0, argv};
  if (asks_for(&parsing, "--help")) {
    *status = clp_print_text(command->help);
    return false;
  }
  if (asks_for(&parsing, "--version")) {
    *status = clp_print_version();
    return false;
  }
  *status = EXIT_USAGE;
  *operand = NULL;
  bool options_end = false;
  while (parsing.next < argc)
    if (!read_argument(&parsing, &options_end, operand_name, operand))
      return false;
  if (!*operand)
    return wrong(command, "%s expects a %s", command->name, operand_name);
  return true;
}

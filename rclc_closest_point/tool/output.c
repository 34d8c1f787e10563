/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* stat */

#include "rclc_closest_point/tool/output.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "rclc_closest_point/model/log.h"
#include "rclc_closest_point/tool/options.h"

/* By any name or link. What is no regular file, a terminal or /dev/null, takes any number of
 * readers and writers. */
static bool is_same_file(const char *a, const char *b)
{
  struct stat file_a, file_b;
  if (stat(a, &file_a) != 0 || stat(b, &file_b) != 0)
    return strcmp(a, b) == 0;
  return S_ISREG(file_a.st_mode) && file_a.st_dev == file_b.st_dev &&
         file_a.st_ino == file_b.st_ino;
}

clp_exit_status clp_output_spares(const clp_command *command, const char *option, const char *path,
                                  const char *const *files)
{
  for (; path && *files; ++files)
    if (is_same_file(path, *files))
      return clp_wrong_usage(command, "option '--%s' is '%s', expected a file that is not also %s",
                             option, clp_show_string(path).text, clp_show_string(*files).text);
  return EXIT_DONE;
}

static void complain(const char *path)
{
  fprintf(stderr, "closest_point: cannot write %s: %s\n", path ? path : "standard output",
          strerror(errno));
}

clp_output clp_output_open(const char *path)
{
  clp_output output = {path ? fopen(path, "w") : stdout, path};
  if (!output.stream)
    complain(path);
  return output;
}

clp_exit_status clp_output_close(clp_output *output)
{
  if (!output->stream)
    return EXIT_INTERNAL;
  errno = 0;
  bool good = !ferror(output->stream);
  good &= fflush(output->stream) == 0;
  if (output->path)
    good &= fclose(output->stream) == 0;
  output->stream = NULL;
  if (good)
    return EXIT_DONE;
  if (errno == 0)
    errno = EIO; /* an earlier write failed, and its reason is gone */
  complain(output->path);
  return EXIT_INTERNAL;
}

clp_exit_status clp_print_text(const char *text)
{
  clp_output output = clp_output_open(NULL);
  fputs(text, output.stream);
  return clp_output_close(&output);
}

clp_exit_status clp_print_version(void)
{
  return clp_print_text("closest_point " CLP_VERSION "\n");
}

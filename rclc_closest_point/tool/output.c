/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/tool/output.h"

#include <errno.h>
#include <string.h>

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

/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* open_memstream */

#include <stdio.h>
#include <stdlib.h>

#include "rclc_closest_point/tool/command.h"
#include "rclc_closest_point/tool/options.h"
#include "rclc_closest_point/tool/output.h"

/* The overlay is made in memory first, so that nothing is written, and no file replaced, when
 * there is a mesh or a defect. */
static clp_exit_status tile_into_memory(const char *path, bool *quiet, char **text, size_t *length)
{
  FILE *memory = open_memstream(text, length);
  if (!memory)
    return clp_exit_status_of(CLP_ERROR_MEMORY);
  clp_status status = clp_model_tile(path, clp_stderr_sink(quiet), memory);
  if (fclose(memory) != 0 && status == CLP_OK)
    status = CLP_ERROR_MEMORY;
  return clp_exit_status_of(status);
}

static clp_exit_status write_text(const char *path, const char *text, size_t length)
{
  clp_output output = clp_output_open(path);
  if (output.stream)
    fwrite(text, 1, length, output.stream);
  return clp_output_close(&output);
}

static clp_exit_status run(const clp_command *command, int argc, char **argv)
{
  const char *path = NULL, *out = NULL;
  bool quiet = false;
  const clp_option options[] = {{"out", 0, NULL, &out}, {"quiet", 'q', &quiet, NULL}, {0}};
  const clp_operand operands[] = {{"URDF", &path}, {0}};
  clp_exit_status status;
  if (!clp_read_options(command, argc, argv, options, operands, &status))
    return status;
  status = clp_output_spares(command, "out", out, (const char *const[]){path, NULL});
  if (status != EXIT_DONE)
    return status;
  char *text = NULL;
  size_t length = 0;
  status = tile_into_memory(path, &quiet, &text, &length);
  if (status == EXIT_DONE)
    status = write_text(out, text, length);
  free(text);
  return status;
}

const clp_command clp_command_tile = {
    "tile", "write the overlay of a URDF: its collision primitives as exact patches",
    "usage: closest_point tile URDF [OPTION...]\n"
    "\n"
    "Writes an overlay: a model file with the <collision> primitives (box, cylinder, sphere) of\n"
    "every link that has no <patches> yet, as exact <patches>, their origins kept. The overlay\n"
    "is a valid model by itself. A mesh is refused by name; then nothing is written.\n"
    "\n"
    "options:\n"
    "  --out FILE   write to FILE instead of standard output\n"
    "  -q, --quiet  no notes on standard error\n"
    "  --help       print this\n"
    "  --version    print the version\n",
    run};

/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* strerror_l */

#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rclc_closest_point/model/model.h"

static clp_status fail(clp_log *log, int reason)
{
  if (reason == ENOMEM)
    return CLP_ERROR_MEMORY;
  locale_t c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  clp_log_defect(log, 1, "the file cannot be read: %s, expected a file",
                 c_locale ? strerror_l(reason, c_locale) : "unknown reason");
  if (c_locale)
    freelocale(c_locale);
  return CLP_ERROR_FILE;
}

/* Reads until the end, or one byte past the limit, for the reader to refuse. */
static clp_status read_stream(clp_log *log, FILE *stream, char **text, size_t *length)
{
  char *bytes = NULL;
  size_t used = 0, room = 0, count;
  do {
    if (used == room) {
      size_t wanted = room ? 2 * room : 65536;
      wanted = wanted < CLP_MODEL_MAX_BYTES ? wanted : (size_t)CLP_MODEL_MAX_BYTES + 1;
      char *moved = realloc(bytes, wanted);
      if (!moved) {
        free(bytes);
        return CLP_ERROR_MEMORY;
      }
      bytes = moved;
      room = wanted;
    }
    errno = 0;
    count = fread(bytes + used, 1, room - used, stream);
    used += count;
  } while (count > 0 && used <= CLP_MODEL_MAX_BYTES);
  if (ferror(stream)) {
    int reason = errno;
    free(bytes);
    return fail(log, reason);
  }
  *text = bytes;
  *length = used;
  return CLP_OK;
}

clp_status clp_read_file(clp_log *log, char **text, size_t *length)
{
  FILE *stream = fopen(log->file, "rb");
  if (!stream)
    return fail(log, errno);
  clp_status status = read_stream(log, stream, text, length);
  fclose(stream);
  return status;
}

clp_status clp_finish_file(clp_log *log, clp_status status)
{
  if (status != CLP_OK && status != CLP_ERROR_FILE && log->defects == 0)
    clp_log_defect(log, 1, "the file cannot be read: %s", clp_status_text(status));
  return status;
}

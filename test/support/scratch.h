/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TEST_SUPPORT_SCRATCH_H
#define TEST_SUPPORT_SCRATCH_H

/* Files that a test writes, in a folder of its own. Whoever includes this defines _POSIX_C_SOURCE
 * first. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/marks.h"

/* One test, one process, one folder. */
static char scratch_folder[sizeof "test_folder_XXXXXX"];

static inline void enter_folder(void)
{
  snprintf(scratch_folder, sizeof scratch_folder, "test_folder_XXXXXX");
  ck_assert_ptr_nonnull(mkdtemp(scratch_folder));
  ck_assert_int_eq(chdir(scratch_folder), 0);
}

static inline void leave_folder(void)
{
  ck_assert_int_eq(chdir(".."), 0);
  char command[128];
  snprintf(command, sizeof command, "rm -r %s", scratch_folder);
  ck_assert_int_eq(system(command), 0);
}

static inline void read_whole(const char *path, char *text, size_t room)
{
  FILE *file = fopen(path, "rb");
  ck_assert_ptr_nonnull(file);
  size_t length = fread(text, 1, room - 1, file);
  text[length] = '\0';
  fclose(file);
}

static inline void write_bytes(const char *path, const void *bytes, size_t length)
{
  FILE *file = fopen(path, "wb");
  ck_assert_ptr_nonnull(file);
  ck_assert_uint_eq(fwrite(bytes, 1, length, file), length);
  fclose(file);
}

static inline void write_whole(const char *path, const char *text)
{
  write_bytes(path, text, strlen(text));
}

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* scandir */

#include <dirent.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* A fuzz target without its fuzzer: it is given every file of the corpus, once. So its targets are
 * built and keep their promises wherever the tests run. */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
__attribute__((weak)) int LLVMFuzzerInitialize(int *argc, char ***argv);

static int is_file(const struct dirent *entry)
{
  return entry->d_name[0] != '.';
}

static void run(const char *folder, const char *name)
{
  static uint8_t data[1 << 20];
  char path[PATH_MAX];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "rb");
  if (!file) {
    perror(path);
    exit(EXIT_FAILURE);
  }
  size_t size = fread(data, 1, sizeof data, file);
  fclose(file);
  LLVMFuzzerTestOneInput(data, size);
}

int main(int argc, char **argv)
{
  struct dirent **entries;
  int count = argc == 2 ? scandir(argv[1], &entries, is_file, alphasort) : -1;
  if (count <= 0) {
    fprintf(stderr, "usage: %s FOLDER, with a file in it at least\n", argv[0]);
    return EXIT_FAILURE;
  }
  if (LLVMFuzzerInitialize)
    LLVMFuzzerInitialize(&argc, &argv);
  for (int k = 0; k < count; ++k) {
    run(argv[1], entries[k]->d_name);
    free(entries[k]);
  }
  free(entries);
  printf("%d inputs\n", count);
  return EXIT_SUCCESS;
}

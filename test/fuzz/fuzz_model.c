/* SPDX-License-Identifier: Apache-2.0 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "rclc_closest_point/model.h"

/* libFuzzer's entry: any bytes as a model file. Besides what the sanitizers see, every promise of
 * the reader's header that can be checked without knowing the file is checked. */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Bodies of many control points take their time to verify, which is no fault of the reader. */
#define MAX_BYTES 16384

typedef struct tally {
  int defects;
} tally;

static void require(bool promise)
{
  if (!promise)
    abort();
}

/* "FILE:LINE: text", one line, whatever the file has in its names. */
static void on_message(void *user, clp_severity severity, const char *line)
{
  tally *t = user;
  t->defects += severity == CLP_DEFECT;
  require(strncmp(line, "fuzz:", 5) == 0);
  const char *digits = line + 5;
  size_t count = strspn(digits, "0123456789");
  require(count > 0 && *digits != '0' && strncmp(digits + count, ": ", 2) == 0);
  require(digits[count + 2] != '\0' && !strchr(line, '\n'));
}

static void look_at(const clp_model *model)
{
  int links = clp_model_link_count(model);
  for (int a = 0; a < links; ++a) {
    require(clp_model_find_link(model, clp_model_link_name(model, a)) == a);
    for (int k = 0; k < clp_model_part_count(model, a); ++k) {
      clp_part part = clp_model_part(model, a, k);
      clp_body_info info = clp_body_describe(part.body);
      require(part.name && info.vertices >= 0 && info.faces >= 0 && info.edges >= 0);
      for (int f = 0; f < info.faces; ++f)
        require(clp_body_feature(part.body, CLP_FACE, (uint32_t)f).name != NULL);
    }
    for (int b = 0; b < links; ++b)
      require(clp_model_is_pair(model, a, b) == clp_model_is_pair(model, b, a));
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  if (size > MAX_BYTES)
    return 0;
  /* Exactly as many bytes as there are, so that one read too far is seen. */
  char *text = malloc(size ? size : 1);
  if (!text)
    return 0;
  if (size)
    memcpy(text, data, size);
  tally t = {0};
  clp_model *model = NULL;
  clp_status status = clp_model_parse(text, size, "fuzz", (clp_model_sink){on_message, &t}, &model);
  require((status == CLP_OK) == (t.defects == 0));
  require((status == CLP_OK) == (model != NULL));
  free(text);
  if (model)
    look_at(model);
  clp_model_destroy(model);
  return 0;
}

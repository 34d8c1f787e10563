/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/tool/trajectory.h"

#include <stdlib.h>
#include <string.h>

#include "rclc_closest_point/model/model.h"
#include "rclc_closest_point/model/number.h"

bool clp_trajectory_number(clp_trajectory_reading *r, const char *text, const char *what, int line,
                           double *value)
{
  clp_number_fault fault = clp_parse_double(text, strlen(text), value);
  if (fault == CLP_NUMBER_FINE)
    return clp_trajectory_accepts(r, *value, text, what, line);
  r->out_of_memory |= fault == CLP_NUMBER_MEMORY;
  clp_log_defect(&r->log, line, "'%s' as %s, expected a %s", clp_show_string(text).text, what,
                 fault == CLP_NUMBER_INFINITE ? "finite number" : "number");
  return false;
}

/* Spreadsheets begin their files with a byte order mark. */
static char *skip_mark(char *text)
{
  static const char mark[] = "\xef\xbb\xbf";
  return strncmp(text, mark, strlen(mark)) == 0 ? text + strlen(mark) : text;
}

static bool is_csv(const char *text)
{
  return text[0] == 't' && (text[1] == ',' || text[1] == '\r' || text[1] == '\n' || !text[1]);
}

static void read_text(clp_trajectory_reading *r, char *text, size_t length)
{
  char *begin = skip_mark(text);
  if (is_csv(begin))
    clp_read_trajectory_csv(r, begin);
  else
    clp_read_trajectory_yaml(r, begin, length - (size_t)(begin - text));
}

clp_exit_status clp_trajectory_load(const char *path, const clp_joint_tree *tree,
                                    clp_model_sink sink, clp_trajectory *trajectory)
{
  clp_trajectory_reading r = {{.file = path, .sink = sink}, tree, trajectory, false};
  char *text = NULL;
  size_t length = 0;
  clp_status status = clp_read_file(&r.log, &text, &length);
  if (status == CLP_OK) {
    char *whole = realloc(text, length + 1); /* with an end */
    text = whole ? whole : text;
    r.out_of_memory = !whole;
    if (whole && clp_trajectory_begin(&r)) {
      whole[length] = '\0';
      read_text(&r, whole, length);
    }
    status = clp_trajectory_finish(&r);
  }
  free(text);
  return clp_exit_status_of(clp_finish_file(&r.log, status));
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/model/model.h"

/* The link's index, or -1. An SRDF is written for a whole robot, of which an overlay may have a
 * few links only: names that the model does not have are no defect. */
static int disabled_link(clp_log *log, const clp_model *model, const clp_xml_element *element,
                         const char *attribute)
{
  const char *name = clp_xml_value(element, attribute);
  if (name)
    return clp_model_find_link(model, name);
  clp_log_defect(log, element->line, "<disable_collisions> has no %s, expected %s=\"...\"",
                 attribute, attribute);
  return -1;
}

static clp_status collect(clp_log *log, const clp_model *model, const clp_xml_element *root,
                          clp_link_pairs *pairs)
{
  if (!clp_xml_is(root, "robot")) {
    clp_log_defect(log, root->line, "the root element is <%s>, expected <robot>",
                   clp_show_string(root->name).text);
    return CLP_ERROR_FORMAT;
  }
  for (const clp_xml_element *child = root->first; child; child = child->next) {
    if (!clp_xml_is(child, "disable_collisions"))
      continue;
    int a = disabled_link(log, model, child, "link1");
    int b = disabled_link(log, model, child, "link2");
    if (a >= 0 && b >= 0 && !clp_link_pairs_add(pairs, a, b))
      return CLP_ERROR_MEMORY;
  }
  return log->defects ? CLP_ERROR_FORMAT : CLP_OK;
}

clp_status clp_read_srdf(clp_log *log, const clp_model *model, const char *text, size_t length,
                         clp_link_pairs *pairs)
{
  clp_arena arena = {0};
  clp_xml_element *root = NULL;
  clp_status status = clp_xml_parse(text, length, log, &arena, &root);
  size_t before = pairs->count;
  if (status == CLP_OK)
    status = collect(log, model, root, pairs);
  clp_arena_release(&arena);
  if (status == CLP_OK)
    clp_link_pairs_sort(pairs);
  else
    pairs->count = before; /* still sorted: what was added stands behind */
  return status;
}

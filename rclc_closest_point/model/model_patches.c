/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "rclc_closest_point/model/model.h"

/* One <patches> element: its attributes, its origin, and the one thing that it holds. */

typedef enum content_kind {
  CONTENT_UNKNOWN,
  CONTENT_SHAPE,
  CONTENT_PATCH,
  CONTENT_CURVE
} content_kind;

static content_kind kind_of(const clp_xml_element *element)
{
  if (clp_xml_is(element, "patch"))
    return CONTENT_PATCH;
  if (clp_xml_is(element, "curve"))
    return CONTENT_CURVE;
  return clp_is_shape_element(element) ? CONTENT_SHAPE : CONTENT_UNKNOWN;
}

static void read_proof(clp_reader *reader, const clp_xml_element *element, clp_proof *proof)
{
  const char *text = clp_xml_value(element, "proof");
  if (!text || strcmp(text, "required") == 0)
    *proof = CLP_PROOF_REQUIRED;
  else if (strcmp(text, "sampled") == 0)
    *proof = CLP_PROOF_SAMPLED;
  else
    clp_log_defect(reader->log, element->line,
                   "<patches> has proof=\"%s\", expected required or sampled",
                   clp_show_string(text).text);
}

/* A defect is said once, where the element starts; the part then has none. */
static void read_padding(clp_reader *reader, const clp_xml_element *element, bool planar,
                         clp_body_def *def)
{
  double padding = 0;
  if (!clp_read_attribute(reader, element, "padding", 1, false, &padding) || padding == 0)
    return;
  const char *what = planar         ? "planar"
                     : !def->convex ? "not convex"
                     : !def->closed ? "not closed"
                                    : NULL;
  if (padding < 0)
    clp_log_defect(reader->log, element->line,
                   "<patches> has padding=\"%s\", expected a length of at least 0 m",
                   clp_show_string(clp_xml_value(element, "padding")).text);
  else if (what)
    clp_log_defect(
        reader->log, element->line,
        "<patches> has padding=\"%s\" and is %s, expected padding only of what is convex "
        "and closed",
        clp_show_string(clp_xml_value(element, "padding")).text, what);
  else
    def->padding = padding;
}

static void read_part_attributes(clp_reader *reader, const clp_xml_element *element,
                                 clp_part_source *part, bool *planar)
{
  static const char *const names[] = {"name",    "convex", "closed", "planar",
                                      "padding", "proof",  NULL};
  part->def = clp_default_body_def(CLP_SHAPE_PATCHES);
  part->line = part->shape_line = element->line;
  clp_expect_attributes(reader, element, names);
  clp_read_flag(reader, element, "convex", &part->def.convex);
  clp_read_flag(reader, element, "closed", &part->def.closed);
  clp_read_flag(reader, element, "planar", planar);
  read_padding(reader, element, *planar, &part->def);
  read_proof(reader, element, &part->def.proof);
  const char *name = clp_xml_value(element, "name");
  if (name)
    clp_expect_usable_name(reader, element->line, "<patches>", name);
  part->name = name ? name : "";
}

static void read_part_origin(clp_reader *reader, const clp_xml_element *origin,
                             clp_part_source *part)
{
  if (part->has_origin) {
    clp_log_defect(reader->log, origin->line, "a second <origin> in <patches>, expected one");
    return;
  }
  clp_expect_leaf(reader, origin);
  clp_expect_no_text(reader, origin);
  clp_read_origin(reader, origin, part);
}

static bool goes_with(const clp_xml_element *child, content_kind kind,
                      const clp_xml_element *content)
{
  return !content || (kind == kind_of(content) && kind != CONTENT_SHAPE) || child == content;
}

/* Reads the origin, refuses what is unknown or does not go together, and returns the first element
 * of what the part holds; NULL after a defect. */
static const clp_xml_element *read_children(clp_reader *reader, const clp_xml_element *element,
                                            clp_part_source *part)
{
  const clp_xml_element *content = NULL;
  bool unknown = false;
  for (const clp_xml_element *child = element->first; child; child = child->next) {
    content_kind kind = kind_of(child);
    if (clp_xml_is(child, "origin")) {
      read_part_origin(reader, child, part);
    } else if (kind == CONTENT_UNKNOWN) {
      unknown = true;
      clp_log_defect(reader->log, child->line,
                     "unknown element <%s> in <patches>, expected <origin>, a shape, <patch> or "
                     "<curve>",
                     clp_show_string(child->name).text);
    } else if (!goes_with(child, kind, content)) {
      clp_log_defect(reader->log, child->line,
                     "<%s> beside <%s>, expected one shape, or only <patch>, or only <curve> in a "
                     "<patches>",
                     child->name, content->name);
    } else if (!content) {
      content = child;
    }
  }
  if (!content && !unknown)
    clp_log_defect(reader->log, element->line,
                   "<patches> holds no surface, expected a shape, <patch> or <curve>");
  return content;
}

static void expect_planarity(clp_reader *reader, const clp_xml_element *content, bool planar)
{
  bool curves = kind_of(content) == CONTENT_CURVE;
  if (curves && !planar)
    clp_log_defect(reader->log, content->line,
                   "<curve> in a <patches> that is not planar, expected planar=\"true\"");
  if (planar && !curves)
    clp_log_defect(reader->log, content->line, "<%s> in a planar <patches>, expected <curve>",
                   content->name);
}

void clp_read_patches(clp_reader *reader, const clp_xml_element *element, clp_part_source *part)
{
  bool planar = false;
  *part = (clp_part_source){0};
  read_part_attributes(reader, element, part, &planar);
  clp_expect_no_text(reader, element);
  const clp_xml_element *content = read_children(reader, element, part);
  if (!content)
    return;
  expect_planarity(reader, content, planar);
  if (kind_of(content) == CONTENT_PATCH)
    clp_read_patch_list(reader, element, part);
  else if (kind_of(content) == CONTENT_CURVE)
    clp_read_curve_list(reader, element, part);
  else
    clp_read_shape(reader, content, part);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/body/builder.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void report(clp_builder *builder, clp_severity severity, clp_subject subject,
                   const char *format, va_list arguments)
{
  builder->defects += severity == CLP_DEFECT;
  if (builder->findings++ >= CLP_MAX_FINDINGS || !builder->reporter.report)
    return;
  clp_finding finding = {.severity = severity,
                         .kind = subject.kind,
                         .item = subject.item,
                         .number = subject.number,
                         .in_knots_v = subject.in_knots_v,
                         .has_place = subject.place != NULL,
                         .amount = subject.amount};
  if (subject.place)
    finding.place = *subject.place;
  vsnprintf(finding.text, sizeof finding.text, format, arguments);
  builder->reporter.report(builder->reporter.user, &finding);
}

void clp_defect(clp_builder *builder, clp_subject subject, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  report(builder, CLP_DEFECT, subject, format, arguments);
  va_end(arguments);
}

void clp_note(clp_builder *builder, clp_subject subject, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  report(builder, CLP_NOTE, subject, format, arguments);
  va_end(arguments);
}

void clp_undecided(clp_builder *builder, clp_subject subject, const char *format, ...)
{
  bool sampled = builder->def->proof == CLP_PROOF_SAMPLED;
  const char *outcome = sampled ? "accepted by samples, never TRACKING"
                                : "expected a decision within the budget; proof=\"sampled\" on "
                                  "<patches> accepts it by samples, never TRACKING";
  char what[sizeof((clp_finding *)0)->text - 128]; /* so that the outcome is not cut off */
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(what, sizeof what, format, arguments);
  va_end(arguments);
  ++builder->undecided;
  subject.kind = CLP_FINDING_UNDECIDED;
  (sampled ? clp_note : clp_defect)(builder, subject, "%s: %s", what, outcome);
}

void clp_report_suppressed(clp_builder *builder)
{
  int more = builder->findings - CLP_MAX_FINDINGS;
  if (more <= 0 || !builder->reporter.report)
    return;
  clp_finding finding = {.severity = CLP_NOTE, .item = -1, .number = -1};
  snprintf(finding.text, sizeof finding.text, "%d more findings of this part are not shown", more);
  builder->reporter.report(builder->reporter.user, &finding);
}

void clp_expect_faces(clp_builder *builder, size_t count)
{
  builder->faces = clp_arena_take(&builder->arena, count, sizeof *builder->faces);
  builder->face_capacity = builder->faces ? count : 0;
}

void clp_expect_edges(clp_builder *builder, size_t count)
{
  builder->edges = clp_arena_take(&builder->arena, count, sizeof *builder->edges);
  builder->edge_capacity = builder->edges ? count : 0;
}

clp_build_face *clp_add_face(clp_builder *builder, const char *name, int item)
{
  clp_build_face *faces = clp_arena_grow(&builder->arena, builder->faces, builder->face_count,
                                         &builder->face_capacity, sizeof *faces);
  char *copy = clp_arena_string(&builder->arena, name);
  if (!faces || !copy)
    return NULL;
  builder->faces = faces;
  clp_build_face *face = &faces[builder->face_count++];
  memset(face, 0, sizeof *face);
  face->face.name = copy;
  face->face.item = item;
  return face;
}

clp_build_edge *clp_add_edge(clp_builder *builder)
{
  clp_build_edge *edges = clp_arena_grow(&builder->arena, builder->edges, builder->edge_count,
                                         &builder->edge_capacity, sizeof *edges);
  if (!edges)
    return NULL;
  builder->edges = edges;
  clp_build_edge *edge = &edges[builder->edge_count++];
  memset(edge, 0, sizeof *edge);
  edge->edge.use[0] = edge->edge.use[1] = CLP_NONE;
  edge->edge.vertex[0] = edge->edge.vertex[1] = CLP_NONE;
  return edge;
}

clp_storage clp_take_storage(clp_builder *builder, size_t count)
{
  return (clp_storage){clp_arena_take(&builder->arena, count, sizeof(double)), count};
}

const char *clp_piece_name(clp_builder *builder, const char *name, int piece)
{
  size_t room = strlen(name) + 16;
  char *text = clp_arena_take(&builder->arena, room, 1);
  if (text)
    snprintf(text, room, "%s.%d", name, piece);
  return text ? text : name;
}

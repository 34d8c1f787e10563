/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include "rclc_closest_point/base/text.h"
#include "rclc_closest_point/model/model.h"

/* Writing overlays. Numbers are written with the fewest digits that bring them back. */

static void write_escaped(FILE *file, const char *text)
{
  for (; *text; ++text) {
    const char *reference = *text == '&'    ? "&amp;"
                            : *text == '<'  ? "&lt;"
                            : *text == '"'  ? "&quot;"
                            : *text == '\n' ? "&#10;"
                            : *text == '\r' ? "&#13;"
                            : *text == '\t' ? "&#9;"
                                            : NULL;
    if (reference)
      fputs(reference, file);
    else
      fputc(*text, file);
  }
}

void clp_write_attribute(void *stream, const char *name, const char *value)
{
  FILE *file = stream;
  fprintf(file, " %s=\"", name);
  write_escaped(file, value);
  fputc('"', file);
}

static void write_numbers(FILE *file, const char *name, const double *values, int count)
{
  fprintf(file, " %s=\"", name);
  for (int k = 0; k < count; ++k)
    fprintf(file, "%s%s", k ? " " : "", clp_number_shortest(values[k]).text);
  fputc('"', file);
}

static void write_round(FILE *file, const char *name, const clp_body_def *def)
{
  fprintf(file, "<%s", name);
  write_numbers(file, "radius", &def->radius, 1);
  write_numbers(file, "length", &def->length, 1);
  fputs("/>\n", file);
}

static void write_polyhedron(FILE *file, const clp_polyhedron_def *def)
{
  fputs("<polyhedron>\n        <vertices>", file);
  for (int k = 0; k < 3 * def->vertex_count; ++k)
    fprintf(file, "%s%s", k % 12 == 0 ? "\n          " : " ",
            clp_number(def->vertices[k], 17).text); /* computed: hardly one needs fewer */
  fputs("\n        </vertices>\n        <faces>\n          ", file);
  const int *corner = def->faces;
  for (int f = 0; f < def->face_count; corner += def->face_sizes[f++]) {
    for (int k = 0; k < def->face_sizes[f]; ++k)
      fprintf(file, "%s%d", k ? " " : "", corner[k]);
    if (f + 1 < def->face_count)
      fputs(f % 8 == 7 ? ";\n          " : "; ", file);
  }
  fputs("\n        </faces>\n      </polyhedron>\n", file);
}

static void write_shape(FILE *file, const clp_body_def *def)
{
  const double size[3] = {def->size.x, def->size.y, def->size.z};
  switch (def->shape) {
    case CLP_SHAPE_BOX:
      fputs("<box", file);
      write_numbers(file, "size", size, 3);
      fputs("/>\n", file);
      break;
    case CLP_SHAPE_SPHERE:
      fputs("<sphere", file);
      write_numbers(file, "radius", &def->radius, 1);
      fputs("/>\n", file);
      break;
    case CLP_SHAPE_POLYHEDRON: /* which has been made from a mesh */
      write_polyhedron(file, &def->polyhedron);
      break;
    default: /* the other collision primitives */
      write_round(file, def->shape == CLP_SHAPE_CAPSULE ? "capsule" : "cylinder", def);
      break;
  }
}

static void write_part(FILE *file, const clp_part_source *part)
{
  fputs("    <patches", file);
  clp_write_attribute(file, "name", part->name);
  if (part->def.padding > 0)
    write_numbers(file, "padding", &part->def.padding, 1);
  fputs(">\n", file);
  if (part->has_origin) {
    fputs("      <origin", file);
    write_numbers(file, "xyz", part->xyz, 3);
    clp_quaternion q = part->quaternion;
    if (part->has_quaternion)
      write_numbers(file, "quat_xyzw", (const double[]){q.x, q.y, q.z, q.w}, 4);
    else
      write_numbers(file, "rpy", part->rpy, 3);
    fputs("/>\n", file);
  }
  fputs("      ", file);
  write_shape(file, &part->def);
  fputs("    </patches>\n", file);
}

void clp_write_parts(const clp_link_source *link, void *file)
{
  for (int k = 0; k < link->part_count; ++k)
    write_part(file, &link->parts[k]);
}

static void write_link(FILE *file, const clp_link_source *link)
{
  fputs("  <link", file);
  clp_write_attribute(file, "name", link->name);
  fputs(">\n", file);
  clp_write_parts(link, file);
  fputs("  </link>\n", file);
}

clp_status clp_write_overlay(const clp_robot_source *robot, void *file)
{
  fputs("<?xml version=\"1.0\"?>\n<robot", file);
  if (robot->name)
    clp_write_attribute(file, "name", robot->name);
  fputs(">\n", file);
  for (int k = 0; k < robot->link_count; ++k)
    if (robot->links[k].part_count > 0)
      write_link(file, &robot->links[k]);
  fputs("</robot>\n", file);
  return fflush(file) == 0 && !ferror(file) ? CLP_OK : CLP_ERROR_FILE;
}

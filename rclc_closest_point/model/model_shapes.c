/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/model/model.h"

/* The shapes that <patches> may hold: one reading function each, and the table of them. */

static void set_vec3(clp_vec3 *v, const double numbers[3])
{
  *v = (clp_vec3){numbers[0], numbers[1], numbers[2]};
}

/* ---- Primitives: attributes only ---------------------------------------------------------- */

static bool read_vec3(clp_reader *reader, const clp_xml_element *element, const char *name,
                      clp_vec3 *v)
{
  double numbers[3] = {0};
  if (!clp_read_attribute(reader, element, name, 3, true, numbers))
    return false;
  set_vec3(v, numbers);
  return true;
}

static bool read_box(clp_reader *reader, const clp_xml_element *element, clp_body_def *def)
{
  return read_vec3(reader, element, "size", &def->size);
}

static bool read_sphere(clp_reader *reader, const clp_xml_element *element, clp_body_def *def)
{
  return clp_read_attribute(reader, element, "radius", 1, true, &def->radius);
}

static bool read_ellipsoid(clp_reader *reader, const clp_xml_element *element, clp_body_def *def)
{
  return read_vec3(reader, element, "radii", &def->size);
}

/* A cylinder or a capsule. */
static bool read_round(clp_reader *reader, const clp_xml_element *element, clp_body_def *def)
{
  bool good = clp_read_attribute(reader, element, "radius", 1, true, &def->radius);
  return clp_read_attribute(reader, element, "length", 1, true, &def->length) && good;
}

static bool read_point(clp_reader *reader, const clp_xml_element *element, clp_body_def *def)
{
  return read_vec3(reader, element, "xyz", &def->size);
}

typedef struct primitive {
  const char *name;
  clp_shape shape;
  bool (*read)(clp_reader *reader, const clp_xml_element *element, clp_body_def *def);
  const char *attributes[3];
} primitive;

static const primitive primitives[] = {
    {"box", CLP_SHAPE_BOX, read_box, {"size"}},
    {"sphere", CLP_SHAPE_SPHERE, read_sphere, {"radius"}},
    {"ellipsoid", CLP_SHAPE_ELLIPSOID, read_ellipsoid, {"radii"}},
    {"cylinder", CLP_SHAPE_CYLINDER, read_round, {"radius", "length"}},
    {"capsule", CLP_SHAPE_CAPSULE, read_round, {"radius", "length"}},
    {"point", CLP_SHAPE_POINT, read_point, {"xyz"}},
};

static const primitive *find_primitive(const clp_xml_element *element)
{
  for (size_t k = 0; k < sizeof primitives / sizeof *primitives; ++k)
    if (clp_xml_is(element, primitives[k].name))
      return &primitives[k];
  return NULL;
}

bool clp_read_primitive(clp_reader *reader, const clp_xml_element *element, clp_body_def *def)
{
  const primitive *found = find_primitive(element);
  *def = clp_default_body_def(found->shape);
  return found->read(reader, element, def);
}

/* ---- Polyhedra ---------------------------------------------------------------------------- */

/* The one child of that name; everything else, and a second one, is refused. */
static const clp_xml_element *single_child(clp_reader *reader, const clp_xml_element *element,
                                           const char *name)
{
  const clp_xml_element *found = clp_xml_child(element, name);
  if (!found)
    clp_log_defect(reader->log, element->line, "<%s> has no <%s>, expected one", element->name,
                   name);
  for (const clp_xml_element *child = found ? found->next : NULL; child; child = child->next)
    if (clp_xml_is(child, name))
      clp_log_defect(reader->log, child->line, "a second <%s> in <%s>, expected one", name,
                     element->name);
  return found;
}

static bool knows_children(clp_reader *reader, const clp_xml_element *element, const char *a,
                           const char *b)
{
  bool good = true;
  for (const clp_xml_element *child = element->first; child; child = child->next) {
    if (clp_xml_is(child, a) || clp_xml_is(child, b))
      continue;
    clp_log_defect(reader->log, child->line, "unknown element <%s>, expected <%s> and <%s> in <%s>",
                   clp_show_string(child->name).text, a, b, element->name);
    good = false;
  }
  return good;
}

/* A polyhedron of n vertices has at most 3 n - 6 edges, each of which is a corner of two faces. */
#define MAX_FACE_CORNERS (6 * CLP_MAX_CONTROL_POINTS)

static bool read_polyhedron(clp_reader *reader, const clp_xml_element *element,
                            clp_part_source *part)
{
  static const char *const none[] = {NULL};
  bool good = clp_expect_attributes(reader, element, none);
  good &= clp_expect_no_text(reader, element);
  good &= knows_children(reader, element, "vertices", "faces");
  const clp_xml_element *vertices = single_child(reader, element, "vertices");
  const clp_xml_element *faces = single_child(reader, element, "faces");
  good &= vertices && clp_read_groups(reader, vertices, 3, CLP_MAX_CONTROL_POINTS, &part->vertices);
  good &= faces && clp_read_integer_groups(reader, faces, MAX_FACE_CORNERS, &part->faces);
  part->def.polyhedron = (clp_polyhedron_def){.vertices = part->vertices.values,
                                              .vertex_count = part->vertices.count / 3,
                                              .faces = part->faces.values,
                                              .face_sizes = part->faces.sizes,
                                              .face_count = part->faces.group_count};
  return good;
}

/* ---- Profiles ----------------------------------------------------------------------------- */

static bool read_number(clp_reader *reader, const clp_xml_element *element, const char *name,
                        double *value)
{
  return clp_read_attribute(reader, element, name, 1, true, value);
}

static bool read_line_piece(clp_reader *reader, const clp_xml_element *element,
                            clp_profile_piece *piece)
{
  static const char *const names[] = {"r", "z", NULL};
  piece->kind = CLP_PROFILE_LINE;
  return clp_expect_empty(reader, element, names);
}

static bool read_arc_piece(clp_reader *reader, const clp_xml_element *element,
                           clp_profile_piece *piece)
{
  static const char *const names[] = {"r", "z", "center_r", "center_z", NULL};
  piece->kind = CLP_PROFILE_ARC;
  bool good = clp_expect_empty(reader, element, names);
  good &= read_number(reader, element, "center_r", &piece->center_r);
  return read_number(reader, element, "center_z", &piece->center_z) && good;
}

static bool read_parabola_piece(clp_reader *reader, const clp_xml_element *element,
                                clp_profile_piece *piece)
{
  static const char *const names[] = {"r", "z", "apex_z", "focal", NULL};
  piece->kind = CLP_PROFILE_PARABOLA;
  bool good = clp_expect_empty(reader, element, names);
  good &= read_number(reader, element, "apex_z", &piece->apex_z);
  return read_number(reader, element, "focal", &piece->focal) && good;
}

static bool read_piece(clp_reader *reader, const clp_xml_element *element, clp_profile_piece *piece)
{
  bool good = read_number(reader, element, "r", &piece->r);
  good &= read_number(reader, element, "z", &piece->z);
  if (clp_xml_is(element, "line"))
    return read_line_piece(reader, element, piece) && good;
  if (clp_xml_is(element, "arc"))
    return read_arc_piece(reader, element, piece) && good;
  return read_parabola_piece(reader, element, piece) && good;
}

static bool is_piece(const clp_xml_element *element)
{
  return clp_xml_is(element, "line") || clp_xml_is(element, "arc") ||
         clp_xml_is(element, "parabola");
}

static bool read_start(clp_reader *reader, const clp_xml_element *revolved, clp_revolved_def *def)
{
  static const char *const names[] = {"r", "z", NULL};
  const clp_xml_element *start = revolved->first;
  if (!start || !clp_xml_is(start, "start")) {
    clp_log_defect(reader->log, start ? start->line : revolved->line,
                   "<revolved> does not begin with <start>, expected <start r= z=/>");
    return false;
  }
  bool good = clp_expect_empty(reader, start, names);
  good &= read_number(reader, start, "r", &def->start_r);
  return read_number(reader, start, "z", &def->start_z) && good;
}

static int count_children(const clp_xml_element *element)
{
  int count = 0;
  for (const clp_xml_element *child = element->first; child; child = child->next)
    ++count;
  return count;
}

static bool read_revolved(clp_reader *reader, const clp_xml_element *element, clp_part_source *part)
{
  static const char *const none[] = {NULL};
  clp_revolved_def *def = &part->def.revolved;
  bool good = clp_expect_attributes(reader, element, none);
  good &= clp_expect_no_text(reader, element);
  good &= read_start(reader, element, def);
  size_t room = (size_t)count_children(element);
  clp_profile_piece *pieces = clp_arena_take(reader->arena, room, sizeof *pieces);
  clp_item_source *items = clp_arena_take(reader->arena, room, sizeof *items);
  if (!pieces || !items)
    return false;
  int count = 0;
  for (const clp_xml_element *child = element->first; child; child = child->next) {
    if (is_piece(child)) {
      good &= read_piece(reader, child, &pieces[count]);
      items[count++].line = child->line;
    } else if (!clp_xml_is(child, "start") || child != element->first) {
      clp_log_defect(reader->log, child->line,
                     "unexpected <%s> in <revolved>, expected <line>, <arc> or <parabola>",
                     clp_show_string(child->name).text);
      good = false;
    }
  }
  def->pieces = pieces;
  def->piece_count = count;
  part->items = items;
  return good;
}

/* ---- The choice --------------------------------------------------------------------------- */

bool clp_is_shape_element(const clp_xml_element *element)
{
  return find_primitive(element) || clp_xml_is(element, "polyhedron") ||
         clp_xml_is(element, "revolved");
}

void clp_read_shape(clp_reader *reader, const clp_xml_element *element, clp_part_source *part)
{
  const primitive *found = find_primitive(element);
  const clp_body_def promised = part->def;
  bool good;
  if (found) {
    const char *const names[] = {found->attributes[0], found->attributes[1], NULL};
    good = clp_expect_empty(reader, element, names);
    good &= clp_read_primitive(reader, element, &part->def);
  } else if (clp_xml_is(element, "polyhedron")) {
    part->def = clp_default_body_def(CLP_SHAPE_POLYHEDRON);
    good = read_polyhedron(reader, element, part);
  } else {
    part->def = clp_default_body_def(CLP_SHAPE_REVOLVED);
    good = read_revolved(reader, element, part);
  }
  part->def.convex = promised.convex;
  part->def.closed = promised.closed;
  part->def.proof = promised.proof;
  part->def.padding = promised.padding;
  part->shape_line = element->line;
  part->complete = good;
}

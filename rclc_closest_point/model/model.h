/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_MODEL_MODEL_H
#define RCLC_CLOSEST_POINT_MODEL_MODEL_H

/* The way of a model file:
 *
 *   xml      text to tree, with lines (xml.c, xml_guard.c)
 *   urdf     tree to links and joints (model_urdf.c), the parts of a link from its <patches>
 *            (model_patches.c, model_shapes.c, model_splines.c) or from its <collision>s
 *   compile  definitions to bodies; what the compiler finds goes back to lines (model_compile.c)
 *   model    what the outside sees (model.c), or an overlay written anew (model_write.c)
 *
 * The structures here are what has been read, before it is compiled. They live in an arena. */

#include "rclc_closest_point/model/pairs.h"
#include "rclc_closest_point/model/reader.h"

/* Where the numbers of a patch, curve or profile piece stand. */
typedef struct clp_item_source {
  int line;
  clp_numbers points, knots_u, knots_v;
} clp_item_source;

/* A mesh that a <geometry> names. */
typedef struct clp_mesh_source {
  const char *file; /* NULL: the part is no mesh */
  double scale[3];
  int line;
} clp_mesh_source;

typedef struct clp_part_source {
  const char *name; /* "" when it has none */
  int line;         /* of the <patches> or <collision> element */
  bool has_origin;
  double xyz[3], rpy[3];
  bool has_quaternion; /* in the place of rpy */
  clp_quaternion quaternion;

  bool complete; /* all of it could be read; else `def` has only the patches or curves that could */
  clp_body_def def;
  int shape_line;               /* of the shape; of the part where that is many elements */
  const clp_item_source *items; /* one for each patch, curve or profile piece */
  clp_numbers vertices;         /* of a polyhedron */
  clp_integer_groups faces;
  clp_mesh_source mesh; /* where the reader takes meshes down */
} clp_part_source;

typedef struct clp_link_source {
  const char *name;
  int line;
  clp_part_source *parts;
  int part_count;
  bool has_patches;         /* otherwise the parts are collision primitives, and meshes */
  clp_part_source *visuals; /* where the reader takes meshes down: those of <visual> */
  int visual_count;
  unsigned matter; /* clp_link_matter */
  bool flawed;     /* something of it could not be read */
} clp_link_source;

typedef struct clp_joint_source {
  const char *name;           /* "" when it has none */
  const char *parent, *child; /* names of links; NULL after a defect */
  bool fixed;
  int line;
} clp_joint_source;

typedef struct clp_robot_source {
  const char *name; /* NULL when it has none */
  clp_link_source *links;
  int link_count;
  clp_joint_source *joints;
  int joint_count;
} clp_robot_source;

/* ---- Reading ------------------------------------------------------------------------------ */

/* Each reports its defects and leaves out what it could not read; the status of the whole is in
 * reader->log->defects and reader->arena->failed. */

/* model_urdf.c */
void clp_read_robot(clp_reader *reader, const clp_xml_element *root, clp_robot_source *robot);
/* Whether a joint's parent is 'world', which is no link of the file: there is nothing that it
 * joins. */
bool clp_hangs_on_nothing(const clp_xml_element *root, const clp_xml_element *joint);
void clp_read_origin(clp_reader *reader, const clp_xml_element *origin, clp_part_source *part);
void clp_read_joint(clp_reader *reader, const clp_xml_element *element, clp_joint_source *joint);
bool clp_expect_robot(clp_reader *reader, const clp_xml_element *root);
size_t clp_count_children(const clp_xml_element *element, const char *name);

/* model_patches.c: one <patches> element. */
void clp_read_patches(clp_reader *reader, const clp_xml_element *element, clp_part_source *part);

/* model_shapes.c */
bool clp_is_shape_element(const clp_xml_element *element);
void clp_read_shape(clp_reader *reader, const clp_xml_element *element, clp_part_source *part);

/* Box, sphere or cylinder from the attributes alone, as URDF has them, too. */
bool clp_read_primitive(clp_reader *reader, const clp_xml_element *element, clp_body_def *def);

/* model_splines.c: all <patch> or all <curve> children of a <patches> element. */
void clp_read_patch_list(clp_reader *reader, const clp_xml_element *element, clp_part_source *part);
void clp_read_curve_list(clp_reader *reader, const clp_xml_element *element, clp_part_source *part);

/* ---- Compiling ---------------------------------------------------------------------------- */

/* The part's body, or the lines that say why there is none. An incomplete part gets no body, but
 * the patches of it that could be read are checked one by one. */
clp_status clp_compile_part(clp_log *log, const clp_link_source *link, const clp_part_source *part,
                            clp_body **body);

clp_pose clp_part_pose(const clp_part_source *part);

/* ---- Files -------------------------------------------------------------------------------- */

/* The bytes of the log's file, malloc'ed; at most CLP_MODEL_MAX_BYTES. */
clp_status clp_read_file(clp_log *log, char **text, size_t *length);

/* The same status. A failure that has nothing to do with the file's content still says which file:
 * one that cannot be opened has said so, and one that cannot be written is another file. */
clp_status clp_finish_file(clp_log *log, clp_status status);

/* model_srdf.c: adds the pairs of an SRDF that name links of the model; all or, on failure, none.
 */
clp_status clp_read_srdf(clp_log *log, const clp_model *model, const char *text, size_t length,
                         clp_link_pairs *pairs);

/* ---- Writing ------------------------------------------------------------------------------ */

/* The overlay with the links that have parts, to a FILE. */
clp_status clp_write_overlay(const clp_robot_source *robot, void *file);

/* ' name="value"', with references where they are needed, to a FILE. */
void clp_write_attribute(void *stream, const char *name, const char *value);

/* The <patches> elements of one link, each line indented by four blanks, to a FILE. */
void clp_write_parts(const clp_link_source *link, void *file);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_MODEL_H
#define RCLC_CLOSEST_POINT_MODEL_H

/* Reading URDF files with <patches> (docs/model_format.md). A library of its own, for it needs
 * libxml2; the core knows no files. */

#include <stdbool.h>
#include <stddef.h>

#include "rclc_closest_point/scene.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CLP_MODEL_MAX_BYTES (64u * 1024u * 1024u)

typedef struct clp_model clp_model;

/* One line about the file, without its end of line: "FILE:LINE: what is wrong and what was
 * expected". A note does not stop the load, a defect does. */
typedef struct clp_model_sink {
  void (*message)(void *user, clp_severity severity, const char *line);
  void *user;
} clp_model_sink;

/* Reads, compiles and verifies a model. All defects are reported, not only the first; with any
 * defect the call fails and *model is untouched. Allocates: yes. Thread-safe: yes. */
CLP_API clp_status clp_model_load(const char *path, clp_model_sink sink, clp_model **model);

/* The same from memory (a robot_description); `name` stands for the file in messages. Allocates:
 * yes. Thread-safe: yes. */
CLP_API clp_status clp_model_parse(const char *text, size_t length, const char *name,
                                   clp_model_sink sink, clp_model **model);

/* Frees the model with its bodies; NULL is allowed. Allocates: no. Thread-safe: for different
 * models. */
CLP_API void clp_model_destroy(clp_model *model);

/* Adds the disabled pairs of an SRDF: <disable_collisions link1 link2>. All of them or, on failure,
 * none. Allocates: yes. Thread-safe: for different models. */
CLP_API clp_status clp_model_apply_srdf(clp_model *model, const char *path, clp_model_sink sink);

/* Links count from 0 in document order. Allocates: no. Thread-safe: yes. */
CLP_API int clp_model_link_count(const clp_model *model);

/* Lives as long as the model. Allocates: no. Thread-safe: yes. */
CLP_API const char *clp_model_link_name(const clp_model *model, int link);

/* -1: there is none. Allocates: no. Thread-safe: yes. */
CLP_API int clp_model_find_link(const clp_model *model, const char *name);

/* The link that a fixed joint hangs it on; -1: there is none. A file may hang links on each other
 * in a loop. Allocates: no. Thread-safe: yes. */
CLP_API int clp_model_fixed_parent(const clp_model *model, int link);

/* The links that a joint connects. */
typedef struct clp_joint_ends {
  int parent, child;
} clp_joint_ends;

/* Joints count from 0 in document order. Allocates: no. Thread-safe: yes. */
CLP_API int clp_model_joint_count(const clp_model *model);

/* Allocates: no. Thread-safe: yes. */
CLP_API clp_joint_ends clp_model_joint_ends(const clp_model *model, int joint);

/* Where the link starts in its file. Allocates: no. Thread-safe: yes. */
CLP_API int clp_model_link_line(const clp_model *model, int link);

/* What of a link is there in the world, whether or not it has parts: a link with any of it and
 * without parts is *uncovered*. */
typedef enum clp_link_matter {
  CLP_MATTER_VISUAL = 1,
  CLP_MATTER_COLLISION = 2,
  CLP_MATTER_MASS = 4
} clp_link_matter;

/* A sum of these. Allocates: no. Thread-safe: yes. */
CLP_API unsigned clp_model_link_matter(const clp_model *model, int link);

/* "a <visual> and a mass". Allocates: no. Thread-safe: yes. */
CLP_API const char *clp_model_matter_text(unsigned matter);

/* A link as clp_scene_add_link takes it; what it points to lives as long as the model. It may have
 * no parts, and is then none for a scene. Allocates: no. Thread-safe: yes. */
CLP_API clp_link clp_model_link(const clp_model *model, int link);

/* The robot's, "" where it has none; lives as long as the model. Allocates: no. Thread-safe: yes.
 */
CLP_API const char *clp_model_name(const clp_model *model);

/* How many it has, and each of them. Allocates: no. Thread-safe: yes. */
CLP_API int clp_model_part_count(const clp_model *model, int link);
CLP_API clp_part clp_model_part(const clp_model *model, int link, int part);

/* Sweeps all parts of a link by a ball of this radius (m, not negative), on top of what the file
 * says; before anybody uses them. CLP_ERROR_SHAPE, and none is swept, where one is not convex, not
 * closed or planar. Allocates: no. Thread-safe: for different models. */
CLP_API clp_status clp_model_pad_link(clp_model *model, int link, double padding);

/* Whether two different links, both with parts, make a pair: neither hangs on the other by one
 * joint, by joints through links without parts, or by fixed joints alone, and no SRDF applied so
 * far disables them. Allocates: no. Thread-safe: yes, but for clp_model_apply_srdf. */
CLP_API bool clp_model_is_pair(const clp_model *model, int link_a, int link_b);

/* Writes the overlay of a URDF to `file`: every collision primitive as exact <patches>. A mesh is
 * refused by name. `path` is the URDF. Needs <stdio.h>'s FILE, passed as void *.
 * CLP_ERROR_FILE when that cannot be written. Allocates: yes. Thread-safe: yes. */
CLP_API clp_status clp_model_tile(const char *path, clp_model_sink sink, void *file);

#ifdef __cplusplus
}
#endif

#endif

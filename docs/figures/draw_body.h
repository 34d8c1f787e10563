/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DRAW_BODY_H
#define DRAW_BODY_H

/* Compiled bodies on a canvas: shaded faces, their borders, their outward normals. */

#include "canvas.h"
#include "rclc_closest_point/closest_point.h"

/* Rows and columns of small triangles that a face is cut into. */
#define DRAW_GRID 40

typedef struct lights {
  clp_vec3 key; /* unit vector towards the lamp */
  clp_vec3 eye; /* where the camera is: for the highlight */
} lights;

/* A surface's color under `lights` at a place with this outward normal. */
color shade(lights lamp, color paint, clp_vec3 place, clp_vec3 normal);

/* Face i in palette[i % palette_count]. */
void draw_faces(canvas *picture, const clp_body *body, clp_pose pose, lights lamp,
                const color *palette, int palette_count);

/* The body's shadow on the floor z = 0, thrown by the key light. */
void draw_shadow(canvas *picture, const clp_body *body, clp_pose pose, lights lamp, color paint);

typedef struct line_style {
  double sharp, smooth; /* widths in pixels; zero: not drawn */
  color paint;
  double lift; /* meters towards the eye */
} line_style;

/* Sharp edges and rims, smooth edges and seams. */
void draw_edges(canvas *picture, const clp_body *body, clp_pose pose, line_style style);

typedef struct normal_style {
  double length, spacing; /* meters */
  color paint;
} normal_style;

/* Arrows along the outward normals. */
void draw_normals(canvas *picture, const clp_body *body, clp_pose pose, lights lamp,
                  normal_style style);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CANVAS_H
#define CANVAS_H

/* A picture with a depth buffer: triangles and thick lines in space, seen by a pinhole camera,
 * written as a PPM file. Everything is drawn CANVAS_SAMPLES times too large in both directions and
 * averaged on writing. */

#include <stdbool.h>
#include <stdio.h>

#include "rclc_closest_point/math/vec3.h"

#define CANVAS_SAMPLES 3

typedef struct camera {
  clp_vec3 eye, right, up, forward; /* an orthonormal frame at the eye */
  double focal;                     /* picture widths at unit distance */
} camera;

/* Looks from `eye` at `target`, z upwards, `angle` (radians) wide. */
camera camera_look_at(clp_vec3 eye, clp_vec3 target, double angle);

typedef struct color {
  double r, g, b; /* 0 to 1 */
} color;

color color_mix(color a, color b, double t);

typedef struct canvas {
  int width, height; /* in samples */
  float *nearness;   /* 1 / depth; 0 where nothing was drawn */
  unsigned char *rgb;
  camera view;
} canvas;

/* `width` and `height` in pixels of the file; false when there is no memory. */
bool canvas_create(canvas *picture, int width, int height, camera view, color background);
void canvas_destroy(canvas *picture);

typedef struct canvas_vertex {
  clp_vec3 place;
  color paint;
} canvas_vertex;

/* Both sides are drawn; what lies behind the eye is not. */
void canvas_triangle(canvas *picture, canvas_vertex a, canvas_vertex b, canvas_vertex c);

/* A line `width` pixels thick with round ends, lifted towards the eye by `lift` (meters) so that
 * it shows on the surface it lies in. */
void canvas_line(canvas *picture, clp_vec3 from, clp_vec3 to, double width, double lift,
                 color paint);

bool canvas_write(const canvas *picture, FILE *file);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#include "canvas.h"

#include <stdlib.h>

camera camera_look_at(clp_vec3 eye, clp_vec3 target, double angle)
{
  clp_vec3 forward = clp_unit(clp_sub(target, eye));
  clp_vec3 right = clp_unit(clp_cross(forward, clp_vec3_make(0, 0, 1)));
  return (camera){eye, right, clp_cross(right, forward), forward, 0.5 / tan(0.5 * angle)};
}

color color_mix(color a, color b, double t)
{
  return (color){(1 - t) * a.r + t * b.r, (1 - t) * a.g + t * b.g, (1 - t) * a.b + t * b.b};
}

static unsigned char channel(double value)
{
  return (unsigned char)lround(255 * fmin(1, fmax(0, value)));
}

static void put(canvas *picture, int x, int y, double nearness, color paint)
{
  size_t at = (size_t)y * (size_t)picture->width + (size_t)x;
  if (nearness <= (double)picture->nearness[at])
    return;
  picture->nearness[at] = (float)nearness;
  picture->rgb[3 * at] = channel(paint.r);
  picture->rgb[3 * at + 1] = channel(paint.g);
  picture->rgb[3 * at + 2] = channel(paint.b);
}

bool canvas_create(canvas *picture, int width, int height, camera view, color background)
{
  int w = width * CANVAS_SAMPLES, h = height * CANVAS_SAMPLES;
  size_t count = (size_t)w * (size_t)h;
  *picture = (canvas){w, h, calloc(count, sizeof(float)), malloc(3 * count), view};
  if (!picture->nearness || !picture->rgb) {
    canvas_destroy(picture);
    return false;
  }
  for (size_t i = 0; i < count; i++) {
    picture->rgb[3 * i] = channel(background.r);
    picture->rgb[3 * i + 1] = channel(background.g);
    picture->rgb[3 * i + 2] = channel(background.b);
  }
  return true;
}

void canvas_destroy(canvas *picture)
{
  free(picture->nearness);
  free(picture->rgb);
  *picture = (canvas){0};
}

/* A place in samples, with its depth along the view. */
typedef struct spot {
  double x, y, depth;
} spot;

static spot project(const canvas *picture, clp_vec3 place)
{
  clp_vec3 d = clp_sub(place, picture->view.eye);
  double depth = clp_dot(d, picture->view.forward);
  double scale = picture->view.focal * picture->width / depth;
  return (spot){0.5 * picture->width + scale * clp_dot(d, picture->view.right),
                0.5 * picture->height - scale * clp_dot(d, picture->view.up), depth};
}

/* The samples whose centers lie between lo and hi, kept inside [0, count). */
static int first_sample(double lo)
{
  return (int)fmax(0, ceil(lo - 0.5));
}

static int last_sample(double hi, int count)
{
  return (int)fmin(count - 1, floor(hi - 0.5));
}

static double twice_area(spot a, spot b, double x, double y)
{
  return (b.x - a.x) * (y - a.y) - (b.y - a.y) * (x - a.x);
}

/* 1 / depth is what is linear in the picture; the triangles are so small that colors are too. */
void canvas_triangle(canvas *picture, canvas_vertex va, canvas_vertex vb, canvas_vertex vc)
{
  spot a = project(picture, va.place);
  spot b = project(picture, vb.place);
  spot c = project(picture, vc.place);
  double area = twice_area(a, b, c.x, c.y);
  if (fmin(a.depth, fmin(b.depth, c.depth)) <= 0 || area == 0)
    return;
  int x1 = last_sample(fmax(a.x, fmax(b.x, c.x)), picture->width);
  int y1 = last_sample(fmax(a.y, fmax(b.y, c.y)), picture->height);
  for (int y = first_sample(fmin(a.y, fmin(b.y, c.y))); y <= y1; y++) {
    for (int x = first_sample(fmin(a.x, fmin(b.x, c.x))); x <= x1; x++) {
      double ka = twice_area(b, c, x + 0.5, y + 0.5) / area;
      double kb = twice_area(c, a, x + 0.5, y + 0.5) / area;
      double kc = 1 - ka - kb;
      if (ka < 0 || kb < 0 || kc < 0)
        continue;
      color paint = {ka * va.paint.r + kb * vb.paint.r + kc * vc.paint.r,
                     ka * va.paint.g + kb * vb.paint.g + kc * vc.paint.g,
                     ka * va.paint.b + kb * vb.paint.b + kc * vc.paint.b};
      put(picture, x, y, ka / a.depth + kb / b.depth + kc / c.depth, paint);
    }
  }
}

void canvas_line(canvas *picture, clp_vec3 from, clp_vec3 to, double width, double lift,
                 color paint)
{
  spot a = project(picture, from);
  spot b = project(picture, to);
  if (fmin(a.depth, b.depth) <= lift)
    return;
  double reach = 0.5 * width * CANVAS_SAMPLES;
  double dx = b.x - a.x, dy = b.y - a.y;
  double length2 = fmax(dx * dx + dy * dy, 1e-30);
  int x1 = last_sample(fmax(a.x, b.x) + reach, picture->width);
  int y1 = last_sample(fmax(a.y, b.y) + reach, picture->height);
  for (int y = first_sample(fmin(a.y, b.y) - reach); y <= y1; y++) {
    for (int x = first_sample(fmin(a.x, b.x) - reach); x <= x1; x++) {
      double px = x + 0.5 - a.x, py = y + 0.5 - a.y;
      double t = fmin(1, fmax(0, (px * dx + py * dy) / length2));
      if (hypot(px - t * dx, py - t * dy) <= reach)
        put(picture, x, y, (1 - t) / (a.depth - lift) + t / (b.depth - lift), paint);
    }
  }
}

/* The mean over the samples of one pixel. */
static unsigned char mean(const canvas *picture, int x, int y, int part)
{
  int sum = 0;
  for (int j = 0; j < CANVAS_SAMPLES; j++) {
    for (int i = 0; i < CANVAS_SAMPLES; i++) {
      int row = y * CANVAS_SAMPLES + j, column = x * CANVAS_SAMPLES + i;
      size_t at = (size_t)row * (size_t)picture->width + (size_t)column;
      sum += picture->rgb[3 * at + (size_t)part];
    }
  }
  int count = CANVAS_SAMPLES * CANVAS_SAMPLES;
  return (unsigned char)((sum + count / 2) / count);
}

bool canvas_write(const canvas *picture, FILE *file)
{
  int width = picture->width / CANVAS_SAMPLES, height = picture->height / CANVAS_SAMPLES;
  fprintf(file, "P6\n%d %d\n255\n", width, height);
  for (int y = 0; y < height; y++) {
    for (int x = 0; x < width; x++) {
      for (int part = 0; part < 3; part++)
        fputc(mean(picture, x, y, part), file);
    }
  }
  return fflush(file) == 0 && !ferror(file);
}

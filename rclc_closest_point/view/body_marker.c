/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/view/body_marker.h"

#include <stdlib.h>
#include <string.h>

#include "rclc_closest_point/monitor/picture.h"
#include "rclc_closest_point/node/cdr.h"

#define ENCODING 4 /* bytes; then comes the number of markers */
#define POINT_SIZE 24
#define COLOR_SIZE 16
#define TEXTURE_SIZE 8

static void skip_doubles(clp_cdr *c, int count)
{
  for (int k = 0; k < count; ++k)
    clp_cdr_double(c);
}

static void skip_words(clp_cdr *c, uint32_t count)
{
  for (uint32_t k = 0; c->good && k < count; ++k)
    clp_cdr_uint32(c);
}

static void skip_bytes(clp_cdr *c)
{
  uint32_t count = clp_cdr_sequence(c, 1);
  for (uint32_t k = 0; c->good && k < count; ++k)
    clp_cdr_byte(c);
}

/* std_msgs/Header: its stamp is left out, the frame does not matter. */
static void skip_header(clp_cdr *c)
{
  clp_cdr_time(c);
  clp_cdr_text(c);
}

/* sensor_msgs/CompressedImage, UV coordinates, the text, and a mesh's file. */
static void skip_rest(clp_cdr *c)
{
  clp_cdr_text(c);
  skip_header(c);
  clp_cdr_text(c);
  skip_bytes(c);
  skip_words(c, 2 * clp_cdr_sequence(c, TEXTURE_SIZE));
  clp_cdr_text(c);
  clp_cdr_text(c);
  clp_cdr_text(c);
  skip_bytes(c);
  clp_cdr_byte(c);
}

/* One marker; whether it is a body's. */
static bool read_marker(clp_cdr *c, const char **name)
{
  skip_header(c);
  *name = clp_cdr_text(c);
  clp_cdr_uint32(c); /* its number */
  uint32_t kind = clp_cdr_uint32(c), action = clp_cdr_uint32(c);
  skip_doubles(c, 7 + 3);
  skip_words(c, 4);
  int64_t lifetime = clp_cdr_time(c);
  bool locked = clp_cdr_byte(c) != 0;
  uint32_t points = clp_cdr_sequence(c, POINT_SIZE);
  for (uint32_t k = 0; c->good && k < points; ++k)
    skip_doubles(c, 3);
  skip_words(c, 4 * clp_cdr_sequence(c, COLOR_SIZE));
  skip_rest(c);
  return c->good && kind == CLP_MARKER_TRIANGLES && action == 0 && lifetime == 0 && locked;
}

bool clp_body_marker(const void *bytes, size_t size, const char **name, unsigned char **alone,
                     size_t *alone_size)
{
  clp_cdr c;
  if (!clp_cdr_begin(&c, bytes, size) || clp_cdr_sequence(&c, 1) == 0 || !read_marker(&c, name))
    return false;
  size_t end = ENCODING + c.at;
  unsigned char *copy = malloc(end);
  if (!copy)
    return false;
  memcpy(copy, bytes, end);
  memset(copy + ENCODING, 0, 4);
  copy[ENCODING + (c.big_endian ? 3 : 0)] = 1;
  *alone = copy;
  *alone_size = end;
  return true;
}

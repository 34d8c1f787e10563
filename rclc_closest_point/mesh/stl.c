/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/mesh/stl.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "rclc_closest_point/base/text.h"
#include "rclc_closest_point/model/number.h"
#include "rclc_closest_point/model/xml.h"

#define HEADER_BYTES 84
#define TRIANGLE_BYTES 50

static bool usable(double value)
{
  return fabs(value) <= CLP_MESH_LARGEST_COORDINATE; /* not of a NaN */
}

static clp_status too_many(clp_log *log, int line)
{
  clp_log_defect(log, line, "more than %d triangles, which is the limit", CLP_MESH_MAX_TRIANGLES);
  return CLP_ERROR_FORMAT;
}

/* ---- Binary: little-endian, whatever the machine ------------------------------------------ */

static uint32_t read_u32(const char *bytes)
{
  const unsigned char *b = (const unsigned char *)bytes;
  return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static double read_float(const char *bytes)
{
  uint32_t bits = read_u32(bytes);
  float value;
  memcpy(&value, &bits, sizeof value);
  return (double)value;
}

static bool is_binary(const char *bytes, size_t length)
{
  return length >= HEADER_BYTES &&
         (length - HEADER_BYTES) / TRIANGLE_BYTES == read_u32(bytes + 80) &&
         (length - HEADER_BYTES) % TRIANGLE_BYTES == 0;
}

/* Some exporters fill the file up to a round size. */
static bool is_padded(const char *bytes, size_t length)
{
  size_t count = length >= HEADER_BYTES ? read_u32(bytes + 80) : 0;
  if (count == 0 || (length - HEADER_BYTES) / TRIANGLE_BYTES < count)
    return false;
  for (size_t k = HEADER_BYTES + count * TRIANGLE_BYTES; k < length; ++k)
    if (bytes[k] != 0)
      return false;
  return true;
}

static clp_status read_binary(const char *bytes, clp_log *log, clp_arena *arena,
                              clp_triangles *triangles)
{
  size_t count = read_u32(bytes + 80);
  if (count > CLP_MESH_MAX_TRIANGLES)
    return too_many(log, 1);
  triangles->corners = clp_arena_take(arena, 3 * count, sizeof *triangles->corners);
  if (count > 0 && !triangles->corners)
    return CLP_ERROR_MEMORY;
  for (size_t t = 0; t < count; ++t) {
    const char *numbers = bytes + HEADER_BYTES + t * TRIANGLE_BYTES + 12; /* after the normal */
    double v[9];
    for (int k = 0; k < 9; ++k) {
      v[k] = read_float(numbers + 4 * k);
      if (!usable(v[k])) {
        clp_log_defect(log, 1, "triangle %d has coordinate %s, expected at most 1e7 of either sign",
                       (int)t, clp_number(v[k], 6).text);
        return CLP_ERROR_FORMAT;
      }
    }
    for (int k = 0; k < 3; ++k)
      triangles->corners[3 * t + (size_t)k] = (clp_vec3){v[3 * k], v[3 * k + 1], v[3 * k + 2]};
  }
  triangles->count = count;
  return CLP_OK;
}

/* ---- Text --------------------------------------------------------------------------------- */

typedef struct stl_text {
  clp_tokens tokens;
  clp_token token; /* the one at hand */
  bool ended;
  clp_log *log;
} stl_text;

static void next(stl_text *s)
{
  s->ended = !clp_next_token(&s->tokens, &s->token);
}

/* Keywords are read in any case, as exporters write them. */
static bool at_word(const stl_text *s, const char *word)
{
  size_t length = strlen(word);
  if (s->ended || s->token.length != length)
    return false;
  for (size_t k = 0; k < length; ++k)
    if ((s->token.begin[k] | 0x20) != word[k])
      return false;
  return true;
}

static bool unexpected(stl_text *s, const char *expected)
{
  if (s->ended)
    clp_log_defect(s->log, s->tokens.line, "the file ends, expected %s", expected);
  else
    clp_log_defect(s->log, s->token.line, "'%s', expected %s",
                   clp_show(s->token.begin, s->token.length).text, expected);
  return false;
}

static bool skip_word(stl_text *s, const char *word)
{
  if (!at_word(s, word))
    return unexpected(s, word);
  next(s);
  return true;
}

static bool read_coordinate(stl_text *s, double *value)
{
  if (s->ended || clp_parse_double(s->token.begin, s->token.length, value) != CLP_NUMBER_FINE ||
      !usable(*value))
    return unexpected(s, "a number of at most 1e7 of either sign");
  next(s);
  return true;
}

/* Nobody uses the normal, and some exporters write nan into it. */
static bool skip_normal(stl_text *s)
{
  if (!skip_word(s, "normal"))
    return false;
  for (int k = 0; k < 3; ++k) {
    if (s->ended || at_word(s, "outer"))
      return unexpected(s, "the three numbers of a normal");
    next(s);
  }
  return true;
}

static bool read_facet(stl_text *s, clp_vec3 corner[3])
{
  if (!skip_word(s, "facet") || !skip_normal(s) || !skip_word(s, "outer") || !skip_word(s, "loop"))
    return false;
  for (int k = 0; k < 3; ++k)
    if (!skip_word(s, "vertex") || !read_coordinate(s, &corner[k].x) ||
        !read_coordinate(s, &corner[k].y) || !read_coordinate(s, &corner[k].z))
      return false;
  return skip_word(s, "endloop") && skip_word(s, "endfacet");
}

/* "solid", and its name up to the end of the line. */
static bool skip_title(stl_text *s)
{
  int line = s->token.line;
  if (!skip_word(s, "solid"))
    return false;
  while (!s->ended && s->token.line == line && !at_word(s, "facet") && !at_word(s, "endsolid"))
    next(s);
  return true;
}

static clp_status read_solid(stl_text *s, clp_arena *arena, clp_triangles *triangles,
                             size_t *capacity)
{
  if (!skip_title(s))
    return CLP_ERROR_FORMAT;
  while (!at_word(s, "endsolid")) {
    if (triangles->count == CLP_MESH_MAX_TRIANGLES)
      return too_many(s->log, s->token.line);
    clp_vec3(*grown)[3] =
        clp_arena_grow(arena, triangles->corners, triangles->count, capacity, sizeof *grown);
    if (!grown)
      return CLP_ERROR_MEMORY;
    triangles->corners = &grown[0][0];
    if (!read_facet(s, grown[triangles->count]))
      return CLP_ERROR_FORMAT;
    ++triangles->count;
  }
  while (!s->ended && !at_word(s, "solid")) /* its name again */
    next(s);
  return CLP_OK;
}

static clp_status read_text(const char *bytes, size_t length, clp_log *log, clp_arena *arena,
                            clp_triangles *triangles)
{
  clp_xml_text text = {.begin = bytes, .length = length, .line = 1};
  stl_text s = {.tokens = clp_tokens_of(&text, false), .log = log};
  size_t capacity = 0;
  clp_status status = CLP_OK;
  next(&s);
  while (status == CLP_OK && !s.ended)
    status = read_solid(&s, arena, triangles, &capacity);
  return status;
}

static bool begins_with_solid(const char *bytes, size_t length)
{
  while (length > 0 && clp_is_space(*bytes)) {
    ++bytes;
    --length;
  }
  return length >= 5 && (memcmp(bytes, "solid", 5) == 0 || memcmp(bytes, "SOLID", 5) == 0);
}

clp_status clp_stl_read(const char *bytes, size_t length, clp_log *log, clp_arena *arena,
                        clp_triangles *triangles)
{
  *triangles = (clp_triangles){0};
  if (is_binary(bytes, length))
    return read_binary(bytes, log, arena, triangles);
  if (begins_with_solid(bytes, length) && !memchr(bytes, '\0', length))
    return read_text(bytes, length, log, arena, triangles);
  if (is_padded(bytes, length)) {
    clp_log_note(log, 1, "zeros after the last of %s triangles are left out",
                 clp_number(read_u32(bytes + 80), 10).text);
    return read_binary(bytes, log, arena, triangles);
  }
  if (length < HEADER_BYTES)
    clp_log_defect(log, 1,
                   "%d bytes, expected STL: text that begins with solid, or at least %d bytes",
                   (int)length, HEADER_BYTES);
  else
    clp_log_defect(log, 1,
                   "%d bytes, expected STL: text that begins with solid, or as many as its %s "
                   "triangles ask for, 84 and 50 each",
                   (int)length, clp_number(read_u32(bytes + 80), 10).text);
  return CLP_ERROR_FORMAT;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/tool/pair_options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rclc_closest_point/model/feature_name.h"
#include "rclc_closest_point/model/log.h"
#include "rclc_closest_point/model/number.h"
#include "rclc_closest_point/tool/options.h"

/* ---- Single values ------------------------------------------------------------------------ */

clp_exit_status clp_read_positive(const clp_command *command, const char *option, const char *text,
                                  double *value)
{
  double number = 0;
  if (!text)
    return EXIT_DONE;
  if (clp_parse_double(text, strlen(text), &number) != CLP_NUMBER_FINE || !(number > 0))
    return clp_wrong_usage(command, "option '--%s' is '%s', expected a number greater than zero",
                           option, clp_show_string(text).text);
  *value = number;
  return EXIT_DONE;
}

clp_exit_status clp_read_number(const clp_command *command, const char *option, const char *text,
                                double *value)
{
  if (text && clp_parse_double(text, strlen(text), value) != CLP_NUMBER_FINE)
    return clp_wrong_usage(command, "option '--%s' is '%s', expected a number", option,
                           clp_show_string(text).text);
  return EXIT_DONE;
}

clp_exit_status clp_read_count(const clp_command *command, const char *option, const char *text,
                               int *value)
{
  int number = 0;
  if (!text)
    return EXIT_DONE;
  if (clp_parse_int(text, strlen(text), &number) != CLP_NUMBER_FINE || number < 1)
    return clp_wrong_usage(command, "option '--%s' is '%s', expected an integer greater than zero",
                           option, clp_show_string(text).text);
  *value = number;
  return EXIT_DONE;
}

clp_exit_status clp_read_word(const clp_command *command, const char *option, const char *text,
                              const char *const *words, int *index)
{
  if (!text)
    return EXIT_DONE;
  char expected[256];
  size_t used = 0;
  for (int k = 0; words[k]; ++k) {
    if (strcmp(words[k], text) == 0) {
      *index = k;
      return EXIT_DONE;
    }
    used +=
        (size_t)snprintf(expected + used, sizeof expected - used, "%s%s", k ? ", " : "", words[k]);
  }
  return clp_wrong_usage(command, "option '--%s' is '%s', expected one of %s", option,
                         clp_show_string(text).text, expected);
}

/* ---- Links -------------------------------------------------------------------------------- */

/* The model's link called by the first `length` bytes of `text`, or -1. */
static int find_link(const clp_model *model, const char *text, size_t length)
{
  char *name = malloc(length + 1);
  if (!name)
    return -1;
  memcpy(name, text, length);
  name[length] = '\0';
  int link = clp_model_find_link(model, name);
  free(name);
  return link;
}

/* The same; a link that is not there, or has no parts, is bad input. */
static clp_exit_status read_link(const clp_model *model, const char *option, const char *text,
                                 size_t length, int *link)
{
  *link = find_link(model, text, length);
  if (*link >= 0 && clp_model_part_count(model, *link) > 0)
    return EXIT_DONE;
  fprintf(stderr, "closest_point: option '--%s' names link '%s', which %s\n", option,
          clp_show(text, length).text,
          *link < 0 ? "the model does not have" : "has no parts to be near to anything");
  return EXIT_INPUT;
}

/* ---- Pairs -------------------------------------------------------------------------------- */

static bool add_pair(clp_pair_list *list, clp_link_indices pair)
{
  if (list->count == list->capacity) {
    size_t capacity = list->capacity ? 2 * list->capacity : 64;
    clp_link_indices *pairs = realloc(list->pairs, capacity * sizeof *pairs);
    if (!pairs)
      return false;
    list->pairs = pairs;
    list->capacity = capacity;
  }
  list->pairs[list->count++] = pair;
  return true;
}

/* "a:b" */
static clp_exit_status read_pair(const clp_command *command, const clp_model *model,
                                 const char *text, size_t length, clp_link_indices *pair)
{
  const char *colon = memchr(text, ':', length);
  size_t first = colon ? (size_t)(colon - text) : 0, second = length - first - 1;
  if (!colon || first == 0 || second == 0 || memchr(colon + 1, ':', second))
    return clp_wrong_usage(command, "option '--pairs' has '%s', expected two links as in a:b,c:d",
                           clp_show(text, length).text);
  clp_exit_status status = read_link(model, "pairs", text, first, &pair->a);
  if (status == EXIT_DONE)
    status = read_link(model, "pairs", colon + 1, second, &pair->b);
  if (status == EXIT_DONE && pair->a == pair->b)
    return clp_wrong_usage(command, "option '--pairs' has '%s', expected two different links",
                           clp_show(text, length).text);
  return status;
}

static clp_exit_status read_pairs(const clp_command *command, const clp_model *model,
                                  const char *text, clp_pair_list *list)
{
  for (;;) {
    size_t length = strcspn(text, ",");
    clp_link_indices pair;
    clp_exit_status status = read_pair(command, model, text, length, &pair);
    if (status != EXIT_DONE)
      return status;
    if (!add_pair(list, pair))
      return clp_exit_status_of(CLP_ERROR_MEMORY);
    if (!text[length])
      return EXIT_DONE;
    text += length + 1;
  }
}

clp_exit_status clp_choose_pairs(const clp_command *command, const clp_model *model,
                                 const char *text, clp_pair_list *list)
{
  if (text)
    return read_pairs(command, model, text, list);
  int links = clp_model_link_count(model);
  for (int a = 0; a < links; ++a)
    for (int b = a + 1; b < links; ++b)
      if (clp_model_is_pair(model, a, b) && !add_pair(list, (clp_link_indices){a, b}))
        return clp_exit_status_of(CLP_ERROR_MEMORY);
  return EXIT_DONE;
}

void clp_pair_list_release(clp_pair_list *list)
{
  free(list->pairs);
  *list = (clp_pair_list){0};
}

/* ---- Starts ------------------------------------------------------------------------------- */

/* The pieces of "LINK=face,u,v". */
typedef struct start_text {
  const char *link, *face, *u, *v;
  size_t link_length, face_length, u_length, v_length;
} start_text;

static bool split_start(const char *text, size_t length, start_text *pieces)
{
  const char *end = text + length;
  const char *equals = memchr(text, '=', length);
  const char *first = equals ? memchr(equals, ',', (size_t)(end - equals)) : NULL;
  const char *second = first ? memchr(first + 1, ',', (size_t)(end - first - 1)) : NULL;
  if (!second)
    return false;
  *pieces = (start_text){.link = text,
                         .face = equals + 1,
                         .u = first + 1,
                         .v = second + 1,
                         .link_length = (size_t)(equals - text),
                         .face_length = (size_t)(first - equals - 1),
                         .u_length = (size_t)(second - first - 1),
                         .v_length = (size_t)(end - second - 1)};
  return true;
}

/* The number is followed by a comma, white space or the end: nothing that goes on with it. */
static bool read_parameter(const char *text, size_t length, double *value)
{
  return clp_parse_double(text, length, value) == CLP_NUMBER_FINE;
}

static bool is_called(const clp_model *model, int link, int part, const char *feature,
                      const char *text, size_t length)
{
  char *name = clp_feature_name(model, link, part, feature);
  bool same = name && strlen(name) == length && memcmp(name, text, length) == 0;
  free(name);
  return same;
}

/* A point has no face; its vertex stands in for one. */
static bool find_face(const clp_model *model, int link, const char *text, size_t length,
                      clp_link_spot *spot)
{
  for (int part = 0; part < clp_model_part_count(model, link); ++part) {
    const clp_body *body = clp_model_part(model, link, part).body;
    bool point = clp_body_describe(body).point;
    clp_feature_kind kind = point ? CLP_VERTEX : CLP_FACE;
    for (uint32_t id = 0; id < clp_feature_count(body, kind); ++id) {
      if (!is_called(model, link, part, clp_body_feature(body, kind, id).name, text, length))
        continue;
      spot->part = part;
      spot->face = id;
      return point || clp_body_face_point(body, id, spot->u, spot->v).inside;
    }
  }
  return false;
}

static clp_exit_status read_spot(const clp_command *command, const clp_model *model,
                                 const char *text, size_t length, int *link, clp_link_spot *spot)
{
  start_text pieces;
  if (!split_start(text, length, &pieces) || !read_parameter(pieces.u, pieces.u_length, &spot->u) ||
      !read_parameter(pieces.v, pieces.v_length, &spot->v))
    return clp_wrong_usage(command, "option '--start' has '%s', expected LINK=face,u,v",
                           clp_show(text, length).text);
  clp_exit_status status = read_link(model, "start", pieces.link, pieces.link_length, link);
  if (status != EXIT_DONE)
    return status;
  if (find_face(model, *link, pieces.face, pieces.face_length, spot))
    return EXIT_DONE;
  fprintf(stderr,
          "closest_point: option '--start' has '%s', expected a face of the link and u, v on it\n",
          clp_show(text, length).text);
  return EXIT_INPUT;
}

clp_exit_status clp_read_start(const clp_command *command, const clp_model *model, const char *text,
                               clp_start *start)
{
  static const char space[] = " \t\r\n";
  int count = 0;
  for (const char *c = text + strspn(text, space); *c; c += strspn(c, space)) {
    size_t length = strcspn(c, space);
    if (count < 2) {
      clp_exit_status status =
          read_spot(command, model, c, length, &start->link[count], &start->spot[count]);
      if (status != EXIT_DONE)
        return status;
    }
    ++count;
    c += length;
  }
  if (count != 2 || start->link[0] == start->link[1])
    return clp_wrong_usage(command,
                           "option '--start' has %d %s, expected LINKA=face,u,v "
                           "LINKB=face,u,v with two different links",
                           count, count == 1 ? "place" : "places");
  return EXIT_DONE;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "rclc_closest_point/mesh/urdf_text.h"

#include <string.h>

typedef struct scanner {
  const char *text;
  size_t at, length;
  int depth; /* elements that are open */
  bool in_link;
  size_t collision_begin;
  bool in_collision;
  clp_arena *arena;
  clp_urdf_text *found;
} scanner;

static bool begins(const scanner *s, const char *what)
{
  size_t length = strlen(what);
  return s->length - s->at >= length && memcmp(s->text + s->at, what, length) == 0;
}

static void skip_past(scanner *s, const char *end)
{
  while (s->at < s->length && !begins(s, end))
    ++s->at;
  s->at += s->at < s->length ? strlen(end) : 0;
}

/* Past the '>' of a tag, which may stand in an attribute's value. */
static void skip_tag(scanner *s)
{
  char quote = 0;
  for (; s->at < s->length; ++s->at) {
    char c = s->text[s->at];
    if (quote)
      quote = c == quote ? 0 : quote;
    else if (c == '"' || c == '\'')
      quote = c;
    else if (c == '>')
      break;
  }
  s->at += s->at < s->length;
}

static bool tag_is(const scanner *s, size_t name, const char *wanted)
{
  size_t length = strlen(wanted);
  return s->length - name > length && memcmp(s->text + name, wanted, length) == 0 &&
         strchr(" \t\r\n/>", s->text[name + length]) != NULL;
}

static clp_urdf_link_text *add_link(scanner *s)
{
  clp_urdf_text *f = s->found;
  clp_urdf_link_text *grown =
      clp_arena_grow(s->arena, f->links, f->link_count, &f->link_capacity, sizeof *f->links);
  if (!grown)
    return NULL;
  f->links = grown;
  grown[f->link_count] = (clp_urdf_link_text){.end_tag = {s->at, s->at}};
  return &grown[f->link_count++];
}

static bool add_collision(scanner *s, size_t begin)
{
  clp_urdf_link_text *link = &s->found->links[s->found->link_count - 1];
  clp_text_span *grown = clp_arena_grow(s->arena, link->collisions, link->collision_count,
                                        &link->collision_capacity, sizeof *grown);
  if (!grown)
    return false;
  link->collisions = grown;
  grown[link->collision_count++] = (clp_text_span){begin, s->at};
  return true;
}

static bool open_tag(scanner *s)
{
  size_t begin = s->at;
  skip_tag(s);
  bool empty = s->at >= 2 && s->text[s->at - 2] == '/';
  if (s->depth == 1 && tag_is(s, begin + 1, "link")) {
    if (!add_link(s))
      return false;
    s->in_link = !empty;
  }
  if (s->depth == 2 && s->in_link && tag_is(s, begin + 1, "collision")) {
    s->collision_begin = begin;
    s->in_collision = !empty;
    if (empty && !add_collision(s, begin))
      return false;
  }
  s->depth += !empty;
  return true;
}

static bool close_tag(scanner *s)
{
  size_t begin = s->at;
  skip_tag(s);
  --s->depth;
  if (s->depth == 1 && s->in_link) {
    s->found->links[s->found->link_count - 1].end_tag = (clp_text_span){begin, s->at};
    s->in_link = false;
  }
  if (s->depth == 2 && s->in_collision) {
    s->in_collision = false;
    return add_collision(s, s->collision_begin);
  }
  return true;
}

bool clp_urdf_text_find(const char *text, size_t length, clp_arena *arena, clp_urdf_text *found)
{
  scanner s = {.text = text, .length = length, .arena = arena, .found = found};
  *found = (clp_urdf_text){0};
  while (s.at < s.length) {
    bool good = true;
    if (text[s.at] != '<')
      ++s.at;
    else if (begins(&s, "<!--"))
      skip_past(&s, "-->");
    else if (begins(&s, "<![CDATA["))
      skip_past(&s, "]]>");
    else if (begins(&s, "<?"))
      skip_past(&s, "?>");
    else if (begins(&s, "</"))
      good = close_tag(&s);
    else
      good = open_tag(&s);
    if (!good)
      return false;
  }
  return true;
}

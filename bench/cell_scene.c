/* SPDX-License-Identifier: Apache-2.0 */
#include "cell_scene.h"

#include <stdio.h>
#include <stdlib.h>

static void fail(const char *what)
{
  fprintf(stderr, "A cell's scene: %s\n", what);
  exit(EXIT_FAILURE);
}

clp_scene_options cell_within(double range)
{
  clp_scene_options options = clp_default_scene_options();
  options.pair.range = range;
  return options;
}

clp_scene_options cell_nearest(void)
{
  clp_scene_options options = clp_default_scene_options();
  options.nearest_only = true;
  return options;
}

static void add_links(cell_scene *s)
{
  clp_part parts[16];
  for (int link = 0, part = 0; link < s->c.links; ++link) {
    int count = 0;
    for (; part < s->c.part_count && s->c.parts[part].link == link; ++part)
      parts[count++] = (clp_part){.body = s->bodies[part], .X_LP = s->c.parts[part].X_LP};
    if (clp_scene_add_link(s->scene, (clp_link){parts, count}, &s->links[link]) != CLP_OK)
      fail("no link");
  }
}

static void add_pairs(cell_scene *s)
{
  clp_link_pair_id id;
  for (int pair = 0; pair < CELL_ROBOT_LINKS * s->c.obstacles; ++pair) {
    clp_link_id a = s->links[pair / s->c.obstacles];
    clp_link_id b = s->links[CELL_ROBOT_LINKS + pair % s->c.obstacles];
    if (clp_scene_add_pair(s->scene, a, b, &id) != CLP_OK)
      fail("no pair of links");
    s->pairs[id.index] = pair;
  }
}

cell_scene cell_scene_create(int obstacles, const clp_scene_options *options)
{
  cell_scene s = {0};
  if (!cell_make(obstacles, &s.c))
    fail("no cell");
  int pairs = CELL_ROBOT_LINKS * obstacles;
  s.bodies = calloc((size_t)s.c.part_count, sizeof *s.bodies);
  s.links = calloc((size_t)s.c.links, sizeof *s.links);
  s.pairs = calloc((size_t)pairs, sizeof *s.pairs);
  s.X = calloc((size_t)s.c.links, sizeof *s.X);
  s.V = calloc((size_t)s.c.links, sizeof *s.V);
  int robot_parts = s.c.part_count - obstacles;
  bool all = options->pair.range == 0 && !options->nearest_only;
  clp_scene_limits limits = {.links = s.c.links,
                             .parts = s.c.part_count,
                             .pairs = pairs,
                             .part_pairs = robot_parts * obstacles,
                             .tracked = all || robot_parts * obstacles < 4000 ? 0 : 8000};
  if (!s.bodies || !s.links || !s.pairs || !s.X || !s.V ||
      clp_scene_create(&limits, options, &s.scene) != CLP_OK)
    fail("no memory");
  for (int k = 0; k < s.c.part_count; ++k)
    if (clp_body_create(&s.c.parts[k].def, (clp_reporter){0}, &s.bodies[k]) != CLP_OK)
      fail("no body");
  add_links(&s);
  add_pairs(&s);
  return s;
}

void cell_scene_destroy(cell_scene *s)
{
  clp_scene_destroy(s->scene);
  for (int k = 0; k < s->c.part_count; ++k)
    clp_body_destroy(s->bodies[k]);
  free(s->bodies);
  free(s->links);
  free(s->pairs);
  free(s->X);
  free(s->V);
  cell_destroy(&s->c);
}

clp_scene_report cell_scene_cycle(cell_scene *s, double t)
{
  if (clp_scene_set_motions(s->scene, s->links, s->X, s->V, s->c.links) != CLP_OK)
    fail("a pose is refused");
  return clp_scene_step(s->scene, t);
}

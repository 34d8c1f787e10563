/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "rclc_closest_point/base/rounding.h"
#include "rclc_closest_point/body/body.h"
#include "rclc_closest_point/certify/height.h"
#include "rclc_closest_point/certify/search.h"
#include "rclc_closest_point/math/pose.h"

/* ---- What is usable ----------------------------------------------------------------------- */

static bool is_link(int link, int count)
{
  return link >= 0 && link < count;
}

static bool is_planar(clp_link link)
{
  for (int k = 0; k < link.count; ++k)
    if (!link.parts[k].body || clp_body_describe(link.parts[k].body).planar)
      return true;
  return false;
}

static bool is_usable(const clp_certify_world *world)
{
  if (!world || !world->tree || !world->links || !world->pairs || world->pair_count < 1 ||
      world->carried_count < 0 || (world->carried_count > 0 && !world->carried))
    return false;
  int count = clp_joint_tree_link_count(world->tree);
  for (int k = 0; k < world->pair_count; ++k) {
    clp_certify_pair pair = world->pairs[k];
    if (!is_link(pair.a, count) || !is_link(pair.b, count) || pair.a == pair.b ||
        world->links[pair.a].count < 1 || world->links[pair.b].count < 1 ||
        is_planar(world->links[pair.a]) || is_planar(world->links[pair.b]))
      return false;
  }
  for (int k = 0; k < world->carried_count; ++k)
    if (!is_link(world->carried[k], count))
      return false;
  return true;
}

/* ---- Creation ----------------------------------------------------------------------------- */

/* More pairs of parts than this have no room, some 2 KiB each. */
enum { PART_PAIRS_MAX = 1 << 20 };

/* Cells of a question about what is not convex: there is no cycle that waits for it. */
enum { PATIENT_CELLS = 20000 };

static int mover_at_depth(const clp_chain *chain, int mover, int depth)
{
  while (mover >= 0 && chain->movers[mover].depth > depth)
    mover = chain->movers[mover].parent;
  return mover;
}

/* The movers that both hang on are the first ones of both. */
static void find_shared(const clp_chain *chain, clp_certify_parts *pair)
{
  const clp_moving_part *a = &chain->parts[pair->a], *b = &chain->parts[pair->b];
  int depth = (a->depth < b->depth ? a->depth : b->depth) - 1;
  for (pair->frame = -1; depth >= 0 && pair->frame < 0; --depth) {
    int of_a = mover_at_depth(chain, a->mover, depth),
        of_b = mover_at_depth(chain, b->mover, depth);
    if (of_a == of_b)
      pair->frame = of_a;
  }
  pair->shared = pair->frame < 0 ? 0 : chain->movers[pair->frame].depth + 1;
}

static clp_status make_part_pair(clp_certifier *c, int owner, int a, int b)
{
  const clp_body *body_a = c->chain.parts[a].body, *body_b = c->chain.parts[b].body;
  clp_certify_parts *pair = &c->pairs[c->pair_count];
  clp_pair_options options = clp_default_pair_options();
  options.cells = PATIENT_CELLS;
  *pair =
      (clp_certify_parts){.a = a,
                          .b = b,
                          .owner = owner,
                          .planes = clp_has_height(body_a) && clp_has_height(body_b),
                          .proven = body_a->info.proven && body_b->info.proven,
                          .size = body_a->size + body_b->size + body_a->padding + body_b->padding,
                          .radii = c->chain.parts[a].radius + c->chain.parts[b].radius,
                          .reach = c->chain.parts[a].reach + c->chain.parts[b].reach};
  find_shared(&c->chain, pair);
  clp_status status = clp_pair_create(body_a, body_b, &options, &pair->pair);
  c->pair_count += status == CLP_OK;
  return status;
}

static clp_status make_pairs(clp_certifier *c)
{
  const int *first = c->chain.first_part;
  clp_status status = CLP_OK;
  for (int k = 0; k < c->link_pair_count; ++k) {
    clp_certify_pair links = c->links[k];
    c->states[k].first = c->pair_count;
    for (int a = first[links.a]; a < first[links.a + 1]; ++a)
      for (int b = first[links.b]; b < first[links.b + 1] && status == CLP_OK; ++b)
        status = make_part_pair(c, k, a, b);
    c->states[k].end = c->pair_count;
  }
  return status;
}

static size_t count_part_pairs(const clp_certify_world *world)
{
  size_t count = 0;
  for (int k = 0; k < world->pair_count; ++k)
    count += (size_t)world->links[world->pairs[k].a].count *
             (size_t)world->links[world->pairs[k].b].count;
  return count;
}

/* Room for the pairs of every level as a rule, of which deep ones have few; where that is too
 * little pairs are worked on in groups. */
static int room_for_entries(size_t pairs)
{
  return (int)(12 * pairs) + CLP_CERTIFY_GROUP * CLP_CERTIFY_LEVELS;
}

/* Instants beside each other in common blocks. */
static void share_instants(clp_certifier *c)
{
  const clp_chain *chain = &c->chain;
  size_t movers = (size_t)chain->mover_count, parts = (size_t)chain->moving_count;
  for (size_t k = 0; k < 2 + CLP_CERTIFY_LEVELS; ++k) {
    clp_instant *instant = &c->instants[k];
    instant->X_RM = c->poses + k * (movers + parts);
    instant->X_RP = instant->X_RM + movers;
    instant->axis = c->vectors + k * (movers + parts);
    instant->center = instant->axis + movers;
  }
  size_t table = (size_t)chain->table;
  c->rates = (clp_rates){c->numbers, c->numbers + movers, c->numbers + 2 * movers,
                         c->numbers + 2 * movers + table, c->known};
}

static clp_status take_memory(clp_certifier *c, size_t part_pairs, int link_pairs)
{
  const clp_chain *chain = &c->chain;
  size_t instants = 2 + CLP_CERTIFY_LEVELS;
  size_t each = (size_t)(chain->mover_count + chain->moving_count) + 1;
  c->capacity = room_for_entries(part_pairs);
  c->links = calloc((size_t)link_pairs, sizeof *c->links);
  c->states = calloc((size_t)link_pairs, sizeof *c->states);
  c->pairs = calloc(part_pairs + 1, sizeof *c->pairs);
  c->instants = calloc(instants, sizeof *c->instants);
  c->poses = calloc(instants * each, sizeof *c->poses);
  c->vectors = calloc(instants * each, sizeof *c->vectors);
  c->numbers = calloc(2 * (each + (size_t)chain->table), sizeof *c->numbers);
  c->known = calloc(each, sizeof *c->known);
  c->entries = malloc((size_t)c->capacity * sizeof *c->entries);
  c->courses = calloc((size_t)chain->joint_count + 1, sizeof *c->courses);
  if (!c->links || !c->states || !c->pairs || !c->instants || !c->poses || !c->vectors ||
      !c->numbers || !c->known || !c->entries || !c->courses)
    return CLP_ERROR_MEMORY;
  share_instants(c);
  return CLP_OK;
}

static clp_status fill(clp_certifier *c, const clp_certify_world *world)
{
  size_t part_pairs = count_part_pairs(world);
  if (part_pairs > PART_PAIRS_MAX)
    return CLP_ERROR_LIMIT;
  clp_status status = clp_chain_create(world, &c->chain);
  if (status == CLP_OK)
    status = take_memory(c, part_pairs, world->pair_count);
  if (status != CLP_OK)
    return status;
  c->link_pair_count = world->pair_count;
  memcpy(c->links, world->pairs, (size_t)world->pair_count * sizeof *c->links);
  return make_pairs(c);
}

clp_status clp_certifier_create(const clp_certify_world *world, clp_certifier **certifier)
{
  if (!certifier || !is_usable(world))
    return CLP_ERROR_ARGUMENT;
  clp_certifier *c = calloc(1, sizeof *c);
  clp_status status = c ? fill(c, world) : CLP_ERROR_MEMORY;
  if (status == CLP_OK)
    *certifier = c;
  else
    clp_certifier_destroy(c);
  return status;
}

void clp_certifier_destroy(clp_certifier *c)
{
  if (!c)
    return;
  for (int k = 0; k < c->pair_count; ++k)
    clp_pair_destroy(c->pairs[k].pair);
  clp_chain_destroy(&c->chain);
  free(c->links);
  free(c->states);
  free(c->pairs);
  free(c->instants);
  free(c->poses);
  free(c->vectors);
  free(c->numbers);
  free(c->known);
  free(c->entries);
  free(c->courses);
  free(c);
}

/* ---- Words -------------------------------------------------------------------------------- */

const char *clp_certify_verdict_name(clp_certify_verdict verdict)
{
  static const char *const names[] = {[CLP_CERTIFY_CLEAR] = "CLEAR",
                                      [CLP_CERTIFY_NEAR] = "NEAR",
                                      [CLP_CERTIFY_CONTACT] = "CONTACT",
                                      [CLP_CERTIFY_UNDECIDED] = "UNDECIDED"};
  return names[verdict];
}

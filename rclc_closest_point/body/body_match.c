/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rclc_closest_point/base/buckets.h"
#include "rclc_closest_point/base/text.h"
#include "rclc_closest_point/base/tolerance.h"
#include "rclc_closest_point/body/builder.h"
#include "rclc_closest_point/body/place_index.h"
#include "rclc_closest_point/math/vec3.h"
#include "rclc_closest_point/surface/bounds.h"
#include "rclc_closest_point/surface/curve_match.h"

/* From the sides of faces to edges and vertices.
 *
 * Every side is first one stretch. Stretches with the same two end places whose curves coincide
 * are one edge. What finds no partner is cut at the corners of other faces that lie on it (a
 * T-junction), and tried again. What is left then is a rim. */

/* Beyond so many lone stretches the model is too far from closed for a search for T-junctions and
 * nearest neighbours, quadratic in their number, to help anybody. */
#define MAX_LONE 4096

typedef struct stretch {
  uint32_t face;
  int side;
  clp_curve curve; /* of the whole side, with its lo and hi cut to the stretch */
  clp_storage storage;
  uint32_t place[2]; /* numbers of its ends; equal on a closed curve */
  uint32_t edge;     /* CLP_NONE while alone */
  double sense;      /* as second use of its edge */
  bool affine;
  bool leads; /* the edge's curve is this one's */
  bool cut;   /* replaced by the stretches it was divided into, or one too many */
  bool collapsed;
} stretch;

typedef struct matcher {
  clp_builder *builder;
  clp_place_index places;
  stretch *stretches;
  size_t count, capacity;
  double tolerance;
} matcher;

typedef struct side_text {
  char text[16];
} side_text;

/* What messages call a face's side; a polygon's sides count from its first corner. */
static side_text side_name(const clp_face *face, int side)
{
  static const char *const names[3][4] = {
      {"u0", "u1", "v0", "v1"}, {"inner", "outer"}, {"lower", "upper"}};
  side_text name;
  int row = face->domain.kind == CLP_DOMAIN_DISC ? 1 : face->domain.kind == CLP_DOMAIN_BAND ? 2 : 0;
  if (face->domain.kind == CLP_DOMAIN_POLYGON)
    snprintf(name.text, sizeof name.text, "%d", side);
  else
    snprintf(name.text, sizeof name.text, "%s", names[row][side]);
  return name;
}

static const clp_face *face_of(const matcher *m, const stretch *s)
{
  return &m->builder->faces[s->face].face;
}

static clp_vec3 place_at(const clp_curve *curve, double fraction)
{
  double t = curve->lo + fraction * (curve->hi - curve->lo);
  return clp_curve_point(curve, clp_curve_site_at(curve, t));
}

/* ---- Stretches ---------------------------------------------------------------------------- */

static stretch *add_stretch(matcher *m)
{
  stretch *grown =
      clp_arena_grow(&m->builder->arena, m->stretches, m->count, &m->capacity, sizeof *grown);
  if (!grown)
    return NULL;
  m->stretches = grown;
  stretch *s = &grown[m->count++];
  *s = (stretch){.edge = CLP_NONE, .sense = 1, .affine = true};
  return s;
}

/* Of a line it is seen in its ends. */
static bool is_collapsed(const matcher *m, const stretch *s, const clp_vec3 ends[2],
                         clp_vec3 *place)
{
  const clp_face *face = face_of(m, s);
  *place = clp_lerp(ends[0], ends[1], 0.5);
  if (s->curve.kind == CLP_CURVE_LINE)
    return clp_distance(ends[0], ends[1]) <= m->tolerance;
  return clp_side_collapsed(&face->surface, &face->domain, s->side, m->tolerance, place);
}

static bool add_side(matcher *m, uint32_t face, int side)
{
  const clp_build_face *f = &m->builder->faces[face];
  stretch *s = add_stretch(m);
  if (!s)
    return false;
  s->face = face;
  s->side = side;
  s->storage =
      clp_take_storage(m->builder, clp_side_storage(&f->face.surface, &f->face.domain, side));
  if (!s->storage.numbers)
    return false;
  s->curve = clp_side_curve(&f->face.surface, &f->face.domain, side, s->storage.numbers);
  clp_vec3 ends[2] = {place_at(&s->curve, 0), place_at(&s->curve, 1)}, middle;
  if (is_collapsed(m, s, ends, &middle)) {
    s->collapsed = true;
    s->curve.closed = false; /* it has one end, in both roles */
    s->place[0] = s->place[1] = clp_place_number(&m->places, middle);
    return true;
  }
  s->place[0] = clp_place_number(&m->places, ends[0]);
  s->place[1] = s->curve.closed ? s->place[0] : clp_place_number(&m->places, ends[1]);
  return true;
}

/* Each edge has two sides, or, where a body is open or a side collapsed, one. */
static void expect_sides(matcher *m)
{
  size_t sides = 0;
  for (size_t k = 0; k < m->builder->face_count; ++k)
    sides += (size_t)clp_domain_sides(&m->builder->faces[k].face.domain);
  m->stretches = clp_arena_take(&m->builder->arena, sides + 1, sizeof *m->stretches);
  m->capacity = m->stretches ? sides + 1 : 0;
  clp_expect_edges(m->builder, sides / 2 + 1);
}

static bool add_all_sides(matcher *m)
{
  expect_sides(m);
  for (size_t k = 0; k < m->builder->face_count; ++k) {
    const clp_domain *domain = &m->builder->faces[k].face.domain;
    for (int side = 0; side < clp_domain_sides(domain); ++side)
      if (clp_domain_has_side(domain, side) && !add_side(m, (uint32_t)k, side))
        return false;
  }
  return true;
}

/* ---- Do two stretches run along the same curve? ------------------------------------------- */

static int sample_count(const clp_curve *curve)
{
  switch (curve->kind) {
    case CLP_CURVE_LINE:
      return 2;
    case CLP_CURVE_ELLIPSE:
      return 12;
    default: { /* the difference of two rational curves of degree p vanishes if it does at 2 p + 1
                  points of every span */
      int wanted = curve->as.nurbs.spans * (2 * curve->as.nurbs.degree + 1);
      return wanted < 400 ? wanted : 400;
    }
  }
}

/* Largest distance of points of a from the curve b; *worst is where. */
static double curve_gap(const clp_curve *a, const clp_curve *b, double enough, clp_vec3 *worst)
{
  int samples = sample_count(a) > sample_count(b) ? sample_count(a) : sample_count(b);
  double gap = -1;
  for (int k = 0; k <= samples && gap <= enough; ++k) {
    /* the middle first: it tells different curves between the same ends apart at once */
    double f = k == 0 ? 0.5 : (double)(k - 1) / samples;
    clp_vec3 p = place_at(a, f);
    double off;
    clp_curve_project(b, p, &off);
    if (off > gap) {
      gap = off;
      *worst = p;
    }
  }
  return gap;
}

static bool coincide(const matcher *m, const stretch *a, stretch *b)
{
  double size = m->builder->size;
  clp_match_limits limits = {CLP_TOLERANCE_MATCH * size, CLP_TOLERANCE_AFFINE * size, true};
  clp_arena_mark mark = clp_arena_here(&m->builder->arena);
  clp_curve_match match = clp_match_curves(&a->curve, &b->curve, &limits, &m->builder->arena);
  clp_arena_back(&m->builder->arena, mark);
  b->sense = match.sense;
  b->affine = match.affine;
  return match.same;
}

/* ---- Pairing ------------------------------------------------------------------------------ */

typedef struct group_key {
  uint32_t low, high; /* the end places, in order */
  double x;           /* of the curve's box: sorts large groups */
  size_t index;
} group_key;

static int compare_keys(const void *left, const void *right)
{
  const group_key *a = left, *b = right;
  if (a->low != b->low)
    return a->low < b->low ? -1 : 1;
  if (a->high != b->high)
    return a->high < b->high ? -1 : 1;
  if (a->x != b->x)
    return a->x < b->x ? -1 : 1;
  return (a->index > b->index) - (a->index < b->index);
}

static void report_shared(matcher *m, const stretch *a, const stretch *b, const stretch *c)
{
  clp_vec3 place = place_at(&a->curve, 0.5);
  const clp_face *face = face_of(m, a);
  clp_subject subject = {CLP_FINDING_OVERLAP, face_of(m, c)->item, -1, false, &place, 3};
  clp_defect(m->builder, subject,
             "faces '%.40s', '%.40s' and '%.40s' share side %s of '%.40s' at %s, expected two "
             "faces: surface is covered twice, or thinner than %s, within which sides are one",
             face->name, face_of(m, b)->name, face_of(m, c)->name, side_name(face, a->side).text,
             face->name, clp_place(place).text, clp_number(m->tolerance, 3).text);
}

static bool join(matcher *m, stretch *a, stretch *b)
{
  clp_build_edge *edge = clp_add_edge(m->builder);
  if (!edge)
    return false;
  edge->edge.curve = a->curve;
  edge->storage = a->storage;
  edge->item = face_of(m, a)->item;
  a->edge = b->edge = (uint32_t)(m->builder->edge_count - 1);
  a->leads = true;
  a->sense = 1;
  a->affine = true;
  return true;
}

/* Boxes of coinciding curves agree; one coordinate is enough to keep far ones apart. */
static bool may_coincide(const matcher *m, const group_key *a, const group_key *b)
{
  return b->x - a->x <= 4 * m->tolerance;
}

/* One stretch against those after it in its group; more than one partner is an overlap. */
static bool pair_stretch(matcher *m, const group_key *keys, size_t first, size_t end)
{
  stretch *a = &m->stretches[keys[first].index];
  stretch *partner = NULL;
  if (a->edge != CLP_NONE)
    return true;
  for (size_t k = first + 1; k < end && may_coincide(m, &keys[first], &keys[k]); ++k) {
    stretch *b = &m->stretches[keys[k].index];
    if (b->edge != CLP_NONE || !coincide(m, a, b))
      continue;
    if (partner) {
      report_shared(m, a, partner, b);
      b->edge = a->edge; /* counted once */
      b->cut = true;
      continue;
    }
    partner = b;
    if (!join(m, a, b))
      return false;
  }
  return true;
}

/* The same for curves that coincide, and different for others that do so in part: such as all the
 * meridians between two poles. */
static double extent_of(const clp_curve *curve)
{
  clp_box3 box = clp_curve_box(curve);
  return 0.31 * box.min.x + 0.23 * box.min.y + 0.17 * box.min.z + 0.13 * box.max.x +
         0.11 * box.max.y + 0.05 * box.max.z;
}

static bool pair_group(matcher *m, group_key *keys, size_t first, size_t end)
{
  if (end - first > 4) {
    for (size_t k = first; k < end; ++k)
      keys[k].x = extent_of(&m->stretches[keys[k].index].curve);
    qsort(keys + first, end - first, sizeof *keys, compare_keys);
  }
  for (size_t k = first; k < end; ++k)
    if (!pair_stretch(m, keys, k, end))
      return false;
  return true;
}

static bool is_lone(const stretch *s)
{
  return s->edge == CLP_NONE && !s->cut && !s->collapsed;
}

static size_t count_lone(const matcher *m)
{
  size_t count = 0;
  for (size_t k = 0; k < m->count; ++k)
    count += is_lone(&m->stretches[k]);
  return count;
}

/* Those that are alone, in the order of compare_keys: most places are the lower end of a few. */
static group_key *lone_keys(const matcher *m, size_t *count)
{
  clp_arena *arena = &m->builder->arena;
  size_t room = count_lone(m) + 1;
  group_key *keys = clp_arena_take(arena, room, sizeof *keys);
  uint32_t *lone = clp_arena_take(arena, room, sizeof *lone);
  uint32_t *low = clp_arena_take(arena, room, sizeof *low);
  clp_buckets buckets;
  *count = 0;
  for (size_t k = 0; lone && low && k < m->count; ++k)
    if (is_lone(&m->stretches[k])) {
      const uint32_t *place = m->stretches[k].place;
      low[*count] = place[0] <= place[1] ? place[0] : place[1];
      lone[(*count)++] = (uint32_t)k;
    }
  if (!keys || !lone || !low || !clp_buckets_make(&buckets, arena, low, *count, m->places.count))
    return NULL;
  for (size_t k = 0; k < *count; ++k) {
    size_t index = lone[buckets.order[k]];
    const uint32_t *place = m->stretches[index].place;
    keys[k] =
        (group_key){low[buckets.order[k]], place[0] <= place[1] ? place[1] : place[0], 0, index};
  }
  for (size_t place = 0; place < m->places.count; ++place) {
    size_t first = buckets.first[place], end = buckets.first[place + 1];
    if (end - first > 1)
      qsort(keys + first, end - first, sizeof *keys, compare_keys);
  }
  return keys;
}

static bool pair_lone(matcher *m)
{
  size_t count;
  group_key *keys = lone_keys(m, &count);
  if (!keys)
    return false;
  for (size_t first = 0, end; first < count; first = end) {
    end = first + 1;
    while (end < count && keys[end].low == keys[first].low && keys[end].high == keys[first].high)
      ++end;
    if (!pair_group(m, keys, first, end))
      return false;
  }
  return true;
}

/* ---- T-junctions -------------------------------------------------------------------------- */

typedef struct cut_point {
  double t;
  uint32_t place;
} cut_point;

static int compare_cuts(const void *left, const void *right)
{
  const cut_point *a = left, *b = right;
  return (a->t > b->t) - (a->t < b->t);
}

static bool in_box(clp_vec3 p, clp_box3 box, double margin)
{
  return p.x >= box.min.x - margin && p.x <= box.max.x + margin && p.y >= box.min.y - margin &&
         p.y <= box.max.y + margin && p.z >= box.min.z - margin && p.z <= box.max.z + margin;
}

/* The places among `places` that lie on the stretch between its ends. */
static size_t find_cuts(const matcher *m, const stretch *s, const uint32_t *places, size_t count,
                        cut_point *cuts)
{
  size_t found = 0;
  clp_box3 box = clp_curve_box(&s->curve);
  for (size_t k = 0; k < count; ++k) {
    clp_vec3 p = m->places.places[places[k]];
    double off;
    if (places[k] == s->place[0] || places[k] == s->place[1] || !in_box(p, box, m->tolerance))
      continue;
    double t = clp_curve_project(&s->curve, p, &off);
    if (off <= m->tolerance)
      cuts[found++] = (cut_point){t, places[k]};
  }
  qsort(cuts, found, sizeof *cuts, compare_cuts);
  return found;
}

static bool divide(matcher *m, size_t index, const cut_point *cuts, size_t count)
{
  stretch whole = m->stretches[index];
  m->stretches[index].cut = true;
  double from = whole.curve.lo;
  uint32_t place = whole.place[0];
  for (size_t k = 0; k <= count; ++k) {
    stretch *part = add_stretch(m);
    if (!part)
      return false;
    *part = whole;
    part->curve.lo = from;
    part->curve.hi = k < count ? cuts[k].t : whole.curve.hi;
    part->place[0] = place;
    part->place[1] = k < count ? cuts[k].place : whole.place[1];
    from = part->curve.hi;
    place = part->place[1];
  }
  return true;
}

static int compare_numbers(const void *left, const void *right)
{
  const uint32_t *a = left, *b = right;
  return (*a > *b) - (*a < *b);
}

/* The end places of lone stretches, each once. */
static size_t lone_places(const matcher *m, uint32_t *places)
{
  size_t count = 0, kept = 0;
  for (size_t k = 0; k < m->count; ++k)
    if (is_lone(&m->stretches[k]) && !m->stretches[k].curve.closed) {
      places[count++] = m->stretches[k].place[0];
      places[count++] = m->stretches[k].place[1];
    }
  qsort(places, count, sizeof *places, compare_numbers);
  for (size_t k = 0; k < count; ++k)
    if (k == 0 || places[k] != places[k - 1])
      places[kept++] = places[k];
  return kept;
}

static bool cut_at_corners(matcher *m)
{
  size_t sides = m->count, lone = count_lone(m);
  if (lone == 0 || lone > MAX_LONE)
    return true;
  uint32_t *places = clp_arena_take(&m->builder->arena, 2 * lone, sizeof *places);
  cut_point *cuts = clp_arena_take(&m->builder->arena, 2 * lone, sizeof *cuts);
  if (!places || !cuts)
    return false;
  size_t count = lone_places(m, places);
  for (size_t k = 0; k < sides; ++k) {
    if (!is_lone(&m->stretches[k]) || m->stretches[k].curve.closed)
      continue;
    size_t found = find_cuts(m, &m->stretches[k], places, count, cuts);
    if (found > 0 && !divide(m, k, cuts, found))
      return false;
  }
  return true;
}

/* ---- Rims --------------------------------------------------------------------------------- */

/* The lone stretch of another side that comes nearest, judged by its worst place. */
static const stretch *nearest_lone(const matcher *m, const stretch *s, double *gap, clp_vec3 *worst)
{
  const stretch *nearest = NULL;
  *gap = HUGE_VAL;
  for (size_t k = 0; k < m->count; ++k) {
    const stretch *other = &m->stretches[k];
    if (!is_lone(other) || (other->face == s->face && other->side == s->side))
      continue;
    clp_vec3 place = *worst;
    double off = curve_gap(&s->curve, &other->curve, *gap, &place);
    if (off < *gap) {
      *gap = off;
      *worst = place;
      nearest = other;
    }
  }
  return nearest;
}

static void report_rim(matcher *m, const stretch *s, bool search)
{
  const clp_face *face = face_of(m, s);
  clp_vec3 from = place_at(&s->curve, 0), to = place_at(&s->curve, 1);
  clp_vec3 worst = place_at(&s->curve, 0.5);
  double gap = HUGE_VAL;
  const stretch *other = search ? nearest_lone(m, s, &gap, &worst) : NULL;
  clp_subject subject = {CLP_FINDING_OPEN, face->item, -1, false, &worst, gap};
  if (other && gap <= 0.2 * m->builder->size)
    clp_defect(m->builder, subject,
               "side %s of '%.40s' meets no other side: side %s of '%.40s', the nearest, is %s m "
               "away at %s, expected at most %s",
               side_name(face, s->side).text, face->name,
               side_name(face_of(m, other), other->side).text, face_of(m, other)->name,
               clp_number(gap, 3).text, clp_place(worst).text, clp_number(m->tolerance, 3).text);
  else
    clp_defect(m->builder, subject,
               "side %s of '%.40s' from %s to %s meets no other side, expected a closed surface",
               side_name(face, s->side).text, face->name, clp_place(from).text, clp_place(to).text);
}

/* Every lone stretch becomes a rim edge of its own; a defect where closed was promised. */
static bool add_rims(matcher *m)
{
  size_t lone = count_lone(m);
  m->builder->all_closed = lone == 0;
  for (size_t k = 0; k < m->count; ++k) {
    stretch *s = &m->stretches[k];
    if (!is_lone(s))
      continue;
    if (m->builder->def->closed)
      report_rim(m, s, lone <= MAX_LONE && m->builder->findings < CLP_MAX_FINDINGS);
  }
  for (size_t k = 0; k < m->count; ++k)
    if (is_lone(&m->stretches[k]) && !join(m, &m->stretches[k], &m->stretches[k]))
      return false;
  return true;
}

/* A collapsed side is an edge without extent: a name for messages and nothing to walk along. */
static bool add_collapsed(matcher *m)
{
  for (size_t k = 0; k < m->count; ++k) {
    stretch *s = &m->stretches[k];
    if (!s->collapsed)
      continue;
    if (!join(m, s, s))
      return false;
    m->builder->edges[s->edge].edge.kind = CLP_EDGE_COLLAPSED;
  }
  return true;
}

/* ---- Uses --------------------------------------------------------------------------------- */

static int compare_stretches(const void *left, const void *right)
{
  const stretch *a = left, *b = right;
  if (a->face != b->face)
    return a->face < b->face ? -1 : 1;
  if (a->side != b->side)
    return a->side < b->side ? -1 : 1;
  return (a->curve.lo > b->curve.lo) - (a->curve.lo < b->curve.lo);
}

/* They were added in this order; what T-junctions divide them into comes after them. */
static void sort_stretches(matcher *m)
{
  for (size_t k = 1; k < m->count; ++k)
    if (compare_stretches(&m->stretches[k - 1], &m->stretches[k]) > 0) {
      qsort(m->stretches, m->count, sizeof *m->stretches, compare_stretches);
      return;
    }
}

static void attach_use(clp_builder *builder, const stretch *s, uint32_t number)
{
  clp_build_edge *built = &builder->edges[s->edge];
  clp_edge *edge = &built->edge;
  edge->use[s->leads ? 0 : 1] = number;
  if (!s->leads && !s->affine) {
    edge->second = s->curve;
    built->second_storage = s->storage;
  }
  if (!s->leads || s->curve.closed)
    return;
  edge->vertex[0] = s->place[0]; /* numbers of places for now */
  edge->vertex[1] = s->place[1];
}

/* Writes the uses in the order of faces, sides and parameters. */
static bool write_uses(matcher *m)
{
  clp_builder *builder = m->builder;
  builder->uses = clp_arena_take(&builder->arena, m->count + 1, sizeof *builder->uses);
  if (!builder->uses)
    return false;
  sort_stretches(m);
  for (size_t k = 0; k < m->count; ++k) {
    const stretch *s = &m->stretches[k];
    if (s->cut)
      continue;
    clp_face *face = &builder->faces[s->face].face;
    uint32_t number = (uint32_t)builder->use_count++;
    builder->uses[number] = (clp_use){.face = s->face,
                                      .edge = s->edge,
                                      .side = s->side,
                                      .lo = s->curve.lo,
                                      .hi = s->curve.hi,
                                      .sense = s->sense,
                                      .affine = s->affine};
    if (face->use_count++ == 0)
      face->first_use = number;
    attach_use(builder, s, number);
  }
  return true;
}

void clp_match_sides(clp_builder *builder)
{
  matcher m = {.builder = builder, .tolerance = CLP_TOLERANCE_MATCH * builder->size};
  bool done = clp_place_index_init(&m.places, &builder->arena, m.tolerance, builder->box.min,
                                   4 * builder->face_count) &&
              add_all_sides(&m) && !builder->arena.failed && pair_lone(&m) && cut_at_corners(&m) &&
              pair_lone(&m) && add_rims(&m) && add_collapsed(&m) && write_uses(&m);
  if (done)
    clp_gather_vertices(builder, m.places.places, m.places.count);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "rclc_closest_point/base/text.h"
#include "rclc_closest_point/model/feature_name.h"
#include "rclc_closest_point/model/json.h"
#include "rclc_closest_point/model/log.h"
#include "rclc_closest_point/tool/collisions.h"
#include "rclc_closest_point/tool/command.h"
#include "rclc_closest_point/tool/options.h"
#include "rclc_closest_point/tool/output.h"
#include "rclc_closest_point/tool/pair_options.h"
#include "rclc_closest_point/tool/table.h"

typedef struct check_options {
  const char *model, *srdf, *out, *collisions, *write_srdf;
  int samples; /* 0: nobody asks for collisions */
  bool json, verbose, quiet, strict;
} check_options;

static const clp_feature_kind kinds[] = {CLP_FACE, CLP_EDGE, CLP_VERTEX};

static const char *edge_kind_name(clp_edge_kind kind)
{
  static const char *const names[] = {
      [CLP_EDGE_SHARP] = "sharp",       [CLP_EDGE_SMOOTH] = "smooth",
      [CLP_EDGE_SEAM] = "seam",         [CLP_EDGE_COLLAPSED] = "collapsed",
      [CLP_EDGE_BOUNDARY] = "boundary", [CLP_EDGE_CURVE] = "curve",
  };
  return names[kind];
}

/* Across these the normal is continuous. */
static bool is_smooth(clp_edge_kind kind)
{
  return kind == CLP_EDGE_SMOOTH || kind == CLP_EDGE_SEAM;
}

static const char *plural(int count, const char *one, const char *many)
{
  return count == 1 ? one : many;
}

/* ---- For people --------------------------------------------------------------------------- */

static int smooth_edges(const clp_body *body)
{
  int count = 0;
  for (uint32_t k = 0; k < clp_feature_count(body, CLP_EDGE); ++k)
    count += is_smooth(clp_body_feature(body, CLP_EDGE, k).edge);
  return count;
}

static void add_edge_cell(clp_table *table, const clp_body *body, int edges)
{
  int smooth = smooth_edges(body);
  const char *word = plural(edges, "edge", "edges");
  if (smooth)
    clp_table_add(table, "%d %s (%d smooth)", edges, word, smooth);
  else
    clp_table_add(table, "%d %s", edges, word);
}

/* Bounds are exact up to rounding, and a rounding error beside 1 is meant to be 0. */
static double tidy(double value, double beside)
{
  return fabs(value) > 1e-14 * fabs(beside) ? value : 0;
}

static void add_range_cell(clp_table *table, const char *axis, double lo, double hi)
{
  clp_table_add(table, "%s %s..%s", axis, clp_number(tidy(lo, hi), 6).text,
                clp_number(tidy(hi, lo), 6).text);
}

static void add_part_row(clp_table *table, const clp_model *model, int link, int index,
                         bool verbose)
{
  clp_part part = clp_model_part(model, link, index);
  clp_body_info info = clp_body_describe(part.body);
  clp_table_add(table, "%s%s%s", clp_model_link_name(model, link), *part.name ? "/" : "",
                part.name);
  clp_table_add(table, "%d %s", info.faces, plural(info.faces, "face", "faces"));
  add_edge_cell(table, part.body, info.edges);
  clp_table_add(table, "%d %s", info.vertices, plural(info.vertices, "vertex", "vertices"));
  clp_table_add(table, "%s%s", info.closed ? "closed" : "open", info.planar ? ", planar" : "");
  clp_table_add(table, "%s%s%s%s", info.convex ? "convex" : "not convex",
                info.proven ? "" : ", not proven", info.padding > 0 ? ", padded by " : "",
                info.padding > 0 ? clp_number(info.padding, 6).text : "");
  clp_table_add(table, "%s", info.nice ? "nice" : "not nice");
  add_range_cell(table, "x", info.bounds.min.x, info.bounds.max.x);
  add_range_cell(table, "y", info.bounds.min.y, info.bounds.max.y);
  add_range_cell(table, "z", info.bounds.min.z, info.bounds.max.z);
  clp_table_add(table, "volume %s", clp_number(info.volume, 9).text);
  clp_table_add(table, "area %s", clp_number(info.area, 9).text);
  if (verbose) {
    clp_table_add(table, "%s bytes", clp_number((double)info.bytes, 15).text);
    clp_table_add(table, "%s ms", clp_number(1e3 * info.build_time, 3).text);
  }
}

static bool print_parts(const clp_model *model, bool verbose, FILE *stream)
{
  clp_table table = {.columns = verbose ? 14 : 12};
  for (int link = 0; link < clp_model_link_count(model); ++link)
    for (int part = 0; part < clp_model_part_count(model, link); ++part)
      add_part_row(&table, model, link, part, verbose);
  bool good = !table.failed;
  if (good)
    clp_table_print(&table, stream);
  clp_table_release(&table);
  return good;
}

static bool add_feature_row(clp_table *table, const clp_model *model, int link, int index,
                            clp_feature_info feature, uint32_t base)
{
  char *name = clp_feature_name(model, link, index, feature.name);
  if (!name)
    return false;
  const char *property = "";
  if (feature.kind == CLP_EDGE)
    property = edge_kind_name(feature.edge);
  else if (feature.kind == CLP_VERTEX)
    property = feature.sharp ? "sharp" : "smooth";
  clp_table_add(table, "  %s", clp_feature_kind_name(feature.kind));
  clp_table_add(table, "%s", clp_number((double)(base + feature.id), 10).text);
  clp_table_add(table, "%s", name);
  clp_table_add(table, "%s", property);
  clp_table_add(table, "%s", clp_place(feature.place).text);
  free(name);
  return true;
}

static bool print_features(const clp_model *model, int link, int index, FILE *stream)
{
  clp_part part = clp_model_part(model, link, index);
  clp_table table = {.columns = 5};
  bool good = true;
  for (int k = 0; k < 3; ++k) {
    uint32_t base = clp_feature_base(model, link, index, kinds[k]);
    for (uint32_t id = 0; good && id < clp_feature_count(part.body, kinds[k]); ++id)
      good = add_feature_row(&table, model, link, index, clp_body_feature(part.body, kinds[k], id),
                             base);
  }
  good = good && !table.failed;
  if (good) {
    fprintf(stream, "\n%s%s%s\n", clp_model_link_name(model, link), *part.name ? "/" : "",
            part.name);
    clp_table_print(&table, stream);
  }
  clp_table_release(&table);
  return good;
}

static bool is_uncovered(const clp_model *model, int link)
{
  return clp_model_part_count(model, link) == 0 && clp_model_link_matter(model, link) != 0;
}

static bool has_bodies(const clp_model *model)
{
  for (int link = 0; link < clp_model_link_count(model); ++link)
    if (clp_model_part_count(model, link) > 0)
      return true;
  return false;
}

static void print_uncovered(const clp_model *model, FILE *stream)
{
  for (int link = 0; link < clp_model_link_count(model); ++link)
    if (is_uncovered(model, link))
      fprintf(stream, "%s  uncovered: %s, but no body\n", clp_model_link_name(model, link),
              clp_model_matter_text(clp_model_link_matter(model, link)));
}

static void print_pair_count(const clp_model *model, FILE *stream)
{
  int links = clp_model_link_count(model);
  unsigned long long pairs = 0;
  for (int a = 0; a < links; ++a)
    for (int b = a + 1; b < links; ++b)
      pairs += clp_model_is_pair(model, a, b);
  fprintf(stream, "\n%d %s, %llu %s\n", links, plural(links, "link", "links"), pairs,
          pairs == 1 ? "pair" : "pairs");
}

static void print_collisions(const clp_model *model, const clp_collisions *collisions, FILE *stream)
{
  for (int k = 0; k < collisions->pair_count; ++k) {
    const clp_collision_pair *pair = &collisions->pairs[k];
    bool always = clp_always_overlaps(collisions, k);
    if (always || clp_never_overlaps(collisions, k))
      fprintf(stream, "%s  %s  %s in %ld states\n", clp_model_link_name(model, pair->a),
              clp_model_link_name(model, pair->b), always ? "always overlap" : "never overlap",
              collisions->samples);
  }
}

static bool print_report(const clp_model *model, bool verbose, const clp_collisions *collisions,
                         FILE *stream)
{
  if (!print_parts(model, verbose, stream))
    return false;
  print_uncovered(model, stream);
  print_collisions(model, collisions, stream);
  if (!verbose)
    return true;
  for (int link = 0; link < clp_model_link_count(model); ++link)
    for (int part = 0; part < clp_model_part_count(model, link); ++part)
      if (!print_features(model, link, part, stream))
        return false;
  print_pair_count(model, stream);
  return true;
}

/* ---- For programs ------------------------------------------------------------------------- */

static void write_place(clp_json *json, const char *key, clp_vec3 place)
{
  clp_json_open(json, key, '[');
  clp_json_number(json, NULL, place.x);
  clp_json_number(json, NULL, place.y);
  clp_json_number(json, NULL, place.z);
  clp_json_close(json, ']');
}

static bool write_feature(clp_json *json, const clp_model *model, int link, int part,
                          clp_feature_info feature, uint32_t base)
{
  char *name = clp_feature_name(model, link, part, feature.name);
  if (!name)
    return false;
  clp_json_open(json, NULL, '{');
  clp_json_integer(json, "id", base + feature.id);
  clp_json_string(json, "name", name);
  if (feature.kind == CLP_EDGE) {
    clp_json_string(json, "kind", edge_kind_name(feature.edge));
    clp_json_bool(json, "smooth", is_smooth(feature.edge));
  }
  if (feature.kind == CLP_VERTEX) {
    clp_json_bool(json, "sharp", feature.sharp);
    write_place(json, "place", feature.place);
  }
  clp_json_close(json, '}');
  free(name);
  return true;
}

static bool write_features(clp_json *json, const clp_model *model, int link, int part)
{
  static const char *const keys[] = {"faces", "edges", "vertices"};
  const clp_body *body = clp_model_part(model, link, part).body;
  for (int k = 0; k < 3; ++k) {
    uint32_t base = clp_feature_base(model, link, part, kinds[k]);
    clp_json_open(json, keys[k], '[');
    for (uint32_t id = 0; id < clp_feature_count(body, kinds[k]); ++id)
      if (!write_feature(json, model, link, part, clp_body_feature(body, kinds[k], id), base))
        return false;
    clp_json_close(json, ']');
  }
  return true;
}

static bool write_part(clp_json *json, const clp_model *model, int link, int index)
{
  clp_part part = clp_model_part(model, link, index);
  clp_body_info info = clp_body_describe(part.body);
  clp_json_open(json, NULL, '{');
  clp_json_string(json, "name", part.name);
  if (!write_features(json, model, link, index))
    return false;
  clp_json_bool(json, "closed", info.closed);
  clp_json_bool(json, "convex", info.convex);
  clp_json_bool(json, "nice", info.nice);
  clp_json_bool(json, "planar", info.planar);
  clp_json_bool(json, "proven", info.proven);
  clp_json_number(json, "padding", info.padding);
  clp_json_number(json, "volume", info.volume);
  clp_json_number(json, "area", info.area);
  clp_json_open(json, "bounds", '[');
  write_place(json, NULL, info.bounds.min);
  write_place(json, NULL, info.bounds.max);
  clp_json_close(json, ']');
  clp_json_close(json, '}');
  return true;
}

static void write_pairs(clp_json *json, const char *key, const clp_model *model,
                        const clp_collisions *collisions,
                        bool (*is_one)(const clp_collisions *collisions, int pair))
{
  clp_json_open(json, key, '[');
  for (int k = 0; k < collisions->pair_count; ++k) {
    if (!is_one(collisions, k))
      continue;
    clp_json_open(json, NULL, '[');
    clp_json_string(json, NULL, clp_model_link_name(model, collisions->pairs[k].a));
    clp_json_string(json, NULL, clp_model_link_name(model, collisions->pairs[k].b));
    clp_json_close(json, ']');
  }
  clp_json_close(json, ']');
}

static void write_collisions(clp_json *json, const clp_model *model,
                             const clp_collisions *collisions)
{
  if (collisions->samples == 0)
    return;
  clp_json_open(json, "collisions", '{');
  clp_json_integer(json, "samples", (uint32_t)collisions->samples);
  write_pairs(json, "always", model, collisions, clp_always_overlaps);
  write_pairs(json, "never", model, collisions, clp_never_overlaps);
  clp_json_close(json, '}');
}

static bool write_json(const clp_model *model, const clp_collisions *collisions, FILE *stream)
{
  clp_json json = {.stream = stream};
  clp_json_open(&json, NULL, '{');
  clp_json_open(&json, "links", '[');
  for (int link = 0; link < clp_model_link_count(model); ++link) {
    clp_json_open(&json, NULL, '{');
    clp_json_string(&json, "name", clp_model_link_name(model, link));
    clp_json_open(&json, "parts", '[');
    for (int part = 0; part < clp_model_part_count(model, link); ++part)
      if (!write_part(&json, model, link, part))
        return false;
    clp_json_close(&json, ']');
    if (is_uncovered(model, link))
      clp_json_bool(&json, "uncovered", true);
    clp_json_close(&json, '}');
  }
  clp_json_close(&json, ']');
  write_collisions(&json, model, collisions);
  clp_json_close(&json, '}');
  fputc('\n', stream);
  return true;
}

/* ---- The command -------------------------------------------------------------------------- */

static clp_exit_status load(check_options *options, clp_model **model)
{
  clp_model_sink sink = clp_stderr_sink(&options->quiet);
  clp_status status = clp_model_load(options->model, sink, model);
  if (status == CLP_OK && options->srdf)
    status = clp_model_apply_srdf(*model, options->srdf, sink);
  return clp_exit_status_of(status);
}

/* Whoever relies on a model wants to know what it leaves out. */
static clp_exit_status be_strict(check_options *options, const clp_model *model)
{
  clp_log log = {.file = options->model, .sink = clp_stderr_sink(&options->quiet)};
  if (!has_bodies(model))
    clp_log_defect(&log, 1, "no link has a body, expected <patches> or collision primitives");
  for (int link = 0; link < clp_model_link_count(model); ++link)
    if (is_uncovered(model, link))
      clp_log_defect(&log, clp_model_link_line(model, link),
                     "link '%s' has %s but no body, expected <patches> or collision primitives",
                     clp_show_string(clp_model_link_name(model, link)).text,
                     clp_model_matter_text(clp_model_link_matter(model, link)));
  return log.defects > 0 ? EXIT_INPUT : EXIT_DONE;
}

static clp_exit_status print_results(const check_options *options, const clp_model *model,
                                     const clp_collisions *collisions)
{
  if (options->quiet && !options->json)
    return EXIT_DONE;
  clp_output output = clp_output_open(options->out);
  if (!output.stream)
    return clp_output_close(&output);
  bool complete = options->json ? write_json(model, collisions, output.stream)
                                : print_report(model, options->verbose, collisions, output.stream);
  clp_exit_status status = clp_output_close(&output);
  return complete ? status : clp_exit_status_of(CLP_ERROR_MEMORY);
}

static clp_exit_status check_model(check_options *options, const clp_model *model)
{
  clp_collisions collisions = {0};
  clp_exit_status status = EXIT_DONE;
  if (options->strict)
    status = be_strict(options, model);
  if (status == EXIT_DONE && options->samples > 0)
    status =
        clp_sample_collisions(model, options->model, options->samples, options->quiet, &collisions);
  if (status == EXIT_DONE)
    status = print_results(options, model, &collisions);
  if (status == EXIT_DONE && options->write_srdf)
    status = clp_write_srdf(options->write_srdf, model, &collisions);
  clp_collisions_release(&collisions);
  return status;
}

static clp_exit_status check_options_of(const clp_command *command, check_options *options)
{
  const char *const inputs[] = {options->model, options->srdf, NULL};
  const char *const others[] = {options->model, options->srdf, options->out, NULL};
  clp_exit_status status =
      clp_read_count(command, "collisions", options->collisions, &options->samples);
  if (status == EXIT_DONE && options->write_srdf && options->samples == 0)
    status = clp_wrong_usage(command, "--write-srdf expects --collisions N");
  if (status == EXIT_DONE)
    status = clp_output_spares(command, "out", options->out, inputs);
  if (status == EXIT_DONE)
    status = clp_output_spares(command, "write-srdf", options->write_srdf, others);
  return status;
}

static clp_exit_status run(const clp_command *command, int argc, char **argv)
{
  check_options options = {0};
  const clp_option table[] = {{"json", 0, &options.json, NULL},
                              {"verbose", 'v', &options.verbose, NULL},
                              {"quiet", 'q', &options.quiet, NULL},
                              {"strict", 0, &options.strict, NULL},
                              {"srdf", 0, NULL, &options.srdf},
                              {"out", 0, NULL, &options.out},
                              {"collisions", 0, NULL, &options.collisions},
                              {"write-srdf", 0, NULL, &options.write_srdf},
                              {0}};
  const clp_operand operands[] = {{"MODEL", &options.model}, {0}};
  clp_exit_status status;
  if (!clp_read_options(command, argc, argv, table, operands, &status))
    return status;
  status = check_options_of(command, &options);
  if (status != EXIT_DONE)
    return status;
  clp_model *model = NULL;
  status = load(&options, &model);
  if (status == EXIT_DONE)
    status = check_model(&options, model);
  clp_model_destroy(model);
  return status;
}

const clp_command clp_command_check = {
    "check", "validate a model and describe its bodies",
    "usage: closest_point check MODEL [OPTION...]\n"
    "\n"
    "Reads MODEL (a URDF with <patches>), compiles every part and verifies that it is what it\n"
    "claims to be: closed, convex, consistently oriented, made of nice patches. Prints a line\n"
    "for each part: its name, how many faces, edges and vertices it has, whether it is closed,\n"
    "convex (and not proven, where proof=\"sampled\" let samples decide) and nice, its bounding\n"
    "box in the part's frame, its volume and its area; then a line for each link that has a\n"
    "<visual>, a <collision> or a mass but no body. What is wrong is printed to standard error\n"
    "as FILE:LINE: ..., and the exit status is 1.\n"
    "\n"
    "options:\n"
    "  --json         print JSON: links, their parts, the parts' features with names and ids\n"
    "  -v, --verbose  also memory, build time, every feature, and the number of pairs\n"
    "  --strict       links without a body, and a file without any, are wrong\n"
    "  -q, --quiet    print nothing but errors (and the JSON, with --json)\n"
    "  --srdf FILE    also read the disabled pairs of an SRDF\n"
    "  --collisions N  move the joints to N random states within their limits, and list the\n"
    "                 pairs of one robot's links that always overlap there, and that never do\n"
    "  --write-srdf FILE  write both to FILE, with which they are not watched any more\n"
    "  --out FILE     write to FILE instead of standard output\n"
    "  --help         print this\n"
    "  --version      print the version\n",
    run};

/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "rclc_closest_point/base/text.h"
#include "rclc_closest_point/mesh/tile.h"
#include "rclc_closest_point/model/json.h"
#include "rclc_closest_point/model/number.h"
#include "rclc_closest_point/tool/command.h"
#include "rclc_closest_point/tool/options.h"
#include "rclc_closest_point/tool/output.h"
#include "rclc_closest_point/tool/progress.h"
#include "rclc_closest_point/tool/table.h"

#define MOST_PACKAGE_PATHS 16

typedef struct tile_options {
  const char *urdf, *out, *report, *margin, *round, *max_gap, *max_parts, *max_facets;
  const char *paths[MOST_PACKAGE_PATHS + 1]; /* NULL at the end */
  bool quiet;
  clp_tile_wish wish;
} tile_options;

/* ---- The command line --------------------------------------------------------------------- */

static bool read_length(const char *text, double least, double *value)
{
  if (!text)
    return true;
  return clp_parse_double(text, strlen(text), value) == CLP_NUMBER_FINE && *value >= least &&
         *value <= 10;
}

static bool read_count(const char *text, int least, int most, int *value)
{
  if (!text)
    return true;
  return clp_parse_int(text, strlen(text), value) == CLP_NUMBER_FINE && *value >= least &&
         *value <= most;
}

static clp_exit_status read_values(const clp_command *command, tile_options *o)
{
  if (!read_length(o->margin, 0, &o->wish.margin))
    return clp_wrong_usage(command, "--margin is '%s', expected a length from 0 to 10 (m)",
                           o->margin);
  if (!read_length(o->round, 0, &o->wish.round))
    return clp_wrong_usage(command, "--round is '%s', expected a length from 0 to 10 (m)",
                           o->round);
  if (!read_length(o->max_gap, 1e-6, &o->wish.max_gap))
    return clp_wrong_usage(command, "--max-gap is '%s', expected a length from 1e-6 to 10 (m)",
                           o->max_gap);
  if (!read_count(o->max_parts, 1, CLP_TILE_MAX_PARTS, &o->wish.max_parts))
    return clp_wrong_usage(command, "--max-parts is '%s', expected 1 to %d", o->max_parts,
                           CLP_TILE_MAX_PARTS);
  if (!read_count(o->max_facets, CLP_TILE_MIN_FACETS, CLP_TILE_MAX_FACETS, &o->wish.max_facets))
    return clp_wrong_usage(command, "--max-facets is '%s', expected %d to %d", o->max_facets,
                           CLP_TILE_MIN_FACETS, CLP_TILE_MAX_FACETS);
  if (o->paths[MOST_PACKAGE_PATHS])
    return clp_wrong_usage(command, "--package-path is given more than %d times",
                           MOST_PACKAGE_PATHS);
  o->wish.package_paths = o->paths;
  return EXIT_DONE;
}

static bool read_options(const clp_command *command, int argc, char **argv, tile_options *o,
                         clp_exit_status *status)
{
  enum { OTHERS = 10, PATHS = MOST_PACKAGE_PATHS + 1 };
  clp_option options[OTHERS + PATHS + 1] = {
      {"out", 0, NULL, &o->out},
      {"report", 0, NULL, &o->report},
      {"margin", 0, NULL, &o->margin},
      {"round", 0, NULL, &o->round},
      {"max-gap", 0, NULL, &o->max_gap},
      {"max-parts", 0, NULL, &o->max_parts},
      {"max-facets", 0, NULL, &o->max_facets},
      {"visual", 0, &o->wish.visual, NULL},
      {"link", 0, NULL, &o->wish.link},
      {"quiet", 'q', &o->quiet, NULL},
  };
  for (int k = 0; k < PATHS; ++k) /* the last one tells that there are too many */
    options[OTHERS + k] = (clp_option){"package-path", 0, NULL, &o->paths[k]};
  const clp_operand operands[] = {{"URDF", &o->urdf}, {0}};
  if (!clp_read_options(command, argc, argv, options, operands, status))
    return false;
  *status = read_values(command, o);
  if (*status == EXIT_DONE)
    *status =
        clp_output_spares(command, "out", o->out, (const char *const[]){o->urdf, o->report, NULL});
  if (*status == EXIT_DONE)
    *status = clp_output_spares(command, "report", o->report, (const char *const[]){o->urdf, NULL});
  return *status == EXIT_DONE;
}

/* ---- What became of the links ------------------------------------------------------------- */

static void write_link(clp_json *json, const clp_tile_link *link)
{
  clp_json_open(json, NULL, '{');
  clp_json_string(json, "name", link->name);
  clp_json_open(json, "meshes", '[');
  for (int k = 0; k < link->mesh_count; ++k)
    clp_json_string(json, NULL, link->meshes[k]);
  clp_json_close(json, ']');
  clp_json_integer(json, "triangles", (uint32_t)link->triangles);
  clp_json_bool(json, "watertight", link->watertight && !link->failed);
  clp_json_integer(json, "parts", link->failed ? 0 : (uint32_t)link->parts);
  clp_json_integer(json, "facets", link->failed ? 0 : (uint32_t)link->facets);
  clp_json_number(json, "gap", link->failed ? (double)NAN : link->gap);
  clp_json_number(json, "volume_ratio", link->volume_ratio);
  clp_json_bool(json, "contained", link->contained);
  clp_json_number(json, "visual_outside", link->visual_outside);
  clp_json_close(json, '}');
}

static clp_exit_status write_report(const char *path, const clp_tiled *tiled)
{
  if (!path)
    return EXIT_DONE;
  clp_output output = clp_output_open(path);
  if (output.stream) {
    clp_json json = {.stream = output.stream};
    clp_json_open(&json, NULL, '{');
    clp_json_open(&json, "links", '[');
    for (int k = 0; k < tiled->link_count; ++k)
      write_link(&json, &tiled->links[k]);
    clp_json_close(&json, ']');
    clp_json_close(&json, '}');
    fputc('\n', output.stream);
  }
  return clp_output_close(&output);
}

static const char *millimeters(double length, clp_number_text *text)
{
  *text = clp_number(1e3 * length, 3);
  return isnan(length) ? "-" : text->text;
}

/* Primitives alone are exact: there is nothing to be said of them. */
static bool has_meshes(const clp_tiled *tiled)
{
  for (int k = 0; k < tiled->link_count; ++k)
    if (tiled->links[k].mesh_count > 0)
      return true;
  return false;
}

static void print_table(const clp_tiled *tiled)
{
  static const char *const heads[] = {"link",   "triangles", "closed", "parts",
                                      "facets", "gap mm",    "volume", "visual mm"};
  clp_table table = {.columns = 8};
  for (int k = 0; k < 8; ++k)
    clp_table_add(&table, "%s", heads[k]);
  for (int k = 0; k < tiled->link_count; ++k) {
    const clp_tile_link *link = &tiled->links[k];
    clp_number_text gap, outside;
    clp_table_add(&table, "%s", link->name);
    clp_table_add(&table, "%zu", link->triangles);
    bool known = link->mesh_count > 0 && !link->failed;
    clp_table_add(&table, "%s", !known ? "-" : link->watertight ? "yes" : "no");
    clp_table_add(&table, "%d", link->failed ? 0 : link->parts);
    clp_table_add(&table, "%d", link->failed ? 0 : link->facets);
    clp_table_add(&table, "%s", link->failed ? "failed" : millimeters(link->gap, &gap));
    clp_table_add(&table, "%s",
                  isnan(link->volume_ratio) ? "-" : clp_number(link->volume_ratio, 3).text);
    clp_table_add(&table, "%s", millimeters(link->visual_outside, &outside));
  }
  clp_table_print(&table, stderr);
  clp_table_release(&table);
}

/* ---- The command -------------------------------------------------------------------------- */

typedef struct shown_progress {
  clp_progress bar;
  bool begun, quiet;
} shown_progress;

static bool show(void *user, int done, int links)
{
  shown_progress *shown = user;
  if (!shown->begun)
    shown->bar = clp_progress_begin("tiling", links, shown->quiet);
  shown->begun = true;
  clp_progress_show(&shown->bar, done);
  return true;
}

static clp_exit_status write_results(const tile_options *o, const clp_tiled *tiled)
{
  clp_output output = clp_output_open(o->out);
  if (output.stream)
    fwrite(tiled->text, 1, tiled->length, output.stream);
  clp_exit_status status = clp_output_close(&output);
  if (status == EXIT_DONE)
    status = write_report(o->report, tiled);
  if (status == EXIT_DONE && tiled->failures > 0)
    status = EXIT_INPUT;
  return status;
}

static clp_exit_status run(const clp_command *command, int argc, char **argv)
{
  tile_options o = {.wish = clp_default_tile_wish()};
  clp_exit_status status;
  if (!read_options(command, argc, argv, &o, &status))
    return status;
  clp_tiled tiled;
  shown_progress shown = {.quiet = o.quiet};
  o.wish.progress = show;
  o.wish.user = &shown;
  clp_status tiling = clp_tile(o.urdf, o.wish, clp_stderr_sink(&o.quiet), &tiled);
  if (shown.begun)
    clp_progress_hide(&shown.bar);
  if (tiling != CLP_OK)
    return clp_exit_status_of(tiling);
  if (!o.quiet && has_meshes(&tiled))
    print_table(&tiled);
  status = write_results(&o, &tiled);
  clp_tiled_release(&tiled);
  return status;
}

const clp_command clp_command_tile = {
    "tile", "write a model for any URDF: meshes in convex parts that contain them",
    "usage: closest_point tile URDF [OPTION...]\n"
    "\n"
    "Writes the URDF with <patches> for every link that has none yet: its collision primitives\n"
    "(box, cylinder, sphere, capsule) exactly, its meshes as convex polyhedra that are proven to\n"
    "contain them. A mesh that one polyhedron encloses too loosely is divided. A link that fails\n"
    "is said, stays without a body, and the exit status is 1; the others are written.\n"
    "\n"
    "options:\n"
    "  --package-path DIR  where packages are: DIR is one or holds some; up to 16 times (then\n"
    "                      AMENT_PREFIX_PATH, ROS_PACKAGE_PATH, the folders above the URDF)\n"
    "  --max-gap D         divide a mesh whose part reaches more than D m beyond it (0.02)\n"
    "  --max-parts N       but into no more than N parts (8, at most 32)\n"
    "  --max-facets N      facets of a part (300, at most 5000)\n"
    "  --margin M          move every facet of a mesh's parts out by M m more (0)\n"
    "  --round R           parts are hulls that a ball of radius R sweeps: no edge is sharp, "
    "normals and\n"
    "                      forces turn continuously; the hulls are inset as far as that allows "
    "(0)\n"
    "  --visual            enclose the meshes of <visual>, too\n"
    "  --link NAME         only this link, as an overlay\n"
    "  --out FILE          write to FILE instead of standard output\n"
    "  --report FILE       write what became of each link to FILE, as JSON\n"
    "  -q, --quiet         no table and no notes on standard error\n"
    "  --help              print this\n"
    "  --version           print the version\n",
    run};

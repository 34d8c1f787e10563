/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L

#include <dirent.h>
#include <sys/stat.h>

#include "rclc_closest_point/mesh/tile_cache.h"
#include "support/lines.h"
#include "support/meshes.h"
#include "support/scratch.h"
#include "support/suite.h"

/* What is found in the cache is what tiling would write, or nothing is found. */

static const char urdf[] =
    "<robot name='r'>\n  <link name='a'>\n    <collision>\n      <geometry><mesh "
    "filename='a.stl'/></geometry>\n    </collision>\n  </link>\n</robot>\n";

static void write_mesh(double height)
{
  static made_mesh made;
  made.count = 0;
  made_box(&made, (clp_vec3){0, 0, 0}, (clp_vec3){0.25, 0.5, height});
  made_write_binary(&made, "a.stl");
}

typedef struct tiling {
  clp_status status;
  clp_tiled tiled;
  bool found;
  lines said;
} tiling;

static tiling last;

static void tile_with(const char *text, clp_tile_wish wish, const char *folder)
{
  last.said = (lines){0};
  clp_urdf_source source = {"robot.urdf", "robot.urdf", text, strlen(text)};
  last.status =
      clp_tile_with_cache(source, wish, folder, lines_sink(&last.said), &last.tiled, &last.found);
}

static void tile(void)
{
  tile_with(urdf, clp_default_tile_wish(), "cache/of/mine");
}

/* What came of it, and whether it was found; for once. */
static void expect(bool found, const char *text)
{
  ck_assert_msg(last.status == CLP_OK, "%s", last.said.text);
  ck_assert(last.found == found);
  if (text)
    ck_assert_str_eq(last.tiled.text, text);
  ck_assert_uint_eq(strlen(last.tiled.text), last.tiled.length);
  clp_tiled_release(&last.tiled);
}

/* The text that is written without a cache. */
static void tile_plainly(char *text, size_t room)
{
  tile_with(urdf, clp_default_tile_wish(), NULL);
  snprintf(text, room, "%s", last.tiled.text);
  expect(false, NULL);
}

static int files(char *name, size_t room)
{
  int count = 0;
  DIR *listing = opendir("cache/of/mine");
  for (struct dirent *entry; listing && (entry = readdir(listing));)
    if (entry->d_name[0] != '.') {
      ++count;
      if (name)
        snprintf(name, room, "cache/of/mine/%s", entry->d_name);
    }
  if (listing)
    closedir(listing);
  return count;
}

static char plain[65536];

static void enter(void)
{
  enter_folder();
  write_mesh(1);
  tile_plainly(plain, sizeof plain);
  ck_assert_int_eq(files(NULL, 0), 0);
}

SUITE("tile cache");

FIXTURE_CASE("cache", 60, enter, leave_folder);

TEST(the_second_time_it_is_there)
{
  tile();
  ck_assert_int_eq(last.tiled.link_count, 1);
  expect(false, plain);
  ck_assert_int_eq(files(NULL, 0), 1);
  tile();
  ck_assert_int_eq(last.said.notes + last.said.defects, 0);
  expect(true, plain);
  ck_assert_int_eq(files(NULL, 0), 1);
}

/* Whatever goes in: the mesh, the URDF, what is wished for. */
TEST(another_robot_is_not)
{
  tile();
  expect(false, plain);
  write_mesh(1.5);
  tile();
  expect(false, NULL);
  write_mesh(1);
  tile();
  expect(true, plain);
  clp_tile_wish wish = clp_default_tile_wish();
  wish.margin = 0.01;
  tile_with(urdf, wish, "cache/of/mine");
  expect(false, NULL);
  wish = clp_default_tile_wish();
  wish.max_gap = 0.01;
  tile_with(urdf, wish, "cache/of/mine");
  expect(false, NULL);
  wish = clp_default_tile_wish();
  wish.max_parts = 3;
  tile_with(urdf, wish, "cache/of/mine");
  expect(false, NULL);
  char other[sizeof urdf + 2];
  snprintf(other, sizeof other, "%s\n", urdf);
  tile_with(other, clp_default_tile_wish(), "cache/of/mine");
  expect(false, NULL);
  ck_assert_int_eq(files(NULL, 0), 6);
}

/* Any byte of the file that is another one, or missing, or too many. */
TEST(damage_is_noticed)
{
  static char bytes[65536];
  char path[300];
  tile();
  expect(false, plain);
  ck_assert_int_eq(files(path, sizeof path), 1);
  read_whole(path, bytes, sizeof bytes);
  size_t length = strlen(bytes);
  for (size_t at = 0; at <= length; at += 7) {
    FILE *file = fopen(path, "wb");
    size_t cut = at % 3 == 0 ? at : length;
    fwrite(bytes, 1, cut, file);
    if (at % 3 == 1) {
      fseek(file, (long)at, SEEK_SET);
      fputc(bytes[at < length ? at : 0] ^ 1, file);
    }
    if (at % 3 == 2)
      fputc('\n', file);
    fclose(file);
    tile();
    ck_assert_msg(strstr(last.said.text, "is damaged, and made anew") || at == length,
                  "byte %zu of %zu: %s", at, length, last.said.text);
    expect(at == length && at % 3 == 0, plain);
    tile();
    expect(true, plain);
  }
}

TEST(what_failed_is_not_kept)
{
  static const char two[] =
      "<robot name='r'><link name='a'><collision><geometry><mesh filename='a.stl'/></geometry>"
      "</collision></link><link name='b'><collision><geometry><mesh filename='b.stl'/></geometry>"
      "</collision></link></robot>";
  for (int k = 0; k < 2; ++k) {
    tile_with(two, clp_default_tile_wish(), "cache/of/mine");
    ck_assert_int_eq(last.tiled.failures, 1);
    expect(false, NULL);
  }
  ck_assert_int_eq(files(NULL, 0), 0);
  ck_assert_int_eq(rename("a.stl", "b.stl"), 0);
  write_mesh(1);
  tile_with(two, clp_default_tile_wish(), "cache/of/mine");
  expect(false, NULL);
  ck_assert_int_eq(files(NULL, 0), 1);
}

TEST(a_pipe_is_not_waited_for)
{
  ck_assert_int_eq(unlink("a.stl") + mkfifo("a.stl", 0600), 0);
  tile();
  ck_assert_int_eq(last.tiled.failures, 1);
  expect(false, NULL);
  ck_assert_int_eq(files(NULL, 0), 0);
}

TEST(nowhere_to_write)
{
  fclose(fopen("cache", "w")); /* is no folder */
  tile();
  ck_assert_msg(strstr(last.said.text, "cannot be written") != NULL, "%s", last.said.text);
  expect(false, plain);
}

TEST(where_it_is)
{
  char folder[64];
  ck_assert_int_eq(setenv("HOME", "/me", 1) + setenv("XDG_CACHE_HOME", "/cache", 1), 0);
  ck_assert(clp_tile_cache_folder(folder, sizeof folder));
  ck_assert_str_eq(folder, "/cache/rclc_closest_point");
  ck_assert_int_eq(setenv("XDG_CACHE_HOME", "relative", 1), 0);
  ck_assert(clp_tile_cache_folder(folder, sizeof folder));
  ck_assert_str_eq(folder, "/me/.cache/rclc_closest_point");
  ck_assert(!clp_tile_cache_folder(folder, 20));
  ck_assert_int_eq(unsetenv("HOME"), 0);
  ck_assert(!clp_tile_cache_folder(folder, sizeof folder));
}

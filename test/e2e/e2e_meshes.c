/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* kill, setenv, clock_gettime */

#include <dirent.h>
#include <sys/stat.h>

#include "e2e/e2e.h"
#include "support/meshes.h"

/* A robot_description whose collisions are meshes, and nothing prepared: cubes, which one body each
 * encloses within its grid's step, so that their distance is known. */

#define STEP 1e-4 /* of the grid that vertices are put on, and what rounding outwards adds */

static ear e;
static source publisher;
static made_mesh made;

static void write_cube(const char *path, double half)
{
  made.count = 0;
  made_box(&made, (clp_vec3){-half, -half, -half}, (clp_vec3){half, half, half});
  made_write_binary(&made, path);
}

#define MESH(link, file)                                                                    \
  "<link name='" link "'><collision><geometry><mesh filename='package://cubes/meshes/" file \
  "'/></geometry></collision></link>"
#define CUBES "-p rate:=500.0 -p package_path:=[parts] "

static void enter(void)
{
  enter_world();
  ck_assert_int_eq(setenv("XDG_CACHE_HOME", getcwd((char[256]){""}, 256), 1), 0);
  ck_assert_int_eq(mkdir("parts", 0700) + mkdir("parts/cubes", 0700), 0);
  ck_assert_int_eq(mkdir("parts/cubes/meshes", 0700), 0);
  write_cube("parts/cubes/meshes/small.stl", 0.1);
  write_cube("parts/cubes/meshes/large.stl", 0.2);
  write_whole("cubes.urdf",
              "<robot name='r'>" MESH("tool", "small.stl") MESH("head", "large.stl") "</robot>");
  e = listen_to(NODE);
  publisher = start_source();
}

static void leave(void)
{
  end_source(&publisher);
  leave_world();
}

static void describe(const char *file)
{
  fprintf(publisher.to, "describe %s\n", file);
  fputs("fix world head 3 0 0 0 0 0 1 0 0 0 0 0 0 0\n", publisher.to);
  fputs("fix world tool 1 0 0 0 0 0 1 0 0 0 0 0 0 0\n", publisher.to);
  go(&publisher, 100);
}

static bool is_close(const points_message *m)
{
  double distance = first_distance(m);
  return is_all_tracked(m) && distance <= BALLS_DISTANCE && distance > BALLS_DISTANCE - 2 * STEP;
}

static void expect_said(const char *part)
{
  static char text[65536];
  read_whole("err", text, sizeof text);
  ck_assert_msg(strstr(text, part), "'%s' is not in: %s", part, text);
}

static void damage_cache(void)
{
  DIR *listing = opendir("rclc_closest_point");
  ck_assert_ptr_nonnull(listing);
  for (struct dirent *entry; (entry = readdir(listing));) {
    char path[300];
    snprintf(path, sizeof path, "rclc_closest_point/%s", entry->d_name);
    if (*entry->d_name != '.')
      write_whole(path, "<robot name='nobody'/>");
  }
  closedir(listing);
}

/* What the last monitor has said is not taken for what the next one says. */
static void forget_answers(void)
{
  rest(100);
  while (hear(&e))
    ;
}

SUITE("e2e_meshes");

FIXTURE_CASE("meshes", 300, enter, leave);

TEST(a_description_with_meshes)
{
  static const char *const starts[] = {"2 meshes are enclosed in 2 bodies", "are from the cache",
                                       "is damaged, and made anew"};
  describe("cubes.urdf");
  for (int k = 0; k < 3; ++k) {
    pid_t monitor = start_monitor(CUBES);
    wait_for(&e, is_close, "the cubes' distance");
    end_monitor(monitor);
    forget_answers();
    expect_said(starts[k]);
    if (k == 1)
      damage_cache();
  }
}

/* Of a file, beside which its meshes are. */
TEST(a_file_with_meshes)
{
  write_whole("parts/cubes/package.xml", "<package><name>cubes</name></package>");
  write_whole("parts/cubes/cubes.urdf",
              "<robot name='r'><link name='tool'><collision><geometry><mesh "
              "filename='meshes/small.stl'/></geometry></collision></link>" MESH(
                  "head", "large.stl") "</robot>");
  describe("cubes.urdf");
  pid_t monitor = start_monitor("-p rate:=500.0 -p model:=parts/cubes/cubes.urdf");
  wait_for(&e, is_close, "the cubes' distance");
  end_monitor(monitor);
  expect_said("2 meshes are enclosed in 2 bodies");
}

/* A link whose mesh is not there is not covered, and said. */
TEST(a_mesh_that_is_not_there)
{
  write_whole("three.urdf", "<robot name='r'>" MESH("tool", "small.stl") MESH("head", "large.stl")
                                MESH("flange", "none.stl") "<joint name='j' type='fixed'><parent "
                                                           "link='tool'/><child link='flange'/>"
                                                           "</joint></robot>");
  describe("three.urdf");
  pid_t monitor = start_monitor(CUBES "-p robot_links:=[tool]");
  expect_safety(&e, 2, "link flange of the robot has no body");
  wait_for(&e, is_close, "the distance of the others");
  end_monitor(monitor);
  expect_said("none.stl");
}

TEST(meshes_may_be_refused)
{
  describe("cubes.urdf");
  pid_t monitor = start_monitor(CUBES "-p meshes:=refuse");
  expect_safety(&e, 2, "robot_description is refused: robot_description:1: link 'tool': mesh ");
  end_monitor(monitor);
}

/* What takes long is left alone when the monitor is asked to end, and until then it says STOP. */
TEST(an_end_while_bodies_are_made)
{
  made.count = 0;
  static const double profile[][2] = {{0.2, 0}, {0.5, 0}, {0.5, 0.3}, {0.3, 0.5}, {0.2, 0.4}};
  made_ring(&made, profile, 5, 1500);
  made_write_binary(&made, "parts/cubes/meshes/small.stl");
  char text[16384] = "<robot name='r'>" MESH("head", "large.stl");
  for (int k = 0; k < 40; ++k) {
    size_t used = strlen(text);
    snprintf(text + used, sizeof text - used,
             "<link name='l%d'><collision><geometry><mesh scale='1 1 %d' "
             "filename='package://cubes/meshes/small.stl'/></geometry></collision></link>",
             k, k + 1);
  }
  size_t used = strlen(text);
  snprintf(text + used, sizeof text - used, "</robot>");
  write_whole("long.urdf", text);
  describe("long.urdf");
  pid_t monitor = start_monitor(CUBES);
  expect_safety(&e, 2, "the model's meshes are being enclosed: 1 of 41 links");
  for (int k = 0; k < 100; ++k)
    wait_for(&e, is_any, "signs of life");
  ck_assert_uint_eq(e.last->pairs._length, 0);
  end_monitor(monitor);
}

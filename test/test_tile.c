/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* open_memstream */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rclc_closest_point/model.h"
#include "support/lines.h"
#include "support/random.h"
#include "support/suite.h"

/* The overlay of a file, malloc'ed. */
static char *tile(const char *path, clp_status *status, lines *l)
{
  char *text = NULL;
  size_t length = 0;
  FILE *memory = open_memstream(&text, &length);
  ck_assert_ptr_nonnull(memory);
  *status = clp_model_tile(path, lines_sink(l), memory);
  fclose(memory);
  return text;
}

static char *tile_text(const char *urdf, clp_status *status, lines *l)
{
  char path[] = "test_tile_input.urdf";
  FILE *file = fopen(path, "w");
  ck_assert_ptr_nonnull(file);
  fputs(urdf, file);
  fclose(file);
  char *text = tile(path, status, l);
  remove(path);
  return text;
}

static clp_model *parse(const char *text)
{
  lines l = {0};
  clp_model *model = NULL;
  clp_model_parse(text, strlen(text), "overlay", lines_sink(&l), &model);
  ck_assert_msg(model && l.defects == 0, "%s", l.text);
  return model;
}

SUITE("tile");

TEST_CASE("tile", 20);

TEST(test_text)
{
  static const char expected[] =
      "<?xml version=\"1.0\"?>\n"
      "<robot name=\"arm\">\n"
      "  <link name=\"base\">\n"
      "    <patches name=\"collision_0\">\n"
      "      <origin xyz=\"0 0 0.05\" rpy=\"0 0 0\"/>\n"
      "      <cylinder radius=\"0.1\" length=\"0.1\"/>\n"
      "    </patches>\n"
      "  </link>\n"
      "  <link name=\"upper\">\n"
      "    <patches name=\"tube\">\n"
      "      <origin xyz=\"0.1 -0.2 0.30000000000000004\" rpy=\"0 1.5707963267948966 0\"/>\n"
      "      <cylinder radius=\"0.04\" length=\"0.3\"/>\n"
      "    </patches>\n"
      "    <patches name=\"collision_1\">\n"
      "      <box size=\"0.1 0.1 0.1\"/>\n"
      "    </patches>\n"
      "    <patches name=\"ball\">\n"
      "      <origin xyz=\"0 0 0\" rpy=\"0 0 1\"/>\n"
      "      <sphere radius=\"0.3333333333333333\"/>\n"
      "    </patches>\n"
      "  </link>\n"
      "</robot>\n";
  lines l = {0};
  clp_status status;
  char *text = tile(TEST_DATA_DIR "/arm.urdf", &status, &l);
  ck_assert_int_eq(status, CLP_OK);
  ck_assert_str_eq(text, expected);
  free(text);
}

/* The bodies are the same ones, bit for bit: same poses, same figures. */
TEST(test_bodies_are_the_same)
{
  lines l = {0};
  clp_status status;
  char *text = tile(TEST_DATA_DIR "/arm.urdf", &status, &l);
  clp_model *overlay = parse(text), *whole = NULL;
  clp_model_load(TEST_DATA_DIR "/arm.urdf", lines_sink(&l), &whole);
  ck_assert_ptr_nonnull(whole);
  ck_assert_int_eq(clp_model_link_count(overlay), 2);
  for (int link = 0; link < 2; ++link) {
    ck_assert_int_eq(clp_model_part_count(overlay, link), clp_model_part_count(whole, link));
    for (int k = 0; k < clp_model_part_count(whole, link); ++k) {
      clp_part a = clp_model_part(overlay, link, k), b = clp_model_part(whole, link, k);
      ck_assert_str_eq(a.name, b.name);
      ck_assert_mem_eq(&a.X_LP, &b.X_LP, sizeof a.X_LP);
      clp_body_info x = clp_body_describe(a.body), y = clp_body_describe(b.body);
      ck_assert_mem_eq(&x.bounds, &y.bounds, sizeof x.bounds);
      ck_assert(x.volume == y.volume && x.area == y.area && x.faces == y.faces);
    }
  }
  clp_model_destroy(overlay);
  clp_model_destroy(whole);
  free(text);
}

/* Whatever numbers a URDF has, the overlay has the same doubles. */
TEST(test_random_numbers_survive)
{
  random_state g = {3};
  for (int k = 0; k < 50; ++k) {
    double v[6];
    for (int i = 0; i < 6; ++i)
      v[i] = random_between(&g, 1e-3, 1) * (i < 3 ? 1 : 1e3);
    char urdf[1024];
    snprintf(urdf, sizeof urdf,
             "<robot name='r'><link name='a'><collision><origin xyz='%.17g %.17g %.17g'/>"
             "<geometry><box size='%.17g %.17g %.17g'/></geometry></collision></link></robot>",
             v[3], v[4], v[5], v[0], v[1], v[2]);
    lines l = {0};
    clp_status status;
    char *text = tile_text(urdf, &status, &l);
    ck_assert_int_eq(status, CLP_OK);
    clp_model *a = parse(text), *b = parse(urdf);
    clp_part pa = clp_model_part(a, 0, 0), pb = clp_model_part(b, 0, 0);
    ck_assert_mem_eq(&pa.X_LP, &pb.X_LP, sizeof pa.X_LP);
    clp_body_info x = clp_body_describe(pa.body), y = clp_body_describe(pb.body);
    ck_assert_mem_eq(&x.bounds, &y.bounds, sizeof x.bounds);
    ck_assert(pa.X_LP.position.x == v[3]);
    clp_model_destroy(a);
    clp_model_destroy(b);
    free(text);
  }
}

TEST(test_names_are_escaped)
{
  lines l = {0};
  clp_status status;
  char *text = tile_text(
      "<robot name='a &lt;&amp;&quot;&#10;&gt;'><link name='x&amp;&quot;&lt;y'><collision "
      "name='\xc3\xa4&apos;'><geometry><sphere radius='1'/></geometry></collision></link></robot>",
      &status, &l);
  ck_assert_msg(status == CLP_OK, "%s", l.text);
  ck_assert_msg(strstr(text, "<robot name=\"a &lt;&amp;&quot;&#10;>\">"), "%s", text);
  clp_model *model = parse(text);
  ck_assert_str_eq(clp_model_link_name(model, 0), "x&\"<y");
  ck_assert_str_eq(clp_model_part(model, 0, 0).name, "\xc3\xa4'");
  clp_model_destroy(model);
  free(text);
}

/* A refused file leaves the stream without a byte. */
static void check_refused(const char *urdf, clp_status expected, int line, const char *message)
{
  lines l = {0};
  clp_status status;
  char *text = tile_text(urdf, &status, &l);
  ck_assert_int_eq(status, expected);
  ck_assert_str_eq(text, "");
  ck_assert_msg(lines_have(&l, "test_tile_input.urdf", line, message), "%s", l.text);
  free(text);
}

TEST(test_refused)
{
  check_refused(
      "<robot name='r'>\n<link name='a'><collision><geometry><sphere radius='1'/></geometry>\n"
      "</collision><collision><geometry>\n<mesh filename='package://x/hand.stl'/>\n"
      "</geometry></collision></link></robot>",
      CLP_ERROR_FORMAT, 4, "link 'a': mesh 'package://x/hand.stl' cannot be tiled");
  check_refused(
      "<robot name='r'>\n<link name='a'><collision><geometry>\n<sphere radius='-1'/></geometry>\n"
      "</collision></link></robot>",
      CLP_ERROR_SHAPE, 3, "radius is -1");
  check_refused("<robot name='r'>", CLP_ERROR_FORMAT, 1, "Premature end");
}

TEST(test_links_with_patches_are_left_out)
{
  lines l = {0};
  clp_status status;
  char *text = tile_text(
      "<robot><link name='a'><patches><sphere radius='1'/></patches><collision><geometry>"
      "<mesh filename='x'/></geometry></collision></link><link name='b'/></robot>",
      &status, &l);
  ck_assert_int_eq(status, CLP_OK);
  ck_assert_str_eq(text, "<?xml version=\"1.0\"?>\n<robot>\n</robot>\n");
  ck_assert_int_eq(l.notes, 1);
  free(text);
}

TEST(test_full_device)
{
  FILE *full = fopen("/dev/full", "w");
  if (!full)
    return;
  lines l = {0};
  ck_assert_int_eq(clp_model_tile(TEST_DATA_DIR "/arm.urdf", lines_sink(&l), full), CLP_ERROR_FILE);
  fclose(full);
}

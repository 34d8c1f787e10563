/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* mkdtemp */

#include "rclc_closest_point/model.h"
#include "support/lines.h"
#include "support/scratch.h"
#include "support/suite.h"

/* Four links with parts, a - b joined. */
static clp_model *four_links(void)
{
  static const char text[] =
      "<robot name='r'>"
      "<link name='a'><patches><sphere radius='1'/></patches></link>"
      "<link name='b'><patches><sphere radius='1'/></patches></link>"
      "<link name='c'><patches><sphere radius='1'/></patches></link>"
      "<link name='d'><patches><sphere radius='1'/></patches></link>"
      "<joint name='j' type='fixed'><parent link='a'/><child link='b'/></joint></robot>";
  lines l = {0};
  clp_model *model = NULL;
  clp_model_parse(text, strlen(text), "f", lines_sink(&l), &model);
  ck_assert_msg(model != NULL, "%s", l.text);
  return model;
}

/* Applies an SRDF of that text, from a file. */
static clp_status apply(clp_model *model, const char *text, lines *l)
{
  enter_folder();
  write_whole("a.srdf", text);
  clp_status status = clp_model_apply_srdf(model, "a.srdf", lines_sink(l));
  leave_folder();
  ck_assert_int_eq(status == CLP_OK, l->defects == 0);
  return status;
}

/* The pairs that are left, as "ab ac ...". */
static const char *pairs(const clp_model *model)
{
  static char text[64];
  size_t used = 0;
  text[0] = '\0';
  for (int a = 0; a < clp_model_link_count(model); ++a)
    for (int b = a + 1; b < clp_model_link_count(model); ++b) {
      ck_assert(clp_model_is_pair(model, a, b) == clp_model_is_pair(model, b, a));
      if (clp_model_is_pair(model, a, b))
        used += (size_t)sprintf(text + used, "%s%s%s", used ? " " : "",
                                clp_model_link_name(model, a), clp_model_link_name(model, b));
    }
  return text;
}

SUITE("srdf");

TEST_CASE("srdf", 20);

TEST(test_disabled_pairs_add_up)
{
  clp_model *model = four_links();
  lines l = {0};
  ck_assert_str_eq(pairs(model), "ac ad bc bd cd");
  apply(model,
        "<robot name='r'><group name='g'><disable_collisions/></group>"
        "<disable_collisions link2='a' link1='d' reason='Never'/>"
        "<disable_collisions link1='c' link2='c'/></robot>",
        &l);
  ck_assert_str_eq(pairs(model), "ac bc bd cd");
  apply(
      model,
      "<robot name='r'><disable_collisions link1='b' link2='c'/>"
      "<disable_collisions link1='a' link2='b'/><disable_collisions link1='a' link2='d'/></robot>",
      &l);
  ck_assert_str_eq(pairs(model), "ac bd cd");
  ck_assert_int_eq(l.defects + l.notes, 0);
  clp_model_destroy(model);
}

/* A model may have fewer links than the robot that the SRDF is for. */
TEST(test_links_that_the_model_does_not_have)
{
  clp_model *model = four_links();
  lines l = {0};
  ck_assert_int_eq(apply(model, "<robot><disable_collisions link1='a' link2='x'/></robot>", &l),
                   CLP_OK);
  ck_assert_str_eq(pairs(model), "ac ad bc bd cd");
  clp_model_destroy(model);
}

TEST(test_after_a_defect_nothing_has_changed)
{
  static const struct {
    const char *text, *message;
  } cases[] = {
      {"<robot>\n<disable_collisions link1='a' link2='c'/>\n<disable_collisions "
       "link1='a'/></robot>",
       ":3: <disable_collisions> has no link2"},
      {"<robot>\n<disable_collisions link1='a' link2='c'/></robt>", ":2: "},
      {"<srdf><disable_collisions link1='a' link2='c'/></srdf>", "<srdf>, expected <robot>"},
      {"", ":1: the file is empty"},
  };
  clp_model *model = four_links();
  for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
    lines l = {0};
    ck_assert_int_eq(apply(model, cases[k].text, &l), CLP_ERROR_FORMAT);
    ck_assert_msg(strstr(l.text, cases[k].message), "%s", l.text);
    ck_assert_str_eq(pairs(model), "ac ad bc bd cd");
  }
  lines l = {0};
  ck_assert_int_eq(clp_model_apply_srdf(model, "there_is_no_such.srdf", lines_sink(&l)),
                   CLP_ERROR_FILE);
  ck_assert(lines_have(&l, "there_is_no_such.srdf", 1, "cannot be read"));
  clp_model_destroy(model);
}

TEST(test_many_pairs)
{
  enum { LINKS = 300 };
  char *text = malloc(LINKS * LINKS * 64);
  ck_assert_ptr_nonnull(text);
  size_t used = (size_t)sprintf(text, "<robot name='r'>");
  for (int k = 0; k < LINKS; ++k)
    used += (size_t)sprintf(text + used,
                            "<link name='l%d'><patches><point xyz='0 0 0'/></patches></link>", k);
  strcpy(text + used, "</robot>");
  lines l = {0};
  clp_model *model = NULL;
  ck_assert_int_eq(clp_model_parse(text, strlen(text), "f", lines_sink(&l), &model), CLP_OK);
  used = (size_t)sprintf(text, "<robot>");
  for (int a = 0; a < LINKS; ++a)
    for (int b = 0; b < a; ++b)
      if ((a + b) % 3)
        used += (size_t)sprintf(text + used, "<disable_collisions link1='l%d' link2='l%d'/>", a, b);
  strcpy(text + used, "</robot>");
  ck_assert_int_eq(apply(model, text, &l), CLP_OK);
  for (int a = 0; a < LINKS; ++a)
    for (int b = 0; b < LINKS; ++b)
      ck_assert(clp_model_is_pair(model, a, b) == (a != b && (a + b) % 3 == 0));
  clp_model_destroy(model);
  free(text);
}

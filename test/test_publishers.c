/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include "rclc_closest_point/monitor/publishers.h"
#include "support/suite.h"

/* Who publishes on the monitor's topics, and what is said about it. */

static clp_publishers publishers;

static int meet(clp_topic_id topic, const char *name)
{
  int place = clp_publishers_place(&publishers, topic);
  if (place < 0)
    return place;
  publishers.items[place] = (clp_publisher){.topic = topic, .reliable = true, .latched = true};
  snprintf(publishers.items[place].name.text, sizeof publishers.items[place].name.text, "%s", name);
  return place;
}

static void enter(void)
{
  publishers = (clp_publishers){.count = 0};
}

SUITE("publishers");

FIXTURE_CASE("places", 4, enter, NULL);

/* Every node publishes diagnostics. */
TEST(nobody_asks_who_publishes_diagnostics)
{
  ck_assert_int_eq(meet(CLP_TOPIC_DIAGNOSTICS, "/a"), -1);
  ck_assert_int_eq(meet(CLP_TOPIC_MARKERS, "/a"), -1);
  ck_assert_int_eq(meet(CLP_TOPIC_TF, "/a"), 0);
  ck_assert_str_eq(clp_publishers_judge(&publishers).foreign, "");
}

TEST(who_answers_in_its_place_does_not_hide_behind_others)
{
  for (int k = 0; k < 2 * CLP_PUBLISHERS_MAX; ++k)
    meet(CLP_TOPIC_TF, "/crowd");
  ck_assert_int_eq(publishers.count, CLP_PUBLISHERS_MAX);
  ck_assert_int_ge(meet(CLP_TOPIC_SAFETY, "/other"), 0);
  ck_assert_str_eq(clp_publishers_judge(&publishers).foreign, "/other publishes ~/safety, too");
  for (int k = 0; k < CLP_PUBLISHERS_MAX - 1; ++k)
    ck_assert_int_ge(meet(CLP_TOPIC_WRENCH, "/more"), 0);
  ck_assert_int_eq(meet(CLP_TOPIC_SAFETY, "/another"), -1);
  ck_assert_int_eq(publishers.count, CLP_PUBLISHERS_MAX);
  ck_assert_ptr_nonnull(strstr(clp_publishers_judge(&publishers).foreign, ", too"));
}

/* By name, if it is known who it was, and until publishers are judged again. */
TEST(who_answers_once)
{
  clp_gathering found = {"", ""};
  int place = meet(CLP_TOPIC_TF, "/camera");
  publishers.items[place].id = 5;
  clp_publishers_overhear(&publishers, CLP_TOPIC_MINIMUM, 5, &found);
  ck_assert_str_eq(found.foreign, "/camera publishes ~/minimum, too");
  clp_publishers_overhear(&publishers, CLP_TOPIC_SAFETY, 0x1f, &found);
  ck_assert_str_eq(found.foreign, "publisher 1f publishes ~/safety, too");
  found = clp_publishers_judge(&publishers);
  ck_assert_str_eq(found.foreign, "");
}

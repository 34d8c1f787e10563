/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TEST_SUPPORT_EAR_H
#define TEST_SUPPORT_EAR_H

#include "support/wire.h"

/* What is heard of one monitor: every answer that it gives, one after the other. */

typedef rclc_closest_point_msg_dds__ClosestPointArray_ points_message;
typedef rclc_closest_point_msg_dds__ClosestPoint_ point_message;
typedef rclc_closest_point_msg_dds__SafetyStatus_ safety_message;

typedef struct ear {
  dds_entity_t points, safety, waitset;
  points_message *last;   /* as loaned; valid until the next one is heard */
  uint64_t cycle;         /* of the last one */
  int64_t written, taken; /* when that was, as it says and in this process */
  long heard, missing;    /* answers, and numbers of cycles between them that were never heard */
} ear;

static inline ear listen_to(const char *node)
{
  char name[128];
  ear e = {.waitset = dds_create_waitset(participant)};
  snprintf(name, sizeof name, "rt%s/closest_points", node);
  e.points = endpoint(name, &rclc_closest_point_msg_dds__ClosestPointArray__desc, false, false, 0);
  snprintf(name, sizeof name, "rt%s/safety", node);
  e.safety = endpoint(name, &rclc_closest_point_msg_dds__SafetyStatus__desc, false, false, 1);
  dds_entity_t any = dds_create_readcondition(e.points, DDS_ANY_STATE);
  ck_assert_int_eq(dds_waitset_attach(e.waitset, any, 0), DDS_RETCODE_OK);
  return e;
}

static inline void give_back(ear *e)
{
  void *sample = e->last;
  if (sample)
    dds_return_loan(e->points, &sample, 1);
  e->last = NULL;
}

/* The next answer; waits for it a little. */
static inline bool hear(ear *e)
{
  void *sample = NULL;
  dds_sample_info_t info;
  give_back(e);
  if (dds_take(e->points, &sample, &info, 1, 1) < 1) {
    dds_waitset_wait(e->waitset, NULL, 0, DDS_MSECS(10));
    if (dds_take(e->points, &sample, &info, 1, 1) < 1)
      return false;
  }
  e->last = sample;
  e->taken = now();
  e->written = info.source_timestamp;
  if (!info.valid_data) {
    give_back(e);
    return false;
  }
  if (e->cycle > 0 && e->last->cycle > e->cycle)
    e->missing += (long)(e->last->cycle - e->cycle - 1);
  e->cycle = e->last->cycle;
  ++e->heard;
  return true;
}

static inline int64_t stamp_of(const points_message *m)
{
  return m->header.stamp.sec * SECOND + m->header.stamp.nanosec;
}

typedef bool (*answer_test)(const points_message *m);

/* Waits for an answer of this kind. */
static inline void wait_for(ear *e, answer_test is_it, const char *what)
{
  for (int64_t begin = now(); now() - begin < PATIENCE; expect_all_alive())
    if (hear(e) && is_it(e->last))
      return;
  ck_abort_msg("no answer: %s; %ld heard", what, e->heard);
}

static inline bool is_any(const points_message *m)
{
  return m->cycle > 0;
}

static inline bool is_all_stale(const points_message *m)
{
  return m->stale > 0 && m->stale == m->pairs._length && m->minimum == -1;
}

static inline bool is_all_tracked(const points_message *m)
{
  return m->tracked > 0 && m->tracked == m->pairs._length && m->minimum == 0;
}

/* The newest safety status has this zone, and this in its reason; waits for it, and tells what has
 * to be told meanwhile. */
static inline void expect_safety_while(const ear *e, uint8_t zone, const char *reason,
                                       void (*tell)(void))
{
  char last[200] = "";
  for (int64_t begin = now(); now() - begin < PATIENCE; rest(1)) {
    if (tell)
      tell();
    void *sample = NULL;
    dds_sample_info_t info;
    if (dds_take(e->safety, &sample, &info, 1, 1) < 1)
      continue;
    const safety_message *m = sample;
    bool fine = info.valid_data && m->zone == zone && strstr(m->reason, reason);
    if (info.valid_data)
      snprintf(last, sizeof last, "%d, %s", m->zone, m->reason);
    dds_return_loan(e->safety, &sample, 1);
    if (fine)
      return;
  }
  ck_abort_msg("no zone %d with '%s', last: %s", zone, reason, last);
}

static inline void expect_safety(const ear *e, uint8_t zone, const char *reason)
{
  expect_safety_while(e, zone, reason, NULL);
}

#endif

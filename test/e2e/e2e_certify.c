/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* kill, setenv, clock_gettime */

#include "e2e/e2e.h"

/* The service ~/certify, called as rmw_cyclonedds_cpp's clients call it: a ball on a rail, which a
 * trajectory moves past somebody's head. */

#define ROBOT "-p model:=rail.urdf -p rate:=500.0 "

typedef rclc_closest_point_srv_dds__Certify_Request_ request_message;
typedef rclc_closest_point_srv_dds__Certify_Response_ response_message;

/* CLEAR ... BUSY of Certify.srv. */
enum { CLEAR, NEAR, CONTACT, UNDECIDED, REFUSED, BUSY };

enum { POINTS_MAX = 10000 };

static dds_entity_t requests, replies, places;
static ear e;
static trajectory_msgs_msg_dds__JointTrajectoryPoint_ points[POINTS_MAX];
static double positions[POINTS_MAX];

/* A head whose proof takes its time has balls within the one that counts. */
static void write_robot(void)
{
  char text[2048];
  int used = snprintf(text, sizeof text,
                      "<robot name='rail'><link name='world'/><link name='carriage'><patches>"
                      "<box size='0.2 0.2 0.2'/></patches></link><link name='head'>");
  for (int k = 11; k <= 20; ++k)
    used += snprintf(text + used, sizeof text - (size_t)used,
                     "<patches name='ball%d'><sphere radius='0.%02d'/></patches>", k, k);
  snprintf(text + used, sizeof text - (size_t)used,
           "</link><joint name='rail' type='prismatic'><parent link='world'/>"
           "<child link='carriage'/><axis xyz='1 0 0'/>"
           "<limit lower='-9' upper='9' velocity='9' effort='1'/></joint>"
           "<joint name='place' type='floating'><parent link='world'/><child link='head'/>"
           "</joint></robot>");
  write_whole("rail.urdf", text);
}

static void enter(void)
{
  enter_world();
  write_robot();
  e = listen_to(NODE);
  requests = endpoint("rq" NODE "/certifyRequest",
                      &rclc_closest_point_srv_dds__Certify_Request__desc, true, false, 10);
  replies = endpoint("rr" NODE "/certifyReply", &rclc_closest_point_srv_dds__Certify_Response__desc,
                     false, false, 10);
  places = endpoint("rt/tf_static", &tf2_msgs_msg_dds__TFMessage__desc, true, true, 1);
}

static void wait_for_service(void)
{
  dds_publication_matched_status_t reader = {.current_count = 0};
  dds_subscription_matched_status_t writer = {.current_count = 0};
  for (int64_t begin = now(); reader.current_count == 0 || writer.current_count == 0; rest(1)) {
    dds_get_publication_matched_status(requests, &reader);
    dds_get_subscription_matched_status(replies, &writer);
    must(now() - begin < PATIENCE, "the service");
  }
}

/* The head is 3 m along the rail and half a meter above it. */
static void place_head(void)
{
  char parent[] = "world", child[] = "head";
  geometry_msgs_msg_dds__TransformStamped_ transform = {.header = {{1, 0}, parent},
                                                        .child_frame_id = child,
                                                        .transform = {{3, 0, 0.5}, {0, 0, 0, 1}}};
  tf2_msgs_msg_dds__TFMessage_ message = {.transforms = {1, 1, &transform, false}};
  ck_assert_int_eq(dds_write(places, &message), DDS_RETCODE_OK);
}

/* To and fro along `way` meters of the rail, a second each. */
static void ask(int64_t number, uint32_t count, double way, double tolerance, uint32_t steps)
{
  char frame[] = "", *joint[] = {(char[]){"rail"}};
  for (uint32_t k = 0; k < count; ++k) {
    positions[k] = k % 2 == 0 ? 0 : way;
    points[k] = (trajectory_msgs_msg_dds__JointTrajectoryPoint_){
        .positions = {1, 1, &positions[k], false}, .time_from_start = {(int32_t)k, 0}};
  }
  request_message request = {.client = 7,
                             .number = number,
                             .trajectory = {.header = {{0, 0}, frame},
                                            .joint_names = {1, 1, joint, false},
                                            .points = {count, count, points, false}},
                             .tolerance = tolerance,
                             .max_steps = steps};
  ck_assert_int_eq(dds_write(requests, &request), DDS_RETCODE_OK);
}

/* The next reply, to be released; NULL: none comes within so many milliseconds. */
static response_message *hear_reply(int milliseconds)
{
  response_message *reply = dds_alloc(sizeof *reply);
  memset(reply, 0, sizeof *reply);
  void *samples[] = {reply};
  dds_sample_info_t info = {.valid_data = false};
  for (int64_t begin = now(); !info.valid_data; rest(1)) {
    if (dds_take(replies, samples, &info, 1, 1) == 1 && info.valid_data)
      return reply;
    if (now() - begin > milliseconds * INT64_C(1000000))
      break;
  }
  dds_free(reply);
  return NULL;
}

static void release(response_message *reply)
{
  dds_sample_free(reply, &rclc_closest_point_srv_dds__Certify_Response__desc, DDS_FREE_ALL);
}

static response_message *expect_reply(int64_t number, uint8_t verdict, const char *reason)
{
  response_message *reply = hear_reply(PATIENCE / 1000000);
  ck_assert_msg(reply != NULL, "no reply to %ld", (long)number);
  ck_assert_uint_eq(reply->client, 7);
  ck_assert_int_eq(reply->number, number);
  ck_assert_msg(reply->verdict == verdict, "%d: %s", reply->verdict, reply->reason);
  ck_assert_msg(strstr(reply->reason, reason), "no '%s' in '%s'", reason, reply->reason);
  return reply;
}

/* Asks until the head has been heard of. */
static void wait_for_head(void)
{
  for (int64_t begin = now(), number = 1;; ++number) {
    ask(number, 2, 1, 1e-3, 0);
    response_message *reply = hear_reply(PATIENCE / 1000000);
    must(reply && now() - begin < PATIENCE, "an answer about the head");
    bool known = reply->verdict != REFUSED;
    release(reply);
    if (known)
      return;
  }
}

SUITE("certify, end to end");

FIXTURE_CASE("certify", 60, enter, leave_world);

TEST(answers)
{
  pid_t monitor = start_monitor(ROBOT);
  wait_for_service();
  ask(1, 2, 2.5, 1e-6, 0);
  release(expect_reply(1, REFUSED, "where link 'head' is has not been told"));
  place_head();
  wait_for_head();
  ask(2, 2, 2.5, 1e-6, 0);
  response_message *reply = expect_reply(2, CLEAR, "");
  ck_assert_str_eq(reply->header.frame_id, "world");
  ck_assert_int_gt(reply->header.stamp.sec, 0);
  ck_assert(reply->from_time == 0 && reply->to_time == 1 && reply->age == 0);
  ck_assert_uint_eq(reply->pair_count, 1);
  ck_assert_uint_eq(reply->pairs._length, 1);
  const rclc_closest_point_msg_dds__CertifiedPair_ *pair = &reply->pairs._buffer[0];
  double least = hypot(0.4, 0.4) - 0.2;
  ck_assert_str_eq(pair->body_a, "carriage");
  ck_assert_str_eq(pair->body_b, "head");
  ck_assert_double_eq_tol(pair->distance, least, 1e-6);
  ck_assert_double_le(pair->clearance, least);
  ck_assert_double_ge(reply->clearance, least - 2e-6);
  ck_assert_double_eq_tol(pair->time, 1, 1e-5);
  ck_assert_double_eq_tol(pair->point_a.x, 2.6, 1e-5);
  ck_assert_double_eq_tol(pair->point_a.z, 0.1, 1e-5);
  ck_assert(isnan(pair->contact_from));
  release(reply);
  ask(3, 0, 0, 1e-3, 0);
  release(expect_reply(3, REFUSED, "a trajectory without points"));
  ask(4, 2, (double)NAN, 1e-3, 0);
  release(expect_reply(4, REFUSED, "as positions, expected a finite number"));
  end_monitor(monitor);
}

/* While one request is worked on for seconds, another is told so, and cycles go on; at the end it
 * is given up. */
TEST(cycles_go_on)
{
  pid_t monitor = start_monitor(ROBOT);
  place_head();
  wait_for_service();
  wait_for_head();
  ask(100, POINTS_MAX, 2.5, 1e-14, 10000000);
  ask(101, 2, 1, 1e-3, 0);
  release(expect_reply(101, BUSY, "another request is being worked on"));
  wait_for(&e, is_any, "an answer while it is worked on");
  uint64_t first = e.last->cycle, last = first;
  for (int64_t begin = now(); last < first + 50; rest(1)) {
    last = hear(&e) ? e.last->cycle : last;
    ck_assert_msg(now() - begin < PATIENCE, "cycles wait for the request");
  }
  ask(102, 2, 1, 1e-3, 0);
  release(expect_reply(102, BUSY, "another request is being worked on"));
  int64_t begin = now();
  end_monitor(monitor);
  ck_assert_int_lt(now() - begin, 5 * SECOND);
  release(expect_reply(100, REFUSED, "the monitor has given it up"));
}

/* Without a model there is nothing to certify, and that is said. */
TEST(no_model)
{
  pid_t monitor = start_monitor("-p rate:=500.0");
  wait_for_service();
  ask(1, 2, 1, 1e-3, 0);
  release(expect_reply(1, REFUSED, "there is no robot_description yet"));
  end_monitor(monitor);
}

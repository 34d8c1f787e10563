/* SPDX-License-Identifier: Apache-2.0 */

/* The source of certify_dds.c and certify_rclc.c, as convert_messages.h is of convert_dds.c and
 * convert_rclc.c. REQUEST and RESPONSE are the service's messages, ITEMS(list) and COUNT(list) what
 * a list has, CHARACTERS(text) a text's; what comes out are read_question() and make_response(). */

static clp_question_list list_of(const double *values, size_t count)
{
  return (clp_question_list){values, count};
}

/* The lists are to be freed; what they point to is the message's. False: there is no memory. */
static bool read_question(const REQUEST *request, clp_question *question)
{
  size_t joints = COUNT(request->trajectory.joint_names),
         points = COUNT(request->trajectory.points);
  *question = (clp_question){.start = clp_time_of(request->trajectory.header.stamp.sec,
                                                  request->trajectory.header.stamp.nanosec),
                             .joint_names = calloc(joints + 1, sizeof *question->joint_names),
                             .joint_count = joints,
                             .points = calloc(points + 1, sizeof *question->points),
                             .point_count = points,
                             .from = request->from_time,
                             .to = request->to_time,
                             .clearance = request->clearance,
                             .tolerance = request->tolerance,
                             .max_steps = request->max_steps,
                             .max_pairs = request->max_pairs,
                             .obstacles_move = request->obstacles_move};
  if (!question->joint_names || !question->points)
    return false;
  for (size_t k = 0; k < joints; ++k)
    question->joint_names[k] = CHARACTERS(ITEMS(request->trajectory.joint_names)[k]);
  for (size_t k = 0; k < points; ++k) {
    const MESSAGE(trajectory_msgs, JointTrajectoryPoint) *point =
        &ITEMS(request->trajectory.points)[k];
    question->points[k] = (clp_question_point){
        .time =
            1e-9 * (double)clp_time_of(point->time_from_start.sec, point->time_from_start.nanosec),
        .positions = list_of(ITEMS(point->positions), COUNT(point->positions)),
        .velocities = list_of(ITEMS(point->velocities), COUNT(point->velocities)),
        .accelerations = list_of(ITEMS(point->accelerations), COUNT(point->accelerations))};
  }
  return true;
}

static MESSAGE(rclc_closest_point, CertifiedPair) pair_message(const clp_questioned_pair *pair)
{
  const clp_certified *found = &pair->found;
  const double nan = (double)NAN;
  bool contact = found->verdict == CLP_CERTIFY_CONTACT;
  clp_vec3 a = pair->point_a, b = pair->point_b;
  return (MESSAGE(rclc_closest_point, CertifiedPair)){
      .body_a = TEXT_OF(pair->body_a),
      .body_b = TEXT_OF(pair->body_b),
      .verdict = (uint8_t)found->verdict,
      .clearance = found->clearance,
      .time = found->distance < HUGE_VAL ? found->time : nan,
      .distance = found->distance,
      .point_a = {a.x, a.y, a.z},
      .point_b = {b.x, b.y, b.z},
      .contact_from = contact ? found->contact_from : nan,
      .contact_to = contact ? found->contact_to : nan};
}

/* It points to what it is made from, and to the room for its pairs. */
static RESPONSE make_response(const clp_question_answer *answer,
                              MESSAGE(rclc_closest_point, CertifiedPair) * pairs)
{
  clp_stamp stamp = clp_stamp_of(answer->stamp);
  uint32_t count = (uint32_t)answer->count;
  for (uint32_t k = 0; k < count; ++k)
    pairs[k] = pair_message(&answer->pairs[k]);
  return (RESPONSE){.verdict = (uint8_t)answer->verdict,
                    .reason = TEXT_OF(answer->reason),
                    .header = {{stamp.sec, stamp.nanosec}, TEXT_OF(answer->frame.text)},
                    .from_time = answer->from,
                    .to_time = answer->to,
                    .clearance = answer->clearance,
                    .age = answer->age,
                    .pair_count = answer->pair_count,
                    .pairs = LIST(pairs, count),
                    .steps = answer->steps};
}

/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* sigaction */

#include "rclc_closest_point/tool/demo_simulator.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "rclc_closest_point/math/quaternion.h"
#include "rclc_closest_point/model/model.h"
#include "rclc_closest_point/node/convert.h"
#include "rclc_closest_point/node/convert_dds.h"
#include "rclc_closest_point/node/dds_wire.h"
#include "rclc_closest_point/node/node_dds.h"
#include "rclc_closest_point/node/process.h"
#include "rclc_closest_point/tool/demo_cell.h"

#define PERIOD (CLP_SECOND / 200)

/* No answer whose stamp is older, or from the future by as much, is obeyed: the arm stops. Ten
 * periods of the monitor's, as docs/safety.md asks; config/arm_cell.yaml has them in reaction_time.
 */
#define TOO_OLD (CLP_SECOND / 100)

/* The arm's controller has a cycle of its own; one that comes late is no reason to jump. */
#define LONGEST_STEP 0.02

typedef struct simulator {
  clp_joint_tree *tree;
  clp_demo_cell cell;
  clp_dds dds;
  dds_entity_t tf, tf_static, description, safety;
  geometry_msgs_msg_dds__TransformStamped_ *transforms;
  int64_t heard; /* the stamp of the newest answer */
  double permitted;
} simulator;

/* ---- What is published -------------------------------------------------------------------- */

static geometry_msgs_msg_dds__TransformStamped_ transform_of(const simulator *s, int index,
                                                             int64_t time)
{
  clp_joint joint = clp_joint_tree_joint(s->tree, index);
  clp_pose pose = clp_joint_tree_joint_pose(s->tree, s->cell.states, index);
  clp_quaternion q = clp_quaternion_of(pose.rotation);
  clp_vec3 p = pose.position;
  clp_stamp stamp = clp_stamp_of(time);
  return (geometry_msgs_msg_dds__TransformStamped_){
      .header = {{stamp.sec, stamp.nanosec},
                 clp_read_only(clp_joint_tree_link_name(s->tree, joint.parent))},
      .child_frame_id = clp_read_only(clp_joint_tree_link_name(s->tree, joint.child)),
      .transform = {{p.x, p.y, p.z}, {q.x, q.y, q.z, q.w}}};
}

/* The joints that are fixed, or the others. */
static void publish_joints(simulator *s, bool fixed)
{
  int64_t time = clp_system_now();
  uint32_t count = 0;
  for (int j = 0; j < clp_joint_tree_joint_count(s->tree); ++j)
    if ((clp_joint_tree_joint(s->tree, j).type == CLP_JOINT_FIXED) == fixed)
      s->transforms[count++] = transform_of(s, j, time);
  tf2_msgs_msg_dds__TFMessage_ message = {
      {._maximum = count, ._length = count, ._buffer = s->transforms}};
  (void)clp_dds_write(&s->dds, fixed ? s->tf_static : s->tf, &message);
}

/* ---- What is heard ------------------------------------------------------------------------ */

static void listen(simulator *s)
{
  void *sample = NULL;
  dds_sample_info_t info;
  int count = clp_dds_take(&s->dds, s->safety, &sample, &info, 1);
  if (count > 0 && info.valid_data) {
    const clp_dds_safety *answer = sample;
    s->heard = clp_time_of(answer->header.stamp.sec, answer->header.stamp.nanosec);
    s->permitted = answer->speed_scale;
  }
  clp_dds_give_back(&s->dds, s->safety, &sample, count);
}

static double permitted_now(const simulator *s)
{
  int64_t age = clp_system_now() - s->heard;
  bool fresh = age <= TOO_OLD && age >= -TOO_OLD;
  return fresh && s->permitted >= 0 ? fmin(s->permitted, 1) : 0;
}

static void run(simulator *s)
{
  int64_t due = clp_steady_now(), before = due;
  publish_joints(s, true);
  while (!clp_must_stop()) {
    listen(s);
    int64_t now = clp_steady_now();
    clp_demo_cell_step(&s->cell, fmin(1e-9 * (double)(now - before), LONGEST_STEP),
                       permitted_now(s));
    publish_joints(s, false);
    before = now;
    due = due + PERIOD > now ? due + PERIOD : now + PERIOD;
    clp_sleep_until(due);
  }
}

/* ---- From start to end -------------------------------------------------------------------- */

static clp_status join(simulator *s, const clp_ros_arguments *arguments, clp_model_sink sink,
                       const char *model)
{
  clp_status status = clp_dds_open(&s->dds, arguments, sink);
  if (status != CLP_OK)
    return status;
  clp_dds *dds = &s->dds;
  s->tf = clp_dds_writer(dds, CLP_TOPIC_TF, "/tf", NULL);
  s->tf_static = clp_dds_writer(dds, CLP_TOPIC_TF_STATIC, "/tf_static", NULL);
  s->description = clp_dds_writer(dds, CLP_TOPIC_DESCRIPTION, "robot_description", NULL);
  s->safety = clp_dds_reader(dds, CLP_TOPIC_SAFETY, "/" CLP_NODE_NAME "/safety");
  bool good = s->tf > 0 && s->tf_static > 0 && s->description > 0 && s->safety > 0;
  status = good ? clp_dds_announce(dds) : CLP_ERROR_FILE;
  if (status == CLP_OK)
    (void)clp_dds_write(dds, s->description, &(std_msgs_msg_dds__String_){clp_read_only(model)});
  return status;
}

/* The file's text, with a zero at its end. */
static clp_status read_model(const char *path, clp_model_sink sink, char **text)
{
  clp_log log = {.file = path, .sink = sink};
  char *bytes = NULL;
  size_t length = 0;
  clp_status status = clp_read_file(&log, &bytes, &length);
  if (status != CLP_OK) {
    (void)clp_finish_file(&log, status);
    return status;
  }
  char *terminated = realloc(bytes, length + 1);
  if (!terminated) {
    free(bytes);
    return CLP_ERROR_MEMORY;
  }
  terminated[length] = '\0';
  *text = terminated;
  return CLP_OK;
}

static clp_status build(simulator *s, const char *path, const char *text, clp_model_sink sink)
{
  clp_status status = clp_joint_tree_parse(text, strlen(text), path, sink, &s->tree);
  if (status != CLP_OK)
    return status;
  s->transforms = calloc((size_t)clp_joint_tree_joint_count(s->tree) + 1, sizeof *s->transforms);
  return s->transforms ? clp_demo_cell_create(s->tree, &s->cell) : CLP_ERROR_MEMORY;
}

clp_status clp_run_demo_simulator(const char *model, clp_model_sink sink)
{
  simulator s = {0};
  clp_ros_arguments arguments = {0};
  clp_signals before;
  char *text = NULL;
  clp_catch_signals(&before);
  clp_status status = clp_ros_arguments_read(0, NULL, "simulated_cell", sink, &arguments);
  if (status == CLP_OK)
    status = read_model(model, sink, &text);
  if (status == CLP_OK)
    status = build(&s, model, text, sink);
  if (status == CLP_OK)
    status = join(&s, &arguments, sink, text);
  if (status == CLP_OK)
    run(&s);
  clp_dds_close(&s.dds);
  clp_demo_cell_release(&s.cell);
  free(s.transforms);
  clp_joint_tree_destroy(s.tree);
  free(text);
  clp_ros_arguments_release(&arguments);
  clp_restore_signals(&before);
  return status;
}

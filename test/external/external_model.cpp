/* SPDX-License-Identifier: Apache-2.0 */
/* The same from C++ and from a model: every public header compiles as C++ and links. */
#include <rclc_closest_point/closest_point.h>
#include <rclc_closest_point/joint_tree.h>
#include <rclc_closest_point/model.h>
#include <rclc_closest_point/record.h>
#include <rclc_closest_point/scene.h>
#include <rclc_closest_point/status.h>
#include <rclc_closest_point/types.h>

#include <cstdio>
#include <cstring>

int main()
{
  const char *text =
      "<robot name='r'><link name='l'><patches><box size='1 2 3'/></patches></link></robot>";
  clp_model *model = nullptr;
  const clp_status status = clp_model_parse(text, std::strlen(text), "text", {}, &model);
  if (status != CLP_OK) {
    std::fprintf(stderr, "no model: %s\n", clp_status_text(status));
    return 1;
  }
  clp_scene_limits limits = clp_scene_limits();
  limits.links = limits.pairs = 1;
  clp_scene *scene = nullptr;
  clp_link_id link;
  const clp_pose pose = clp_pose_from({1, 0, 0}, {0, 0, 0, 1});
  if (clp_scene_create(&limits, nullptr, &scene) != CLP_OK ||
      clp_scene_add_link(scene, clp_model_link(model, 0), &link) != CLP_OK ||
      clp_scene_set_motion(scene, link, &pose, nullptr) != CLP_OK)
    return 1;
  clp_scene_destroy(scene);
  const clp_body_info info = clp_body_describe(clp_model_part(model, 0, 0).body);
  std::printf("%d faces, volume %.9g\n", info.faces, info.volume);
  clp_model_destroy(model);
  return 0;
}

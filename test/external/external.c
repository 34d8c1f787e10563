/* SPDX-License-Identifier: Apache-2.0 */
/* A stranger's first program: the volume of a box. */
#include <rclc_closest_point/closest_point.h>
#include <stdio.h>

int main(void)
{
  clp_body_def def = clp_default_body_def(CLP_SHAPE_BOX);
  def.size = (clp_vec3){1, 2, 3};
  clp_body *body = NULL;
  clp_finding defect;
  if (clp_body_create(&def, clp_first_defect(&defect), &body) != CLP_OK) {
    fprintf(stderr, "no body: %s\n", defect.text);
    return 1;
  }
  clp_body_info info = clp_body_describe(body);
  printf("%d faces, volume %.9g\n", info.faces, info.volume);
  clp_body_destroy(body);
  return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* A stranger's first program: the volume of a box. */
#include <rclc_closest_point/closest_point.h>
#include <stdio.h>

int main(void)
{
  clp_body_def def = clp_default_body_def(CLP_SHAPE_BOX);
  def.size = (clp_vec3){1, 2, 3};
  clp_body *body = NULL;
  clp_status status = clp_body_create(&def, (clp_reporter){0}, &body);
  if (status != CLP_OK) {
    fprintf(stderr, "no body: %s\n", clp_status_text(status));
    return 1;
  }
  clp_body_info info = clp_body_describe(body);
  printf("%d faces, volume %.9g\n", info.faces, info.volume);
  clp_body_destroy(body);
  return 0;
}

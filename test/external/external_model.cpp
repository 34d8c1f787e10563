/* SPDX-License-Identifier: Apache-2.0 */
/* The same from C++ and from a model: every public header compiles as C++ and links. */
#include <rclc_closest_point/closest_point.h>
#include <rclc_closest_point/model.h>
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
  const clp_body_info info = clp_body_describe(clp_model_part(model, 0, 0).body);
  std::printf("%d faces, volume %.9g\n", info.faces, info.volume);
  clp_model_destroy(model);
  return 0;
}

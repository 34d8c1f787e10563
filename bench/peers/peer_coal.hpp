/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_PEERS_PEER_COAL_HPP
#define BENCH_PEERS_PEER_COAL_HPP

#include <coal/shape/geometric_shapes.h>

#include <memory>

#include "rclc_closest_point/closest_point.h"

coal::Transform3s coal_transform(const clp_pose &x);

/* Coal's shape of this definition; null where there is none. */
std::shared_ptr<coal::ShapeBase> coal_shape(const clp_body_def &def);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_PEERS_PEER_FCL_HPP
#define BENCH_PEERS_PEER_FCL_HPP

#include <fcl/geometry/collision_geometry.h>

#include <memory>

#include "rclc_closest_point/closest_point.h"

fcl::Transform3d fcl_transform(const clp_pose &x);

/* FCL's primitive of this definition; null where it has none. */
std::shared_ptr<fcl::CollisionGeometryd> fcl_shape(const clp_body_def &def);

#endif

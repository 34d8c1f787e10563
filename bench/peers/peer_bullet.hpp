/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_PEERS_PEER_BULLET_HPP
#define BENCH_PEERS_PEER_BULLET_HPP

#include <btBulletCollisionCommon.h>

#include <memory>

#include "rclc_closest_point/closest_point.h"

btTransform bullet_transform(const clp_pose &x);

/* Bullet's shape of this definition; null where there is none. */
std::unique_ptr<btConvexShape> bullet_shape(const clp_body_def &def);

#endif

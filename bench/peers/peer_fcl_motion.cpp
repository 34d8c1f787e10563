/* SPDX-License-Identifier: Apache-2.0 */
/* FCL's continuous collision, of its primitives. */
#include <fcl/config.h>
#include <fcl/narrowphase/continuous_collision.h>

#include <memory>

#include "bench/peers/peer.h"
#include "bench/peers/peer_fcl.hpp"

namespace
{

using Geometry = std::shared_ptr<fcl::CollisionGeometryd>;

struct Pair {
  Geometry a, b;
};

void *create(const clp_body_def *a, const clp_body_def *b)
{
  auto pair = std::make_unique<Pair>(Pair{fcl_shape(*a), fcl_shape(*b)});
  return pair->a && pair->b ? pair.release() : nullptr;
}

/* It knows its advance for some pairs of shapes only. */
void *create_advancing(const clp_body_def *a, const clp_body_def *b)
{
  const auto &table =
      fcl::getConservativeAdvancementFunctionLookTable<fcl::detail::GJKSolver_libccdd>();
  const Geometry from = fcl_shape(*a), to = fcl_shape(*b);
  bool known =
      from && to && table.conservative_advancement_matrix[from->getNodeType()][to->getNodeType()];
  return known ? create(a, b) : nullptr;
}

void destroy(void *pair)
{
  delete static_cast<Pair *>(pair);
}

/* Its other solvers take meshes, or do nothing. What its request leaves out stays as it is: ten
 * instants, or a tolerance of 1e-4 of the time. */
template <fcl::CCDSolverType SOLVER>
peer_verdict touches(void *handle, const clp_pose *from, const clp_pose *to)
{
  const auto &p = *static_cast<const Pair *>(handle);
  const fcl::Transform3d rest = fcl::Transform3d::Identity();
  fcl::ContinuousCollisionRequestd request;
  fcl::ContinuousCollisionResultd result;
  request.ccd_motion_type = fcl::CCDM_LINEAR;
  request.ccd_solver_type = SOLVER;
  double time = fcl::continuousCollide(p.a.get(), rest, rest, p.b.get(), fcl_transform(*from),
                                       fcl_transform(*to), request, result);
  if (time < 0)
    return PEER_SILENT;
  return result.is_collide ? PEER_TOUCHES : PEER_CLEAR;
}

}  // namespace

#define FCL "FCL " FCL_VERSION

/* A turn of half a revolution is the most that two poses tell of. */
extern "C" const peer_motion peer_fcl_motions[] = {
    {FCL, "`continuousCollide`, 10 instants (default)", create, touches<fcl::CCDC_NAIVE>, destroy,
     3},
    {FCL, "`continuousCollide`, conservative advancement", create_advancing,
     touches<fcl::CCDC_CONSERVATIVE_ADVANCEMENT>, destroy, 3},
    {},
};

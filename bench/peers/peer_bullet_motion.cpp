/* SPDX-License-Identifier: Apache-2.0 */
/* Bullet's continuous collision, and what planners make of its distances: the hull of a body in two
 * poses, against the other body. */
#include "bench/peers/peer_bullet.hpp"

#include <BulletCollision/NarrowPhaseCollision/btContinuousConvexCollision.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpaPenetrationDepthSolver.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkPairDetector.h>
#include <BulletCollision/NarrowPhaseCollision/btPointCollector.h>
#include <BulletCollision/NarrowPhaseCollision/btVoronoiSimplexSolver.h>

#include "bench/peers/peer.h"

namespace
{

struct Pair {
  std::unique_ptr<btConvexShape> a, b;
  btVoronoiSimplexSolver simplex;
  btGjkEpaPenetrationDepthSolver depth;
};

void *create(const clp_body_def *a, const clp_body_def *b)
{
  auto pair = std::make_unique<Pair>();
  pair->a = bullet_shape(*a);
  pair->b = bullet_shape(*b);
  return pair->a && pair->b ? pair.release() : nullptr;
}

void destroy(void *pair)
{
  delete static_cast<Pair *>(pair);
}

peer_verdict touches(void *handle, const clp_pose *from, const clp_pose *to)
{
  auto &p = *static_cast<Pair *>(handle);
  const btTransform rest = btTransform::getIdentity();
  btContinuousConvexCollision cast(p.a.get(), p.b.get(), &p.simplex, &p.depth);
  btConvexCast::CastResult result;
  return cast.calcTimeOfImpact(rest, rest, bullet_transform(*from), bullet_transform(*to), result)
             ? PEER_TOUCHES
             : PEER_CLEAR;
}

/* As farther out as it is in either pose; in the frame of the first. */
class HullOfTwo : public btConvexInternalShape
{
 public:
  HullOfTwo(const btConvexShape &shape, const btTransform &second) : shape_(shape), second_(second)
  {
    m_shapeType = CUSTOM_CONVEX_SHAPE_TYPE;
    m_collisionMargin = shape.getMargin();
  }
  btVector3 localGetSupportingVertexWithoutMargin(const btVector3 &direction) const override
  {
    const btVector3 turned = direction * second_.getBasis();
    const btVector3 one = shape_.localGetSupportingVertexWithoutMargin(direction);
    const btVector3 other = second_ * shape_.localGetSupportingVertexWithoutMargin(turned);
    return direction.dot(one) > direction.dot(other) ? one : other;
  }
  void batchedUnitVectorGetSupportingVertexWithoutMargin(const btVector3 *directions,
                                                         btVector3 *supports,
                                                         int count) const override
  {
    for (int k = 0; k < count; ++k)
      supports[k] = localGetSupportingVertexWithoutMargin(directions[k]);
  }
  void calculateLocalInertia(btScalar, btVector3 &inertia) const override
  {
    inertia.setZero();
  }
  const char *getName() const override
  {
    return "HullOfTwo";
  }

 private:
  const btConvexShape &shape_;
  btTransform second_;
};

peer_verdict hull_touches(void *handle, const clp_pose *from, const clp_pose *to)
{
  auto &p = *static_cast<Pair *>(handle);
  const btTransform first = bullet_transform(*from);
  HullOfTwo hull(*p.b, first.inverse() * bullet_transform(*to));
  btGjkPairDetector detector(p.a.get(), &hull, &p.simplex, &p.depth);
  btGjkPairDetector::ClosestPointInput input;
  btPointCollector output;
  input.m_transformA.setIdentity();
  input.m_transformB = first;
  detector.getClosestPoints(input, output, nullptr);
  if (!output.m_hasResult)
    return PEER_SILENT;
  return output.m_distance <= 0 ? PEER_TOUCHES : PEER_CLEAR;
}

}  // namespace

#define BULLET "Bullet " BULLET_VERSION

/* Bullet turns a body by 45 degrees in one step at most, and is not asked for more. */
extern "C" const peer_motion peer_bullet_motions[] = {
    {BULLET, "`btContinuousConvexCollision`", create, touches, destroy, 0.75},
    {BULLET, "hull of both poses, every 0.5 rad", create, hull_touches, destroy, 0.5},
    {BULLET, "hull of both poses, every 0.05 rad", create, hull_touches, destroy, 0.05},
    {},
};

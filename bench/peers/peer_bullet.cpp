/* SPDX-License-Identifier: Apache-2.0 */
/* Bullet in double precision, its two GJK solvers. Margins are zero where a shape is exact without
 * one, and a sphere's and a capsule's margin is its radius, so every shape here is exact. */
#include "bench/peers/peer_bullet.hpp"

#include <BulletCollision/NarrowPhaseCollision/btGjkEpa2.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkPairDetector.h>
#include <BulletCollision/NarrowPhaseCollision/btPointCollector.h>
#include <BulletCollision/NarrowPhaseCollision/btVoronoiSimplexSolver.h>

#include <limits>
#include <vector>

#include "bench/peers/peer.h"

namespace
{

/* Bullet has no ellipsoid of its own (a scaled sphere's support is not an ellipsoid's), but takes
 * any support function. */
class Ellipsoid : public btConvexInternalShape
{
 public:
  explicit Ellipsoid(const btVector3 &radii) : radii_(radii)
  {
    m_shapeType = CUSTOM_CONVEX_SHAPE_TYPE;
    m_collisionMargin = 0;
  }
  btVector3 localGetSupportingVertexWithoutMargin(const btVector3 &direction) const override
  {
    btVector3 scaled = radii_ * direction;
    btScalar length = scaled.length();
    return length > 0 ? radii_ * scaled / length : btVector3(radii_.x(), 0, 0);
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
    return "Ellipsoid";
  }

 private:
  btVector3 radii_;
};

struct Pair {
  std::unique_ptr<btConvexShape> a, b;
  std::vector<btTransform> poses;
  btVoronoiSimplexSolver simplex;
  std::unique_ptr<btGjkPairDetector> detector;
  btVector3 guess{1, 0, 0};
  btVector3 witnesses[2]{{0, 0, 0}, {0, 0, 0}};
};

void *create(const clp_body_def *a, const clp_body_def *b, const clp_pose *poses, int count)
{
  auto pair = std::make_unique<Pair>();
  pair->a = bullet_shape(*a);
  pair->b = bullet_shape(*b);
  if (!pair->a || !pair->b)
    return nullptr;
  for (int k = 0; k < count; ++k)
    pair->poses.push_back(bullet_transform(poses[k]));
  pair->detector =
      std::make_unique<btGjkPairDetector>(pair->a.get(), pair->b.get(), &pair->simplex, nullptr);
  return pair.release();
}

void destroy(void *pair)
{
  delete static_cast<Pair *>(pair);
}

const double nan = std::numeric_limits<double>::quiet_NaN();

peer_witnesses witnesses(const void *handle)
{
  const btVector3 &a = static_cast<const Pair *>(handle)->witnesses[0],
                  &b = static_cast<const Pair *>(handle)->witnesses[1];
  return {{a.x(), a.y(), a.z()}, {b.x(), b.y(), b.z()}};
}

/* The detector is kept, with whatever it carries over itself. */
double distance_detector(void *handle, int k)
{
  auto &p = *static_cast<Pair *>(handle);
  btGjkPairDetector::ClosestPointInput input;
  btPointCollector output;
  input.m_transformA.setIdentity();
  input.m_transformB = p.poses[std::size_t(k)];
  p.detector->getClosestPoints(input, output, nullptr);
  if (!output.m_hasResult)
    return nan;
  p.witnesses[0] = output.m_pointInWorld + output.m_distance * output.m_normalOnBInWorld;
  p.witnesses[1] = output.m_pointInWorld;
  return output.m_distance;
}

/* The solver starts from the last normal; it measures between the shapes without their margins. */
double distance_gjk(void *handle, int k)
{
  auto &p = *static_cast<Pair *>(handle);
  btGjkEpaSolver2::sResults results;
  if (!btGjkEpaSolver2::Distance(p.a.get(), btTransform::getIdentity(), p.b.get(),
                                 p.poses[std::size_t(k)], p.guess, results))
    return results.status == btGjkEpaSolver2::sResults::Penetrating ? 0 : nan;
  p.guess = results.witnesses[0] - results.witnesses[1];
  const btVector3 normal = -p.guess.normalized();
  p.witnesses[0] = results.witnesses[0] + p.a->getMargin() * normal;
  p.witnesses[1] = results.witnesses[1] - p.b->getMargin() * normal;
  return results.distance - p.a->getMargin() - p.b->getMargin();
}

void forget(void *handle)
{
  auto &p = *static_cast<Pair *>(handle);
  p.guess = btVector3(1, 0, 0);
  p.detector->setCachedSeparatingAxis(btVector3(0, 1, 0));
}

std::unique_ptr<btConvexShape> without_margin(std::unique_ptr<btConvexShape> shape)
{
  shape->setMargin(0);
  return shape;
}

std::unique_ptr<btConvexShape> hull_of(const clp_polyhedron_def &def)
{
  if (def.vertex_count == 0)
    return nullptr;
  auto hull = std::make_unique<btConvexHullShape>();
  for (int k = 0; k < def.vertex_count; ++k) {
    const double *v = def.vertices + 3 * k;
    hull->addPoint(btVector3(v[0], v[1], v[2]), false);
  }
  hull->recalcLocalAabb();
  return without_margin(std::move(hull));
}

}  // namespace

btTransform bullet_transform(const clp_pose &x)
{
  const clp_mat3 &r = x.rotation;
  return btTransform(btMatrix3x3(r.x.x, r.y.x, r.z.x, r.x.y, r.y.y, r.z.y, r.x.z, r.y.z, r.z.z),
                     btVector3(x.position.x, x.position.y, x.position.z));
}

std::unique_ptr<btConvexShape> bullet_shape(const clp_body_def &def)
{
  const btVector3 size(def.size.x, def.size.y, def.size.z);
  switch (def.shape) {
    case CLP_SHAPE_BOX:
      return without_margin(std::make_unique<btBoxShape>(0.5 * size));
    case CLP_SHAPE_SPHERE:
      return std::make_unique<btSphereShape>(def.radius);
    case CLP_SHAPE_ELLIPSOID:
      return std::make_unique<Ellipsoid>(size);
    case CLP_SHAPE_CYLINDER:
      return without_margin(
          std::make_unique<btCylinderShapeZ>(btVector3(def.radius, def.radius, 0.5 * def.length)));
    case CLP_SHAPE_CAPSULE:
      return std::make_unique<btCapsuleShapeZ>(def.radius, def.length);
    case CLP_SHAPE_REVOLVED:
      return without_margin(std::make_unique<btConeShapeZ>(def.radius, def.length));
    case CLP_SHAPE_POLYHEDRON:
    case CLP_SHAPE_PATCHES: /* closed ones as the hull of points on them */
      return hull_of(def.polyhedron);
    default:
      return nullptr;
  }
}

/* Both have their accuracy compiled in: of the detector the square root of a relative error of
 * 1e-12 of the squared distance. */
extern "C" const peer_pair peer_bullet_pairs[] = {
    {"Bullet " BULLET_VERSION " btGjkPairDetector", "exact shapes, double", create,
     distance_detector, destroy, witnesses, forget, 1e-6, true},
    {"Bullet " BULLET_VERSION " btGjkEpaSolver2", "exact shapes, double, warm", create,
     distance_gjk, destroy, witnesses, forget, 1e-12, true},
    {},
};

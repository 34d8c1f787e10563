/* SPDX-License-Identifier: Apache-2.0 */
/* Coal, once hpp-fcl: formulas where it has them, else its GJK, started from the last direction and
 * the last corners as its documentation advises for a pair that is asked again and again. */
#include "bench/peers/peer_coal.hpp"

#include <coal/distance.h>
#include <coal/shape/convex.h>
#include <coal/shape/geometric_shapes.h>
#include <coal/config.hh>

#include <cmath>
#include <memory>
#include <vector>

#include "bench/peers/peer.h"

namespace
{

using Shape = std::shared_ptr<coal::ShapeBase>;

Shape hull_of(const clp_polyhedron_def &def)
{
  if (def.vertex_count == 0)
    return nullptr;
  auto points = std::make_shared<std::vector<coal::Vec3s>>();
  auto triangles = std::make_shared<std::vector<coal::Triangle>>();
  for (int k = 0; k < def.vertex_count; ++k)
    points->emplace_back(def.vertices[3 * k], def.vertices[3 * k + 1], def.vertices[3 * k + 2]);
  for (int k = 0; k < def.face_count; ++k) {
    auto corner = [&](int i) { return coal::Triangle::index_type(def.faces[3 * k + i]); };
    triangles->emplace_back(corner(0), corner(1), corner(2));
  }
  return std::make_shared<coal::Convex<coal::Triangle>>(points, unsigned(points->size()), triangles,
                                                        unsigned(triangles->size()));
}

/* Coal 3.0 makes all boxes of a process larger by 1e-10 if the first direction in which it is asked
 * for a box's farthest corner has a zero in it, as the default guess has (a static variable in its
 * support function). So it is asked in another one before. */
void ask_a_box_first()
{
  const coal::Box box(1, 1, 1);
  const coal::Transform3s rest = coal::Transform3s::Identity();
  const coal::Transform3s apart(coal::Matrix3s::Identity(), coal::Vec3s(3, 4, 5));
  coal::DistanceRequest request;
  coal::DistanceResult result;
  request.gjk_initial_guess = coal::GJKInitialGuess::CachedGuess;
  request.cached_gjk_guess = coal::Vec3s(-3, -4, -5);
  coal::distance(&box, rest, &box, apart, request, result);
}

}  // namespace

std::shared_ptr<coal::ShapeBase> coal_shape(const clp_body_def &def)
{
  static const bool asked = (ask_a_box_first(), true);
  if (!asked)
    return nullptr;
  switch (def.shape) {
    case CLP_SHAPE_BOX:
      return std::make_shared<coal::Box>(def.size.x, def.size.y, def.size.z);
    case CLP_SHAPE_SPHERE:
      return std::make_shared<coal::Sphere>(def.radius);
    case CLP_SHAPE_ELLIPSOID:
      return std::make_shared<coal::Ellipsoid>(def.size.x, def.size.y, def.size.z);
    case CLP_SHAPE_CYLINDER:
      return std::make_shared<coal::Cylinder>(def.radius, def.length);
    case CLP_SHAPE_CAPSULE:
      return std::make_shared<coal::Capsule>(def.radius, def.length);
    case CLP_SHAPE_REVOLVED:
      return std::make_shared<coal::Cone>(def.radius, def.length);
    case CLP_SHAPE_POLYHEDRON:
    case CLP_SHAPE_PATCHES: /* closed ones as the hull of points on them */
      return hull_of(def.polyhedron);
    default:
      return nullptr;
  }
}

coal::Transform3s coal_transform(const clp_pose &x)
{
  const clp_mat3 &r = x.rotation;
  coal::Matrix3s m;
  m << r.x.x, r.y.x, r.z.x, r.x.y, r.y.y, r.z.y, r.x.z, r.y.z, r.z.z;
  return {m, coal::Vec3s(x.position.x, x.position.y, x.position.z)};
}

namespace
{

struct Pair {
  Pair(Shape first, Shape second)
      : a(std::move(first)), b(std::move(second)), distance(a.get(), b.get())
  {
  }
  Shape a, b;
  coal::ComputeDistance distance;
  coal::DistanceRequest request;
  coal::DistanceResult result;
  coal::Transform3s rest = coal::Transform3s::Identity();
  std::vector<coal::Transform3s> poses;
};

template <int DIGITS>
void *create(const clp_body_def *a, const clp_body_def *b, const clp_pose *poses, int count)
{
  Shape first = coal_shape(*a), second = coal_shape(*b);
  if (!first || !second)
    return nullptr;
  auto pair = std::make_unique<Pair>(std::move(first), std::move(second));
  pair->request.gjk_initial_guess = coal::GJKInitialGuess::CachedGuess;
  pair->request.gjk_tolerance = pair->request.epa_tolerance = std::pow(10.0, -DIGITS);
  for (int k = 0; k < count; ++k)
    pair->poses.push_back(coal_transform(poses[k]));
  return pair.release();
}

double distance(void *handle, int k)
{
  auto &p = *static_cast<Pair *>(handle);
  p.result.clear();
  return p.distance(p.rest, p.poses[std::size_t(k)], p.request, p.result);
}

void forget(void *handle)
{
  const coal::DistanceRequest fresh;
  auto &request = static_cast<Pair *>(handle)->request;
  request.cached_gjk_guess = fresh.cached_gjk_guess;
  request.cached_support_func_guess = fresh.cached_support_func_guess;
}

peer_witnesses witnesses(const void *handle)
{
  const coal::DistanceResult &r = static_cast<const Pair *>(handle)->result;
  const coal::Vec3s &a = r.nearest_points[0], &b = r.nearest_points[1];
  return {{a.x(), a.y(), a.z()}, {b.x(), b.y(), b.z()}};
}

void destroy(void *pair)
{
  delete static_cast<Pair *>(pair);
}

}  // namespace

#define COAL "Coal " COAL_VERSION

extern "C" const peer_pair peer_coal_pairs[] = {
    {COAL, "exact shapes, tolerance 1e-6 (default), warm", create<6>, distance, destroy, witnesses,
     forget, 1e-6, true},
    {COAL, "exact shapes, tolerance 1e-12, warm", create<12>, distance, destroy, witnesses, forget,
     1e-12, false},
    {},
};

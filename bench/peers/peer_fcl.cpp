/* SPDX-License-Identifier: Apache-2.0 */
/* The Flexible Collision Library: its primitives by both of its GJK solvers, meshes by its bounding
 * volume hierarchies. */
#include <fcl/config.h>
#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/geometry/shape/box.h>
#include <fcl/geometry/shape/capsule.h>
#include <fcl/geometry/shape/cone.h>
#include <fcl/geometry/shape/convex.h>
#include <fcl/geometry/shape/cylinder.h>
#include <fcl/geometry/shape/ellipsoid.h>
#include <fcl/geometry/shape/sphere.h>
#include <fcl/narrowphase/distance.h>

#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <vector>

#include "bench/peers/peer.h"
#include "bench/peers/peer_fcl.hpp"

namespace
{

using Geometry = std::shared_ptr<fcl::CollisionGeometryd>;
using Mesh = fcl::BVHModel<fcl::RSSd>;
using Triangles = std::vector<std::array<std::size_t, 3>>;
using Points = std::vector<fcl::Vector3d>;

/* ---- Meshes ------------------------------------------------------------------------------- */

Geometry mesh_of(const Points &points, const Triangles &triangles)
{
  auto mesh = std::make_shared<Mesh>();
  std::vector<fcl::Triangle> indices;
  for (const auto &t : triangles)
    indices.emplace_back(t[0], t[1], t[2]);
  mesh->beginModel();
  mesh->addSubModel(points, indices);
  mesh->endModel();
  return mesh;
}

/* Every triangle in four, the new vertices moved out to the unit sphere. */
void refine(Points &points, Triangles &triangles)
{
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> middles;
  auto middle = [&](std::size_t i, std::size_t j) {
    auto added = middles.try_emplace(std::minmax(i, j), points.size());
    if (added.second)
      points.push_back((points[i] + points[j]).normalized());
    return added.first->second;
  };
  Triangles finer;
  for (const auto &t : triangles) {
    std::size_t a = middle(t[0], t[1]), b = middle(t[1], t[2]), c = middle(t[2], t[0]);
    finer.insert(finer.end(), {{t[0], a, c}, {t[1], b, a}, {t[2], c, b}, {a, b, c}});
  }
  triangles = finer;
}

/* An icosahedron, refined; its vertices lie on the sphere. */
Geometry sphere_mesh(double radius, int refinements)
{
  const double g = 0.5 * (1 + std::sqrt(5.0));
  Points points = {{-1, g, 0},  {1, g, 0},  {-1, -g, 0}, {1, -g, 0}, {0, -1, g},  {0, 1, g},
                   {0, -1, -g}, {0, 1, -g}, {g, 0, -1},  {g, 0, 1},  {-g, 0, -1}, {-g, 0, 1}};
  Triangles triangles = {{0, 11, 5}, {0, 5, 1},  {0, 1, 7},   {0, 7, 10}, {0, 10, 11},
                         {1, 5, 9},  {5, 11, 4}, {11, 10, 2}, {10, 7, 6}, {7, 1, 8},
                         {3, 9, 4},  {3, 4, 2},  {3, 2, 6},   {3, 6, 8},  {3, 8, 9},
                         {4, 9, 5},  {2, 4, 11}, {6, 2, 10},  {8, 6, 7},  {9, 8, 1}};
  for (auto &p : points)
    p.normalize();
  for (int k = 0; k < refinements; ++k)
    refine(points, triangles);
  for (auto &p : points)
    p *= radius;
  return mesh_of(points, triangles);
}

/* A single patch on a grid of its parameters, which run from 0 to 1. */
Geometry patch_mesh(const clp_body_def &def, std::size_t cells)
{
  clp_body *body = nullptr;
  if (clp_body_create(&def, clp_reporter{}, &body) != CLP_OK)
    return nullptr;
  Points points;
  Triangles triangles;
  const std::size_t row = cells + 1;
  for (std::size_t i = 0; i <= cells; ++i) {
    for (std::size_t j = 0; j <= cells; ++j) {
      clp_vec3 p =
          clp_body_face_point(body, 0, double(i) / double(cells), double(j) / double(cells)).place;
      points.emplace_back(p.x, p.y, p.z);
      if (i < cells && j < cells) {
        std::size_t k = i * row + j;
        triangles.push_back({k, k + row, k + row + 1});
        triangles.push_back({k, k + row + 1, k + 1});
      }
    }
  }
  clp_body_destroy(body);
  return mesh_of(points, triangles);
}

/* Of a sphere so often refined or of a patch a mesh, of all else the shape itself: a mesh against a
 * box of twelve triangles takes FCL forty times as long as against its box. */
Geometry mesh_or_shape(const clp_body_def &def, int refinements)
{
  switch (def.shape) {
    case CLP_SHAPE_SPHERE:
      return sphere_mesh(def.radius, refinements);
    case CLP_SHAPE_PATCHES:
      return patch_mesh(def, 32);
    case CLP_SHAPE_POINT:
      return std::make_shared<fcl::Sphered>(0);
    default:
      return fcl_shape(def);
  }
}

/* ---- A pair ------------------------------------------------------------------------------- */

/* A rough radius about the origin, for how far a turn can move a body. */
double reach(const clp_body_def &def)
{
  return 0.5 * def.length + def.radius + std::hypot(def.size.x, def.size.y, def.size.z) +
         (def.shape == CLP_SHAPE_PATCHES ? 40 : 0);
}

struct Pair {
  Geometry a, b;
  std::vector<fcl::Transform3d> poses;
  fcl::Transform3d rest = fcl::Transform3d::Identity();
  fcl::DistanceRequestd request{true};
  fcl::DistanceResultd result;
  fcl::detail::GJKSolver_indepd solver;
  double reach = 0, last = std::numeric_limits<double>::infinity();
  int at = 0;
};

Pair *pair_of(Geometry a, Geometry b, const clp_body_def &def_b, const clp_pose *poses, int count)
{
  if (!a || !b)
    return nullptr;
  auto *pair = new Pair;
  pair->a = std::move(a);
  pair->b = std::move(b);
  pair->reach = reach(def_b);
  for (int k = 0; k < count; ++k)
    pair->poses.push_back(fcl_transform(poses[k]));
  return pair;
}

void destroy(void *pair)
{
  delete static_cast<Pair *>(pair);
}

clp_vec3 vector(const fcl::Vector3d &p)
{
  return {p.x(), p.y(), p.z()};
}

peer_witnesses witnesses(const void *handle)
{
  const auto &p = *static_cast<const Pair *>(handle);
  return {vector(p.result.nearest_points[0]), vector(p.result.nearest_points[1])};
}

/* The solver of libccd, which keeps nothing from call to call. */
template <int DIGITS>
void *create_ccd(const clp_body_def *a, const clp_body_def *b, const clp_pose *poses, int count)
{
  Pair *pair = pair_of(fcl_shape(*a), fcl_shape(*b), *b, poses, count);
  if (pair != nullptr)
    pair->request.distance_tolerance = std::pow(10.0, -DIGITS);
  return pair;
}

double distance_ccd(void *handle, int k)
{
  auto &p = *static_cast<Pair *>(handle);
  p.result.clear();
  fcl::distance(p.a.get(), p.rest, p.b.get(), p.poses[std::size_t(k)], p.request, p.result);
  return p.result.min_distance;
}

/* FCL's own solver starts from the last direction. It takes the guess with the other sign than it
 * leaves it with, so the sign is turned in between. */
template <int DIGITS>
void *create_own(const clp_body_def *a, const clp_body_def *b, const clp_pose *poses, int count)
{
  Pair *pair = pair_of(fcl_shape(*a), fcl_shape(*b), *b, poses, count);
  if (pair != nullptr) {
    pair->solver.enableCachedGuess(true);
    pair->solver.gjk_tolerance = std::pow(10.0, -DIGITS);
  }
  return pair;
}

double distance_own(void *handle, int k)
{
  auto &p = *static_cast<Pair *>(handle);
  p.result.clear();
  p.solver.setCachedGuess(-p.solver.getCachedGuess());
  fcl::distance(p.a.get(), p.rest, p.b.get(), p.poses[std::size_t(k)], &p.solver, p.request,
                p.result);
  return p.result.min_distance;
}

void forget_own(void *handle)
{
  static_cast<Pair *>(handle)->solver.setCachedGuess(fcl::Vector3d(-1, 0, 0));
}

/* Meshes: the descent into the hierarchies starts with the last distance, widened by what the body
 * has moved since. */
template <int REFINEMENTS>
void *create_mesh(const clp_body_def *a, const clp_body_def *b, const clp_pose *poses, int count)
{
  bool patch = a->shape == CLP_SHAPE_PATCHES;
  if (patch ? REFINEMENTS > 0 : b->shape != CLP_SHAPE_SPHERE)
    return nullptr;
  return pair_of(mesh_or_shape(*a, REFINEMENTS), mesh_or_shape(*b, REFINEMENTS), *b, poses, count);
}

double distance_mesh(void *handle, int k)
{
  auto &p = *static_cast<Pair *>(handle);
  const fcl::Transform3d &from = p.poses[std::size_t(p.at)], &to = p.poses[std::size_t(k)];
  double moved = (to.translation() - from.translation()).norm() +
                 p.reach * (to.linear() - from.linear()).norm();
  p.result.clear();
  p.result.min_distance = p.last + moved + 1e-12;
  fcl::distance(p.a.get(), p.rest, p.b.get(), to, p.request, p.result);
  p.last = p.result.min_distance;
  p.at = k;
  return p.last;
}

}  // namespace

/* A closed body of patches as the hull of points on it. */
static Geometry hull_of(const clp_polyhedron_def &def)
{
  if (def.vertex_count == 0)
    return nullptr;
  auto vertices = std::make_shared<std::vector<fcl::Vector3d>>();
  auto faces = std::make_shared<std::vector<int>>();
  for (int k = 0; k < def.vertex_count; ++k)
    vertices->emplace_back(def.vertices + 3 * k);
  for (int k = 0, at = 0; k < def.face_count; at += def.face_sizes[k++]) {
    faces->push_back(def.face_sizes[k]);
    faces->insert(faces->end(), def.faces + at, def.faces + at + def.face_sizes[k]);
  }
  return std::make_shared<fcl::Convexd>(vertices, def.face_count, faces);
}

fcl::Transform3d fcl_transform(const clp_pose &x)
{
  const clp_mat3 &r = x.rotation;
  fcl::Transform3d t = fcl::Transform3d::Identity();
  t.linear() << r.x.x, r.y.x, r.z.x, r.x.y, r.y.y, r.z.y, r.x.z, r.y.z, r.z.z;
  t.translation() << x.position.x, x.position.y, x.position.z;
  return t;
}

Geometry fcl_shape(const clp_body_def &def)
{
  switch (def.shape) {
    case CLP_SHAPE_BOX:
      return std::make_shared<fcl::Boxd>(def.size.x, def.size.y, def.size.z);
    case CLP_SHAPE_SPHERE:
      return std::make_shared<fcl::Sphered>(def.radius);
    case CLP_SHAPE_ELLIPSOID:
      return std::make_shared<fcl::Ellipsoidd>(def.size.x, def.size.y, def.size.z);
    case CLP_SHAPE_CYLINDER:
      return std::make_shared<fcl::Cylinderd>(def.radius, def.length);
    case CLP_SHAPE_CAPSULE:
      return std::make_shared<fcl::Capsuled>(def.radius, def.length);
    case CLP_SHAPE_REVOLVED:
      return std::make_shared<fcl::Coned>(def.radius, def.length);
    case CLP_SHAPE_POLYHEDRON:
    case CLP_SHAPE_PATCHES:
      return hull_of(def.polyhedron);
    default:
      return nullptr;
  }
}

#define FCL "FCL " FCL_VERSION

extern "C" const peer_pair peer_fcl_pairs[] = {
    {FCL " libccd", "exact shapes, tolerance 1e-6 (default)", create_ccd<6>, distance_ccd, destroy,
     witnesses, nullptr, 1e-6, true},
    {FCL " libccd", "exact shapes, tolerance 1e-12", create_ccd<12>, distance_ccd, destroy,
     witnesses, nullptr, 1e-12, false},
    {FCL " own GJK", "exact shapes, tolerance 1e-6, warm", create_own<6>, distance_own, destroy,
     witnesses, forget_own, 1e-6, true},
    {FCL " own GJK", "exact shapes, tolerance 1e-12, warm", create_own<12>, distance_own, destroy,
     witnesses, forget_own, 1e-12, false},
    {FCL " mesh", "sphere 20, patch 2048 faces, warm bound", create_mesh<0>, distance_mesh, destroy,
     witnesses, nullptr, 0, false},
    {FCL " mesh", "1280 faces, warm bound", create_mesh<3>, distance_mesh, destroy, witnesses,
     nullptr, 0, false},
    {FCL " mesh", "20480 faces, warm bound", create_mesh<5>, distance_mesh, destroy, witnesses,
     nullptr, 0, false},
    {},
};

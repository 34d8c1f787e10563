/* SPDX-License-Identifier: Apache-2.0 */
/* A cell by the Flexible Collision Library: its tree of boxes, then its primitives or meshes. */
#include <fcl/broadphase/broadphase_dynamic_AABB_tree.h>
#include <fcl/config.h>
#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/narrowphase/distance.h>

#include <limits>
#include <memory>
#include <vector>

#include "bench/peers/cell_boxes.hpp"
#include "bench/peers/cell_mesh.hpp"
#include "bench/peers/cell_search.hpp"
#include "bench/peers/peer.h"
#include "bench/peers/peer_fcl.hpp"

namespace
{

using Object = fcl::CollisionObjectd;
using Boxes = CellBoxes<Object, fcl::DynamicAABBTreeCollisionManagerd, fcl::Transform3d>;

std::shared_ptr<fcl::CollisionGeometryd> mesh_of(const clp_body_def &def, double error)
{
  const CellMesh mesh(def, error);
  std::vector<fcl::Vector3d> points;
  std::vector<fcl::Triangle> triangles;
  for (const auto &p : mesh.points)
    points.emplace_back(p[0], p[1], p[2]);
  for (const auto &t : mesh.triangles)
    triangles.emplace_back(t[0], t[1], t[2]);
  auto model = std::make_shared<fcl::BVHModel<fcl::OBBRSSd>>();
  model->beginModel(int(triangles.size()), int(points.size()));
  model->addSubModel(points, triangles);
  model->endModel();
  return model;
}

/* How a pair's distance is found: by the solver of libccd; by FCL's own with the guess that it left
 * for this pair; between meshes with so many digits, starting with the last distance of this pair
 * widened by what both have moved since. */
enum Way { CCD, OWN, MESH_3, MESH_4 };

std::shared_ptr<fcl::CollisionGeometryd> geometry_of(Way way, const clp_body_def &def)
{
  return way == MESH_3 || way == MESH_4 ? mesh_of(def, way == MESH_3 ? 1e-3 : 1e-4)
                                        : fcl_shape(def);
}

/* No point of the object has moved farther between the two poses. */
double way_between(const Object &object, const fcl::Transform3d &from, const fcl::Transform3d &to)
{
  const auto &geometry = *object.collisionGeometry();
  const double reach = geometry.aabb_center.norm() + geometry.aabb_radius;
  return (to.translation() - from.translation()).norm() +
         reach * (to.linear() - from.linear()).norm();
}

template <Way WAY>
class Library
{
 public:
  explicit Library(const cell &c)
      : boxes_(c, fcl_transform, [](const clp_body_def &def) { return geometry_of(WAY, def); }),
        obstacles_(c.obstacles),
        guesses_(std::size_t(boxes_.robot_parts() * obstacles_))
  {
    solver_.enableCachedGuess(true);
    solver_.gjk_tolerance = 1e-6;
  }

  void move(const clp_pose *X_WL)
  {
    boxes_.move(X_WL);
  }

  double distance(int part, int obstacle, double)
  {
    Object *a = &boxes_.part(part), *b = &boxes_.obstacle(obstacle);
    result_.clear();
    Guess &guess = guesses_[std::size_t(part * obstacles_ + obstacle)];
    if (WAY == OWN) {
      solver_.setCachedGuess(-guess.direction);
      fcl::distance(a, b, &solver_, request_, result_);
      guess.direction = solver_.getCachedGuess();
    } else if (WAY == CCD) {
      fcl::distance(a, b, request_, result_);
    } else {
      result_.min_distance = guess.distance + way_between(*a, guess.X_a, a->getTransform()) +
                             way_between(*b, guess.X_b, b->getTransform()) + 1e-12;
      fcl::distance(a, b, request_, result_);
      guess = {guess.direction, result_.min_distance, a->getTransform(), b->getTransform()};
    }
    return result_.min_distance >= 0 ? result_.min_distance
                                     : std::numeric_limits<double>::infinity();
  }

  template <class Visit>
  void candidates(int part, const double &bound, Visit visit)
  {
    using Meeting = typename Boxes::template Meeting<Visit>;
    Meeting meeting{&boxes_.part(part), bound, visit, boxes_.robot_parts()};
    boxes_.tree().distance(&boxes_.part(part), &meeting,
                           [](Object *a, Object *b, void *m, double &look) {
                             return (*static_cast<Meeting *>(m))(a, b, look);
                           });
  }

 private:
  /* What is left of a pair's last answer. */
  struct Guess {
    fcl::Vector3d direction{1, 0, 0};
    double distance = std::numeric_limits<double>::infinity();
    fcl::Transform3d X_a = fcl::Transform3d::Identity(), X_b = fcl::Transform3d::Identity();
  };

  Boxes boxes_;
  int obstacles_;
  fcl::DistanceRequestd request_{true};
  fcl::DistanceResultd result_;
  fcl::detail::GJKSolver_indepd solver_;
  std::vector<Guess> guesses_;
};

}  // namespace

#define FCL_TREE "FCL " FCL_VERSION " AABB tree,"

extern "C" const peer_cell peer_fcl_cells[] = {
    cell_by<CellSearch<Library<CCD>>>(FCL_TREE " libccd", "exact shapes, tolerance 1e-6 (default)",
                                      true),
    cell_by<CellSearch<Library<OWN>>>(FCL_TREE " own GJK", "exact shapes, tolerance 1e-6, warm",
                                      true),
    cell_by<CellSearch<Library<MESH_3>>>(FCL_TREE " OBBRSS", "meshes to 1e-3, warm", false),
    cell_by<CellSearch<Library<MESH_4>>>(FCL_TREE " OBBRSS", "meshes to 1e-4, warm", false, 100),
    {},
};

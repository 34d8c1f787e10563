/* SPDX-License-Identifier: Apache-2.0 */
/* A cell by the Flexible Collision Library: its tree of boxes, then its primitives or meshes. */
#include <fcl/broadphase/broadphase_dynamic_AABB_tree.h>
#include <fcl/config.h>
#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/narrowphase/distance.h>

#include <limits>
#include <memory>
#include <vector>

#include "bench/peers/cell_mesh.hpp"
#include "bench/peers/cell_search.hpp"
#include "bench/peers/peer.h"
#include "bench/peers/peer_fcl.hpp"

namespace
{

using Object = fcl::CollisionObjectd;

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
  explicit Library(const cell &c) : obstacles_(c.obstacles)
  {
    for (int k = 0; k < c.part_count; ++k) {
      const cell_part &part = c.parts[k];
      objects_.push_back(std::make_unique<Object>(geometry_of(WAY, part.def)));
      objects_.back()->setUserData(reinterpret_cast<void *>(std::intptr_t(k)));
      links_.push_back(part.link);
      if (k < c.part_count - c.obstacles)
        X_LP_.push_back(fcl_transform(part.X_LP));
    }
    robot_parts_ = c.part_count - c.obstacles;
    guesses_.assign(std::size_t(robot_parts_ * obstacles_), Guess());
    solver_.enableCachedGuess(true);
    solver_.gjk_tolerance = 1e-6;
  }

  void move(const clp_pose *X_WL)
  {
    for (std::size_t k = 0; k < objects_.size(); ++k) {
      const auto X_WP = fcl_transform(X_WL[links_[k]]);
      objects_[k]->setTransform(k < X_LP_.size() ? X_WP * X_LP_[k] : X_WP);
      objects_[k]->computeAABB();
    }
    if (tree_.empty())
      plant();
    else
      tree_.update();
  }

  double distance(int part, int obstacle, double)
  {
    Object *a = objects_[std::size_t(part)].get();
    Object *b = objects_[std::size_t(robot_parts_ + obstacle)].get();
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
    struct Context {
      const Object *part;
      const double &bound;
      Visit &visit;
      int first;
    } context{objects_[std::size_t(part)].get(), bound, visit, robot_parts_};
    auto meet = [](Object *a, Object *b, void *data, double &distance) {
      auto &c = *static_cast<Context *>(data);
      Object *other = a == c.part ? b : a;
      const double gap = other->getAABB().distance(c.part->getAABB());
      if (gap < c.bound)
        c.visit(int(reinterpret_cast<std::intptr_t>(other->getUserData())) - c.first, gap);
      distance = c.bound;
      return false;
    };
    tree_.distance(objects_[std::size_t(part)].get(), &context, meet);
  }

 private:
  /* Where the obstacles are in the first cycle: later ones change the tree's boxes, and its shape
   * but little. */
  void plant()
  {
    std::vector<Object *> obstacles;
    for (std::size_t k = std::size_t(robot_parts_); k < objects_.size(); ++k)
      obstacles.push_back(objects_[k].get());
    tree_.registerObjects(obstacles);
    tree_.setup();
  }

  /* What is left of a pair's last answer. */
  struct Guess {
    fcl::Vector3d direction{1, 0, 0};
    double distance = std::numeric_limits<double>::infinity();
    fcl::Transform3d X_a = fcl::Transform3d::Identity(), X_b = fcl::Transform3d::Identity();
  };

  std::vector<std::unique_ptr<Object>> objects_;
  std::vector<int> links_;
  std::vector<fcl::Transform3d> X_LP_; /* of the robot's; an obstacle is its link */
  int robot_parts_ = 0, obstacles_;
  fcl::DynamicAABBTreeCollisionManagerd tree_;
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

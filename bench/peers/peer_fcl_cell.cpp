/* SPDX-License-Identifier: Apache-2.0 */
/* A cell by the Flexible Collision Library: its tree of boxes, then its primitives. */
#include <fcl/broadphase/broadphase_dynamic_AABB_tree.h>
#include <fcl/config.h>
#include <fcl/narrowphase/distance.h>

#include <limits>
#include <memory>
#include <vector>

#include "bench/peers/cell_search.hpp"
#include "bench/peers/peer.h"
#include "bench/peers/peer_fcl.hpp"

namespace
{

using Object = fcl::CollisionObjectd;

/* OWN: FCL's own solver with the guess that it left for this pair, else libccd's. */
template <bool OWN>
class Library
{
 public:
  explicit Library(const cell &c) : obstacles_(c.obstacles)
  {
    for (int k = 0; k < c.part_count; ++k) {
      const cell_part &part = c.parts[k];
      objects_.push_back(std::make_unique<Object>(fcl_shape(part.def)));
      objects_.back()->setUserData(reinterpret_cast<void *>(std::intptr_t(k)));
      links_.push_back(part.link);
      X_LP_.push_back(fcl_transform(part.X_LP));
    }
    robot_parts_ = c.part_count - c.obstacles;
    for (int k = robot_parts_; k < c.part_count; ++k)
      tree_.registerObject(objects_[std::size_t(k)].get());
    tree_.setup();
    guesses_.assign(std::size_t(robot_parts_ * obstacles_), fcl::Vector3d(1, 0, 0));
    solver_.enableCachedGuess(true);
    solver_.gjk_tolerance = 1e-6;
  }

  void move(const clp_pose *X_WL)
  {
    for (std::size_t k = 0; k < objects_.size(); ++k) {
      objects_[k]->setTransform(fcl_transform(X_WL[links_[k]]) * X_LP_[k]);
      objects_[k]->computeAABB();
    }
    tree_.update();
  }

  double distance(int part, int obstacle)
  {
    Object *a = objects_[std::size_t(part)].get();
    Object *b = objects_[std::size_t(robot_parts_ + obstacle)].get();
    result_.clear();
    if (OWN) {
      fcl::Vector3d &guess = guesses_[std::size_t(part * obstacles_ + obstacle)];
      solver_.setCachedGuess(-guess);
      fcl::distance(a, b, &solver_, request_, result_);
      guess = solver_.getCachedGuess();
    } else {
      fcl::distance(a, b, request_, result_);
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
      if (other->getAABB().distance(c.part->getAABB()) < c.bound)
        c.visit(int(reinterpret_cast<std::intptr_t>(other->getUserData())) - c.first);
      distance = c.bound;
      return false;
    };
    tree_.distance(objects_[std::size_t(part)].get(), &context, meet);
  }

 private:
  std::vector<std::unique_ptr<Object>> objects_;
  std::vector<int> links_;
  std::vector<fcl::Transform3d> X_LP_;
  int robot_parts_ = 0, obstacles_;
  fcl::DynamicAABBTreeCollisionManagerd tree_;
  fcl::DistanceRequestd request_{true};
  fcl::DistanceResultd result_;
  fcl::detail::GJKSolver_indepd solver_;
  std::vector<fcl::Vector3d> guesses_;
};

}  // namespace

#define FCL_TREE "FCL " FCL_VERSION " AABB tree,"

extern "C" const peer_cell peer_fcl_cells[] = {
    cell_by<CellSearch<Library<false>, false>>(FCL_TREE " libccd",
                                               "exact shapes, tolerance 1e-6 (default)"),
    cell_by<CellSearch<Library<false>, true>>(FCL_TREE " libccd",
                                              "exact shapes, tolerance 1e-6, warm bound"),
    cell_by<CellSearch<Library<true>, true>>(FCL_TREE " own GJK",
                                             "exact shapes, tolerance 1e-6, warm"),
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};

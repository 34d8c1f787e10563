/* SPDX-License-Identifier: Apache-2.0 */
/* A cell by Coal: its tree of boxes, then its formulas and its GJK. */
#include <coal/broadphase/broadphase_dynamic_AABB_tree.h>
#include <coal/collision.h>
#include <coal/distance.h>
#include <coal/config.hh>

#include <memory>
#include <vector>

#include "bench/peers/cell_search.hpp"
#include "bench/peers/peer.h"
#include "bench/peers/peer_coal.hpp"

namespace
{

using Object = coal::CollisionObject;

/* A pair is asked for its distance, however far away it is, or only up to a bound, where the solver
 * stops when it has proven that there is more: each from the direction and the corners that the
 * pair's last answer left. */
class FullDistance
{
 public:
  FullDistance(const Object &a, const Object &b)
      : distance_(a.collisionGeometryPtr(), b.collisionGeometryPtr())
  {
    request_.gjk_initial_guess = coal::GJKInitialGuess::CachedGuess;
  }
  double operator()(const Object &a, const Object &b, double)
  {
    coal::DistanceResult result;
    return distance_(a.getTransform(), b.getTransform(), request_, result);
  }

 private:
  coal::ComputeDistance distance_;
  coal::DistanceRequest request_;
};

class BoundedDistance
{
 public:
  BoundedDistance(const Object &a, const Object &b)
      : collide_(a.collisionGeometryPtr(), b.collisionGeometryPtr())
  {
    request_.gjk_initial_guess = coal::GJKInitialGuess::CachedGuess;
  }
  double operator()(const Object &a, const Object &b, double bound)
  {
    coal::CollisionResult result;
    request_.distance_upper_bound = bound;
    collide_(a.getTransform(), b.getTransform(), request_, result);
    return result.distance_lower_bound;
  }

 private:
  coal::ComputeCollision collide_;
  coal::CollisionRequest request_{coal::NO_REQUEST, 1};
};

template <class Asked>
class Library
{
 public:
  explicit Library(const cell &c) : obstacles_(c.obstacles)
  {
    robot_parts_ = c.part_count - c.obstacles;
    for (int k = 0; k < c.part_count; ++k) {
      const cell_part &part = c.parts[k];
      objects_.push_back(std::make_unique<Object>(coal_shape(part.def)));
      objects_.back()->setUserData(reinterpret_cast<void *>(std::intptr_t(k)));
      links_.push_back(part.link);
      if (k < c.part_count - c.obstacles)
        X_LP_.push_back(coal_transform(part.X_LP));
    }
    for (int part = 0; part < robot_parts_; ++part)
      for (int k = robot_parts_; k < c.part_count; ++k)
        pairs_.emplace_back(*objects_[std::size_t(part)], *objects_[std::size_t(k)]);
  }

  void move(const clp_pose *X_WL)
  {
    for (std::size_t k = 0; k < objects_.size(); ++k) {
      const auto X_WP = coal_transform(X_WL[links_[k]]);
      objects_[k]->setTransform(k < X_LP_.size() ? X_WP * X_LP_[k] : X_WP);
      objects_[k]->computeAABB();
    }
    if (tree_.empty())
      plant();
    else
      tree_.update();
  }

  double distance(int part, int obstacle, double bound)
  {
    return pairs_[std::size_t(part * obstacles_ + obstacle)](
        *objects_[std::size_t(part)], *objects_[std::size_t(robot_parts_ + obstacle)], bound);
  }

  template <class Visit>
  void candidates(int part, const double &bound, Visit visit)
  {
    struct Callback : coal::DistanceCallBackBase {
      Callback(const Object *p, const double &b, Visit &v, int f)
          : part(p), bound(b), visit(v), first(f)
      {
      }
      bool distance(Object *a, Object *b, coal::CoalScalar &nearest) override
      {
        const Object *other = a == part ? b : a;
        const double gap = other->getAABB().distance(part->getAABB());
        if (gap < bound)
          visit(int(reinterpret_cast<std::intptr_t>(other->getUserData())) - first, gap);
        nearest = bound;
        return false;
      }
      const Object *part;
      const double &bound;
      Visit &visit;
      int first;
    } callback(objects_[std::size_t(part)].get(), bound, visit, robot_parts_);
    tree_.distance(objects_[std::size_t(part)].get(), &callback);
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

  std::vector<std::unique_ptr<Object>> objects_;
  std::vector<int> links_;
  std::vector<coal::Transform3s> X_LP_; /* of the robot's; an obstacle is its link */
  std::vector<Asked> pairs_;
  int robot_parts_ = 0, obstacles_;
  coal::DynamicAABBTreeCollisionManager tree_;
};

}  // namespace

#define COAL_TREE "Coal " COAL_VERSION " AABB tree,"

extern "C" const peer_cell peer_coal_cells[] = {
    cell_by<CellSearch<Library<FullDistance>>>(
        COAL_TREE " distance", "exact shapes, tolerance 1e-6 (default), warm", true),
    cell_by<CellSearch<Library<BoundedDistance>>>(
        COAL_TREE " collide", "exact shapes, tolerance 1e-6 (default), warm, bounded", true),
    {},
};

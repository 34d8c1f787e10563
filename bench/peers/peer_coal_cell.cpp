/* SPDX-License-Identifier: Apache-2.0 */
/* A cell by Coal: its tree of boxes, then its formulas and its GJK. */
#include <coal/broadphase/broadphase_dynamic_AABB_tree.h>
#include <coal/collision.h>
#include <coal/distance.h>
#include <coal/config.hh>

#include <vector>

#include "bench/peers/cell_boxes.hpp"
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

using Boxes = CellBoxes<Object, coal::DynamicAABBTreeCollisionManager, coal::Transform3s>;

template <class Visit>
struct Callback : coal::DistanceCallBackBase {
  explicit Callback(const Boxes::Meeting<Visit> &m) : meeting(m)
  {
  }
  bool distance(Object *a, Object *b, coal::CoalScalar &look) override
  {
    return meeting(a, b, look);
  }
  Boxes::Meeting<Visit> meeting;
};

template <class Asked>
class Library
{
 public:
  explicit Library(const cell &c) : boxes_(c, coal_transform, coal_shape), obstacles_(c.obstacles)
  {
    for (int part = 0; part < boxes_.robot_parts(); ++part)
      for (int k = 0; k < obstacles_; ++k)
        pairs_.emplace_back(boxes_.part(part), boxes_.obstacle(k));
  }

  void move(const clp_pose *X_WL)
  {
    boxes_.move(X_WL);
  }

  double distance(int part, int obstacle, double bound)
  {
    return pairs_[std::size_t(part * obstacles_ + obstacle)](boxes_.part(part),
                                                             boxes_.obstacle(obstacle), bound);
  }

  template <class Visit>
  void candidates(int part, const double &bound, Visit visit)
  {
    Callback<Visit> callback({&boxes_.part(part), bound, visit, boxes_.robot_parts()});
    boxes_.tree().distance(&boxes_.part(part), &callback);
  }

 private:
  Boxes boxes_;
  std::vector<Asked> pairs_;
  int obstacles_;
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

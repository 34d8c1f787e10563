/* SPDX-License-Identifier: Apache-2.0 */
/* A cell by Bullet: its broad phase of dynamic bounding volume trees, then its GJK. */
#include <BulletCollision/NarrowPhaseCollision/btGjkEpa2.h>

#include <limits>
#include <memory>
#include <vector>

#include "bench/peers/cell_mesh.hpp"
#include "bench/peers/cell_search.hpp"
#include "bench/peers/peer.h"
#include "bench/peers/peer_bullet.hpp"

namespace
{

double axis_gap(double min_a, double max_a, double min_b, double max_b)
{
  return std::max(0.0, std::max(min_b - max_a, min_a - max_b));
}

/* The shape itself, or the convex hull of a mesh with so many digits. */
enum Form { EXACT, HULL_3, HULL_4 };

std::unique_ptr<btConvexShape> shape_of(Form form, const clp_body_def &def)
{
  if (form == EXACT)
    return bullet_shape(def);
  auto hull = std::make_unique<btConvexHullShape>();
  for (const auto &p : CellMesh(def, form == HULL_3 ? 1e-3 : 1e-4).points)
    hull->addPoint(btVector3(p[0], p[1], p[2]), false);
  hull->setMargin(0);
  hull->recalcLocalAabb();
  return hull;
}

template <Form FORM>
class Library
{
 public:
  explicit Library(const cell &c) : obstacles_(c.obstacles)
  {
    robot_parts_ = c.part_count - c.obstacles;
    /* Pairs among the obstacles are not wanted, so their overlaps are never looked for. */
    tree_.m_deferedcollide = true;
    for (int k = 0; k < c.part_count; ++k) {
      shapes_.push_back(shape_of(FORM, c.parts[k].def));
      links_.push_back(c.parts[k].link);
      X_WP_.push_back(bullet_transform(c.parts[k].X_LP));
      if (k >= robot_parts_) {
        btVector3 min, max;
        shapes_.back()->getAabb(X_WP_.back(), min, max);
        auto *number = reinterpret_cast<void *>(std::intptr_t(k - robot_parts_));
        proxies_.push_back(tree_.createProxy(min, max, 0, number, 0, 0, nullptr));
      }
    }
    X_LP_.assign(X_WP_.begin(), X_WP_.begin() + robot_parts_);
    guesses_.assign(std::size_t(robot_parts_ * obstacles_), btVector3(1, 0, 0));
  }

  void move(const clp_pose *X_WL)
  {
    for (std::size_t k = 0; k < shapes_.size(); ++k) {
      X_WP_[k] = bullet_transform(X_WL[links_[k]]);
      if (k < X_LP_.size())
        X_WP_[k] = X_WP_[k] * X_LP_[k];
      if (k >= std::size_t(robot_parts_)) {
        btVector3 min, max;
        shapes_[k]->getAabb(X_WP_[k], min, max);
        tree_.setAabb(proxies_[k - std::size_t(robot_parts_)], min, max, nullptr);
      }
    }
  }

  double distance(int part, int obstacle, double)
  {
    const std::size_t i = std::size_t(part), j = std::size_t(robot_parts_ + obstacle);
    btVector3 &guess = guesses_[std::size_t(part * obstacles_ + obstacle)];
    btGjkEpaSolver2::sResults results;
    if (!btGjkEpaSolver2::Distance(shapes_[i].get(), X_WP_[i], shapes_[j].get(), X_WP_[j], guess,
                                   results))
      return std::numeric_limits<double>::infinity();
    guess = results.witnesses[0] - results.witnesses[1];
    return results.distance - shapes_[i]->getMargin() - shapes_[j]->getMargin();
  }

  /* The tree finds what overlaps the part's box, widened by the bound. */
  template <class Visit>
  void candidates(int part, const double &bound, Visit visit)
  {
    struct Callback : btBroadphaseAabbCallback {
      Callback(const double &b, Visit &v) : bound(b), visit(v)
      {
      }
      bool process(const btBroadphaseProxy *proxy) override
      {
        const btVector3 &lo = proxy->m_aabbMin, &hi = proxy->m_aabbMax;
        btVector3 gap(axis_gap(min.x(), max.x(), lo.x(), hi.x()),
                      axis_gap(min.y(), max.y(), lo.y(), hi.y()),
                      axis_gap(min.z(), max.z(), lo.z(), hi.z()));
        if (gap.length2() < bound * bound)
          visit(int(reinterpret_cast<std::intptr_t>(proxy->m_clientObject)), gap.length());
        return true;
      }
      btVector3 min, max;
      const double &bound;
      Visit &visit;
    } callback(bound, visit);
    shapes_[std::size_t(part)]->getAabb(X_WP_[std::size_t(part)], callback.min, callback.max);
    btVector3 widening(bound, bound, bound);
    tree_.aabbTest(callback.min - widening, callback.max + widening, callback);
  }

 private:
  int robot_parts_ = 0, obstacles_;
  std::vector<std::unique_ptr<btConvexShape>> shapes_;
  std::vector<int> links_;
  std::vector<btTransform> X_LP_, X_WP_; /* of the robot's parts; of all */
  btDbvtBroadphase tree_;
  std::vector<btBroadphaseProxy *> proxies_;
  std::vector<btVector3> guesses_;
};

}  // namespace

#define BULLET_TREE "Bullet " BULLET_VERSION " btDbvtBroadphase"

extern "C" const peer_cell peer_bullet_cells[] = {
    cell_by<CellSearch<Library<EXACT>>>(BULLET_TREE, "exact shapes, btGjkEpaSolver2, warm", true),
    cell_by<CellSearch<Library<HULL_3>>>(BULLET_TREE,
                                         "hulls of meshes to 1e-3, btGjkEpaSolver2, warm", false),
    cell_by<CellSearch<Library<HULL_4>>>(
        BULLET_TREE, "hulls of meshes to 1e-4, btGjkEpaSolver2, warm", false, 100),
    {},
};

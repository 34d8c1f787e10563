/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_PEERS_CELL_BOXES_HPP
#define BENCH_PEERS_CELL_BOXES_HPP

#include <cstdint>
#include <memory>
#include <vector>

#include "bench/peers/peer.h"

/* A cell's parts as objects of FCL or of Coal, which once was FCL, and the obstacles' boxes in its
 * tree. */
template <class Object, class Tree, class Transform>
class CellBoxes
{
 public:
  /* `transform` and `shape` make the library's of a clp_pose and a clp_body_def. */
  template <class MakeTransform, class MakeShape>
  CellBoxes(const cell &c, MakeTransform transform, MakeShape shape)
      : transform_(transform), robot_parts_(c.part_count - c.obstacles)
  {
    for (int k = 0; k < c.part_count; ++k) {
      const cell_part &part = c.parts[k];
      objects_.push_back(std::make_unique<Object>(shape(part.def)));
      objects_.back()->setUserData(reinterpret_cast<void *>(std::intptr_t(k)));
      links_.push_back(part.link);
      if (k < robot_parts_)
        X_LP_.push_back(transform(part.X_LP));
    }
  }

  int robot_parts() const
  {
    return robot_parts_;
  }
  Object &part(int k) const
  {
    return *objects_[std::size_t(k)];
  }
  Object &obstacle(int k) const
  {
    return *objects_[std::size_t(robot_parts_ + k)];
  }
  Tree &tree()
  {
    return tree_;
  }

  void move(const clp_pose *X_WL)
  {
    for (std::size_t k = 0; k < objects_.size(); ++k) {
      const Transform X_WP = transform_(X_WL[links_[k]]);
      objects_[k]->setTransform(k < X_LP_.size() ? Transform(X_WP * X_LP_[k]) : X_WP);
      objects_[k]->computeAABB();
    }
    if (tree_.empty())
      plant();
    else
      tree_.update();
  }

  /* What the tree calls, told how far it has to look on. */
  template <class Visit>
  struct Meeting {
    bool operator()(const Object *a, const Object *b, double &look)
    {
      const Object *other = a == part ? b : a;
      const double gap = other->getAABB().distance(part->getAABB());
      if (gap < bound)
        visit(int(reinterpret_cast<std::intptr_t>(other->getUserData())) - robot_parts, gap);
      look = bound;
      return false;
    }
    const Object *part;
    const double &bound;
    Visit &visit;
    int robot_parts;
  };

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

  Transform (*transform_)(const clp_pose &);
  int robot_parts_;
  std::vector<std::unique_ptr<Object>> objects_;
  std::vector<int> links_;
  std::vector<Transform> X_LP_; /* of the robot's; an obstacle is its link */
  Tree tree_;
};

#endif

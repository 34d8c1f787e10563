/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_PEERS_CELL_SEARCH_HPP
#define BENCH_PEERS_CELL_SEARCH_HPP

#include <algorithm>
#include <limits>
#include <vector>

#include "bench/peers/peer.h"

/* The nearest obstacles by a library's broad phase and distances. The search for the minimum asks
 * the pair first that was nearest last time, so that it starts with a tight bound.
 *
 * A Library has
 *   Library(const cell &)                         its shapes and trees
 *   void move(const clp_pose *X_WL)               this cycle's poses
 *   double distance(int part, int obstacle, double bound)
 *     of a robot's part; anything above the bound where it is not nearer
 *   void candidates(int part, const double &bound, visit)
 *     calls visit(obstacle, gap) for every obstacle whose box is nearer to the part's than the
 *     bound, which `visit` may have tightened; `gap` is how far the boxes are apart. */
template <class Library>
class CellSearch
{
 public:
  explicit CellSearch(const cell &c) : library_(c), robot_parts_(c.part_count - c.obstacles)
  {
    for (int k = 0; k < robot_parts_; ++k)
      links_.push_back(c.parts[k].link);
    nearest_.assign(std::size_t(c.obstacles), infinity);
    last_.resize(CELL_ROBOT_LINKS + 1);
    for (int link = 0; link < CELL_ROBOT_LINKS; ++link)
      last_[std::size_t(link)].part =
          int(std::find(links_.begin(), links_.end(), link) - links_.begin());
  }

  double cycle(const clp_pose *X_WL, double *nearest)
  {
    library_.move(X_WL);
    if (nearest == nullptr)
      return search(last_.back(), 0, robot_parts_);
    double minimum = infinity;
    for_links([&](int link, int from, int to) {
      nearest[link] = search(last_[std::size_t(link)], from, to);
      minimum = std::min(minimum, nearest[link]);
    });
    return minimum;
  }

  /* A link's further parts are asked only where they could be nearer. */
  int within(const clp_pose *X_WL, double range, peer_near *near)
  {
    int found = 0;
    library_.move(X_WL);
    for_links([&](int link, int from, int to) {
      const int first = found;
      for (int part = from; part < to; ++part) {
        library_.candidates(part, range, [&](int obstacle, double gap) {
          double &nearest = nearest_[std::size_t(obstacle)];
          if (gap >= nearest)
            return;
          double distance = library_.distance(part, obstacle, std::min(nearest, range));
          if (distance >= std::min(nearest, range))
            return;
          if (nearest == infinity)
            near[found++] = {link, obstacle, 0};
          nearest = distance;
        });
      }
      for (int k = first; k < found; ++k) {
        near[k].distance = nearest_[std::size_t(near[k].obstacle)];
        nearest_[std::size_t(near[k].obstacle)] = infinity;
      }
    });
    return found;
  }

 private:
  static constexpr double infinity = std::numeric_limits<double>::infinity();

  struct Last {
    int part = 0, obstacle = 0;
  };

  /* visit(link, its first part, the one after its last) */
  template <class Visit>
  void for_links(Visit visit) const
  {
    for (int link = 0, part = 0; link < CELL_ROBOT_LINKS; ++link) {
      int end = part;
      while (end < robot_parts_ && links_[std::size_t(end)] == link)
        ++end;
      visit(link, part, end);
      part = end;
    }
  }

  double search(Last &last, int from, int to)
  {
    const Last first = last;
    double bound = library_.distance(first.part, first.obstacle, infinity);
    for (int part = from; part < to; ++part) {
      library_.candidates(part, bound, [&](int obstacle, double) {
        if (part == first.part && obstacle == first.obstacle)
          return;
        double distance = library_.distance(part, obstacle, bound);
        if (distance < bound) {
          bound = distance;
          last = {part, obstacle};
        }
      });
    }
    return bound;
  }

  Library library_;
  int robot_parts_;
  std::vector<int> links_;      /* of the robot's parts */
  std::vector<double> nearest_; /* of each obstacle to the link that is asked for */
  std::vector<Last> last_;      /* of each robot link, and of the whole robot */
};

/* A library's way to a cell. */
template <class Search>
constexpr peer_cell cell_by(const char *name, const char *representation, bool exact,
                            int most_obstacles = 0)
{
  return {name,
          representation,
          exact,
          most_obstacles,
          [](const cell *c) -> void * { return new Search(*c); },
          [](void *search, const clp_pose *X_WL, double *nearest) {
            return static_cast<Search *>(search)->cycle(X_WL, nearest);
          },
          [](void *search, const clp_pose *X_WL, double range, peer_near *near) {
            return static_cast<Search *>(search)->within(X_WL, range, near);
          },
          [](void *search) { delete static_cast<Search *>(search); }};
}

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_PEERS_CELL_SEARCH_HPP
#define BENCH_PEERS_CELL_SEARCH_HPP

#include <algorithm>
#include <limits>
#include <vector>

#include "bench/peers/peer.h"

/* The nearest obstacle by a library's broad phase and distances. WARM: continued from cycle to
 * cycle, the pair that was nearest last time is asked first, so that the search starts with a tight
 * bound.
 *
 * A Library has
 *   Library(const cell &)                         its shapes and trees
 *   void move(const clp_pose *X_WL)               this cycle's poses
 *   double distance(int part, int obstacle)       of a robot's part
 *   void candidates(int part, const double &bound, visit)
 *     calls visit(obstacle) for every obstacle whose box is nearer to the part's than the bound,
 *     which `visit` may have tightened. */
template <class Library, bool WARM>
class CellSearch
{
 public:
  explicit CellSearch(const cell &c) : library_(c), robot_parts_(c.part_count - c.obstacles)
  {
    for (int k = 0; k < robot_parts_; ++k)
      links_.push_back(c.parts[k].link);
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
    double minimum = std::numeric_limits<double>::infinity();
    for (int link = 0, part = 0; link < CELL_ROBOT_LINKS; ++link) {
      int end = part;
      while (end < robot_parts_ && links_[std::size_t(end)] == link)
        ++end;
      nearest[link] = search(last_[std::size_t(link)], part, end);
      minimum = std::min(minimum, nearest[link]);
      part = end;
    }
    return minimum;
  }

  int within(const clp_pose *X_WL, double range, double *nearest)
  {
    int found = 0;
    *nearest = std::numeric_limits<double>::infinity();
    library_.move(X_WL);
    for (int part = 0; part < robot_parts_; ++part) {
      library_.candidates(part, range, [&](int obstacle) {
        double distance = library_.distance(part, obstacle);
        found += distance < range;
        *nearest = std::min(*nearest, distance);
      });
    }
    return found;
  }

 private:
  struct Last {
    int part = 0, obstacle = 0;
  };

  double search(Last &last, int from, int to)
  {
    const Last first = last;
    double bound = std::numeric_limits<double>::infinity();
    if (WARM)
      bound = library_.distance(first.part, first.obstacle);
    for (int part = from; part < to; ++part) {
      library_.candidates(part, bound, [&](int obstacle) {
        if (WARM && part == first.part && obstacle == first.obstacle)
          return;
        double distance = library_.distance(part, obstacle);
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
  std::vector<int> links_; /* of the robot's parts */
  std::vector<Last> last_; /* of each robot link, and of the whole robot */
};

/* A library's way to a cell. */
template <class Search>
constexpr peer_cell cell_by(const char *name, const char *representation, int most_obstacles = 0)
{
  return {name,
          representation,
          most_obstacles,
          [](const cell *c) -> void * { return new Search(*c); },
          [](void *search, const clp_pose *X_WL, double *nearest) {
            return static_cast<Search *>(search)->cycle(X_WL, nearest);
          },
          [](void *search, const clp_pose *X_WL, double range, double *nearest) {
            return static_cast<Search *>(search)->within(X_WL, range, nearest);
          },
          [](void *search) { delete static_cast<Search *>(search); }};
}

#endif

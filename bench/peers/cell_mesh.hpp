/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_PEERS_CELL_MESH_HPP
#define BENCH_PEERS_CELL_MESH_HPP

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "rclc_closest_point/closest_point.h"

/* The cell's shapes as triangles, as a file of meshes would have them: vertices on the surface,
 * triangles at most `error` of the shape's longest extent inside it. */
struct CellMesh {
  std::vector<std::array<double, 3>> points;
  std::vector<std::array<std::size_t, 3>> triangles;

  CellMesh(const clp_body_def &def, double error)
  {
    if (def.shape == CLP_SHAPE_BOX)
      add_box(def.size);
    else
      turn(profile_of(def, error), steps(2 * pi, def, error));
    if (def.shape == CLP_SHAPE_ELLIPSOID)
      for (auto &p : points)
        p = {def.size.x * p[0], def.size.y * p[1], def.size.z * p[2]};
  }

 private:
  using Profile = std::vector<std::pair<double, double>>; /* r and z, from pole to pole */

  static constexpr double pi = 3.14159265358979323846;

  static double radius_of(const clp_body_def &def)
  {
    return def.shape == CLP_SHAPE_ELLIPSOID ? 1 : def.radius;
  }

  static double extent_of(const clp_body_def &def)
  {
    switch (def.shape) {
      case CLP_SHAPE_CYLINDER:
        return std::max(2 * def.radius, def.length);
      case CLP_SHAPE_CAPSULE:
        return 2 * def.radius + def.length;
      default:
        return 2 * radius_of(def);
    }
  }

  /* A square of four vertices on a sphere, of angles a, is at most r a^2 / 4 inside it, where its
   * diagonal is. */
  static int steps(double angle, const clp_body_def &def, double error)
  {
    double longest = 2 * std::sqrt(error * extent_of(def) / radius_of(def));
    return std::max(4, int(std::ceil(angle / longest)));
  }

  static Profile profile_of(const clp_body_def &def, double error)
  {
    const double r = radius_of(def), half = 0.5 * def.length;
    if (def.shape == CLP_SHAPE_CYLINDER)
      return {{0, -half}, {r, -half}, {r, half}, {0, half}};
    const double shift = def.shape == CLP_SHAPE_CAPSULE ? half : 0;
    const int quarter = steps(0.5 * pi, def, error);
    Profile profile;
    for (int k = -quarter; k <= quarter; ++k) {
      double angle = 0.5 * pi * k / quarter;
      if (k <= 0)
        profile.emplace_back(r * std::cos(angle), r * std::sin(angle) - shift);
      if (k >= 0 && (k > 0 || shift > 0))
        profile.emplace_back(r * std::cos(angle), r * std::sin(angle) + shift);
    }
    return profile;
  }

  void turn(const Profile &profile, int around)
  {
    const std::size_t n = std::size_t(around), rings = profile.size() - 2;
    for (std::size_t i = 1; i <= rings; ++i)
      for (int j = 0; j < around; ++j) {
        double angle = 2 * pi * j / around, r = profile[i].first;
        points.push_back({r * std::cos(angle), r * std::sin(angle), profile[i].second});
      }
    const std::size_t south = points.size(), north = south + 1, last = (rings - 1) * n;
    points.push_back({0, 0, profile.front().second});
    points.push_back({0, 0, profile.back().second});
    for (std::size_t j = 0; j < n; ++j) {
      const std::size_t next = (j + 1) % n;
      triangles.push_back({south, next, j});
      triangles.push_back({north, last + j, last + next});
      for (std::size_t at = 0; at < last; at += n) {
        triangles.push_back({at + j, at + next, at + n + next});
        triangles.push_back({at + j, at + n + next, at + n + j});
      }
    }
  }

  void add_box(const clp_vec3 &size)
  {
    for (int k = 0; k < 8; ++k)
      points.push_back({(k & 1 ? 0.5 : -0.5) * size.x, (k & 2 ? 0.5 : -0.5) * size.y,
                        (k & 4 ? 0.5 : -0.5) * size.z});
    triangles = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                 {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
  }
};

#endif

// The convex hull of a few points, by its definition: three of them span a face if no other is beyond their plane.
// Faces of more than three corners come out whole. And what is inside: volume, centroid, inertia.

#include <algorithm>
#include <array>
#include <cmath>

#include "models/polytope.h"

namespace carom {

namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

constexpr double flat = 1e-9;  // parts of the size: closer to a plane than this is on it

double size_of(const std::vector<Vector3d>& points) {
  double size = 0;
  for (const Vector3d& p : points) size = std::max(size, (p - points.front()).norm());
  return size;
}

// Those of the points that are corners of their hull in the plane across `up`, counter-clockwise seen from above.
std::vector<int> round_of(const std::vector<Vector3d>& points, std::vector<int> on_plane, const Vector3d& up,
                          double tolerance) {
  const Vector3d x = up.unitOrthogonal(), y = up.cross(x);
  const auto flat_at = [&](int i) {
    const Vector3d& p = points[static_cast<std::size_t>(i)];
    return Eigen::Vector2d(x.dot(p), y.dot(p));
  };
  std::sort(on_plane.begin(), on_plane.end(), [&](int i, int j) {
    const Eigen::Vector2d p = flat_at(i), q = flat_at(j);
    return p.x() < q.x() || (p.x() == q.x() && p.y() < q.y());
  });
  // Andrew's two chains, the lower and the upper one.
  std::vector<int> round;
  for (const bool upper : {false, true}) {
    const std::size_t begin = round.size();
    for (const int i : on_plane) {
      while (round.size() >= begin + 2) {
        const Eigen::Vector2d a = flat_at(round[round.size() - 2]), b = flat_at(round.back()), c = flat_at(i);
        const Eigen::Vector2d ab = b - a, ac = c - a;
        if (ab.x() * ac.y() - ab.y() * ac.x() > tolerance * ac.norm()) break;
        round.pop_back();
      }
      round.push_back(i);
    }
    round.pop_back();  // begins the other chain
    if (!upper) std::reverse(on_plane.begin(), on_plane.end());
  }
  return round;
}

class Hull {
 public:
  explicit Hull(const std::vector<Vector3d>& points) : tolerance_(flat * size_of(points)) {
    for (const Vector3d& p : points) {
      const auto is_there = [&](const Vector3d& q) { return (p - q).norm() <= tolerance_; };
      if (std::none_of(points_.begin(), points_.end(), is_there)) points_.push_back(p);
    }
    const int n = static_cast<int>(points_.size());
    for (int i = 0; i < n; ++i)
      for (int j = i + 1; j < n; ++j)
        for (int k = j + 1; k < n; ++k) try_plane(i, j, k);
  }

  // Only the points that are corners stay, in the order in which they were given.
  Polytope polytope() const {
    Polytope polytope;
    std::vector<int> number(points_.size(), -1);
    for (std::size_t i = 0; i < points_.size(); ++i) {
      const auto has = [&](const Polytope::Face& face) {
        return std::find(face.corners.begin(), face.corners.end(), static_cast<int>(i)) != face.corners.end();
      };
      if (std::none_of(faces_.begin(), faces_.end(), has)) continue;
      number[i] = static_cast<int>(polytope.vertices.size());
      polytope.vertices.push_back(points_[i]);
    }
    polytope.faces = faces_;
    for (Polytope::Face& face : polytope.faces)
      for (int& corner : face.corners) corner = number[static_cast<std::size_t>(corner)];
    polytope.edges = edges_of(polytope.faces);
    return polytope;
  }

 private:
  const Vector3d& at(int i) const { return points_[static_cast<std::size_t>(i)]; }

  Vector3d across(int i, int j, int k) const { return (at(j) - at(i)).cross(at(k) - at(i)); }
  bool spans(int i, int j, int k) const { return across(i, j, k).norm() > tolerance_ * (at(j) - at(i)).norm(); }

  void try_plane(int i, int j, int k) {
    if (!spans(i, j, k)) return;
    Vector3d up = across(i, j, k).normalized();
    bool above = false, below = false;
    std::vector<int> on_plane;
    for (int p = 0; p < static_cast<int>(points_.size()); ++p) {
      const double height = up.dot(at(p) - at(i));
      above = above || height > tolerance_;
      below = below || height < -tolerance_;
      if (above && below) return;
      if (std::abs(height) > tolerance_) continue;
      if (p < k && p != i && p != j && (p < j || spans(i, j, p))) return;  // found before, by its first three
      on_plane.push_back(p);
    }
    if (!above && !below) return;  // all of them in one plane
    if (above) up = -up;
    const std::vector<int> round = round_of(points_, on_plane, up, tolerance_);
    if (round.size() < 3) return;
    Vector3d area = Vector3d::Zero();
    for (std::size_t c = 1; c + 1 < round.size(); ++c) area += across(round[0], round[c], round[c + 1]);
    faces_.push_back({round, area.normalized()});
  }

  double tolerance_;
  std::vector<Vector3d> points_;
  std::vector<Polytope::Face> faces_;
};

}  // namespace

Polytope hull_of(const std::vector<Vector3d>& points) {
  return points.size() < 4 ? Polytope{} : Hull(points).polytope();
}

// Over tetrahedra from one vertex to the triangles of each face, with d = det(a, b, c) six times their volume:
//   ∫dV = Σ d/6,   ∫x dV = Σ d (a + b + c)/24,   ∫xxᵀ dV = Σ d (ssᵀ + aaᵀ + bbᵀ + ccᵀ)/120, s = a + b + c.
Solid solid_of(const Polytope& polytope) {
  const Vector3d base = polytope.vertices.front();
  double volume = 0;
  Vector3d first = Vector3d::Zero();
  Matrix3d second = Matrix3d::Zero();
  for (const Polytope::Face& face : polytope.faces) {
    const auto at = [&](std::size_t i) -> Vector3d {
      return polytope.vertices[static_cast<std::size_t>(face.corners[i])] - base;
    };
    for (std::size_t i = 1; i + 1 < face.corners.size(); ++i) {
      const Vector3d a = at(0), b = at(i), c = at(i + 1), s = a + b + c;
      const double d = a.dot(b.cross(c));
      volume += d / 6;
      first += d / 24 * s;
      second += d / 120 * (s * s.transpose() + a * a.transpose() + b * b.transpose() + c * c.transpose());
    }
  }
  const Vector3d centre = first / volume;
  second = second / volume - centre * centre.transpose();
  return {volume, base + centre, second.trace() * Matrix3d::Identity() - second};
}

}  // namespace carom

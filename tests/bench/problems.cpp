#include "tests/bench/problems.h"

#include <spdlog/fmt/fmt.h>

namespace carom::bench {

ImpactProblem kane_impact() {
  Mat M(2, 2);
  M << 16.0, 5.9088465180732485, 5.9088465180732485, 4.0;
  Contact tip;
  tip.normal = Eigen::Vector2d(0.68404028665133743, 1.0);
  tip.tangent = Eigen::RowVector2d(-1.8793852415718169, -1.7320508075688774);
  tip.friction = Vec::Constant(1, 0.5);
  tip.restitution = 0.5;
  return ImpactProblem(M, Eigen::Vector2d(-0.1, -0.2), {{"tip", tip}});
}

ImpactProblem touching_balls(int balls) {
  std::vector<Element> elements;
  for (int i = 0; i + 1 < balls; ++i) {
    Contact contact;
    contact.normal = Vec::Unit(balls, i + 1) - Vec::Unit(balls, i);
    contact.tangent.resize(0, balls);
    contact.restitution = 1;
    elements.push_back({fmt::format("contact-{}", i + 1), contact});
  }
  return ImpactProblem(Mat::Identity(balls, balls), Vec::Unit(balls, 0), std::move(elements));
}

}  // namespace carom::bench

#include "engine/impact_problem.h"

#include <doctest/doctest.h>

#include <stdexcept>

#include "engine/impact_result.h"
#include "tests/support/random_problem.h"

using namespace carom;
using testing::RandomOptions;

TEST_CASE("bilateral elimination equals the reduced inverse mass matrix") {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    auto parts = testing::random_problem(seed, {.contacts = 2, .bilaterals = 2});
    const ImpactProblem problem = parts.build();
    Mat B(parts.u_minus.size(), 2);
    B << parts.elements[0].bilateral()->direction, parts.elements[1].bilateral()->direction;
    Mat W(parts.u_minus.size(), 4);
    for (int c = 0; c < 2; ++c) {
      const Contact& contact = *parts.elements[static_cast<std::size_t>(2 + c)].contact();
      W.col(2 * c) = contact.normal;
      W.col(2 * c + 1) = contact.tangent.row(0).transpose();
    }
    const Mat Mi = parts.M.inverse();
    const Mat reduced = Mi - Mi * B * (B.transpose() * Mi * B).inverse() * B.transpose() * Mi;
    CHECK((problem.G().dense() - W.transpose() * reduced * W).norm() < 1e-8 * problem.G().dense().norm());

    const Vec Lambda = Vec::LinSpaced(4, -1, 2);
    const Vec u_plus = problem.velocity_after(Lambda);
    CHECK((B.transpose() * u_plus).norm() < 1e-9);
    const Vec Lambda_B = problem.bilateral_impulses(Lambda);
    CHECK((parts.M * (u_plus - problem.u_minus()) - W * Lambda - B * Lambda_B).norm() < 1e-8);
  }
}

TEST_CASE("redundant bilateral elements change nothing but their own impulses") {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    auto parts = testing::random_problem(seed, {.contacts = 1, .bilaterals = 2});
    const ImpactProblem plain = parts.build();
    Bilateral sum = *parts.elements[0].bilateral();
    sum.direction = 3 * sum.direction - 2 * parts.elements[1].bilateral()->direction;
    parts.elements.push_back({"redundant", sum});
    const ImpactProblem redundant = parts.build();
    CHECK((plain.G().dense() - redundant.G().dense()).norm() < 1e-10 * plain.G().dense().norm());
    const Vec Lambda = Vec::Ones(2);
    CHECK((plain.velocity_after(Lambda) - redundant.velocity_after(Lambda)).norm() < 1e-10);
    CHECK(redundant.bilateral_impulses(Lambda).size() == 3);
  }
}

TEST_CASE("a light body hinged to a heavy one keeps its digits, or is refused") {
  // u = s (1, 2) is what the hinge leaves, so Newton's law reverses s.
  const auto parts = [](double ratio) {
    Contact contact;
    contact.normal = Eigen::Vector2d(0.684, 1);
    contact.tangent.resize(0, 2);
    return std::pair{Mat(Eigen::Vector2d(1, ratio).asDiagonal()),
                     std::vector<Element>{{"tip", contact}, {"hinge", Bilateral{Eigen::Vector2d(2, -1)}}}};
  };
  const Eigen::Vector2d u_minus(-0.1, -0.2);
  for (const double ratio : {1.0, 1e4, 1e8, 1e12, 1e16, 1e20}) {
    CAPTURE(ratio);
    const auto [M, elements] = parts(ratio);
    const ImpactProblem problem(M, u_minus, elements);
    const double stopping = -problem.gamma_minus()(0) / problem.G()(0, 0);
    const Vec u_plus = problem.velocity_after(Vec::Constant(1, 2 * stopping));
    CHECK(u_plus(0) == doctest::Approx(0.1).epsilon(1e-13));
    CHECK(u_plus(1) == doctest::Approx(0.2).epsilon(1e-13));
  }
  for (const double ratio : {1e32, 1e100}) {
    CAPTURE(ratio);
    const auto [M, elements] = parts(ratio);
    const auto defects = ImpactProblem::defects(M, u_minus, elements);
    REQUIRE(defects.size() == 1);
    CHECK(defects[0].key == "normal");
    CHECK(defects[0].message.find("masses differ") != std::string::npos);
  }
  for (const double mass : {1e-200, 1e200}) {
    const auto [M, elements] = parts(mass);
    const auto defects = ImpactProblem::defects(M, u_minus, elements);
    REQUIRE(defects.size() == 1);
    CHECK(defects[0].message.find("out of the range of numbers that have squares") != std::string::npos);
  }
}

TEST_CASE("a fully constrained direction has an exact zero in G") {
  Contact contact;
  contact.normal = Eigen::Vector2d(1, 0);
  contact.tangent = Eigen::RowVector2d(0.3, 0.7);
  contact.friction = Vec::Constant(1, 0.5);
  const ImpactProblem problem(Mat(Eigen::Matrix2d{{2, 0.3}, {0.3, 1}}), Eigen::Vector2d(0, 1),
                              {{"contact", contact}, {"guide", Bilateral{Eigen::Vector2d(1, 0)}}});
  CHECK(problem.G()(0, 0) == 0);
  CHECK(problem.G()(1, 1) > 0);
  CHECK(problem.compliance()(0) > 0);
}

TEST_CASE("defects are all named at once") {
  Contact contact;
  contact.normal = Vec::Zero(2);
  contact.tangent = Mat(Eigen::Matrix2d{{1, 2}, {2, 4}});
  contact.friction = Eigen::Vector2d(0.1, -0.2);
  contact.stiffness = 0;
  const auto defects = ImpactProblem::defects(Mat(Eigen::Matrix2d{{1, 2}, {2, 1}}), Vec::Ones(3),
                                              {{"bad", contact}, {"short", Clutch{Vec::Ones(1), 0}}});
  const auto has = [&](const std::string& text) {
    return std::any_of(defects.begin(), defects.end(),
                       [&](const Defect& defect) { return defect.message.find(text) != std::string::npos; });
  };
  CHECK(has("not positive definite"));
  CHECK(has("the velocity has 3 numbers"));
  CHECK(has("'normal' is zero"));
  CHECK(has("dependent"));
  CHECK(has("friction coefficient"));
  CHECK(has("stiffness"));
  CHECK(has("'direction' has 1 numbers"));
  CHECK_THROWS_AS(ImpactProblem(Mat(Eigen::Matrix2d{{1, 2}, {3, 9}}), Vec::Ones(2), {}), std::invalid_argument);
}

TEST_CASE("a velocity off the manifold of the bilateral constraints is refused, with the nearest one on it") {
  const std::vector<Element> elements = {{"guide", Bilateral{Eigen::Vector2d(1, 1)}}};
  const auto defects = ImpactProblem::defects(Mat::Identity(2, 2), Eigen::Vector2d(1, 0), elements);
  REQUIRE(defects.size() == 1);
  CHECK(defects[0].message.find("'guide'") != std::string::npos);
  CHECK(defects[0].message.find("nearest velocity that keeps it is [0.") != std::string::npos);
  CHECK(ImpactProblem::defects(Mat::Identity(2, 2), Eigen::Vector2d(1, -1), elements).empty());
}

TEST_CASE("an impulse at rounding level is no verdict where hardly anything happens") {
  Contact contact;
  contact.normal = Eigen::Vector2d(0, 1);
  contact.tangent = Eigen::RowVector2d(1, 0);
  contact.friction = Vec::Constant(1, 0.3);
  const ImpactProblem problem(Mat::Identity(2, 2), Eigen::Vector2d(1, 1), {{"foot", contact}});
  Jump jump;
  jump.states = {State::open};
  jump.Lambda = Eigen::Vector2d(-1e-17, 1e-17);
  CHECK(complete(problem, jump).kinetic.holds);
  jump.Lambda = Eigen::Vector2d(0, 1e-9);
  CHECK(!complete(problem, jump).kinetic.holds);
}

TEST_CASE("a problem posed by mass blocks and sparse rows is the dense one") {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    testing::Random random(seed);
    MassMatrix blocks(std::vector<Index>{3, 1, 2, 3});
    for (Index b = 0; b < blocks.block_count(); ++b) blocks.block(b) = random.mass_matrix(blocks.block_size(b));
    const Index n = blocks.size();
    std::vector<Element> elements;
    Rows W, B;
    const auto touching_two_blocks = [&] {
      Vec w = random.vector(n);
      for (Index k = 0; k < n; ++k)
        if (blocks.block_of(k) != 0 && blocks.block_of(k) != random.integer(1, 3)) w(k) = 0;
      return w;
    };
    for (int i = 0; i < 3; ++i) {
      Contact contact;
      contact.normal = touching_two_blocks();
      contact.tangent = touching_two_blocks().transpose();
      contact.friction = Vec::Constant(1, 0.5);
      elements.push_back({"contact", contact});
      W.add_row(contact.normal);
      W.add_row(contact.tangent.row(0));
    }
    if (seed % 2 == 0) {
      elements.push_back({"hinge", Bilateral{touching_two_blocks()}});
      B.add_row(elements.back().bilateral()->direction);
    }
    Vec u = random.vector(n);
    if (B.count() > 0) u -= elements.back().bilateral()->direction * (B.dot(0, u) / B.dense(n).squaredNorm());

    const ImpactProblem dense = ImpactProblem::on_manifold(blocks.dense(), u, elements);
    for (Element& element : elements) {  // directions are given apart
      if (Contact* contact = std::get_if<Contact>(&element.kind))
        *contact = {.normal = {}, .tangent = {}, .friction = contact->friction};
      if (Bilateral* bilateral = std::get_if<Bilateral>(&element.kind)) bilateral->direction = Vec();
    }
    ImpactProblem sparse;
    sparse.rebuild_on_manifold(blocks, W, B, u, elements);

    const Vec Lambda = random.vector(dense.rows());
    const auto near = [](const Mat& a, const Mat& b) { return (a - b).norm() <= 1e-11 * (1 + a.norm()); };
    CHECK(near(sparse.G().dense(), dense.G().dense()));
    CHECK(near(sparse.compliance(), dense.compliance()));
    CHECK(near(sparse.gamma_minus(), dense.gamma_minus()));
    CHECK(near(sparse.white_directions(), dense.white_directions()));
    CHECK(near(sparse.velocity_after(Lambda), dense.velocity_after(Lambda)));
    CHECK(near(sparse.bilateral_impulses(Lambda), dense.bilateral_impulses(Lambda)));
    CHECK(sparse.kinetic_energy(u) == doctest::Approx(0.5 * u.dot(blocks.dense() * u)));
    CHECK(sparse.to_white(u).squaredNorm() == doctest::Approx(u.dot(blocks.dense() * u)));
    CHECK(near(sparse.from_white(sparse.to_white(u)), u));

    const Vec other = sparse.velocity_after(Lambda);
    const ImpactProblem part = sparse.subproblem({0, 2}, other), dense_part = dense.subproblem({0, 2}, other);
    CHECK(near(part.G().dense(), dense_part.G().dense()));
    CHECK(near(part.gamma_minus(), dense_part.gamma_minus()));
    CHECK(near(part.velocity_after(Lambda.head(4)), dense_part.velocity_after(Lambda.head(4))));
  }
}

#include <doctest/doctest.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>

#include "engine/impact_problem.h"
#include "models/closed_form/planar_chain.h"
#include "models/list.h"
#include "solvers/inclusion/list.h"
#include "solvers/laws/list.h"
#include "tests/support/kane_pendulum.h"
#include "tests/support/random_problem.h"

using namespace carom;
using carom::testing::KanePendulum;
using carom::testing::Random;

namespace {

Model make_model(const std::string& name, const Parameters& parameters = {}) {
  const ModelEntry* entry = find_model(name);
  REQUIRE(entry);
  return entry->make(parameters);
}

Parameters with(std::initializer_list<std::pair<const char*, ParameterValue>> values) {
  Parameters parameters;
  for (const auto& [name, value] : values) parameters.set(name, value);
  return parameters;
}

Vec list(std::initializer_list<double> values) {
  Vec vector(static_cast<Index>(values.size()));
  std::copy(values.begin(), values.end(), vector.data());
  return vector;
}

// Every model as it stands, and variants that reach the other branches of its file.
std::vector<std::pair<std::string, Model>> all_models() {
  std::vector<std::pair<std::string, Model>> models;
  for (const ModelEntry& entry : closed_form_models()) models.emplace_back(entry.name, entry.make({}));
  const auto add = [&](const char* name, const Parameters& parameters) {
    models.emplace_back(std::string(name) + " (variant)", make_model(name, parameters));
  };
  using std::string;
  add("pendulum", with({{"shape", string("rod")}, {"contact", string("wall")}, {"at", 0.6}, {"friction", 0.2}}));
  add("double-pendulum", with({{"shape", string("point")}, {"mass", list({2, 0.5})}, {"length", list({1, 0.7})}}));
  add("double-pendulum", with({{"centre", list({0.3, 0.9})}, {"inertia", list({0.2, 0.1})}}));
  add("n-pendulum", with({{"links", 6.0}, {"contact", string("floor")}, {"friction", 0.4}}));
  add("rocking-block", with({{"corners", 4.0}}));
  add("box-on-incline", with({{"corners", 4.0}, {"incline", -0.4}}));
  add("disk-in-corner", with({{"corner", 2.0}}));
  add("particle-in-corner", with({{"corner", 0.9}, {"friction", 0.3}}));
  add("ball-chain", with({{"balls", 5.0}, {"wall", string("both")}, {"gravity", 9.81}, {"mass_ratio", 0.8}}));
  add("elastic-rods", with({{"length", list({1, 1, 1})}, {"velocity", list({2, 0, -1})}, {"pieces", 4.0}}));
  return models;
}

struct RandomState {
  Vec q, u;
};

// Within a radius of the model's own length scale of where it starts, with speeds of order one.
RandomState random_state(const Model& model, Random& random) {
  return {model.q + 0.7 * random.vector(model.q.size()), random.vector(model.u.size())};
}

Contacts contacts_of(const System& system, const Vec& q, const Vec& u) {
  Contacts contacts;
  system.contacts(q, u, 1e-3, contacts);
  return contacts;
}

MassMatrix mass_of(const System& system, const Vec& q) {
  MassMatrix M;
  system.mass(q, M);
  return M;
}

double energy(const System& system, const RandomState& state) {
  return mass_of(system, state.q).kinetic_energy(state.u) + system.potential(0, state.q);
}

Vec acceleration(const System& system, const Vec& q, const Vec& u) {
  Vec inner = Vec::Zero(u.size()), applied = Vec::Zero(u.size());
  system.forces(0, q, u, inner, applied);
  CHECK(applied.isZero());
  MassMatrix M = mass_of(system, q);
  REQUIRE(M.factor());
  M.solve_in_place(inner);
  return inner;
}

// One step of the classical Runge–Kutta method, for systems with q̇ = u.
RandomState runge_kutta(const System& system, const RandomState& s, double h) {
  const Vec u1 = s.u, a1 = acceleration(system, s.q, u1);
  const Vec u2 = s.u + h / 2 * a1, a2 = acceleration(system, s.q + h / 2 * u1, u2);
  const Vec u3 = s.u + h / 2 * a2, a3 = acceleration(system, s.q + h / 2 * u2, u3);
  const Vec u4 = s.u + h * a3, a4 = acceleration(system, s.q + h * u3, u4);
  return {s.q + h / 6 * (u1 + 2 * u2 + 2 * u3 + u4), s.u + h / 6 * (a1 + 2 * a2 + 2 * a3 + a4)};
}

// The impact at the model's start over its closed contacts, as a time stepper sets it up.
ImpactProblem impact_at_start(const Model& model) {
  const Contacts contacts = contacts_of(*model.system, model.q, model.u);
  const Mat W = contacts.W.dense(model.u.size());
  std::vector<Element> elements;
  for (const ContactPoint& point : contacts.points) {
    if (point.gap > 1e-12) continue;
    Contact contact;
    contact.normal = W.row(point.first_row);
    contact.tangent = W.middleRows(point.first_row + 1, point.tangents);
    contact.friction = point.coefficients->friction.head(point.tangents);
    contact.restitution = point.coefficients->restitution;
    elements.push_back({model.system->contact_name(point.key), contact});
  }
  Clutches clutches;
  model.system->clutches(model.q, clutches);
  const Mat directions = clutches.W.dense(model.u.size());
  for (Index i = 0; i < clutches.W.count(); ++i)
    elements.push_back(
        {model.system->clutch_name(i), Clutch{directions.row(i), clutches.restitution[static_cast<std::size_t>(i)]}});
  return ImpactProblem(mass_of(*model.system, model.q).dense(), model.u, elements);
}

ImpactResult resolve(const Model& model, const std::string& law) {
  const LawOutcome outcome = make_law({law, {}})->resolve(impact_at_start(model), *find_solver("auto")->make());
  REQUIRE(outcome.status == LawOutcome::Status::resolved);
  return outcome.results.front();
}

}  // namespace

TEST_CASE("closed forms: the mass matrix is symmetric and positive definite") {
  Random random(1);
  for (const auto& [name, model] : all_models()) {
    CAPTURE(name);
    for (int trial = 0; trial < 5; ++trial) {
      const RandomState state = random_state(model, random);
      const Mat M = mass_of(*model.system, state.q).dense();
      REQUIRE(M.rows() == model.u.size());
      CHECK((M - M.transpose()).cwiseAbs().maxCoeff() == 0);
      CHECK(Eigen::SelfAdjointEigenSolver<Mat>(M).eigenvalues()(0) > 0);
      if (model.system->mass_is_constant()) CHECK(M == mass_of(*model.system, model.q).dense());
    }
  }
}

TEST_CASE("closed forms: normal rows are the derivatives of the gaps") {
  Random random(2);
  for (const auto& [name, model] : all_models()) {
    CAPTURE(name);
    for (int trial = 0; trial < 5; ++trial) {
      const RandomState state = random_state(model, random);
      const Contacts contacts = contacts_of(*model.system, state.q, state.u);
      const double d = 1e-5;
      Vec ahead, behind;
      model.system->move(state.q, d * state.u, ahead);
      model.system->move(state.q, -d * state.u, behind);
      const Contacts later = contacts_of(*model.system, ahead, state.u);
      const Contacts before = contacts_of(*model.system, behind, state.u);
      for (std::size_t i = 0; i < contacts.points.size(); ++i) {
        const double rate = (later.points[i].gap - before.points[i].gap) / (2 * d);
        CHECK(contacts.W.dot(contacts.points[i].first_row, state.u) == doctest::Approx(rate).epsilon(1e-7));
      }
    }
  }
}

TEST_CASE("closed forms: inertial and potential forces keep the energy, to the order of the integrator") {
  Random random(3);
  for (const auto& [name, model] : all_models()) {
    CAPTURE(name);
    const System& system = *model.system;
    for (int trial = 0; trial < 3; ++trial) {
      const RandomState state = random_state(model, random);
      // The fastest motion sets the step: the energy error of a Runge–Kutta step is O((ωh)⁵) of the energy.
      const double rate = 1 + state.u.norm() + std::sqrt(acceleration(system, state.q, state.u).norm());
      const double h = 1e-2 / rate;
      const double scale = mass_of(system, state.q).kinetic_energy(state.u) +
                           std::abs(system.potential(0, state.q) - system.potential(0, model.q)) + 1e-12;
      const double error = std::abs(energy(system, runge_kutta(system, state, h)) - energy(system, state));
      CHECK(error / scale < 1e-8);
    }
  }
}

TEST_CASE("closed forms: forces follow the potential at rest") {
  Random random(4);
  for (const auto& [name, model] : all_models()) {
    CAPTURE(name);
    const System& system = *model.system;
    const Vec q = random_state(model, random).q;
    Vec inner = Vec::Zero(q.size()), applied = inner;
    system.forces(0, q, Vec::Zero(q.size()), inner, applied);
    for (Index k = 0; k < q.size(); ++k) {
      const double d = 1e-5;
      Vec ahead = q, behind = q;
      ahead(k) += d;
      behind(k) -= d;
      const double slope = (system.potential(0, ahead) - system.potential(0, behind)) / (2 * d);
      CHECK(inner(k) + slope == doctest::Approx(0).scale(1 + inner.norm()).epsilon(1e-8));
    }
  }
}

TEST_CASE("closed forms: force gradients are the derivatives of the forces") {
  Random random(5);
  int compared = 0;
  for (const auto& [name, model] : all_models()) {
    CAPTURE(name);
    const System& system = *model.system;
    const RandomState state = random_state(model, random);
    const Index n = state.q.size();
    ForceGradient gradient;
    system.force_gradient(0, state.q, state.u, gradient);
    if (gradient.empty()) continue;
    Mat K = Mat::Zero(n, n);
    for (const auto& [row, column, value] : gradient.stiffness) K(row, column) += value;
    const auto force = [&](const Vec& q) {
      Vec inner = Vec::Zero(n), applied = inner;
      system.forces(0, q, state.u, inner, applied);
      return inner;
    };
    for (Index k = 0; k < n; ++k) {
      const Vec step = 1e-3 * Vec::Unit(n, k);
      const Vec column = -(force(state.q + step) - force(state.q - step)) / 2e-3;
      CHECK((K.col(k) - column).norm() <= 1e-7 * K.norm());
    }
    ++compared;
  }
  CHECK(compared >= 3);
}

TEST_CASE("closed forms: coordinates, contacts, bodies and the state to start from fit together") {
  for (const auto& [name, model] : all_models()) {
    CAPTURE(name);
    const System& system = *model.system;
    REQUIRE(system.positions().size() == static_cast<std::size_t>(model.q.size()));
    REQUIRE(system.velocities().size() == static_cast<std::size_t>(model.u.size()));
    const Contacts contacts = contacts_of(system, model.q, model.u);
    REQUIRE(contacts.points.size() == system.named_contacts());
    std::set<std::string> names;
    Index rows = 0;
    for (std::size_t i = 0; i < contacts.points.size(); ++i) {
      const ContactPoint& point = contacts.points[i];
      CHECK(point.key == i);
      CHECK(point.first_row == rows);
      REQUIRE(point.coefficients);
      CHECK(point.tangents == (point.coefficients->has_friction() ? 1 : 0));
      CHECK(point.gap >= -1e-14);  // no model starts in penetration
      names.insert(system.contact_name(point.key));
      rows += 1 + point.tangents;
    }
    CHECK(contacts.W.count() == rows);
    CHECK(names.size() == contacts.points.size());
    const PoseLayout layout = system.poses();
    CHECK(!layout.bodies.empty());
    CHECK(layout.size == 3);
    for (std::size_t body = 0; body < layout.bodies.size(); ++body) {
      double pose[3] = {NAN, NAN, NAN};
      system.pose(model.q, static_cast<Index>(body), pose);
      CHECK(std::isfinite(pose[0] + pose[1] + pose[2]));
    }
    for (Index k = 0; k < model.u.size(); ++k) {
      const std::string body = system.body_of(k);
      CHECK(std::find(layout.bodies.begin(), layout.bodies.end(), body) != layout.bodies.end());
    }
  }
}

TEST_CASE("closed forms: every entry tells a user what it is and reads its own defaults") {
  std::set<std::string> names;
  for (const ModelEntry& entry : closed_form_models()) {
    CAPTURE(entry.name);
    CHECK(!entry.statement.empty());
    CHECK(!entry.coordinates.empty());
    CHECK(!entry.source.empty());
    CHECK(names.insert(entry.name).second);
    std::set<std::string> keys;
    for (const ParameterSpec& spec : entry.parameters) {
      CAPTURE(spec.name);
      CHECK(!spec.default_text.empty());
      CHECK(!spec.meaning.empty());
      CHECK(keys.insert(spec.name).second);
    }
  }
}

TEST_CASE("closed forms: values that do not go together are refused with a sentence") {
  const auto refusal = [](const char* name, const Parameters& parameters) -> std::string {
    try {
      find_model(name)->make(parameters);
    } catch (const std::invalid_argument& refused) {
      return refused.what();
    }
    return "accepted";
  };
  CHECK(refusal("n-pendulum", with({{"links", 3.0}, {"mass", list({1, 2})}})) ==
        "mass must have 3 entries, or one that holds for all, but has 2");
  CHECK(refusal("ball-chain", with({{"mass", list({1, -1, 1})}})) == "mass -1 is outside its range (above 0)");
  CHECK(refusal("ball-chain", with({{"restitution", list({1, 1, 1})}})) ==
        "restitution must have 2 entries, or one that holds for all, but has 3");
  CHECK(refusal("ball-chain", with({{"balls", 100000.0}, {"mass_ratio", 0.5}})) ==
        "mass_ratio 0.5 leaves the range of numbers along 100000 balls");
  CHECK(refusal("rocking-block", with({{"corners", 3.0}})) == "corners must be 2 or 4");
  CHECK(refusal("disk-in-corner", with({{"corner", 4.0}})) == "corner must be below π");
  CHECK(refusal("ball", with({{"position", double(NAN)}})) == "position nan is outside its range (finite numbers)");
  CHECK(refusal("woodpecker", with({{"sleeve_radius", 1e-3}})) == "sleeve_radius must be above pole_radius");
  CHECK(refusal("double-pendulum", with({{"centre", list({1, 0})}, {"inertia", list({1, 0})}})) ==
        "the last link has neither inertia nor a distance of its mass from the hinge");
}

TEST_CASE("double pendulum and N-fold pendulum with two links are one system") {
  const Model two = make_model("double-pendulum", with({{"mass", list({2, 0.5})}, {"length", list({1, 0.7})}}));
  const Model many = make_model("n-pendulum", with({{"links", 2.0},
                                                    {"mass", list({2, 0.5})},
                                                    {"length", list({1, 0.7})},
                                                    {"position", two.q},
                                                    {"velocity", two.u},
                                                    {"contact", std::string("floor")},
                                                    {"friction", 0.5}}));
  Random random(6);
  const RandomState state = random_state(two, random);
  CHECK(mass_of(*two.system, state.q).dense() == mass_of(*many.system, state.q).dense());
  CHECK(acceleration(*two.system, state.q, state.u) == acceleration(*many.system, state.q, state.u));
  const Contacts a = contacts_of(*two.system, state.q, state.u), b = contacts_of(*many.system, state.q, state.u);
  CHECK(a.W.dense(2) == b.W.dense(2));
  CHECK(a.points[0].gap == b.points[0].gap);
}

TEST_CASE("chains that are asked in turn at the same angles have directions of their own") {
  const std::vector<Link> links = {Link::rod("first", 1, 1), Link::rod("second", 0.7, 1)};
  const PlanarChain hanging(links, {0, -1}, 9.81, {}, {ContactCoefficients{}});
  const PlanarChain lying(links, {1, 0}, 9.81, {}, {ContactCoefficients{}});
  const PlanarChain copy = lying;
  const Vec q = list({0.3, -1.2});
  for (int turn = 0; turn < 3; ++turn) {
    const Eigen::Vector2d down = hanging.point(q, 1, {0.7, 0}), along = lying.point(q, 1, {0.7, 0});
    CHECK((down - Eigen::Vector2d(along.y(), -along.x())).norm() < 1e-15);
    CHECK(copy.point(q, 1, {0.7, 0}) == along);
  }
}

TEST_CASE("a double pendulum of point masses obeys the textbook equations") {
  const double m1 = 2, m2 = 0.5, l1 = 1, l2 = 0.7, g = 9.81;
  const Model model = make_model(
      "double-pendulum", with({{"shape", std::string("point")}, {"mass", list({m1, m2})}, {"length", list({l1, l2})}}));
  const double p1 = 0.8, p2 = -0.4, w1 = 1.1, w2 = -2.3, D = p1 - p2;
  // From Lagrange's equations, solved by hand (m1 above, m2 below).
  const double den = 2 * m1 + m2 - m2 * std::cos(2 * D);
  const double a1 = (-g * (2 * m1 + m2) * std::sin(p1) - m2 * g * std::sin(p1 - 2 * p2) -
                     2 * std::sin(D) * m2 * (w2 * w2 * l2 + w1 * w1 * l1 * std::cos(D))) /
                    (l1 * den);
  const double a2 = 2 * std::sin(D) *
                    (w1 * w1 * l1 * (m1 + m2) + g * (m1 + m2) * std::cos(p1) + w2 * w2 * l2 * m2 * std::cos(D)) /
                    (l2 * den);
  const Vec a = acceleration(*model.system, list({p1, p2}), list({w1, w2}));
  CHECK(a(0) == doctest::Approx(a1).epsilon(1e-13));
  CHECK(a(1) == doctest::Approx(a2).epsilon(1e-13));
}

TEST_CASE("the double pendulum as it stands is Kane's, with the published matrices") {
  const Model model = make_model("double-pendulum");
  const ImpactProblem of_model = impact_at_start(model);
  const ImpactProblem published = KanePendulum{}.in_angles();
  CHECK((of_model.M() - published.M()).norm() == 0);
  CHECK((of_model.u_minus() - published.u_minus()).norm() == 0);
  REQUIRE(of_model.elements().size() == 1);
  CHECK(of_model.elements()[0].contact()->normal == published.elements()[0].contact()->normal);
  CHECK(of_model.elements()[0].contact()->tangent == published.elements()[0].contact()->tangent);
  // shared data of the published problem: M = [[16, 5.9088], [5.9088, 4]], w_N = (0.6840, 1), w_T = (−1.8794, −1.7321)
  CHECK(of_model.M()(0, 0) == doctest::Approx(16));
  CHECK(of_model.M()(0, 1) == doctest::Approx(5.9088).epsilon(1e-5));
  CHECK(of_model.M()(1, 1) == doctest::Approx(4));
  CHECK(published.elements()[0].contact()->normal(0) == doctest::Approx(0.6840).epsilon(1e-4));
  CHECK(published.elements()[0].contact()->tangent(0, 0) == doctest::Approx(-1.8794).epsilon(1e-4));
}

TEST_CASE("slider-crank: kinetic energy and gaps against the motion of its bodies") {
  const Model model = make_model("slider-crank");
  const double l1 = 0.153, l2 = 0.306, a = 0.05, b = 0.025, c = 0.001;
  Random random(7);
  for (int trial = 0; trial < 10; ++trial) {
    const Vec q = random.vector(3), u = 50 * random.vector(3);
    using std::cos, std::sin;
    const Eigen::Vector2d pin = l1 * u(0) * Eigen::Vector2d(-sin(q(0)), cos(q(0)));
    const Eigen::Vector2d along = l2 * u(1) * Eigen::Vector2d(-sin(q(1)), cos(q(1)));
    const double T = 0.5 * (0.038 * (pin / 2).squaredNorm() + 7.4e-5 * u(0) * u(0)) +
                     0.5 * (0.038 * (pin + along / 2).squaredNorm() + 5.9e-4 * u(1) * u(1)) +
                     0.5 * (0.076 * (pin + along).squaredNorm() + 2.7e-6 * u(2) * u(2));
    CHECK(mass_of(*model.system, q).kinetic_energy(u) == doctest::Approx(T).epsilon(1e-13));
    const double y = l1 * sin(q(0)) + l2 * sin(q(1));
    const Contacts contacts = contacts_of(*model.system, q, u);
    const double expected[] = {b + c - (y - a * sin(q(2)) + b * cos(q(2))), b + c - (y + a * sin(q(2)) + b * cos(q(2))),
                               b + c + (y - a * sin(q(2)) - b * cos(q(2))),
                               b + c + (y + a * sin(q(2)) - b * cos(q(2)))};
    // Tangential velocity: that of the corner along x.
    const double corner_x = (pin + along).x() - u(2) * (-a * sin(q(2)) + b * cos(q(2)));
    CHECK(contacts.W.dot(contacts.points[0].first_row + 1, u) == doctest::Approx(corner_x).epsilon(1e-12));
    for (std::size_t i = 0; i < 4; ++i) CHECK(contacts.points[i].gap == doctest::Approx(expected[i]).epsilon(1e-12));
  }
}

TEST_CASE("tangent rows of bodies are velocities of the material point that touches") {
  // A disk that rolls has no tangential velocity: ẋ + Rφ̇ = 0, and along the wall at its left ẏ − Rφ̇.
  const Model disk = make_model("disk-in-corner", with({{"radius", 0.1}}));
  const Contacts contacts = contacts_of(*disk.system, disk.q, disk.u);
  CHECK(contacts.W.dot(1, list({-0.2, 5, 2})) == doctest::Approx(0));
  CHECK(contacts.W.dot(3, list({5, 0.2, 2})) == doctest::Approx(0));
  // A rod that turns about its start: that end does not move.
  const double angle = 0.4, omega = 3;
  const Model rod = make_model("rod-on-plane", with({{"angle", angle}}));
  const Vec turning = list({-omega * std::sin(angle), omega * std::cos(angle), omega});
  const Contacts ends = contacts_of(*rod.system, rod.q, rod.u);
  CHECK(ends.W.dot(0, turning) == doctest::Approx(0));
  CHECK(ends.W.dot(1, turning) == doctest::Approx(0));
  CHECK(ends.W.dot(2, turning) == doctest::Approx(2 * omega * std::cos(angle)));
  CHECK(ends.W.dot(3, turning) == doctest::Approx(-2 * omega * std::sin(angle)));
}

TEST_CASE("models start in the published impacts") {
  CHECK(resolve(make_model("stacked-bodies"), "poisson").u_plus.isApprox(list({1, 0}), 1e-12));
  CHECK(resolve(make_model("slide-push"), "poisson").u_plus.isApprox(list({0.5, 0.5}), 1e-12));
  CHECK(resolve(make_model("slide-push"), "newton").work == doctest::Approx(0.5));
  CHECK(resolve(make_model("inhomogeneous-bar"), "poisson").work == doctest::Approx(0.43875));
  CHECK(resolve(make_model("ball-chain"), "newton").u_plus.isApprox(list({-1, 2, 2}) / 3, 1e-12));
  CHECK(resolve(make_model("particle-in-corner"), "newton").u_plus.isApprox(list({0.5, 0.5}), 1e-12));
  CHECK(resolve(make_model("two-point-masses"), "newton").u_plus.isApprox(list({0.25, 0.75}), 1e-12));
}

namespace {

// Mean velocity of each rod after `duration`, by symplectic Euler steps with plastic contacts. Contacts of a finely cut
// rod are on different pieces, so that one after the other solves them.
Vec mean_velocities_after(const Model& model, Index rods, double duration) {
  const System& system = *model.system;
  const Index n = model.u.size();
  const MassMatrix M = mass_of(system, model.q);
  const double h = 0.1 * static_cast<double>(rods) / static_cast<double>(n);  // waves travel at 1, rods are 1 long
  Vec q = model.q, u = model.u;
  Contacts contacts;
  for (double t = 0; t < duration; t += h) {
    Vec inner = Vec::Zero(n), applied = inner;
    system.forces(t, q, u, inner, applied);
    for (Index i = 0; i < n; ++i) u(i) += h * inner(i) / M.block(i)(0, 0);
    contacts.clear();
    system.contacts(q, u, h, contacts);
    for (const ContactPoint& point : contacts.points) {
      const double gamma = contacts.W.dot(point.first_row, u);
      if (point.gap > rounding || gamma >= 0) continue;
      double G = 0;
      for (const auto& [column, value] : contacts.W[point.first_row]) G += value * value / M.block(column)(0, 0);
      for (const auto& [column, value] : contacts.W[point.first_row])
        u(column) -= gamma / G * value / M.block(column)(0, 0);
    }
    q += h * u;
  }
  return u.reshaped(n / rods, rods).colwise().mean().transpose();
}

}  // namespace

TEST_CASE("elastic rods tend to the sequential outcome as the mesh is refined") {
  const auto distance = [](double pieces) {
    const Model model = make_model(
        "elastic-rods", with({{"length", list({1, 1, 1})}, {"velocity", list({2, 0, -1})}, {"pieces", pieces}}));
    return (mean_velocities_after(model, 3, 4) - list({-1, 0, 2})).norm();
  };
  const double coarse = distance(8), fine = distance(64);
  CHECK(fine < coarse / 2);
  CHECK(fine < 0.1);
}

TEST_CASE("a chain of 100 000 balls costs memory in proportion") {
  const Model model =
      make_model("ball-chain", with({{"balls", 100000.0}, {"wall", std::string("left")}, {"gravity", 9.81}}));
  const MassMatrix M = mass_of(*model.system, model.q);
  CHECK(M.block_count() == 100000);
  const Contacts contacts = contacts_of(*model.system, model.q, model.u);
  REQUIRE(contacts.points.size() == 100000);
  std::size_t entries = 0;
  double largest = 0;
  for (Index row = 0; row < contacts.W.count(); ++row) {
    const Rows::Row w = contacts.W[row];
    entries += static_cast<std::size_t>(w.end() - w.begin());
    largest = std::max(largest, std::abs(contacts.points[static_cast<std::size_t>(row)].gap));
  }
  CHECK(entries == 199999);
  CHECK(largest < 1e-11);  // rounding of positions up to 10 km
  CHECK(contacts.points[7].coefficients == contacts.points[99999].coefficients);
}

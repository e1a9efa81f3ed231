#include "tests/bench/siconos.h"

#include <Friction_cst.h>
#include <SolverOptions.h>
#include <lcp_cst.h>
#include <MultipleImpact.hpp>
#include <MultipleImpactNSL.hpp>
#include <SiconosKernel.hpp>

#include <cmath>

// Of its linear algebra, where that is OpenBLAS.
extern "C" void openblas_set_num_threads(int) __attribute__((weak));

namespace carom::bench {

namespace {

// On matrices of this size two threads wait for each other, for milliseconds where the machine is busy.
void use_one_thread() {
  if (openblas_set_num_threads) openblas_set_num_threads(1);
}

constexpr double g = 9.81;
constexpr double allowance = 1e-11;  // as carom has it: a contact at rest is not lost to rounding

int* failures = nullptr;
void count_failure(int info, Simulation*) {
  if (info != 0 && failures) ++*failures;
}

std::shared_ptr<SiconosVector> vector_of(std::initializer_list<double> values) {
  auto v = std::make_shared<SiconosVector>(static_cast<unsigned>(values.size()));
  unsigned i = 0;
  for (const double x : values) v->setValue(i++, x);
  return v;
}

class TimeStepped : public Rival {
 public:
  void step(int count) override {
    failures = &failed_;
    for (int k = 0; k < count; ++k) {
      simulation_->computeOneStep();
      simulation_->nextStep();
    }
  }

 protected:
  explicit TimeStepped(double duration) : system_(std::make_shared<NonSmoothDynamicalSystem>(0.0, duration)) {
    use_one_thread();
  }

  void ready(double step, double theta, std::shared_ptr<OneStepNSProblem> problem) {
    auto integrator = std::make_shared<MoreauJeanOSI>(theta);
    integrator->setConstraintActivationThreshold(allowance);
    simulation_ =
        std::make_shared<TimeStepping>(system_, std::make_shared<TimeDiscretisation>(0.0, step), integrator, problem);
    simulation_->setCheckSolverFunction(count_failure);
    simulation_->setWarnOnNonConvergence(false);
  }

  void link_row(std::initializer_list<double> row, double offset, double restitution,
                std::shared_ptr<DynamicalSystem> a, std::shared_ptr<DynamicalSystem> b = nullptr) {
    auto H = std::make_shared<SimpleMatrix>(1u, static_cast<unsigned>(row.size()));
    unsigned column = 0;
    for (const double w : row) H->setValue(0, column++, w);
    auto relation = std::make_shared<LagrangianLinearTIR>(H, vector_of({offset}));
    auto contact = std::make_shared<Interaction>(std::make_shared<NewtonImpactNSL>(restitution), relation);
    if (b) {
      system_->link(contact, a, b);
    } else {
      system_->link(contact, a);
    }
  }

  std::shared_ptr<LagrangianLinearTIDS> add_ball(double q, double u, double gravity) {
    auto mass = std::make_shared<SimpleMatrix>(1, 1);
    mass->eye();
    auto ball = std::make_shared<LagrangianLinearTIDS>(vector_of({q}), vector_of({u}), mass);
    ball->setFExtPtr(vector_of({-gravity}));
    system_->insertDynamicalSystem(ball);
    return ball;
  }

  std::shared_ptr<NonSmoothDynamicalSystem> system_;
  std::shared_ptr<TimeStepping> simulation_;
};

class Ball final : public TimeStepped {
 public:
  Ball() : TimeStepped(1e6) {
    link_row({1.0}, -0.1, 0.8, add_ball(1.1, 0, g));
    ready(1e-3, 0.5, std::make_shared<LCP>(SICONOS_LCP_ENUM));
  }
};

// Newton's method on the Fischer–Burmeister function starts from the impulses of the last step; pivoting takes one
// pivot a contact instead, eight times as long for the first step of 1000 balls, and sweeps take far longer.
class Chain final : public TimeStepped {
 public:
  Chain(int balls, double gravity, bool on_floor, double restitution, double first_velocity) : TimeStepped(1e6) {
    std::shared_ptr<LagrangianLinearTIDS> last;
    for (int i = 0; i < balls; ++i) {
      auto ball = add_ball(0.01 + 0.02 * i, i == 0 ? first_velocity : 0, gravity);
      if (last) link_row({-1.0, 1.0}, -0.02, restitution, last, ball);
      if (!last && on_floor) link_row({1.0}, -0.01, restitution, ball);
      last = ball;
    }
    ready(1e-3, 0.5, std::make_shared<LCP>(SICONOS_LCP_NEWTON_FB_FBLSA));
  }
};

// Two rods in angles: M = [16, 6 cos(φ₁ − φ₂); ., 4], as in floor.cpp.
class KaneRods final : public LagrangianDS {
 public:
  KaneRods() : LagrangianDS(vector_of({0.3490658503988659, 0.5235987755982988}), vector_of({-0.1, -0.2})) {
    _mass.reset(new SimpleMatrix(2, 2));
    _inverseMass.reset();
    _fInt.reset(new SiconosVector(2));
    _jacobianFIntq.reset(new SimpleMatrix(2, 2));
    _jacobianFIntqDot.reset(new SimpleMatrix(2, 2));
    init_forces();
  }
  void computeMass(SP::SiconosVector q) override {
    const double m12 = 6 * std::cos((*q)(0) - (*q)(1));
    _mass->setValue(0, 0, 16);
    _mass->setValue(0, 1, m12);
    _mass->setValue(1, 0, m12);
    _mass->setValue(1, 1, 4);
  }
  void computeMass() override { computeMass(_q[0]); }
  void computeFInt(double, SP::SiconosVector q, SP::SiconosVector u) override {
    const double s = 6 * std::sin((*q)(0) - (*q)(1));
    _fInt->setValue(0, s * (*u)(1) * (*u)(1) + 9 * g * std::sin((*q)(0)));
    _fInt->setValue(1, -s * (*u)(0) * (*u)(0) + 3 * g * std::sin((*q)(1)));
  }
  void computeFInt(double t) override { computeFInt(t, _q[0], _q[1]); }
  void computeJacobianFIntq(double, SP::SiconosVector q, SP::SiconosVector u) override {
    const double c = 6 * std::cos((*q)(0) - (*q)(1));
    const double a = c * (*u)(1) * (*u)(1), b = c * (*u)(0) * (*u)(0);
    _jacobianFIntq->setValue(0, 0, a + 9 * g * std::cos((*q)(0)));
    _jacobianFIntq->setValue(0, 1, -a);
    _jacobianFIntq->setValue(1, 0, -b);
    _jacobianFIntq->setValue(1, 1, b + 3 * g * std::cos((*q)(1)));
  }
  void computeJacobianFIntq(double t) override { computeJacobianFIntq(t, _q[0], _q[1]); }
  void computeJacobianFIntqDot(double, SP::SiconosVector q, SP::SiconosVector u) override {
    const double s = 12 * std::sin((*q)(0) - (*q)(1));
    _jacobianFIntqDot->zero();
    _jacobianFIntqDot->setValue(0, 1, s * (*u)(1));
    _jacobianFIntqDot->setValue(1, 0, -s * (*u)(0));
  }
  void computeJacobianFIntqDot(double t) override { computeJacobianFIntqDot(t, _q[0], _q[1]); }
};

class KaneTip final : public LagrangianScleronomousR {
 public:
  void computeh(const BlockVector& q, BlockVector&, SiconosVector& y) override {
    static const double depth = 2 * (std::cos(0.3490658503988659) + std::cos(0.5235987755982988));
    y.setValue(0, depth - 2 * (std::cos(q.getValue(0)) + std::cos(q.getValue(1))));
    y.setValue(1, 0);
  }
  void computeJachq(const BlockVector& q, BlockVector&) override {
    if (!_jachq) _jachq.reset(new SimpleMatrix(2, 2));
    for (unsigned i = 0; i < 2; ++i) {
      _jachq->setValue(0, i, 2 * std::sin(q.getValue(i)));
      _jachq->setValue(1, i, -2 * std::cos(q.getValue(i)));
    }
  }
};

class Kane final : public TimeStepped {
 public:
  Kane() : TimeStepped(1e6) {
    auto rods = std::make_shared<KaneRods>();
    system_->insertDynamicalSystem(rods);
    system_->link(std::make_shared<Interaction>(std::make_shared<NewtonImpactFrictionNSL>(0.5, 0.0, 0.5, 2),
                                                std::make_shared<KaneTip>()),
                  rods);
    ready(1e-4, 0.5, std::make_shared<FrictionContact>(2, SICONOS_FRICTION_2D_LEMKE));
    simulation_->setNewtonTolerance(1e-13);
  }
};

// Rows: along the normal, and across it with the spin of both surfaces.
class DiskOnDisk final : public LagrangianScleronomousR {
 public:
  DiskOnDisk(double a, double b) : a_(a), b_(b) {}
  void computeh(const BlockVector& q, BlockVector&, SiconosVector& y) override {
    y.setValue(0, std::hypot(q.getValue(3) - q.getValue(0), q.getValue(4) - q.getValue(1)) - a_ - b_);
    y.setValue(1, 0);
  }
  void computeJachq(const BlockVector& q, BlockVector&) override {
    if (!_jachq) _jachq.reset(new SimpleMatrix(2, 6));
    const double dx = q.getValue(3) - q.getValue(0), dy = q.getValue(4) - q.getValue(1);
    const double d = std::hypot(dx, dy), x = dx / d, y = dy / d;
    const double rows[2][6] = {{-x, -y, 0, x, y, 0}, {y, -x, -a_, -y, x, -b_}};
    for (unsigned i = 0; i < 2; ++i)
      for (unsigned k = 0; k < 6; ++k) _jachq->setValue(i, k, rows[i][k]);
  }

 private:
  double a_, b_;
};

class Pile final : public TimeStepped {
 public:
  Pile(const DiskPile& pile, double tolerance) : TimeStepped(1e6) {
    std::vector<std::shared_ptr<LagrangianLinearTIDS>> disks;
    for (std::size_t i = 0; i < pile.radii.size(); ++i) {
      const Eigen::Vector3d &q = pile.poses[i], &u = pile.velocities[i];
      auto mass = std::make_shared<SimpleMatrix>(3, 3);
      mass->setValue(0, 0, pile.masses[i]);
      mass->setValue(1, 1, pile.masses[i]);
      mass->setValue(2, 2, 0.5 * pile.masses[i] * pile.radii[i] * pile.radii[i]);
      disks.push_back(
          std::make_shared<LagrangianLinearTIDS>(vector_of({q(0), q(1), q(2)}), vector_of({u(0), u(1), u(2)}), mass));
      disks.back()->setFExtPtr(vector_of({0, -pile.masses[i] * g, 0}));
      system_->insertDynamicalSystem(disks.back());
    }
    auto law = std::make_shared<NewtonImpactFrictionNSL>(0.0, 0.0, pile.friction, 2);
    for (std::size_t i = 0; i < disks.size(); ++i) {
      const double r = pile.radii[i];
      // Walls that are far away stay far: a pile at rest does not need them.
      if (pile.poses[i].y() < 2 * r) wall(law, disks[i], r, 0, 1, 0);
      if (pile.poses[i].x() < 2 * r) wall(law, disks[i], r, 1, 0, 0);
      if (pile.width - pile.poses[i].x() < 2 * r) wall(law, disks[i], r, -1, 0, pile.width);
    }
    for (const auto& [a, b] : pile.pairs)
      system_->link(std::make_shared<Interaction>(law, std::make_shared<DiskOnDisk>(pile.radii[a], pile.radii[b])),
                    disks[a], disks[b]);
    auto problem = std::make_shared<FrictionContact>(2, SICONOS_FRICTION_2D_NSGS);
    problem->numericsSolverOptions()->dparam[SICONOS_DPARAM_TOL] = tolerance;
    problem->numericsSolverOptions()->iparam[SICONOS_IPARAM_MAX_ITER] = 10000;
    problem->setMStorageType(NM_SPARSE_BLOCK);
    problem->setKeepLambdaAndYState(true);
    ready(pile.step, 1.0, problem);
    simulation_->setNewtonOptions(SICONOS_TS_LINEAR);
  }

 private:
  // The half plane n·x ≥ −C.
  void wall(const std::shared_ptr<NonSmoothLaw>& law, const std::shared_ptr<LagrangianLinearTIDS>& disk, double r,
            double x, double y, double C) {
    auto H = std::make_shared<SimpleMatrix>(2, 3);
    const double rows[2][3] = {{x, y, 0}, {-y, x, -r}};
    for (unsigned i = 0; i < 2; ++i)
      for (unsigned k = 0; k < 3; ++k) H->setValue(i, k, rows[i][k]);
    system_->link(std::make_shared<Interaction>(law, std::make_shared<LagrangianLinearTIR>(H, vector_of({C - r, 0}))),
                  disk);
  }
};

class ManyBallImpact final : public Rival {
 public:
  ManyBallImpact(int balls, double dP) : balls_(balls), dP_(dP) { use_one_thread(); }

  void step(int count) override {
    for (int k = 0; k < count; ++k) {
      prepare();
      while (simulation_->hasNextEvent()) {
        simulation_->advanceToEvent();
        simulation_->processEvents();
        if (last_ball_->velocity()->getValue(0) > 0) break;
      }
      if (!(last_ball_->velocity()->getValue(0) > 0.5)) ++failed_;  // the push has to arrive at the other end
    }
  }

 private:
  // It resolves impacts in its event-driven scheme only: the first ball flies over a gap of 1 µm.
  void prepare() {
    auto system = std::make_shared<NonSmoothDynamicalSystem>(0.0, 1e-3);
    std::shared_ptr<LagrangianLinearTIDS> last;
    for (int i = 0; i < balls_; ++i) {
      auto mass = std::make_shared<SimpleMatrix>(1, 1);
      mass->eye();
      auto ball = std::make_shared<LagrangianLinearTIDS>(vector_of({i == 0 ? -1e-6 : 0.02 * i}),
                                                         vector_of({i == 0 ? 1.0 : 0.0}), mass);
      system->insertDynamicalSystem(ball);
      if (last) {
        auto H = std::make_shared<SimpleMatrix>(1, 2);
        H->setValue(0, 0, -1);
        H->setValue(0, 1, 1);
        system->link(std::make_shared<Interaction>(std::make_shared<MultipleImpactNSL>(1.0, 1.0, 1.5),
                                                   std::make_shared<LagrangianLinearTIR>(H, vector_of({-0.02}))),
                     last, ball);
      }
      last = ball;
    }
    last_ball_ = last;
    simulation_ = std::make_shared<EventDriven>(system, std::make_shared<TimeDiscretisation>(0.0, 1e-4));
    simulation_->insertIntegrator(std::make_shared<LsodarOSI>());
    simulation_->insertNonSmoothProblem(std::make_shared<MultipleImpact>("BiStiffness", dP_), SICONOS_OSNSP_ED_IMPACT);
    simulation_->insertNonSmoothProblem(std::make_shared<LCP>(), SICONOS_OSNSP_ED_SMOOTH_ACC);
    simulation_->initialize();
  }

  int balls_;
  double dP_;
  std::shared_ptr<LagrangianLinearTIDS> last_ball_;
  std::shared_ptr<EventDriven> simulation_;
};

}  // namespace

bool has_siconos() { return true; }
std::unique_ptr<Rival> siconos_ball() { return std::make_unique<Ball>(); }
std::unique_ptr<Rival> siconos_resting_chain(int balls) { return std::make_unique<Chain>(balls, g, true, 0.5, 0); }
std::unique_ptr<Rival> siconos_struck_chain(int balls) { return std::make_unique<Chain>(balls, 0, false, 1, 1); }
std::unique_ptr<Rival> siconos_kane() { return std::make_unique<Kane>(); }
std::unique_ptr<Rival> siconos_pile(const DiskPile& pile, double tolerance) {
  return std::make_unique<Pile>(pile, tolerance);
}
std::unique_ptr<Rival> siconos_multiple_impact(int balls, double dP) {
  return std::make_unique<ManyBallImpact>(balls, dP);
}

}  // namespace carom::bench

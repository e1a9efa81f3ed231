// Sequential impacts: one contact collides at a time, by another law, until nothing approaches (Winandy &
// Leine 2016, sect. 3, for three balls).
//
//   u⁺ = ... S_j S_i u⁻,   S_i the impact of contact i alone
//
// Signs: γ < 0 approaches, Λ > 0 pushes the contact open.
//
// The next to collide is the contact with the largest approach velocity, or the next in a given order.
// Clutches and bilateral elements react in every collision; a clutch that is driven backwards comes before any contact.
// For three equal elastic balls the result is the six cones (19)–(24) of the paper, whatever the order; in general
// another order of collisions gives another result. All orders are tried as long as that is affordable, or else a few
// contacts in turn by every order of theirs, and the outcomes counted.
//
// Infinite sequences (dissipative contacts between the same bodies) converge geometrically and are cut where the
// approach velocity has fallen to rounding level. Those that take more than `max_collisions` end there; what still
// approaches, relative to before, is the residual of the result, and above 1e-3 there is no result.
//
// Domain: what the law of each collision takes, one contact with all clutches and bilateral elements at a time.
// Failures: in general the order of collisions matters, which is reported; nearly elastic infinite sequences can take
// many collisions.

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <ranges>

#include "engine/tolerant_solver.h"
#include "solvers/laws/list.h"
#include "solvers/laws/one_point.h"

namespace carom {

namespace {

constexpr int default_most_collisions = 100000;
constexpr int explored_collisions = 600;   // over all other orders together
constexpr int collisions_in_turn = 12000;  // over all orders in which contacts may take turns, a share each
constexpr std::size_t most_in_turn = 4;    // contacts: 24 orders
constexpr double settled = 1e-13;          // approach velocity, relative to the largest before the impact

struct Refusal {
  LawOutcome outcome;
};

class Sequential final : public ImpactLaw {
 public:
  Sequential(LawChoice each, std::vector<std::string> order, int most_collisions)
      : each_(std::move(each)), inner_(make_law(each_)), order_(std::move(order)), most_collisions_(most_collisions) {}

  LawOutcome resolve(const ImpactProblem& problem, const InclusionSolver& solver) const override {
    if (const auto wrong = unknown_name(problem)) return LawOutcome::refused(*wrong);
    try {
      std::vector<Course> courses = {Course(problem)};
      if (!finish(problem, solver, named_order(problem), most_collisions_, courses.front()))
        return cut_off(problem, courses.front());
      const bool complete_search = explore(problem, solver, courses);
      if (!complete_search && courses.size() == 1) explore_in_turn(problem, solver, courses);
      LawOutcome outcome;
      const std::string note = courses.size() > 1
                                   ? fmt::format("another order of the collisions gives another result ({}{} outcomes)",
                                                 complete_search ? "" : "at least ", courses.size())
                               : complete_search ? "every order of the collisions gives this result"
                                                 : "the other orders tried give this result";
      const bool several = static_cast<Index>(problem.elements().size()) > problem.bilateral_rows().count() + 1;
      for (const Course& course : courses) {
        Jump jump = course.jump;
        name_final_states(problem, course, jump.states);
        jump.solver.name = "sequential, each: " + each_.type;
        jump.solver.solutions = static_cast<int>(courses.size());
        if (several) jump.solver.note = jump.solver.note.empty() ? note : fmt::format("{}; {}", note, jump.solver.note);
        outcome.results.push_back(complete(problem, jump));
      }
      return outcome;
    } catch (const Refusal& refusal) {
      return refusal.outcome;
    }
  }

 private:
  // A sequence of collisions so far.
  struct Course {
    explicit Course(const ImpactProblem& problem) : u(problem.u_minus()) {
      jump.Lambda = Vec::Zero(problem.rows());
      jump.compression = Vec::Zero(problem.rows());
      jump.work = Vec::Zero(static_cast<Index>(problem.elements().size()));
      jump.states.assign(problem.elements().size(), State::open);
      idle.assign(problem.elements().size(), false);
      left = problem.gamma_minus();
    }
    Vec u;
    Jump jump;
    std::size_t turn = 0;    // position in a given order
    Vec left;                // γ of each contact after its own last collision
    std::vector<bool> idle;  // collided last without an impulse: at rest up to the inner law's rounding
  };

  LawOutcome cut_off(const ImpactProblem& problem, Course& course) const {
    const Vec gamma = problem.gamma_minus() + problem.G() * course.jump.Lambda;
    double fastest = 0;
    for (const std::size_t i : approaching(problem, course)) fastest = std::max(fastest, -gamma(problem.first_row(i)));
    const double left = fastest / problem.gamma_minus().cwiseAbs().maxCoeff();
    const std::string what = fmt::format(
        "sequential did not settle within {} collisions (law.max_collisions): contacts still approach at "
        "{:.2g} of the velocity before",
        most_collisions_, left);
    if (!(left <= coarsest_residual)) return LawOutcome::failed(what);
    name_final_states(problem, course, course.jump.states);
    course.jump.solver.name = "sequential, each: " + each_.type;
    course.jump.solver.note = what;
    course.jump.solver.residual = std::max(course.jump.solver.residual, left);
    LawOutcome outcome;
    outcome.results.push_back(complete(problem, course.jump));
    return outcome;
  }

  std::optional<std::string> unknown_name(const ImpactProblem& problem) const {
    for (const std::string& name : order_) {
      const bool known = std::any_of(problem.elements().begin(), problem.elements().end(),
                                     [&](const Element& element) { return element.contact() && element.name == name; });
      if (!known) return fmt::format("law.order names '{}', which is not a contact of this impact", name);
    }
    return std::nullopt;
  }

  // Contacts (and clutches) that move against themselves, fastest first.
  static std::vector<std::size_t> approaching(const ImpactProblem& problem, const Course& course) {
    if (problem.rows() == 0) return {};
    const Vec gamma = problem.gamma_minus() + problem.G() * course.jump.Lambda;
    // Impulses between stiffly coupled contacts cancel; what their products round off is no approach.
    const auto rounded_off = [&](Index row) {
      double sum = 0;
      problem.G().visit_row(row, [&](Index j, double G_ij) { sum += std::abs(G_ij * course.jump.Lambda(j)); });
      return 1e-15 * sum;
    };
    const double slowest = settled * problem.gamma_minus().cwiseAbs().maxCoeff();
    std::vector<std::size_t> contacts;
    for (std::size_t i = 0; i < problem.elements().size(); ++i) {
      const Index row = problem.first_row(i);
      if (problem.row_count(i) == 0 || course.idle[i] || problem.G()(row, row) == 0) continue;
      const bool fast = gamma(row) < -(slowest + rounded_off(row));
      if (fast && !grazes(gamma.segment(row, problem.row_count(i)))) contacts.push_back(i);
    }
    std::stable_sort(contacts.begin(), contacts.end(), [&](std::size_t a, std::size_t b) {
      return gamma(problem.first_row(a)) < gamma(problem.first_row(b));
    });
    return contacts;
  }

  using Order = std::vector<std::size_t>;  // of elements, taken in turn

  Order named_order(const ImpactProblem& problem) const {
    Order order;
    for (const std::string& name : order_)
      for (std::size_t i = 0; i < problem.elements().size(); ++i)
        if (problem.elements()[i].name == name) order.push_back(i);
    return order;
  }

  static std::size_t next(const Order& order, Course& course, const std::vector<std::size_t>& contacts) {
    for (std::size_t tried = 0; tried < order.size(); ++tried) {
      const std::size_t own_turn = order[course.turn++ % order.size()];
      if (std::find(contacts.begin(), contacts.end(), own_turn) != contacts.end()) return own_turn;
    }
    return contacts.front();  // no order given, or only contacts it does not name approach
  }

  // False if something still approaches after `most` collisions more.
  bool finish(const ImpactProblem& problem, const InclusionSolver& solver, const Order& order, int most,
              Course& course) const {
    for (auto contacts = approaching(problem, course); !contacts.empty(); contacts = approaching(problem, course)) {
      if (most-- == 0) return false;
      collide(problem, solver, next(order, course, contacts), course);
    }
    return true;
  }

  // A contact has the state of its own last collision, unless later collisions gave it another slip.
  static void name_final_states(const ImpactProblem& problem, const Course& course, std::vector<State>& states) {
    if (problem.rows() == 0) return;
    const Vec gamma = problem.gamma_minus() + problem.G() * course.jump.Lambda;
    const double rounded = 1e-9 * problem.gamma_minus().cwiseAbs().maxCoeff();
    for (std::size_t i = 0; i < states.size(); ++i) {
      const Contact* contact = problem.elements()[i].contact();
      if (!contact || !contact->has_friction() || states[i] == State::open) continue;
      const auto tangents = Eigen::seqN(problem.first_row(i) + 1, problem.row_count(i) - 1);
      if ((gamma(tangents) - course.left(tangents)).norm() <= rounded) continue;
      states[i] = gamma(tangents).norm() > rounded ? State::slip : State::stick;
    }
  }

  // What the law of one collision leaves open.
  static std::string note_on(const std::string& contact, const LawOutcome& outcome) {
    const std::string& note = outcome.results.front().solver.note;
    if (!note.empty()) return fmt::format("collision of '{}': {}", contact, note);
    if (outcome.results.size() == 1) return "";
    return fmt::format("the collision of '{}' has {} results by itself, of which the first is taken", contact,
                       outcome.results.size());
  }

  void collide(const ImpactProblem& problem, const InclusionSolver& solver, std::size_t contact, Course& course) const {
    std::vector<std::size_t> members;
    for (std::size_t i = 0; i < problem.elements().size(); ++i) {
      if (i == contact || problem.elements()[i].clutch()) members.push_back(i);
    }
    const LawOutcome outcome = inner_->resolve(problem.subproblem(members, course.u), solver);
    if (outcome.status != LawOutcome::Status::resolved) {
      const std::string reason =
          fmt::format("sequential, collision of '{}': {}", problem.elements()[contact].name, outcome.reason);
      throw Refusal{outcome.status == LawOutcome::Status::refused ? LawOutcome::refused(reason)
                                                                  : LawOutcome::failed(reason)};
    }
    const ImpactResult& result = outcome.results.front();
    if (!std::isfinite(result.T_plus) || result.T_plus > 1e6 * problem.kinetic_energy(problem.u_minus())) {
      throw Refusal{
          LawOutcome::failed("sequential: the collisions gain energy without end (a million times the energy before)")};
    }
    Jump& jump = course.jump;
    if (jump.solver.note.empty()) jump.solver.note = note_on(problem.elements()[contact].name, outcome);
    const Vec Lambda_before = jump.Lambda;
    for (std::size_t k = 0; k < members.size(); ++k) {
      const ElementResult& element = result.elements[k];
      const auto rows = Eigen::seqN(problem.first_row(members[k]), problem.row_count(members[k]));
      jump.Lambda(rows) += element.Lambda;
      if (!element.compression) jump.compression.reset();
      if (jump.compression) (*jump.compression)(rows) += *element.compression;
      (*jump.work)(static_cast<Index>(members[k])) += element.work;
      if (element.state != State::open) jump.states[members[k]] = element.state;
      course.left(rows) = element.gamma_plus;
    }
    if (jump.Lambda == Lambda_before) {
      course.idle[contact] = true;
    } else {
      course.idle.assign(course.idle.size(), false);
    }
    course.u = problem.velocity_after(jump.Lambda);
    ++jump.solver.iterations;
    jump.solver.residual = std::max(jump.solver.residual, result.solver.residual);
  }

  static void add_outcome(const ImpactProblem& problem, const Course& course, std::vector<Course>& courses) {
    const double same = 1e-8 * problem.to_white(problem.u_minus()).norm();
    const bool known = std::any_of(courses.begin(), courses.end(), [&](const Course& other) {
      return problem.to_white(course.u - other.u).norm() <= same;
    });
    if (!known) courses.push_back(course);
  }

  using Velocities = std::vector<long long>;  // rounded
  using Places = std::map<Velocities, bool>;  // met so far; whether an order that came by was followed to its end
  struct Path {
    Course course;
    std::vector<Places::iterator> by;  // where it came by

    void mark_by() const {
      for (const Places::iterator& place : by) place->second = true;
    }
  };

  // Adds the outcomes of all other orders of collisions; false if there were too many to try them all. Orders that meet
  // in the same velocities go on in the same way. One that meets a place from which none has been followed to its end
  // yet may be on its way back there, up to this rounding, as it dies away: it is followed to its own.
  bool explore(const ImpactProblem& problem, const InclusionSolver& solver, std::vector<Course>& courses) const {
    int budget = explored_collisions;
    Places places;
    std::vector<Path> open = {{Course(problem), {}}};
    bool complete_search = true;
    while (!open.empty()) {
      Path path = std::move(open.back());
      open.pop_back();
      const std::vector<std::size_t> contacts = approaching(problem, path.course);
      bool dies_away = false;
      for (const std::size_t contact : contacts | std::views::reverse) {
        if (budget-- == 0) return false;
        Path branch = path;
        try {
          collide(problem, solver, contact, branch.course);
        } catch (const Refusal&) {
          complete_search = false;  // an order that leads nowhere
          continue;
        }
        const auto [place, is_new] = places.try_emplace(rounded_velocities(problem, branch.course.u), false);
        if (is_new) {
          branch.by.push_back(place);
          open.push_back(std::move(branch));
        } else if (place->second) {
          path.mark_by();
        } else {
          dies_away = true;
        }
      }
      if (!contacts.empty() && !dies_away) continue;
      const Ending ending = follow_to_end(problem, solver, {}, budget, path.course);
      budget -= ending.collisions;
      if (ending.gave_up) return false;
      complete_search = complete_search && ending.settled;
      if (!ending.settled) continue;
      add_outcome(problem, path.course, courses);
      path.mark_by();
    }
    return complete_search;
  }

  struct Ending {
    int collisions = 0;
    bool settled = false;
    bool gave_up = false;  // neither that nor refused
  };
  Ending follow_to_end(const ImpactProblem& problem, const InclusionSolver& solver, const Order& order, int most,
                       Course& course) const {
    Ending ending;
    const int before = course.jump.solver.iterations;
    try {
      ending.settled = finish(problem, solver, order, most, course);
      ending.gave_up = !ending.settled;
    } catch (const Refusal&) {  // an order that leads nowhere
    }
    ending.collisions = course.jump.solver.iterations - before;
    return ending;
  }

  // Adds the outcomes of few contacts that take turns, in any order of theirs.
  void explore_in_turn(const ImpactProblem& problem, const InclusionSolver& solver,
                       std::vector<Course>& courses) const {
    Order order;
    for (std::size_t i = 0; i < problem.elements().size(); ++i)
      if (problem.elements()[i].contact()) order.push_back(i);
    if (order.size() > most_in_turn) return;
    int orders = 1;
    for (std::size_t k = 2; k <= order.size(); ++k) orders *= static_cast<int>(k);
    do {
      Course course(problem);
      if (follow_to_end(problem, solver, order, collisions_in_turn / orders, course).settled)
        add_outcome(problem, course, courses);
    } while (std::next_permutation(order.begin(), order.end()));
  }

  static Velocities rounded_velocities(const ImpactProblem& problem, const Vec& u) {
    const Vec v = problem.to_white(u) / (1e-10 * problem.to_white(problem.u_minus()).norm());
    Velocities rounded;
    for (double x : v) rounded.push_back(std::llround(std::clamp(x, -9e18, 9e18)));
    return rounded;
  }

  LawChoice each_;
  std::unique_ptr<ImpactLaw> inner_;
  std::vector<std::string> order_;
  int most_collisions_;
};

}  // namespace

LawEntry sequential_law() {
  return {
      .name = "sequential",
      .statement =
          "one contact at a time by another law, most approaching first or in a given order, until nothing approaches",
      .equation = "u⁺ = ... S_j S_i u⁻,  S_i the impact of contact i alone",
      .source = "Winandy & Leine 2016 (19)–(24)",
      .domain =
          "what the law of each collision takes, one contact with all clutches and bilateral elements at a time; "
          "a clutch that is driven backwards comes before any contact",
      .failures =
          "in general the order of collisions matters, which is reported; nearly elastic infinite sequences can take "
          "many collisions",
      .parameters = {{.name = "each",
                      .type = ParameterSpec::Type::law,
                      .default_text = "newton",
                      .meaning = "the law of one collision"},
                     {.name = "order",
                      .type = ParameterSpec::Type::names,
                      .default_text = "most approaching first",
                      .meaning = "names of contacts, taken in turn"},
                     {.name = "max_collisions",
                      .type = ParameterSpec::Type::integer,
                      .default_text = "100000",
                      .meaning = "give up after so many",
                      .range_text = "1 .. 1e9",
                      .lowest = 1,
                      .highest = 1e9}},
      .default_each = "newton",
      .form = LawForm::in_turn,
      .claims = {.kinematic = true},
      .make =
          [](const Parameters& parameters) {
            return std::unique_ptr<ImpactLaw>(std::make_unique<Sequential>(
                law_of_each({"sequential", parameters}),
                parameters.get<std::vector<std::string>>("order").value_or(std::vector<std::string>{}),
                static_cast<int>(parameters.get<double>("max_collisions").value_or(default_most_collisions))));
          },
  };
}

}  // namespace carom

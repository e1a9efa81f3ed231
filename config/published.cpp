#include "config/published.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <numbers>
#include <optional>

#include "config/impact_file.h"
#include "config/law_file.h"
#include "config/embedded.h"
#include "models/thin_rods.h"
#include "solvers/inclusion/list.h"
#include "solvers/laws/list.h"

namespace carom {

namespace {

constexpr double exact_tolerance = 1e-9;  // fractions and whole numbers

// A printed number and half of its last digit: "0.1634" → 0.1634 ± 0.00005; "1/3" and "2" are exact.
struct PrintedNumber {
  double value = 0;
  double tolerance = exact_tolerance;
};

PrintedNumber parse_printed(const Node& node) {
  const std::string& text = node.text();
  const std::size_t slash = text.find('/');
  PrintedNumber number;
  const auto parse = [&](const std::string& part) {
    double value = 0;
    const auto [end, status] = std::from_chars(part.data(), part.data() + part.size(), value);
    if (status != std::errc() || end != part.data() + part.size())
      node.error(fmt::format("'{}' is not a number", text));
    return value;
  };
  if (slash != std::string::npos) {
    number.value = parse(text.substr(0, slash)) / parse(text.substr(slash + 1));
    return number;
  }
  number.value = parse(text);
  const std::size_t point = text.find('.');
  if (point != std::string::npos)
    number.tolerance = 0.5000001 * std::pow(10, -static_cast<double>(text.size() - point - 1));
  return number;
}

// What a row computes, by the names its expectations use.
using Quantities = std::map<std::string, std::vector<double>>;

std::vector<double> list(const Vec& v) { return {v.begin(), v.end()}; }

// Of the contacts' normals, with unit diagonal (Brogliato 2012 (10)).
void normal_quantities(const ImpactProblem& problem, Quantities& q) {
  const Index n = static_cast<Index>(problem.elements().size());
  Mat G(n, n);
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j)
      G(i, j) =
          problem.G()(problem.first_row(static_cast<std::size_t>(i)), problem.first_row(static_cast<std::size_t>(j)));
  }
  const Vec unit = G.diagonal().cwiseSqrt().cwiseInverse();
  G = unit.asDiagonal() * G * unit.asDiagonal();
  for (Index i = 0; i < n; ++i)
    for (Index j = i + 1; j < n; ++j) q["normalized_delassus"].push_back(G(i, j));
  if (n != 2) return;
  // Remark 6: the bound of Proposition 7, and the condition of Proposition 2 times 1 − a².
  const Mat inverse = G.inverse();
  q["norm_bound"] = {1 / std::sqrt(G.norm() * inverse.norm())};
  Mat E = Mat::Zero(2, 2);
  for (Index k = 0; k < 2; ++k) E(k, k) = problem.elements()[static_cast<std::size_t>(k)].contact()->restitution;
  const Mat form = G.determinant() * (inverse - E * inverse * E);
  q["copositivity"] = {form(0, 1) + std::sqrt(std::max(0.0, form(0, 0) * form(1, 1)))};
}

void problem_quantities(const ImpactProblem& problem, Quantities& q) {
  q["kinetic_energy_before"] = {problem.kinetic_energy(problem.u_minus())};
  q["contact_velocity_before"] = list(problem.gamma_minus());
  const Delassus& G = problem.G();
  for (Index i = 0; i < G.size(); ++i) {
    for (Index j = i; j < G.size(); ++j) q["delassus"].push_back(G(i, j));
  }
  const Vec eigenvalues = Eigen::SelfAdjointEigenSolver<Mat>(G.dense()).eigenvalues();
  q["reciprocal_condition"] = {eigenvalues(0) / eigenvalues(eigenvalues.size() - 1)};
  const auto& elements = problem.elements();
  const bool contacts_alone =
      std::all_of(elements.begin(), elements.end(), [](const Element& e) { return e.contact(); });
  if (contacts_alone) normal_quantities(problem, q);
  if (elements.size() == 2) {
    const Index a = problem.first_row(0);
    const Index b = problem.first_row(1);
    q["kinetic_angle"] = {std::numbers::pi - std::acos(G(a, b) / std::sqrt(G(a, a) * G(b, b)))};
    if (problem.row_count(0) == 2 && problem.row_count(1) == 2) {
      // Both contacts slide: Λ_T = −μ sgn(γ_T) Λ_N in the normal rows.
      Eigen::Matrix2d A;
      const std::array<Index, 2> row = {a, b};
      for (std::size_t i = 0; i < 2; ++i) {
        for (std::size_t j = 0; j < 2; ++j) {
          const double slip = problem.gamma_minus()(row[j] + 1) > 0 ? 1 : -1;
          A(static_cast<Index>(i), static_cast<Index>(j)) =
              G(row[i], row[j]) - elements[j].contact()->friction(0) * slip * G(row[i], row[j] + 1);
        }
      }
      q["sliding_determinant"] = {A.determinant()};
    }
  } else if (elements.size() == 1 && problem.row_count(0) == 2) {
    q["critical_friction"] = {G(0, 0) / std::abs(G(0, 1))};
  }
}

void result_quantities(const ImpactProblem& problem, const ImpactResult& result, Quantities& q) {
  q["velocity_after"] = list(result.u_plus);
  q["kinetic_energy_after"] = {result.T_plus};
  q["work"] = {result.work};
  Vec compression = Vec::Zero(problem.rows());
  for (std::size_t i = 0; i < result.elements.size(); ++i) {
    const ElementResult& element = result.elements[i];
    const auto append = [&](const char* name, const Vec& v) { q[name].insert(q[name].end(), v.begin(), v.end()); };
    append("contact_velocity_after", element.gamma_plus);
    append("impulse", element.Lambda);
    if (element.compression) {
      append("compression", *element.compression);
      append("decompression", *element.decompression);
      if (problem.row_count(i) > 0)
        compression.segment(problem.first_row(i), problem.row_count(i)) = *element.compression;
    }
  }
  if (q.count("compression")) {
    const Vec u = problem.velocity_after(compression);
    q["compression_velocity"] = list(u);
    q["compression_contact_velocity"] = list(problem.gamma_minus() + problem.G() * compression);
    q["compression_energy"] = {problem.kinetic_energy(u)};
  }
  if (result.routh) {
    if (result.routh->type) q["type"] = {static_cast<double>(*result.routh->type)};
    if (const auto e = result.routh->equivalent_stronge()) q["equivalent_stronge"] = {*e};
  }
}

// Σ Λ_k·(γ̄_{k+1} − γ̄_k) around a cycle of velocities before the impact (Winandy & Leine 2016, eq. 49).
double cyclic_sum(const ImpactFile& file, const ImpactLaw& law, const InclusionSolver& solver, const Mat& cycle) {
  std::vector<Vec> Lambda;
  std::vector<Vec> mean;
  for (Index k = 0; k < cycle.rows(); ++k) {
    const ImpactProblem problem(file.mass, cycle.row(k).transpose(), file.elements);
    Quantities q;
    result_quantities(problem, law.resolve(problem, solver).results.front(), q);
    const auto vector = [&](const char* name) {
      return Vec(Eigen::Map<const Vec>(q[name].data(), static_cast<Index>(q[name].size())));
    };
    Lambda.push_back(vector("impulse"));
    mean.push_back(0.5 * (problem.gamma_minus() + vector("contact_velocity_after")));
  }
  double sum = 0;
  for (std::size_t k = 0; k < Lambda.size(); ++k) sum += Lambda[k].dot(mean[(k + 1) % mean.size()] - mean[k]);
  return sum;
}

class RowChecker {
 public:
  RowChecker(const Node& node, const std::map<std::string, Node>& problems, std::string source)
      : row_(node), problems_(problems), source_(std::move(source)) {}

  std::vector<PublishedCheck> run() {
    const auto claim = row_.require("claim");
    claim_ = claim ? claim->word().value_or("") : "";
    if (const auto note = row_.get("note")) note_ = note->word().value_or("");
    if (const auto tolerance = row_.get("tolerance")) tolerance_ = tolerance->number();
    if (const auto kind = row_.get("kind")) {
      is_formula_ = kind->text() == "formula";
      if (!is_formula_) kind->error("the kind of a row is 'formula', or it is left out");
    }
    if (const auto rods = row_.get("rods")) {
      compute_rods(*rods);
    } else {
      compute_impact();
    }
    std::vector<PublishedCheck> checks;
    std::map<std::string, Node> printed;
    if (const auto node = row_.get("printed")) {
      for (const auto& [key, value] : node->entries()) printed.emplace(key, value);
    }
    if (const auto expect = row_.require("expect")) {
      MapReader map(*expect);
      for (const char* name : {"velocity_after",
                               "contact_velocity_before",
                               "contact_velocity_after",
                               "impulse",
                               "compression",
                               "decompression",
                               "work",
                               "kinetic_energy_before",
                               "kinetic_energy_after",
                               "compression_velocity",
                               "compression_contact_velocity",
                               "compression_energy",
                               "delassus",
                               "reciprocal_condition",
                               "normalized_delassus",
                               "norm_bound",
                               "copositivity",
                               "kinetic_angle",
                               "critical_friction",
                               "sliding_determinant",
                               "type",
                               "equivalent_stronge",
                               "cyclic_sum",
                               "mean_velocity_after",
                               "opens_at"}) {
        if (const auto expected = map.get(name)) {
          const auto print = printed.find(name);
          checks.push_back(compare(name, *expected, print == printed.end() ? *expected : print->second));
        }
      }
      if (const auto state = map.get("state")) checks.push_back(compare_state(*state));
      map.finish();
    }
    row_.finish();
    return checks;
  }

 private:
  void compute_rods(const Node& node) {
    MapReader map(node);
    const auto lengths_node = map.require("lengths");
    const auto velocities_node = map.require("velocities");
    map.finish();
    const auto lengths = lengths_node ? lengths_node->vector() : std::nullopt;
    const auto velocities = velocities_node ? velocities_node->vector() : std::nullopt;
    if (!lengths || !velocities) return;
    std::vector<int> cells;
    for (double length : *lengths) cells.push_back(static_cast<int>(length));
    const ThinRodCollision collision = collide_thin_rods(cells, list(*velocities));
    quantities_["mean_velocity_after"] = collision.mean_velocity;
    quantities_["opens_at"] = collision.opens_at;
  }

  void compute_impact() {
    const auto name = row_.require("problem");
    const auto word = name ? name->word() : std::nullopt;
    const auto found = word ? problems_.find(*word) : problems_.end();
    if (found == problems_.end()) {
      if (word) name->error(fmt::format("there is no problem '{}' above", *word));
      return;
    }
    ImpactFile file = read_impact_problem(found->second);
    if (const auto velocity = row_.get("velocity")) file.velocity = velocity->vector().value_or(file.velocity);
    if (const auto restitution = row_.get("restitution"))
      set_coefficients(*restitution, file, [](Contact& c, double e) { c.restitution = e; });
    if (const auto friction = row_.get("friction"))
      set_coefficients(*friction, file, [](Contact& c, double mu) { c.friction.setConstant(mu); });

    const ImpactProblem problem(file.mass, file.velocity, file.elements);
    problem_quantities(problem, quantities_);
    const auto law_node = row_.get("law");
    const auto cycle = row_.get("cycle");
    if (!law_node) return;
    const auto choice = read_law(*law_node);
    if (!choice) return;
    const auto law = make_law(*choice);
    const auto solver = find_solver("auto")->make();
    const LawOutcome outcome = law->resolve(problem, *solver);
    if (outcome.status != LawOutcome::Status::resolved) {
      law_node->error(outcome.reason);
      return;
    }
    result_quantities(problem, outcome.results.front(), quantities_);
    state_ = name_of(outcome.results.front().elements.front().state);
    if (cycle) {
      if (const auto velocities = cycle->matrix())
        quantities_["cyclic_sum"] = {cyclic_sum(file, *law, *solver, *velocities)};
    }
  }

  // One number for all contacts, or a list, one a contact.
  template <class Setter>
  static void set_coefficients(const Node& node, ImpactFile& file, Setter set) {
    const Vec values =
        node.is_list() ? node.vector().value_or(Vec()) : Vec(Vec::Constant(1, node.number().value_or(0)));
    Index k = 0;
    for (Element& element : file.elements) {
      if (Contact* contact = std::get_if<Contact>(&element.kind)) set(*contact, values(node.is_list() ? k++ : 0));
    }
  }

  PublishedCheck compare(const std::string& quantity, const Node& expected, const Node& printed) const {
    PublishedCheck check{source_, claim_, quantity, text_of(printed), text_of(expected), "—", false, false, note_};
    const auto found = quantities_.find(quantity);
    if (found == quantities_.end()) return check;
    check.ours.clear();
    for (double value : found->second)
      check.ours += fmt::format("{}{:.6g}", check.ours.empty() ? "" : ", ", std::abs(value) < 1e-12 ? 0.0 : value);
    check.within = tolerance_.value_or(0);
    check.is_formula = is_formula_;
    check.agrees = agrees(found->second, expected);
    check.print_is_right = agrees(found->second, printed);
    return check;
  }

  static std::vector<Node> numbers_of(const Node& node) {
    return node.is_list() ? node.items() : std::vector<Node>{node};
  }

  static std::string text_of(const Node& node) {
    std::string text;
    for (const Node& item : numbers_of(node)) text += (text.empty() ? "" : ", ") + item.text();
    return text;
  }

  bool agrees(const std::vector<double>& ours, const Node& node) const {
    const std::vector<Node> items = numbers_of(node);
    if (items.size() != ours.size()) return false;
    for (std::size_t i = 0; i < items.size(); ++i) {
      const PrintedNumber number = parse_printed(items[i]);
      if (!(std::abs(ours[i] - number.value) <= std::max(number.tolerance, tolerance_.value_or(0)))) return false;
    }
    return true;
  }

  PublishedCheck compare_state(const Node& expected) const {
    const bool agrees = expected.text() == state_;
    return {source_, claim_, "state", expected.text(), expected.text(), state_.empty() ? "—" : state_, agrees,
            agrees,  note_,  0,       is_formula_};
  }

  MapReader row_;
  const std::map<std::string, Node>& problems_;
  std::string source_, claim_, note_, state_;
  std::optional<double> tolerance_;
  bool is_formula_ = false;
  Quantities quantities_;
};

}  // namespace

std::vector<PublishedCheck> check_published(const std::string& text, const std::string& name) {
  const Document document = Document::from_text(text, name);
  MapReader root(document.root());
  const auto source = root.require("source");
  std::map<std::string, Node> problems;
  if (const auto node = root.get("problems")) {
    for (const auto& [key, problem] : node->entries()) problems.emplace(key, problem);
  }
  std::vector<PublishedCheck> checks;
  if (const auto rows = root.require("rows")) {
    for (const Node& row : rows->items()) {
      const auto found = RowChecker(row, problems, source ? source->text() : "").run();
      checks.insert(checks.end(), found.begin(), found.end());
    }
  }
  root.finish();
  document.diagnostics().throw_if_bad();
  return checks;
}

std::vector<PublishedCheck> check_published() {
  std::vector<PublishedCheck> checks;
  for (const auto& [name, text] : published_files()) {
    const auto found = check_published(text, name);
    checks.insert(checks.end(), found.begin(), found.end());
  }
  return checks;
}

}  // namespace carom

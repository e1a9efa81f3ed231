#include "solvers/certificates/law_as_map.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>

#include "solvers/certificates/island.h"
#include "solvers/certificates/law_trial.h"
#include "solvers/certificates/search_effort.h"

namespace carom {

namespace {

constexpr int most_segments = 40;
constexpr int segment_halvings = 36;            // down to 1e-11 of the segment
constexpr double still_apart = 1e-4;            // relative distance of the ends after all halvings: the map jumps
constexpr double stretched = 1 + 1e-6;          // a ratio above it is no rounding
constexpr std::size_t most_cycle_samples = 90;  // of cycles
constexpr double cycle_tolerance = 1e-9;        // relative to the energies of the cycle
constexpr Index most_motions = 30;

// In white coordinates, where the kinetic metric is the Euclidean one.
class WhiteMap {
 public:
  WhiteMap(const LawChoice& law, const ImpactProblem& problem, Solutions wanted)
      : problem_(problem), trial_(law, problem), wanted_(wanted) {}

  std::optional<Vec> operator()(const Vec& v) const {
    const std::optional<Vec> after = trial_.after(problem_.from_white(v), wanted_);
    return after ? std::optional<Vec>(problem_.to_white(*after)) : std::nullopt;
  }

  double units() const { return trial_.units(); }

 private:
  const ImpactProblem& problem_;
  LawTrial trial_;
  Solutions wanted_;
};

struct Stretch {
  double ratio = 0;
  double apart = 0;  // of the images, relative to the size of the velocities
  Vec a, b;          // the two velocities, white
};

// The most stretched part of a segment that is long enough for its quotient, and where the map jumps.
struct Stretches {
  Stretch finite, jump;
};

// Halves a segment towards its most stretched part. None if the law has no answer on the way.
std::optional<Stretches> most_stretched(const WhiteMap& map, Vec a, Vec b) {
  std::optional<Vec> image_a = map(a), image_b = map(b);
  if (!image_a || !image_b) return std::nullopt;
  const double size = std::max(a.norm(), b.norm());
  Stretches best;
  for (int k = 0; k < segment_halvings; ++k) {
    const double ratio = (*image_a - *image_b).norm() / (a - b).norm();
    // Short segments only tell whether the map jumps; their quotients would show its rounding.
    if ((a - b).norm() > 1e-5 * size && ratio > best.finite.ratio) best.finite = {ratio, 0, a, b};
    const Vec middle = 0.5 * (a + b);
    const std::optional<Vec> image = map(middle);
    if (!image) return std::nullopt;
    if ((*image_a - *image).norm() > (*image - *image_b).norm()) {
      b = middle;
      image_b = image;
    } else {
      a = middle;
      image_a = image;
    }
  }
  best.finite.apart = (*image_a - *image_b).norm() / size;
  if (best.finite.apart > still_apart) best.jump = {HUGE_VAL, std::exchange(best.finite.apart, 0.0), a, b};
  return best;
}

Vec random_velocity(const ImpactProblem& problem, const Mat& motions, std::mt19937_64& engine) {
  std::normal_distribution<double> normal;
  Vec y(motions.cols());
  for (double& x : y) x = normal(engine);
  return problem.to_white(with_energy_of(problem, problem.from_white(motions * y)));
}

// The search takes whatever solution it is given; a pair of velocities counts as the law answers them. Where that is no
// jump, the two are too near for a quotient.
Stretch confirmed(const LawChoice& law, const ImpactProblem& problem, const Stretch& found) {
  const WhiteMap map(law, problem, Solutions::every);
  const std::optional<Vec> image_a = map(found.a), image_b = map(found.b);
  if (!image_a || !image_b) return {};
  Stretch stretch = found;
  const double apart = (*image_a - *image_b).norm();
  stretch.ratio = apart / (found.a - found.b).norm();
  if (found.ratio < HUGE_VAL) return stretch;
  stretch.apart = apart / std::max(found.a.norm(), found.b.norm());
  return stretch.apart > still_apart ? stretch : Stretch{};
}

struct StretchSearch {
  Stretch worst;
  int segments = 0;
};

StretchSearch search_stretch(const LawChoice& law, const ImpactProblem& problem) {
  const WhiteMap map(law, problem, Solutions::one);
  const Mat motions = problem.free_motions();
  std::mt19937_64 engine(7);
  StretchSearch search;
  Stretches most;
  const Vec own = problem.to_white(problem.u_minus());
  for (; search.segments < most_segments && map.units() < most_units_of_search; ++search.segments) {
    const Vec a = search.segments == 0 && own.norm() > 0 ? own : random_velocity(problem, motions, engine);
    const Vec b = random_velocity(problem, motions, engine);
    const std::optional<Stretches> found = most_stretched(map, a, b);
    if (found && found->finite.ratio > most.finite.ratio) most.finite = found->finite;
    if (found && found->jump.apart > most.jump.apart) most.jump = found->jump;
  }
  if (most.jump.apart > 0) search.worst = confirmed(law, problem, most.jump);
  if (search.worst.apart > 0) return search;
  search.worst = most.finite.ratio > stretched ? confirmed(law, problem, most.finite) : most.finite;
  return search;
}

// Velocities to build cycles of: contact velocities on a lattice where there are few, and random ones.
std::vector<Vec> samples(const ImpactProblem& problem, std::size_t count) {
  std::vector<Index> normals;
  for (std::size_t i = 0; i < problem.elements().size(); ++i)
    if (problem.row_count(i) > 0) normals.push_back(problem.first_row(i));
  std::vector<Vec> list;
  const std::size_t side = normals.size() <= 2 ? 5 : 3;  // −2 … 2, or −1 … 1
  if (normals.size() <= 4 && !normals.empty()) {
    std::size_t points = 1;
    for (std::size_t k = 0; k < normals.size(); ++k) points *= side;
    for (std::size_t p = 0; p < points && list.size() < count; ++p) {
      Vec gamma(static_cast<Index>(normals.size()));
      std::size_t rest = p;
      for (Index k = 0; k < gamma.size(); ++k, rest /= side)
        gamma(k) = static_cast<double>(rest % side) - 0.5 * static_cast<double>(side - 1);
      if (const auto u = slowest_velocity(problem, normals, gamma)) list.push_back(*u);
    }
  }
  std::mt19937_64 engine(11);
  const Mat motions = problem.free_motions();
  while (list.size() < count) list.push_back(problem.from_white(random_velocity(problem, motions, engine)));
  return list;
}

bool is_projection(const LawChoice& law, const ImpactProblem& problem) {
  const ContactIsland all = all_contacts(problem);
  if (all.frictional > 0) return false;
  const LawForm form = form_of(law);
  if (form == LawForm::inelastic || form == LawForm::moreau) return true;
  return form == LawForm::newton && all.coefficients_equal() && all.coefficients_within(0, 1);
}

Certificate map_certificate(const LawChoice& law, const char* name, const char* statement) {
  return {
      .name = name, .source = "Winandy & Leine 2016, sects. 2 and 6", .statement = statement, .forms = {form_of(law)}};
}

constexpr const char* projection_reason =
    "proven: without friction and with one ε it is (1+ε)prox_T − ε, a mean of a projection and its reflection";

void add_pair(const ImpactProblem& problem, const Stretch& stretch, Certificate& certificate) {
  certificate.velocity = problem.from_white(stretch.a);
  certificate.velocities = {*certificate.velocity, problem.from_white(stretch.b)};
}

// The sum of a cycle as the law answers it; none if that does not gain.
Cycle confirmed(const LawTrial& trial, const ImpactProblem& problem, Cycle cycle) {
  Cycle none;
  none.tried = cycle.tried;
  std::vector<Vec> x, y;
  for (const Vec& u : cycle.u_minus) {
    const std::optional<Vec> after = trial.after(u);
    if (!after) return none;
    x.push_back(problem.to_white(0.5 * (*after + u)));
    y.push_back(problem.to_white(u - *after));
  }
  cycle.sum = 0;
  for (std::size_t k = 0; k < x.size(); ++k) cycle.sum += y[k].dot(x[(k + 1) % x.size()] - x[k]);
  return cycle.sum > 0 ? cycle : none;
}

}  // namespace

Cycle gaining_cycle(const LawChoice& law, const ImpactProblem& problem) {
  const LawTrial trial(law, problem);
  std::vector<Vec> u, x, y;
  double energy = 0;
  for (const Vec& u_minus : samples(problem, most_cycle_samples)) {
    if (trial.units() >= most_units_of_search) break;
    const std::optional<Vec> after = trial.after(u_minus, Solutions::one);
    if (!after) continue;
    u.push_back(u_minus);
    x.push_back(problem.to_white(0.5 * (*after + u_minus)));
    y.push_back(problem.to_white(u_minus - *after));
    energy = std::max(energy, problem.kinetic_energy(u_minus));
  }
  const std::size_t n = u.size();
  Cycle none;
  none.tried = n;
  Mat longest(n, n);
  std::vector<std::vector<std::size_t>> next(n, std::vector<std::size_t>(n));
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      longest(static_cast<Index>(i), static_cast<Index>(j)) = y[i].dot(x[j] - x[i]);
      next[i][j] = j;
    }
  }
  // Until the first cycle that gains: beyond it paths would go round and round.
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        const double through = longest(static_cast<Index>(i), static_cast<Index>(k)) +
                               longest(static_cast<Index>(k), static_cast<Index>(j));
        double& direct = longest(static_cast<Index>(i), static_cast<Index>(j));
        if (!(through > direct + 1e-14 * energy)) continue;
        direct = through;
        next[i][j] = next[i][k];
        if (i != j || !(direct > cycle_tolerance * energy)) continue;
        Cycle cycle = none;
        std::size_t at = i;
        do {
          cycle.u_minus.push_back(u[at]);
          const std::size_t to = next[at][i];
          cycle.sum += y[at].dot(x[to] - x[at]);
          at = to;
        } while (at != i && cycle.u_minus.size() <= n);
        return confirmed(trial, problem, std::move(cycle));
      }
    }
  }
  return none;
}

std::vector<Certificate> map_certificates(const LawChoice& law, const ImpactProblem& problem) {
  Certificate continuous = map_certificate(law, "continuous map", "u⁺ depends continuously on u⁻");
  Certificate nonexpansive = map_certificate(
      law, "non-expansive map", "|Δu⁺| ≤ |Δu⁻| in the kinetic metric, so that −Λ ∈ H(γ̄) is maximal monotone");
  Certificate cyclic = map_certificate(law, "cyclically monotone",
                                       "Σ yᵢ·(xᵢ₊₁ − xᵢ) ≤ 0 over all cycles: the law has a dissipation function");
  if (is_projection(law, problem)) {
    return {continuous.judged(true, projection_reason), nonexpansive.judged(true, projection_reason),
            cyclic.judged(true, "proven: a projection is a gradient")};
  }
  if (problem.free_motions().cols() > most_motions) {
    const std::string reason = fmt::format("not searched: more than {} motions", most_motions);
    return {continuous.not_applicable(reason), nonexpansive.not_applicable(reason), cyclic.not_applicable(reason)};
  }
  const auto [worst, count] = search_stretch(law, problem);
  const bool jumps = worst.apart > still_apart;
  continuous.with(at_most("jump of u⁺, relative", worst.apart, still_apart));
  if (jumps) add_pair(problem, worst, continuous);
  nonexpansive.with(at_most("largest |Δu⁺|/|Δu⁻| found", jumps ? HUGE_VAL : worst.ratio, stretched));
  if (worst.ratio > stretched) add_pair(problem, worst, nonexpansive);
  const Cycle cycle = gaining_cycle(law, problem);
  cyclic.with(at_most("largest sum of a cycle, J", cycle.sum, 0));
  cyclic.with(plain("velocities in it", static_cast<double>(cycle.u_minus.size())));
  if (!cycle.u_minus.empty()) cyclic.velocity = cycle.u_minus.front();
  cyclic.velocities = cycle.u_minus;
  const std::string none_on_segments = fmt::format(
      "no counterexample on {} segments between random velocities, each halved {} times", count, segment_halvings);
  return {
      continuous.tried(jumps, jumps ? "u⁺ jumps between two neighbouring velocities" : none_on_segments),
      nonexpansive.tried(worst.ratio > stretched,
                         worst.ratio > stretched ? "two velocities are driven apart" : none_on_segments),
      cyclic.tried(cycle.sum > 0,
                   cycle.sum > 0 ? fmt::format("a cycle of {} velocities gains", cycle.u_minus.size())
                                 : fmt::format("no counterexample among the cycles of {} velocities", cycle.tried))};
}

}  // namespace carom

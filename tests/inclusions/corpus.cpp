#include "tests/inclusions/corpus.h"

#include <spdlog/fmt/fmt.h>

#include <cmath>
#include <fstream>
#include <ostream>
#include <sstream>
#include <stdexcept>

#include "solvers/inclusion/all/all.h"
#include "solvers/inclusion/list.h"

namespace carom::testing {

namespace {

using Shape = ForceSet::Shape;
using Status = InclusionOutcome::Status;

constexpr double few_combinations = 300;  // of which all solutions are listed

std::string word_of(Status status) {
  return status == Status::solved ? "solved" : status == Status::unsuited ? "unsuited" : "unsolved";
}

class Reader {
 public:
  explicit Reader(const std::string& file) : file_(file), in_(file) {
    if (!in_) throw std::runtime_error("cannot read " + file);
  }

  Corpus read() {
    std::string line;
    while (std::getline(in_, line)) {
      ++number_;
      if (line.empty() || line[0] == '#') continue;
      std::istringstream words(line);
      std::string key;
      words >> key;
      read_line(key, words);
    }
    for (const auto& known : corpus_) {
      const Index rows = known->G.size();
      if (known->inclusion.c.size() != rows || known->inclusion.r.size() != rows) fail("rows of " + known->name);
    }
    return std::move(corpus_);
  }

 private:
  void read_line(const std::string& key, std::istringstream& words) {
    if (key == "inclusion") {
      corpus_.push_back(std::make_unique<KnownInclusion>());
      words >> corpus_.back()->name;
      corpus_.back()->inclusion.G = &corpus_.back()->G;
      return;
    }
    if (corpus_.empty()) fail(key);
    KnownInclusion& known = *corpus_.back();
    if (key == "G") return read_entries(words, known.G);
    if (key == "white") return read_directions(words, known.G);
    if (key == "c") return read_numbers(words, known.inclusion.c);
    if (key == "r") return read_numbers(words, known.inclusion.r);
    if (key == "start") {
      read_numbers(words, known.start);
      known.demand.start = &known.start;
      return;
    }
    if (key == "demand") return read_demand(words, known.demand);
    if (key == "answer") return read_answer(words, known.answer);
    if (key == "solution") return read_numbers(words, known.answer.velocities.emplace_back());
    known.inclusion.sets.push_back(read_set(key, words));
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw std::runtime_error(fmt::format("{}:{}: '{}' is not understood", file_, number_, what));
  }

  double number(std::istream& words) const {
    std::string word;
    words >> word;
    char* end = nullptr;
    const double value = std::strtod(word.c_str(), &end);
    if (word.empty() || *end != '\0') fail(word);
    return value;
  }
  Index index(std::istream& words) const { return static_cast<Index>(number(words)); }

  void read_numbers(std::istream& words, Vec& v) const {
    std::vector<double> values;
    while (words >> std::ws && words.peek() != EOF) values.push_back(number(words));
    v = Eigen::Map<const Vec>(values.data(), static_cast<Index>(values.size()));
  }

  std::istringstream next_line() {
    std::string line;
    std::getline(in_, line);
    ++number_;
    return std::istringstream(line);
  }

  void read_entries(std::istream& words, Delassus& G) {
    const Index n = index(words);
    Mat entries(n, n);
    for (Index i = 0; i < n; ++i) {
      std::istringstream line = next_line();
      for (Index j = 0; j <= i; ++j) entries(i, j) = entries(j, i) = number(line);
    }
    G.set_matrix(entries);
  }

  void read_directions(std::istream& words, Delassus& G) {
    const Index n = index(words), coordinates = index(words);
    Rows W;
    for (Index i = 0; i < n; ++i) {
      std::istringstream line = next_line();
      W.open_row();
      while (line >> std::ws && line.peek() != EOF) {
        const Index column = index(line);
        W.add(column, number(line));
      }
    }
    MassMatrix identity = MassMatrix::diagonal(Vec::Ones(coordinates));
    identity.factor();
    G.rebuild(W, identity);
  }

  ForceSet read_set(const std::string& key, std::istream& words) const {
    ForceSet set;
    set.shape = key == "unilateral"  ? Shape::unilateral
                : key == "bilateral" ? Shape::bilateral
                : key == "line"      ? Shape::line
                                     : Shape::ellipse;
    if (set.shape == Shape::ellipse && key != "ellipse") fail(key);
    set.row = index(words);
    if (!set.is_friction()) return set;
    set.normal_row = index(words);
    set.friction(0) = number(words);
    if (set.shape == Shape::ellipse) set.friction(1) = number(words);
    set.offset = number(words);
    return set;
  }

  void read_demand(std::istream& words, Demand& demand) const {
    demand.tolerance = number(words);
    demand.wanted_part = number(words);
    std::string wanted;
    words >> wanted;
    if (wanted != "one" && wanted != "all") fail(wanted);
    demand.every = wanted == "all";
  }

  void read_answer(std::istream& words, Answer& answer) const {
    std::string status, completeness;
    words >> status;
    answer.residual = number(words);
    words >> completeness;
    if (status != "solved" && status != "unsolved" && status != "unsuited") fail(status);
    answer.status = status == "solved" ? Status::solved : status == "unsolved" ? Status::unsolved : Status::unsuited;
    answer.is_complete = completeness == "complete";
  }

  std::string file_;
  std::ifstream in_;
  int number_ = 0;
  Corpus corpus_;
};

void write_numbers(const char* key, const Vec& v, std::ostream& out) {
  out << key;
  for (const double x : v) out << fmt::format(" {}", x);
  out << '\n';
}

void write_operator(const Delassus& G, std::ostream& out) {
  if (!G.has_white_rows()) {
    out << "G " << G.size() << '\n';
    for (Index i = 0; i < G.size(); ++i)
      for (Index j = 0; j <= i; ++j) out << fmt::format("{}{}", G(i, j), j < i ? ' ' : '\n');
    return;
  }
  out << "white " << G.size() << ' ' << G.white_size() << '\n';
  for (Index i = 0; i < G.size(); ++i) {
    for (const Rows::Entry& entry : G.white_rows()[i]) out << fmt::format("{} {} ", entry.column, entry.value);
    out << '\n';
  }
}

void write_set(const ForceSet& set, std::ostream& out) {
  constexpr const char* words[] = {"unilateral", "line", "ellipse", "bilateral"};
  out << words[static_cast<int>(set.shape)] << ' ' << set.row;
  if (set.is_friction()) out << fmt::format(" {} {}", set.normal_row, set.friction(0));
  if (set.shape == Shape::ellipse) out << fmt::format(" {}", set.friction(1));
  if (set.is_friction()) out << fmt::format(" {}", set.offset);
  out << '\n';
}

}  // namespace

Corpus read_corpus(const std::string& file) { return Reader(file).read(); }

void write_inclusion(const KnownInclusion& known, std::ostream& out) {
  out << "inclusion " << known.name << '\n';
  write_operator(*known.inclusion.G, out);
  write_numbers("c", known.inclusion.c, out);
  write_numbers("r", known.inclusion.r, out);
  for (const ForceSet& set : known.inclusion.sets) write_set(set, out);
  if (known.demand.has_start(known.inclusion)) write_numbers("start", *known.demand.start, out);
  const Demand& demand = known.demand;
  out << fmt::format("demand {} {} {}\n", demand.tolerance, demand.wanted_part, demand.every ? "all" : "one");
  out << fmt::format("answer {} {:.3g} {}\n", word_of(known.answer.status), known.answer.residual,
                     known.answer.is_complete ? "complete" : "open");
  for (const Vec& xi : known.answer.velocities) {
    out << "solution";
    for (const double x : xi) out << fmt::format(" {:.12g}", x);
    out << '\n';
  }
  out << '\n';
}

Answer answer_to(const KnownInclusion& known) {
  const auto solver = find_solver("auto")->make();
  const InclusionOutcome outcome = solver->solve(known.inclusion, known.demand);
  Answer answer;
  answer.status = outcome.status;
  if (outcome.nearest) answer.residual = outcome.nearest->residual;
  for (const InclusionSolution& solution : outcome.solutions)
    answer.residual = std::max(answer.residual, solution.residual);
  if (known.inclusion.c.size() > Delassus::largest_dense || combinations(known.inclusion) > few_combinations)
    return answer;
  const InclusionOutcome all = solver->solve(known.inclusion);
  answer.is_complete = all.exhaustive;
  if (!all.exhaustive) return answer;
  for (const InclusionSolution& solution : all.solutions) answer.velocities.push_back(solution.xi);
  return answer;
}

}  // namespace carom::testing

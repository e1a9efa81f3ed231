#include "config/sweep_file.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numbers>
#include <numeric>
#include <optional>
#include <set>

#include "config/file_kind.h"
#include "config/impact_file.h"
#include "config/random_draw.h"
#include "config/scene.h"
#include "config/spec_reader.h"
#include "config/sweep_axis.h"
#include "engine/grid.h"
#include "models/expression.h"

namespace carom {

namespace {

constexpr double degree = std::numbers::pi / 180;

// What a law thinks of a problem is for the points.
void read_scene_or_problem(const Document& document, bool raw) {
  if (raw) {
    read_impact_file(document, {"all"});
  } else {
    read_scene(document);
  }
}

// Whether a document says something at a path; also where that leads through a list.
bool has_value(Node node, std::string path) {
  while (!path.empty()) {
    if (node.is_list()) return true;
    const std::size_t dot = path.find('.');
    const auto below = node.is_map() ? MapReader(node).get(path.substr(0, dot)) : std::nullopt;
    if (!below) return false;
    node = *below;
    path = dot == std::string::npos ? "" : path.substr(dot + 1);
  }
  return true;
}

// Mistakes call an entry of a list [i], paths of a sweep .i.
bool is_within(std::string path, const std::string& whole) {
  std::erase(path, ']');
  std::replace(path.begin(), path.end(), '[', '.');
  return path == whole || path.starts_with(whole + ".");
}

class SweepReader {
 public:
  SweepReader(const Document& document, const std::string& path)
      : diagnostics_(document.diagnostics()), root_(document.root(), sweep_schema()[0]), sweep_{.scene = document} {
    sweep_.file = path;
    sweep_.name = std::filesystem::path(path).stem().string();
    sweep_.yaml = document.yaml();
  }

  SweepFile read() {
    if (root_.has("sweep")) sweep_.name = root_.get("sweep")->name().value_or(sweep_.name);
    if (root_.has("about")) sweep_.about = root_.word("about").value_or("");
    read_scene_part();
    read_mode();
    read_axes();
    read_derived();
    check_use();
    if (const auto measures = root_.get("measures")) sweep_.measures = read_measures(*measures);
    check_measures();
    root_.finish();
    if (!diagnostics_.ok()) tell_with_scene();
    sweep_.diagnostics = diagnostics_;
    return std::move(sweep_);
  }

 private:
  void read_scene_part() {
    const auto node = root_.get("scene");
    if (!node) return;
    try {
      if (node->is_map()) {
        sweep_.scene = Document::from_node(*node, sweep_.file);
      } else {
        const auto word = node->word();
        if (!word) return;
        const std::filesystem::path file = std::filesystem::path(sweep_.file).parent_path() / *word;
        sweep_.scene = Document::from_file(file.lexically_normal().string());
      }
      if (const std::string other = other_kind(sweep_.scene, FileKind::scene);
          kind_of_file(sweep_.scene) == FileKind::sweep)
        return node->error(other);
      has_scene_ = true;
      sweep_.raw = !is_scene(sweep_.scene);
    } catch (const BadInput& e) {
      node->error(e.what());
      return;
    }
    const auto settings = root_.get("set");
    if (!settings) return;
    for (const auto& [path, value] : settings->entries()) put(path, DocumentValue(value), value);
  }

  // The scene may have mistakes of its own. It is looked at with the first value of every axis that could be read;
  // where another puts one that the scene lacks, any number stands for it.
  [[noreturn]] void tell_with_scene() {
    const std::string of_scene = has_scene_ ? mistakes_of_scene() : "";
    const std::string of_sweep = complaint_of([&] { diagnostics_.throw_if_bad(); });
    throw BadInput(of_sweep + (of_scene.empty() ? "" : "\n" + of_scene));
  }

  std::string mistakes_of_scene() {
    Document scene = sweep_.scene.copy();
    for (const FirstValue& put : first_values_) {
      if (!put.value && has_value(scene.root(), put.path)) continue;
      const auto refused = complaint_of([&] { scene.set(put.path, put.value.value_or(DocumentValue(1)), "vary"); });
      if (!refused.empty()) diagnostics_.error(put.place, put.key, refused);
    }
    const std::string complaint = complaint_of([&] { read_scene_or_problem(scene, sweep_.raw); });
    if (scene.diagnostics().ok()) return complaint;
    // What the scene says where the sweep puts values does not count.
    scene.diagnostics().leave_out([&](const Mistake& mistake) {
      return std::any_of(first_values_.begin(), first_values_.end(),
                         [&](const FirstValue& put) { return is_within(mistake.path, put.path); });
    });
    return complaint_of([&] { scene.diagnostics().throw_if_bad(); });
  }

  void keep_first_values(const std::string& name, const Node& node, const std::optional<AxisDraft>& draft) {
    std::vector<std::string> paths;
    const auto given = node.is_map() ? MapReader(node).get("path") : std::nullopt;
    if (draft) {
      paths = draft->axis.paths;
    } else if (given) {
      for (const Node& item : given->is_list() ? given->items() : std::vector<Node>{*given})
        if (item.is_scalar()) paths.push_back(item.text());
    } else {
      paths = {name};
    }
    const bool is_known = draft && draft->axis.size() > 0;
    for (const std::string& path : paths)
      first_values_.push_back(
          {path, "vary." + name, node.place(), is_known ? std::optional(draft->axis.value(0)) : std::nullopt});
  }

  void put(const std::string& path, const DocumentValue& value, const Node& at) {
    try {
      sweep_.scene.set(path, value, "set");
    } catch (const BadInput& e) {
      at.error(e.what());
    }
  }

  void read_mode() {
    const std::string mode = root_.has("mode") ? root_.word("mode").value_or("grid") : "grid";
    sweep_.mode = mode == "zip" ? SweepMode::zip : mode == "sampled" ? SweepMode::sampled : SweepMode::grid;
    const auto samples = root_.integer("samples");
    if (sweep_.mode == SweepMode::sampled) {
      if (!root_.has("samples")) root_.need({"samples"}, "mode sampled needs 'samples', the number of points");
      samples_ = samples;
    } else if (const auto node = root_.get("samples")) {
      node->error(fmt::format("belongs to mode sampled, not to {}", mode));
    }
    seed_ = static_cast<std::uint64_t>(root_.integer("seed").value_or(0));
  }

  void read_axes() {
    const auto node = root_.get("vary");
    if (!node) return;
    const auto entries = node->entries();
    if (node->is_map() && entries.empty()) node->error("nothing varies; name a value of the scene and give it a list");
    std::vector<AxisDraft> drafts;
    const std::size_t mistakes = diagnostics_.error_count();
    for (const auto& [name, value] : entries) {
      const auto draft = read_axis(name, value);
      names_.push_back(
          {name, value.place(), !draft || draft->axis.choices.empty(), !draft || !draft->axis.paths.empty()});
      keep_first_values(name, value, draft);
      if (draft) check_put_once(*draft, value);
      if (draft) drafts.push_back(*draft);
    }
    const bool all_read = diagnostics_.error_count() == mistakes;
    if (sweep_.mode == SweepMode::grid) fill_grid(drafts);
    if (sweep_.mode == SweepMode::zip) fill_zip(drafts, *node, all_read);
    if (sweep_.mode == SweepMode::sampled) fill_sampled(drafts);
    if (diagnostics_.error_count() > mistakes || drafts.empty()) return;
    for (AxisDraft& draft : drafts) sweep_.axes.push_back(std::move(draft.axis));
    double points = 1;
    for (const std::size_t extent : sweep_.shape()) points *= static_cast<double>(extent);
    if (points > most_sweep_points)
      node->error(fmt::format("makes {:.3g} points; a sweep has at most {:g}", points, most_sweep_points));
  }

  void check_put_once(const AxisDraft& draft, const Node& node) {
    for (const std::string& path : draft.axis.paths)
      if (!paths_.insert(path).second) node.error(fmt::format("'{}' is varied twice; leave one of them out", path));
  }

  void error_at(const AxisDraft& draft, const std::string& message) {
    diagnostics_.error(draft.axis.place, "vary." + draft.axis.name, message);
  }

  void draw(AxisDraft& draft, std::size_t count) const {
    const RandomStream stream(seed_, draft.axis.name);
    for (std::size_t i = 0; i < count; ++i) draft.axis.numbers.push_back((*draft.draws)(stream, i));
  }

  void fill_grid(std::vector<AxisDraft>& drafts) {
    for (AxisDraft& draft : drafts) {
      if (!draft.draws) continue;
      if (!draft.count) {
        error_at(draft, "draws along an axis of a grid need a count (or mode: sampled)");
      } else {
        draw(draft, static_cast<std::size_t>(*draft.count));
      }
    }
  }

  void fill_zip(std::vector<AxisDraft>& drafts, const Node& node, bool all_read) {
    std::optional<std::size_t> length;
    std::string of;
    for (const AxisDraft& draft : drafts) {
      const std::size_t size = draft.count ? static_cast<std::size_t>(*draft.count) : draft.axis.size();
      if (draft.draws && !draft.count) continue;
      if (length && *length != size)
        error_at(draft, fmt::format("has {} values, but '{}' has {}: mode zip takes one of each", size, of, *length));
      if (!length) of = draft.axis.name;
      length = length.value_or(size);
    }
    if (!length && all_read && !drafts.empty()) node.error("how many points? Random draws need a count in mode zip");
    if (!length) return;
    for (AxisDraft& draft : drafts) {
      if (draft.draws) draw(draft, *length);
    }
  }

  void fill_sampled(std::vector<AxisDraft>& drafts) {
    const std::size_t mistakes = diagnostics_.error_count();
    for (AxisDraft& draft : drafts) {
      if (draft.is_range)
        error_at(draft, "a range is not drawn from: write uniform: [from, to] (or log-uniform) in mode sampled");
      if (draft.count) error_at(draft, "mode sampled draws 'samples' values; leave 'count' out");
    }
    if (diagnostics_.error_count() > mistakes || !samples_) return;
    const auto samples = static_cast<std::size_t>(*samples_);
    for (AxisDraft& draft : drafts) {
      if (draft.draws) {
        draw(draft, samples);
      } else {
        pick(draft.axis, samples);
      }
    }
  }

  // Of a list, every value with the same chance.
  void pick(VariedAxis& axis, std::size_t count) const {
    const RandomStream stream(seed_, axis.name);
    VariedAxis picked = axis;
    picked.numbers.clear();
    picked.choices.clear();
    for (std::size_t i = 0; i < count; ++i) {
      const auto k = static_cast<std::size_t>(stream.uniform(i) * static_cast<double>(axis.size()));
      if (axis.choices.empty()) {
        picked.numbers.push_back(axis.numbers[k]);
      } else {
        picked.choices.push_back(axis.choices[k]);
      }
    }
    axis = std::move(picked);
  }

  void read_derived() {
    const auto node = root_.get("derived");
    if (!node) return;
    for (const auto& [path, value] : node->entries()) {
      const auto text = value.word();
      if (!text) continue;
      if (!paths_.insert(path).second) value.error(fmt::format("'{}' varies already; leave one of them out", path));
      sweep_.derived.push_back({path, *text, value.place()});
      first_values_.push_back({path, "derived." + path, value.place(), std::nullopt});
      check_derived(*text, value);
    }
  }

  void check_derived(const std::string& text, const Node& node) {
    try {
      std::string rest = text;
      for (const NameOfAxis& axis : names_) {
        const std::string mark = "{" + axis.name + "}";
        for (std::size_t at = rest.find(mark); at != std::string::npos; at = rest.find(mark)) {
          if (!axis.is_number) return node.error(fmt::format("'{}' is no number", axis.name));
          rest.replace(at, mark.size(), "(1)");
        }
      }
      if (const std::size_t open = rest.find('{'); open != std::string::npos) {
        const std::size_t close = rest.find('}', open);
        if (close == std::string::npos)
          return node.error(fmt::format("'{}': '{{' without '}}'; an axis is written {{name}}", text));
        return node.error(unknown_name(rest.substr(open + 1, close - open - 1)));
      }
      if (!Expression(rest).is_constant()) node.error("depends on t; there is no time here");
    } catch (const std::invalid_argument& e) {
      node.error(fmt::format("'{}' is no expression: {}", text, e.what()));
    }
  }

  void check_use() {
    for (const NameOfAxis& axis : names_) {
      const auto uses = [&](const DerivedValue& value) {
        return value.expression.find("{" + axis.name + "}") != std::string::npos;
      };
      if (!axis.has_path && std::none_of(sweep_.derived.begin(), sweep_.derived.end(), uses))
        diagnostics_.error(axis.place, "vary." + axis.name, "has no path, and nothing under 'derived' uses it");
    }
  }

  std::string unknown_name(const std::string& name) const {
    std::vector<std::string> names;
    for (const NameOfAxis& axis : names_) names.push_back(axis.name);
    return fmt::format("no axis is called '{}'{}; there are {}", name, suggestion(name, names), fmt::join(names, ", "));
  }

  void check_measures() {
    if (!has_scene_ || !sweep_.raw) return;
    for (const MeasureChoice& choice : sweep_.measures) {
      if (choice.spec->of_run || choice.spec->kind == MeasureKind::impact_time)
        diagnostics_.error(choice.place, choice.path,
                           fmt::format("'{}' is of a motion; a raw impact problem is one impact", choice.spec->name));
    }
  }

  // Of every axis, also of one with mistakes, of which nothing else is said then.
  struct NameOfAxis {
    std::string name;
    Place place;
    bool is_number, has_path;
  };

  struct FirstValue {
    std::string path;  // in the scene
    std::string key;   // in the sweep
    Place place;
    std::optional<DocumentValue> value;  // if it is known before anything is drawn or derived
  };

  Diagnostics& diagnostics_;
  SpecReader root_;
  SweepFile sweep_;
  std::vector<FirstValue> first_values_;
  bool has_scene_ = false;
  std::optional<Index> samples_;
  std::uint64_t seed_ = 0;
  std::vector<NameOfAxis> names_;
  std::set<std::string> paths_;
};

}  // namespace

const char* name_of(SweepMode mode) {
  switch (mode) {
    case SweepMode::grid:
      return "grid";
    case SweepMode::zip:
      return "zip";
    case SweepMode::sampled:
      break;
  }
  return "sampled";
}

DocumentValue VariedAxis::value(std::size_t i) const {
  if (!choices.empty()) return choices[i];
  return DocumentValue(numbers[i] * (in_degrees ? degree : 1.0));
}

std::vector<std::size_t> SweepFile::shape() const {
  if (mode != SweepMode::grid) return {axes.front().size()};
  std::vector<std::size_t> extents;
  for (const VariedAxis& axis : axes) extents.push_back(axis.size());
  return extents;
}

std::size_t SweepFile::point_count() const {
  const std::vector<std::size_t> extents = shape();
  return std::accumulate(extents.begin(), extents.end(), std::size_t{1}, std::multiplies<>());
}

namespace {

DocumentValue value_at(const SweepFile& sweep, std::size_t axis, std::size_t point) {
  return sweep.axes[axis].value(sweep.mode == SweepMode::grid ? grid_position(sweep.shape(), axis, point) : point);
}

}  // namespace

void SweepFile::set_point(std::size_t point, Document& copy) const {
  for (std::size_t k = 0; k < axes.size(); ++k)
    for (const std::string& path : axes[k].paths) copy.set(path, value_at(*this, k, point), "vary");
  for (const DerivedValue& derivation : derived) set_derived(derivation, point, copy);
}

void SweepFile::set_derived(const DerivedValue& derivation, std::size_t point, Document& copy) const {
  std::string text = derivation.expression;
  for (std::size_t k = 0; k < axes.size(); ++k) {
    const std::string mark = "{" + axes[k].name + "}";
    for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at))
      text.replace(at, mark.size(), "(" + value_at(*this, k, point).text() + ")");
  }
  const double value = Expression(text)(0).value;
  if (!std::isfinite(value))
    throw BadInput(fmt::format("derived {}: {} is not a finite number", derivation.path, text));
  copy.set(derivation.path, DocumentValue(value), "derived");
}

namespace {

SweepFile read_sweep(const Document& document) {
  require_kind(document, FileKind::sweep);
  return SweepReader(document, document.diagnostics().file()).read();
}

}  // namespace

SweepFile read_sweep_file(const std::string& path, const std::vector<Setting>& overrides) {
  return read_sweep(Document::from_file(path, overrides));
}

SweepFile read_sweep_text(const std::string& text, const std::string& name) {
  return read_sweep(Document::from_text(text, name));
}

}  // namespace carom

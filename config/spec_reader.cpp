#include "config/spec_reader.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace carom {

namespace {

// The form of this kind, by itself or among alternatives.
const ValueForm& form_of(const KeySpec& spec, ValueForm::Kind kind) {
  if (spec.form.kind == kind) return spec.form;
  for (const ValueForm& form : spec.form.forms) {
    if (form.kind == kind) return form;
  }
  throw std::logic_error("key '" + spec.name + "' is read in a form that the schema does not give it");
}

// "shape" of bodies.ball.shape; "value" where the path ends in a number or a name of the user's.
std::string last_key(const std::string& path) {
  const std::string key = path.substr(path.rfind('.') + 1);
  const bool is_word =
      !key.empty() && std::all_of(key.begin(), key.end(), [](char c) { return std::islower(c) || c == '_'; });
  return is_word ? key : "value";
}

bool is_one_of(const Node& node, const std::string& word, const std::vector<std::string>& words) {
  if (words.empty() || std::find(words.begin(), words.end(), word) != words.end()) return true;
  node.error(fmt::format("unknown {} '{}'{}; choose from {}", last_key(node.path()), word, suggestion(word, words),
                         fmt::join(words, ", ")));
  return false;
}

std::string with_article(const std::string& kind) {
  return (std::string("aeiou").find(kind.front()) != std::string::npos ? "an " : "a ") + kind;
}

}  // namespace

std::optional<double> read_number(const Node& node, const ValueForm& form) {
  const auto value = read_quantity(node, form.angle ? Unit::angle : Unit::plain);
  if (!value || form.contains(*value)) return value;
  node.error(fmt::format("must be {}, but is {:g}", form.range_text(), *value));
  return std::nullopt;
}

std::optional<Index> read_integer(const Node& node, const ValueForm& form) {
  const auto value = read_number(node, form);
  if (!value) return std::nullopt;
  if (*value != std::floor(*value)) {
    node.error(fmt::format("must be a whole number, but is {:g}", *value));
    return std::nullopt;
  }
  return static_cast<Index>(*value);
}

std::optional<Vec> read_numbers(const Node& node, Index size) {
  return read_numbers(node, size, [](std::size_t) { return Unit::plain; });
}

std::optional<Vec> read_numbers(const Node& node, Index size, const std::function<Unit(std::size_t)>& unit_of_entry) {
  auto values = read_quantities(node, unit_of_entry);
  if (!values || values->size() == size) return values;
  node.error(fmt::format("must have {} numbers, but has {}", size, values->size()));
  return std::nullopt;
}

SpecReader::SpecReader(const Node& node, const MapSpec& spec, const std::optional<Node>& fallback)
    : map_(node), spec_(spec) {
  if (fallback && fallback->is_map()) fallback_.emplace(*fallback);
}

bool SpecReader::has(const std::string& key) const { return map_.has(key) || (fallback_ && fallback_->has(key)); }

std::optional<Node> SpecReader::get(const std::string& key) {
  if (map_.has(key) || !fallback_) return map_.get(key);
  return fallback_->get(key);
}

const KeySpec& SpecReader::key_spec(const std::string& key) const {
  const KeySpec* spec = spec_.find(key);
  if (!spec) throw std::logic_error("the schema of '" + spec_.name + "' has no key '" + key + "'");
  return *spec;
}

std::optional<double> SpecReader::number(const std::string& key) {
  const auto node = get(key);
  return node ? read_number(*node, form_of(key_spec(key), ValueForm::Kind::number)) : std::nullopt;
}

std::optional<Index> SpecReader::integer(const std::string& key) {
  const auto node = get(key);
  return node ? read_integer(*node, form_of(key_spec(key), ValueForm::Kind::integer)) : std::nullopt;
}

std::optional<bool> SpecReader::flag(const std::string& key) {
  const auto node = get(key);
  if (!node) return std::nullopt;
  if (node->is_scalar() && (node->text() == "true" || node->text() == "false")) return node->text() == "true";
  node->error(fmt::format("must be true or false, but is {}",
                          node->is_scalar() ? "'" + node->text() + "'" : std::string(node->form())));
  return std::nullopt;
}

std::optional<std::string> SpecReader::word(const std::string& key) {
  const auto node = get(key);
  const auto value = node ? node->word() : std::nullopt;
  if (!value || !is_one_of(*node, *value, form_of(key_spec(key), ValueForm::Kind::word).words)) return std::nullopt;
  return value;
}

std::optional<std::vector<std::string>> SpecReader::names(const std::string& key) {
  const auto node = get(key);
  const auto list = node ? node->names() : std::nullopt;
  if (!list) return std::nullopt;
  const ValueForm& form = form_of(key_spec(key), ValueForm::Kind::names);
  const auto count = static_cast<int>(list->size());
  if (count < form.least || count > form.most) {
    const std::string needed =
        form.least == form.most ? fmt::format("{}", form.least) : fmt::format("at least {}", form.least);
    node->error(fmt::format("must have {} names, but has {}", needed, count));
    return std::nullopt;
  }
  bool good = true;
  for (const Node& item : node->items()) good = is_one_of(item, item.text(), form.words) && good;
  return good ? list : std::nullopt;
}

std::optional<Vec> SpecReader::numbers(const std::string& key) {
  const auto node = get(key);
  return node ? read_quantities(*node) : std::nullopt;
}

std::optional<Vec> SpecReader::numbers(const std::string& key, Index size) {
  const auto node = get(key);
  return node ? read_numbers(*node, size) : std::nullopt;
}

void SpecReader::only_keys_of(const std::string& kind) {
  for (const KeySpec& key : spec_.keys) {
    if (key.only_for.empty() || !map_.has(key.name)) continue;
    if (std::find(key.only_for.begin(), key.only_for.end(), kind) != key.only_for.end()) continue;
    node().diagnostics().error(
        place_of(key.name), node().path(),
        fmt::format("'{}' is for {}, not for {}", key.name, fmt::join(key.only_for, ", "), with_article(kind)));
  }
}

void SpecReader::finish() {
  for (const KeySpec& key : spec_.keys) {
    if (key.required && !has(key.name)) {
      map_.require(key.name, key.meaning);
    } else {
      map_.allow(key.name);
    }
  }
  map_.finish();
}

}  // namespace carom

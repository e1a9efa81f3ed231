#include "config/spec_reader.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "config/synonyms.h"

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

// As for a misspelt word, and for words that others use: a box is a block.
std::string suggested_word(const std::string& word, const std::vector<std::string>& words) {
  return suggestion(meant_key(word, words), words);
}

bool is_one_of(const Node& node, const std::string& word, const std::vector<std::string>& words) {
  if (words.empty() || std::find(words.begin(), words.end(), word) != words.end()) return true;
  node.error(fmt::format("unknown {} '{}'{}; choose from {}", last_key(node.path()), word, suggested_word(word, words),
                         fmt::join(words, ", ")));
  return false;
}

bool has_count(const Node& node, const char* what, const ValueForm& form) {
  const auto count = static_cast<int>(node.items().size());
  if (count >= form.least && count <= form.most) return true;
  const std::string needed = form.least == form.most       ? fmt::format("{}", form.least)
                             : form.most == form.least + 1 ? fmt::format("{} or {}", form.least, form.most)
                                                           : fmt::format("at least {}", form.least);
  node.error(fmt::format("must have {} {}, but has {}", needed, what, count));
  return false;
}

std::optional<bool> read_flag(const Node& node) {
  if (node.is_scalar() && (node.text() == "true" || node.text() == "false")) return node.text() == "true";
  node.error(fmt::format("must be true or false, but is {}",
                         node.is_scalar() ? "'" + node.text() + "'" : std::string(node.form())));
  return std::nullopt;
}

std::optional<std::vector<std::string>> read_names(const Node& node, const ValueForm& form) {
  const auto list = node.names();
  bool good = node.is_list() && has_count(node, "names", form) && list;
  for (const Node& item : list ? node.items() : std::vector<Node>())
    good = is_one_of(item, item.text(), form.words) && good;
  return good ? list : std::nullopt;
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
  if (!node.is_list() || std::ssize(node.items()) == size) return values;
  node.error(fmt::format("must have {} numbers, but has {}", size, node.items().size()));
  return std::nullopt;
}

namespace {

using Kind = ValueForm::Kind;

bool is_list(const ValueForm& form) {
  return form.kind == Kind::numbers || form.kind == Kind::names || form.kind == Kind::list;
}

bool is_map(const ValueForm& form) { return form.kind == Kind::map || form.kind == Kind::named; }

// The alternative that a list, a map or a single value is meant for.
void check_alternatives(const Node& node, const std::vector<ValueForm>& forms) {
  const auto fits = [&](const ValueForm& form) {
    if (form.kind != Kind::list || !node.is_list() || node.items().empty())
      return node.is_list() == is_list(form) && node.is_map() == is_map(form);
    return node.items().front().is_list() == is_list(form.forms.front());
  };
  const auto meant = std::find_if(forms.begin(), forms.end(), fits);
  check_form(node, meant == forms.end() ? forms.front() : *meant);
}

}  // namespace

void check_form(const Node& node, const ValueForm& form) {
  switch (form.kind) {
    case Kind::number:
      read_number(node, form);
      return;
    case Kind::integer:
      read_integer(node, form);
      return;
    case Kind::flag:
      read_flag(node);
      return;
    case Kind::word:
      if (const auto word = node.word()) is_one_of(node, *word, form.words);
      return;
    case Kind::expression:
      read_expression(node);
      return;
    case Kind::numbers:
      if (node.is_list()) has_count(node, "numbers", form);
      read_quantities(node, form.angle ? Unit::angle : Unit::plain);
      return;
    case Kind::names:
      read_names(node, form);
      return;
    case Kind::map:
      SpecReader(node, map_spec(form.of)).finish();
      return;
    case Kind::list:
      if (node.is_list()) has_count(node, "entries", form);
      for (const Node& item : node.items()) check_form(item, form.forms.front());
      return;
    case Kind::named:
      for (const auto& [name, value] : node.entries()) check_form(value, form.forms.front());
      return;
    case Kind::any_of:
      return check_alternatives(node, form.forms);
    case Kind::any:
    case Kind::law:
    case Kind::model:
      return;
  }
}

SpecReader::SpecReader(const Node& node, const MapSpec& spec, const std::optional<Node>& fallback)
    : map_(node), spec_(spec) {
  if (fallback && fallback->is_map()) fallback_.emplace(*fallback);
}

bool SpecReader::has(const std::string& key) const { return map_.has(key) || (fallback_ && fallback_->has(key)); }

std::optional<Node> SpecReader::get(const std::string& key) {
  read_.insert(key);
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
  return node ? read_flag(*node) : std::nullopt;
}

std::optional<std::string> SpecReader::word(const std::string& key) {
  const auto node = get(key);
  const auto value = node ? node->word() : std::nullopt;
  if (!value || !is_one_of(*node, *value, form_of(key_spec(key), ValueForm::Kind::word).words)) return std::nullopt;
  return value;
}

std::optional<std::vector<std::string>> SpecReader::names(const std::string& key) {
  const auto node = get(key);
  return node ? read_names(*node, form_of(key_spec(key), ValueForm::Kind::names)) : std::nullopt;
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
    read_.insert(key.name);  // what it is does not matter
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
    if (map_.has(key.name) && read_.insert(key.name).second) check_form(*map_.get(key.name), key.form);
  }
  if (!spec_.open) map_.finish();
}

}  // namespace carom

#include "models/closed_form/parameter_values.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <charconv>
#include <numbers>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace carom {

namespace {

// "2" or "[1, 0.5]"; a number may be a fraction, "5/3", or an angle, "20 deg".
std::vector<double> numbers_in(const std::string& text) {
  std::vector<double> numbers;
  const char* at = text.data();
  const char* const end = at + text.size();
  const auto follows = [&](std::string_view word) {
    if (std::string_view(at, static_cast<std::size_t>(end - at)).substr(0, word.size()) != word) return false;
    at += word.size();
    return true;
  };
  const auto number = [&] {
    double value = 0;
    const auto [next, error] = std::from_chars(at, end, value);
    if (error != std::errc()) throw std::logic_error(fmt::format("default '{}' is not a number", text));
    at = next;
    return value;
  };
  while (at != end) {
    if (*at == '[' || *at == ']' || *at == ',' || *at == ' ') {
      ++at;
      continue;
    }
    double value = number();
    if (follows("/")) value /= number();
    if (follows(" deg")) value = value * std::numbers::pi / 180;
    numbers.push_back(value);
  }
  return numbers;
}

}  // namespace

ParameterSpec any_number(std::string name, std::string default_text, std::string meaning) {
  ParameterSpec spec;
  spec.name = std::move(name);
  spec.default_text = std::move(default_text);
  spec.meaning = std::move(meaning);
  return spec;
}

ParameterSpec not_negative(std::string name, std::string default_text, std::string meaning) {
  ParameterSpec spec = any_number(std::move(name), std::move(default_text), std::move(meaning));
  spec.range_text = "at least 0";
  spec.lowest = 0;
  return spec;
}

ParameterSpec positive(std::string name, std::string default_text, std::string meaning) {
  ParameterSpec spec = not_negative(std::move(name), std::move(default_text), std::move(meaning));
  spec.range_text = "above 0";
  spec.lowest_open = true;
  return spec;
}

ParameterSpec whole_number(std::string name, std::string default_text, std::string meaning, double lowest,
                           double highest) {
  ParameterSpec spec = any_number(std::move(name), std::move(default_text), std::move(meaning));
  spec.type = ParameterSpec::Type::integer;
  spec.range_text = fmt::format("{:.0f} .. {:.0f}", lowest, highest);
  spec.lowest = lowest;
  spec.highest = highest;
  return spec;
}

ParameterSpec one_of(std::string name, std::string default_text, std::string meaning, std::vector<std::string> words) {
  ParameterSpec spec = any_number(std::move(name), std::move(default_text), std::move(meaning));
  spec.type = ParameterSpec::Type::word;
  spec.range_text = fmt::format("{}", fmt::join(words, ", "));
  spec.words = std::move(words);
  return spec;
}

ParameterSpec as_angle(ParameterSpec spec, std::size_t from) {
  spec.angles_from = from;
  return spec;
}

ParameterSpec list_of(ParameterSpec spec) {
  spec.type = ParameterSpec::Type::vector;
  return spec;
}

namespace {

ParameterSpecs one_a_contact(ParameterSpecs specs, bool several) {
  if (!several) return specs;
  for (ParameterSpec& spec : specs) {
    spec = list_of(spec);
    spec.meaning += "; one per contact, or one for all";
  }
  return specs;
}

}  // namespace

ParameterSpecs frictionless_parameters(const std::string& restitution, bool several) {
  return one_a_contact({not_negative("restitution", restitution, "coefficient of restitution"),
                        positive("stiffness", "1", "for the compliant law; only ratios matter")},
                       several);
}

ParameterSpecs contact_parameters(const std::string& restitution, const std::string& friction, bool several) {
  return frictionless_parameters(restitution, several) +
         one_a_contact({not_negative("friction", friction, "coefficient of Coulomb friction"),
                        any_number("tangential_restitution", "0", "coefficient of restitution along the tangent")},
                       several);
}

ParameterSpecs operator+(ParameterSpecs first, const ParameterSpecs& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

const ParameterSpec* ParameterValues::find(const std::string& name) const {
  const auto found = std::find_if(specs_.begin(), specs_.end(), [&](const auto& s) { return s.name == name; });
  return found == specs_.end() ? nullptr : &*found;
}

const ParameterSpec& ParameterValues::spec(const std::string& name) const {
  const ParameterSpec* found = find(name);
  if (!found) throw std::logic_error("the model has no parameter " + name);
  return *found;
}

double ParameterValues::checked(const ParameterSpec& spec, double value) const {
  const bool low = spec.lowest_open ? !(value > spec.lowest) : !(value >= spec.lowest);
  if (low || !(value <= spec.highest) || !std::isfinite(value))
    throw std::invalid_argument(fmt::format("{} {:g} is outside its range ({})", spec.name, value,
                                            spec.range_text.empty() ? "finite numbers" : spec.range_text));
  return value;
}

double ParameterValues::number(const std::string& name) const { return list(name, 1)(0); }

Index ParameterValues::whole(const std::string& name) const {
  const double value = number(name);
  if (value != std::floor(value))
    throw std::invalid_argument(fmt::format("{} {:g} is not a whole number", name, value));
  return static_cast<Index>(value);
}

std::string ParameterValues::word(const std::string& name) const {
  const ParameterSpec& of = spec(name);
  const std::string word = given_.get<std::string>(name).value_or(of.default_text);
  if (std::find(of.words.begin(), of.words.end(), word) == of.words.end())
    throw std::invalid_argument(fmt::format("{} '{}' is none of {}", name, word, of.range_text));
  return word;
}

Vec ParameterValues::list(const std::string& name) const {
  const ParameterSpec& of = spec(name);
  Vec values;
  if (!has(name)) {
    const std::vector<double> defaults = numbers_in(of.default_text);
    values = Eigen::Map<const Vec>(defaults.data(), static_cast<Index>(defaults.size()));
  } else if (const auto one = given_.get<double>(name)) {
    values = Vec::Constant(1, *one);
  } else if (const auto several = given_.get<Vec>(name)) {
    values = *several;
  } else {
    throw std::invalid_argument(name + " must be a number or a list of numbers");
  }
  for (double value : values) checked(of, value);
  return values;
}

Vec ParameterValues::list(const std::string& name, Index count) const {
  const Vec values = list(name);
  if (values.size() == count) return values;
  if (values.size() == 1) return Vec::Constant(count, values(0));
  throw std::invalid_argument(count == 1 ? fmt::format("{} must be one number, but has {}", name, values.size())
                                         : fmt::format("{} must have {} entries, or one that holds for all, but has {}",
                                                       name, count, values.size()));
}

std::vector<ContactCoefficients> ParameterValues::coefficients(Index contacts) const {
  const auto entries = [&](const char* name) { return find(name) ? list(name) : Vec(Vec::Zero(1)); };
  const bool alike = entries("restitution").size() == 1 && entries("friction").size() == 1 &&
                     entries("tangential_restitution").size() == 1 && entries("stiffness").size() == 1;
  std::vector<ContactCoefficients> coefficients(static_cast<std::size_t>(alike ? 1 : contacts));
  const auto fill = [&](const char* name, auto set) {
    if (!find(name)) return;
    const Vec values = list(name, static_cast<Index>(coefficients.size()));
    for (Index i = 0; i < values.size(); ++i) set(coefficients[static_cast<std::size_t>(i)], values(i));
  };
  fill("restitution", [](ContactCoefficients& of, double value) { of.restitution = value; });
  fill("friction", [](ContactCoefficients& of, double value) { of.friction.setConstant(value); });
  fill("tangential_restitution", [](ContactCoefficients& of, double value) { of.tangential_restitution = value; });
  fill("stiffness", [](ContactCoefficients& of, double value) { of.stiffness = value; });
  return coefficients;
}

}  // namespace carom

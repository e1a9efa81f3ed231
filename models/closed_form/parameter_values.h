// The parameters of a closed-form model as its file declares and reads them. A default stands once, in the
// specification: what the user does not give is read from the text that the user is shown.

#pragma once

#include <string>
#include <vector>

#include "engine/element.h"
#include "engine/parameters.h"

namespace carom {

using ParameterSpecs = std::vector<ParameterSpec>;

// A number of any sign, ≥ 0, > 0; a whole number in a range; one of some words.
ParameterSpec any_number(std::string name, std::string default_text, std::string meaning);
ParameterSpec not_negative(std::string name, std::string default_text, std::string meaning);
ParameterSpec positive(std::string name, std::string default_text, std::string meaning);
ParameterSpec whole_number(std::string name, std::string default_text, std::string meaning, double lowest,
                           double highest);
ParameterSpec one_of(std::string name, std::string default_text, std::string meaning, std::vector<std::string> words);

// The same as an angle, or the rate of one, that may be given in degrees; of a list the entries from this one on.
ParameterSpec as_angle(ParameterSpec spec, std::size_t from = 0);

// The same as a list; where one number is given it holds for every entry.
ParameterSpec list_of(ParameterSpec spec);

// restitution and stiffness of contacts without a tangent; with friction and tangential_restitution of those that have
// one. As lists in the order of the contacts, one for all, or for one contact as numbers.
ParameterSpecs frictionless_parameters(const std::string& restitution, bool several);
ParameterSpecs contact_parameters(const std::string& restitution, const std::string& friction, bool several);

ParameterSpecs operator+(ParameterSpecs first, const ParameterSpecs& second);

class ParameterValues {
 public:
  ParameterValues(const Parameters& given, const ParameterSpecs& specs) : given_(given), specs_(specs) {}

  // All throw std::invalid_argument with a sentence if a value is outside its range or a list has the wrong length.
  bool has(const std::string& name) const { return given_.has(name); }  // given by the user
  double number(const std::string& name) const;
  Index whole(const std::string& name) const;
  std::string word(const std::string& name) const;
  Vec list(const std::string& name) const;
  Vec list(const std::string& name, Index count) const;  // one entry: for all

  // One for all contacts if no coefficient differs between them, otherwise one a contact.
  std::vector<ContactCoefficients> coefficients(Index contacts) const;

 private:
  const ParameterSpec* find(const std::string& name) const;
  const ParameterSpec& spec(const std::string& name) const;
  double checked(const ParameterSpec& spec, double value) const;

  const Parameters& given_;
  const ParameterSpecs& specs_;
};

}  // namespace carom

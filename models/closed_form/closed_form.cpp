#include "models/closed_form/closed_form.h"

#include <stdexcept>
#include <utility>

namespace carom {

ClosedForm::ClosedForm(std::vector<Coordinate> coordinates, std::vector<std::string> bodies,
                       std::vector<std::string> contacts, std::vector<ContactCoefficients> coefficients)
    : coordinates_(std::move(coordinates)),
      body_names_(std::move(bodies)),
      contact_names_(std::move(contacts)),
      coefficients_(std::move(coefficients)) {
  if (coefficients_.size() != 1 && coefficients_.size() != contact_names_.size())
    throw std::invalid_argument("contact coefficients: one for all or one per contact");
}

std::vector<Coordinate> ClosedForm::velocities() const {
  std::vector<Coordinate> rates = coordinates_;
  for (Coordinate& rate : rates) rate.is_rate = true;
  return rates;
}

std::string ClosedForm::body_of(Index coordinate) const {
  const std::string& name = coordinates_[static_cast<std::size_t>(coordinate)].name;
  return name.substr(0, name.find('.'));
}

bool ClosedForm::open_contact(Contacts& contacts, std::size_t key, double gap) const {
  const ContactCoefficients& coefficients = coefficients_[coefficients_.size() == 1 ? 0 : key];
  const bool friction = coefficients.has_friction();
  contacts.points.push_back({key, &coefficients, gap, contacts.W.count(), friction ? 1 : 0});
  return friction;
}

void ClosedForm::make_diagonal(MassMatrix& M, Index size) {
  if (M.size() != size || M.block_count() != size) M.resize(std::vector<Index>(static_cast<std::size_t>(size), 1));
}

}  // namespace carom

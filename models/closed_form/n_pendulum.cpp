// A pendulum of any number of links. Forces cost O(N), the dense mass matrix O(N²).

#include "models/closed_form/pendulum.h"

namespace carom {

namespace {

const ParameterSpecs& parameters() {
  static const ParameterSpecs specs =
      ParameterSpecs{whole_number("links", "3", "how many", 1, 2000)} + pendulum_parameters({}, true);
  return specs;
}

Model make(const Parameters& given) {
  const ParameterValues values(given, parameters());
  return hang_pendulum(values, values.whole("links"));
}

}  // namespace

ModelEntry n_pendulum_model() {
  return {"n-pendulum",
          "Any number of rods or point masses, each hanging from the one before; the last one's end may meet a floor "
          "or a wall.",
          "link-1.angle, link-2.angle, ..., all from the downward vertical",
          "elementary",
          parameters(),
          make};
}

}  // namespace carom

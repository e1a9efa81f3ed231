#include "tools/penetration_text.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>

namespace carom {

std::string part_text(const Penetration& one) {
  return one.size > 0 ? fmt::format("{:.2g} % of the smaller body", 100 * one.depth / one.size) : "";
}

std::string penetration_line(const std::vector<Penetration>& all, const System& system) {
  const auto deepest =
      std::max_element(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.depth < b.depth; });
  if (deepest == all.end()) return {};
  const std::string part = part_text(*deepest);
  return fmt::format("  overlap  {:.3g} m at most, of {} at t = {:.6g} s{}{}\n", deepest->depth,
                     system.contact_name(deepest->key), deepest->time, part.empty() ? "" : ": ", part);
}

std::string told_of_sinking(const std::vector<Penetration>& all, const System& system, double step) {
  const Penetration* worst = nullptr;
  std::size_t others = 0;
  for (const Penetration& one : all) {
    if (!one.stays_deep(step)) continue;
    if (worst) ++others;
    if (!worst || one.depth / one.size > worst->depth / worst->size) worst = &one;
  }
  if (!worst) return {};
  return fmt::format(
      "the bodies of '{}' were {:.3g} m in each other at t = {:.6g} s, {}, and stayed deep for {:.2g} s{}; if impacts "
      "left it there, an integrator.step of {:.2g} s makes it a hundredth",
      system.contact_name(worst->key), worst->depth, worst->time, part_text(*worst), worst->lasted,
      others == 0   ? ""
      : others == 1 ? ", as did another pair"
                    : fmt::format(", as did {} other pairs", others),
      worst->step_for(step));
}

}  // namespace carom

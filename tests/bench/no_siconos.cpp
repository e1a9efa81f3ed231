#include "tests/bench/siconos.h"

namespace carom::bench {

bool has_siconos() { return false; }
std::unique_ptr<Rival> siconos_ball() { return nullptr; }
std::unique_ptr<Rival> siconos_resting_chain(int) { return nullptr; }
std::unique_ptr<Rival> siconos_struck_chain(int) { return nullptr; }
std::unique_ptr<Rival> siconos_kane() { return nullptr; }
std::unique_ptr<Rival> siconos_pile(const DiskPile&, double) { return nullptr; }
std::unique_ptr<Rival> siconos_multiple_impact(int, double) { return nullptr; }

}  // namespace carom::bench

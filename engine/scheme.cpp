#include "engine/scheme.h"

#include <algorithm>

namespace carom {

#define CAROM_SCHEME(f) SchemeEntry f##_scheme();
#include "engine/schemes.def"
#undef CAROM_SCHEME

const std::vector<SchemeEntry>& schemes() {
#define CAROM_SCHEME(f) f##_scheme(),
  static const std::vector<SchemeEntry> all = {
#include "engine/schemes.def"
  };
#undef CAROM_SCHEME
  return all;
}

const SchemeEntry* find_scheme(const std::string& name) {
  const auto found =
      std::find_if(schemes().begin(), schemes().end(), [&](const SchemeEntry& entry) { return entry.name == name; });
  return found == schemes().end() ? nullptr : &*found;
}

}  // namespace carom

// Along which directions the impulses of a step act: W̃ of its active contacts, then of its clutches, where the step
// will end if nothing stops it. Impacts within the inclusion that turn bodies are taken in the middle of the step.

#pragma once

#include <cstdint>
#include <vector>

#include "engine/contact_finder.h"
#include "engine/step/activation.h"

namespace carom {

struct StepRows {
  Rows W;
  std::vector<ContactRow> of;  // the contacts that are in it
  Index clutch_row = 0;
  std::uint64_t version = 0;     // the same as long as W is, bit by bit
  std::uint64_t of_version = 0;  // the same as long as it has the rows of the same contacts
  std::uint64_t found = 0;       // Place::found() of the contacts whose rows these are, as they are there; or 0
  Vec q;                         // where the step would end, and these are taken; not where directions are fixed
};

inline double value_at(Rows::Row row, Index column) {  // rows do without their zeros
  for (const Rows::Entry& entry : row)
    if (entry.column == column) return entry.value;
  return 0;
}

class Directions {
 public:
  explicit Directions(const StepSetting& setting) : setting_(setting) {}

  void begin(const Contacts& contacts);
  const StepRows& rows() const { return rows_; }
  // Whether these are the rows of the contacts at a place.
  bool are_those_of(const Place& place) const { return setting_.fixed_directions || rows_.found == place.found(); }

  // Where contacts are at the beginning of the step, or at another place.
  const StepRows& collect(const Place& begin, const Contacts& there, const Clutches& clutches, const ActiveSet& active,
                          const Vec& u_begin, const Contacts* middle = nullptr);
  // Where the step will end if it goes on with u. `middle` holds the contacts that turn.
  const StepRows& collect_ahead(const Place& begin, const Clutches& clutches, const ActiveSet& active,
                                const SimulationState& state, const Vec& u, const Contacts* middle);

 private:
  bool has_rows_of(const ActiveSet& active, const Clutches& clutches) const;
  bool has_rows_at(const Contacts& there, const ActiveSet& active);
  bool are_all_named(const ActiveSet& active, const Clutches& clutches) const;
  void append(const ActiveContact& active, const Contacts& own, const Contacts& there, ContactFinder& finder,
              const Vec& u_begin);

  const StepSetting& setting_;
  StepRows rows_;
  Vec displacement_;
  Contacts ahead_;
  ContactFinder finder_, middle_finder_;
};

}  // namespace carom

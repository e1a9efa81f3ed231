// Names of contacts: found ones are called after their bodies, A-B, and nothing else may bear that name.

#include <map>
#include <optional>
#include <stdexcept>
#include <string_view>

#include "models/assembly_contacts.h"

namespace carom {

namespace {

using Numbers = std::map<std::string_view, int>;  // of the bodies that collide

// The ways to read a text as HEAD-TAIL.
template <class Read>
void for_each_split(std::string_view text, const Read& read) {
  for (std::size_t dash = text.find('-'); dash != text.npos; dash = text.find('-', dash + 1))
    read(text.substr(0, dash), text.substr(dash + 1));
}

std::optional<int> number_of(const Numbers& numbers, std::string_view name) {
  const auto at = numbers.find(name);
  return at == numbers.end() ? std::nullopt : std::optional(at->second);
}

std::string quoted(std::string_view name) { return "'" + std::string(name) + "'"; }

}  // namespace

// Whether a contact between i and j can be found and bears the name I-J, in this order.
bool AssemblyContacts::are_found_as(int i, int j, const Bodies& bodies) const {
  return i != j && bodies[i].moves && (i < j || !bodies[j].moves) && collides(i, j, bodies);
}

void AssemblyContacts::check_names(const Bodies& bodies) const {
  Numbers numbers;
  for (const int k : colliders_)
    numbers.emplace(description_.bodies[static_cast<std::size_t>(piece(k).body)].name, piece(k).body);

  for (const NamedPair& pair : named_) {
    for_each_split(pair.description->name, [&](std::string_view head, std::string_view tail) {
      const auto i = number_of(numbers, head), j = number_of(numbers, tail);
      if (i && j && are_found_as(*i, *j, bodies))
        throw std::invalid_argument("contact " + quoted(pair.description->name) +
                                    ": 'collide' finds one of this name, between " + quoted(head) + " and " +
                                    quoted(tail) + "; give this one another");
    });
  }

  // (C-x)-B and C-(x-B) read the same.
  struct Begun {
    std::string_view C;
    int body;  // C-x
  };
  std::multimap<std::string_view, Begun> by_x;
  for (const auto& [name, i] : numbers) {
    for_each_split(name, [&, whole = i](std::string_view C, std::string_view x) {
      if (numbers.contains(C)) by_x.emplace(x, Begun{C, whole});
    });
  }
  if (by_x.empty()) return;
  for (const auto& [name, i] : numbers) {
    for_each_split(name, [&, D = name, d = i](std::string_view x, std::string_view B) {
      const auto b = number_of(numbers, B);
      const auto [first, last] = by_x.equal_range(x);
      for (auto at = first; b && at != last; ++at) {
        const Begun& begun = at->second;
        if (!are_found_as(begun.body, *b, bodies) || !are_found_as(numbers.at(begun.C), d, bodies)) continue;
        throw std::invalid_argument("body " + quoted(D) + ": its contact with " + quoted(begun.C) +
                                    " would bear the name of that between " +
                                    quoted(std::string(begun.C) + "-" + std::string(x)) + " and " + quoted(B) +
                                    "; give one of them another name");
      }
    });
  }
}

}  // namespace carom

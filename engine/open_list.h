// What there is of one kind, by name: carom's own, and what was added to it from outside, by a plug-in or in another
// language.

#pragma once

#include <algorithm>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace carom {

// An entry has a `name`, and lacking(entry) is what it cannot be used without; empty if it has all. An origin is the
// file of a plug-in, or a language.
template <class Entry>
class OpenList {
 public:
  OpenList(std::string kind, std::vector<Entry> own) : kind_(std::move(kind)), entries_(std::move(own)) {}

  const std::vector<Entry>& entries() const { return entries_; }

  const Entry* find(const std::string& name) const {
    const auto at = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& e) { return e.name == name; });
    return at == entries_.end() ? nullptr : &*at;
  }

  // Empty: one of carom's own.
  std::string origin_of(const std::string& name) const {
    const auto at = origins_.find(name);
    return at == origins_.end() ? "" : at->second;
  }

  // std::invalid_argument if it could not be added. A name is taken for everybody but those who added it.
  void check(const Entry& entry, const std::string& origin) const {
    if (!is_name(entry.name))
      throw std::invalid_argument(
          "a " + kind_ + " cannot be called '" + entry.name +
          "': names begin with a letter and go on with letters, digits, '-' and '_', and 'all' means every one");
    const std::string lack = lacking(entry);
    if (!lack.empty()) throw std::invalid_argument("the " + kind_ + " '" + entry.name + "' has no " + lack);
    const std::string there = origin_of(entry.name);
    if (find(entry.name) && (there.empty() || there != origin))
      throw std::invalid_argument("there is a " + kind_ + " '" + entry.name + "' already, " +
                                  (there.empty() ? "one of carom's own" : "from " + there) +
                                  "; this one needs another name");
  }

  // From now on one of the list, in place of what its origin has added under this name before. Not while anything is
  // computed.
  void add(Entry entry, const std::string& origin) {
    check(entry, origin);
    origins_[entry.name] = origin;
    if (const Entry* there = find(entry.name)) {
      entries_[static_cast<std::size_t>(there - entries_.data())] = std::move(entry);
    } else {
      entries_.push_back(std::move(entry));
    }
  }

 private:
  // So that it can stand in a file, in a list and in the name of a file.
  static bool is_name(const std::string& text) {
    const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
    return text != "all" && !text.empty() && is_letter(text.front()) &&
           std::all_of(text.begin(), text.end(),
                       [&](char c) { return is_letter(c) || (c >= '0' && c <= '9') || c == '-' || c == '_'; });
  }

  std::string kind_;
  std::vector<Entry> entries_;
  std::map<std::string, std::string> origins_;  // by name, of those from outside
};

}  // namespace carom

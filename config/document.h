// A YAML file read strictly: what yaml-cpp lets pass (duplicate keys, octal numbers, .nan, a second document,
// alias bombs) is caught here, and every value keeps its place for messages. The rest of carom sees Node, never
// yaml-cpp.

#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "config/diagnostics.h"
#include "engine/linear_algebra.h"

namespace carom {

class Document;

// A value put into a document from outside, as --set does.
struct Setting {
  Setting(std::string text, std::string option);                        // what messages call it, e.g. `--law newton`
  Setting(const std::string& text) : Setting(text, "--set " + text) {}  // NOLINT: short where it is used
  Setting(const char* text) : Setting(std::string(text)) {}             // NOLINT

  std::string path_and_value;  // path=value
  std::string given_as;
};

std::vector<Setting> settings_of(const std::vector<std::string>& texts);

// One value of a document. Reading it in the wrong form records a mistake and returns nothing.
class Node {
 public:
  struct Data;

  bool is_map() const;
  bool is_list() const;
  bool is_scalar() const;
  bool is_null() const;
  bool is_quoted() const;    // a scalar in quotes: a text even if it looks like a number
  const char* form() const;  // "a map", "a list", ...

  Place place() const;
  const std::string& path() const { return path_; }
  const std::string& text() const;  // of a scalar

  std::optional<double> number() const;
  std::optional<std::string> word() const;
  std::optional<std::string> name() const;  // a word on one line
  std::optional<std::vector<std::string>> names() const;
  std::optional<Vec> vector() const;
  std::optional<Mat> matrix() const;                          // list of rows of equal length
  std::vector<Node> items() const;                            // of a list; a mistake if it is none
  std::vector<std::pair<std::string, Node>> entries() const;  // of a map; a mistake if it is none

  void error(const std::string& message) const;
  void warning(const std::string& message) const;
  Diagnostics& diagnostics() const { return *diagnostics_; }

 private:
  friend class Document;
  friend class DocumentValue;
  friend class MapReader;
  Node(std::shared_ptr<const Data> data, std::string path, Diagnostics* diagnostics)
      : data_(std::move(data)), path_(std::move(path)), diagnostics_(diagnostics) {}

  std::shared_ptr<const Data> data_;
  std::string path_;
  Diagnostics* diagnostics_;
};

// Reads the keys of a map and knows which it was asked for: finish() reports the others, and those that are missing. A
// key that is needed and misspelt is one mistake.
class MapReader {
 public:
  explicit MapReader(Node node);

  bool has(const std::string& key) const;
  std::optional<Node> get(const std::string& key);
  std::optional<Node> require(const std::string& key, const std::string& why = "");
  // One of the keys, of which there is none; told at the map, or at the value that needs it.
  void need(std::vector<std::string> keys, const std::string& complaint, const std::optional<Node>& at = std::nullopt);
  void allow(const std::string& key) { known_.push_back(key); }
  void finish();                                   // missing and unknown keys are mistakes, with a suggestion
  bool is_misspelt(const std::string& key) const;  // as finish() has found

  const Node& node() const { return node_; }
  void describe_as(const std::string& path) { node_.path_ = path; }  // in messages, e.g. by name instead of position
  Place place_of(const std::string& key) const;                      // of the key; of the map if it is missing

 private:
  struct Need {
    std::vector<std::string> keys;
    std::string complaint;
    std::optional<Node> at;
  };

  std::string meant_by(std::size_t entry, const std::vector<std::string>& absent)
      const;                                       // which an unknown key may stand for; empty if none
  std::string glued_key(std::size_t entry) const;  // of `key:value` without a blank, which YAML takes for one word
  void refuse_unknown(std::size_t entry, const std::string& meant, bool is_needed) const;

  Node node_;
  std::vector<std::string> known_;
  std::vector<Need> needs_;
  std::vector<std::string> misspelt_;
};

// A value that can be put into a document.
class DocumentValue {
 public:
  explicit DocumentValue(double number);     // to the last bit
  explicit DocumentValue(const Node& node);  // as it stands in another document

  std::string text() const;  // on one line, as YAML writes it

 private:
  friend class Document;
  std::shared_ptr<const Node::Data> data_;
};

class Document {
 public:
  // BadInput if the file cannot be read or is not YAML, or a setting finds no place in it.
  static Document from_file(const std::string& path, const std::vector<Setting>& overrides = {});
  static Document from_text(const std::string& text, const std::string& name,
                            const std::vector<Setting>& overrides = {});
  // A part of another document as one of its own; its places stay those of the file it stands in.
  static Document from_node(const Node& node, const std::string& name);

  // Nothing is shared with the copy, which can so be changed and read in another thread.
  Document copy() const;
  // Puts a value at a path, as --set does, and forgets the mistakes found so far. BadInput if there is no such place;
  // `setter` is who says so.
  void set(const std::string& path, const DocumentValue& value, const std::string& setter);

  Node root() const;
  // The tree after overrides; reading it and writing it again gives the same text. With `scene` as its name if it has
  // none and one is given.
  std::string yaml(const std::string& scene = "") const;
  Diagnostics& diagnostics() const { return *diagnostics_; }

 private:
  Document() = default;
  std::shared_ptr<Diagnostics> diagnostics_;
  std::shared_ptr<Node::Data> root_;
};

}  // namespace carom

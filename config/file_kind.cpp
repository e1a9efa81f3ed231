#include "config/file_kind.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>

#include "config/document_tree.h"

namespace carom {

namespace {

struct KindOfFile {
  FileKind kind;
  const char* name;
  std::vector<const char*> keys;  // any of which tells it
  const char* taken_by;
};

const std::vector<KindOfFile>& kinds() {
  static const std::vector<KindOfFile> list = {
      {FileKind::scene, "a scene", {"bodies", "model"}, "'carom simulate' runs it, a sweep names it under 'scene'"},
      {FileKind::impact, "a raw impact problem", {"impact"}, "'carom impact' resolves it"},
      {FileKind::sweep, "a sweep", {"vary", "measures"}, "'carom sweep' computes it"},
  };
  return list;
}

// The key that tells a kind; null without one.
const char* telling_key(const KindOfFile& kind, const Document& document) {
  const Node root = document.root();
  if (!root.is_map()) return nullptr;
  const MapReader map(root);
  const auto found = std::find_if(kind.keys.begin(), kind.keys.end(), [&](const char* key) { return map.has(key); });
  return found == kind.keys.end() ? nullptr : *found;
}

}  // namespace

std::optional<FileKind> kind_of_file(const Document& document) {
  std::optional<FileKind> only;
  for (const KindOfFile& kind : kinds()) {
    if (!telling_key(kind, document)) continue;
    if (only) return std::nullopt;
    only = kind.kind;
  }
  return only;
}

bool is_scene(const Document& document) { return telling_key(kinds().front(), document) != nullptr; }

bool is_scene_file(const std::string& path) { return is_scene(Document::from_file(path)); }

std::string other_kind(const Document& document, FileKind wanted) {
  const std::optional<FileKind> is = kind_of_file(document);
  if (!is || *is == wanted) return {};
  const auto entry = [](FileKind kind) {
    return *std::find_if(kinds().begin(), kinds().end(), [&](const KindOfFile& k) { return k.kind == kind; });
  };
  return fmt::format("is {} (it has '{}'), not {}: {}", entry(*is).name, telling_key(entry(*is), document),
                     entry(wanted).name, entry(*is).taken_by);
}

void require_kind(const Document& document, FileKind wanted) {
  const std::string other = other_kind(document, wanted);
  if (!other.empty()) bad_file(document.diagnostics().file(), other);
}

}  // namespace carom

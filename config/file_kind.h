// What a YAML file is, told by its keys. Given to a command for another kind, it is named instead of its every key.

#pragma once

#include "config/document.h"

namespace carom {

enum class FileKind { scene, impact, sweep };

// Nothing where the keys of no kind or of several are there.
std::optional<FileKind> kind_of_file(const Document& document);

bool is_scene(const Document& document);
bool is_scene_file(const std::string& path);  // BadInput if it cannot be read

// What it is instead and which command takes it; empty if it may be what is wanted.
std::string other_kind(const Document& document, FileKind wanted);
void require_kind(const Document& document, FileKind wanted);  // BadInput with that sentence

}  // namespace carom

#include "config/document.h"

#include <spdlog/fmt/fmt.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <system_error>

#include "config/document_override.h"
#include "config/document_tree.h"

namespace carom {

namespace {

using Data = Node::Data;

constexpr std::size_t largest_file = 64u << 20;

std::string read_text(const std::string& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) bad_file(path, "no such file");
  if (std::filesystem::is_directory(status)) bad_file(path, "is a directory, not a file");
  // A pipe of the shell, as /dev/stdin and <(...) are, has a writer; one with a name of its own may never get one.
  const bool has_writer = std::filesystem::is_fifo(status) && std::filesystem::canonical(path, error).empty();
  if (!std::filesystem::is_regular_file(status) && !has_writer)
    bad_file(path, "is a named pipe or a device, not a file");
  std::ifstream in(path, std::ios::binary);
  if (!in) bad_file(path, "cannot be read (permission?)");
  std::string text;
  char block[1 << 16];
  while (in.read(block, sizeof block) || in.gcount() > 0) {
    text.append(block, static_cast<std::size_t>(in.gcount()));
    if (text.size() > largest_file)
      bad_file(path, fmt::format("is larger than {} MB; 'repeat' stands for many alike parts", largest_file >> 20));
  }
  if (text.starts_with("\x89HDF"))
    bad_file(
        path,
        "is an HDF5 file, not YAML: 'carom inspect' shows what carom has written, 'carom simulate --resume' goes on "
        "with a run");
  if (in.bad()) bad_file(path, "cannot be read to its end");
  return text;
}

// In another file they would point at nothing.
void forget_places(Data& data) {
  data.place = {};
  data.key_places.assign(data.key_places.size(), Place{});
  for (const auto& item : data.items) forget_places(*item);
  for (const auto& entry : data.entries) forget_places(*entry.second);
}

}  // namespace

Setting::Setting(std::string text, std::string option) : path_and_value(std::move(text)), given_as(std::move(option)) {}

std::vector<Setting> settings_of(const std::vector<std::string>& texts) {
  std::map<std::string, std::string> given;
  for (const std::string& text : texts) {
    const auto [first, fresh] = given.emplace(text.substr(0, text.find('=')), text);
    if (!fresh) throw BadInput(fmt::format("--set {} and --set {} give the same; leave one out", first->second, text));
  }
  return {texts.begin(), texts.end()};
}

Document Document::from_file(const std::string& path, const std::vector<Setting>& overrides) {
  const bool is_stdin = path == "-";
  return from_text(read_text(is_stdin ? "/dev/stdin" : path), is_stdin ? "standard input" : path, overrides);
}

Document Document::from_text(const std::string& text, const std::string& name, const std::vector<Setting>& overrides) {
  Document document;
  document.diagnostics_ = std::make_shared<Diagnostics>(name);
  const std::shared_ptr<Data> root = read_tree(text, {.name = name}, *document.diagnostics_);
  if (root->form == Data::Form::null) bad_file(name, "holds no keys and values");
  bool applied = true;
  for (const Setting& setting : overrides)
    applied = apply_setting(setting, name, root, *document.diagnostics_) && applied;
  if (!applied) document.diagnostics_->throw_if_bad();
  document.root_ = root;
  return document;
}

Document Document::from_node(const Node& node, const std::string& name) {
  Document document;
  document.diagnostics_ = std::make_shared<Diagnostics>(node.diagnostics());  // with the options it names
  document.diagnostics_->begin(name);
  document.root_ = deep_copy(*node.data_);
  return document;
}

Document Document::copy() const {
  Document document;
  document.diagnostics_ = std::make_shared<Diagnostics>(*diagnostics_);
  document.root_ = deep_copy(*root_);
  return document;
}

void Document::set(const std::string& path, const DocumentValue& value, const std::string& setter) {
  diagnostics_->begin(diagnostics_->file());
  put_value(path, setter, diagnostics_->file(), root_, deep_copy(*value.data_));
}

DocumentValue::DocumentValue(double number) {
  auto data = std::make_shared<Node::Data>();
  data->form = Data::Form::scalar;
  data->scalar = fmt::format("{}", number);
  data_ = std::move(data);
}

DocumentValue::DocumentValue(const Node& node) {
  const std::shared_ptr<Data> data = deep_copy(*node.data_);
  forget_places(*data);
  data_ = data;
}

std::string DocumentValue::text() const { return yaml_on_one_line(*data_); }

std::string Document::yaml(const std::string& scene) const {
  Data named = *root_;
  if (named.form == Data::Form::map && !scene.empty() && !named.find("scene")) {
    auto name = std::make_shared<Data>();
    name->form = Data::Form::scalar;
    name->scalar = scene;
    named.entries.insert(named.entries.begin(), {"scene", name});
  }
  return yaml_of(named);
}

Node Document::root() const { return Node(root_, "", diagnostics_.get()); }

}  // namespace carom

#include "tools/report/report.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <filesystem>

#include "config/diagnostics.h"
#include "solvers/laws/list.h"
#include "tools/destinations.h"
#include "tools/report/page.h"
#include "tools/report/run_data.h"
#include "tools/report/sweep_data.h"
#include "tools/run_file/result_file.h"

namespace carom {

namespace fs = std::filesystem;

namespace {

// In the order of the list of laws; others after them.
std::vector<std::string> law_groups(const ResultFile& file) {
  std::vector<std::string> groups = file.children("laws");
  const auto place = [](const std::string& name) {
    const auto& laws = impact_laws();
    return std::find_if(laws.begin(), laws.end(), [&](const LawEntry& law) { return law.name == name; }) - laws.begin();
  };
  std::stable_sort(groups.begin(), groups.end(),
                   [&](const std::string& a, const std::string& b) { return place(a) < place(b); });
  return groups;
}

// A text of the file that is JSON; null if there is none.
Json json_in(const ResultFile& file, const std::string& dataset) {
  const std::string text = file.read_text(dataset);
  if (text.empty()) return nullptr;
  Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded()) throw BadRunFile(fmt::format("{}: /{} is not JSON (damaged)", file.path(), dataset));
  return json;
}

Json comparison_data(const ResultFile& file) {
  std::vector<RunFileReader> runs;
  for (const std::string& law : law_groups(file)) runs.emplace_back(file.path(), "/laws/" + law);
  if (runs.empty()) throw BadRunFile(file.path() + ": the comparison holds no runs (/laws is empty)");
  Json json = runs_data(runs);
  json["reference"] = file.text("reference");
  json["match"] = file.text("match");
  json["impact"] = json_in(file, "impact_json");
  json["matches"] = json_in(file, "match_json");
  return json;
}

Json run_data_of(const std::string& path) {
  std::vector<RunFileReader> runs;
  runs.emplace_back(path);
  return runs_data(runs);
}

void check_version(const ResultFile& file) {
  const std::int64_t version = file.integer("format_version", 0);
  if (version != 1)
    throw BadRunFile(fmt::format("{}: has format version {}; this carom reads version 1", file.path(), version));
}

Json data_in(const std::string& path) {
  const ResultFile file(path);
  const std::string format = file.format();
  Json json;
  if (format == "carom-run") {
    json = run_data_of(path);
    json["kind"] = "run";
  } else if (format == "carom-compare") {
    check_version(file);
    json = comparison_data(file);
    json["kind"] = "compare";
  } else if (format == "carom-sweep") {
    check_version(file);
    json = sweep_data(file);
    json["kind"] = "sweep";
  } else {
    throw BadRunFile(fmt::format("{}: is HDF5, but not a run, comparison or sweep of carom ({})", path,
                                 format.empty() ? "no attribute format" : fmt::format("format = \"{}\"", format)));
  }
  json["file"] = fs::path(path).filename().string();
  return json;
}

// What the library says about a damaged file does not name it.
Json report_data(const std::string& path) {
  try {
    return data_in(path);
  } catch (const BadRunFile&) {
    throw;
  } catch (const RunFileError& e) {
    throw BadRunFile(fmt::format("{}: {} (damaged or cut short)", path, e.what()));
  }
}

// Data as a script sees them: nothing in them ends the script or opens a comment.
std::string script_text(const Json& data) {
  std::string text;
  for (const char c : data.dump(-1, ' ', false, Json::error_handler_t::replace)) {
    if (c == '<') {
      text += "\\u003c";
    } else {
      text += c;
    }
  }
  return text;
}

std::string html_text(const std::string& text) {
  std::string out;
  for (const char c : text) out += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : std::string(1, c);
  return out;
}

void replace(std::string& page, const std::string& mark, const std::string& text) {
  page.replace(page.find(mark), mark.size(), text);
}

std::string title_of(const Json& data) {
  const std::string scene = data.value("scene", "");
  return scene.empty() ? data.value("file", "") : scene;
}

}  // namespace

void check_report_destination(const std::string& output, bool overwrite) {
  std::error_code error;
  const fs::path path(output), folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  if (fs::is_directory(path, error)) throw BadInput(output + ": is a folder; -o names a file");
  if (fs::exists(path, error) && !overwrite)
    throw BadInput(output + ": exists already; --force replaces it, another name keeps it");
  if (!fs::is_directory(folder, error)) throw BadInput(output + ": there is no folder " + folder.string());
}

std::size_t write_report(const std::string& file, const std::string& output, bool overwrite) {
  check_report_destination(output, overwrite);
  const Json data = report_data(file);
  std::string page = page_html();
  replace(page, "<!--title-->", html_text(title_of(data)));
  replace(page, "/*style*/", page_style());
  replace(page, "/*script*/", page_script());
  replace(page, "/*data*/", script_text(data));
  write_whole(output, page);
  return page.size();
}

}  // namespace carom

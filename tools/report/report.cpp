#include "tools/report/report.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <filesystem>
#include <stdexcept>
#include <vector>

#include "solvers/laws/list.h"
#include "tools/compare/compare_impact.h"
#include "tools/destinations.h"
#include "tools/report/page.h"
#include "tools/report/run_data.h"
#include "tools/report/sweep_data.h"
#include "tools/run_file/destination.h"
#include "tools/version.h"

namespace carom {

namespace fs = std::filesystem;

namespace {

std::string law_of(const std::string& group) { return group.substr(group.rfind('/') + 1); }

// In the order of the list of laws; others after them.
std::vector<std::string> in_order_of_laws(std::vector<std::string> groups) {
  const auto place = [](const std::string& group) {
    const auto& laws = impact_laws();
    return std::find_if(laws.begin(), laws.end(), [&](const LawEntry& law) { return law.name == law_of(group); }) -
           laws.begin();
  };
  std::stable_sort(groups.begin(), groups.end(),
                   [&](const std::string& a, const std::string& b) { return place(a) < place(b); });
  return groups;
}

// A text of the file that is JSON; null if there is none.
Json json_in(const std::string& text, const std::string& name) {
  if (text.empty()) return nullptr;
  Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded()) throw BadRunFile(name + " is not JSON (damaged)");
  return json;
}

Json comparison_data(const ResultFile& file) {
  const RunCollection collection = read_collection(file);
  std::vector<RunFileReader> runs;
  for (const std::string& group : in_order_of_laws(collection.groups)) runs.emplace_back(file, group);
  const Json impact = json_in(collection.impact_json, file.path() + ": /impact_json");
  if (runs.empty() && !impact.is_object())
    throw BadRunFile(file.path() + ": the comparison holds no runs (/laws is empty), and no impact");
  Json json = runs_data(runs);
  if (runs.empty()) json["scene"] = collection.scene;
  json["reference"] = collection.reference;
  json["match"] = collection.match;
  json["impact"] = impact;
  json["matches"] = json_in(collection.match_json, file.path() + ": /match_json");
  return json;
}

Json report_data(const ResultFile& file) {
  Json json;
  switch (file.kind()) {
    case ResultKind::run:
      json = runs_data(read_runs(file));
      json["kind"] = "run";
      break;
    case ResultKind::comparison:
      json = comparison_data(file);
      json["kind"] = "compare";
      break;
    case ResultKind::sweep:
      json = sweep_data(read_sweep_arrays(file));
      json["kind"] = "sweep";
      break;
  }
  return json;
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

struct Filling {
  std::string mark, text;
};

// The page with its marks filled in, which stand in it in this order. What they are filled with is not looked at.
std::string filled(const std::string& page, const std::vector<Filling>& fillings) {
  std::string out;
  std::size_t from = 0;
  for (const Filling& filling : fillings) {
    const std::size_t at = page.find(filling.mark, from);
    if (at == std::string::npos) throw std::logic_error("the page has no " + filling.mark);
    out += page.substr(from, at - from) + filling.text;
    from = at + filling.mark.size();
  }
  return out + page.substr(from);
}

std::string title_of(const Json& data) {
  const std::string scene = data.value("scene", "");
  return scene.empty() ? data.value("file", "") : scene;
}

std::size_t write_page(Json data, const std::string& output, const std::string& made_from) {
  data["file"] = fs::path(made_from).filename().string();
  const std::string page = filled(page_html(), {{"<!--title-->", html_text(title_of(data))},
                                                {"/*style*/", page_style()},
                                                {"/*data*/", script_text(data)},
                                                {"/*script*/", page_script()}});
  write_whole({{output, page}});
  return page.size();
}

}  // namespace

std::size_t write_report(const std::string& file, const std::string& output, bool overwrite,
                         const std::string& made_from) {
  check_file_destination(output, overwrite);
  return write_page(report_data(file), output, made_from.empty() ? file : made_from);
}

std::size_t write_impact_report(const ComparedImpact& impact, const std::string& reference, const std::string& output,
                                bool overwrite, const std::string& made_from) {
  check_file_destination(output, overwrite);
  return write_page({{"kind", "compare"},
                     {"scene", impact.file.scene},
                     {"about", impact.file.about},
                     {"carom_version", version()},
                     {"runs", Json::array()},
                     {"reference", reference},
                     {"match", "restitution"},
                     {"impact", compared_impact_json(impact)}},
                    output, made_from);
}

}  // namespace carom

// carom figures: the figures of the papers from our own results, one SVG each, and a page that collects them beside the
// tables of `verify`.

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <iostream>
#include <memory>

#include "config/diagnostics.h"
#include "config/published.h"
#include "tools/command_line.h"
#include "tools/destinations.h"
#include "tools/figures/figure.h"
#include "tools/figures/plot.h"

namespace carom {

namespace fs = std::filesystem;

namespace {

struct Options {
  std::string which;
  std::string folder = "figures";
  bool list = false;
};

std::vector<std::string> papers() {
  std::vector<std::string> names;
  for (const PaperFigure& figure : paper_figures())
    if (std::find(names.begin(), names.end(), figure.paper) == names.end()) names.push_back(figure.paper);
  return names;
}

// PAPER, PAPER:FIGURE or nothing, which is all.
std::vector<const PaperFigure*> chosen(const std::string& which) {
  const std::size_t colon = which.find(':');
  const std::string paper = which.substr(0, colon), number = colon == std::string::npos ? "" : which.substr(colon + 1);
  std::vector<const PaperFigure*> list;
  std::vector<std::string> numbers;
  for (const PaperFigure& figure : paper_figures()) {
    if (!paper.empty() && figure.paper != paper) continue;
    numbers.push_back(figure.number);
    if (number.empty() || figure.number == number) list.push_back(&figure);
  }
  if (numbers.empty())
    throw BadInput(fmt::format("unknown paper '{}'{}; the papers are {}", paper, suggestion(paper, papers()),
                               fmt::join(papers(), ", ")));
  if (list.empty())
    throw BadInput(fmt::format("{} has no figure '{}'{}; there are {}", paper, number, suggestion(number, numbers),
                               fmt::join(numbers, ", ")));
  return list;
}

std::string heading(const PaperFigure& figure) {
  const bool numbered = std::isdigit(static_cast<unsigned char>(figure.number.front()));
  return fmt::format("{}{}: {}", numbered ? "Fig. " : "", figure.number, figure.title);
}

// The rows of `verify` for one source, whose file has the paper's name.
std::string verify_table(const std::vector<PublishedCheck>& checks, const std::string& source) {
  std::string rows;
  for (const PublishedCheck& check : checks) {
    if (check.source != source) continue;
    const std::string verdict = !check.agrees          ? "differs"
                                : check.print_is_right ? "agrees"
                                                       : "misprint, should be " + check.expected;
    rows += fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n", escaped(check.claim),
                        escaped(check.quantity), escaped(check.printed), escaped(check.ours), escaped(verdict));
  }
  return "<table><tr><th></th><th>quantity</th><th>published</th><th>ours</th><th>verdict</th></tr>\n" + rows +
         "</table>\n";
}

constexpr const char* style =
    "body{font:15px/1.5 'DejaVu Sans',Arial,sans-serif;color:#222;max-width:1180px;margin:2em auto;padding:0 1em}"
    "figure{margin:2em 0}svg{max-width:100%;height:auto}figcaption{max-width:60em}code{background:#f2f2f2;padding:.1em "
    ".3em}"
    "table{border-collapse:collapse;font-size:13px}td,th{border-bottom:1px solid #ddd;padding:.2em "
    ".7em;text-align:left;"
    "vertical-align:top}";

struct Drawn {
  const PaperFigure* figure;
  std::string svg;
};

std::string page(const std::vector<Drawn>& drawn) {
  const std::vector<PublishedCheck> checks = check_published();
  std::string body = "<h1>The figures of the papers, from carom's own results</h1>\n";
  std::string paper;
  const auto end_paper = [&] {
    if (paper.empty()) return;
    const std::string source = source_of_paper(paper);
    body += fmt::format("<h3>{}: what it prints and what we get</h3>\n<p><code>carom verify</code></p>\n",
                        escaped(source)) +
            verify_table(checks, source);
  };
  for (const auto& [figure, svg] : drawn) {
    if (figure->paper != paper) {
      end_paper();
      paper = figure->paper;
      body += fmt::format("<h2 id=\"{0}\">{1}</h2>\n", paper, escaped(source_of_paper(paper)));
    }
    body += fmt::format(
        "<figure id=\"{}\">\n{}<figcaption><b>{}.</b> {} <br>Made by <code>carom figures {}:{}</code>; to go on from "
        "there: <code>{}</code></figcaption></figure>\n",
        figure->name(), svg, escaped(heading(*figure)), escaped(figure->caption), figure->paper,
        escaped(figure->number), escaped(figure->command));
  }
  end_paper();
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Figures of the papers</title>"
      "<style>{}</style></head><body>\n{}</body></html>\n",
      style, body);
}

// With its caption, source and command inside, for whoever has the file alone.
std::string with_description(const PaperFigure& figure, std::string svg) {
  const std::string about =
      fmt::format("<title>{}, {}</title>\n<desc>{} Made by: carom figures {}:{}. To go on from there: {}</desc>\n",
                  escaped(source_of_paper(figure.paper)), escaped(heading(figure)), escaped(figure.caption),
                  figure.paper, escaped(figure.number), escaped(figure.command));
  return svg.insert(svg.find(">\n") + 2, about);
}

int run(const Options& options) {
  const std::vector<const PaperFigure*> figures = chosen(options.which);
  if (options.list) {
    for (const PaperFigure* figure : figures)
      std::cout << fmt::format("{}:{}  {}\n", figure->paper, figure->number, figure->title);
    return done;
  }
  std::vector<Drawn> drawn;
  for (const PaperFigure* figure : figures) drawn.push_back({figure, with_description(*figure, figure->svg())});
  fs::create_directories(options.folder);
  std::vector<TextFile> files;
  for (const auto& [figure, svg] : drawn)
    files.push_back({(fs::path(options.folder) / (figure->name() + ".svg")).string(), svg});
  files.push_back({(fs::path(options.folder) / "index.html").string(), page(drawn)});
  write_whole(files);
  std::cout << fmt::format("{} figures in {}; open {}\n", drawn.size(), options.folder,
                           (fs::path(options.folder) / "index.html").string());
  return done;
}

}  // namespace

Subcommand figures_subcommand() {
  return {"figures", "the figures of the papers, from our own results: SVG and one page", [](CommandLine& line) {
            auto options = std::make_shared<Options>();
            line.positional("PAPER[:FIGURE]", options->which, "glocker-2014, winandy-leine-2016:4, ... (default: all)",
                            false);
            line.option("-o,--output", options->folder, "folder to write to (default: figures)");
            line.flag("--list", options->list, "only say which there are");
            return [options] { return run(*options); };
          }};
}

}  // namespace carom

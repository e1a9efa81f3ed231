// A report: one HTML page that shows a run, a comparison of laws or a sweep, with its data in it. It opens from a disk,
// without network. page/ has its text, style and scripts; this folder takes the data out of the file.

#pragma once

#include <string>

namespace carom {

struct ComparedImpact;

// RUN.h5, COMPARE.h5 or SWEEP.h5 as a page. BadRunFile: not one of them, or damaged. Returns the size in bytes.
// `made_from` is what the page names as its source where the file itself does not stay.
std::size_t write_report(const std::string& file, const std::string& output, bool overwrite,
                         const std::string& made_from = {});

// One impact by several laws, without a file of runs.
std::size_t write_impact_report(const ComparedImpact& impact, const std::string& reference, const std::string& output,
                                bool overwrite, const std::string& made_from);

}  // namespace carom

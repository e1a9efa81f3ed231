// What a run told on the way, with the step and the time of each message.

#include <algorithm>

#include "tools/run_file/columns.h"
#include "tools/run_file/writer_parts.h"

namespace carom {

namespace {

// Text in a file that is read while it is written has a fixed width; the rare message that is longer is cut until the
// run is finished.
constexpr std::size_t message_width = 480;
constexpr std::size_t level_width = 8;
constexpr hsize_t chunk_rows = 16;

}  // namespace

void RunFileWriter::Parts::create_log() {
  log = GrowingTable(std::min(affordable, chunk_rows));
  log.add<double>(group.id(), "log/time", {}, "s");
  log.add<std::int64_t>(group.id(), "log/step", {}, "");
  for (const auto& [path, width] : {std::pair{"log/level", level_width}, std::pair{"log/text", message_width}})
    hdf5::mark_as_utf8(log.dataset(log.add(group.id(), path, hdf5::text_type(width).id(), {}, "")));
}

void RunFileWriter::log(const RunMessage& message) {
  Parts& p = *parts_;
  namespace column = log_column;
  *p.log.cell<double>(column::time) = message.time;
  *p.log.cell<std::int64_t>(column::step) = message.step;
  p.log.set_text(column::level, message.level);
  p.log.set_text(column::text, message.text);
  p.log.end_row();
  p.messages.push_back(message.text);
  p.write_if_full(p.log);
}

void RunFileWriter::Parts::write_long_messages(hid_t run) const {
  const auto is_cut = [](const std::string& text) { return text.size() > message_width; };
  if (std::any_of(messages.begin(), messages.end(), is_cut)) replace_texts(run, "log/", "text", messages);
}

}  // namespace carom

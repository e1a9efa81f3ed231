#include "tools/run_log.h"

namespace carom {

void RunLog::keep_in(RunFileWriter& writer) {
  writer_ = &writer;
  for (const RunMessage& message : waiting_) writer.log(message);
  waiting_.clear();
}

void RunLog::tell(LogLevel level, const std::string& text) {
  carom::tell(level, text);
  RunMessage message{0, 0, name_of(level), text};
  if (simulation_) {
    message.time = simulation_->state().time;
    message.step = simulation_->state().step;
  }
  if (writer_) {
    writer_->log(message);
  } else {
    waiting_.push_back(std::move(message));
  }
}

}  // namespace carom

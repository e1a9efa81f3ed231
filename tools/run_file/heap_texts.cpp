#include "tools/run_file/heap_texts.h"

#include <spdlog/fmt/fmt.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>

#include "tools/run_file/destination.h"
#include "tools/run_file/door.h"

namespace carom::hdf5 {

namespace {

constexpr time_t most_seconds = 1;       // of computing, from one place to the next: microseconds are usual
constexpr unsigned most_waiting_s = 60;  // by the clock, for a disk that does not answer

// What the child says: what it found, what the door refuses, and at the end that it came through.
enum class Word : char { texts = 't', refused = 'r', trouble = 'x', end = 'e' };

// Where the child is, in memory that outlives it: a word through the pipe for each of thousands of places would wake
// the parent as often.
class SharedPlace {
 public:
  SharedPlace()
      : text_(static_cast<char*>(::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0))) {
    if (text_ == MAP_FAILED) throw RunFileError(fmt::format("no memory to read a file by: {}", std::strerror(errno)));
  }
  SharedPlace(const SharedPlace&) = delete;
  SharedPlace& operator=(const SharedPlace&) = delete;
  ~SharedPlace() { ::munmap(text_, size); }

  void set(const std::string& place) {
    const std::size_t length = std::min(place.size(), size - 1);
    std::memcpy(text_, place.data(), length);
    text_[length] = '\0';
  }
  std::string get() const { return {text_, ::strnlen(text_, size)}; }

 private:
  static constexpr std::size_t size = 4096;
  char* text_;
};

// ---- the child -------------------------------------------------------------------------------------------------

class Teller {
 public:
  // Each text stands in the file once, so they are no more than it holds.
  Teller(int pipe, SharedPlace& place, std::uint64_t file_bytes) : pipe_(pipe), place_(place), most_told_(file_bytes) {}

  void at(const std::string& place) {
    const itimerval limit = {{0, 0}, {most_seconds, 0}};
    ::setitimer(ITIMER_PROF, &limit, nullptr);  // its signal ends the process
    place_.set(place);
  }
  void trouble(const std::string& what) { say(Word::trouble, what); }
  void refused(const std::string& what) { say(Word::refused, what); }
  void end() { say(Word::end, ""); }
  void texts(haddr_t object, const std::string& attribute, const std::vector<std::string>& texts) {
    message_ += static_cast<char>(Word::texts);
    add_number(object);
    add_text(attribute);
    add_number(texts.size());
    for (const std::string& text : texts) {
      told_ += text.size();
      if (told_ > most_told_)
        throw BadRunFile(fmt::format("the texts are more than the {} bytes of the file", most_told_));
      add_text(text);
    }
    if (message_.size() > most_held) send();
  }

 private:
  void say(Word word, const std::string& text) {
    message_ += static_cast<char>(word);
    add_text(text);
    send();
  }
  void add_number(std::uint64_t number) { message_.append(reinterpret_cast<const char*>(&number), sizeof number); }
  void add_text(const std::string& text) {
    add_number(text.size());
    message_ += text;
  }
  void send() {
    for (std::size_t sent = 0; sent < message_.size();) {
      const ssize_t bytes = ::write(pipe_, message_.data() + sent, message_.size() - sent);
      if (bytes < 0 && errno != EINTR) ::_exit(1);  // nobody listens
      if (bytes > 0) sent += static_cast<std::size_t>(bytes);
    }
    message_.clear();
  }

  static constexpr std::size_t most_held = 1 << 15;  // a pipe takes twice as much at once
  int pipe_;
  SharedPlace& place_;
  std::uint64_t most_told_, told_ = 0;
  std::string message_;
};

// In the heap they are of any length, elsewhere of one width and padded with zeros.
struct Texts {
  bool are_in_heap = false;
  std::vector<std::string> values = {};
};

Texts texts_of(hid_t type, hid_t space, const std::function<herr_t(hid_t, void*)>& read) {
  const auto count = static_cast<std::size_t>(std::max<hssize_t>(0, H5Sget_simple_extent_npoints(space)));
  Texts texts{H5Tis_variable_str(type) > 0};
  if (count == 0) return texts;
  if (texts.are_in_heap) {
    const Handle memory = text_type();
    std::vector<char*> pointers(count, nullptr);
    check(read(memory.id(), pointers.data()), "cannot be read");
    for (const char* p : pointers) texts.values.emplace_back(p ? p : "");
    H5Dvlen_reclaim(memory.id(), space, H5P_DEFAULT, pointers.data());
  } else {
    const std::size_t width = H5Tget_size(type);
    std::vector<char> bytes(count * width);
    check(read(type, bytes.data()), "cannot be read");
    for (const char* p = bytes.data(); p < bytes.data() + bytes.size(); p += width)
      texts.values.emplace_back(p, ::strnlen(p, width));
  }
  return texts;
}

// None if it is a number.
Texts texts_in_attribute(hid_t object, const std::string& name) {
  const Handle attribute(H5Aopen(object, name.c_str(), H5P_DEFAULT), H5Aclose, name);
  const Handle type(H5Aget_type(attribute.id()), H5Tclose, name), space(H5Aget_space(attribute.id()), H5Sclose, name);
  if (H5Tget_class(type.id()) != H5T_STRING) return {};
  return texts_of(type.id(), space.id(), [&](hid_t memory, void* out) { return H5Aread(attribute.id(), memory, out); });
}

Texts texts_in_dataset(hid_t dataset, const std::string& path) {
  const Handle type(H5Dget_type(dataset), H5Tclose, path), space(H5Dget_space(dataset), H5Sclose, path);
  if (H5Tget_class(type.id()) != H5T_STRING) return {};
  return texts_of(type.id(), space.id(), [&](hid_t memory, void* out) {
    return H5Dread(dataset, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, out);
  });
}

void tell_texts(Teller& teller, haddr_t object, const std::string& attribute, const Texts& texts,
                const std::string& where) {
  for (const std::string& text : texts.values) check_text(text, where);
  if (texts.are_in_heap) teller.texts(object, attribute, texts.values);
}

void tell_attributes(Teller& teller, hid_t object, haddr_t address, const std::string& path) {
  for (const std::string& name : attributes(object)) {
    const std::string where = shown_place(fmt::format("attribute '{}' of {}", name, path));
    teller.at(where);
    check_text(name, "the name of " + where);
    tell_texts(teller, address, name, texts_in_attribute(object, name), where);
  }
}

void tell_root(Teller& teller, hid_t root, std::uint64_t bytes) {
  H5O_info_t info;
  check(H5Oget_info2(root, &info, H5O_INFO_BASIC), "/");
  check_attributes(root, "/", bytes);
  tell_attributes(teller, root, info.addr, "/");
}

// What the root says that the file is; empty if it says nothing.
std::string format_of(hid_t root) {
  if (!has_attribute(root, "format")) return {};
  const std::vector<std::string> texts = texts_in_attribute(root, "format").values;
  return texts.empty() ? std::string{} : texts.front();
}

// Of a file that is none of carom's the root is all that is looked at.
void tell_file(Teller& teller, const std::string& path, Opening opening, TextsOf of, std::uint64_t bytes) {
  teller.at("");
  const Handle file = open_file(path, opening), root = open_group(file.id(), "/");
  teller.at("attribute 'format' of /");
  const std::string format = format_of(root.id());
  if (of == TextsOf::root || !is_known_format(format)) return tell_root(teller, root.id(), bytes);
  const Visitor visitor{[&](const std::string& place) { teller.at(place); },
                        [&](hid_t object, haddr_t address, const std::string& place, bool is_dataset) {
                          tell_attributes(teller, object, address, place);
                          if (is_dataset) tell_texts(teller, address, "", texts_in_dataset(object, place), place);
                          teller.at("after " + place);
                        }};
  walk_through_door(file.id(), format, bytes, visitor);
}

[[noreturn]] void tell_all(const std::string& path, Opening opening, TextsOf of, int pipe, SharedPlace& place) {
  const rlimit no_core = {0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  ::alarm(most_waiting_s);
  for (const int signal : {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGPROF, SIGALRM}) std::signal(signal, SIG_DFL);
  // What the C library or a sanitizer says about a crash is nothing for the user.
  if (!std::freopen("/dev/null", "w", stderr)) ::close(STDERR_FILENO);
  std::error_code error;
  const std::uintmax_t bytes = std::filesystem::file_size(path, error);
  Teller teller(pipe, place, error ? 0 : bytes);
  try {
    tell_file(teller, path, opening, of, bytes);
    teller.end();
  } catch (const BadRunFile& e) {
    teller.refused(e.what());
  } catch (const std::exception& e) {
    teller.trouble(e.what());
  }
  ::_exit(0);
}

// ---- the parent ------------------------------------------------------------------------------------------------

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using Pipe = std::unique_ptr<std::FILE, CloseFile>;

class Listener {
 public:
  explicit Listener(std::FILE* pipe) : pipe_(pipe) {}

  std::optional<Word> word() {
    const int c = std::fgetc(pipe_);
    return c == EOF ? std::nullopt : std::optional(static_cast<Word>(c));
  }
  // Where the child stops speaking, numbers are 0 and texts end. It may have gone mad before: nothing is believed.
  std::uint64_t number() {
    std::uint64_t value = 0;
    return std::fread(&value, sizeof value, 1, pipe_) == 1 ? value : 0;
  }
  std::string text() {
    std::string text;
    std::array<char, 4096> block;
    for (std::uint64_t left = number(); left > 0 && !ended();) {
      const std::size_t bytes = std::fread(block.data(), 1, std::min<std::uint64_t>(left, block.size()), pipe_);
      text.append(block.data(), bytes);
      left -= bytes;
    }
    return text;
  }
  bool ended() const { return std::feof(pipe_) || std::ferror(pipe_); }

 private:
  std::FILE* pipe_;
};

struct Told {
  HeapTexts texts;
  std::string trouble, refused;
  bool whole = false;
};

Told listen(std::FILE* pipe) {
  Told told;
  Listener child(pipe);
  while (const std::optional<Word> word = child.word()) {
    if (*word == Word::trouble) told.trouble = child.text();
    if (*word == Word::refused) told.refused = child.text();
    if (*word == Word::end) told.whole = child.text().empty();
    if (*word != Word::texts) continue;
    const haddr_t object = child.number();
    std::vector<std::string>& texts = told.texts[{object, child.text()}];
    for (std::uint64_t left = child.number(); left > 0 && !child.ended(); --left) texts.push_back(child.text());
  }
  return told;
}

}  // namespace

HeapTexts read_heap_texts(const std::string& path, Opening opening, TextsOf of) {
  SharedPlace place;
  int ends[2];
  if (::pipe(ends) != 0) throw RunFileError(fmt::format("{}: cannot be read: {}", path, std::strerror(errno)));
  const pid_t child = ::fork();
  if (child == 0) {
    ::close(ends[0]);
    tell_all(path, opening, of, ends[1], place);
  }
  const int no_child = errno;
  ::close(ends[1]);
  const Pipe pipe(::fdopen(ends[0], "r"));
  if (child < 0 || !pipe) throw RunFileError(fmt::format("{}: cannot be read: {}", path, std::strerror(no_child)));
  Told told = listen(pipe.get());
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (told.whole && told.trouble.empty()) return std::move(told.texts);
  if (!told.refused.empty())
    throw BadRunFile(fmt::format("{}: {} (not written by carom, or damaged)", path, told.refused));
  std::string where = path + ": ";
  if (!place.get().empty()) where += place.get() + ": ";
  if (told.trouble.rfind(path, 0) == 0) where.clear();  // it says so itself
  const char* how = opening != Opening::to_read_after_kill ? "damaged or cut short"
                    : is_being_written(path)               ? "its writer has just begun: try again in a second"
                                             : "its writer was killed before the first rows or at the end";
  throw UnreadableFile(fmt::format("{}{} ({})", where, told.trouble.empty() ? "cannot be read" : told.trouble, how));
}

}  // namespace carom::hdf5

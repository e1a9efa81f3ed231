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
#include <functional>
#include <memory>
#include <optional>

#include "tools/run_file/destination.h"

namespace carom::hdf5 {

namespace {

constexpr time_t most_seconds = 1;       // of computing, from one place to the next: microseconds are usual
constexpr unsigned most_waiting_s = 60;  // by the clock, for a disk that does not answer

// What the child says: what it found, and at the end that it came through.
enum class Word : char { texts = 't', trouble = 'x', end = 'e' };

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
  Teller(int pipe, SharedPlace& place) : pipe_(pipe), place_(place) {}

  void at(const std::string& place) {
    const itimerval limit = {{0, 0}, {most_seconds, 0}};
    ::setitimer(ITIMER_PROF, &limit, nullptr);  // its signal ends the process
    place_.set(place);
  }
  void trouble(const std::string& what) { say(Word::trouble, what); }
  void end() { say(Word::end, ""); }
  void texts(haddr_t object, const std::string& attribute, const std::vector<std::string>& texts) {
    message_ += static_cast<char>(Word::texts);
    add_number(object);
    add_text(attribute);
    add_number(texts.size());
    for (const std::string& text : texts) add_text(text);
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
  std::string message_;
};

std::vector<std::string> texts_of(hid_t space, const std::function<herr_t(hid_t, void*)>& read) {
  const hssize_t count = H5Sget_simple_extent_npoints(space);
  if (count <= 0) return {};
  const Handle memory = text_type();
  std::vector<char*> pointers(static_cast<std::size_t>(count), nullptr);
  check(read(memory.id(), pointers.data()), "cannot be read");
  std::vector<std::string> texts;
  for (const char* p : pointers) texts.emplace_back(p ? p : "");
  H5Dvlen_reclaim(memory.id(), space, H5P_DEFAULT, pointers.data());
  return texts;
}

void tell_attributes(Teller& teller, hid_t object, haddr_t address, const std::string& path) {
  for (const std::string& name : attributes(object)) {
    teller.at(fmt::format("attribute '{}' of {}", name, path));
    const Handle attribute(H5Aopen(object, name.c_str(), H5P_DEFAULT), H5Aclose, name);
    const Handle type(H5Aget_type(attribute.id()), H5Tclose, name);
    if (H5Tis_variable_str(type.id()) <= 0) continue;
    const Handle space(H5Aget_space(attribute.id()), H5Sclose, name);
    teller.texts(address, name,
                 texts_of(space.id(), [&](hid_t memory, void* out) { return H5Aread(attribute.id(), memory, out); }));
  }
}

void tell_dataset(Teller& teller, hid_t dataset, haddr_t address, const std::string& path) {
  teller.at(path);
  const Handle type(H5Dget_type(dataset), H5Tclose, path);
  if (H5Tis_variable_str(type.id()) <= 0) return;
  const Handle space(H5Dget_space(dataset), H5Sclose, path);
  teller.texts(address, "", texts_of(space.id(), [&](hid_t memory, void* out) {
                 return H5Dread(dataset, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, out);
               }));
}

herr_t tell_object(hid_t root, const char* name, const H5O_info_t* info, void* to) {
  Teller& teller = *static_cast<Teller*>(to);
  const std::string path = std::strcmp(name, ".") == 0 ? "/" : std::string("/") + name;
  try {
    teller.at(path);
    const Handle object(H5Oopen(root, name, H5P_DEFAULT), H5Oclose, path);
    tell_attributes(teller, object.id(), info->addr, path);
    if (info->type == H5O_TYPE_DATASET) tell_dataset(teller, object.id(), info->addr, path);
    teller.at("after " + path);
    return 0;
  } catch (const std::exception& e) {
    teller.trouble(e.what());
    return -1;
  }
}

void tell_root(Teller& teller, hid_t file) {
  H5O_info_t info;
  check(H5Oget_info2(file, &info, H5O_INFO_BASIC), "/");
  tell_attributes(teller, file, info.addr, "/");
}

[[noreturn]] void tell_all(const std::string& path, Opening opening, TextsOf of, int pipe, SharedPlace& place) {
  const rlimit no_core = {0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  ::alarm(most_waiting_s);
  for (const int signal : {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGPROF, SIGALRM}) std::signal(signal, SIG_DFL);
  // What the C library or a sanitizer says about a crash is nothing for the user.
  if (!std::freopen("/dev/null", "w", stderr)) ::close(STDERR_FILENO);
  Teller teller(pipe, place);
  try {
    teller.at("");
    const Handle file = open_file(path, opening);
    if (of == TextsOf::root) {
      tell_root(teller, file.id());
    } else {
      check(H5Ovisit2(file.id(), H5_INDEX_NAME, H5_ITER_NATIVE, tell_object, &teller, H5O_INFO_BASIC),
            "the list of datasets cannot be read");
    }
    teller.end();
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
  std::string trouble;
  bool whole = false;
};

Told listen(std::FILE* pipe) {
  Told told;
  Listener child(pipe);
  while (const std::optional<Word> word = child.word()) {
    if (*word == Word::trouble) told.trouble = child.text();
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
  std::string where = path + ": ";
  if (!place.get().empty()) where += place.get() + ": ";
  if (told.trouble.rfind(path, 0) == 0) where.clear();  // it says so itself
  const char* how = opening != Opening::to_read_after_kill ? "damaged or cut short"
                    : is_being_written(path)               ? "its writer has just begun: try again in a second"
                                             : "its writer was killed before the first rows or at the end";
  throw UnreadableFile(fmt::format("{}{} ({})", where, told.trouble.empty() ? "cannot be read" : told.trouble, how));
}

}  // namespace carom::hdf5

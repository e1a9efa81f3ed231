#include "tools/sweep/ranks.h"

#ifdef CAROM_HAS_MPI
#include <mpi.h>
#endif

#include <spdlog/fmt/fmt.h>

#include <cstdlib>
#include <string>

#include "config/diagnostics.h"
#include "tools/command_line.h"
#include "tools/log.h"

namespace carom {

namespace {

// What Open MPI, MPICH, Intel MPI and Slurm tell the processes that they start.
bool started_by_launcher() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK", "PMI_RANK"}) {
    if (std::getenv(name)) return true;
  }
  return false;
}

}  // namespace

#ifdef CAROM_HAS_MPI

namespace {

// Points of one rank, packed: all ranks know whose a point is, so only values travel.
std::vector<std::size_t> points_of(const Shard& shard, std::size_t points) {
  std::vector<std::size_t> list;
  for (std::size_t point = 0; point < points; ++point) {
    if (shard.owns(point)) list.push_back(point);
  }
  return list;
}

template <class T>
std::vector<T> packed(const std::vector<T>& all, const std::vector<std::size_t>& points) {
  std::vector<T> values;
  values.reserve(points.size());
  for (const std::size_t point : points) values.push_back(all[point]);
  return values;
}

template <class T>
void unpack(const std::vector<T>& values, const std::vector<std::size_t>& points, std::vector<T>& all) {
  for (std::size_t i = 0; i < points.size(); ++i) all[points[i]] = values[i];
}

MPI_Datatype type_of(const std::vector<double>&) { return MPI_DOUBLE; }
MPI_Datatype type_of(const std::vector<std::uint8_t>&) { return MPI_UINT8_T; }

template <class T>
void send(const std::vector<T>& values) {
  MPI_Send(values.data(), static_cast<int>(values.size()), type_of(values), 0, 0, MPI_COMM_WORLD);
}

template <class T>
std::vector<T> receive(int rank, std::size_t size) {
  std::vector<T> values(size);
  MPI_Recv(values.data(), static_cast<int>(size), type_of(values), rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return values;
}

void send_text(const std::string& text) {
  const std::uint64_t size = text.size();
  MPI_Send(&size, 1, MPI_UINT64_T, 0, 0, MPI_COMM_WORLD);
  MPI_Send(text.data(), static_cast<int>(size), MPI_CHAR, 0, 0, MPI_COMM_WORLD);
}

std::string receive_text(int rank) {
  std::uint64_t size = 0;
  MPI_Recv(&size, 1, MPI_UINT64_T, rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  std::string text(size, ' ');
  MPI_Recv(text.data(), static_cast<int>(size), MPI_CHAR, rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return text;
}

// Points and their reasons, each ended by a zero.
std::string packed_reasons(const std::map<std::size_t, std::string>& reasons, const Shard& shard) {
  std::string text;
  for (const auto& [point, reason] : reasons) {
    if (shard.owns(point)) text += std::to_string(point) + '\0' + reason + '\0';
  }
  return text;
}

void unpack_reasons(const std::string& text, std::map<std::size_t, std::string>& reasons) {
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t middle = text.find('\0', begin), end = text.find('\0', middle + 1);
    reasons[std::stoull(text.substr(begin, middle - begin))] = text.substr(middle + 1, end - middle - 1);
    begin = end + 1;
  }
}

}  // namespace

Ranks::Ranks() {
  if (!started_by_launcher()) return;
  int provided = 0, rank = 0, count = 1;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &count);
  rank_ = static_cast<std::size_t>(rank);
  count_ = static_cast<std::size_t>(count);
  joined_ = true;
}

Ranks::~Ranks() {
  if (joined_) MPI_Finalize();
}

void Ranks::fail(const std::string& why) const {
  if (!working_ || count_ == 1) return;
  tell_error(fmt::format("carom: rank {}: {}", rank_, why));
  MPI_Abort(MPI_COMM_WORLD, failed_running);
}

bool Ranks::all_of(bool mine) const {
  int value = mine ? 1 : 0;
  if (joined_) MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  return value != 0;
}

void Ranks::gather(SweepArrays& arrays) const {
  if (count_ == 1) return;
  if (!is_first()) {
    const std::vector<std::size_t> mine = points_of(shard(), arrays.points());
    send(packed(arrays.done, mine));
    send(packed(arrays.point_status, mine));
    for (const SweepMeasure& measure : arrays.measures) send(packed(measure.values, mine));
    send_text(packed_reasons(arrays.reasons, shard()));
    return;
  }
  for (std::size_t other = 1; other < count_; ++other) {
    const int from = static_cast<int>(other);
    const std::vector<std::size_t> theirs = points_of({other, count_}, arrays.points());
    unpack(receive<std::uint8_t>(from, theirs.size()), theirs, arrays.done);
    unpack(receive<std::uint8_t>(from, theirs.size()), theirs, arrays.point_status);
    for (SweepMeasure& measure : arrays.measures) unpack(receive<double>(from, theirs.size()), theirs, measure.values);
    unpack_reasons(receive_text(from), arrays.reasons);
  }
}

#else

Ranks::Ranks() {
  const char* size = std::getenv("OMPI_COMM_WORLD_SIZE");
  if (!size) size = std::getenv("PMI_SIZE");
  if (started_by_launcher() && size && std::string(size) != "1")
    throw BadInput("this carom was built without MPI, so mpirun would do the same work several times; use --shard i/n");
}

Ranks::~Ranks() = default;
void Ranks::fail(const std::string&) const {}
bool Ranks::all_of(bool mine) const { return mine; }
void Ranks::gather(SweepArrays&) const {}

#endif

}  // namespace carom

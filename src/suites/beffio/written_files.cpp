// SPDX-License-Identifier: Apache-2.0
#include "suites/beffio/written_files.hpp"

#include <cstdio>

#include "measure/failure.hpp"
#include "mpi/file.hpp"
#include "record/point_view.hpp"
#include "suites/beffio/definition.hpp"

namespace steelyard::beffio {
namespace {

constexpr std::uint64_t token = 0x5eed0000;

/// Tries ordered access: every process writes one word in its turn and reads it back.
bool ordered_access_works(const mpi::Communicator& team, const std::string& name) {
  bool right = false;
  const auto failure = measure::attempt([&] {
    mpi::File file(team, name, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE);
    file.set_view(0, MPI_DOUBLE, MPI_DOUBLE);
    const std::uint64_t out = token + static_cast<std::uint64_t>(team.rank());
    std::uint64_t in = 0;
    mpi::check(MPI_File_write_ordered(file.get(), &out, 1, MPI_DOUBLE, MPI_STATUS_IGNORE),
               "MPI_File_write_ordered");
    file.sync();
    team.barrier();
    file.seek_shared(0);
    mpi::check(MPI_File_read_ordered(file.get(), &in, 1, MPI_DOUBLE, MPI_STATUS_IGNORE),
               "MPI_File_read_ordered");
    right = in == out;
    file.close();
  });
  return team.all(right && !failure);
}

std::int64_t whole(const record::PointRecord& point, std::string_view name) {
  return static_cast<std::int64_t>(record::number_of(record::find(point.classic, name)).value_or(0));
}

bool complete(const Files& files, PatternType type) {
  const Span span = patterns_of(type);
  for (std::size_t p = span.first; p <= span.last(); ++p)
    if (files.calls[p] == 0) return false;
  return true;
}

void read_point(const record::PointRecord& point, Files& files) {
  const auto [access, number] = recorded_spec(point.params);
  const auto p = static_cast<std::size_t>(number);
  if (p >= pattern_count || point.status != record::Status::ok) return;
  PatternType type = PatternType::scatter;
  for (const auto one : pattern_types)
    if (p >= patterns_of(one).first) type = one;
  if (access == Access::rewrite && p == patterns_of(type).last()) files.generation[index(type)] = 1;
  if (access != Access::write) return;
  files.calls[p] = static_cast<std::uint64_t>(whole(point, "calls"));
  const auto segment = whole(point, "segment_byte");
  if (segment > 0 && !files.segment) files.segment.emplace();
  if (segment > 0) files.segment->length = Bytes{segment};
  if (files.segment && type == PatternType::segmented && p == patterns_of(type).last())
    files.segment->fill_up = Bytes{whole(point, "chunk_byte")};
}

/// Message with the contents of a partition's files.
struct Packed {
  bool individual;  // pointers of type 1
  Repetitions calls;
  std::array<int, pattern_types.size()> generation;
  std::int64_t segment_byte, fill_up_byte;
};

Packed pack(const Files& files, bool individual) {
  const Segment segment = files.segment.value_or(Segment{});
  return {individual, files.calls, files.generation, segment.length.count(), segment.fill_up.count()};
}

void unpack(const Packed& packed, Files& files) {
  files.calls = packed.calls;
  files.generation = packed.generation;
  if (packed.segment_byte > 0) {
    files.segment.emplace();
    files.segment->length = Bytes{packed.segment_byte};
    files.segment->fill_up = Bytes{packed.fill_up_byte};
    for (std::size_t i = 0; i < files.segment->repetitions.size(); ++i)
      files.segment->repetitions[i] = files.calls[patterns_of(PatternType::segmented).first + i];
  }
  for (const auto type : pattern_types) files.complete[index(type)] = complete(files, type);
}

}  // namespace

void WrittenFiles::enter(const mpi::Communicator& team, const suites::FilePlace& place) {
  directory_ = place.directory;
  measure::all_or_none(team, [&] {
    if (team.is_root() && !claimed_ && place.claim) place.claim(std::string(file_prefix));
  });
  claimed_ = true;
}

std::optional<std::string> WrittenFiles::try_shared_pointer(const mpi::Communicator& team) {
  // A process of an earlier partition may know already what the others do not.
  if (team.any(pointer_ == Pointer::individual)) {
    pointer_ = Pointer::individual;
    return std::nullopt;
  }
  const auto name = directory_ / (std::string(file_prefix) + "probe");
  if (ordered_access_works(team, name.string())) return std::nullopt;
  pointer_ = Pointer::individual;
  return "ordered access by a shared file pointer does not work here: type 1 uses individual pointers";
}

void WrittenFiles::remember(const mpi::Communicator& team, std::span<const record::PointRecord> earlier) {
  Files& files = files_[team.size()];
  bool individual = pointer_ == Pointer::individual;
  for (const auto& point : earlier) {
    if (point.suite != suite_name || point.processes != team.size()) continue;
    read_point(point, files);
    individual = individual || record::word_of(record::find(point.classic, "pointer")) == "individual";
  }
  const Packed packed = team.broadcast(pack(files, individual));
  if (packed.individual) pointer_ = Pointer::individual;
  unpack(packed, files);
}

std::string file_label(std::size_t partition, int processes, PatternType type, std::optional<int> rank) {
  char text[64];
  std::snprintf(text, sizeof text, "i%02zu_%03d_%zu", partition, processes, index(type));
  std::string label = text;
  if (!rank) return label;
  std::snprintf(text, sizeof text, ".%03d", *rank);
  return label + text;
}

}  // namespace steelyard::beffio

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>

#include "mpi/communicator.hpp"
#include "record/records.hpp"
#include "suites/beffio/layout.hpp"
#include "suites/beffio/settings.hpp"
#include "suites/session.hpp"

namespace steelyard::beffio {

/// Contents of the files of one partition. The same on all its processes.
struct Files {
  Repetitions calls{};
  std::array<bool, pattern_types.size()> complete{};   // by type: all its patterns are written
  std::array<int, pattern_types.size()> generation{};  // by type: of the content
  std::optional<Segment> segment;
  bool here = false;  // in this directory; otherwise a run that was interrupted has written them once
};

/// State shared by the access methods of a run: what was written to its files, and how.
/// Every process has one.
class WrittenFiles {
 public:
  explicit WrittenFiles(const Settings& settings)
      : pointer_(settings.pointer),
        writing_(settings.allowed_write_s, writing_s(settings.total_s, settings.rewriting)) {}

  /// Enters the directory, before files are made there. Collective over a team whose process 0 is that of the
  /// world. Throws measure::SharedFailure on all of them.
  void enter(const mpi::Communicator& team, const suites::FilePlace& place);
  /// Tries whether ordered access by the shared pointer works there with these processes. If not, takes
  /// individual pointers from now on and returns the sentence that says so; nullopt otherwise. Collective.
  [[nodiscard]] std::optional<std::string> try_shared_pointer(const mpi::Communicator& team);

  /// Takes over the files of a partition as the records of an earlier start tell (on rank 0 of the
  /// team). Collective.
  void remember(const mpi::Communicator& team, std::span<const record::PointRecord> earlier);

  [[nodiscard]] const std::filesystem::path& directory() const { return directory_; }
  [[nodiscard]] Files& files(int processes) { return files_[processes]; }
  [[nodiscard]] Pointer pointer() const { return pointer_; }
  /// Bytes written initially so far. On rank 0.
  [[nodiscard]] std::int64_t written_byte() const { return written_byte_; }
  void add_written(std::int64_t bytes) { written_byte_ += bytes; }
  [[nodiscard]] WritingTime& writing() { return writing_; }

  /// Beginning of the names of all files of the benchmark.
  static constexpr std::string_view file_prefix = "b_eff_io_data_";

 private:
  Pointer pointer_;
  std::filesystem::path directory_;
  bool claimed_ = false;
  std::map<int, Files> files_;  // by processes of the partition
  std::int64_t written_byte_ = 0;
  WritingTime writing_;
};

/// Label of a file: "i00_004_2", or "i00_004_2.003" for the file of one process.
[[nodiscard]] std::string file_label(std::size_t partition, int processes, PatternType type,
                                     std::optional<int> rank = std::nullopt);

}  // namespace steelyard::beffio

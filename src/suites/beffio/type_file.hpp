// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "measure/workload.hpp"
#include "mpi/communicator.hpp"
#include "mpi/file.hpp"
#include "record/records.hpp"
#include "suites/beffio/layout.hpp"
#include "suites/beffio/patterns.hpp"
#include "suites/beffio/settings.hpp"
#include "suites/session.hpp"

/// The files of a partition, and the timed loops on one of them: calls of MPI-IO, stamps and a counter.
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

/// Ways in which a pattern type calls MPI-IO; placed: independent calls at explicit offsets.
enum class Call { collective, ordered, independent, placed };
enum class Direction { out, in };

/// Places of placed calls: call i goes to place order(i) behind `begin_byte` of the view.
struct Places {
  Shuffle order;
  std::int64_t begin_byte = 0;
};

/// Objects that a loop works on: an open file with its view, the memory of one call.
struct LoopPlan {
  MPI_File file = MPI_FILE_NULL;
  Pattern pattern;
  Origin origin;
  std::span<std::uint64_t> memory;  // of one call
  Places places = {};
};

/// Loop whose operation i is call i of the pattern, or what lies at its place: out stamps the chunks and
/// writes, in reads and compares the stamps. Collective over the file's processes, but for independent calls.
/// `wrong` outlives the workload.
[[nodiscard]] std::unique_ptr<measure::Workload> open_loop(Call call, Direction direction,
                                                           const LoopPlan& plan, Mismatches& wrong);

// The file, or the files, of one pattern type in one partition.

/// Site of a session's work: its settings, files, processes and partition.
struct Site {
  const Settings* settings = nullptr;
  WrittenFiles* written = nullptr;
  const mpi::Communicator* team = nullptr;
  std::size_t partition = 0;  // index in the list of partitions
};

/// Way in which a pattern type calls MPI-IO here.
[[nodiscard]] Call call_of(PatternType type, Pointer pointer);

/// Path of the file that process `rank` of the partition accesses.
[[nodiscard]] std::string file_path(const Site& site, PatternType type, int rank);

/// Open file. Opening, closing, views and syncs are collective over the team also where every process has a
/// file of its own. Throws mpi::Error on the rank where it happens.
class TypeFile {
 public:
  TypeFile(const Site& site, PatternType type, Access access);

  [[nodiscard]] PatternType type() const { return type_; }
  [[nodiscard]] Access access() const { return access_; }
  [[nodiscard]] MPI_File get() const { return file_.get(); }
  /// Seconds of barrier, open, barrier.
  [[nodiscard]] double open_s() const { return open_s_; }

  /// The view that a pattern needs, and its hints: made before, set inside the timed region.
  class View {
   public:
    /// `begin`: of the pattern in the file.
    View(const TypeFile& file, const Pattern& pattern, std::int64_t begin, std::int64_t segment_begin);
    void set(TypeFile& file) const;
    [[nodiscard]] const std::vector<Hint>& hints() const { return hints_; }

   private:
    bool needed_;
    MPI_Offset displacement_ = 0;
    mpi::DatatypeHandle scattered_;
    std::vector<Hint> hints_;
  };

  void sync() { file_.sync(); }
  /// Closes the file, barrier; returns the seconds of both. Drops the pages of the file afterwards where
  /// that was asked for.
  double close();
  /// Hints in force.
  [[nodiscard]] mpi::Hints hints() const { return file_.hints(); }
  /// Implementation of MPI-IO: OMPIO, ROMIO.
  [[nodiscard]] std::string implementation() const { return mpi::io_implementation(file_); }

 private:
  [[nodiscard]] bool has_shared_pointer() const;
  /// Collective. Untimed: the pointer is where it was.
  void make_pointer_file();
  void drop_pages() const;

  Site site_;
  PatternType type_;
  Access access_;
  mpi::File file_;
  double open_s_ = 0;
};

}  // namespace steelyard::beffio
